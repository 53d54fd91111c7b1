package org.orbitmap.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.orbitmap.eval.Sweep;
import org.orbitmap.group.Rotation2;

class AngleSweepTest {
  @Test
  void coversTheCircleOnce() {
    assertThat(AngleSweep.every(1, Resampling.BILINEAR).poses()).hasSize(360);
    assertThat(AngleSweep.every(90, Resampling.BILINEAR).poses()).hasSize(4);
    assertThat(AngleSweep.every(360, Resampling.BILINEAR).poses()).hasSize(1);
    for (int k = 1; k <= 400; k++) {
      assertThat(AngleSweep.every(360.0 / k, Resampling.BILINEAR).poses()).hasSize(k);
    }
    assertThat(AngleSweep.degrees(0.01)).hasSize(36_000).startsWith(0, 0.01).endsWith(359.99);
    assertThat(AngleSweep.degrees(120)).containsExactly(0, 120, 240);
    double[] bad = {
      0, -1, 100, 361, 720, 0.009, 1e-300, 1e300, Double.NaN, Double.POSITIVE_INFINITY
    };
    for (double step : bad) {
      assertThatThrownBy(() -> AngleSweep.every(step, Resampling.BILINEAR))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "step: expected degrees of which 360 is a multiple, at least 0.01, found " + step);
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

  /** An image of the colour outside stays as it is in every pose, also in another JVM. */
  @Test
  void aColourOutside() throws Exception {
    float[] colour = {0.2f, 0.5f, 0.9f};
    Image u = Image.black(3, 9, 9);
    for (int k = 0; k < u.data().length; k++) {
      u.data()[k] = colour[k / 81];
    }
    Sweep<Image> sweep = AngleSweep.over(colour, AngleSweep.every(30, Resampling.BILINEAR));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(sweep);
    }
    ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()));
    Sweep<?> travelled = (Sweep<?>) in.readObject();
    assertThat(travelled.poses()).hasSize(12);
    for (Sweep.Pose<Image> pose : sweep.poses()) {
      assertThat(pose.transform().apply(u).data()).containsExactly(u.data(), Offset.offset(1e-6f));
    }
    Sweep<Image> black = AngleSweep.every(30, Resampling.BILINEAR);
    assertThat(black.poses().get(1).transform().apply(u).data()[0]).isLessThan(0.1f);
  }

  /** Every angle, then every angle of the mirror image, a turn further. */
  @Test
  void mirrorImagesStandATurnFurther() {
    Sweep<Image> sweep = AngleSweep.mirrored(Resampling.BILINEAR, 0, 90);
    assertThat(sweep.name()).isEqualTo("rotation and mirroring, bilinear");
    assertThat(sweep.poses())
        .extracting("label")
        .containsExactly("0°", "90°", "0°, mirrored", "90°, mirrored");
    assertThat(sweep.poses()).extracting("value").containsExactly(0.0, 90.0, 360.0, 450.0);
    Image u = new Image(1, 2, 2, new float[] {1, 2, 3, 4});
    assertThat(sweep.poses().get(2).transform().apply(u).data()).containsExactly(3, 4, 1, 2);
    assertThat(AngleSweep.at(Resampling.BILINEAR, 90).name()).isEqualTo("rotation, bilinear");
  }
}
