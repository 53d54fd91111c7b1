package org.orbitmap.nn.scheme;

import java.util.random.RandomGenerator;
import org.orbitmap.cloud.PointCloud;

/**
 * The changes of training clouds that do not rotate them (paper, appendix B): points are left out,
 * then the cloud is scaled, then shifted.
 *
 * @param scaleLow the scale is uniform in [scaleLow, scaleHigh]
 * @param scaleHigh likewise
 * @param shift each coordinate of the shift is uniform in [-shift, shift]
 * @param dropout the share of points that is left out is uniform in [0, dropout]
 * @param dropped what stands in the places of those points
 */
public record CloudAugmentation(
    double scaleLow, double scaleHigh, double shift, double dropout, Dropped dropped) {
  /** What stands in the place of a point that was left out. */
  public enum Dropped {
    /**
     * The first point, as in the code that the paper builds on. Many copies of one point pull the
     * centre of mass there, and with it the canonical pose.
     */
    FIRST,
    /** The points that are left, again in the same order: the pose is that of what is left. */
    REPEATED
  }

  public CloudAugmentation {
    if (!(scaleLow > 0 && scaleLow <= scaleHigh && scaleHigh <= Float.MAX_VALUE)) {
      throw new IllegalArgumentException(
          "scale: expected 0 < low <= high, found %s and %s".formatted(scaleLow, scaleHigh));
    }
    if (!(shift >= 0 && shift <= Float.MAX_VALUE)) {
      throw new IllegalArgumentException("shift: expected 0 or more, found " + shift);
    }
    if (!(dropout >= 0 && dropout < 1)) {
      throw new IllegalArgumentException("dropout: expected a share in [0, 1), found " + dropout);
    }
  }

  /** Nothing is changed. */
  public static final CloudAugmentation NONE = new CloudAugmentation(1, 1, 0, 0, Dropped.FIRST);

  /** Scale in [0.8, 1.25], shifts up to 0.1, up to 87.5 % of the points left out. */
  public static final CloudAugmentation PAPER =
      new CloudAugmentation(0.8, 1.25, 0.1, 0.875, Dropped.FIRST);

  /** The same with another range of scales. */
  public CloudAugmentation scale(double low, double high) {
    return new CloudAugmentation(low, high, shift, dropout, dropped);
  }

  /** The same with another range of shifts. */
  public CloudAugmentation shift(double most) {
    return new CloudAugmentation(scaleLow, scaleHigh, most, dropout, dropped);
  }

  /** The same with another dropout of points. */
  public CloudAugmentation dropout(double most, Dropped replaced) {
    return new CloudAugmentation(scaleLow, scaleHigh, shift, most, replaced);
  }

  /** A changed copy of a cloud. */
  PointCloud change(PointCloud cloud, RandomGenerator random) {
    float[] x = dropout > 0 ? dropped(cloud, random) : cloud.coordinates().clone();
    double s = scaleLow < scaleHigh ? random.nextDouble(scaleLow, scaleHigh) : scaleLow;
    double[] t = new double[cloud.dimension()];
    for (int d = 0; d < t.length && shift > 0; d++) {
      t[d] = random.nextDouble(-shift, shift);
    }
    for (int i = 0; i < x.length; i++) {
      x[i] = (float) (s * x[i] + t[i % t.length]);
    }
    return new PointCloud(cloud.dimension(), x);
  }

  /** The points that are left, and what stands in for the others. */
  private float[] dropped(PointCloud cloud, RandomGenerator random) {
    int d = cloud.dimension();
    double share = dropout * random.nextDouble();
    float[] in = cloud.coordinates();
    float[] out = new float[in.length];
    int kept = 0;
    for (int p = 0; p < cloud.size(); p++) {
      boolean left = random.nextDouble() >= share;
      if (dropped == Dropped.FIRST) {
        System.arraycopy(in, left ? p * d : 0, out, p * d, d);
      } else if (left) {
        System.arraycopy(in, p * d, out, d * kept++, d);
      }
    }
    if (dropped == Dropped.REPEATED) {
      if (kept == 0) {
        System.arraycopy(in, 0, out, 0, d);
        kept = 1;
      }
      for (int i = kept * d; i < out.length; i++) {
        out[i] = out[i - kept * d];
      }
    }
    return out;
  }
}
