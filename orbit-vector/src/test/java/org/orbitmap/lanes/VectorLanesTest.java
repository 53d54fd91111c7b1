package org.orbitmap.lanes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.IntStream;
import jdk.incubator.vector.VectorShape;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.orbitmap.group.Rotation2;
import org.orbitmap.group.Sim2.Similarity2;
import org.orbitmap.image.Fill;
import org.orbitmap.image.Image;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Lanes;
import org.orbitmap.image.Resampler;
import org.orbitmap.image.Resampler.Affine;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.mapping.Pose;
import org.orbitmap.image.mapping.PoseRule;
import org.orbitmap.image.mapping.RotationMapping;

/** Vectors and the plain loop, which images of one channel take, give the same to rounding. */
class VectorLanesTest {
  private static final int[][] SIZES = {
    {1, 1}, {1, 7}, {7, 1}, {2, 2}, {3, 3}, {2, 9}, {5, 8}, {8, 8}, {17, 9}, {9, 33}, {32, 32},
    {61, 40}
  };
  private static final double[] ANGLES = {
    0, 1e-9, 0.3, 37, 45, 90, 90.5, 179.9, 180, 233, 270, 315
  };
  private static final List<Fill> FILLS =
      List.of(Fill.ZERO, Fill.constant(0.5f), Fill.constant(-3), Fill.REFLECT, Fill.EDGE);
  private static final Interpolation[] BETWEEN = {Interpolation.BILINEAR, Interpolation.BICUBIC};

  /** A few roundings of the largest number that is weighed. */
  private static final float ULPS = 12 * 0x1p-24f;

  private static Image noise(int channels, int height, int width, float size) {
    SplittableRandom random = new SplittableRandom(31L * height + width);
    float[] data = new float[channels * height * width];
    for (int i = 0; i < data.length; i++) {
      data[i] = size * (float) (random.nextDouble() - 0.3);
    }
    return new Image(channels, height, width, data);
  }

  private static float[] sampled(Image in, Affine map, Resampling how) {
    float[] out = new float[in.data().length + 2];
    Arrays.fill(out, 77);
    Resampler.sample(in, map, how, out, 1);
    assertThat(new float[] {out[0], out[out.length - 1]}).as("around").containsOnly(77);
    return Arrays.copyOfRange(out, 1, out.length - 1);
  }

  /** Channel by channel, by the plain loop. */
  private static float[] plain(Image in, Affine map, Resampling how) {
    float[] out = new float[in.data().length];
    int n = in.plane();
    for (int c = 0; c < in.channels(); c++) {
      float[] one = Arrays.copyOfRange(in.data(), c * n, (c + 1) * n);
      System.arraycopy(
          sampled(new Image(1, in.height(), in.width(), one), map, how), 0, out, c * n, n);
    }
    return out;
  }

  private static void compare(Image in, Affine map, Resampling how, float size) {
    float[] found = sampled(in, map, how);
    float[] expected = plain(in, map, how);
    float most = ULPS * Math.max(size, Math.abs(how.fill().value()));
    for (int i = 0; i < found.length; i++) {
      if (!(Math.abs(found[i] - expected[i]) <= most)) {
        throw new AssertionError(
            "%s, %s, %s: expected %s at %d, found %s"
                .formatted(in, map, how, expected[i], i, found[i]));
      }
    }
  }

  private static boolean takes(Image in, Interpolation kind) {
    return Lanes.found().rows(in, kind, 0, 1L << 32, 0) != null;
  }

  @Test
  void isFoundAndTakesColourImages() {
    assertThat(Lanes.found()).isInstanceOf(VectorLanes.class);
    assumeTrue(
        VectorShape.preferredShape().vectorBitSize() >= 256,
        "a processor with vectors of 256 bits; without, the plain loops are used");
    for (Interpolation kind : BETWEEN) {
      assertThat(takes(noise(3, 5, 6, 1), kind)).isTrue();
      assertThat(takes(noise(1, 5, 6, 1), kind)).isFalse();
      assertThat(Lanes.found().rows(noise(3, 5, 6, 1), kind, 0, 0, -1L << 43)).isNull();
      assertThat(Lanes.found().rows(noise(3, 5, 6, 1), kind, 1e38f, 0, 0)).isNull();
    }
  }

  @ParameterizedTest
  @EnumSource(Interpolation.class)
  void rotatesAsThePlainLoop(Interpolation kind) {
    for (int[] size : SIZES) {
      Image in = noise(3, size[0], size[1], 1);
      for (double angle : ANGLES) {
        for (Fill fill : FILLS) {
          for (boolean mask : new boolean[] {false, true}) {
            Affine map = Affine.of(Rotation2.ofDegrees(angle));
            compare(in, map, new Resampling(kind, fill, mask), 1);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 7})
  void anyNumberOfChannels(int channels) {
    Image in = noise(channels, 11, 14, 1);
    for (Interpolation kind : Interpolation.values()) {
      compare(in, Affine.of(Rotation2.ofDegrees(77)), Resampling.of(kind), 1);
    }
  }

  @Test
  void similaritiesNearAndFar() {
    Image in = noise(3, 19, 30, 1);
    for (double scale : new double[] {1e-12, 1e-4, 1e-3, 0.02, 0.7, 1, 3, 1000, 1e9}) {
      for (double shift : new double[] {0, 0.5, -7, 14.999999999, -15.5, 1000, -1e6, 1e12}) {
        for (Interpolation kind : BETWEEN) {
          Affine map =
              Affine.of(new Similarity2(Rotation2.ofDegrees(21), scale, shift, -shift / 3));
          compare(in, map, Resampling.of(kind).with(Fill.constant(0.25f)), 1);
        }
      }
    }
  }

  /** A pixel whose last tap leaves the image within rounding reads what is around the border. */
  @Test
  void justOutside() {
    Image in = noise(3, 6, 9, 1);
    for (double x = -3; x <= 3; x++) {
      for (double y = -3; y <= 3; y++) {
        for (double more : new double[] {-5e-7, 0, 5e-7}) {
          for (Interpolation kind : BETWEEN) {
            Affine map = new Affine(1, 0, 0, 1, x + more, y + more);
            compare(in, map, Resampling.of(kind).with(Fill.constant(0.25f)), 1);
          }
        }
      }
    }
  }

  @Test
  void sheared() {
    Image in = noise(3, 12, 21, 1);
    for (Interpolation kind : BETWEEN) {
      compare(in, new Affine(0, 0, 0, 0, 0, 0), Resampling.of(kind), 1);
      compare(in, new Affine(1, 0.5, 0, 1, 0, 0), Resampling.of(kind), 1);
      compare(in, new Affine(-1e-10, 1, 2, 1e-10, 3, -1), Resampling.of(kind), 1);
    }
  }

  @Test
  void quarterTurnsAreExact() {
    for (int side : new int[] {1, 2, 3, 8, 31, 32}) {
      Image in = noise(3, side, side, 1);
      for (int quarter = 0; quarter < 4; quarter++) {
        Affine map = Affine.of(Rotation2.ofDegrees(90 * quarter));
        float[] exact = sampled(in, map, Resampling.of(Interpolation.NEAREST));
        for (Interpolation kind : BETWEEN) {
          assertThat(sampled(in, map, Resampling.of(kind))).isEqualTo(exact);
        }
      }
    }
  }

  @Test
  void smallAndLargeSamples() {
    for (float size : new float[] {1e-30f, 1e-3f, 1e6f, 1e29f}) {
      for (Interpolation kind : BETWEEN) {
        compare(
            noise(3, 20, 23, size), Affine.of(Rotation2.ofDegrees(12)), Resampling.of(kind), size);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(floats = {Float.NaN, Float.POSITIVE_INFINITY, -Float.MAX_VALUE, 1e35f})
  void leavesWhatIsNotFiniteToThePlainLoop(float bad) {
    for (int at : new int[] {0, 7, 8, 29, 60, 89}) {
      Image in = noise(3, 5, 6, 1);
      in.data()[at] = bad;
      for (Interpolation kind : BETWEEN) {
        assertThat(takes(in, kind)).isFalse();
      }
      if (!(Math.abs(bad) < 1e36)) {
        assertThatThrownBy(() -> RotationMapping.disc().pose(in))
            .isInstanceOf(IllegalArgumentException.class);
      }
    }
  }

  /** The borders of the copy are those of this image, not of the one before. */
  @Test
  void remembersNothingOfOtherImages() {
    Affine map = Affine.of(Rotation2.ofDegrees(30));
    for (int[] size : new int[][] {{30, 20}, {8, 40}, {20, 30}, {3, 3}, {8, 8}, {30, 20}}) {
      for (Interpolation kind : BETWEEN) {
        for (Fill fill : FILLS) {
          compare(noise(3, size[0], size[1], 1), map, Resampling.of(kind).with(fill), 1);
        }
      }
    }
  }

  /** Six channels take the plain loop: the same three twice have the same pose. */
  @Test
  void posesAsThePlainLoop() {
    for (int[] size : SIZES) {
      Image in = noise(3, size[0], size[1], 1);
      float[] twice = Arrays.copyOf(in.data(), 2 * in.data().length);
      System.arraycopy(in.data(), 0, twice, in.data().length, in.data().length);
      for (PoseRule rule : PoseRule.all()) {
        RotationMapping mapping = new RotationMapping(rule, Resampling.BILINEAR);
        Pose found = mapping.pose(in);
        Pose expected = mapping.pose(new Image(6, size[0], size[1], twice));
        double most = 1e-6 * Math.max(expected.response(), expected.norm());
        assertThat(Math.abs(found.response() - expected.response())).isLessThanOrEqualTo(most);
        double turned =
            found.rotation().cos() * expected.rotation().sin()
                - found.rotation().sin() * expected.rotation().cos();
        assertThat(Math.abs(turned) * expected.response()).isLessThanOrEqualTo(most);
      }
    }
  }

  @Test
  void aConstantImageHasNoPose() {
    float[] same = new float[3 * 13 * 14];
    Arrays.fill(same, 0.1f);
    assertThat(RotationMapping.disc().pose(new Image(3, 13, 14, same)).response()).isZero();
  }

  @Test
  void theSameBitsOnAnyNumberOfThreads() throws Exception {
    List<Image> images = IntStream.range(0, 40).mapToObj(k -> noise(3, 33, 34, 1 + k)).toList();
    for (Interpolation kind : BETWEEN) {
      RotationMapping mapping = RotationMapping.disc().with(Resampling.of(kind));
      float[] alone = new float[images.size() * images.get(0).data().length];
      for (int k = 0; k < images.size(); k++) {
        float[] one = mapping.map(images.get(k)).point().data();
        System.arraycopy(one, 0, alone, k * one.length, one.length);
      }
      for (int threads : new int[] {1, 2, 3, 8}) {
        float[] out = new float[alone.length];
        ForkJoinPool pool = new ForkJoinPool(threads);
        try {
          pool.submit(() -> mapping.alignAll(images, out)).get();
        } finally {
          pool.shutdown();
        }
        assertThat(out).as("%d threads", threads).isEqualTo(alone);
      }
    }
  }
}
