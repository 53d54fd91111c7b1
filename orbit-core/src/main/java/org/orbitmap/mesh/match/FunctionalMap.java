package org.orbitmap.mesh.match;

import java.io.Serializable;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * A map of functions on a surface A to functions on a surface B, as a matrix C of coefficients: f =
 * Σ aⱼ φⱼ on A becomes Σ (Ca)ᵢ ψᵢ on B. For a map of points T from B to A it is f → f∘T.
 *
 * @param c one row for each function of B
 */
public record FunctionalMap(double[][] c) implements Serializable {
  /** From so many numbers on, several cores are worth it. */
  private static final int PARALLEL = 20_000;

  /** The least-squares C of a map of points, with k functions on both sides. */
  static FunctionalMap of(
      int k, SampledSurface.Samples from, SampledSurface.Samples to, int[] map) {
    int m = to.size();
    double[][] weighted = new double[k][m];
    double[][] pulled = new double[k][m];
    for (int i = 0; i < k; i++) {
      for (int p = 0; p < m; p++) {
        weighted[i][p] = to.weight()[p] * to.basis()[i][p];
        pulled[i][p] = from.basis()[i][map[p]];
      }
    }
    double[][] gram = new double[k][k];
    double[][] right = new double[k][k];
    IntStream rows = IntStream.range(0, k);
    (k * m > PARALLEL ? rows.parallel() : rows)
        .forEach(
            i -> {
              for (int j = 0; j <= i; j++) {
                gram[i][j] = dot(weighted[i], to.basis()[j]);
              }
              for (int j = 0; j < k; j++) {
                right[i][j] = dot(weighted[i], pulled[j]);
              }
            });
    DenseSolver.solve(gram, right);
    return new FunctionalMap(right);
  }

  private static double dot(double[] x, double[] y) {
    double a = 0;
    double b = 0;
    int i = 0;
    for (; i + 1 < x.length; i += 2) {
      a += x[i] * y[i];
      b += x[i + 1] * y[i + 1];
    }
    if (i < x.length) {
      a += x[i] * y[i];
    }
    return a + b;
  }

  /** For each point of B the nearest one of A: ‖C φ(q) - ψ(p)‖ is least. */
  int[] points(SampledSurface.Samples from, SampledSurface.Samples to) {
    return Nearest.of(moved(from), still(to));
  }

  /** For each point of B the nearest one of A, and for each point of A the nearest one of B. */
  Nearest bothPoints(SampledSurface.Samples from, SampledSurface.Samples to) {
    return Nearest.both(moved(from), still(to));
  }

  private float[][] moved(SampledSurface.Samples from) {
    float[][] moved = new float[c.length][];
    IntStream rows = IntStream.range(0, c.length);
    (c.length * from.size() > PARALLEL ? rows.parallel() : rows)
        .forEach(
            i -> {
              double[] sum = new double[from.size()];
              for (int j = 0; j < c[i].length; j++) {
                double cij = c[i][j];
                double[] row = from.basis()[j];
                for (int q = 0; q < sum.length; q++) {
                  sum[q] += cij * row[q];
                }
              }
              moved[i] = floats(sum);
            });
    return moved;
  }

  private float[][] still(SampledSurface.Samples to) {
    float[][] still = new float[c.length][];
    for (int i = 0; i < still.length; i++) {
      still[i] = floats(to.basis()[i]);
    }
    return still;
  }

  /** With one function more on both sides, which goes to its fellow times a sign. */
  FunctionalMap extended(double sign) {
    int k = c.length;
    double[][] larger = new double[k + 1][];
    for (int i = 0; i < k; i++) {
      larger[i] = Arrays.copyOf(c[i], k + 1);
    }
    larger[k] = new double[k + 1];
    larger[k][k] = sign;
    return new FunctionalMap(larger);
  }

  /** The values of a function on B that has these coefficients on A. */
  public double[] times(double[] coefficients) {
    return Arrays.stream(c).mapToDouble(row -> dot(row, coefficients)).toArray();
  }

  /** 1 - ‖CᵀC - I‖ / √k. */
  double orthogonality() {
    int k = c[0].length;
    double sum = 0;
    for (int i = 0; i < k; i++) {
      for (int j = 0; j < k; j++) {
        double x = i == j ? -1 : 0;
        for (double[] row : c) {
          x += row[i] * row[j];
        }
        sum += x * x;
      }
    }
    return 1 - Math.sqrt(sum / k);
  }

  /** 1 - ‖CΛ_A - Λ_B C‖ / ‖CΛ_A‖. */
  double commutation(double[] onA, double[] onB) {
    double difference = 0;
    double size = 0;
    for (int i = 0; i < c.length; i++) {
      for (int j = 0; j < c[i].length; j++) {
        double x = c[i][j] * onA[j];
        double y = c[i][j] * onB[i];
        difference += (x - y) * (x - y);
        size += x * x;
      }
    }
    return size > 0 ? 1 - Math.sqrt(difference / size) : 0;
  }

  private static float[] floats(double[] x) {
    float[] y = new float[x.length];
    for (int i = 0; i < y.length; i++) {
      y[i] = (float) x[i];
    }
    return y;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof FunctionalMap m && Arrays.deepEquals(c, m.c);
  }

  @Override
  public int hashCode() {
    return Arrays.deepHashCode(c);
  }

  @Override
  public String toString() {
    return "FunctionalMap[%d × %d]".formatted(c.length, c[0].length);
  }
}
