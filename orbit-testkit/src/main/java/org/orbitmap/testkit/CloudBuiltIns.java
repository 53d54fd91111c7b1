package org.orbitmap.testkit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.orbitmap.cloud.CloudAction;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.cloud.mapping.AxisSignRule;
import org.orbitmap.cloud.mapping.CloudFrames;
import org.orbitmap.cloud.mapping.CloudMapping;
import org.orbitmap.cloud.mapping.OrderedMapping;
import org.orbitmap.cloud.mapping.PointOrder;
import org.orbitmap.cloud.mapping.ScaleRule;
import org.orbitmap.group.Permutation;
import org.orbitmap.group.Permutations;
import org.orbitmap.group.Product;
import org.orbitmap.group.Similarity;
import org.orbitmap.group.SimilarityGroup;
import org.orbitmap.group.SimilarityGroup.Rotations;
import org.orbitmap.mesh.Mesh;
import org.orbitmap.mesh.MeshAction;
import org.orbitmap.mesh.mapping.SpectralMapping;
import org.orbitmap.orbit.OrbitMapping;
import org.orbitmap.upright.CloudUprightMapping;
import org.orbitmap.upright.CloudUprightSettings;
import org.orbitmap.upright.FittedCloudUpright;
import org.orbitmap.vector.VectorMappings;

/**
 * The groups and mappings of point clouds and meshes. Coordinates are floats up to about 20: one
 * rounding errs by 1e-6, and a mapping multiplies that by the inverse of its margin.
 */
public final class CloudBuiltIns {
  private static final double ROUNDING = 1e-4;
  private static final double MAPPED = 2e-3;

  /** Axes that are closer to a tie than this magnify the rounding too much. */
  private static final double CLEAR = 0.01;

  private static final int POINTS = 200;
  private static final int FEW = 6;
  private static final SimilarityGroup SIM3 = SimilarityGroup.similarities(3);

  /** Few vertices, so that eigenpairs cost nothing: the laws hold for any number. */
  private static final Mesh BALL = Mesh.sphere(1);

  /** Similarities and new numbers of the vertices of meshes. */
  static final Subject<Product.Pair<Similarity, Permutation>, Mesh> MESHES =
      Subject.of(
          "meshes",
          new MeshAction(SIM3, BALL.vertices().size()),
          new Space<>(CloudBuiltIns::body, List.of(BALL, slab()), x -> x),
          ROUNDING);

  static final SpectralMapping SPECTRAL = new SpectralMapping(BALL.vertices().size(), 5);

  /** A ball with three different axes and bumps: no symmetry is left. */
  private static Mesh body(RandomGenerator random) {
    double[][] bumps = new double[4][4];
    for (double[] bump : bumps) {
      for (int i = 0; i < 4; i++) {
        bump[i] = random.nextGaussian();
      }
    }
    float[] x = BALL.vertices().coordinates();
    float[] y = new float[x.length];
    for (int v = 0; v < x.length; v += 3) {
      double r = 1;
      for (double[] b : bumps) {
        double d = 0;
        for (int i = 0; i < 3; i++) {
          d += (x[v + i] - b[i] / 2) * (x[v + i] - b[i] / 2);
        }
        r += 0.3 * Math.tanh(b[3]) * Math.exp(-2 * d);
      }
      for (int i = 0; i < 3; i++) {
        y[v + i] = (float) ((2 - 0.5 * i) * r * x[v + i]);
      }
    }
    return BALL.with(new PointCloud(3, y), false);
  }

  /** The ball, flat: two sides on each other, and triangles of hardly any area. */
  private static Mesh slab() {
    float[] x = BALL.vertices().coordinates().clone();
    for (int v = 2; v < x.length; v += 3) {
      x[v] *= 1e-6f;
    }
    return BALL.with(new PointCloud(3, x), false);
  }

  /** The mean score over all frames of every cloud, ambiguous or not. */
  private static double[] overFrames(PointCloud x) {
    return BuiltIns.mean(
        CloudMapping.of(SIM3).frames(x).stream().map(c -> score(c.point())).toList());
  }

  /** The mean score over the same number of frames for every cloud. */
  private static double[] pooled(SimilarityGroup group, int count, PointCloud x) {
    CloudMapping mapping = CloudMapping.of(group);
    return BuiltIns.mean(
        new CloudFrames(mapping, count)
            .of(mapping.map(x).point()).stream().map(CloudBuiltIns::score).toList());
  }

  private CloudBuiltIns() {}

  static List<Law> laws() {
    List<Law> laws = new ArrayList<>();
    for (SimilarityGroup group :
        List.of(
            SimilarityGroup.translations(3),
            SimilarityGroup.scalings(3),
            SimilarityGroup.so(3),
            SimilarityGroup.o(3),
            SimilarityGroup.se(3),
            SIM3,
            SimilarityGroup.named("so2", 3),
            SimilarityGroup.upright(),
            SimilarityGroup.se(2))) {
      Subject<Similarity, PointCloud> s = subject(group);
      laws.addAll(Laws.group(s));
      laws.addAll(Laws.action(s));
      add(laws, s, CloudMapping.of(group));
      laws.addAll(
          Laws.refinement(s, CloudMapping.of(group), y -> correction(group, y), MAPPED, CLEAR));
    }
    add(
        laws,
        subject(SimilarityGroup.so(3)),
        new CloudMapping(SimilarityGroup.so(3), AxisSignRule.FIRST_POINT, ScaleRule.MEAN_DISTANCE));
    Subject<Similarity, PointCloud> similarities = subject(SIM3);
    add(laws, similarities, new CloudMapping(SIM3, AxisSignRule.SKEWNESS, ScaleRule.MAX_NORM));

    for (SimilarityGroup group :
        List.of(SimilarityGroup.scalings(3), SimilarityGroup.so(3), SimilarityGroup.o(3))) {
      Subject<Similarity, PointCloud> any = subject(group);
      any = any.with(any.name() + " of any scale", Space.of(CloudBuiltIns::anyScale));
      laws.addAll(Laws.mapping(any, CloudMapping.of(group), MAPPED, CLEAR));
    }
    // The third axis of a flat cloud has no direction, but the first two give it one.
    for (SimilarityGroup group : List.of(SimilarityGroup.so(3), SimilarityGroup.se(3), SIM3)) {
      CloudMapping mapping = CloudMapping.of(group);
      Subject<Similarity, PointCloud> flat = subject(group);
      laws.add(
          Laws.invariant(
              flat.with(
                  mapping.name() + ", " + group.name() + " on flat clouds",
                  Space.of(CloudBuiltIns::flat)),
              x -> mapping.map(x).point(),
              MAPPED));
    }

    CloudAction joint = new CloudAction(SIM3);
    OrbitMapping<Similarity, PointCloud> centre = part(SimilarityGroup.translations(3), joint);
    OrbitMapping<Similarity, PointCloud> turn = part(SimilarityGroup.so(3), joint);
    OrbitMapping<Similarity, PointCloud> size = part(SimilarityGroup.scalings(3), joint);
    laws.add(Laws.composition(similarities, centre.then(turn, joint).then(size, joint), MAPPED));
    laws.add(Laws.refusal("mean-distance+centre", () -> size.then(centre, joint)));
    laws.add(Laws.refusal("pca-skewness+centre", () -> turn.then(centre, joint)));
    OrbitMapping<Similarity, PointCloud> free = centre.refinedBy(y -> correction(SIM3, y));
    laws.add(Laws.composition(similarities, free.then(CloudMapping.of(SIM3), joint), MAPPED));
    laws.add(Laws.refusal("centre+refined+pca-skewness", () -> free.then(turn, joint)));
    laws.add(
        Laws.refusal(
            "first-point signs+order",
            () ->
                new CloudMapping(SIM3, AxisSignRule.FIRST_POINT, ScaleRule.MAX_NORM).ordered(FEW)));
    laws.add(
        Laws.invariant(
            similarities.with("mean over frames, " + similarities.name(), joint),
            CloudBuiltIns::overFrames,
            MAPPED));

    for (SimilarityGroup group : List.of(SIM3, SimilarityGroup.upright())) {
      Subject<Similarity, PointCloud> moved = subject(group);
      int most = CloudFrames.counts(group).get(2);
      laws.add(
          Laws.invariant(
              moved.with("mean over %d frames, %s".formatted(most, moved.name()), moved.action()),
              x -> pooled(group, most, x),
              MAPPED));
    }

    for (String group : CloudUprightSettings.GROUPS) {
      CloudUprightSettings settings =
          new CloudUprightSettings(group, "skewness", "upright-cube", 0.0625, POINTS);
      laws.addAll(
          upright("random", new CloudUprightMapping(FittedCloudUpright.random(settings, 1))));
    }

    Subject<Permutation, PointCloud> permutations =
        Subject.of("permutations of points", PointOrder.action(FEW), space(3, FEW, few()), 0);
    laws.addAll(Laws.all(permutations, new PointOrder(FEW)));
    laws.addAll(Laws.refinement(permutations, new PointOrder(FEW), CloudBuiltIns::byHeight, 0, 0));
    OrderedMapping ordered = CloudMapping.of(SIM3).ordered(FEW);
    Subject<Product.Pair<Similarity, Permutation>, PointCloud> both =
        Subject.of(
                "Sim(3) and permutations of points",
                ordered.action(),
                space(3, FEW, few()),
                ROUNDING)
            .withElements(
                r -> new Product.Pair<>(element(SIM3, r), new Permutations(FEW).sample(r)));
    laws.addAll(Laws.group(both));
    laws.addAll(Laws.action(both));
    laws.addAll(Laws.mapping(both, ordered, MAPPED, CLEAR));
    Permutation backwards = new Permutation(new int[] {5, 4, 3, 2, 1, 0});
    laws.addAll(
        Laws.refinement(
            both, ordered, y -> new Product.Pair<>(correction(SIM3, y), backwards), MAPPED, CLEAR));
    laws.addAll(Laws.group(MESHES));
    laws.addAll(Laws.action(MESHES));
    laws.addAll(Laws.representation(MESHES, SPECTRAL, MAPPED, CLEAR));
    return laws;
  }

  /** The laws of one learned mapping, such as a fitted one. */
  public static List<Law> upright(CloudUprightMapping mapping) {
    return upright("fitted", mapping);
  }

  /**
   * Those of any refinement, and of the weighted mean over all poses: they hold for predictors that
   * nobody fitted.
   */
  private static List<Law> upright(String name, CloudUprightMapping mapping) {
    Subject<Similarity, PointCloud> s = subject(mapping.base().group());
    String both = "%s, %s".formatted(name, s.name());
    List<Law> laws =
        new ArrayList<>(
            Laws.mapping(s.with("upright, " + both, s.action()), mapping, MAPPED, CLEAR));
    laws.add(
        Laws.invariant(
            s.with("best poses of upright, " + both, s.action()),
            x -> overPoses(mapping, x),
            MAPPED));
    return laws;
  }

  /** Σ wₖ f(gₖ·x) over all poses gₖ with their weights. */
  private static double[] overPoses(CloudUprightMapping mapping, PointCloud x) {
    CloudUprightMapping.Found poses = mapping.poses(x, 24);
    double[] sum = new double[0];
    for (int k = 0; k < poses.elements().size(); k++) {
      double[] f = score(mapping.action().act(poses.elements().get(k), x));
      sum = sum.length == 0 ? new double[f.length] : sum;
      for (int i = 0; i < f.length; i++) {
        sum[i] += poses.weights().get(k) * f[i];
      }
    }
    return sum;
  }

  private static void add(List<Law> laws, Subject<Similarity, PointCloud> s, CloudMapping mapping) {
    laws.addAll(Laws.mapping(s, mapping, MAPPED, CLEAR));
    laws.addAll(Laws.wrappers(s, mapping, MAPPED, CLEAR));
  }

  private static OrbitMapping<Similarity, PointCloud> part(
      SimilarityGroup group, CloudAction joint) {
    return CloudMapping.of(group).within(g -> g, joint);
  }

  private static Subject<Similarity, PointCloud> subject(SimilarityGroup group) {
    int d = group.dimension();
    return Subject.of(
            group.name() + " on clouds",
            new CloudAction(group),
            space(d, POINTS, special(d)),
            ROUNDING)
        .withElements(r -> element(group, r))
        .withNear(r -> near(group, r));
  }

  private static Similarity element(SimilarityGroup group, RandomGenerator random) {
    return group.sample(random, 2, 2);
  }

  /** A correction of clouds, as far as the group has one, that respects no symmetry. */
  private static Similarity correction(SimilarityGroup group, PointCloud y) {
    int d = group.dimension();
    double[] a = score(y);
    double[] r = group.identity().rotation();
    if (group.rotations() != Rotations.NONE) {
      r =
          group.rotations() == Rotations.VERTICAL
              ? Similarity.rotation(2, a[1]).rotation()
              : d == 3
                  ? Similarity.rotation(0, 1 + a[0]).after(Similarity.rotation(2, a[1])).rotation()
                  : new double[] {Math.cos(a[0]), -Math.sin(a[0]), Math.sin(a[0]), Math.cos(a[0])};
    }
    for (int j = 0; group.rotations() == Rotations.ALL && j < d; j++) {
      r[j] = -r[j];
    }
    double[] t = new double[d];
    if (group.moves()) {
      t[0] = a[0];
      t[1] = 1 - a[1];
    }
    return new Similarity(group.scales() ? Math.exp(0.3 * a[1]) : 1, r, t);
  }

  /** The order of the last coordinate. */
  private static Permutation byHeight(PointCloud y) {
    double[] heights = new double[FEW];
    Arrays.setAll(heights, i -> y.coordinates()[3 * i + 2]);
    return VectorMappings.sorting(FEW).map(heights).element();
  }

  /** Few points: all the same, and on a line with ties. */
  private static List<PointCloud> few() {
    float[] tied = new float[3 * FEW];
    for (int i = 0; i < FEW; i++) {
      tied[3 * i] = i % 2;
      tied[3 * i + 1] = i % 3;
    }
    return List.of(new PointCloud(3, new float[3 * FEW]), new PointCloud(3, tied));
  }

  private static Similarity near(SimilarityGroup group, RandomGenerator random) {
    Similarity g = group.identity();
    if (group.rotations() != Rotations.NONE && group.dimension() == 3) {
      int axis = group.rotations() == Rotations.VERTICAL ? 2 : random.nextInt(3);
      g = Similarity.rotation(axis, 1e-4 * random.nextGaussian());
    }
    Similarity rest = group.sample(random, 1.0001, 1e-4);
    return new Similarity(rest.scale(), g.rotation(), rest.translation());
  }

  private static Space<PointCloud> space(int dimension, int points, List<PointCloud> special) {
    return new Space<>(r -> lopsided(dimension, points, r), special, CloudBuiltIns::wind);
  }

  /** A cloud with a tail along every axis and three different widths. */
  private static PointCloud lopsided(int dimension, int points, RandomGenerator random) {
    float[] c = new float[dimension * points];
    for (int i = 0; i < points; i++) {
      for (int j = 0; j < dimension; j++) {
        double tail = random.nextDouble();
        c[i * dimension + j] = (float) ((dimension - j) * (2 * tail * tail * tail - 0.2));
      }
    }
    return new PointCloud(dimension, c);
  }

  /** A lopsided cloud of any scale that floats and their squares in double can hold. */
  private static PointCloud anyScale(RandomGenerator random) {
    float by = (float) Math.pow(10, random.nextInt(-30, 34));
    float[] c = lopsided(3, POINTS, random).coordinates();
    for (int i = 0; i < c.length; i++) {
      c[i] *= by;
    }
    return new PointCloud(3, c);
  }

  /** A lopsided cloud in a plane. */
  private static PointCloud flat(RandomGenerator random) {
    float[] c = lopsided(3, POINTS, random).coordinates();
    for (int i = 2; i < c.length; i += 3) {
      c[i] = 0;
    }
    return new PointCloud(3, c);
  }

  /** One point, two, a line, equal points, a square or cube, a plane. */
  private static List<PointCloud> special(int d) {
    int corners = 1 << d;
    float[] cube = new float[d * corners];
    float[] line = new float[5 * d];
    float[] flat = new float[7 * d];
    float[] two = new float[2 * d];
    for (int k = 0; k < corners; k++) {
      for (int j = 0; j < d; j++) {
        cube[k * d + j] = (k >> j & 1) == 0 ? -1 : 1;
      }
    }
    for (int k = 0; k < 5; k++) {
      Arrays.fill(line, k * d, (k + 1) * d, k);
    }
    for (int i = 0; i < 7; i++) {
      flat[i * d] = i * i;
      flat[i * d + 1] = i % 3;
    }
    two[0] = 1;
    return List.of(
        new PointCloud(d, new float[d]),
        new PointCloud(d, new float[3 * d]),
        new PointCloud(d, two),
        new PointCloud(d, line),
        new PointCloud(d, cube),
        new PointCloud(d, flat));
  }

  /** A network on clouds that respects no symmetry: points drift in a wind. */
  private static PointCloud wind(PointCloud x) {
    float[] c = x.coordinates().clone();
    for (int i = 0; i < c.length; i++) {
      c[i] += (float) (0.3 * Math.sin(c[i] + i % x.dimension()));
    }
    return new PointCloud(x.dimension(), c);
  }

  private static double[] score(PointCloud x) {
    double[] score = new double[2];
    for (int i = 0; i < x.coordinates().length; i++) {
      score[i % 2] += Math.sin(x.coordinates()[i] * (1 + i % 3)) / x.size();
    }
    return score;
  }
}
