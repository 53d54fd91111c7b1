package org.orbitmap.image;

import org.orbitmap.group.Rotation2;

/**
 * A linear functional on pictures of one size with complex values: c = ⟨W, u⟩, u being the mean
 * over the channels.
 *
 * <p>If W(z) = k(|z|)·e^{iθ}, then turning the picture by α multiplies c by e^{-iα}, so c/|c| is
 * the rotation that brings the picture to its canonical pose. Every rotation-equivariant linear
 * functional has that form; the paper's mean gradient over circles (section 4.1, appendices C and
 * D) is one of them once blur, interpolation and differentiation are multiplied out. One map serves
 * Java arrays, tensors and exported graphs alike.
 *
 * <p>The weights sum to zero, so adding a constant to a picture changes nothing, and a constant
 * picture gives c = 0 exactly.
 */
public final class WeightMap {
  /** Responses up to this share of the norm count as zero: they are rounding. */
  public static final double NOTHING = 1e-12;

  private final int height;
  private final int width;
  private final double[] re;
  private final double[] im;
  private final int[] from;
  private final int[] to;
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
    int n = Math.multiplyExact(height, width);
    if (re.length != n || im.length != n) {
      throw new IllegalArgumentException(
          "weight map: expected %d x %d = %d weights, found %d and %d"
              .formatted(height, width, n, re.length, im.length));
    }
    this.height = height;
    this.width = width;
    this.re = re.clone();
    this.im = im.clone();
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
   * The operator norm for grey pictures, sup |⟨W, u⟩| over ‖u‖₂ = 1: the larger singular value of
   * the 2 × n matrix (Re W, Im W).
   */
  public double norm() {
    return norm;
  }

  /** The operator norm for pictures with so many channels, ‖W‖/√channels. */
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
   * The pose of a picture: the rotation c/|c| and how sure it is. A picture that the map cannot see
   * (c = 0) has the identity pose and a margin of 0.
   *
   * @throws IllegalArgumentException if the size differs or a sample is not finite
   */
  public Pose pose(Image image) {
    requireSize(image);
    float[] u = image.data();
    int plane = height * width;
    double a0 = 0;
    double b0 = 0;
    double a1 = 0;
    double b1 = 0;
    float outside = 0; // stays 0 unless a sample without weight is NaN or infinite
    if (image.channels() == 3) {
      double base = u[0] + u[plane] + u[2 * plane];
      for (int i = 0; i < height; i++) {
        int row = i * width;
        int p = row + from[i];
        int end = row + to[i];
        for (int q = row; q < p; q++) {
          float s = u[q] + u[q + plane] + u[q + 2 * plane];
          outside += 0 * s;
        }
        for (; p + 1 < end; p += 2) {
          double s = (u[p] + u[p + plane] + u[p + 2 * plane]) - base;
          double t = (u[p + 1] + u[p + 1 + plane] + u[p + 1 + 2 * plane]) - base;
          a0 += re[p] * s;
          b0 += im[p] * s;
          a1 += re[p + 1] * t;
          b1 += im[p + 1] * t;
        }
        for (; p < end; p++) {
          double s = (u[p] + u[p + plane] + u[p + 2 * plane]) - base;
          a0 += re[p] * s;
          b0 += im[p] * s;
        }
        for (int q = end; q < row + width; q++) {
          float s = u[q] + u[q + plane] + u[q + 2 * plane];
          outside += 0 * s;
        }
      }
    } else {
      for (int c = 0; c < image.channels(); c++) {
        int shift = c * plane;
        double base = u[shift];
        for (int i = 0; i < height; i++) {
          int row = i * width;
          int p = row + from[i];
          int end = row + to[i];
          for (int q = row; q < p; q++) {
            outside += 0 * u[shift + q];
          }
          for (; p < end; p++) {
            double s = u[shift + p] - base;
            a0 += re[p] * s;
            b0 += im[p] * s;
          }
          for (int q = end; q < row + width; q++) {
            outside += 0 * u[shift + q];
          }
        }
      }
    }
    double a = (a0 + a1) / image.channels();
    double b = (b0 + b1) / image.channels();
    double response = Math.sqrt(a * a + b * b);
    if (!(response < Double.POSITIVE_INFINITY) || outside != 0) {
      image.requireFinite();
      throw new IllegalArgumentException(
          "image: expected samples whose sum is finite, found an overflow; scale the image down");
    }
    double effective = norm(image.channels());
    if (response <= NOTHING * effective) {
      return new Pose(Rotation2.IDENTITY, 0, effective);
    }
    return new Pose(new Rotation2(a / response, b / response), response, effective);
  }

  /** The map that gives for a square picture what this one gives for it turned by 90°. */
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
    return new WeightMap(height, width, a, b);
  }

  /**
   * How far this map is from exact symmetry under a quarter turn, relative to its largest weight: 0
   * means that pictures turned by multiples of 90° get the same canonical picture up to rounding.
   * Defined for square maps; others compare with the map of the swapped size.
   */
  public double quarterTurnDefect(WeightMap swapped) {
    double worst = 0;
    double largest = 0;
    for (int i = 0; i < width; i++) {
      for (int j = 0; j < height; j++) {
        // turned(z) = u(r(90°)z) reads row j, column width-1-i; its response must be c·e^{-i90°}
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
