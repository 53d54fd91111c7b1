package org.orbitmap.upright;

import org.orbitmap.image.Fill;
import org.orbitmap.image.SamplingGrid;
import org.orbitmap.network.Operations;
import org.orbitmap.network.run.ArrayOperations;
import org.orbitmap.network.run.ArrayOperations.Batch;

/**
 * What a predictor sees of a canonical image: the inscribed disc, reduced to the predictor's size.
 *
 * <p>A large image is not brought to its canonical pose for that, which would cost more than the
 * predictor. Reducing commutes with rotations and mirrorings, r(g·x) = g·r(x), up to interpolation
 * and exactly for quarter turns of squares; so the canonical image of the reduced copy, ĝ(x)·r(x),
 * is a function of the orbit as well. The copy is twice as large as the predictor's size, and
 * reduced again after it was rotated, so that little is lost.
 *
 * <p>Outside the inscribed circle there is one value, because the corners depend on the pose of the
 * input. The central square is reduced by the mean over the area that each pixel covers, or
 * enlarged linearly if it is smaller. A grey image is seen in every channel, a colour image by a
 * grey predictor as its mean.
 */
public final class UprightView {
  /** How much larger than the predictor's size the copy is that is brought to its pose. */
  private static final int DETAIL = 2;

  private UprightView() {}

  /** Whether images are so large that a reduced copy is brought to its pose instead. */
  public static boolean reduces(int height, int width, UprightSettings settings) {
    return Math.min(height, width) > side(settings);
  }

  /** The rows and columns of a reduced copy. */
  public static int side(UprightSettings settings) {
    return DETAIL * settings.size();
  }

  /**
   * The images of a batch as they are brought to their canonical pose for the predictor: the disc
   * in a reduced copy if they are large, else as they are.
   *
   * @param x images with samples in [0, 1], in any pose
   */
  public static <T> T reduced(Operations<T> ops, T x, UprightSettings settings) {
    if (!reduces(ops.length(x, 1), ops.length(x, 2), settings)) {
      return x;
    }
    T seen = channels(ops, x, settings.channels());
    int height = ops.length(x, 1);
    int width = ops.length(x, 2);
    int side = side(settings);
    float[] inside = SamplingGrid.of(height, width, Fill.ZERO).inside();
    T disc = shrunk(ops, ops.multiply(seen, ops.constant(inside, 1, height, width)), side);
    // the value outside is added behind, where there is less to add it to
    ArrayOperations arrays = ArrayOperations.withoutWeights();
    float[] shown = shrunk(arrays, Batch.of(inside, 1, height, width), side).values();
    return ops.add(disc, ops.constant(rest(shown, settings.outside()), 1, side, side));
  }

  /** The mean of small squares first, as far as they fit, because that is cheap. */
  private static <T> T shrunk(Operations<T> ops, T x, int size) {
    int height = ops.length(x, 1);
    int width = ops.length(x, 2);
    int side = Math.min(height, width) / size;
    while (height % side != 0 || width % side != 0) {
      side--;
    }
    return resized(ops, side == 1 ? x : ops.averagePool(x, side), size);
  }

  /**
   * The views of a batch.
   *
   * @param canonical canonical images with samples in [0, 1], of any size, such as {@link #reduced}
   *     ones in their pose
   * @return images with the channels and the size of the settings
   */
  public static <T> T of(Operations<T> ops, T canonical, UprightSettings settings) {
    int height = ops.length(canonical, 1);
    int width = ops.length(canonical, 2);
    int size = settings.size();
    T x = masked(ops, channels(ops, canonical, settings.channels()), settings.outside());
    if (height != size || width != size) {
      x = resized(ops, x, size);
      x = masked(ops, x, settings.outside());
    }
    return x;
  }

  static <T> T channels(Operations<T> ops, T x, int expected) {
    int found = ops.length(x, 0);
    if (found == expected) {
      return x;
    }
    if (found != 1 && expected != 1) {
      throw new IllegalArgumentException(
          "upright: expected images of %d channels or 1, found %d".formatted(expected, found));
    }
    return found == 1
        ? ops.add(x, ops.constant(new float[expected], expected, 1, 1))
        : ops.reshape(ops.mean(x, 0), 1, ops.length(x, 1), ops.length(x, 2));
  }

  /** The value outside, and where the disc is x: outside + inside·(x - outside). */
  private static <T> T masked(Operations<T> ops, T x, float outside) {
    int height = ops.length(x, 1);
    int width = ops.length(x, 2);
    float[] inside = SamplingGrid.of(height, width, Fill.ZERO).inside();
    T shown = ops.multiply(x, ops.constant(inside, 1, height, width));
    return ops.add(shown, ops.constant(rest(inside, outside), 1, height, width));
  }

  private static float[] rest(float[] inside, float outside) {
    float[] rest = new float[inside.length];
    for (int i = 0; i < rest.length; i++) {
      rest[i] = (1 - inside[i]) * outside;
    }
    return rest;
  }

  /** Rows and columns of the central square, each as one product with a matrix. */
  private static <T> T resized(Operations<T> ops, T x, int size) {
    int channels = ops.length(x, 0);
    int height = ops.length(x, 1);
    int width = ops.length(x, 2);
    int square = Math.min(height, width);
    T y = ops.reshape(x, channels * height, width);
    y = ops.matmul(y, ops.constant(weights(width, square, size), width, size));
    y = ops.transpose(ops.reshape(y, channels, height, size), 1, 2);
    y = ops.reshape(y, channels * size, height);
    y = ops.matmul(y, ops.constant(weights(height, square, size), height, size));
    return ops.transpose(ops.reshape(y, channels, size, size), 1, 2);
  }

  /** How much of each of n samples is in each of {@code size}, n rows; the middle of them. */
  static float[] weights(int n, int square, int size) {
    float[] w = new float[n * size];
    double step = (double) square / size;
    double first = (n - square) / 2.0;
    for (int k = 0; k < size; k++) {
      if (step >= 1) {
        double from = first + k * step;
        double to = from + step;
        for (int i = (int) from; i < Math.min(n, Math.ceil(to)); i++) {
          double part = Math.min(i + 1, to) - Math.max(i, from);
          w[i * size + k] = (float) (Math.max(0, part) / step);
        }
      } else {
        double at = Math.max(0, Math.min(n - 1.0, first + (k + 0.5) * step - 0.5));
        int i = (int) Math.min(at, Math.max(0, n - 2));
        w[i * size + k] += (float) (1 - (at - i));
        if (n > 1) {
          w[(i + 1) * size + k] += (float) (at - i);
        }
      }
    }
    return w;
  }
}
