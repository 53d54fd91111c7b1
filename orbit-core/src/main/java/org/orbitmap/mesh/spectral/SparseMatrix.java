package org.orbitmap.mesh.spectral;

import java.io.Serializable;
import java.util.Arrays;

/**
 * A symmetric sparse matrix, row by row, both triangles stored, columns ascending.
 *
 * <p>The arrays are not copied: treat them as immutable once they are inside.
 *
 * @param start where each row begins in the other arrays, and after it where the last one ends
 * @param column the column of each entry
 * @param value the value of each entry
 */
public record SparseMatrix(int[] start, int[] column, double[] value) implements Serializable {
  /** Collects entries; those at the same place are added up. */
  static final class Builder {
    private final int n;
    private int[] rows = new int[1024];
    private int[] columns = new int[1024];
    private double[] values = new double[1024];
    private int count;

    Builder(int n) {
      this.n = n;
    }

    /** Adds a number at (i, j) and, off the diagonal, at (j, i). */
    void add(int i, int j, double v) {
      put(i, j, v);
      if (i != j) {
        put(j, i, v);
      }
    }

    private void put(int i, int j, double v) {
      if (count == rows.length) {
        rows = Arrays.copyOf(rows, 2 * count);
        columns = Arrays.copyOf(columns, 2 * count);
        values = Arrays.copyOf(values, 2 * count);
      }
      rows[count] = i;
      columns[count] = j;
      values[count++] = v;
    }

    /** Two stable passes of a counting sort, by column and by row, then equal places merge. */
    SparseMatrix build() {
      int[] byColumn = sorted(n, columns, count, null);
      int[] order = sorted(n, rows, count, byColumn);
      int[] start = new int[n + 1];
      int[] column = new int[count];
      double[] value = new double[count];
      int kept = 0;
      int row = 0;
      for (int o : order) {
        while (row < rows[o]) {
          start[++row] = kept;
        }
        if (kept > start[row] && column[kept - 1] == columns[o]) {
          value[kept - 1] += values[o];
        } else {
          column[kept] = columns[o];
          value[kept++] = values[o];
        }
      }
      while (row < n) {
        start[++row] = kept;
      }
      return new SparseMatrix(start, Arrays.copyOf(column, kept), Arrays.copyOf(value, kept));
    }
  }

  /**
   * The places of some keys, ascending; those of equal keys stay in the order that they had before.
   *
   * @param keys no key is as large
   * @param before all places in another order, or null for their own
   */
  static int[] sorted(int keys, int[] key, int count, int[] before) {
    int[] place = new int[keys + 1];
    for (int i = 0; i < count; i++) {
      place[key[i] + 1]++;
    }
    for (int k = 0; k < keys; k++) {
      place[k + 1] += place[k];
    }
    int[] order = new int[count];
    for (int i = 0; i < count; i++) {
      int at = before == null ? i : before[i];
      order[place[key[at]]++] = at;
    }
    return order;
  }

  /** The number of rows. */
  public int size() {
    return start.length - 1;
  }

  /** The product with a vector. */
  public double[] times(double[] x) {
    double[] y = new double[size()];
    for (int i = 0; i < y.length; i++) {
      double sum = 0;
      for (int e = start[i]; e < start[i + 1]; e++) {
        sum += value[e] * x[column[e]];
      }
      y[i] = sum;
    }
    return y;
  }

  /** This matrix with numbers added to its diagonal. */
  SparseMatrix plusDiagonal(double[] more) {
    double[] sum = value.clone();
    for (int i = 0; i < more.length; i++) {
      int at = Arrays.binarySearch(column, start[i], start[i + 1], i);
      if (at < 0) {
        throw new IllegalArgumentException(
            "matrix: expected an entry on the diagonal of row %d, found none".formatted(i));
      }
      sum[at] += more[i];
    }
    return new SparseMatrix(start, column, sum);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof SparseMatrix m
        && Arrays.equals(start, m.start)
        && Arrays.equals(column, m.column)
        && Arrays.equals(value, m.value);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(column) + Arrays.hashCode(value);
  }

  @Override
  public String toString() {
    return "SparseMatrix[%d rows, %d entries]".formatted(size(), value.length);
  }
}
