package org.orbitmap.network.steerable;

import java.util.Arrays;

/**
 * The kernels of convolutions that commute with a group, between two fields: K with K(gx) = ρ(g)
 * K(x) ρ(g)⁻¹ for all g. A kernel is Σ_m c[a, b, m] b_m(x) from channel b to channel a of a field;
 * g acts on it as (g·K)(x) = ρ(g) K(g⁻¹x) ρ(g)⁻¹, and the projection onto the space is the mean of
 * g·K over the group.
 *
 * @param in the field that comes in; its count is of no matter
 * @param out the field that goes out
 * @param basis what kernels are made of
 */
public record KernelSpace(FieldType in, FieldType out, SteerableBasis basis) {
  public KernelSpace {
    if (!in.group().equals(out.group())) {
      throw new IllegalArgumentException(
          "kernels: expected fields of one group, found %s and %s"
              .formatted(in.group().name(), out.group().name()));
    }
  }

  private PlaneGroup group() {
    return out.group();
  }

  /** How many numbers c[a, b, m] there are. */
  public int length() {
    return out.size() * in.size() * basis.count();
  }

  /** The mean of g·K over the group: K itself if it is of the space. */
  public double[] projection(double[] kernel) {
    double[] mean = new double[kernel.length];
    int order = group().order();
    for (int g = 0; g < order; g++) {
      double[] moved = moved(g, kernel);
      for (int i = 0; i < mean.length; i++) {
        mean[i] += moved[i] / order;
      }
    }
    return mean;
  }

  /** g·K: (g·K)[ga, gb, n] = Σ_m K[a, b, m] D(g)_mn. */
  private double[] moved(int g, double[] kernel) {
    int count = basis.count();
    double[][] d = basis.steering(group(), g);
    double[] result = new double[kernel.length];
    for (int a = 0; a < out.size(); a++) {
      for (int b = 0; b < in.size(); b++) {
        int from = (a * in.size() + b) * count;
        int to = (out.moved(g, a) * in.size() + in.moved(g, b)) * count;
        for (int m = 0; m < count; m++) {
          if (kernel[from + m] != 0) {
            for (int n = 0; n < count; n++) {
              result[to + n] += kernel[from + m] * d[m][n];
            }
          }
        }
      }
    }
    return result;
  }

  /**
   * The dimension: the trace of the projection, which is the mean over the group of fixed channels
   * out × fixed channels in × trace of D(g).
   */
  public int dimension() {
    double sum = 0;
    for (int g = 0; g < group().order(); g++) {
      double[][] d = basis.steering(group(), g);
      double trace = 0;
      for (int m = 0; m < d.length; m++) {
        trace += d[m][m];
      }
      sum += trace * fixed(out, g) * fixed(in, g);
    }
    return Math.toIntExact(Math.round(sum / group().order()));
  }

  private static int fixed(FieldType field, int g) {
    int fixed = 0;
    for (int c = 0; c < field.size(); c++) {
      fixed += field.moved(g, c) == c ? 1 : 0;
    }
    return fixed;
  }

  /**
   * The functions b_m(a⁻¹x) on the pixels: to channel a of a regular field, what its channel 0 has
   * as b_m. They are read off the projections of the kernels that are b_m from channel 0 to channel
   * 0 and nothing else, times the order of the group.
   *
   * @return [m][a·side² + pixel]
   */
  double[][] steered() {
    int count = basis.count();
    int area = basis.side() * basis.side();
    int order = group().order();
    double[][] samples = new double[count][];
    Arrays.setAll(samples, basis::sampled);
    double[][] all = new double[count][order * area];
    for (int m = 0; m < count; m++) {
      double[] elementary = new double[length()];
      elementary[m] = 1;
      double[] projected = projection(elementary);
      for (int a = 0; a < order; a++) {
        int at = (a * in.size() + in.moved(a, 0)) * count;
        for (int n = 0; n < count; n++) {
          double c = order * projected[at + n];
          for (int i = 0; c != 0 && i < area; i++) {
            all[m][a * area + i] += c * samples[n][i];
          }
        }
      }
    }
    return all;
  }
}
