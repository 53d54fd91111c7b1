package org.orbitmap.mesh.spectral;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The vectors that {@link Lanczos} has found so far, and sums over all of them: chunk by chunk, so
 * that a chunk stays in the cache, and on all cores. The order of the sums does not depend on them.
 */
final class LanczosBasis {
  /** How many entries of each vector a chunk has. */
  static final int CHUNK = 1024;

  private final int n;
  private final List<double[]> q = new ArrayList<>();

  LanczosBasis(int n) {
    this.n = n;
  }

  /** How many vectors there are: a multiple of four. */
  int size() {
    return q.size();
  }

  /** Adds vectors, which are orthonormal to those before. */
  void add(double[][] block) {
    q.addAll(List.of(block));
  }

  /** Removes what is beyond a size. */
  void cut(int size) {
    q.subList(size, q.size()).clear();
  }

  List<double[]> vectors() {
    return q;
  }

  /** Takes from each vector its part in the space of q, twice; returns the coefficients. */
  double[][] orthogonalise(double[][] w) {
    double[][] sum = new double[w.length][q.size()];
    for (int pass = 0; pass < 2; pass++) {
      double[][] c = dots(w);
      subtract(w, c);
      for (int b = 0; b < w.length; b++) {
        for (int j = 0; j < sum[b].length; j++) {
          sum[b][j] += c[b][j];
        }
      }
    }
    return sum;
  }

  int chunks() {
    return (n + CHUNK - 1) / CHUNK;
  }

  private double[][] dots(double[][] w) {
    int m = q.size();
    double[][][] parts = new double[chunks()][][];
    IntStream.range(0, parts.length)
        .parallel()
        .forEach(
            chunk -> {
              int lo = chunk * CHUNK;
              int hi = Math.min(n, lo + CHUNK);
              double[][] part = new double[w.length][m];
              for (int j = 0; j < m; j++) {
                for (int b = 0; b < w.length; b += 4) {
                  dot4(q.get(j), w, b, lo, hi, part, j);
                }
              }
              parts[chunk] = part;
            });
    double[][] sum = new double[w.length][m];
    for (double[][] part : parts) {
      for (int b = 0; b < w.length; b++) {
        for (int j = 0; j < m; j++) {
          sum[b][j] += part[b][j];
        }
      }
    }
    return sum;
  }

  private static void dot4(double[] x, double[][] w, int b, int lo, int hi, double[][] out, int j) {
    double[] w0 = w[b];
    double[] w1 = w[b + 1];
    double[] w2 = w[b + 2];
    double[] w3 = w[b + 3];
    double s0 = 0;
    double s1 = 0;
    double s2 = 0;
    double s3 = 0;
    for (int v = lo; v < hi; v++) {
      double xv = x[v];
      s0 += xv * w0[v];
      s1 += xv * w1[v];
      s2 += xv * w2[v];
      s3 += xv * w3[v];
    }
    out[b][j] = s0;
    out[b + 1][j] = s1;
    out[b + 2][j] = s2;
    out[b + 3][j] = s3;
  }

  private void subtract(double[][] w, double[][] c) {
    IntStream.range(0, chunks())
        .parallel()
        .forEach(
            chunk -> {
              int lo = chunk * CHUNK;
              int hi = Math.min(n, lo + CHUNK);
              for (int b = 0; b < w.length; b++) {
                for (int j = 0; j < q.size(); j += 4) {
                  add4(w[b], j, -c[b][j], -c[b][j + 1], -c[b][j + 2], -c[b][j + 3], lo, hi);
                }
              }
            });
  }

  /** y += four vectors of the basis, each times a number. */
  void add4(double[] y, int j, double c0, double c1, double c2, double c3, int lo, int hi) {
    double[] q0 = q.get(j);
    double[] q1 = q.get(j + 1);
    double[] q2 = q.get(j + 2);
    double[] q3 = q.get(j + 3);
    for (int v = lo; v < hi; v++) {
      y[v] += c0 * q0[v] + c1 * q1[v] + c2 * q2[v] + c3 * q3[v];
    }
  }
}
