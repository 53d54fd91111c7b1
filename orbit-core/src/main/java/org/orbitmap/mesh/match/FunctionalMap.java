package org.orbitmap.mesh.match;

import java.io.Serializable;
import java.util.Arrays;
import java.util.function.IntConsumer;
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
    double[][] pulled = new double[k][];
    for (int i = 0; i < k; i++) {
      pulled[i] = at(from.basis()[i], map);
    }
    double[][] c = new double[k][k];
    each(k, k * map.length, i -> Rows.dots(to.weighted()[i], pulled, c[i]));
    DenseSolver.solve(to.factor(), c);
    return new FunctionalMap(c);
  }

  private static double[] at(double[] values, int[] places) {
    double[] x = new double[places.length];
    for (int p = 0; p < x.length; p++) {
      x[p] = values[places[p]];
    }
    return x;
  }

  private static void each(int rows, int numbers, IntConsumer body) {
    IntStream range = IntStream.range(0, rows);
    (numbers > PARALLEL ? range.parallel() : range).forEach(body);
  }

  /**
   * For each point of B the nearest one of A: ‖C φ(q) - ψ(p)‖ is least.
   *
   * @param from the values of eigenfunctions at points of A, one row for each function
   * @param to those at points of B
   */
  int[] points(double[][] from, double[][] to) {
    return Nearest.of(moved(from), still(to));
  }

  /** For each point of B the nearest one of A, and for each point of A the nearest one of B. */
  Nearest bothPoints(double[][] from, double[][] to) {
    return Nearest.both(moved(from), still(to));
  }

  private float[][] moved(double[][] from) {
    int n = from[0].length;
    float[][] moved = new float[c.length][];
    each(
        c.length,
        c.length * n,
        i -> {
          double[] sum = new double[n];
          Rows.add(sum, c[i], from, n);
          moved[i] = Rows.floats(sum);
        });
    return moved;
  }

  private float[][] still(double[][] to) {
    float[][] still = new float[c.length][];
    for (int i = 0; i < still.length; i++) {
      still[i] = Rows.floats(to[i]);
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
    return Arrays.stream(c).mapToDouble(row -> Rows.dot(row, coefficients)).toArray();
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
