package org.orbitmap.image.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.orbitmap.image.Image;

/** The fast sums of a pose against the definition c = ⟨W, u⟩. */
class WeightMapTest {
  @ParameterizedTest
  @CsvSource({
    "disc, 1, 8, 8",
    "disc, 3, 8, 8",
    "disc, 4, 8, 8",
    "disc, 1, 9, 9",
    "disc, 3, 9, 9",
    "disc, 3, 32, 32",
    "disc, 3, 7, 12",
    "disc, 2, 12, 7",
    "disc, 3, 1, 5",
    "paper, 3, 32, 32",
    "paper, 1, 33, 33",
    "central, 3, 28, 28",
    "released, 3, 32, 32",
    "released, 1, 31, 31",
    "forward, 3, 32, 32",
    "forward, 1, 9, 16",
  })
  void poseIsTheDefinition(String rule, int channels, int height, int width) {
    WeightMap map = PoseRule.named(rule).weights(height, width);
    SplittableRandom random = new SplittableRandom(height * 100L + width);
    for (int trial = 0; trial < 20; trial++) {
      float[] u = new float[channels * height * width];
      double offset = trial % 2 == 0 ? 0 : 100;
      for (int i = 0; i < u.length; i++) {
        u[i] = (float) (random.nextDouble() + offset);
      }
      Pose pose = map.pose(new Image(channels, height, width, u));
      double re = 0;
      double im = 0;
      double size = 0;
      for (int i = 0; i < u.length; i++) {
        double v = (double) u[i] - offset;
        re += map.re()[i % (height * width)] * v / channels;
        im += map.im()[i % (height * width)] * v / channels;
        size += v * v;
      }
      // Samples near 100 have an error of 4e-6 each.
      Offset<Double> rounding =
          Offset.offset((offset == 0 ? 1e-6 : 1e-4) * map.norm(channels) * Math.sqrt(size) + 1e-12);
      double c = Math.hypot(re, im);
      assertThat(pose.margin() * map.norm(channels)).isCloseTo(c, rounding);
      if (pose.margin() > 0) {
        assertThat(pose.rotation().cos() * c).isCloseTo(re, rounding);
        assertThat(pose.rotation().sin() * c).isCloseTo(im, rounding);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"disc, 1", "disc, 3", "disc, 4", "released, 3"})
  void findsEverySampleThatIsNotFinite(String rule, int channels) {
    for (int side : new int[] {6, 7}) {
      for (int i = 0; i < channels * side * side; i++) {
        for (float bad : new float[] {Float.NaN, Float.POSITIVE_INFINITY}) {
          float[] u = new float[channels * side * side];
          u[i] = bad;
          Image image = new Image(channels, side, side, u);
          assertThatThrownBy(() -> PoseRule.named(rule).weights(side, side).pose(image))
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessageContaining("finite");
        }
      }
    }
  }

  @Test
  void aConstantImageHasNoResponseAtAll() {
    for (int side : new int[] {8, 9, 32}) {
      float[] u = new float[3 * side * side];
      Arrays.fill(u, 0.1f);
      Pose pose = PoseRule.DISC.weights(side, side).pose(new Image(3, side, side, u));
      assertThat(pose.margin()).isZero();
    }
  }

  /** Interpolation may overshoot: what is next to the largest float is refused before. */
  @Test
  void samplesNextToTheLargestFloatAreRefused() {
    for (int channels : new int[] {1, 3}) {
      for (PoseRule rule : List.of(PoseRule.DISC, PoseRule.FORWARD)) {
        for (float huge : new float[] {3.3e38f, -2e38f}) {
          Image constant = Image.black(channels, 8, 8);
          Arrays.fill(constant.data(), huge);
          Image corner = Image.black(channels, 8, 8);
          corner.data()[0] = huge;
          Image spot = Image.black(channels, 8, 8);
          spot.data()[27] = huge;
          for (Image u : List.of(constant, corner, spot)) {
            assertThatThrownBy(() -> rule.weights(8, 8).pose(u))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected samples far below 3e38");
          }
        }
      }
    }
  }

  /** Two of them do not make up for one another, wherever they stand. */
  @ParameterizedTest
  @CsvSource({"1, 6", "1, 7", "3, 6", "3, 7"})
  void pairsOfHugeSamplesAreRefused(int channels, int side) {
    WeightMap map = PoseRule.DISC.weights(side, side);
    float[] u = new float[channels * side * side];
    Image image = new Image(channels, side, side, u);
    for (int i = 0; i < u.length; i++) {
      for (int j = 0; j <= i; j++) {
        u[i] = 2e38f;
        u[j] = 2e38f;
        assertThatThrownBy(() -> map.pose(image))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("expected samples far below 3e38");
        u[i] = 0;
        u[j] = 0;
      }
    }
  }
}
