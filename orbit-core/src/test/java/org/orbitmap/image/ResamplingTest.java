package org.orbitmap.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.orbitmap.group.O2.Orthogonal2;
import org.orbitmap.group.Rotation2;
import org.orbitmap.group.Sim2.Similarity2;
import org.orbitmap.image.Resampler.Affine;
import org.orbitmap.orbit.Guarantee;

/** How images are read, what is outside, and the actions that need it. */
class ResamplingTest {
  @Test
  void fillsByName() {
    assertThat(Fill.named(" Zero ")).isEqualTo(Fill.ZERO).hasToString("zero");
    assertThat(Fill.named("REFLECT")).isEqualTo(Fill.REFLECT).hasToString("reflect");
    assertThat(Fill.named("edge")).isEqualTo(Fill.EDGE).hasToString("edge");
    assertThat(Fill.named(" 0.5 ")).isEqualTo(Fill.constant(0.5f)).hasToString("0.5");
    assertThatThrownBy(() -> Fill.named("grey"))
        .hasMessage("fill: expected zero, reflect, edge or a number, found grey");
    assertThatThrownBy(() -> Fill.constant(Float.NaN)).hasMessageContaining("found NaN");
    assertThat(Fill.ZERO.radial()).isFalse();
    assertThat(Fill.EDGE.radial()).isTrue();
  }

  /** Inside the circle a pixel reads where it is; outside it reads inside. */
  @Test
  void whereAPixelReads() {
    for (Fill fill : new Fill[] {Fill.ZERO, Fill.REFLECT, Fill.EDGE}) {
      assertThat(fill.reads(3, 4)).isEqualTo(3);
      assertThat(fill.reads(4, 4)).isEqualTo(4);
    }
    assertThat(Fill.ZERO.reads(5, 4)).isEqualTo(5);
    assertThat(Fill.EDGE.reads(5, 4)).isEqualTo(4);
    assertThat(Fill.REFLECT.reads(5, 4)).isEqualTo(3);
    assertThat(Fill.REFLECT.reads(8, 4)).isEqualTo(0);
    assertThat(Fill.REFLECT.reads(9, 4)).isEqualTo(1);
    assertThat(Fill.REFLECT.reads(13, 4)).isEqualTo(3);
    assertThat(Fill.REFLECT.reads(5, 0)).isZero();
    assertThat(Fill.EDGE.reads(5, -1)).isZero();
  }

  /** The cubic kernel with a = -3/4: 1 at 0, 0 at 1 and 2, and the four weights sum to 1. */
  @Test
  void theCubicKernel() {
    assertThat(Interpolation.near(0)).isEqualTo(1);
    assertThat(Interpolation.near(1)).isZero();
    assertThat(Interpolation.far(0)).isZero();
    assertThat(Interpolation.far(1)).isZero();
    assertThat(Interpolation.near(0.5f)).isEqualTo(0.59375f);
    assertThat(Interpolation.far(0.5f)).isEqualTo(-0.09375f);
    for (float t = 0; t <= 1; t += 0.125f) {
      float sum =
          Interpolation.far(t)
              + Interpolation.near(t)
              + Interpolation.near(1 - t)
              + Interpolation.far(1 - t);
      assertThat(sum).isCloseTo(1, within(1e-6f));
    }
  }

  @Test
  void interpolationsByName() {
    assertThat(Interpolation.named(" Bicubic ")).isEqualTo(Interpolation.BICUBIC);
    assertThat(Interpolation.NEAREST).hasToString("nearest");
    assertThatThrownBy(() -> Interpolation.named("cubic"))
        .hasMessage("interpolation: expected nearest, bilinear or bicubic, found cubic");
  }

  @Test
  void resamplingInWords() {
    Resampling cubic = Resampling.of(Interpolation.BICUBIC);
    assertThat(cubic).hasToString("bicubic, black outside");
    assertThat(cubic.with(Fill.REFLECT)).hasToString("bicubic, reflected corners");
    assertThat(cubic.with(Fill.EDGE)).hasToString("bicubic, corners continued from the edge");
    assertThat(cubic.with(Fill.constant(0.5f)).withMask(true))
        .hasToString("bicubic, 0.5 outside, only inside the circle");
    assertThat(cubic.withMask(true).with(Fill.EDGE).mask()).isTrue();
    assertThat(Resampling.inscribedRadius(7, 4)).isEqualTo(1.5);
  }

  /** The grid of 3 x 5 pixels: a circle of radius 1 about the middle. */
  @Test
  void theGridOfASize() {
    SamplingGrid grid = SamplingGrid.of(3, 5, Fill.EDGE);
    assertThat(grid.inside()).containsExactly(0, 0, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 0, 0);
    assertThat(grid.x()[5]).isCloseTo(-1, within(1e-12)); // (-2, 0) reads at the rim
    assertThat(grid.x()[6]).isEqualTo(-1);
    assertThat(grid.y()[6]).isZero();
    assertThat(grid.y()[2]).isEqualTo(-1);
    assertThat(grid.x()[14]).isCloseTo(2 / Math.sqrt(5), within(1e-12));
    assertThat(grid.y()[14]).isCloseTo(1 / Math.sqrt(5), within(1e-12));
    SamplingGrid plain = SamplingGrid.of(3, 5, Fill.ZERO);
    assertThat(plain.x()).startsWith(-2, -1, 0, 1, 2).endsWith(-2, -1, 0, 1, 2);
    assertThat(plain.y()).startsWith(-1, -1, -1).endsWith(1, 1, 1);
  }

  /**
   * Each reading of a pixel at z is the input at A(z + d), moved inwards where the fill says so.
   */
  @ParameterizedTest
  @EnumSource(Interpolation.class)
  void severalReadingsOfAPixel(Interpolation kind) {
    Image u = Image.black(2, 7, 10);
    SplittableRandom random = new SplittableRandom(4);
    for (int i = 0; i < u.data().length; i++) {
      u.data()[i] = random.nextFloat();
    }
    for (Fill fill : List.of(Fill.ZERO, Fill.EDGE, Fill.REFLECT)) {
      Orthogonal2 g = new Orthogonal2(Rotation2.ofDegrees(31), true);
      Affine map = Affine.of(g);
      Image found = Resampler.sample(u, map, Resampling.of(kind).with(fill), Offset.FINE);
      SamplingGrid grid = SamplingGrid.of(7, 10, fill, Offset.FINE);
      float[] expected = new float[found.data().length];
      for (int p = 0; p < grid.x().length; p++) {
        double x = map.xx() * grid.x()[p] + map.xy() * grid.y()[p];
        double y = map.yx() * grid.x()[p] + map.yy() * grid.y()[p];
        Resampler.read(u, x, y, kind, expected, p, grid.x().length);
      }
      assertThat(found.channels()).isEqualTo(8);
      assertThat(found.distance(new Image(8, 7, 10, expected))).isLessThan(1e-5);
      Image first = new ImageOrthogonal(Resampling.of(kind).with(fill)).act(g, u);
      assertThat(Arrays.copyOf(found.data(), 70)).containsExactly(Arrays.copyOf(first.data(), 70));
    }
  }

  /** A pixel right of the middle of 3 x 3 and where the actions take it. */
  @Test
  void actionsMoveAPixel() {
    Image right = Image.black(1, 3, 3);
    right.data()[5] = 1;
    Image top = Image.black(1, 3, 3);
    top.data()[1] = 1;
    Resampling how = Resampling.BILINEAR;
    Image turned = new ImageRotation(how).act(Rotation2.ofDegrees(90), right);
    assertThat(turned.distance(top)).isLessThan(1e-6);
    Image down = new ImageOrthogonal(how).act(new Orthogonal2(Rotation2.IDENTITY, true), top);
    assertThat(down.at(0, 2, 1)).isEqualTo(1);
    Image shifted =
        new ImageSimilarity(how).act(new Similarity2(Rotation2.IDENTITY, 1, -1, 0), right);
    assertThat(shifted.at(0, 1, 1)).isEqualTo(1);
    assertThat(shifted.at(0, 1, 2)).isZero();
    Image wide = new ImageSimilarity(how).act(new Similarity2(Rotation2.IDENTITY, 2, 0, 0), right);
    assertThat(wide.at(0, 1, 2)).isEqualTo(0.5f);
    float[] out = new float[9];
    new ImageRotation(how).rotate(right, Rotation2.ofDegrees(90), out);
    assertThat(out).containsExactly(turned.data());
    assertThatThrownBy(() -> new ImageRotation(how).rotate(right, Rotation2.IDENTITY, new float[8]))
        .hasMessage("output: expected 9 samples, found 8");
  }

  @Test
  void similaritiesThatNoImageHolds() {
    Image u = Image.black(1, 3, 3);
    ImageSimilarity action = new ImageSimilarity(Resampling.BILINEAR);
    assertThat(action.act(new Similarity2(Rotation2.IDENTITY, 1e4, 1e6, -1e6), u)).isEqualTo(u);
    double[][] bad = {{1.1e4, 0, 0}, {0.9e-4, 0, 0}, {1, 1.1e6, 0}, {1, 0, -1.1e6}};
    for (double[] b : bad) {
      assertThatThrownBy(() -> action.act(new Similarity2(Rotation2.IDENTITY, b[0], b[1], b[2]), u))
          .hasMessageContaining("expected a scale in [1e-4, 1e4]");
    }
    assertThatThrownBy(() -> new ImageSimilarity(Resampling.BILINEAR.with(Fill.EDGE)))
        .hasMessageContaining("expected a constant fill");
  }

  /** Only pixels that change places keep the law exactly. */
  @Test
  void guarantees() {
    Resampling how = Resampling.BILINEAR;
    assertThat(new QuarterTurns().guarantee()).isEqualTo(Guarantee.EXACT);
    assertThat(new ImageRotation(how).guarantee().level()).isEqualTo(Guarantee.Level.APPROXIMATE);
    assertThat(new ImageOrthogonal(how).guarantee().level()).isEqualTo(Guarantee.Level.APPROXIMATE);
    assertThat(new ImageSimilarity(how).guarantee().level()).isEqualTo(Guarantee.Level.APPROXIMATE);
  }
}
