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

  /** Row i is the unit eigenvector of value i. */
  final double[][] vectors;

  private DenseEigen(double[] values, double[][] vectors) {
    this.values = values;
    this.vectors = vectors;
  }

  /** Decomposes a matrix; only its lower triangle is read, and it is destroyed. */
  static DenseEigen of(double[][] a) {
    int n = a.length;
    double[] d = new double[n];
    double[] e = new double[n];
    double[][] q = tridiagonal(a, d, e);
    diagonal(d, e, q);
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

  /**
   * a = Qᵀ T Q with T tridiagonal (diagonal d, below it e[1 …]); returns Q row by row, so that row
   * i becomes the vector of value i.
   */
  private static double[][] tridiagonal(double[][] a, double[] d, double[] e) {
    int n = a.length;
    double[] scale = new double[n];
    double[] p = new double[n];
    for (int k = n - 1; k > 0; k--) {
      double[] u = a[k]; // u[0 … k-1] is what the reflection turns onto its last axis
      double norm = 0;
      for (int j = 0; j < k; j++) {
        norm += u[j] * u[j];
      }
      norm = Math.sqrt(norm);
      d[k] = a[k][k];
      double rest = 0;
      for (int j = 0; j < k - 1; j++) {
        rest = Math.max(rest, Math.abs(u[j]));
      }
      if (rest == 0) {
        e[k] = k > 0 ? u[k - 1] : 0;
        scale[k] = 0;
        continue;
      }
      double alpha = u[k - 1] > 0 ? -norm : norm;
      e[k] = alpha;
      u[k - 1] -= alpha;
      double h = 0;
      for (int j = 0; j < k; j++) {
        h += u[j] * u[j];
      }
      h /= 2;
      scale[k] = h;
      // p = A u / h, with the lower triangle alone.
      Arrays.fill(p, 0, k, 0);
      for (int i = 0; i < k; i++) {
        double[] ai = a[i];
        double sum = ai[i] * u[i];
        double ui = u[i];
        for (int j = 0; j < i; j++) {
          sum += ai[j] * u[j];
          p[j] += ai[j] * ui;
        }
        p[i] += sum;
      }
      double dot = 0;
      for (int j = 0; j < k; j++) {
        p[j] /= h;
        dot += u[j] * p[j];
      }
      double f = dot / (2 * h);
      for (int j = 0; j < k; j++) {
        p[j] -= f * u[j];
      }
      for (int i = 0; i < k; i++) {
        double[] ai = a[i];
        double ui = u[i];
        double pi = p[i];
        for (int j = 0; j <= i; j++) {
          ai[j] -= ui * p[j] + pi * u[j];
        }
      }
    }
    d[0] = a[0][0];
    // Q = the product of the reflections, built from the small ones to the large ones.
    double[][] q = new double[n][n];
    for (int i = 0; i < n; i++) {
      q[i][i] = 1;
    }
    for (int k = 1; k < n; k++) {
      if (scale[k] == 0) {
        continue;
      }
      double[] u = a[k];
      for (int i = 0; i < k; i++) {
        double[] qi = q[i];
        double dot = 0;
        for (int j = 0; j < k; j++) {
          dot += qi[j] * u[j];
        }
        dot /= scale[k];
        for (int j = 0; j < k; j++) {
          qi[j] -= dot * u[j];
        }
      }
    }
    return q;
  }

  private static void diagonal(double[] d, double[] e, double[][] q) {
    int n = d.length;
    System.arraycopy(e, 1, e, 0, n - 1);
    e[n - 1] = 0;
    for (int l = 0; l < n; l++) {
      for (int step = 0; ; step++) {
        int m = l;
        while (m < n - 1 && Math.abs(e[m]) > 0x1p-53 * (Math.abs(d[m]) + Math.abs(d[m + 1]))) {
          m++;
        }
        if (m == l) {
          break;
        }
        if (step == MOST_STEPS) {
          throw new ArithmeticException("eigenvalues: no convergence at " + l);
        }
        double g = (d[l + 1] - d[l]) / (2 * e[l]);
        double r = Math.hypot(g, 1);
        g = d[m] - d[l] + e[l] / (g + Math.copySign(r, g));
        double s = 1;
        double c = 1;
        double p = 0;
        int i = m - 1;
        for (; i >= l; i--) {
          double f = s * e[i];
          double b = c * e[i];
          r = Math.hypot(f, g);
          e[i + 1] = r;
          if (r == 0) {
            d[i + 1] -= p;
            e[m] = 0;
            break;
          }
          s = f / r;
          c = g / r;
          g = d[i + 1] - p;
          r = (d[i] - g) * s + 2 * c * b;
          p = s * r;
          d[i + 1] = g + p;
          g = c * r - b;
          double[] x = q[i];
          double[] y = q[i + 1];
          for (int k = 0; k < n; k++) {
            double t = y[k];
            y[k] = s * x[k] + c * t;
            x[k] = c * x[k] - s * t;
          }
        }
        if (r == 0 && i >= l) {
          continue;
        }
        d[l] -= p;
        e[l] = g;
        e[m] = 0;
      }
    }
  }
}
