package org.orbitmap.cloud.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.orbitmap.cloud.Box;
import org.orbitmap.cloud.CloudAction;
import org.orbitmap.cloud.CloudOutputs;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.cloud.PointFeature;
import org.orbitmap.cloud.Solids;
import org.orbitmap.group.Permutation;
import org.orbitmap.group.Permutations;
import org.orbitmap.group.Product.Pair;
import org.orbitmap.group.Similarity;
import org.orbitmap.group.SimilarityGroup;
import org.orbitmap.group.SimilarityGroup.Rotations;
import org.orbitmap.orbit.Canonical;
import org.orbitmap.orbit.OrbitMapping;

class CloudMappingTest {
  private static final SimilarityGroup SIM3 = SimilarityGroup.similarities(3);

  static Stream<CloudMapping> mappings() {
    return Stream.of(2, 3)
        .flatMap(d -> SimilarityGroup.all(d).stream())
        .flatMap(
            g ->
                Stream.of(AxisSignRule.values())
                    .flatMap(
                        s ->
                            Stream.of(ScaleRule.values())
                                .map(size -> new CloudMapping(g, s, size))));
  }

  @ParameterizedTest
  @MethodSource("mappings")
  void theFastWayAgreesWithThePlainWay(CloudMapping mapping) {
    Random random = new Random(7);
    for (int n : new int[] {4, 5, 255, 256, 257, 1024, 1025, 3000}) {
      PointCloud x = Solids.blob(mapping.group().dimension(), n, random);
      float[] fast = new float[x.coordinates().length];
      float[] plain = new float[x.coordinates().length];
      CloudPose a = Alignment.fast(mapping, x.coordinates(), fast);
      CloudPose b = Alignment.plain(mapping, x.coordinates(), plain);
      assertThat(cloud(x, plain).relativeDistance(cloud(x, fast))).isLessThan(1e-6);
      assertThat(mapping.group().distance(a.element(), b.element())).isLessThan(1e-6);
      if (mapping.group().rotations() != Rotations.NONE) {
        assertThat(a.eigenGap()).isCloseTo(b.eigenGap(), within(1e-9));
        assertThat(a.signMargin()).isCloseTo(b.signMargin(), within(1e-6));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("mappings")
  void theLawsOfAnOrbitMappingHold(CloudMapping mapping) {
    Random random = new Random(11);
    SimilarityGroup group = mapping.group();
    for (int k = 0; k < 20; k++) {
      PointCloud x = Solids.blob(group.dimension(), 500, random);
      Canonical<Similarity, PointCloud> c = mapping.map(x);
      PointCloud y = mapping.action().act(c.element(), x);
      assertThat(c.point().relativeDistance(y)).as("on the orbit").isLessThan(1e-6);
      assertThat(c.point().relativeDistance(mapping.map(c.point()).point()))
          .as("idempotent")
          .isLessThan(1e-5);
      Similarity g = group.sample(random);
      assertThat(c.point().relativeDistance(mapping.map(mapping.action().act(g, x)).point()))
          .as("invariant under %s", g)
          .isLessThan(1e-4);
    }
  }

  @Test
  void theFusedMappingIsTheComposition() {
    Random random = new Random(3);
    CloudAction joint = new CloudAction(SIM3);
    OrbitMapping<Similarity, PointCloud> centre =
        CloudMapping.of(SimilarityGroup.translations(3)).within(g -> g, joint);
    OrbitMapping<Similarity, PointCloud> turn =
        CloudMapping.of(SimilarityGroup.so(3)).within(g -> g, joint);
    OrbitMapping<Similarity, PointCloud> size =
        CloudMapping.of(SimilarityGroup.scalings(3)).within(g -> g, joint);
    OrbitMapping<Similarity, PointCloud> composed = centre.then(turn, joint).then(size, joint);
    CloudMapping fused = CloudMapping.of(SIM3);
    assertThat(composed.name()).isEqualTo(fused.name());
    for (int k = 0; k < 20; k++) {
      PointCloud x = joint.act(SIM3.sample(random), Solids.blob(3, 700, random));
      Canonical<Similarity, PointCloud> a = composed.map(x);
      Canonical<Similarity, PointCloud> b = fused.map(x);
      assertThat(a.point().relativeDistance(b.point())).isLessThan(1e-5);
      assertThat(SIM3.distance(a.element(), b.element())).isLessThan(1e-5);
    }
  }

  @Test
  void aBadOrderIsRefused() {
    CloudAction joint = new CloudAction(SIM3);
    OrbitMapping<Similarity, PointCloud> centre =
        CloudMapping.of(SimilarityGroup.translations(3)).within(g -> g, joint);
    OrbitMapping<Similarity, PointCloud> turn =
        CloudMapping.of(SimilarityGroup.so(3)).within(g -> g, joint);
    OrbitMapping<Similarity, PointCloud> size =
        CloudMapping.of(SimilarityGroup.scalings(3)).within(g -> g, joint);
    assertThatThrownBy(() -> size.then(centre, joint))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("mean-distance, then centre is not invariant");
    assertThatThrownBy(() -> turn.then(centre, joint)).hasMessageContaining("is not invariant");
    assertThatThrownBy(() -> size.then(centre, joint).then(turn, joint))
        .hasMessageContaining("is not invariant");
    assertThat(size.then(turn, joint).name()).isEqualTo("mean-distance+pca-skewness");
    assertThatThrownBy(
            () -> new CloudMapping(SIM3, AxisSignRule.FIRST_POINT, ScaleRule.MAX_NORM).ordered(5))
        .hasMessageContaining("first-point signs depend on which point comes first");
  }

  @Test
  void permutationsDoNotMatterForSkewnessButForFirstPoints() {
    Random random = new Random(5);
    CloudMapping skewness = CloudMapping.of(SIM3);
    CloudMapping first = new CloudMapping(SIM3, AxisSignRule.FIRST_POINT, ScaleRule.MEAN_DISTANCE);
    int changed = 0;
    for (int k = 0; k < 50; k++) {
      PointCloud x = Solids.blob(3, 300, random);
      Permutation p = new Permutations(300).sample(random);
      PointCloud y = PointOrder.action(300).act(p, x);
      assertThat(
              PointOrder.action(300)
                  .act(p, skewness.map(x).point())
                  .relativeDistance(skewness.map(y).point()))
          .isLessThan(1e-5);
      changed +=
          PointOrder.action(300).act(p, first.map(x).point()).relativeDistance(first.map(y).point())
                  > 0.1
              ? 1
              : 0;
    }
    assertThat(changed).as("permutations that change the first-point pose").isGreaterThan(20);
  }

  @Test
  void orderAndPoseTogether() {
    Random random = new Random(6);
    OrderedMapping mapping = CloudMapping.of(SIM3).ordered(40);
    for (int k = 0; k < 50; k++) {
      PointCloud x = Solids.blob(3, 40, random);
      Canonical<Pair<Similarity, Permutation>, PointCloud> c = mapping.map(x);
      assertThat(c.point().relativeDistance(mapping.action().act(c.element(), x))).isLessThan(1e-6);
      if (c.margin() > 1e-4) {
        PointCloud y = mapping.action().act(mapping.action().group().sample(random), x);
        assertThat(c.point().relativeDistance(mapping.map(y).point())).isLessThan(1e-4);
      }
    }
    PointOrder order = new PointOrder(3);
    PointCloud y = Solids.of(2, 0, 0, 1, 5, 0, 1, 4, 0);
    assertThat(order.map(y).point()).isEqualTo(Solids.of(1, 4, 0, 1, 5, 0, 2, 0, 0));
    assertThat(order.map(y).margin()).isZero();
  }

  @Test
  void mirrorImagesDifferUnderRotationsAndCoincideWithReflections() {
    Random random = new Random(8);
    SimilarityGroup mirrored = new SimilarityGroup(3, Rotations.ALL, true, true);
    for (int k = 0; k < 20; k++) {
      PointCloud x = Solids.blob(3, 400, random);
      PointCloud mirror =
          new CloudAction(mirrored).act(Similarity.rotation(-1, 0, 0, 0, 1, 0, 0, 0, 1), x);
      CloudMapping proper = CloudMapping.of(SIM3);
      assertThat(proper.map(x).element().handedness()).isEqualTo(1);
      assertThat(proper.map(x).point().relativeDistance(proper.map(mirror).point()))
          .isGreaterThan(1e-2);
      CloudMapping all = CloudMapping.of(mirrored);
      assertThat(all.map(x).point().relativeDistance(all.map(mirror).point())).isLessThan(1e-5);
    }
  }

  @Test
  void degenerateCloudsGetAPoseAndASmallMargin() {
    Random random = new Random(9);
    List<PointCloud> clouds = new ArrayList<>();
    clouds.add(Solids.of(3, -2, 5));
    clouds.add(Solids.of(0, 0, 0));
    clouds.add(Solids.of(0.1, 0.2, 0.3, 0.1, 0.2, 0.3, 0.1, 0.2, 0.3));
    clouds.add(Solids.of(1, 2, 3, 4, 5, 6));
    clouds.add(Solids.of(1, 1, 1, 2, 2, 2, 4, 4, 4, 9, 9, 9));
    float[] plane = new float[300];
    float[] symmetric = new float[600];
    for (int i = 0; i < 100; i++) {
      plane[3 * i] = random.nextFloat();
      plane[3 * i + 1] = random.nextFloat() * random.nextFloat();
      float[] half = {
        random.nextFloat(),
        2 * random.nextFloat() * random.nextFloat(),
        5 * random.nextFloat() * random.nextFloat()
      };
      System.arraycopy(half, 0, symmetric, 6 * i, 3);
      System.arraycopy(half, 0, symmetric, 6 * i + 3, 3);
      symmetric[6 * i + 3] = -half[0];
    }
    clouds.add(new PointCloud(3, plane));
    clouds.add(new PointCloud(3, symmetric));
    clouds.add(
        Solids.of(
            1, 1, 1, 1, 1, -1, 1, -1, 1, 1, -1, -1, -1, 1, 1, -1, 1, -1, -1, -1, 1, -1, -1, -1));
    clouds.add(Solids.of(1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1));
    clouds.add(Solids.of(1e-38, 0, 0, 0, 2e-38, 0, 0, 0, 3e-38, 1e-38, 1e-38, 5e-38));
    for (PointCloud cloud : clouds.subList(0, clouds.size() - 1)) {
      for (int turn = 0; turn < 10; turn++) {
        PointCloud x =
            turn == 0 ? cloud : new CloudAction(SIM3).act(SIM3.sample(random, 100, 1), cloud);
        for (SimilarityGroup group :
            List.of(
                SIM3, SimilarityGroup.se(3), new SimilarityGroup(3, Rotations.ALL, true, true))) {
          CloudMapping mapping = CloudMapping.of(group);
          CloudPose pose = mapping.pose(x);
          mapping.map(x).point().requireFinite();
          assertThat(pose.margin()).as("%s after turn %d", cloud, turn).isLessThan(1e-5);
          assertThat(pose.ambiguous()).isTrue();
          for (Canonical<Similarity, PointCloud> frame : mapping.frames(x)) {
            frame.point().requireFinite();
          }
        }
      }
    }
    CloudMapping.of(SIM3).map(clouds.get(clouds.size() - 1)).point().requireFinite();
    float[] huge = {3e38f, -3e38f, 0, -3e38f, 3e38f, 1e38f, 0, 0, 3e38f};
    CloudMapping.of(SIM3).map(new PointCloud(3, huge)).point().requireFinite();
    assertThatThrownBy(
            () -> CloudMapping.of(SIM3).map(Solids.of(0, 0, 0, 1, Double.NaN, 1, 2, 2, 2)))
        .hasMessageContaining("found NaN at point 1, coordinate 1");
    assertThatThrownBy(() -> CloudMapping.of(SIM3).map(new PointCloud(2, new float[4])))
        .hasMessageContaining("expected 3 coordinates a point, found 2");
  }

  @Test
  void framesAreTheSameSetForEveryPose() {
    Random random = new Random(10);
    assertThat(CloudMapping.of(SIM3).frames(Solids.blob(3, 200, random))).hasSize(4);
    SimilarityGroup all = new SimilarityGroup(3, Rotations.ALL, true, true);
    assertThat(CloudMapping.of(all).frames(Solids.blob(3, 200, random))).hasSize(8);
    assertThat(CloudMapping.of(SimilarityGroup.se(2)).frames(Solids.blob(2, 200, random)))
        .hasSize(2);
    PointCloud cube =
        Solids.of(
            1, 1, 1, 1, 1, -1, 1, -1, 1, 1, -1, -1, -1, 1, 1, -1, 1, -1, -1, -1, 1, -1, -1, -1);
    assertThat(CloudMapping.of(SIM3).frames(cube)).hasSize(24);
    assertThat(CloudMapping.of(all).frames(cube)).hasSize(48);
    assertThat(CloudMapping.of(SIM3).frames(cube).stream().map(f -> f.element()).distinct())
        .hasSize(24)
        .allMatch(g -> g.handedness() == 1);

    // A cloud that is symmetric in two axes: signs flip freely, the average over frames does not.
    Function<PointCloud, Double> net = x -> Math.sin(x.coordinates()[0] + 2 * x.coordinates()[1]);
    CloudMapping mapping = CloudMapping.of(SIM3);
    float[] c = new float[3 * 400];
    for (int i = 0; i < 100; i++) {
      double x = 3 * random.nextGaussian();
      double y = 2 * random.nextGaussian();
      double z = random.nextGaussian();
      for (int k = 0; k < 4; k++) {
        c[12 * i + 3 * k] = (float) (k % 2 == 0 ? x : -x);
        c[12 * i + 3 * k + 1] = (float) (k < 2 ? y : -y);
        c[12 * i + 3 * k + 2] = (float) (k % 3 == 0 ? z : -z);
      }
    }
    PointCloud x = new PointCloud(3, c);
    Function<PointCloud, Optional<Double>> pooled =
        AmbiguityPolicy.FRAMES.guard(
            mapping, net, all1 -> all1.stream().mapToDouble(v -> v).average().orElse(0), s -> {});
    double expected = pooled.apply(x).orElseThrow();
    int flipped = 0;
    for (int k = 0; k < 30; k++) {
      PointCloud y = new CloudAction(SIM3).act(SIM3.sample(random, 10, 1), x);
      assertThat(pooled.apply(y).orElseThrow()).isCloseTo(expected, within(1e-4));
      flipped +=
          Math.abs(net.apply(mapping.map(y).point()) - net.apply(mapping.map(x).point())) > 1e-2
              ? 1
              : 0;
    }
    assertThat(flipped).as("poses for which the single frame flips").isPositive();
  }

  @Test
  void thePolicyDecides() {
    PointCloud cube =
        Solids.of(
            1, 1, 1, 1, 1, -1, 1, -1, 1, 1, -1, -1, -1, 1, 1, -1, 1, -1, -1, -1, 1, -1, -1, -1);
    PointCloud clear = Solids.blob(3, 300, new Random(1));
    CloudMapping mapping = CloudMapping.of(SIM3);
    List<String> told = new ArrayList<>();
    Function<PointCloud, Integer> size = PointCloud::size;
    Function<List<Integer>, Integer> count = List::size;
    assertThat(AmbiguityPolicy.WARN.guard(mapping, size, count, told::add).apply(cube)).contains(8);
    assertThat(told).singleElement().asString().contains("ambiguous", "eigenGap");
    assertThat(AmbiguityPolicy.ABSTAIN.guard(mapping, size, count, told::add).apply(cube))
        .isEmpty();
    assertThat(AmbiguityPolicy.FRAMES.guard(mapping, size, count, told::add).apply(cube))
        .contains(24);
    for (AmbiguityPolicy policy : AmbiguityPolicy.values()) {
      assertThat(policy.guard(mapping, size, count, told::add).apply(clear)).contains(300);
    }
    assertThat(told).hasSize(1);
  }

  /** The canonical cloud, the pose and the frames are of one alignment, not computed again. */
  @Test
  void aCloudIsAlignedOnce() {
    Random random = new Random(17);
    for (SimilarityGroup group : List.of(SIM3, SimilarityGroup.o(3), SimilarityGroup.scalings(3))) {
      CloudMapping mapping = CloudMapping.of(group);
      PointCloud x = Solids.blob(3, 90, random);
      CloudMapping.Aligned aligned = mapping.align(x);
      assertThat(aligned.canonical().element()).isSameAs(aligned.pose().element());
      assertThat(aligned.canonical()).isEqualTo(mapping.map(x));
      assertThat(aligned.pose()).isEqualTo(mapping.pose(x));
      assertThat(mapping.frames(aligned)).isEqualTo(mapping.frames(x));
      assertThat(mapping.frames(aligned).get(0)).isSameAs(aligned.canonical());
    }
    CloudMapping mapping = CloudMapping.of(SIM3);
    PointCloud clear = Solids.blob(3, 90, random);
    assertThat(AmbiguityPolicy.WARN.guard(mapping, y -> y, all -> all.get(0), s -> {}).apply(clear))
        .contains(mapping.map(clear).point());
  }

  @Test
  void featuresFollowTheirRepresentation() {
    Random random = new Random(12);
    PointCloud bare = Solids.blob(3, 60, random);
    float[] normals = new float[180];
    float[] colours = new float[180];
    for (int i = 0; i < 180; i++) {
      normals[i] = (float) random.nextGaussian();
      colours[i] = random.nextFloat();
    }
    PointCloud x =
        new PointCloud(
            3,
            bare.coordinates(),
            List.of(PointFeature.normals(3, normals), PointFeature.colours(colours)));
    CloudMapping mapping = CloudMapping.of(SIM3);
    PointCloud a = mapping.map(x).point();
    PointCloud b = mapping.map(mapping.action().act(SIM3.sample(random), x)).point();
    PointFeature na = a.feature(PointFeature.NORMAL).orElseThrow();
    PointFeature nb = b.feature(PointFeature.NORMAL).orElseThrow();
    double length = 0;
    for (int i = 0; i < 180; i++) {
      assertThat(na.values()[i]).isCloseTo(nb.values()[i], within(1e-4f));
      length += na.values()[i] * na.values()[i] - normals[i] * normals[i];
    }
    assertThat(length).as("normals only turn").isCloseTo(0, within(1e-3));
    assertThat(na.values()).isNotEqualTo(normals);
    assertThat(a.feature(PointFeature.COLOUR).orElseThrow().values()).isEqualTo(colours);
    assertThatThrownBy(
            () ->
                new PointCloud(
                    3, bare.coordinates(), List.of(PointFeature.normals(3, new float[3]))))
        .hasMessageContaining("for 60 points, found it for 1");
  }

  @Test
  void equivariantNetworksAnswerInTheFrameOfTheInput() {
    Random random = new Random(13);
    CloudMapping mapping = CloudMapping.of(SIM3);
    // Networks that respect no symmetry at all.
    Function<PointCloud, float[]> field =
        x -> {
          float[] v = x.coordinates().clone();
          for (int i = 0; i < v.length; i++) {
            v[i] = (float) Math.sin(3 * v[i] + i % 3);
          }
          return v;
        };
    Function<PointCloud, Similarity> pose =
        x ->
            new Similarity(
                2,
                Similarity.rotation(1, x.coordinates()[0]).rotation(),
                new double[] {1, 2, x.coordinates()[1]});
    var vectors = mapping.equivariant(field, CloudOutputs.vectors(SIM3));
    var points = mapping.equivariant(field, CloudOutputs.points(SIM3));
    var boxes = mapping.equivariant(Box::around, CloudOutputs.boxes(SIM3));
    var poses = mapping.equivariant(pose, CloudOutputs.poses(SIM3));
    for (int k = 0; k < 20; k++) {
      PointCloud x = Solids.blob(3, 200, random);
      Similarity g = SIM3.sample(random);
      PointCloud y = mapping.action().act(g, x);
      close(vectors.apply(y), CloudOutputs.vectors(SIM3).act(g, vectors.apply(x)), 1e-3);
      close(points.apply(y), CloudOutputs.points(SIM3).act(g, points.apply(x)), 2e-2);
      double[][] a = boxes.apply(y).corners();
      double[][] b = CloudOutputs.boxes(SIM3).act(g, boxes.apply(x)).corners();
      for (int i = 0; i < 8; i++) {
        assertThat(a[i]).containsExactly(b[i], within(1e-3 * g.scale()));
      }
      // The box holds its points: in its own frame no coordinate is larger than half an edge.
      Similarity back = boxes.apply(y).pose().inverse();
      double[] half = Arrays.stream(boxes.apply(y).size()).map(s -> s / 2 + 1e-4).toArray();
      for (int i = 0; i < y.coordinates().length; i += 3) {
        double[] p = back.apply(y.coordinates()[i], y.coordinates()[i + 1], y.coordinates()[i + 2]);
        for (int j = 0; j < 3; j++) {
          assertThat(Math.abs(p[j])).isLessThan(half[j]);
        }
      }
      assertThat(SIM3.distance(poses.apply(y), g.after(poses.apply(x)))).isLessThan(1e-3);
    }
  }

  private static void close(float[] a, float[] b, double tolerance) {
    for (int i = 0; i < a.length; i++) {
      assertThat((double) a[i]).isCloseTo(b[i], within(tolerance));
    }
  }

  private static PointCloud cloud(PointCloud like, float[] c) {
    return new PointCloud(like.dimension(), c);
  }

  /** A survey far from 0 in floats, points that coincide, a cube, a symmetric cloud. */
  @Test
  void whyAPoseIsAmbiguousIsSaidInNumbers() {
    CloudMapping mapping = CloudMapping.of(SimilarityGroup.similarities(3));
    float[] survey = new float[300];
    for (int i = 0; i < survey.length; i++) {
      survey[i] = new float[] {500_000, 5_400_000, 300}[i % 3] + (i * i * 7919 % 1000) / 10f;
    }
    assertThat(said(mapping, survey)).contains("too far from 0 for floats", "as doubles or text");
    assertThat(said(mapping, 1, 2, 3, 1, 2, 3, 1, 2, 3)).contains("the points coincide");
    assertThat(said(mapping, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1))
        .contains("expected eigenGap >= ", "two axes");
    assertThat(said(mapping, 3, 0, 0, -3, 0, 0, 0, 2, 0, 0, -2, 0, 0, 0, 1, 0, 0, -1))
        .contains("expected signMargin >= ", "no clear direction");
  }

  private static String said(CloudMapping mapping, float... coordinates) {
    CloudPose pose = mapping.pose(new PointCloud(3, coordinates));
    assertThat(pose.ambiguous()).isTrue();
    String text = AmbiguityPolicy.describe(pose);
    assertThat(text).doesNotContain("Infinity", "NaN");
    return text;
  }

  /** A scan that is completed by drawing its points again keeps its pose; other copies do not. */
  @Test
  void completingACloudDoesNotChangeItsPose() {
    Random random = new Random(8);
    for (SimilarityGroup group : SimilarityGroup.all(3)) {
      CloudMapping mapping = CloudMapping.of(group);
      float[] own = new float[3 * 70];
      for (int i = 0; i < own.length; i++) {
        own[i] = (float) ((i % 3 + 1) * random.nextDouble() * random.nextDouble());
      }
      float[] completed = new float[3 * 200];
      for (int i = 0; i < completed.length; i++) {
        completed[i] = own[i % own.length];
      }
      PointCloud scan = new PointCloud(3, own);
      Canonical<Similarity, PointCloud> c = mapping.map(new PointCloud(3, completed));
      assertThat(c.element()).isEqualTo(mapping.map(scan).element());
      float[] canonical = mapping.map(scan).point().coordinates();
      for (int i = 0; i < completed.length; i++) {
        assertThat(c.point().coordinates()[i]).isEqualTo(canonical[i % own.length]);
      }
      System.arraycopy(own, 0, completed, 3 * 199, 3);
      if (group.moves()) {
        assertThat(mapping.map(new PointCloud(3, completed)).element()).isNotEqualTo(c.element());
      }
    }
  }

  @Test
  void coordinatesThatLeaveTheFloatsAreRefused() {
    float[] c = new float[30];
    for (int i = 0; i < c.length; i++) {
      int point = i / 3;
      c[i] = 3.3e38f * (float) Math.sin(1 + point * 0.7 + i % 3 * 0.1);
    }
    PointCloud far = new PointCloud(3, c);
    assertThatThrownBy(() -> CloudMapping.of(SimilarityGroup.so(3)).map(far))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected coordinates far below 3e38");
    for (float v :
        CloudMapping.of(SimilarityGroup.similarities(3)).map(far).point().coordinates()) {
      assertThat(v).isFinite();
    }
  }
}
