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
    Elimination rows = new Elimination(matrix, order);
    for (int k = 0; k < order.length; k++) {
      rows.count(k);
    }
    rows.allocate();
    for (int k = 0; k < order.length; k++) {
      rows.eliminate(k);
    }
    return new SparseFactor(order, rows.start, rows.row, rows.value, rows.d);
  }

  /** Row after row of L, first how long the columns become, then their numbers. */
  private static final class Elimination {
    final SparseMatrix matrix;
    final int[] order;
    final int[] place;

    /** The elimination tree, and which row has passed each vertex of it last. */
    final int[] parent;

    final int[] mark;

    /** How many entries each column of L has; while it is filled, how many so far. */
    final int[] length;

    final int[] start;
    final double[] d;
    final double[] y;
    final int[] pattern;
    final int[] path;
    int[] row;
    double[] value;

    Elimination(SparseMatrix matrix, int[] order) {
      int n = matrix.size();
      this.matrix = matrix;
      this.order = order;
      place = new int[n];
      for (int k = 0; k < n; k++) {
        place[order[k]] = k;
      }
      parent = new int[n];
      mark = new int[n];
      length = new int[n];
      start = new int[n + 1];
      d = new double[n];
      y = new double[n];
      pattern = new int[n];
      path = new int[n];
    }

    void count(int k) {
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

    void allocate() {
      for (int k = 0; k < length.length; k++) {
        start[k + 1] = Math.addExact(start[k], length[k]);
      }
      row = new int[start[length.length]];
      value = new double[row.length];
      Arrays.fill(length, 0);
      Arrays.fill(mark, -1);
    }

    /** Row k of L solves a triangular system with the rows above it. */
    void eliminate(int k) {
      int top = reach(k);
      double pivot = y[k];
      y[k] = 0;
      for (; top < pattern.length; top++) {
        int i = pattern[top];
        double yi = y[i];
        y[i] = 0;
        int end = start[i] + length[i];
        less(y, yi, row, value, start[i], end);
        double l = yi / d[i];
        pivot -= l * yi;
        row[end] = k;
        value[end] = l;
        length[i]++;
      }
      if (pivot == 0 || !Double.isFinite(pivot)) {
        throw new ArithmeticException("factor: expected a regular matrix, found pivot " + pivot);
      }
      d[k] = pivot;
    }

    /** Spreads row k of the matrix in y; the columns that it meets, from a place in pattern on. */
    private int reach(int k) {
      int top = pattern.length;
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
      return top;
    }

    private static void less(double[] y, double s, int[] row, double[] value, int from, int to) {
      for (int p = from; p < to; p++) {
        y[row[p]] -= value[p] * s;
      }
    }
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
      forward(k, x);
    }
    for (int k = n - 1; k >= 0; k--) {
      backward(k, x);
    }
    for (int k = 0; k < n; k++) {
      b[order[k]] = x[2 * k];
      c[order[k]] = x[2 * k + 1];
    }
  }

  private void forward(int k, double[] x) {
    double u = x[2 * k];
    double v = x[2 * k + 1];
    int end = start[k + 1];
    for (int p = start[k]; p < end; p++) {
      int i = 2 * row[p];
      x[i] -= value[p] * u;
      x[i + 1] -= value[p] * v;
    }
  }

  private void backward(int k, double[] x) {
    double u = x[2 * k] / diagonal[k];
    double v = x[2 * k + 1] / diagonal[k];
    int end = start[k + 1];
    for (int p = start[k]; p < end; p++) {
      int i = 2 * row[p];
      u -= value[p] * x[i];
      v -= value[p] * x[i + 1];
    }
    x[2 * k] = u;
    x[2 * k + 1] = v;
  }
}
