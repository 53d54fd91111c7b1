package org.orbitmap.mesh.spectral;

import java.util.Arrays;

/**
 * Eigenvalues and eigenvectors of a dense symmetric matrix: Householder's reflections make it
 * tridiagonal, QL steps with implicit shifts make that diagonal.
 */
final class DenseEigen {
  private static final int MOST_STEPS = 60;

  /** The eigenvalues, ascending. */
  final double[] values;

  /** Row i is the unit eigenvector of value i, or the last entries of it. */
  final double[][] vectors;

  private DenseEigen(double[] values, double[][] vectors) {
    this.values = values;
    this.vectors = vectors;
  }

  /** Decomposes a matrix; only its lower triangle is read, and it is destroyed. */
  static DenseEigen of(double[][] a) {
    Tridiagonal t = new Tridiagonal(a);
    return diagonal(t.d, t.e, t.q());
  }

  /** The same with the last entries of each vector alone, which takes a fraction of the time. */
  static DenseEigen last(double[][] a, int entries) {
    Tridiagonal t = new Tridiagonal(a);
    return diagonal(t.d, t.e, t.last(entries));
  }

  /** a = Qᵀ T Q with T tridiagonal: d is its diagonal, e[1 …] what stands below it. */
  private static final class Tridiagonal {
    final double[] d;
    final double[] e;

    /** Row k holds the k-th reflection I - u uᵀ / scale. */
    final double[][] u;

    final double[] scale;

    Tridiagonal(double[][] a) {
      int n = a.length;
      u = a;
      d = new double[n];
      e = new double[n];
      scale = new double[n];
      double[] p = new double[n];
      for (int k = n - 1; k > 0; k--) {
        reflect(a, k, p);
      }
      d[0] = a[0][0];
    }

    /** Turns row k before its diagonal onto its last axis. */
    private void reflect(double[][] a, int k, double[] p) {
      double[] row = a[k];
      d[k] = row[k];
      double rest = 0;
      for (int j = 0; j < k - 1; j++) {
        rest = Math.max(rest, Math.abs(row[j]));
      }
      if (rest == 0) {
        e[k] = row[k - 1];
        return;
      }
      double norm = Math.sqrt(dot(row, row, k));
      double alpha = row[k - 1] > 0 ? -norm : norm;
      e[k] = alpha;
      row[k - 1] -= alpha;
      double h = dot(row, row, k) / 2;
      scale[k] = h;
      // p = A u / h, with the lower triangle alone.
      Arrays.fill(p, 0, k, 0);
      for (int i = 0; i < k; i++) {
        p[i] += a[i][i] * row[i] + dot(a[i], row, i);
        add(p, row[i], a[i], i);
      }
      for (int j = 0; j < k; j++) {
        p[j] /= h;
      }
      add(p, -dot(row, p, k) / (2 * h), row, k);
      for (int i = 0; i < k; i++) {
        less(a[i], row[i], p, p[i], row, i + 1);
      }
    }

    /** Q row by row: the product of the reflections, from the small ones to the large ones. */
    double[][] q() {
      int n = d.length;
      double[][] q = new double[n][n];
      for (int i = 0; i < n; i++) {
        q[i][i] = 1;
      }
      for (int k = 1; k < n; k++) {
        for (int i = 0; i < k; i++) {
          turn(q[i], k);
        }
      }
      return q;
    }

    /** The last columns of Q, which are reflected one by one. */
    double[][] last(int columns) {
      int n = d.length;
      double[][] q = new double[n][columns];
      double[] x = new double[n];
      for (int c = 0; c < columns; c++) {
        Arrays.fill(x, 0);
        x[n - columns + c] = 1;
        for (int k = n - 1; k > 0; k--) {
          turn(x, k);
        }
        for (int i = 0; i < n; i++) {
          q[i][c] = x[i];
        }
      }
      return q;
    }

    private void turn(double[] x, int k) {
      if (scale[k] != 0) {
        add(x, -dot(x, u[k], k) / scale[k], u[k], k);
      }
    }
  }

  private static double dot(double[] x, double[] y, int n) {
    double a = 0;
    double b = 0;
    int j = 0;
    for (; j + 1 < n; j += 2) {
      a += x[j] * y[j];
      b += x[j + 1] * y[j + 1];
    }
    return j < n ? a + b + x[j] * y[j] : a + b;
  }

  private static void add(double[] y, double s, double[] x, int n) {
    for (int j = 0; j < n; j++) {
      y[j] += s * x[j];
    }
  }

  private static void less(double[] z, double s, double[] x, double t, double[] y, int n) {
    for (int j = 0; j < n; j++) {
      z[j] -= s * x[j] + t * y[j];
    }
  }

  private static void rotate(double[] x, double[] y, double c, double s) {
    for (int k = 0; k < x.length; k++) {
      double t = y[k];
      y[k] = s * x[k] + c * t;
      x[k] = c * x[k] - s * t;
    }
  }

  private static DenseEigen diagonal(double[] d, double[] e, double[][] q) {
    int n = d.length;
    System.arraycopy(e, 1, e, 0, n - 1);
    e[n - 1] = 0;
    for (int l = 0; l < n; l++) {
      int step = 0;
      for (int m = split(d, e, l); m > l; m = split(d, e, l)) {
        if (step++ == MOST_STEPS) {
          throw new ArithmeticException("eigenvalues: no convergence at " + l);
        }
        shifted(d, e, q, l, m);
      }
    }
    Integer[] order = new Integer[n];
    for (int i = 0; i < n; i++) {
      order[i] = i;
    }
    Arrays.sort(order, (i, j) -> Double.compare(d[i], d[j]));
    double[] values = new double[n];
    double[][] vectors = new double[n][];
    for (int i = 0; i < n; i++) {
      values[i] = d[order[i]];
      vectors[i] = q[order[i]];
    }
    return new DenseEigen(values, vectors);
  }

  /** The first place from l on at which the matrix falls apart. */
  private static int split(double[] d, double[] e, int l) {
    int m = l;
    while (m < d.length - 1 && Math.abs(e[m]) > 0x1p-53 * (Math.abs(d[m]) + Math.abs(d[m + 1]))) {
      m++;
    }
    return m;
  }

  /** One QL step on the rows l … m. */
  private static void shifted(double[] d, double[] e, double[][] q, int l, int m) {
    double g = (d[l + 1] - d[l]) / (2 * e[l]);
    g = d[m] - d[l] + e[l] / (g + Math.copySign(Math.hypot(g, 1), g));
    double s = 1;
    double c = 1;
    double p = 0;
    for (int i = m - 1; i >= l; i--) {
      double f = s * e[i];
      double b = c * e[i];
      double r = Math.hypot(f, g);
      e[i + 1] = r;
      if (r == 0) {
        d[i + 1] -= p;
        e[m] = 0;
        return;
      }
      s = f / r;
      c = g / r;
      g = d[i + 1] - p;
      r = (d[i] - g) * s + 2 * c * b;
      p = s * r;
      d[i + 1] = g + p;
      g = c * r - b;
      rotate(q[i], q[i + 1], c, s);
    }
    d[l] -= p;
    e[l] = g;
    e[m] = 0;
  }
}
