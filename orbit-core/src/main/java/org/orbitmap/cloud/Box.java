package org.orbitmap.cloud;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Objects;
import org.orbitmap.group.Similarity;

/**
 * A box in any position: {@code size} along its own axes, centred at the origin, then moved by
 * {@code pose}. A box that is parallel to the axes in the canonical pose is not so in the input's
 * frame: that is why a box carries a pose.
 *
 * @param size the lengths of the edges before the pose scales them
 * @param pose where the box is
 */
public record Box(double[] size, Similarity pose) implements Serializable {
  public Box {
    Objects.requireNonNull(size, "size");
    Objects.requireNonNull(pose, "pose");
    if (size.length != pose.dimension()) {
      throw new IllegalArgumentException(
          "box: expected %d edge lengths, found %d".formatted(pose.dimension(), size.length));
    }
  }

  /** The box from one corner to the opposite one, parallel to the axes. */
  public static Box between(double[] low, double[] high) {
    double[] size = new double[low.length];
    double[] middle = new double[low.length];
    for (int i = 0; i < size.length; i++) {
      size[i] = high[i] - low[i];
      middle[i] = (low[i] + high[i]) / 2;
    }
    return new Box(size, Similarity.translation(middle));
  }

  /** The smallest box around a cloud that is parallel to the axes. */
  public static Box around(PointCloud x) {
    int d = x.dimension();
    double[] low = new double[d];
    double[] high = new double[d];
    Arrays.fill(low, Double.POSITIVE_INFINITY);
    Arrays.fill(high, Double.NEGATIVE_INFINITY);
    for (int i = 0; i < x.coordinates().length; i++) {
      low[i % d] = Math.min(low[i % d], x.coordinates()[i]);
      high[i % d] = Math.max(high[i % d], x.coordinates()[i]);
    }
    return between(low, high);
  }

  /** The corners, 4 in the plane and 8 in space. */
  public double[][] corners() {
    int d = size.length;
    double[][] corners = new double[1 << d][];
    for (int k = 0; k < corners.length; k++) {
      double[] p = new double[d];
      for (int i = 0; i < d; i++) {
        p[i] = (k >> i & 1) == 0 ? -size[i] / 2 : size[i] / 2;
      }
      corners[k] = pose.apply(p);
    }
    return corners;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Box b && Arrays.equals(size, b.size) && pose.equals(b.pose);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(size) + pose.hashCode();
  }

  @Override
  public String toString() {
    return "Box[%s, %s]".formatted(Arrays.toString(size), pose);
  }
}
