package org.orbitmap.testkit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.ToDoubleBiFunction;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.orbitmap.group.FiniteGroup;
import org.orbitmap.group.Group;
import org.orbitmap.group.Permutation;
import org.orbitmap.group.Permutations;
import org.orbitmap.group.ScaleShift;
import org.orbitmap.group.ScaleShifts;
import org.orbitmap.group.Shifts;
import org.orbitmap.orbit.Canonical;
import org.orbitmap.orbit.GroupAction;
import org.orbitmap.orbit.OrbitMapping;
import org.orbitmap.orbit.OrbitPooling;
import org.orbitmap.vector.VectorActions;
import org.orbitmap.vector.VectorMappings;

/**
 * Groups, actions, mappings and networks with a mistake that somebody once made, at least one for
 * every law: a kit that lets one of them pass is broken itself.
 */
public final class Mutants {
  private static final Subject<ScaleShift, double[]> LINE = BuiltIns.SCALE_SHIFTS;
  private static final Subject<Permutation, double[]> PLACES = BuiltIns.PERMUTATIONS;
  private static final ScaleShifts GROUP = new ScaleShifts();
  private static final int N = BuiltIns.ENTRIES;

  private Mutants() {}

  /** All of them. */
  public static List<Mutant> all() {
    return List.of(
        group(
            "product that halves every second shift",
            Laws.ASSOCIATIVITY,
            broken()
                .product(
                    (g, h) -> new ScaleShift(g.scale() * h.scale(), g.shift() + h.shift() / 2))),
        group(
            "product that divides",
            Laws.ASSOCIATIVITY,
            broken().product((g, h) -> GROUP.compose(g, GROUP.inverse(h)))),
        group(
            "identity with a small shift",
            Laws.IDENTITY,
            broken().identity(new ScaleShift(1, 1e-6))),
        group(
            "inverse that forgets the scale of the shift",
            Laws.INVERSE,
            broken().inverse(g -> new ScaleShift(1 / g.scale(), -g.shift()))),
        group("inverse that returns its argument", Laws.INVERSE, broken().inverse(g -> g)),
        group("distance that is always 0", Laws.DISTANCE, broken().distance((g, h) -> 0.0)),
        group(
            "distance that depends on the order",
            Laws.DISTANCE,
            broken().distance((g, h) -> Math.max(0, g.shift() - h.shift()))),
        listing("list with an element missing", all -> all.subList(0, all.size() - 1)),
        listing(
            "list with an element twice",
            all -> {
              List<Permutation> twice = new ArrayList<>(all);
              twice.set(twice.size() - 1, twice.get(1));
              return twice;
            }),
        listing(
            "list whose first is not the identity",
            all -> {
              List<Permutation> rotated = new ArrayList<>(all);
              Collections.rotate(rotated, 1);
              return rotated;
            }),
        action("action that does nothing", Laws.FAITHFUL, (g, x) -> x.clone()),
        action(
            "action that ignores the shift",
            Laws.FAITHFUL,
            (g, x) -> VectorActions.SCALE.act(g.scale(), x)),
        action(
            "action by the inverse, which swaps the order of a product",
            Laws.ACT_PRODUCT,
            (g, x) -> VectorActions.SCALE_SHIFT.act(GROUP.inverse(g), x)),
        action(
            "action that shifts before it scales",
            Laws.ACT_PRODUCT,
            (g, x) -> Arrays.stream(x).map(t -> g.scale() * (t + g.shift())).toArray()),
        action(
            "action whose identity moves inputs",
            Laws.ACT_IDENTITY,
            (g, x) -> Arrays.stream(x).map(t -> g.scale() * t + g.shift() + 1e-6).toArray()),
        action(
            "action that writes into its input",
            Laws.UNTOUCHED,
            (g, x) -> {
              Arrays.setAll(x, i -> g.scale() * x[i] + g.shift());
              return x;
            }),
        permuting(
            "action by the inverse permutation",
            Laws.ACT_PRODUCT,
            (p, x) -> VectorActions.permute(new Permutations(N)).act(p.inverse(), x)),
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
        remembering(),
        refining(
            "refinement that looks at the input instead of the canonical point",
            (x, c) -> GROUP.compose(BuiltIns.scaleShift(x), c.element())),
        refining(
            "refinement that corrects before it maps",
            (x, c) -> GROUP.compose(c.element(), BuiltIns.scaleShift(c.point()))),
        refining("refinement that is not applied", (x, c) -> c.element()),
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
                Laws.invariant(
                    "half",
                    Laws.INVARIANT_POOLING,
                    PLACES,
                    OrbitPooling.invariant(
                        listed(all -> all.subList(0, all.size() / 2)),
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
                Laws.equivariant(
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

  // Groups

  private static Mutant group(String name, String law, Broken group) {
    return new Mutant(name, law, Laws.group(LINE, group));
  }

  private static Broken broken() {
    return new Broken(
        GROUP.identity(), GROUP::compose, GROUP::inverse, (g, h) -> GROUP.distance(g, h));
  }

  /** The maps of the line, with one part replaced. */
  private record Broken(
      ScaleShift identity,
      BinaryOperator<ScaleShift> composition,
      UnaryOperator<ScaleShift> inversion,
      ToDoubleBiFunction<ScaleShift, ScaleShift> metric)
      implements Group<ScaleShift> {
    Broken identity(ScaleShift other) {
      return new Broken(other, composition, inversion, metric);
    }

    Broken product(BinaryOperator<ScaleShift> other) {
      return new Broken(identity, other, inversion, metric);
    }

    Broken inverse(UnaryOperator<ScaleShift> other) {
      return new Broken(identity, composition, other, metric);
    }

    Broken distance(ToDoubleBiFunction<ScaleShift, ScaleShift> other) {
      return new Broken(identity, composition, inversion, other);
    }

    @Override
    public String name() {
      return "broken";
    }

    @Override
    public ScaleShift compose(ScaleShift g, ScaleShift h) {
      return composition.apply(g, h);
    }

    @Override
    public ScaleShift inverse(ScaleShift g) {
      return inversion.apply(g);
    }

    @Override
    public double distance(ScaleShift g, ScaleShift h) {
      return metric.applyAsDouble(g, h);
    }

    @Override
    public ScaleShift sample(RandomGenerator random) {
      return GROUP.sample(random);
    }
  }

  private static Mutant listing(String name, UnaryOperator<List<Permutation>> change) {
    return new Mutant(name, Laws.LISTING, Laws.group(PLACES, listed(change)));
  }

  /** All permutations, with another list of them. */
  private static FiniteGroup<Permutation> listed(UnaryOperator<List<Permutation>> change) {
    Permutations real = new Permutations(N);
    List<Permutation> elements = List.copyOf(change.apply(real.elements()));
    return new FiniteGroup<>() {
      @Override
      public List<Permutation> elements() {
        return elements;
      }

      @Override
      public String name() {
        return "broken";
      }

      @Override
      public Permutation identity() {
        return real.identity();
      }

      @Override
      public Permutation compose(Permutation g, Permutation h) {
        return real.compose(g, h);
      }

      @Override
      public Permutation inverse(Permutation g) {
        return real.inverse(g);
      }

      @Override
      public double distance(Permutation g, Permutation h) {
        return real.distance(g, h);
      }
    };
  }

  // Actions

  private static Mutant action(
      String name, String law, GroupAction.Formula<ScaleShift, double[]> act) {
    return new Mutant(name, law, Laws.action(LINE.with("broken", GroupAction.of(GROUP, act))));
  }

  private static Mutant permuting(
      String name, String law, GroupAction.Formula<Permutation, double[]> act) {
    return new Mutant(
        name, law, Laws.action(PLACES.with("broken", GroupAction.of(new Permutations(N), act))));
  }

  // Mappings

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
        Laws.refinement(
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
}
