package org.orbitmap.cloud;

import java.util.Arrays;
import java.util.Objects;

/**
 * A point cloud: float coordinates point by point, x y z x y z … (or x y in the plane).
 *
 * <p>The array is not copied: treat it as immutable once it is inside a cloud.
 *
 * @param dimension 2 or 3
 * @param coordinates {@code size * dimension} numbers
 */
public record PointCloud(int dimension, float[] coordinates) {
  public PointCloud {
    Objects.requireNonNull(coordinates, "coordinates");
    if (dimension != 2 && dimension != 3) {
      throw new IllegalArgumentException("cloud: expected dimension 2 or 3, found " + dimension);
    }
    if (coordinates.length == 0 || coordinates.length % dimension != 0) {
      throw new IllegalArgumentException(
          "cloud: expected a positive multiple of %d coordinates, found %d"
              .formatted(dimension, coordinates.length));
    }
  }

  /** The number of points. */
  public int size() {
    return coordinates.length / dimension;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof PointCloud c
        && dimension == c.dimension
        && Arrays.equals(coordinates, c.coordinates);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(coordinates);
  }

  @Override
  public String toString() {
    return "PointCloud[%d points in %d-D]".formatted(size(), dimension);
  }
}
