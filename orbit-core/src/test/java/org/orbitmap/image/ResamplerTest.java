package org.orbitmap.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.orbitmap.group.C4;
import org.orbitmap.group.Rotation2;

class ResamplerTest {
  private static final int[][] SIZES = {
    {1, 1}, {1, 7}, {7, 1}, {2, 2}, {3, 5}, {8, 8}, {9, 9}, {16, 31}, {33, 32}
  };

  /** The definition, pixel by pixel in double precision, with no thought of speed. */
  static double plain(Image in, int c, int i, int j, Resampler.Affine map, Resampling how) {
    double cx = (in.width() - 1) / 2.0;
    double cy = (in.height() - 1) / 2.0;
    double x = j - cx;
    double y = i - cy;
    double r = Math.sqrt(x * x + y * y);
    double radius = Resampling.inscribedRadius(in.height(), in.width());
    if (r > radius + 1e-9) {
      if (how.mask()) {
        return how.fill().value();
      }
      if (how.fill().radial()) {
        double f = (how.fill().mode() == Fill.Mode.EDGE ? radius : folded(r, radius)) / r;
        x *= f;
        y *= f;
      }
    }
    double sx = map.xx() * x + map.xy() * y + map.x() + cx;
    double sy = map.yx() * x + map.yy() * y + map.y() + cy;
    if (how.interpolation() == Interpolation.NEAREST && (tie(sx) || tie(sy))) {
      return Double.NaN;
    }
    double sum = 0;
    for (int v = (int) Math.floor(sy) - 2; v <= Math.floor(sy) + 3; v++) {
      for (int u = (int) Math.floor(sx) - 2; u <= Math.floor(sx) + 3; u++) {
        boolean inside = u >= 0 && v >= 0 && u < in.width() && v < in.height();
        double value = inside ? in.at(c, v, u) : how.fill().value();
        sum += value * kernel(how.interpolation(), sx - u) * kernel(how.interpolation(), sy - v);
      }
    }
    return sum;
  }

  /** Back and forth between 0 and the radius. */
  private static double folded(double r, double radius) {
    double d = r;
    while (radius > 0 && (d < 0 || d > radius)) {
      d = d < 0 ? -d : 2 * radius - d;
    }
    return radius > 0 ? d : 0;
  }

  /** Half-way between two pixels, where either is nearest. */
  private static boolean tie(double at) {
    return Math.abs(at - Math.floor(at) - 0.5) < 1e-8;
  }

  private static double kernel(Interpolation kind, double t) {
    double d = Math.abs(t);
    double a = -0.75;
    return switch (kind) {
      case NEAREST -> t >= -0.5 && t < 0.5 ? 1 : 0;
      case BILINEAR -> Math.max(0, 1 - d);
      case BICUBIC ->
          d <= 1
              ? (a + 2) * d * d * d - (a + 3) * d * d + 1
              : d < 2 ? a * d * d * d - 5 * a * d * d + 8 * a * d - 4 * a : 0;
    };
  }

  @ParameterizedTest
  @EnumSource(Interpolation.class)
  void equalsTheDefinition(Interpolation kind) {
    for (int[] size : SIZES) {
      for (int channels : new int[] {1, 3, 4}) {
        Image image = Images.noise(channels, size[0], size[1], 7);
        for (Fill fill : new Fill[] {Fill.ZERO, Fill.constant(0.4f), Fill.REFLECT, Fill.EDGE}) {
          for (boolean mask : new boolean[] {false, true}) {
            for (double degrees : new double[] {0, 0.5, 17, 45, 90, 133.7, 180, 251, 270, 359}) {
              Resampling how = new Resampling(kind, fill, mask);
              Rotation2 g = Rotation2.ofDegrees(degrees);
              Image rotated = new ImageRotation(how).act(g, image);
              compare(image, Resampler.Affine.of(g), how, rotated);
            }
          }
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Interpolation.class)
  void equalsTheDefinitionForShrunkAndShiftedImages(Interpolation kind) {
    Image image = Images.noise(3, 20, 24, 3);
    for (double scale : new double[] {0.3, 1.7, 40}) {
      Resampler.Affine map =
          Resampler.Affine.of(
              new org.orbitmap.group.Sim2.Similarity2(Rotation2.ofDegrees(31), scale, 3.21, -7.77));
      Resampling how = Resampling.of(kind).with(Fill.constant(0.2f));
      compare(image, map, how, Resampler.sample(image, map, how));
    }
  }

  /** Large enough for several threads: every row is there, none twice. */
  @Test
  void equalsTheDefinitionForLargeImages() {
    Image image = Images.noise(1, 2051, 2047, 5);
    Rotation2 g = Rotation2.ofDegrees(133.7);
    Resampling how = Resampling.of(Interpolation.BICUBIC).with(Fill.constant(0.2f));
    Image rotated = new ImageRotation(how).act(g, image);
    for (int i = 0; i < image.height(); i++) {
      int j = i * 31 % image.width();
      assertThat((double) rotated.at(0, i, j))
          .as("row %d", i)
          .isCloseTo(plain(image, 0, i, j, Resampler.Affine.of(g), how), within(2e-6));
    }
  }

  private static void compare(Image image, Resampler.Affine map, Resampling how, Image rotated) {
    for (int c = 0; c < image.channels(); c++) {
      for (int i = 0; i < image.height(); i++) {
        for (int j = 0; j < image.width(); j++) {
          double expected = plain(image, c, i, j, map, how);
          double found = rotated.at(c, i, j);
          boolean told = !Double.isNaN(expected);
          if (told && !(Math.abs(found - expected) <= 2e-6)) { // seldom, as saying so takes long
            assertThat(found)
                .as("%s at %d,%d,%d of %s", how, c, i, j, image)
                .isCloseTo(expected, within(2e-6));
          }
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Interpolation.class)
  void quarterTurnsMovePixelsExactly(Interpolation kind) {
    for (int side : new int[] {1, 2, 5, 8, 33}) {
      Image image = Images.noise(3, side, side, side);
      for (int k = 0; k < 4; k++) {
        Image rotated =
            new ImageRotation(Resampling.of(kind)).act(Rotation2.ofDegrees(90.0 * k), image);
        Image exact = new QuarterTurns().act(C4.turn(k), image);
        assertThat(rotated.distance(exact)).isZero();
      }
    }
  }

  @Test
  void aPositiveAngleTurnsCounterClockwise() {
    Image image = Image.black(1, 9, 9);
    image.data()[4 * 9 + 8] = 1; // the rightmost pixel of the middle row
    Image rotated = new ImageRotation(Resampling.BILINEAR).act(Rotation2.ofDegrees(90), image);
    assertThat(rotated.at(0, 0, 4)).isEqualTo(1); // is now the topmost of the middle column
  }

  @Test
  void reflectionDependsOnlyOnTheDisc() {
    Image image = Images.noise(1, 16, 16, 1);
    Image other = new Image(1, 16, 16, image.data().clone());
    other.data()[0] = 9; // a corner
    ImageRotation turn = new ImageRotation(Resampling.BILINEAR.with(Fill.REFLECT));
    Rotation2 g = Rotation2.ofDegrees(33);
    assertThat(turn.act(g, image).distance(turn.act(g, other))).isZero();
    assertThat(turn.act(g, Image.black(1, 16, 16)).distance(Image.black(1, 16, 16))).isZero();
  }

  @Test
  void radialFillsReadInsideTheDisc() {
    for (Fill fill : new Fill[] {Fill.REFLECT, Fill.EDGE}) {
      for (double r = 0; r < 50; r += 0.37) {
        assertThat(fill.reads(r, 7.5)).isBetween(0.0, 7.5);
      }
      assertThat(fill.reads(6.5, 7.5)).isEqualTo(6.5);
      assertThat(fill.reads(3, 0)).isZero();
    }
    assertThat(Fill.REFLECT.reads(8.5, 7.5)).isCloseTo(6.5, within(1e-12));
    assertThat(Fill.EDGE.reads(8.5, 7.5)).isEqualTo(7.5);
    assertThat(Fill.ZERO.reads(8.5, 7.5)).isEqualTo(8.5);
  }
}
