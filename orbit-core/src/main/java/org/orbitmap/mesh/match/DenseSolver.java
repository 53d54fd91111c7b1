package org.orbitmap.mesh.match;

/** Small dense systems with a symmetric positive definite matrix, by Cholesky's factors. */
final class DenseSolver {
  private DenseSolver() {}

  /**
   * Replaces the lower triangle of a matrix A = L Lᵀ by L. The first k rows of L belong to the
   * first k rows and columns of A.
   */
  static void factor(double[][] a) {
    int n = a.length;
    double trace = 0;
    for (int i = 0; i < n; i++) {
      trace += a[i][i];
    }
    double least = 1e-14 * trace / n; // keeps a matrix that has lost its rank solvable
    for (int i = 0; i < n; i++) {
      for (int j = 0; j <= i; j++) {
        double rest = rest(a[i], a[j], j);
        a[i][j] = i == j ? Math.sqrt(Math.max(rest, least)) : rest / a[j][j];
      }
    }
  }

  /** x[j] less the products of the entries before. */
  private static double rest(double[] x, double[] y, int j) {
    double sum = x[j];
    for (int k = 0; k < j; k++) {
      sum -= x[k] * y[k];
    }
    return sum;
  }

  /**
   * Solves A X = B in place of B.
   *
   * @param l the {@link #factor} of A, or of a larger matrix that begins with A
   * @param b one row for each row of A
   */
  static void solve(double[][] l, double[][] b) {
    int n = b.length;
    for (int i = 0; i < n; i++) {
      for (int k = 0; k < i; k++) {
        Rows.add(b[i], -l[i][k], b[k], b[i].length);
      }
      scale(1 / l[i][i], b[i]);
    }
    for (int i = n - 1; i >= 0; i--) {
      for (int k = i + 1; k < n; k++) {
        Rows.add(b[i], -l[k][i], b[k], b[i].length);
      }
      scale(1 / l[i][i], b[i]);
    }
  }

  private static void scale(double s, double[] x) {
    for (int i = 0; i < x.length; i++) {
      x[i] *= s;
    }
  }
}
