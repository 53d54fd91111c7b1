package org.orbitmap.image.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.orbitmap.image.Image;
import org.orbitmap.image.Images;
import org.orbitmap.image.Interpolation;

/** Standard deviations of canonical orientations. */
class StabilityTest {
  private static double std(double... degrees) {
    double[] x = new double[degrees.length];
    double[] y = new double[degrees.length];
    for (int i = 0; i < x.length; i++) {
      x[i] = Math.cos(Math.toRadians(degrees[i]));
      y[i] = Math.sin(Math.toRadians(degrees[i]));
    }
    return Math.toDegrees(Stability.circularStd(x, y));
  }

  @Test
  void onTheCircle() {
    assertThat(std(10, 10, 10)).isCloseTo(0, within(1e-6));
    assertThat(std(-10, 10)).isCloseTo(10, within(1e-9));
    assertThat(std(350, 10)).isCloseTo(10, within(1e-9));
    assertThat(std(170, -170, 180)).isCloseTo(Math.sqrt(200 / 3.0), within(1e-9));
    assertThat(std(90, 90, 90, 130)).isCloseTo(std(0, 0, 0, 40), within(1e-9));
  }

  @Test
  void results() {
    Stability.Result r = new Stability.Result("disc", 0, new double[] {1, 2, 6});
    assertThat(r.meanStdDegrees()).isEqualTo(3);
    assertThat(r.under(2)).isCloseTo(1 / 3.0, within(1e-12));
    assertThat(r.under(7)).isEqualTo(1);
    Stability study = new Stability(30, Interpolation.BILINEAR, 1);
    assertThatThrownBy(() -> new Stability(7, Interpolation.BILINEAR, 1))
        .hasMessageContaining("360 is a multiple");
    assertThatThrownBy(() -> study.measure(List.of(), PoseRule.all(), new double[1], (d, t) -> {}))
        .hasMessageContaining("found none");
    assertThatThrownBy(
            () -> study.measure(List.of(), RotationMapping.disc(), new double[1], (d, t) -> {}))
        .hasMessageContaining("found none");
  }

  /** The quick way, by linearity and by quarters, is that of mapping every copy. */
  @Test
  void rulesAreMeasuredAsMappingsAre() {
    List<Image> images = List.of(Images.blobs(1, 12, 12, 1), Images.blobs(1, 9, 14, 2));
    for (double step : new double[] {22.5, 40}) {
      Stability study = new Stability(step, Interpolation.BILINEAR, 3);
      List<Long> told = new ArrayList<>();
      List<Stability.Result> quick =
          study.measure(
              images,
              List.of(PoseRule.DISC, PoseRule.FORWARD),
              new double[] {0, 0.001},
              (done, total) -> {
                synchronized (told) {
                  told.add(done * 10 + total);
                }
              });
      assertThat(told).containsExactlyInAnyOrder(12L, 22L);
      assertThat(quick).extracting("mapping").containsExactly("disc", "disc", "forward", "forward");
      assertThat(quick).extracting("noiseVariance").containsExactly(0.0, 0.001, 0.0, 0.001);
      for (int r = 0; r < 2; r++) {
        RotationMapping mapping = RotationMapping.named(r == 0 ? "disc" : "forward");
        List<Stability.Result> plain =
            study.measure(images, mapping, new double[] {0, 0.001}, (d, t) -> {});
        assertThat(plain.get(0).mapping()).isEqualTo(mapping.name());
        for (int i = 0; i < images.size(); i++) {
          assertThat(quick.get(2 * r).stdDegrees()[i])
              .isCloseTo(plain.get(0).stdDegrees()[i], within(1e-3));
          // noise makes both less still, by about as much
          double noisy = quick.get(2 * r + 1).stdDegrees()[i];
          assertThat(noisy).isNotEqualTo(quick.get(2 * r).stdDegrees()[i]);
          assertThat(plain.get(1).stdDegrees()[i]).isCloseTo(noisy, within(1 + 0.8 * noisy));
        }
      }
    }
  }

  /** Of an image without a direction every copy has the same orientation but for the turn. */
  @Test
  void aBlackImageHasNoDirection() {
    Stability study = new Stability(90, Interpolation.BILINEAR, 1);
    List<Stability.Result> results =
        study.measure(
            List.of(Image.black(1, 6, 6)), List.of(PoseRule.DISC), new double[] {0}, (d, t) -> {});
    assertThat(results.get(0).stdDegrees()[0]).isZero();
  }
}
