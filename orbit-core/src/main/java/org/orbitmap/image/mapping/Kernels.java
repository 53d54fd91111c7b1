package org.orbitmap.image.mapping;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The weights of {@link PoseRule#kernels}: two convolutions, summed over two circles.
 *
 * @param k1 the kernel of the real part
 * @param k2 the kernel of the imaginary part
 */
record Kernels(double[][] k1, double[][] k2) implements WeightRule {
  Kernels {
    requireCondition(k1, k2);
    k1 = copy(k1);
    k2 = copy(k2);
  }

  @Override
  public String label() {
    return "kernels";
  }

  @Override
  public Symmetry symmetry() {
    return Symmetry.QUARTER;
  }

  @Override
  public void build(Weights weights) {
    double half = (k1.length - 1) / 2.0;
    weights.circles(
        BuiltInRule.POINTS,
        BuiltInRule.RADII,
        (x, y) -> {
          for (int i = 0; i < k1.length; i++) {
            for (int j = 0; j < k1.length; j++) {
              weights.addValue(x - (j - half), y - (i - half), k1[i][j], k2[i][j]);
            }
          }
        });
  }

  private static void requireCondition(double[][] k1, double[][] k2) {
    int n = k1.length;
    if (n < 2 || k2.length != n) {
      throw new IllegalArgumentException(
          "kernels: expected two square kernels of the same size N >= 2, found %d and %d rows"
              .formatted(n, k2.length));
    }
    double scale = 0;
    for (int i = 0; i < n; i++) {
      if (k1[i].length != n || k2[i].length != n) {
        throw new IllegalArgumentException(
            "kernels: expected %d columns in row %d, found %d and %d"
                .formatted(n, i + 1, k1[i].length, k2[i].length));
      }
      for (int j = 0; j < n; j++) {
        if (!Double.isFinite(k1[i][j]) || !Double.isFinite(k2[i][j])) {
          throw new IllegalArgumentException(
              "kernels: expected finite entries, found %s and %s at [%d,%d]"
                  .formatted(k1[i][j], k2[i][j], i + 1, j + 1));
        }
        scale = Math.max(scale, Math.max(Math.abs(k1[i][j]), Math.abs(k2[i][j])));
      }
    }
    List<String> broken = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        double opposite = -k1[n - 1 - i][n - 1 - j];
        if (Math.abs(k1[i][j] - opposite) > 1e-12 * scale) {
          broken.add(
              "k1[%d,%d] = %s, but -k1[%d,%d] = %s"
                  .formatted(i + 1, j + 1, k1[i][j], n - i, n - j, opposite));
        }
        double rotated = k1[n - 1 - j][i];
        if (Math.abs(k2[i][j] - rotated) > 1e-12 * scale) {
          broken.add(
              "k2[%d,%d] = %s, but k1[%d,%d] = %s"
                  .formatted(i + 1, j + 1, k2[i][j], n - j, i + 1, rotated));
        }
      }
    }
    if (scale == 0) {
      broken.add("all entries are 0");
    }
    if (!broken.isEmpty()) {
      throw new IllegalArgumentException(
          "kernels: not rotation-equivariant, expected k1[i,j] = -k1[N+1-i,N+1-j] and k2[i,j] ="
              + " k1[N+1-j,i], found "
              + String.join("; ", broken));
    }
  }

  private static double[][] copy(double[][] k) {
    double[][] copy = new double[k.length][];
    for (int i = 0; i < k.length; i++) {
      copy[i] = k[i].clone();
    }
    return copy;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Kernels k && Arrays.deepEquals(k1, k.k1) && Arrays.deepEquals(k2, k.k2);
  }

  @Override
  public int hashCode() {
    return Arrays.deepHashCode(k1);
  }
}
