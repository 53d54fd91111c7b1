package org.orbitmap.image.mapping;

/**
 * The weights of a {@link PoseRule} for one size, under construction: each operation adds the
 * adjoint of a linear step.
 */
final class Weights {
  final int height;
  final int width;
  final int side;
  final double centreX;
  final double centreY;
  double[] re;
  double[] im;

  Weights(int height, int width) {
    this.height = height;
    this.width = width;
    side = Math.min(height, width);
    centreX = (width - 1) / 2.0;
    centreY = (height - 1) / 2.0;
    re = new double[height * width];
    im = new double[height * width];
  }

  /** Something that is summed over the points of the circles, in pixel coordinates. */
  interface AtPoint {
    void add(double x, double y);
  }

  /**
   * Calls back for the points of each circle; the first one stands at 45°, off the grid lines.
   *
   * @param radii as shares of the shorter side less one
   */
  void circles(int points, double[] radii, AtPoint at) {
    double unit = side - 1;
    for (double radius : radii) {
      for (int k = 0; k < points; k++) {
        double angle = Math.PI / 4 + 2 * Math.PI * k / points;
        at.add(
            centreX + radius * unit * Math.cos(angle), centreY + radius * unit * Math.sin(angle));
      }
    }
  }

  private void add(int x, int y, double a, double b) {
    re[y * width + x] += a;
    im[y * width + x] += b;
  }

  /** The gradient of the bilinear model at a point; nothing outside the image. */
  void addGradient(double x, double y) {
    if (x < 0 || y < 0 || x > width - 1 || y > height - 1 || width < 2 || height < 2) {
      return;
    }
    int i = Math.min((int) x, width - 2);
    int j = Math.min((int) y, height - 2);
    double u = x - i;
    double v = y - j;
    add(i, j, -(1 - v), -(1 - u));
    add(i + 1, j, 1 - v, -u);
    add(i, j + 1, -v, 1 - u);
    add(i + 1, j + 1, v, u);
  }

  /** A difference quotient at the nearest pixel, between offset {@code back} and 1. */
  void addDifference(double x, double y, int back) {
    int i = (int) Math.rint(x);
    int j = (int) Math.rint(y);
    if (i + back < 0 || j + back < 0 || i + 1 >= width || j + 1 >= height) {
      return;
    }
    double f = 1.0 / (1 - back);
    add(i + back, j, -f, 0);
    add(i + 1, j, f, 0);
    add(i, j + back, 0, -f);
    add(i, j + 1, 0, f);
  }

  /** The bilinear value at a point times a complex factor; nothing outside the image. */
  void addValue(double x, double y, double a, double b) {
    int i = (int) Math.floor(x);
    int j = (int) Math.floor(y);
    double u = x - i;
    double v = y - j;
    addInside(i, j, (1 - u) * (1 - v), a, b);
    addInside(i + 1, j, u * (1 - v), a, b);
    addInside(i, j + 1, (1 - u) * v, a, b);
    addInside(i + 1, j + 1, u * v, a, b);
  }

  private void addInside(int x, int y, double w, double a, double b) {
    if (x >= 0 && y >= 0 && x < width && y < height) {
      add(x, y, w * a, w * b);
    }
  }

  /** The adjoint of a separable blur that repeats the edge pixels or reads zero outside. */
  void blur(double[] g, boolean repeat) {
    re = blurred(blurred(re, g, repeat, true), g, repeat, false);
    im = blurred(blurred(im, g, repeat, true), g, repeat, false);
  }

  private double[] blurred(double[] w, double[] g, boolean repeat, boolean alongRows) {
    double[] result = new double[w.length];
    int reach = g.length / 2;
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
        double value = w[y * width + x];
        for (int k = -reach; value != 0 && k <= reach; k++) {
          int tx = alongRows ? x + k : x;
          int ty = alongRows ? y : y + k;
          if (repeat) {
            tx = Math.max(0, Math.min(width - 1, tx));
            ty = Math.max(0, Math.min(height - 1, ty));
          }
          if (tx >= 0 && ty >= 0 && tx < width && ty < height) {
            result[ty * width + tx] += g[k + reach] * value;
          }
        }
      }
    }
    return result;
  }

  /** The mean over the half turns, which makes W(-z) = -W(z) exact. */
  void symmetrise() {
    for (int p = 0, q = re.length - 1; p <= q; p++, q--) {
      double a = (re[p] - re[q]) / 2;
      double b = (im[p] - im[q]) / 2;
      re[p] = a;
      im[p] = b;
      re[q] = -a;
      im[q] = -b;
    }
  }

  /** The mean over the quarter turns, for a square: W rotated by a quarter is W times -i. */
  void symmetriseQuarters() {
    symmetrise();
    double[] a = new double[re.length];
    double[] b = new double[re.length];
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
        int p = y * width + x;
        int q = x * width + (width - 1 - y);
        a[p] = (re[p] + im[q]) / 2;
        b[p] = (im[p] - re[q]) / 2;
      }
    }
    re = a;
    im = b;
  }

  /** The weights for the image with rows and columns exchanged by a quarter turn. */
  Weights quarterTurned() {
    Weights rotated = new Weights(/* height= */ width, /* width= */ height);
    for (int i = 0; i < width; i++) {
      for (int j = 0; j < height; j++) {
        int source = j * width + (width - 1 - i);
        rotated.re[i * height + j] = im[source];
        rotated.im[i * height + j] = -re[source];
      }
    }
    return rotated;
  }
}
