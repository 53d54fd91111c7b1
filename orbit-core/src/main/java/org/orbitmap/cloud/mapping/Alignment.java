package org.orbitmap.cloud.mapping;

import java.util.Arrays;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.group.Similarity;
import org.orbitmap.group.SimilarityGroup.Rotations;

/**
 * Computes a {@link CloudMapping}: the definition, in any dimension, and the rules that it shares
 * with the fast way for rotations of space ({@link SpaceAlignment}). Both give the same result up
 * to rounding.
 */
final class Alignment {
  private Alignment() {}

  /**
   * Writes the canonical coordinates to {@code out}, in the fastest way there is. A cloud that
   * begins again after some of its points has the pose of these.
   */
  static CloudPose fast(CloudMapping mapping, float[] in, float[] out) {
    int own = own(in, mapping.group().dimension());
    if (own < in.length) {
      float[] once = new float[own];
      CloudPose pose = whole(mapping, Arrays.copyOf(in, own), once);
      for (int i = 0; i < out.length; i++) {
        out[i] = once[i % own];
      }
      return pose;
    }
    return whole(mapping, in, out);
  }

  /**
   * How many coordinates there are before the points come again from the first on, in the same
   * order to the end; all if they do not.
   */
  private static int own(float[] in, int d) {
    for (int i = d; i < in.length; i += d) {
      if (in[i] == in[0] && Arrays.equals(in, i, i + d, in, 0, d)) {
        return Arrays.equals(in, i, in.length, in, 0, in.length - i) ? i : in.length;
      }
    }
    return in.length;
  }

  private static CloudPose whole(CloudMapping mapping, float[] in, float[] out) {
    return mapping.group().rotated() == 3
        ? SpaceAlignment.align(mapping, in, out)
        : plain(mapping, in, out);
  }

  /** The definition, step by step. */
  static CloudPose plain(CloudMapping mapping, float[] in, float[] out) {
    int d = mapping.group().dimension();
    int n = in.length / d;
    double[] c = new double[d];
    if (mapping.group().moves()) {
      for (int i = 0; i < in.length; i++) {
        c[i % d] += (double) in[i] - in[i % d];
      }
      for (int j = 0; j < d; j++) {
        c[j] = in[j] + c[j] / n;
      }
    }
    double[] m = new double[d * d];
    double distances = 0;
    double farthest = 0;
    for (int i = 0; i < in.length; i += d) {
      double square = 0;
      for (int j = 0; j < d; j++) {
        double x = in[i + j] - c[j];
        square += x * x;
        for (int k = 0; k < d; k++) {
          m[j * d + k] += x * (in[i + k] - c[k]) / n;
        }
      }
      distances += Math.sqrt(square);
      farthest = Math.max(farthest, square);
    }
    double trace = trace(m, d);
    requireFinite(trace, d, in);
    double scale = scale(mapping, distances / n, Math.sqrt(farthest));

    double[] axes = Similarity.identity(d).rotation();
    double gap = trace > 0 ? Double.POSITIVE_INFINITY : 0;
    double margin = gap;
    int mixed = mapping.group().rotated();
    if (mixed > 0) {
      double[] block = block(m, d, mixed);
      double spread = trace(block, mixed); // of the coordinates that rotate
      double[] values = new double[mixed];
      double[] found = new double[mixed * mixed];
      SymmetricEigen.decompose(mixed, block, values, found);
      for (int j = 0; j < found.length; j++) {
        axes[j / mixed * d + j % mixed] = found[j];
      }
      gap = gap(values, spread);
      double[] scores = new double[mixed];
      for (int j = 0; j < mixed; j++) {
        if (mapping.signs() == AxisSignRule.FIRST_POINT) {
          scores[j] = firstPoint(in, c, axes, j, spread);
        } else {
          double third = 0;
          for (int i = 0; i < in.length; i += d) {
            double y = 0;
            for (int k = 0; k < d; k++) {
              y += axes[j * d + k] * (in[i + k] - c[k]);
            }
            third += y * y * y / n;
          }
          scores[j] = skewness(third, values[j], spread);
        }
      }
      margin = direct(mapping, scores, axes);
      for (int j = 0; j < mixed * d; j++) {
        axes[j] *= scores[j / d];
      }
    }
    for (int i = 0; i < in.length; i += d) {
      for (int j = 0; j < d; j++) {
        double y = 0;
        for (int k = 0; k < d; k++) {
          y += axes[j * d + k] * (in[i + k] - c[k]);
        }
        out[i + j] = (float) (scale * y);
        if (!Float.isFinite(out[i + j])) {
          throw new IllegalArgumentException(
              "cloud: expected coordinates far below 3e38, found %s for a rotated one; scale the cloud down"
                  .formatted(scale * y));
        }
      }
    }
    return pose(scale, axes, c, gap, margin, trace, n);
  }

  private static double trace(double[] m, int d) {
    double trace = 0;
    for (int j = 0; j < d; j++) {
      trace += m[j * d + j];
    }
    return trace;
  }

  /** The first rows and columns of a matrix. */
  private static double[] block(double[] m, int d, int size) {
    double[] block = new double[size * size];
    for (int j = 0; j < block.length; j++) {
      block[j] = m[j / size * d + j % size];
    }
    return block;
  }

  /**
   * Chooses the directions of the axes: replaces the scores by ±1 and returns the sign margin.
   *
   * <p>Among the sign patterns that the group allows, the one with the largest sum of signed
   * scores: every axis along its score, except that a left-handed result among proper frames turns
   * the axis with the weakest score.
   *
   * @param scores the evidence along each axis, positive for its present direction
   */
  static double direct(CloudMapping mapping, double[] scores, double[] axes) {
    int d = scores.length;
    boolean proper =
        new Similarity(1, axes, new double[mapping.group().dimension()]).handedness() > 0;
    int weakest = 0;
    for (int i = 1; i < d; i++) {
      if (Math.abs(scores[i]) < Math.abs(scores[weakest])) {
        weakest = i;
      }
    }
    double least = Math.abs(scores[weakest]);
    double second = Double.POSITIVE_INFINITY;
    for (int i = 0; i < d; i++) {
      second = i == weakest ? second : Math.min(second, Math.abs(scores[i]));
      proper ^= scores[i] < 0;
      scores[i] = scores[i] < 0 ? -1 : 1;
    }
    if (mapping.group().rotations() == Rotations.ALL || proper) {
      return least;
    }
    scores[weakest] = -scores[weakest];
    return Math.min(least, (second - least) / 2);
  }

  static CloudPose pose(
      double scale, double[] axes, double[] c, double gap, double margin, double trace, int n) {
    int d = c.length;
    double[] t = new double[d];
    for (int i = 0; i < d; i++) {
      for (int j = 0; j < d; j++) {
        t[i] -= scale * axes[i * d + j] * c[j];
      }
      t[i] += 0.0;
    }
    return new CloudPose(
        new Similarity(scale, axes, t), gap, margin, precision(c, Math.sqrt(trace)), n);
  }

  /** One over what becomes 1; 1 for a cloud without extent, which no scaling changes. */
  static double scale(CloudMapping mapping, double mean, double max) {
    if (!mapping.group().scales()) {
      return 1;
    }
    double scale = 1 / (mapping.size() == ScaleRule.MAX_NORM ? max : mean);
    return Double.isFinite(scale) ? scale : 1;
  }

  /** The smallest difference of neighbouring eigenvalues, divided by their sum; 0 if that is 0. */
  static double gap(double[] values, double trace) {
    double gap = Double.POSITIVE_INFINITY;
    for (int i = 0; i + 1 < values.length; i++) {
      gap = Math.min(gap, values[i] - values[i + 1]);
    }
    return trace > 0 ? Math.max(0, gap / trace) : 0;
  }

  /** E y³ / (3 E y² r); 0 for a cloud without extent. */
  static double skewness(double third, double second, double trace) {
    return trace > 0 ? third / (3 * Math.max(second, 1e-15 * trace) * Math.sqrt(trace)) : 0;
  }

  /** The first point's coordinate along an axis, divided by r; 0 for a cloud without extent. */
  static double firstPoint(float[] in, double[] c, double[] axes, int axis, double trace) {
    double y = 0;
    for (int k = 0; k < c.length; k++) {
      y += axes[axis * c.length + k] * (in[k] - c[k]);
    }
    return trace > 0 ? y / Math.sqrt(trace) : 0;
  }

  /** The root mean square rounding of a float point near c with spread r, divided by r. */
  private static double precision(double[] c, double r) {
    if (r == 0) {
      return 1;
    }
    double sum = 0;
    for (double v : c) {
      double ulp = Math.ulp((float) (Math.abs(v) + r));
      sum += ulp * ulp / 12;
    }
    return Math.sqrt(sum) / r;
  }

  private static void requireFinite(double trace, int dimension, float[] in) {
    if (!Double.isFinite(trace)) {
      new PointCloud(dimension, in).requireFinite();
    }
  }
}
