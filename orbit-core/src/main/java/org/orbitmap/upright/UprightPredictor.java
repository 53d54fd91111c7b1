package org.orbitmap.upright;

import java.util.List;
import org.orbitmap.image.Offset;
import org.orbitmap.network.Operations;

/**
 * What the networks of an upright mapping compute, in any operations: one definition for Java, the
 * engine and ONNX. The operations hold the numbers, of the predictor or of the restorer.
 */
public final class UprightPredictor {
  private UprightPredictor() {}

  /**
   * The probability of each pose, see {@link UprightSettings}: the mean over the views. A view is
   * the canonical image after a quarter turn or mirroring, which only moves pixels; what is said of
   * it is taken back. With v = act(90°·q, y), p_y(θ) = p_v(θ - 90°·q); with the mirror image v of
   * y, p_y(θ) = p_v(-θ), because the mirror image of an upright image stands upright, too.
   *
   * @param canonical canonical images with samples in [0, 1], {@link #cleared}
   * @return one axis of {@link UprightSettings#scores}
   */
  public static <T> T probabilities(Operations<T> ops, T canonical, UprightSettings s) {
    T seen = UprightView.of(ops, canonical, s);
    int turns = s.views() < 4 ? 1 : 4;
    boolean mirrored = s.views() == 2 || s.views() == 8;
    T sum = null;
    for (int m = 0; m < (mirrored ? 2 : 1); m++) {
      // the columns in reverse order: rows and columns exchanged, then three quarter turns
      T view = m == 0 ? seen : ops.quarterTurns(ops.transpose(seen, 1, 2), 3);
      for (int q = 0; q < turns; q++) {
        T turned = q == 0 ? view : ops.quarterTurns(view, q);
        T p = back(ops, ops.softmax(s.architecture().scores(ops, turned)), s, q, m == 1);
        sum = sum == null ? p : ops.add(sum, p);
      }
    }
    return s.views() == 1 ? sum : ops.multiply(sum, ops.constant(new float[] {1f / s.views()}, 1));
  }

  /** What was said of a view, for the canonical image: a permutation of the bins. */
  private static <T> T back(Operations<T> ops, T p, UprightSettings s, int q, boolean mirrored) {
    if (q == 0 && !mirrored) {
      return p;
    }
    int n = s.scores();
    float[] moves = new float[n * n];
    for (int b = 0; b < n; b++) {
      int angle = b % s.bins();
      int turn = q * s.bins() / 4;
      // a mirroring that comes after the quarter turn takes it the other way round
      int own = b < s.bins() ? angle + turn : angle - turn;
      int to = Math.floorMod(mirrored ? -own : own, s.bins()) + b - angle;
      moves[b * n + to] = 1;
    }
    return ops.reshape(ops.matmul(ops.reshape(p, 1, n), ops.constant(moves, n, n)), n);
  }

  /**
   * The canonical images as the predictor should look at them: restored, so that it does not change
   * its mind with the interpolation that an image went through. Where it sees a reduced copy, the
   * marks of interpolation are gone already, and the copy stays as it is.
   *
   * @param ops with the numbers of the restorer
   * @param canonical canonical images with samples in [0, 1], read at {@link #offsets(int, int,
   *     UprightSettings)}
   */
  public static <T> T cleared(Operations<T> ops, T canonical, UprightSettings s) {
    return clears(ops.length(canonical, 1), ops.length(canonical, 2), s)
        ? restored(ops, canonical, s)
        : canonical;
  }

  private static boolean clears(int height, int width, UprightSettings s) {
    return !s.restorer().isEmpty() && Math.min(height, width) <= s.size();
  }

  /** Where the pixels of a canonical image of this size are read before it is {@link #cleared}. */
  public static List<Offset> offsets(int height, int width, UprightSettings s) {
    return clears(height, width, s) ? offsets(s) : Offset.PLAIN;
  }

  /** Where the pixels of a canonical image are read before it is {@link #restored}. */
  public static List<Offset> offsets(UprightSettings s) {
    return s.restorer().isEmpty() ? Offset.PLAIN : Restorer.named(s.restorer()).offsets();
  }

  /**
   * The restored images, in their own channels; as they are if there is no restorer.
   *
   * @param x images with samples in [0, 1], of each channel all readings ({@link #offsets})
   */
  public static <T> T restored(Operations<T> ops, T x, UprightSettings s) {
    if (s.restorer().isEmpty()) {
      return x;
    }
    Restorer restorer = Restorer.named(s.restorer());
    int readings = restorer.offsets().size();
    int channels = ops.length(x, 0) / readings;
    int height = ops.length(x, 1);
    int width = ops.length(x, 2);
    // the readings of a channel are one image with so many times the rows
    T tall = ops.reshape(x, channels, readings * height, width);
    T wide = UprightView.channels(ops, tall, s.channels());
    T seen = ops.reshape(wide, s.channels() * readings, height, width);
    return UprightView.channels(ops, restorer.restore(ops, seen), channels);
  }
}
