package org.orbitmap.testkit;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.orbitmap.group.Group;
import org.orbitmap.group.Permutation;
import org.orbitmap.group.Permutations;
import org.orbitmap.group.Product;
import org.orbitmap.group.Rotation2;
import org.orbitmap.group.ScaleShift;
import org.orbitmap.group.ScaleShifts;
import org.orbitmap.group.Shifts;
import org.orbitmap.group.Similarity;
import org.orbitmap.image.Image;
import org.orbitmap.image.Resampling;
import org.orbitmap.mesh.Mesh;
import org.orbitmap.mesh.mapping.SpectralEmbedding;
import org.orbitmap.mesh.spectral.Surface;
import org.orbitmap.orbit.Canonical;
import org.orbitmap.orbit.GroupAction;
import org.orbitmap.orbit.OrbitMapping;
import org.orbitmap.orbit.OrbitPooling;
import org.orbitmap.orbit.RepresentationMapping;
import org.orbitmap.upright.UprightMapping;
import org.orbitmap.upright.UprightSettings;
import org.orbitmap.vector.VectorActions;
import org.orbitmap.vector.VectorMappings;

/**
 * The {@link Mutants} among mappings, their compositions and refinements, networks and poolings.
 */
final class MappingMutants {
  private static final Subject<ScaleShift, double[]> LINE = Mutants.LINE;
  private static final Subject<Permutation, double[]> PLACES = Mutants.PLACES;
  private static final ScaleShifts GROUP = Mutants.GROUP;
  private static final int N = Mutants.N;

  private MappingMutants() {}

  static List<Mutant> all() {
    return List.of(
        mapping(
            "mapping that forgets the element",
            Laws.ON_ORBIT,
            c -> new Canonical<>(c.point(), GROUP.identity(), c.margin())),
        mapping(
            "mapping that returns the way back",
            Laws.ON_ORBIT,
            c -> new Canonical<>(c.point(), GROUP.inverse(c.element()), c.margin())),
        mapping(
            "mapping whose point is always the same",
            Laws.ON_ORBIT,
            c -> new Canonical<>(new double[N], c.element(), c.margin())),
        line("mapping that leaves inputs where they are", Laws.INVARIANCE, x -> GROUP.identity()),
        line(
            "mapping that depends on the first entry",
            Laws.INVARIANCE,
            x -> x[0] > 0 ? GROUP.identity() : VectorMappings.meanAndNorm().map(x).element()),
        line(
            "mapping that subtracts half of the mean",
            Laws.IDEMPOTENCE,
            x -> ScaleShift.shift(VectorMappings.mean().map(x).element() / 2)),
        line(
            "mapping that divides by zero",
            Laws.SPECIAL,
            x -> {
              double mean = Arrays.stream(x).average().orElseThrow();
              double norm = Math.sqrt(Arrays.stream(x).map(t -> (t - mean) * (t - mean)).sum());
              return new ScaleShift(1 / norm, -mean / norm);
            }),
        sorting(
            "mapping that sorts only when the first entry is positive",
            Laws.INVARIANCE,
            x ->
                x[0] > 0
                    ? VectorMappings.sorting(N).map(x).element()
                    : new Permutations(N).identity()),
        sorting(
            "mapping that returns the order instead of the ranks",
            Laws.INVARIANCE,
            x -> VectorMappings.sorting(N).map(x).element().inverse()),
        representing(
            "embedding directed by the first vertex",
            (mesh, e) -> {
              double[][] c = e.coordinates().clone();
              for (int i = 0; i < c.length; i++) {
                double sign = Math.signum(c[i][0]);
                c[i] = Arrays.stream(c[i]).map(x -> sign * x).toArray();
              }
              return new SpectralEmbedding(e.eigenvalues(), c);
            }),
        representing(
            "embedding that grows with the mesh",
            (mesh, e) -> {
              double size = Surface.of(mesh).area();
              return new SpectralEmbedding(
                  Arrays.stream(e.eigenvalues()).map(x -> x / size).toArray(), e.coordinates());
            }),
        representing(
            "embedding that forgets that vertices were renumbered",
            (mesh, e) -> {
              double[][] c = e.coordinates().clone();
              for (int i = 0; i < c.length; i++) {
                c[i] = Arrays.stream(c[i]).sorted().toArray();
              }
              return new SpectralEmbedding(e.eigenvalues(), c);
            }),
        remembering(),
        refining(
            "refinement that looks at the input instead of the canonical point",
            (x, c) -> GROUP.compose(BuiltIns.scaleShift(x), c.element())),
        refining(
            "refinement that corrects before it maps",
            (x, c) -> GROUP.compose(c.element(), BuiltIns.scaleShift(c.point()))),
        refining("refinement that is not applied", (x, c) -> c.element()),
        seesTheInput(),
        new Mutant(
            "invariant network that is given the input as it is",
            Laws.INVARIANT_NETWORK,
            List.of(Laws.invariant(LINE, LINE.space().net(), 1e-9))),
        new Mutant(
            "equivariant network that is not rotated back",
            Laws.EQUIVARIANT_NETWORK,
            List.of(
                Laws.equivariant(
                    PLACES,
                    VectorMappings.sorting(N).invariant(PLACES.space().net()),
                    PLACES.action(),
                    0))),
        new Mutant(
            "equivariant network that is rotated forward again",
            Laws.EQUIVARIANT_NETWORK,
            List.of(
                Laws.equivariant(
                    PLACES,
                    x -> {
                      Canonical<Permutation, double[]> c = VectorMappings.sorting(N).map(x);
                      return PLACES
                          .action()
                          .act(c.element(), PLACES.space().net().apply(c.point()));
                    },
                    PLACES.action(),
                    0))),
        new Mutant(
            "pooling over a part of the group",
            Laws.INVARIANT_POOLING,
            List.of(
                NetworkLaws.invariant(
                    "half",
                    Laws.INVARIANT_POOLING,
                    PLACES,
                    OrbitPooling.invariant(
                        Mutants.listed(all -> all.subList(0, all.size() / 2)),
                        PLACES.action(),
                        PLACES.space().net(),
                        BuiltIns::mean),
                    x -> true,
                    1e-9))),
        new Mutant(
            "pooling by the first of the orbit",
            Laws.INVARIANT_POOLING,
            Laws.pooling(PLACES, new Permutations(N), all -> all.get(0), 1e-9)),
        new Mutant(
            "equivariant pooling without rotating back",
            Laws.EQUIVARIANT_POOLING,
            List.of(
                NetworkLaws.equivariant(
                    "forward",
                    Laws.EQUIVARIANT_POOLING,
                    PLACES,
                    OrbitPooling.equivariant(
                        new Permutations(N),
                        PLACES.action(),
                        PLACES.space().net(),
                        GroupAction.trivial(new Permutations(N)),
                        BuiltIns::mean),
                    PLACES.action(),
                    x -> true,
                    1e-9))),
        new Mutant(
            "norm, then mean, with a claim that it carries shifts",
            Laws.COMPOSITION,
            List.of(
                Laws.composition(
                    LINE, claiming().then(BuiltIns.MEAN, VectorActions.SCALE_SHIFT), 1e-9))),
        new Mutant(
            "a false claim is believed",
            Laws.REFUSAL,
            List.of(
                Laws.refusal(
                    "norm+mean",
                    () -> claiming().then(BuiltIns.MEAN, VectorActions.SCALE_SHIFT)))));
  }

  /** The real mapping of the line, whose answer is changed. */
  private static Mutant mapping(
      String name, String law, UnaryOperator<Canonical<ScaleShift, double[]>> change) {
    return new Mutant(
        name,
        law,
        Laws.mapping(
            LINE, mapping(LINE.action(), x -> change.apply(VectorMappings.meanAndNorm().map(x)))));
  }

  private static Mutant line(String name, String law, Function<double[], ScaleShift> element) {
    return new Mutant(name, law, Laws.mapping(LINE, choosing(LINE.action(), element)));
  }

  private static Mutant sorting(String name, String law, Function<double[], Permutation> element) {
    return new Mutant(name, law, Laws.mapping(PLACES, choosing(PLACES.action(), element)));
  }

  private static Mutant refining(
      String name, BiFunction<double[], Canonical<ScaleShift, double[]>, ScaleShift> element) {
    OrbitMapping<ScaleShift, double[]> base = VectorMappings.meanAndNorm();
    return new Mutant(
        name,
        Laws.REFINEMENT,
        MappingLaws.refinement(
            LINE,
            base,
            BuiltIns::scaleShift,
            mapping(
                LINE.action(),
                x -> {
                  Canonical<ScaleShift, double[]> c = base.map(x);
                  ScaleShift g = element.apply(x, c);
                  return new Canonical<>(LINE.action().act(g, x), g, c.margin());
                }),
            1e-9,
            0));
  }

  /** A pose kept on the mapping: the answer depends on what was mapped before. */
  private static Mutant remembering() {
    AtomicReference<ScaleShift> last = new AtomicReference<>(GROUP.identity());
    return line(
        "mapping that remembers the last pose",
        Laws.NO_MEMORY,
        x -> last.getAndSet(VectorMappings.meanAndNorm().map(x).element()));
  }

  private static <G> OrbitMapping<G, double[]> choosing(
      GroupAction<G, double[]> action, Function<double[], G> element) {
    return mapping(
        action,
        x -> {
          G g = element.apply(x);
          return new Canonical<>(action.act(g, x), g, 1);
        });
  }

  private static <G> OrbitMapping<G, double[]> mapping(
      GroupAction<G, double[]> action, Function<double[], Canonical<G, double[]>> map) {
    return mapping(action, map, Set.of());
  }

  private static <G> OrbitMapping<G, double[]> mapping(
      GroupAction<G, double[]> action,
      Function<double[], Canonical<G, double[]>> map,
      Set<Group<?>> carries) {
    return new OrbitMapping<>() {
      @Override
      public String name() {
        return "broken";
      }

      @Override
      public GroupAction<G, double[]> action() {
        return action;
      }

      @Override
      public Canonical<G, double[]> map(double[] x) {
        return map.apply(x);
      }

      @Override
      public Set<Group<?>> carries() {
        return carries;
      }
    };
  }

  /** Dividing by the norm, with the claim that it carries shifts into shifts. */
  private static OrbitMapping<ScaleShift, double[]> claiming() {
    return mapping(VectorActions.SCALE_SHIFT, BuiltIns.NORM::map, Set.of(new Shifts()));
  }

  /** A predictor that is shown the input instead of the canonical image. */
  private static Mutant seesTheInput() {
    UprightMapping<Rotation2> upright =
        UprightMapping.rotations(
            ImageBuiltIns.sure(UprightSettings.of("linear", 1, 16, 36), 1), Resampling.BILINEAR);
    OrbitMapping<Rotation2, Image> broken =
        new OrbitMapping<>() {
          @Override
          public String name() {
            return "broken";
          }

          @Override
          public GroupAction<Rotation2, Image> action() {
            return upright.action();
          }

          @Override
          public Canonical<Rotation2, Image> map(Image x) {
            Canonical<Rotation2, Image> c = upright.base().map(x);
            Rotation2 g = upright.refinement(x).times(c.element());
            return new Canonical<>(action().act(g, x), g, c.margin());
          }
        };
    return new Mutant(
        "upright mapping whose predictor sees the input",
        Laws.INVARIANT_NETWORK,
        List.of(
            Laws.invariant(
                ImageBuiltIns.TURNED.with(
                    "broken, " + ImageBuiltIns.TURNED.name(), ImageBuiltIns.TURNED.action()),
                x -> broken.map(x).point(),
                1e-4)));
  }

  /** The spectral embedding with a mistake. */
  private static Mutant representing(
      String name, BiFunction<Mesh, SpectralEmbedding, SpectralEmbedding> mistake) {
    return new Mutant(
        name,
        Laws.REPRESENTATION,
        Laws.representation(CloudBuiltIns.MESHES, new BrokenEmbedding(mistake), 1e-2, 0.01));
  }

  private record BrokenEmbedding(BiFunction<Mesh, SpectralEmbedding, SpectralEmbedding> mistake)
      implements RepresentationMapping<
          Product.Pair<Similarity, Permutation>, Mesh, SpectralEmbedding> {
    @Override
    public String name() {
      return "broken";
    }

    @Override
    public GroupAction<Product.Pair<Similarity, Permutation>, Mesh> action() {
      return CloudBuiltIns.SPECTRAL.action();
    }

    @Override
    public GroupAction<Product.Pair<Similarity, Permutation>, SpectralEmbedding>
        onRepresentations() {
      return CloudBuiltIns.SPECTRAL.onRepresentations();
    }

    @Override
    public Represented<SpectralEmbedding> map(Mesh x) {
      Represented<SpectralEmbedding> found = CloudBuiltIns.SPECTRAL.map(x);
      return new Represented<>(mistake.apply(x, found.point()), found.margin());
    }
  }
}
