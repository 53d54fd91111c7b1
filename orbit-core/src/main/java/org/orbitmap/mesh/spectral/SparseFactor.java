package org.orbitmap.mesh.spectral;

import java.util.Arrays;

/**
 * The factors L D Lᵀ of a symmetric sparse matrix, its rows in the order of {@link Dissection}.
 *
 * <p>L has ones on its diagonal. By Sylvester's law of inertia D has as many negative entries as
 * the matrix has negative eigenvalues. There is no pivoting: that is safe for positive definite
 * matrices, and good enough to count the eigenvalues of others unless one of them is nearly 0.
 */
final class SparseFactor {
  private final int[] order;
  private final int[] start;
  private final int[] row;
  private final double[] value;
  private final double[] diagonal;

  private SparseFactor(int[] order, int[] start, int[] row, double[] value, double[] diagonal) {
    this.order = order;
    this.start = start;
    this.row = row;
    this.value = value;
    this.diagonal = diagonal;
  }

  /** Factors a matrix; the order depends on its pattern alone and can be used again. */
  static SparseFactor of(SparseMatrix matrix, int[] order) {
    int n = matrix.size();
    int[] place = new int[n];
    for (int k = 0; k < n; k++) {
      place[order[k]] = k;
    }
    // The elimination tree and the length of each column of L.
    int[] parent = new int[n];
    int[] mark = new int[n];
    int[] length = new int[n];
    for (int k = 0; k < n; k++) {
      parent[k] = -1;
      mark[k] = k;
      int r = order[k];
      for (int e = matrix.start()[r]; e < matrix.start()[r + 1]; e++) {
        int i = place[matrix.column()[e]];
        if (i < k) {
          for (; mark[i] != k; i = parent[i]) {
            if (parent[i] == -1) {
              parent[i] = k;
            }
            length[i]++;
            mark[i] = k;
          }
        }
      }
    }
    int[] start = new int[n + 1];
    for (int k = 0; k < n; k++) {
      start[k + 1] = Math.addExact(start[k], length[k]);
    }
    int[] row = new int[start[n]];
    double[] value = new double[start[n]];
    double[] d = new double[n];
    double[] y = new double[n];
    int[] pattern = new int[n];
    int[] path = new int[n];
    int[] filled = new int[n];
    Arrays.fill(mark, -1);
    // Row k of L solves a triangular system with the rows above it.
    for (int k = 0; k < n; k++) {
      int top = n;
      mark[k] = k;
      y[k] = 0;
      int r = order[k];
      for (int e = matrix.start()[r]; e < matrix.start()[r + 1]; e++) {
        int i = place[matrix.column()[e]];
        if (i <= k) {
          y[i] += matrix.value()[e];
          int steps = 0;
          for (; mark[i] != k; i = parent[i]) {
            path[steps++] = i;
            mark[i] = k;
          }
          while (steps > 0) {
            pattern[--top] = path[--steps];
          }
        }
      }
      d[k] = y[k];
      y[k] = 0;
      for (; top < n; top++) {
        int i = pattern[top];
        double yi = y[i];
        y[i] = 0;
        int end = start[i] + filled[i];
        for (int p = start[i]; p < end; p++) {
          y[row[p]] -= value[p] * yi;
        }
        double l = yi / d[i];
        d[k] -= l * yi;
        row[end] = k;
        value[end] = l;
        filled[i]++;
      }
      if (d[k] == 0 || !Double.isFinite(d[k])) {
        throw new ArithmeticException("factor: expected a regular matrix, found pivot " + d[k]);
      }
    }
    return new SparseFactor(order, start, row, value, d);
  }

  /** How many eigenvalues of the matrix are negative. */
  int negative() {
    int count = 0;
    for (double x : diagonal) {
      count += x < 0 ? 1 : 0;
    }
    return count;
  }

  /** The number of entries of L below its diagonal. */
  int entries() {
    return value.length;
  }

  /** Solves for two right-hand sides at once, which costs little more than one; in place. */
  void solve(double[] b, double[] c) {
    int n = order.length;
    double[] x = new double[2 * n];
    for (int k = 0; k < n; k++) {
      x[2 * k] = b[order[k]];
      x[2 * k + 1] = c[order[k]];
    }
    for (int k = 0; k < n; k++) {
      double u = x[2 * k];
      double v = x[2 * k + 1];
      for (int p = start[k]; p < start[k + 1]; p++) {
        int i = 2 * row[p];
        x[i] -= value[p] * u;
        x[i + 1] -= value[p] * v;
      }
    }
    for (int k = n - 1; k >= 0; k--) {
      double u = x[2 * k] / diagonal[k];
      double v = x[2 * k + 1] / diagonal[k];
      for (int p = start[k]; p < start[k + 1]; p++) {
        int i = 2 * row[p];
        u -= value[p] * x[i];
        v -= value[p] * x[i + 1];
      }
      x[2 * k] = u;
      x[2 * k + 1] = v;
    }
    for (int k = 0; k < n; k++) {
      b[order[k]] = x[2 * k];
      c[order[k]] = x[2 * k + 1];
    }
  }
}
