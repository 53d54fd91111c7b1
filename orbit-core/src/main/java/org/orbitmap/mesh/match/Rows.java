package org.orbitmap.mesh.match;

/**
 * Sums and products of rows of numbers: small loops with one index, which the virtual machine
 * compiles early and turns into vector instructions.
 */
final class Rows {
  private Rows() {}

  /**
   * y ← y + Σ cₗ xₗ over the first n entries of y and all l; added one after the other, so that the
   * result does not depend on how many are taken at a time.
   */
  static void add(double[] y, double[] c, double[][] x, int n) {
    int l = 0;
    for (; l + 4 <= c.length; l += 4) {
      add4(y, c[l], x[l], c[l + 1], x[l + 1], c[l + 2], x[l + 2], c[l + 3], x[l + 3], n);
    }
    for (; l < c.length; l++) {
      add(y, c[l], x[l], n);
    }
  }

  /** y ← y + c x over the first n entries. */
  static void add(double[] y, double c, double[] x, int n) {
    for (int j = 0; j < n; j++) {
      y[j] += c * x[j];
    }
  }

  private static void add4(
      double[] y,
      double a,
      double[] p,
      double b,
      double[] q,
      double c,
      double[] r,
      double d,
      double[] s,
      int n) {
    for (int j = 0; j < n; j++) {
      y[j] = y[j] + a * p[j] + b * q[j] + c * r[j] + d * s[j];
    }
  }

  /** x · y, even and odd places apart. */
  static double dot(double[] x, double[] y) {
    double a = 0;
    double b = 0;
    int i = 0;
    for (; i + 1 < x.length; i += 2) {
      a += x[i] * y[i];
      b += x[i + 1] * y[i + 1];
    }
    if (i < x.length) {
      a += x[i] * y[i];
    }
    return a + b;
  }

  /**
   * out[j] = x · y[j] for all j, two at a time, each summed as {@link #dot(double[], double[])}.
   */
  static void dots(double[] x, double[][] y, double[] out) {
    int j = 0;
    for (; j + 1 < y.length; j += 2) {
      dot2(x, y[j], y[j + 1], out, j);
    }
    if (j < y.length) {
      out[j] = dot(x, y[j]);
    }
  }

  private static void dot2(double[] x, double[] y, double[] z, double[] out, int at) {
    double a = 0;
    double b = 0;
    double c = 0;
    double d = 0;
    int i = 0;
    for (; i + 1 < x.length; i += 2) {
      double even = x[i];
      double odd = x[i + 1];
      a += even * y[i];
      b += odd * y[i + 1];
      c += even * z[i];
      d += odd * z[i + 1];
    }
    if (i < x.length) {
      a += x[i] * y[i];
      c += x[i] * z[i];
    }
    out[at] = a + b;
    out[at + 1] = c + d;
  }

  /** The rows become columns. */
  static double[][] transposed(double[][] x) {
    double[][] y = new double[x[0].length][x.length];
    for (int i = 0; i < x.length; i++) {
      double[] row = x[i];
      for (int j = 0; j < row.length; j++) {
        y[j][i] = row[j];
      }
    }
    return y;
  }

  static float[] floats(double[] x) {
    float[] y = new float[x.length];
    for (int i = 0; i < y.length; i++) {
      y[i] = (float) x[i];
    }
    return y;
  }
}
