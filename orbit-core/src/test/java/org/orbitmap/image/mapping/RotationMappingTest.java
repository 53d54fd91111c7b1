package org.orbitmap.image.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.orbitmap.group.C4;
import org.orbitmap.group.O2.Orthogonal2;
import org.orbitmap.group.Rotation2;
import org.orbitmap.image.Fill;
import org.orbitmap.image.Image;
import org.orbitmap.image.ImageOrthogonal;
import org.orbitmap.image.ImageRotation;
import org.orbitmap.image.Images;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Placement;
import org.orbitmap.image.QuarterTurns;
import org.orbitmap.image.Resampling;
import org.orbitmap.orbit.Canonical;

class RotationMappingTest {
  static List<PoseRule> rules() {
    return List.of(
        PoseRule.DISC,
        PoseRule.PAPER,
        PoseRule.RELEASED,
        PoseRule.CENTRAL,
        PoseRule.FORWARD,
        PoseRule.kernels(
            new double[][] {{1, 2, 1}, {0, 0, 0}, {-1, -2, -1}},
            new double[][] {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}}),
        PoseRule.kernels(new double[][] {{3, 1}, {-1, -3}}, new double[][] {{-1, 3}, {-3, 1}}));
  }

  @ParameterizedTest
  @MethodSource("rules")
  void quarterTurnsGiveTheSameCanonicalImage(PoseRule rule) {
    for (int side : new int[] {2, 3, 8, 15, 28, 32, 33, 64}) {
      WeightMap map = rule.weights(side, side);
      double defect = map.quarterTurnDefect(map);
      if (!rule.exactQuarterTurns()) {
        continue;
      }
      assertThat(defect).isZero();
      RotationMapping mapping = new RotationMapping(rule, Resampling.BILINEAR);
      Image image = Images.noise(3, side, side, 5);
      Canonical<Rotation2, Image> upright = mapping.map(image);
      if (upright.margin() == 0) {
        assertThat(map.norm()).as("%s sees nothing on %d pixels", rule, side).isZero();
        continue;
      }
      Image canonical = upright.point();
      for (int k = 1; k < 4; k++) {
        Image rotated = new QuarterTurns().act(C4.turn(k), image);
        assertThat(mapping.map(rotated).point().distance(canonical))
            .as("%s, side %d, %d quarter turns", rule, side, k)
            .isLessThan(1e-5);
      }
    }
  }

  @Test
  void forwardDifferencesBreakTheSymmetry() {
    WeightMap map = PoseRule.FORWARD.weights(32, 32);
    assertThat(map.quarterTurnDefect(map)).isGreaterThan(0.1);
    assertThat(PoseRule.FORWARD.exactQuarterTurns()).isFalse();
  }

  @Test
  void theCanonicalAngleFollowsTheTurn() {
    for (int side : new int[] {28, 32, 33, 64, 224}) {
      Image image = Images.blobs(3, side, side, 11);
      RotationMapping mapping = RotationMapping.disc();
      ImageRotation turn = new ImageRotation(Resampling.of(Interpolation.BILINEAR));
      Rotation2 upright = mapping.pose(image).rotation();
      for (double degrees = 7; degrees < 360; degrees += 31) {
        Rotation2 g = Rotation2.ofDegrees(degrees);
        Rotation2 found = mapping.pose(turn.act(g, image)).rotation();
        assertThat(found.times(g).times(upright.inverse()).degrees())
            .as("side %d rotated by %s", side, degrees)
            .isCloseTo(0, within(0.3));
      }
    }
  }

  @Test
  void theDiscIsStillerThanDifferences() {
    List<Image> images =
        java.util.stream.IntStream.range(0, 40).mapToObj(i -> Images.blobs(3, 32, 32, i)).toList();
    List<Stability.Result> results =
        new Stability(5, Interpolation.BILINEAR, 1)
            .measure(
                images,
                List.of(PoseRule.DISC, PoseRule.CENTRAL, PoseRule.FORWARD),
                new double[] {0, 0.05},
                (done, total) -> {});
    double disc = results.get(0).meanStdDegrees();
    double discNoisy = results.get(1).meanStdDegrees();
    double central = results.get(2).meanStdDegrees();
    double forward = results.get(4).meanStdDegrees();
    assertThat(disc).isLessThan(0.15).isLessThan(central);
    assertThat(central).isLessThan(forward);
    assertThat(discNoisy).isGreaterThan(disc);
    assertThat(results.get(0).under(4)).isEqualTo(1);
  }

  @Test
  void imagesOfAnySizeAreMeasuredTogether() {
    List<Image> images =
        List.of(Images.blobs(1, 20, 20, 1), Images.blobs(3, 14, 30, 2), Images.blobs(1, 20, 20, 3));
    Stability study = new Stability(15, Interpolation.BILINEAR, 1);
    List<Stability.Result> together =
        study.measure(images, PoseRule.all(), new double[] {0}, (done, total) -> {});
    for (int i = 0; i < images.size(); i++) {
      List<Stability.Result> alone =
          study.measure(
              List.of(images.get(i)), PoseRule.all(), new double[] {0}, (done, total) -> {});
      for (int r = 0; r < alone.size(); r++) {
        assertThat(together.get(r).stdDegrees()[i]).isEqualTo(alone.get(r).stdDegrees()[0]);
      }
    }
  }

  @Test
  void theTableGivesWhatTurningGives() {
    List<Image> images =
        java.util.stream.IntStream.range(0, 40).mapToObj(i -> Images.blobs(1, 20, 20, i)).toList();
    for (Interpolation kind : Interpolation.values()) {
      Stability study = new Stability(9, kind, 1);
      List<Stability.Result> table =
          study.measure(images, PoseRule.all(), new double[] {0}, (done, total) -> {});
      List<Stability.Result> rotated = // few images: each is rotated
          study.measure(images.subList(0, 2), PoseRule.all(), new double[] {0}, (d, t) -> {});
      for (int r = 0; r < table.size(); r++) {
        for (int i = 0; i < 2; i++) {
          assertThat(table.get(r).stdDegrees()[i])
              .as("%s, %s", table.get(r).mapping(), kind)
              .isCloseTo(rotated.get(r).stdDegrees()[i], within(1e-3));
        }
      }
    }
  }

  @Test
  void noiseOnTheResponseHasTheDistributionOfNoiseOnThePixels() {
    Image image = Images.blobs(1, 12, 12, 2);
    WeightMap map = PoseRule.PAPER.weights(12, 12);
    SplittableRandom random = new SplittableRandom(9);
    double pixels = 0;
    double drawn = 0;
    int n = 4000;
    for (int t = 0; t < n; t++) {
      float[] noisy = image.data().clone();
      for (int i = 0; i < noisy.length; i++) {
        noisy[i] += (float) (0.1 * random.nextGaussian());
      }
      Pose a = map.pose(image);
      Pose b = map.pose(new Image(1, 12, 12, noisy));
      double dre = b.response() * b.rotation().cos() - a.response() * a.rotation().cos();
      double dim = b.response() * b.rotation().sin() - a.response() * a.rotation().sin();
      pixels += dre * dre + dim * dim;
      double[] direct = map.noise(random.nextGaussian(), random.nextGaussian());
      drawn += 0.01 * (direct[0] * direct[0] + direct[1] * direct[1]);
    }
    assertThat(pixels / n).isCloseTo(drawn / n, within(0.1 * drawn / n));
  }

  @Test
  void theCertificateHoldsForTheWorstPerturbation() {
    Image image = Images.blobs(3, 16, 16, 4);
    RotationMapping mapping = RotationMapping.disc();
    Pose pose = mapping.pose(image);
    WeightMap map = PoseRule.DISC.weights(16, 16);
    double epsilon = 0.3 * pose.margin();
    OptionalDouble bound = pose.certifiedRadians(epsilon);
    assertThat(bound.getAsDouble()).isCloseTo(Math.asin(0.3), within(1e-9));
    // the perturbation that pushes c sideways: the component of W across c, in every channel
    double[] re = map.re();
    double[] im = map.im();
    double bestMove = 0;
    for (double tilt = -1; tilt <= 1; tilt += 0.01) {
      double across = pose.rotation().radians() + Math.PI / 2 + tilt;
      float[] moved = image.data().clone();
      double norm = 0;
      double[] direction = new double[moved.length];
      for (int i = 0; i < direction.length; i++) {
        int p = i % 256;
        direction[i] = re[p] * Math.cos(across) + im[p] * Math.sin(across);
        norm += direction[i] * direction[i];
      }
      for (int i = 0; i < moved.length; i++) {
        moved[i] += (float) (epsilon * direction[i] / Math.sqrt(norm));
      }
      Pose after = mapping.pose(new Image(3, 16, 16, moved));
      double move = Math.abs(after.rotation().times(pose.rotation().inverse()).radians());
      assertThat(move).isLessThanOrEqualTo(bound.getAsDouble() + 1e-6);
      bestMove = Math.max(bestMove, move);
    }
    assertThat(bestMove).isGreaterThan(0.99 * bound.getAsDouble()); // and it is tight
    assertThat(pose.certifiedRadians(pose.margin())).isEmpty();
    assertThat(pose.certifiedDegrees(0)).hasValue(0);
  }

  @ParameterizedTest
  @MethodSource("rules")
  void imagesWithoutDirectionKeepTheirPose(PoseRule rule) {
    for (int[] size : new int[][] {{1, 1}, {1, 9}, {9, 1}, {2, 2}, {7, 7}, {32, 32}, {20, 31}}) {
      float[] data = new float[3 * size[0] * size[1]];
      java.util.Arrays.fill(data, 0.7f);
      Image constant = new Image(3, size[0], size[1], data);
      Canonical<Rotation2, Image> canonical =
          new RotationMapping(rule, Resampling.BILINEAR).map(constant);
      assertThat(canonical.margin()).isZero();
      assertThat(canonical.element()).isEqualTo(Rotation2.IDENTITY);
      assertThat(canonical.point()).isEqualTo(constant);
    }
  }

  @Test
  void samplesThatAreNotFiniteAreRefusedWhereverTheyAre() {
    for (int at : new int[] {0, 5, 300, 1023, 2000, 3071}) {
      for (float bad : new float[] {Float.NaN, Float.POSITIVE_INFINITY}) {
        Image image = Images.noise(3, 32, 32, 1);
        image.data()[at] = bad;
        assertThatThrownBy(() -> RotationMapping.disc().map(image))
            .hasMessageContaining("finite")
            .hasMessageContaining(Float.toString(bad));
      }
    }
    Image grey = Images.noise(1, 9, 9, 1);
    grey.data()[0] = Float.NaN;
    assertThatThrownBy(() -> RotationMapping.disc().map(grey)).hasMessageContaining("NaN");
    Image huge = Images.noise(3, 8, 8, 1);
    java.util.Arrays.fill(huge.data(), 2e38f);
    assertThatThrownBy(() -> RotationMapping.disc().map(huge)).hasMessageContaining("overflow");
  }

  @Test
  void kernelsThatCannotBeEquivariantAreRefusedWithTheirEntries() {
    double[][] forwardX = {{0, 0, 0}, {0, -1, 1}, {0, 0, 0}};
    double[][] forwardY = {{0, 0, 0}, {0, -1, 0}, {0, 1, 0}};
    assertThatThrownBy(() -> PoseRule.kernels(forwardX, forwardY))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("k1[2,2] = -1.0, but -k1[2,2] = 1.0")
        .hasMessageContaining("k1[2,3] = 1.0, but -k1[2,1] = -0.0");
    assertThatThrownBy(() -> PoseRule.kernels(new double[2][2], new double[2][2]))
        .hasMessageContaining("all entries are 0");
    assertThatThrownBy(() -> PoseRule.kernels(new double[2][2], new double[3][3]))
        .hasMessageContaining("2 and 3 rows");
  }

  @Test
  void c4IsExactAlsoOnImagesThatAreNotSquare() {
    QuarterTurnMapping mapping = new QuarterTurnMapping(PoseRule.DISC);
    for (int[] size : new int[][] {{8, 8}, {7, 7}, {9, 14}, {14, 9}}) {
      Image image = Images.noise(3, size[0], size[1], 3);
      Image canonical = mapping.map(image).point();
      for (int k = 0; k < 4; k++) {
        Image rotated = new QuarterTurns().act(C4.turn(k), image);
        assertThat(mapping.map(rotated).point()).isEqualTo(canonical);
      }
    }
    assertThatThrownBy(() -> new QuarterTurnMapping(PoseRule.FORWARD))
        .hasMessageContaining("forward");
  }

  /** Binary images are full of ties; all of 2 x 2 and 3 x 3, and many of 8 x 8, also very dark. */
  @Test
  void c4IsExactOnTies() {
    QuarterTurnMapping mapping = new QuarterTurnMapping(PoseRule.DISC);
    Random random = new Random(4);
    for (int side : new int[] {2, 3, 8}) {
      for (int k = 0; k < (side == 8 ? 2000 : 1 << (side * side)); k++) {
        float[] pixels = new float[side * side];
        for (int p = 0; p < pixels.length; p++) {
          boolean bright = side == 8 ? random.nextBoolean() : (k >> p & 1) == 1;
          pixels[p] = bright ? (k % 2 == 0 ? 1 : 1e-12f) : (k % 3 == 0 ? 0f : -0f);
        }
        Image image = new Image(1, side, side, pixels);
        int[] canonical = bits(mapping.map(image).point());
        for (int g = 1; g < 4; g++) {
          Image rotated = new QuarterTurns().act(C4.turn(g), image);
          assertThat(bits(mapping.map(rotated).point())).isEqualTo(canonical);
        }
      }
    }
  }

  private static int[] bits(Image u) {
    int[] bits = new int[u.data().length];
    Arrays.setAll(bits, i -> Float.floatToRawIntBits(u.data()[i]));
    return bits;
  }

  @Test
  void batchesAreWrittenWhereTheyBelong() {
    for (Fill fill : List.of(Fill.ZERO, Fill.constant(0.5f), Fill.REFLECT, Fill.EDGE)) {
      for (Interpolation kind : Interpolation.values()) {
        RotationMapping mapping = RotationMapping.disc().with(Resampling.of(kind).with(fill));
        for (int channels : new int[] {1, 3, 4}) {
          List<Image> images =
              IntStream.range(0, 5).mapToObj(k -> Images.noise(channels, 9, 12, k)).toList();
          int size = channels * 9 * 12;
          float[] out = new float[5 * size];
          Arrays.fill(out, 7);
          List<Pose> poses = mapping.alignAll(images, out);
          for (int k = 0; k < 5; k++) {
            Canonical<Rotation2, Image> one = mapping.map(images.get(k));
            assertThat(poses.get(k)).isEqualTo(mapping.pose(images.get(k)));
            assertThat(Arrays.copyOfRange(out, k * size, (k + 1) * size))
                .containsExactly(one.point().data());
            float[] alone = new float[size];
            Arrays.fill(alone, 7);
            assertThat(mapping.align(images.get(k), alone)).isEqualTo(poses.get(k));
            assertThat(alone).containsExactly(one.point().data());
          }
        }
      }
    }
    assertThatThrownBy(() -> RotationMapping.disc().align(Images.noise(1, 4, 4, 1), new float[15]))
        .hasMessageContaining("expected room for 16 samples (images: 1), found 15");
    List<Image> mixed = List.of(Images.noise(1, 4, 4, 1), Images.noise(1, 2, 8, 1));
    assertThatThrownBy(() -> RotationMapping.disc().alignAll(mixed, new float[32]))
        .hasMessageContaining("one shape");
    assertThatThrownBy(() -> RotationMapping.disc().alignAll(mixed.subList(0, 1), new float[32]))
        .hasMessageContaining("expected room for 16 samples (images: 1), found 32");
    assertThat(RotationMapping.disc().alignAll(List.of(), new float[0])).isEmpty();
  }

  @Test
  void o2MapsMirrorImagesToOneImageAndSo2DoesNot() {
    OrthogonalMapping mapping = new OrthogonalMapping(PoseRule.DISC, Resampling.BILINEAR);
    for (int[] size : new int[][] {{32, 32}, {33, 33}, {24, 37}, {37, 24}}) {
      Image image = Images.blobs(3, size[0], size[1], 8);
      Orthogonal2 flip = new Orthogonal2(Rotation2.IDENTITY, true);
      Image mirrored = mapping.action().act(flip, image);
      Canonical<Orthogonal2, Image> a = mapping.map(image);
      Canonical<Orthogonal2, Image> b = mapping.map(mirrored);
      assertThat(a.margin()).isGreaterThan(0).isCloseTo(b.margin(), within(1e-6));
      assertThat(b.point().distance(a.point())).isLessThan(1e-5);
      RotationMapping proper = RotationMapping.disc();
      assertThat(proper.map(mirrored).point().distance(proper.map(image).point()))
          .isGreaterThan(1e-2);
    }
  }

  @Test
  void o2FollowsTurnsAndFlipsOfASquare() {
    OrthogonalMapping mapping = new OrthogonalMapping(PoseRule.DISC, Resampling.BILINEAR);
    Image image = Images.blobs(1, 32, 32, 21);
    Image canonical = mapping.map(image).point();
    for (int k = 0; k < 4; k++) {
      for (boolean mirrored : new boolean[] {false, true}) {
        Orthogonal2 g = new Orthogonal2(Rotation2.ofDegrees(90.0 * k), mirrored);
        Image moved = mapping.action().act(g, image);
        assertThat(mapping.map(moved).point().distance(canonical)).isLessThan(1e-5);
      }
    }
  }

  @Test
  void similarityBringsAFigureToTheMiddle() {
    SimilarityMapping mapping = new SimilarityMapping(Resampling.of(Interpolation.BICUBIC));
    Image image = Images.figure(96);
    Canonical<org.orbitmap.group.Sim2.Similarity2, Image> upright = mapping.map(image);
    for (double degrees : new double[] {20, 130, 250}) {
      for (double scale : new double[] {0.7, 1.2}) {
        var g =
            new org.orbitmap.group.Sim2.Similarity2(Rotation2.ofDegrees(degrees), scale, 7.3, -4.9);
        Image moved = mapping.action().act(g, image);
        Canonical<org.orbitmap.group.Sim2.Similarity2, Image> back = mapping.map(moved);
        assertThat(back.point().distance(upright.point())).isLessThan(0.08);
        var expected =
            mapping
                .action()
                .group()
                .compose(upright.element(), mapping.action().group().inverse(g));
        var found = back.element();
        assertThat(found.rotation().times(expected.rotation().inverse()).degrees())
            .isCloseTo(0, within(1.0));
        assertThat(found.scale() / expected.scale()).isCloseTo(1, within(0.01));
        assertThat(Math.hypot(found.x() - expected.x(), found.y() - expected.y())).isLessThan(0.3);
      }
    }
    Canonical<?, Image> blank = mapping.map(Image.black(1, 8, 8));
    assertThat(blank.margin()).isZero();
    assertThat(blank.point()).isEqualTo(Image.black(1, 8, 8));
  }

  @Test
  void placementTakesPointsAndBoxesBack() {
    Image image = Image.black(1, 33, 33);
    image.data()[10 * 33 + 20] = 1;
    Rotation2 g = Rotation2.ofDegrees(90);
    Image rotated = new ImageRotation(Resampling.BILINEAR).act(g, image);
    Placement placement = Placement.of(g, 33, 33);
    Placement.Point at = placement.toCanonical(new Placement.Point(20, 10));
    assertThat(rotated.at(0, (int) Math.rint(at.y()), (int) Math.rint(at.x()))).isEqualTo(1);
    for (Placement p :
        List.of(
            Placement.of(Rotation2.ofDegrees(77), 20, 31),
            Placement.of(new Orthogonal2(Rotation2.ofDegrees(12), true), 20, 31),
            Placement.of(
                new org.orbitmap.group.Sim2.Similarity2(Rotation2.ofDegrees(5), 1.5, 2, -3),
                20,
                31))) {
      Placement.Point q = p.toCanonical(p.toInput(new Placement.Point(3, 4)));
      assertThat(q.x()).isCloseTo(3, within(1e-9));
      assertThat(q.y()).isCloseTo(4, within(1e-9));
    }
    Placement.Box box = new Placement.Box(1, 2, 5, 6);
    assertThat(Placement.Box.around(Placement.of(g, 33, 33).toInput(box)).left())
        .isCloseTo(26, within(1e-9));
    assertThatThrownBy(() -> new Placement.Box(2, 0, 1, 1)).hasMessageContaining("left <= right");
  }

  @Test
  void framesFormAnInvariantSet() {
    RotationMapping mapping = RotationMapping.disc().with(Resampling.BILINEAR.with(Fill.REFLECT));
    Frames frames = new Frames(mapping, 12);
    Image image = Images.blobs(3, 32, 32, 6);
    List<Image> upright = frames.of(image);
    assertThat(upright).hasSize(12);
    List<Image> rotated = frames.of(new QuarterTurns().act(C4.turn(1), image));
    for (int k = 0; k < 12; k++) {
      assertThat(rotated.get(k).distance(upright.get(k))).isLessThan(1e-5);
    }
    org.orbitmap.eval.Classifier<Image> net =
        batch ->
            batch.stream()
                .map(i -> new float[] {3 * i.at(0, 4, 16), 2 * i.at(1, 16, 4), i.at(2, 20, 20)})
                .toArray(float[][]::new);
    for (Frames.Pool pool : Frames.Pool.values()) {
      float[] a = frames.invariant(net, pool).scores(List.of(image))[0];
      float[] b =
          frames.invariant(net, pool).scores(List.of(new QuarterTurns().act(C4.turn(3), image)))[0];
      assertThat(a).containsExactly(b, org.assertj.core.data.Offset.offset(1e-4f));
      // and with mirror images the same for a mirrored input, which without them is another one
      Image mirrored =
          new ImageOrthogonal(mapping.resampling())
              .act(new Orthogonal2(Rotation2.ofDegrees(90), true), image);
      Frames both = new Frames(mapping, 12, true);
      assertThat(both.invariant(net, pool).scores(List.of(mirrored))[0])
          .containsExactly(
              both.invariant(net, pool).scores(List.of(image))[0],
              org.assertj.core.data.Offset.offset(1e-4f));
      assertThat(frames.invariant(net, pool).scores(List.of(mirrored))[0]).isNotEqualTo(a);
    }
    assertThat(new Frames(mapping, 12, true).of(image)).hasSize(24);
  }

  @Test
  void poolsAreWhatTheySay() {
    List<float[]> probabilities = List.of(new float[] {0.6f, 0.4f}, new float[] {0.1f, 0.9f});
    assertThat(Frames.pool(probabilities, Frames.Pool.CONFIDENCE)).containsExactly(0.1f, 0.9f);
    assertThat(Frames.pool(probabilities, Frames.Pool.MEAN))
        .containsExactly(new float[] {0.35f, 0.65f}, org.assertj.core.data.Offset.offset(1e-6f));
    assertThat(Frames.pool(probabilities, Frames.Pool.MAX)).containsExactly(0.6f, 0.9f);
    List<float[]> logits = List.of(new float[] {8, 5}, new float[] {0, -9});
    assertThat(Frames.pool(logits, Frames.Pool.CONFIDENCE)).containsExactly(0, -9);
  }
}
