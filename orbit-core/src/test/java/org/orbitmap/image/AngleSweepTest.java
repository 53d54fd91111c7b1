package org.orbitmap.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.orbitmap.eval.Sweep;
import org.orbitmap.group.Rotation2;

class AngleSweepTest {
  @Test
  void coversTheCircleOnceInAnyStep() {
    assertThat(AngleSweep.every(1, Resampling.BILINEAR).poses()).hasSize(360);
    assertThat(AngleSweep.every(90, Resampling.BILINEAR).poses()).hasSize(4);
    assertThat(AngleSweep.every(360, Resampling.BILINEAR).poses()).hasSize(1);
    assertThat(AngleSweep.every(100, Resampling.BILINEAR).poses()).hasSize(4);
    for (int k = 1; k <= 400; k++) {
      assertThat(AngleSweep.every(360.0 / k, Resampling.BILINEAR).poses()).hasSize(k);
    }
    for (double bad : new double[] {0, -1, 361, Double.NaN}) {
      assertThatThrownBy(() -> AngleSweep.every(bad, Resampling.BILINEAR))
          .hasMessageContaining("found " + bad);
    }
  }

  @Test
  void turnsAsTheActionDoesAndLeavesZeroAlone() {
    Image image = new Image(1, 3, 3, new float[] {1, 2, 3, 4, 5, 6, 7, 8, 9});
    for (Interpolation interpolation : Interpolation.values()) {
      Resampling resampling = Resampling.of(interpolation);
      Sweep<Image> sweep = AngleSweep.every(22.5, resampling);
      assertThat(sweep.poses().get(0).identity()).isTrue();
      assertThat(sweep.poses().get(0).transform().apply(image)).isSameAs(image);
      assertThat(sweep.poses().get(1).label()).isEqualTo("22.5°");
      assertThat(sweep.poses().get(2).label()).isEqualTo("45°");
      assertThat(sweep.poses().get(2).transform().apply(image))
          .isEqualTo(new ImageRotation(resampling).act(Rotation2.ofDegrees(45), image));
    }
  }
}
