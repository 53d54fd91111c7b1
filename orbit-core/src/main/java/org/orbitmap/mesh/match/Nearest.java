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
    float[][][] tiles = tiles(points);
    float[][] half = new float[tiles.length][];
    Arrays.setAll(half, t -> halfSquares(tiles[t]));
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
              float[] query = new float[queries.length];
              float[] score = new float[TILE];
              int first = chunk * ROWS;
              int end = Math.min(m, first + ROWS);
              for (int t = 0; t < tiles.length; t++) {
                int width = half[t].length;
                for (int i = first; i < end; i++) {
                  column(queries, i, query);
                  System.arraycopy(half[t], 0, score, 0, width);
                  scores(tiles[t], query, width, score);
                  int at = least(score, width);
                  if (score[at] < best[i - first]) {
                    best[i - first] = score[at];
                    nearest[i] = t * TILE + at;
                  }
                  if (both) {
                    lower(score, width, halfQuery[i], i, column, row, t * TILE);
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

  /** The points in parts that stay in the cache, each with one row for each dimension. */
  private static float[][][] tiles(float[][] points) {
    int n = points[0].length;
    if (n <= TILE) {
      return new float[][][] {points};
    }
    float[][][] tiles = new float[(n + TILE - 1) / TILE][points.length][];
    for (int t = 0; t < tiles.length; t++) {
      int lo = t * TILE;
      int hi = Math.min(n, lo + TILE);
      for (int k = 0; k < points.length; k++) {
        tiles[t][k] = Arrays.copyOfRange(points[k], lo, hi);
      }
    }
    return tiles;
  }

  private static void column(float[][] x, int i, float[] out) {
    for (int k = 0; k < out.length; k++) {
      out[k] = x[k][i];
    }
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

  /** score ← score - x·y, four dimensions at a time. */
  private static void scores(float[][] y, float[] x, int width, float[] score) {
    int k = 0;
    for (; k + 4 <= x.length; k += 4) {
      less4(score, x[k], y[k], x[k + 1], y[k + 1], x[k + 2], y[k + 2], x[k + 3], y[k + 3], width);
    }
    if (k + 2 <= x.length) {
      less2(score, x[k], y[k], x[k + 1], y[k + 1], width);
      k += 2;
    }
    if (k < x.length) {
      less(score, x[k], y[k], width);
    }
  }

  /** All arrays have the same index: so the loop becomes vector instructions. */
  private static void less4(
      float[] score,
      float a,
      float[] p,
      float b,
      float[] q,
      float c,
      float[] r,
      float d,
      float[] s,
      int width) {
    for (int j = 0; j < width; j++) {
      score[j] -= a * p[j] + b * q[j] + c * r[j] + d * s[j];
    }
  }

  private static void less2(float[] score, float a, float[] p, float b, float[] q, int width) {
    for (int j = 0; j < width; j++) {
      score[j] = score[j] - a * p[j] - b * q[j];
    }
  }

  private static void less(float[] score, float a, float[] p, int width) {
    for (int j = 0; j < width; j++) {
      score[j] -= a * p[j];
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
