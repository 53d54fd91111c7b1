package org.orbitmap.mesh.match;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Nearest neighbours in many dimensions, all against all, on all cores.
 *
 * @param point for each query the place of the nearest point; the first one of equals
 * @param query for each point the place of the nearest query; empty if it was not asked for
 */
record Nearest(int[] point, int[] query) {
  private static final int TILE = 512;
  private static final int ROWS = 64;

  /**
   * For each query the place of the nearest point.
   *
   * @param points one row for each dimension
   * @param queries one row for each dimension
   */
  static int[] of(float[][] points, float[][] queries) {
    return search(points, queries, false).point;
  }

  /** In both directions at once, which costs hardly more than in one. */
  static Nearest both(float[][] points, float[][] queries) {
    return search(points, queries, true);
  }

  private static Nearest search(float[][] points, float[][] queries, boolean both) {
    int n = points[0].length;
    int m = queries[0].length;
    float[] halfPoint = halfSquares(points);
    float[] halfQuery = halfSquares(queries);
    int[] nearest = new int[m];
    int chunks = (m + ROWS - 1) / ROWS;
    float[][] distance = new float[both ? chunks : 0][];
    int[][] place = new int[both ? chunks : 0][];
    IntStream range = IntStream.range(0, chunks);
    (chunks > 4 ? range.parallel() : range)
        .forEach(
            chunk -> {
              float[] best = new float[ROWS];
              Arrays.fill(best, Float.POSITIVE_INFINITY);
              float[] column = new float[both ? n : 0];
              Arrays.fill(column, Float.POSITIVE_INFINITY);
              int[] row = new int[column.length];
              float[] score = new float[TILE];
              int end = Math.min(m, (chunk + 1) * ROWS);
              for (int lo = 0; lo < n; lo += TILE) {
                int width = Math.min(TILE, n - lo);
                for (int i = chunk * ROWS; i < end; i++) {
                  System.arraycopy(halfPoint, lo, score, 0, width);
                  scores(points, queries, i, lo, width, score);
                  int at = least(score, width);
                  if (score[at] < best[i - chunk * ROWS]) {
                    best[i - chunk * ROWS] = score[at];
                    nearest[i] = lo + at;
                  }
                  if (both) {
                    lower(score, width, halfQuery[i], i, column, row, lo);
                  }
                }
              }
              if (both) {
                distance[chunk] = column;
                place[chunk] = row;
              }
            });
    return new Nearest(nearest, merged(distance, place, both ? n : 0));
  }

  private static float[] halfSquares(float[][] x) {
    float[] half = new float[x[0].length];
    for (float[] row : x) {
      for (int j = 0; j < half.length; j++) {
        half[j] += row[j] * row[j] / 2;
      }
    }
    return half;
  }

  private static int least(float[] score, int width) {
    int at = 0;
    float b = score[0];
    for (int j = 1; j < width; j++) {
      if (score[j] < b) {
        b = score[j];
        at = j;
      }
    }
    return at;
  }

  private static void lower(
      float[] score, int width, float half, int i, float[] column, int[] row, int lo) {
    for (int j = 0; j < width; j++) {
      float s = score[j] + half;
      if (s < column[lo + j]) {
        column[lo + j] = s;
        row[lo + j] = i;
      }
    }
  }

  private static int[] merged(float[][] distance, int[][] place, int n) {
    int[] nearest = new int[n];
    float[] best = new float[n];
    Arrays.fill(best, Float.POSITIVE_INFINITY);
    for (int chunk = 0; chunk < distance.length; chunk++) {
      for (int j = 0; j < n; j++) {
        if (distance[chunk][j] < best[j]) {
          best[j] = distance[chunk][j];
          nearest[j] = place[chunk][j];
        }
      }
    }
    return nearest;
  }

  /** score = |y|²/2 - x·y, four dimensions at a time. */
  private static void scores(
      float[][] points, float[][] queries, int i, int lo, int width, float[] score) {
    int d = points.length;
    int k = 0;
    for (; k + 4 <= d; k += 4) {
      float a = queries[k][i];
      float b = queries[k + 1][i];
      float c = queries[k + 2][i];
      float e = queries[k + 3][i];
      float[] p = points[k];
      float[] q = points[k + 1];
      float[] r = points[k + 2];
      float[] s = points[k + 3];
      for (int j = 0; j < width; j++) {
        score[j] -= a * p[lo + j] + b * q[lo + j] + c * r[lo + j] + e * s[lo + j];
      }
    }
    for (; k < d; k++) {
      float a = queries[k][i];
      float[] p = points[k];
      for (int j = 0; j < width; j++) {
        score[j] -= a * p[lo + j];
      }
    }
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Nearest n && Arrays.equals(point, n.point) && Arrays.equals(query, n.query);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(point) + Arrays.hashCode(query);
  }
}
