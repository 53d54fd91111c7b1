package org.orbitmap.cloud;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A point cloud: float coordinates point by point, x y z x y z … (or x y in the plane), and any
 * numbers that belong to the points.
 *
 * <p>The arrays are not copied: treat them as immutable once they are inside a cloud.
 *
 * @param dimension 2 or 3
 * @param coordinates {@code size * dimension} numbers
 * @param features per-point values such as normals and colours; often none
 */
public record PointCloud(int dimension, float[] coordinates, List<PointFeature> features)
    implements Serializable {
  public PointCloud {
    Objects.requireNonNull(coordinates, "coordinates");
    features = List.copyOf(features);
    if (dimension != 2 && dimension != 3) {
      throw new IllegalArgumentException("cloud: expected dimension 2 or 3, found " + dimension);
    }
    if (coordinates.length == 0 || coordinates.length % dimension != 0) {
      throw new IllegalArgumentException(
          "cloud: expected a positive multiple of %d coordinates, found %d"
              .formatted(dimension, coordinates.length));
    }
    for (PointFeature f : features) {
      if (f.size() != coordinates.length / dimension) {
        throw new IllegalArgumentException(
            "cloud: expected the feature %s for %d points, found it for %d"
                .formatted(f.name(), coordinates.length / dimension, f.size()));
      }
      if (f.kind() == PointFeature.Kind.VECTOR && f.width() != dimension) {
        throw new IllegalArgumentException(
            "cloud: expected the vector feature %s to have width %d, found %d"
                .formatted(f.name(), dimension, f.width()));
      }
    }
  }

  /** A cloud of bare points. */
  public PointCloud(int dimension, float[] coordinates) {
    this(dimension, coordinates, List.of());
  }

  /** The number of points. */
  public int size() {
    return coordinates.length / dimension;
  }

  /** The feature of a name, if the cloud has it. */
  public Optional<PointFeature> feature(String name) {
    return features.stream().filter(f -> f.name().equals(name)).findFirst();
  }

  /**
   * This cloud, after a check that every coordinate is finite.
   *
   * @throws IllegalArgumentException naming the first coordinate that is NaN or infinite
   */
  public PointCloud requireFinite() {
    for (int i = 0; i < coordinates.length; i++) {
      if (!Float.isFinite(coordinates[i])) {
        throw new IllegalArgumentException(
            "cloud: expected finite coordinates, found %s at point %d, coordinate %d"
                .formatted(coordinates[i], i / dimension, i % dimension));
      }
    }
    return this;
  }

  /**
   * How far this cloud is from another, point for point, relative to this one's size: ‖x - y‖ / ‖x‖
   * in the Euclidean norm over all coordinates. Infinite for clouds of different shape.
   */
  public double relativeDistance(PointCloud other) {
    if (dimension != other.dimension || coordinates.length != other.coordinates.length) {
      return Double.POSITIVE_INFINITY;
    }
    double difference = 0;
    double size = 0;
    for (int i = 0; i < coordinates.length; i++) {
      double e = (double) coordinates[i] - other.coordinates[i];
      difference += e * e;
      size += (double) coordinates[i] * coordinates[i];
    }
    return difference == 0 ? 0 : Math.sqrt(difference / size);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof PointCloud c
        && dimension == c.dimension
        && Arrays.equals(coordinates, c.coordinates)
        && features.equals(c.features);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(coordinates) + features.hashCode();
  }

  @Override
  public String toString() {
    return "PointCloud[%d points in %d-D%s]"
        .formatted(
            size(),
            dimension,
            features.isEmpty()
                ? ""
                : " with " + String.join(", ", features.stream().map(PointFeature::name).toList()));
  }
}
