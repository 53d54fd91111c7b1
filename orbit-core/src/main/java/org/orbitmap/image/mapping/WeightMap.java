package org.orbitmap.image.mapping;

import org.orbitmap.group.Rotation2;
import org.orbitmap.image.Image;
import org.orbitmap.image.Lanes;

/**
 * A linear functional on images of one size with complex values: c = ⟨W, u⟩, u being the mean over
 * the channels.
 *
 * <p>If W(z) = k(|z|)·e^{iθ}, then rotating the image by α multiplies c by e^{-iα}, so c/|c| is the
 * rotation that brings the image to its canonical pose. Every rotation-equivariant linear
 * functional has that form; the paper's mean gradient over circles (section 4.1, appendices C and
 * D) is one of them once blur, interpolation and differentiation are multiplied out. One map serves
 * Java arrays, tensors and exported graphs alike.
 *
 * <p>The weights sum to zero, so adding a constant to an image changes nothing, and a constant
 * image gives c = 0 exactly.
 */
public final class WeightMap {
  /**
   * Responses up to this share of ‖W‖·Σ|s|/√n count as zero, s being the n differences of samples
   * that c is summed over: they are rounding. The bound grows with the image, so that a·u has the
   * pose of u for every factor a &gt; 0.
   */
  public static final double NOTHING = 1e-12;

  /** What interpolation may multiply a sample by: room that floats must have above it. */
  private static final float ROOM = 4;

  private static final double MOST = Float.MAX_VALUE / ROOM;

  private final int height;
  private final int width;
  private final double[] re;
  private final double[] im;
  private final int[] from;
  private final int[] to;
  private final boolean odd;
  private final double norm;
  private final double rr;
  private final double ri;
  private final double ii;

  /**
   * A map from its real and imaginary parts, row by row.
   *
   * @throws IllegalArgumentException if the sizes do not fit or the weights do not sum to zero
   */
  public WeightMap(int height, int width, double[] re, double[] im) {
    this(re.clone(), im.clone(), height, width);
  }

  /** The map of weights that were constructed, which nobody changes any more. */
  static WeightMap of(Weights weights) {
    return new WeightMap(weights.re, weights.im, weights.height, weights.width);
  }

  /** A map that keeps the arrays: those of a large image take as much memory as the image. */
  private WeightMap(double[] re, double[] im, int height, int width) {
    int n = Math.multiplyExact(height, width);
    if (re.length != n || im.length != n) {
      throw new IllegalArgumentException(
          "weight map: expected %d x %d = %d weights, found %d and %d"
              .formatted(height, width, n, re.length, im.length));
    }
    this.height = height;
    this.width = width;
    this.re = re;
    this.im = im;
    this.from = new int[height];
    this.to = new int[height];
    double normRe = 0;
    double inner = 0;
    double normIm = 0;
    double sumRe = 0;
    double sumIm = 0;
    double total = 0;
    for (int i = 0; i < height; i++) {
      from[i] = width;
      for (int j = 0; j < width; j++) {
        double a = re[i * width + j];
        double b = im[i * width + j];
        if (a != 0 || b != 0) {
          from[i] = Math.min(from[i], j);
          to[i] = j + 1;
        }
        normRe += a * a;
        inner += a * b;
        normIm += b * b;
        sumRe += a;
        sumIm += b;
        total += Math.abs(a) + Math.abs(b);
      }
      from[i] = Math.min(from[i], to[i]);
    }
    odd = isOdd();
    if (!(Math.abs(sumRe) + Math.abs(sumIm) <= 1e-9 * total)) {
      throw new IllegalArgumentException(
          "weight map: expected weights that sum to 0, found %s + %si".formatted(sumRe, sumIm));
    }
    rr = normRe;
    ri = inner;
    ii = normIm;
    norm = Math.sqrt((rr + ii) / 2 + Math.hypot((rr - ii) / 2, ri));
  }

  /** Rows. */
  public int height() {
    return height;
  }

  /** Columns. */
  public int width() {
    return width;
  }

  /** The real parts, row by row (a copy). */
  public double[] re() {
    return re.clone();
  }

  /** The imaginary parts, row by row (a copy). */
  public double[] im() {
    return im.clone();
  }

  /**
   * The operator norm for grey images, sup |⟨W, u⟩| over ‖u‖₂ = 1: the larger singular value of the
   * 2 × n matrix (Re W, Im W).
   */
  public double norm() {
    return norm;
  }

  /** The operator norm for images with so many channels, ‖W‖/√channels. */
  public double norm(int channels) {
    return norm / Math.sqrt(channels);
  }

  /**
   * ⟨W, n⟩ for Gaussian noise n of variance 1 on every pixel, from two independent standard normal
   * numbers: the Cholesky factor of the Gram matrix of (Re W, Im W) times them.
   */
  double[] noise(double g0, double g1) {
    double l00 = Math.sqrt(rr);
    double l10 = l00 == 0 ? 0 : ri / l00;
    double l11 = Math.sqrt(Math.max(0, ii - l10 * l10));
    return new double[] {l00 * g0, l10 * g0 + l11 * g1};
  }

  /**
   * The pose of an image: the rotation c/|c| and how sure it is. An image that the map cannot see
   * (c = 0) has the identity pose and a margin of 0.
   *
   * @throws IllegalArgumentException if the size differs or a sample is not finite
   */
  public Pose pose(Image image) {
    requireSize(image);
    if (!odd) {
      return plain(image);
    }
    if (image.channels() != 3) {
      return paired(image);
    }
    Lanes lanes = Lanes.found();
    double[] sums = lanes == null ? null : lanes.pose(image.data(), re, im);
    return sums == null ? paired3(image) : pose(image, sums[0], sums[1], sums[2], (float) sums[3]);
  }

  /** W(-z) = -W(z), to the last bit. */
  private boolean isOdd() {
    for (int p = 0, q = re.length - 1; p <= q; p++, q--) {
      if (re[p] != -re[q] || im[p] != -im[q]) {
        return false;
      }
    }
    return true;
  }

  /** c = Σ W(z)(u(z) - u(-z)) over half of the plane, for an odd W: half the products. */
  private Pose paired(Image image) {
    float[] u = image.data();
    int n = height * width;
    double a = 0;
    double b = 0;
    double size = 0;
    float outside = 0; // stays 0 unless a sample is NaN or infinite, or nearly so
    for (int shift = 0; shift < u.length; shift += n) {
      int last = shift + n - 1; // where -z is, for z at 0
      for (int row = 0, i = 0; row < (n + 1) / 2; row += width, i++) {
        int stop = Math.min(row + width, (n + 1) / 2); // half of a middle row, with the centre
        int start = Math.min(row + from[i], stop);
        int end = Math.min(row + to[i], stop);
        for (int p = row; p < start; p++) {
          outside += 0 * (ROOM * (u[shift + p] + u[last - p]));
        }
        for (int p = start; p < end; p++) {
          float s = u[shift + p] - u[last - p];
          a += re[p] * s;
          b += im[p] * s;
          size += Math.abs(s);
          outside += 0 * (ROOM * (u[shift + p] + u[last - p]));
        }
        for (int p = end; p < stop; p++) {
          outside += 0 * (ROOM * (u[shift + p] + u[last - p]));
        }
      }
    }
    return pose(image, a, b, size, outside);
  }

  /** The same for three channels at once. */
  private Pose paired3(Image image) {
    float[] u = image.data();
    double[] re = this.re;
    double[] im = this.im;
    int n = height * width;
    int g = n; // where the second and the third channel begin
    int b = 2 * n;
    int r1 = n - 1; // where -z is in each channel, for z at 0
    int g1 = g + r1;
    int b1 = b + r1;
    double sumRe = 0;
    double sumIm = 0;
    double size = 0;
    float outside = 0;
    for (int row = 0, i = 0; row < (n + 1) / 2; row += width, i++) {
      int stop = Math.min(row + width, (n + 1) / 2);
      int start = Math.min(row + from[i], stop);
      int end = Math.min(row + to[i], stop);
      for (int p = row; p < start; p++) {
        outside += 0 * (ROOM * (u[p] + u[g + p] + u[b + p] + u[r1 - p] + u[g1 - p] + u[b1 - p]));
      }
      for (int p = start; p < end; p++) {
        float here = u[p] + u[g + p] + u[b + p];
        float there = u[r1 - p] + u[g1 - p] + u[b1 - p];
        float s = here - there;
        sumRe += re[p] * s;
        sumIm += im[p] * s;
        size += Math.abs(s);
        outside += 0 * (ROOM * (here + there));
      }
      for (int p = end; p < stop; p++) {
        outside += 0 * (ROOM * (u[p] + u[g + p] + u[b + p] + u[r1 - p] + u[g1 - p] + u[b1 - p]));
      }
    }
    return pose(image, sumRe, sumIm, size, outside);
  }

  /** c = Σ W(z)(u(z) - u(first)), for any W. */
  private Pose plain(Image image) {
    float[] u = image.data();
    int plane = height * width;
    double a = 0;
    double b = 0;
    double size = 0;
    float outside = 0;
    for (int shift = 0; shift < u.length; shift += plane) {
      double base = u[shift];
      for (int i = 0; i < height; i++) {
        int row = i * width;
        int p = row + from[i];
        int end = row + to[i];
        for (int q = row; q < p; q++) {
          outside += 0 * (ROOM * u[shift + q]);
        }
        for (; p < end; p++) {
          double s = u[shift + p] - base;
          a += re[p] * s;
          b += im[p] * s;
          size += Math.abs(s);
          outside += 0 * (ROOM * u[shift + p]);
        }
        for (int q = end; q < row + width; q++) {
          outside += 0 * (ROOM * u[shift + q]);
        }
      }
    }
    return pose(image, a, b, size, outside);
  }

  /** The pose of c = a + ib; the sums, also that of the differences, are over all channels. */
  private Pose pose(Image image, double sumRe, double sumIm, double size, float outside) {
    double a = sumRe / image.channels();
    double b = sumIm / image.channels();
    double response = Math.sqrt(a * a + b * b);
    if (!(response < Double.POSITIVE_INFINITY && size < MOST) || outside != 0) {
      image.requireFinite();
      throw new IllegalArgumentException(
          "image: expected samples far below 3e38, found an overflow; scale the image down");
    }
    double effective = norm(image.channels());
    if (response <= NOTHING * norm * size / image.channels() / Math.sqrt(re.length)) {
      return new Pose(Rotation2.IDENTITY, 0, effective);
    }
    return new Pose(new Rotation2(a / response, b / response), response, effective);
  }

  /** The map that gives for a square image what this one gives for it rotated by 90°. */
  WeightMap afterQuarterTurn() {
    double[] a = new double[re.length];
    double[] b = new double[im.length];
    for (int i = 0; i < height; i++) {
      for (int j = 0; j < width; j++) {
        int source = j * width + (width - 1 - i);
        a[source] = re[i * width + j];
        b[source] = im[i * width + j];
      }
    }
    return new WeightMap(a, b, height, width);
  }

  /**
   * How far this map is from exact symmetry under a quarter turn, relative to its largest weight: 0
   * means that images rotated by multiples of 90° get the same canonical image up to rounding.
   * Defined for square maps; others compare with the map of the swapped size.
   */
  public double quarterTurnDefect(WeightMap swapped) {
    double worst = 0;
    double largest = 0;
    for (int i = 0; i < width; i++) {
      for (int j = 0; j < height; j++) {
        // rotated(z) = u(r(90°)z) reads row j, column width-1-i; its response must be c·e^{-i90°}
        int source = j * width + (width - 1 - i);
        int here = i * height + j;
        worst = Math.max(worst, Math.abs(swapped.re[here] - im[source]));
        worst = Math.max(worst, Math.abs(swapped.im[here] + re[source]));
        largest = Math.max(largest, Math.max(Math.abs(re[source]), Math.abs(im[source])));
      }
    }
    return largest == 0 ? 0 : worst / largest;
  }

  private void requireSize(Image image) {
    if (image.height() != height || image.width() != width) {
      throw new IllegalArgumentException(
          "weight map: expected an image of %d x %d, found %d x %d"
              .formatted(height, width, image.height(), image.width()));
    }
  }
}
