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

  /**
   * Takes from each vector its part in the space of q; returns the coefficients.
   *
   * <p>Twice, since once leaves the rounding of large parts behind. For vectors A q of the last
   * block those parts are in the last blocks alone, A being symmetric: the first pass takes only
   * these.
   *
   * @param last how many of the last vectors the first pass looks at
   */
  double[][] orthogonalise(double[][] w, int last) {
    double[][] sum = new double[w.length][q.size()];
    for (int from : new int[] {Math.max(0, q.size() - last), 0}) {
      double[][] c = dots(w, from);
      subtract(w, c, from);
      for (int b = 0; b < w.length; b++) {
        for (int j = from; j < sum[b].length; j++) {
          sum[b][j] += c[b][j];
        }
      }
    }
    return sum;
  }

  int chunks() {
    return (n + CHUNK - 1) / CHUNK;
  }

  private double[][] dots(double[][] w, int from) {
    int m = q.size();
    double[][][] parts = new double[chunks()][][];
    IntStream.range(0, parts.length)
        .parallel()
        .forEach(
            chunk -> {
              int lo = chunk * CHUNK;
              int hi = Math.min(n, lo + CHUNK);
              double[][] part = new double[w.length][m];
              for (int j = from; j < m; j += 2) {
                for (int b = 0; b < w.length; b += 4) {
                  dot8(q.get(j), q.get(j + 1), w, b, lo, hi, part, j);
                }
              }
              parts[chunk] = part;
            });
    double[][] sum = new double[w.length][m];
    for (double[][] part : parts) {
      for (int b = 0; b < w.length; b++) {
        for (int j = from; j < m; j++) {
          sum[b][j] += part[b][j];
        }
      }
    }
    return sum;
  }

  /** The products of two vectors with four. */
  private static void dot8(
      double[] x, double[] y, double[][] w, int b, int lo, int hi, double[][] out, int j) {
    double[] w0 = w[b];
    double[] w1 = w[b + 1];
    double[] w2 = w[b + 2];
    double[] w3 = w[b + 3];
    double s0 = 0;
    double s1 = 0;
    double s2 = 0;
    double s3 = 0;
    double t0 = 0;
    double t1 = 0;
    double t2 = 0;
    double t3 = 0;
    for (int v = lo; v < hi; v++) {
      double xv = x[v];
      double yv = y[v];
      double a = w0[v];
      double c = w1[v];
      double d = w2[v];
      double e = w3[v];
      s0 += xv * a;
      t0 += yv * a;
      s1 += xv * c;
      t1 += yv * c;
      s2 += xv * d;
      t2 += yv * d;
      s3 += xv * e;
      t3 += yv * e;
    }
    out[b][j] = s0;
    out[b + 1][j] = s1;
    out[b + 2][j] = s2;
    out[b + 3][j] = s3;
    out[b][j + 1] = t0;
    out[b + 1][j + 1] = t1;
    out[b + 2][j + 1] = t2;
    out[b + 3][j + 1] = t3;
  }

  private void subtract(double[][] w, double[][] c, int from) {
    IntStream.range(0, chunks())
        .parallel()
        .forEach(
            chunk -> {
              int lo = chunk * CHUNK;
              int hi = Math.min(n, lo + CHUNK);
              for (int b = 0; b < w.length; b++) {
                for (int j = from; j < q.size(); j += 4) {
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
