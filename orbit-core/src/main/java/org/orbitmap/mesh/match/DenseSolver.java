package org.orbitmap.mesh.match;

/** Small dense systems with a symmetric positive definite matrix, by Cholesky's factors. */
final class DenseSolver {
  private DenseSolver() {}

  /**
   * Solves A X = B in place of B.
   *
   * @param a the matrix, of which the lower triangle is read; destroyed
   * @param b one row for each row of A
   */
  static void solve(double[][] a, double[][] b) {
    int n = a.length;
    double trace = 0;
    for (int i = 0; i < n; i++) {
      trace += a[i][i];
    }
    double least = 1e-14 * trace / n; // keeps a matrix that has lost its rank solvable
    for (int i = 0; i < n; i++) {
      for (int j = 0; j <= i; j++) {
        double sum = a[i][j];
        for (int k = 0; k < j; k++) {
          sum -= a[i][k] * a[j][k];
        }
        if (i == j) {
          a[i][i] = Math.sqrt(Math.max(sum, least));
        } else {
          a[i][j] = sum / a[j][j];
        }
      }
    }
    for (int i = 0; i < n; i++) {
      for (int k = 0; k < i; k++) {
        axpy(-a[i][k], b[k], b[i]);
      }
      scale(1 / a[i][i], b[i]);
    }
    for (int i = n - 1; i >= 0; i--) {
      for (int k = i + 1; k < n; k++) {
        axpy(-a[k][i], b[k], b[i]);
      }
      scale(1 / a[i][i], b[i]);
    }
  }

  private static void axpy(double s, double[] x, double[] y) {
    for (int i = 0; i < x.length; i++) {
      y[i] += s * x[i];
    }
  }

  private static void scale(double s, double[] x) {
    for (int i = 0; i < x.length; i++) {
      x[i] *= s;
    }
  }
}
