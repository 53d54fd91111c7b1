package org.orbitmap.image.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.orbitmap.group.Rotation2;
import org.orbitmap.image.Fill;
import org.orbitmap.image.Image;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampling;

/** What rules see of images whose gradient is known, and what is told of a pose. */
class PoseRuleTest {
  /** u(x, y) = ax + by, x to the right and y down. */
  private static Image ramp(int height, int width, double a, double b) {
    Image u = Image.black(1, height, width);
    for (int i = 0; i < height; i++) {
      for (int j = 0; j < width; j++) {
        u.data()[i * width + j] = (float) (a * j + b * i);
      }
    }
    return u;
  }

  /**
   * Blurring leaves a ramp as it is, so its gradient is found at each point of both circles, as far
   * as the blur does not reach over the border: 720·(a + ib).
   */
  @ParameterizedTest
  @CsvSource({
    "paper, 64, 64",
    "paper, 64, 80",
    "paper, 80, 64",
    "central, 64, 64",
    "central, 80, 64",
    "forward, 64, 64",
    "forward, 64, 80",
    "forward, 80, 64"
  })
  void theMeanGradientOfARamp(String rule, int height, int width) {
    WeightMap map = PoseRule.named(rule).weights(height, width);
    for (double[] g : new double[][] {{0.01, 0}, {0, 0.01}, {-0.02, 0.01}}) {
      Pose pose = map.pose(ramp(height, width, g[0], g[1]));
      assertThat(pose.response() * pose.rotation().cos()).isCloseTo(720 * g[0], within(1e-3));
      assertThat(pose.response() * pose.rotation().sin()).isCloseTo(720 * g[1], within(1e-3));
    }
  }

  /** Sobel's kernels give eight times the gradient, here pointing up for the first. */
  @Test
  void kernelsOfARamp() {
    PoseRule sobel =
        PoseRule.kernels(
            new double[][] {{1, 2, 1}, {0, 0, 0}, {-1, -2, -1}},
            new double[][] {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}});
    WeightMap map = sobel.weights(40, 40);
    Pose right = map.pose(ramp(40, 40, 0.01, 0));
    assertThat(right.response()).isCloseTo(720 * 8 * 0.01, within(1e-2));
    assertThat(Math.abs(right.rotation().sin())).isCloseTo(1, within(1e-6));
    Pose down = map.pose(ramp(40, 40, 0, 0.01));
    assertThat(down.response()).isCloseTo(720 * 8 * 0.01, within(1e-2));
    assertThat(Math.abs(down.rotation().cos())).isCloseTo(1, within(1e-6));
    assertThat(sobel.name()).isEqualTo("kernels");
    assertThat(sobel.exactQuarterTurns()).isTrue();
    assertThat(sobel)
        .isEqualTo(
            PoseRule.kernels(
                new double[][] {{1, 2, 1}, {0, 0, 0}, {-1, -2, -1}},
                new double[][] {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}}))
        .isNotEqualTo(
            PoseRule.kernels(new double[][] {{3, 1}, {-1, -3}}, new double[][] {{-1, 3}, {-3, 1}}));
    double[][] k = {{3, 1}, {-1, -3}};
    double[][] turned = {{-1, 3}, {-3, 1}};
    PoseRule own = PoseRule.kernels(k, turned);
    k[0][0] = 9; // what was given is copied
    assertThat(own.weights(8, 8).norm())
        .isEqualTo(
            PoseRule.kernels(new double[][] {{3, 1}, {-1, -3}}, turned).weights(8, 8).norm());
  }

  @Test
  void badKernels() {
    double[][] fine = {{3, 1}, {-1, -3}};
    assertThatThrownBy(() -> PoseRule.kernels(new double[][] {{0}}, new double[][] {{0}}))
        .hasMessageContaining("N >= 2, found 1 and 1 rows");
    assertThatThrownBy(() -> PoseRule.kernels(fine, new double[][] {{1, 2}, {3}}))
        .hasMessageContaining("expected 2 columns in row 2, found 2 and 1");
    assertThatThrownBy(() -> PoseRule.kernels(new double[][] {{1, 2, 3}, {1, 2}}, fine))
        .hasMessageContaining("expected 2 columns in row 1, found 3 and 2");
    assertThatThrownBy(() -> PoseRule.kernels(fine, new double[][] {{-1, 3}, {-3, Double.NaN}}))
        .hasMessageContaining("found -3.0 and NaN at [2,2]");
    assertThatThrownBy(() -> PoseRule.kernels(fine, fine))
        .hasMessageContaining("k2[1,1] = 3.0, but k1[2,1] = -1.0");
  }

  /** W(z) = z(1 - |z|²/R²): on 3 x 3, R = 3/2, a pixel beside the centre has 5/9. */
  @Test
  void theDiscOfThreeByThree() {
    WeightMap map = PoseRule.DISC.weights(3, 3);
    double side = 5 / 9.0;
    double corner = 1 / 9.0;
    assertThat(map.re())
        .containsExactly(
            new double[] {-corner, 0, corner, -side, 0, side, -corner, 0, corner}, within(1e-12));
    assertThat(map.im())
        .containsExactly(
            new double[] {-corner, -side, -corner, 0, 0, 0, corner, side, corner}, within(1e-12));
    assertThat(map.norm())
        .isCloseTo(Math.sqrt(2 * side * side + 4 * corner * corner), within(1e-9));
    assertThat(map.norm(4)).isCloseTo(map.norm() / 2, within(1e-12));
    assertThat(map.height()).isEqualTo(3);
    Image u = Image.black(2, 3, 3);
    u.data()[5] = 1;
    Pose pose = map.pose(u);
    assertThat(pose.response()).isCloseTo(side / 2, within(1e-12));
    assertThat(pose.rotation().degrees()).isCloseTo(0, within(1e-9));
    assertThat(pose.margin()).isCloseTo(pose.response() / map.norm(2), within(1e-12));
    assertThat(PoseRule.DISC.weights(5, 3).width()).isEqualTo(3);
    // a window that leaves nothing
    assertThat(PoseRule.DISC.weights(1, 1).norm()).isZero();
    assertThat(PoseRule.DISC.weights(1, 1).pose(Image.black(1, 1, 1)).margin()).isZero();
  }

  /** ⟨W, n⟩ of unit noise: what the two numbers give has the covariance of (Re W, Im W). */
  @Test
  void noiseHasTheCovarianceOfTheWeights() {
    WeightMap map = new WeightMap(1, 3, new double[] {3, -3, 0}, new double[] {1, 1, -2});
    double[] first = map.noise(1, 0);
    double[] second = map.noise(0, 1);
    assertThat(first[0] * first[0] + second[0] * second[0]).isCloseTo(18, within(1e-9));
    assertThat(first[1] * first[1] + second[1] * second[1]).isCloseTo(6, within(1e-9));
    assertThat(first[0] * first[1] + second[0] * second[1]).isCloseTo(0, within(1e-9));
    assertThat(map.norm()).as("the larger singular value").isCloseTo(Math.sqrt(18), within(1e-9));
    assertThatThrownBy(() -> new WeightMap(1, 2, new double[2], new double[] {0, 1}))
        .hasMessageContaining("weights that sum to 0, found 0.0 + 1.0i");
    assertThatThrownBy(() -> new WeightMap(1, 2, new double[] {1, 0}, new double[] {-1, 0}))
        .hasMessageContaining("found 1.0 + -1.0i");
    WeightMap tilted = new WeightMap(1, 3, new double[] {1, -1, 0}, new double[] {1, 0, -1});
    double[] a = tilted.noise(1, 0);
    double[] b = tilted.noise(0, 1);
    assertThat(a[0] * a[1] + b[0] * b[1]).isCloseTo(1, within(1e-9));
    assertThat(a[1] * a[1] + b[1] * b[1]).isCloseTo(2, within(1e-9));
    assertThat(tilted.norm()).isCloseTo(Math.sqrt(3), within(1e-9));
    WeightMap none = new WeightMap(1, 2, new double[2], new double[2]);
    assertThat(none.noise(1, 1)).containsExactly(0, 0);
    assertThatThrownBy(() -> new WeightMap(1, 2, new double[] {1, 0}, new double[2]))
        .hasMessageContaining("weights that sum to 0, found 1.0 + 0.0i");
    assertThatThrownBy(() -> new WeightMap(1, 2, new double[2], new double[3]))
        .hasMessageContaining("1 x 2 = 2 weights, found 2 and 3");
    assertThatThrownBy(() -> none.pose(Image.black(1, 2, 1)))
        .hasMessage("weight map: expected an image of 1 x 2, found 2 x 1");
    double[] given = {3, -3, 0};
    WeightMap copied = new WeightMap(1, 3, given, new double[3]);
    given[0] = 9;
    assertThat(copied.re()).containsExactly(3, -3, 0);
  }

  @Test
  void rulesByNameAndAcrossJvms() throws Exception {
    assertThat(PoseRule.named(" Paper ")).isSameAs(PoseRule.PAPER);
    assertThat(PoseRule.all().stream().map(PoseRule::name))
        .containsExactly("disc", "paper", "released", "central", "forward");
    assertThat(OrthogonalMapping.SECOND_HARMONIC).hasToString("second-harmonic");
    assertThatThrownBy(() -> PoseRule.named("none")).hasMessageContaining("[disc, paper");
    assertThatThrownBy(() -> PoseRule.DISC.weights(0, 3)).hasMessageContaining("found 0 x 3");
    assertThatThrownBy(() -> PoseRule.DISC.weights(3, 0)).hasMessageContaining("found 3 x 0");
    assertThat(PoseRule.DISC.weights(7, 7)).isSameAs(PoseRule.DISC.weights(7, 7));
    assertThat(PoseRule.DISC).isNotEqualTo(PoseRule.PAPER).hasSameHashCodeAs(PoseRule.DISC);
    for (PoseRule rule : List.of(PoseRule.DISC, OrthogonalMapping.SECOND_HARMONIC)) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
        out.writeObject(rule);
      }
      assertThat(bytes.size()).isLessThan(1000);
      assertThat(new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject())
          .isSameAs(rule);
    }
  }

  /** asin(ε‖W‖/|c|), as long as that is below 1. */
  @Test
  void certificates() {
    Pose pose = new Pose(Rotation2.IDENTITY, 2, 4);
    assertThat(pose.margin()).isEqualTo(0.5);
    assertThat(pose.certifiedRadians(0.25).getAsDouble()).isCloseTo(Math.PI / 6, within(1e-12));
    assertThat(pose.certifiedDegrees(0.25).getAsDouble()).isCloseTo(30, within(1e-9));
    assertThat(pose.certifiedDegrees(0.5)).isEmpty();
    for (double bad : new double[] {-1e-9, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatThrownBy(() -> pose.certifiedRadians(bad)).hasMessageContaining("found " + bad);
    }
  }

  @Test
  void namesOfMappings() {
    Resampling edge = Resampling.of(Interpolation.BICUBIC).with(Fill.EDGE);
    RotationMapping rotation = RotationMapping.named("paper").with(edge);
    assertThat(rotation).hasToString("paper, bicubic, corners continued from the edge");
    assertThat(rotation.name()).isEqualTo("paper");
    OrthogonalMapping o2 = new OrthogonalMapping(PoseRule.DISC, edge);
    assertThat(o2.name()).isEqualTo("disc-o2");
    assertThat(o2).hasToString("disc with mirror images, bicubic, corners continued from the edge");
    assertThat(new QuarterTurnMapping(PoseRule.DISC).name()).isEqualTo("disc-c4");
    assertThat(new SimilarityMapping(Resampling.BILINEAR).name()).isEqualTo("similarity");
    assertThat(Frames.Pool.named(" Mean ")).isEqualTo(Frames.Pool.MEAN).hasToString("mean");
    assertThatThrownBy(() -> Frames.Pool.named("sum")).hasMessageContaining("found sum");
    assertThatThrownBy(() -> new Frames(rotation, 0)).hasMessageContaining("found 0");
    assertThat(new Frames(rotation, 3).cost()).isEqualTo(3);
    assertThat(new Frames(rotation, 3, true).cost()).isEqualTo(6);
    assertThat(Frames.UPRIGHT.count()).isEqualTo(16);
  }

  /** Weighted means; log odds plus the logarithm of the weight; weights of 0 do not count. */
  @Test
  void weightedPools() {
    List<float[]> rows = List.of(new float[] {0.9f, 0.1f}, new float[] {0.2f, 0.8f});
    assertThat(Frames.pool(rows, List.of(0.25, 0.75), Frames.Pool.MEAN))
        .containsExactly(new float[] {0.375f, 0.625f}, within(1e-6f));
    assertThat(Frames.pool(rows, List.of(0.5, 0.5), Frames.Pool.CONFIDENCE))
        .containsExactly(0.9f, 0.1f);
    // log 9 + log 0.2 < log 4 + log 0.8
    assertThat(Frames.pool(rows, List.of(0.2, 0.8), Frames.Pool.CONFIDENCE))
        .containsExactly(0.2f, 0.8f);
    assertThat(Frames.pool(rows, List.of(1.0, 0.0), Frames.Pool.MAX)).containsExactly(0.9f, 0.1f);
    // with three classes the odds are against the sum of the others
    List<float[]> three = List.of(new float[] {0.5f, 0.5f, 0}, new float[] {0.45f, 0.28f, 0.27f});
    assertThat(Frames.pool(three, Frames.Pool.CONFIDENCE)).containsExactly(0.5f, 0.5f, 0);
    List<float[]> logits = List.of(new float[] {3, 0, 0}, new float[] {103, 100, 0});
    assertThat(Frames.pool(logits, Frames.Pool.CONFIDENCE)).containsExactly(103, 100, 0);
    List<float[]> pairs = Frames.pairs(List.of(rows.get(0), rows.get(1), rows.get(1), rows.get(1)));
    assertThat(pairs).hasSize(2);
    assertThat(pairs.get(0)).containsExactly(new float[] {0.55f, 0.45f}, within(1e-6f));
  }

  /** The centre of mass goes to the middle, the radius to a fifth of the side. */
  @Test
  void momentsOfTwoSpots() {
    Image u = Image.black(1, 21, 31);
    u.data()[5 * 31 + 8] = 2; // mass 2 at (8, 5), mass 1 at (20, 11)
    u.data()[11 * 31 + 20] = 1;
    var element = new SimilarityMapping(Resampling.BILINEAR).map(u).element();
    // the centre is (12, 7): (-3, -3) from the middle; E r² = (2·20 + 80)/3
    double scale = 0.2 * 21 / Math.sqrt(40);
    assertThat(element.scale()).isCloseTo(scale, within(1e-9));
    double cos = element.rotation().cos();
    double sin = element.rotation().sin();
    // The windows are 1 - 20/360 and 1 - 80/360: the nearer spot, twice as bright, wins.
    assertThat(cos).isCloseTo(-2 / Math.sqrt(5), within(1e-9));
    assertThat(sin).isCloseTo(-1 / Math.sqrt(5), within(1e-9));
    assertThat(Math.hypot(element.x(), element.y())).isCloseTo(scale * Math.sqrt(18), within(1e-9));
    double near = 2 * Math.sqrt(20) * (1 - 20 / 360.0);
    double far = Math.sqrt(80) * (1 - 80 / 360.0);
    assertThat(new SimilarityMapping(Resampling.BILINEAR).map(u).margin())
        .isCloseTo((near - far) / (near + far), within(1e-9));
  }
}
