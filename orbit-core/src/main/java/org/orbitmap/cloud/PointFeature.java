package org.orbitmap.cloud;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Objects;

/**
 * Numbers that belong to the points of a cloud, such as normals or colours.
 *
 * <p>The array is not copied: treat it as immutable once it is inside a feature.
 *
 * @param name what a file calls it: {@code normal}, {@code colour}, {@code intensity}
 * @param kind how it transforms when the cloud does
 * @param width numbers for each point
 * @param values {@code width} numbers for each point, point by point
 */
public record PointFeature(String name, Kind kind, int width, float[] values)
    implements Serializable {
  /** The name of the feature that holds normals. */
  public static final String NORMAL = "normal";

  /** The name of the feature that holds red, green and blue, usually in [0, 1]. */
  public static final String COLOUR = "colour";

  /** How a feature follows a similarity x → s R x + t. */
  public enum Kind {
    /** Stays as it is: colour, intensity, a label. */
    SCALAR,
    /** Turns with the cloud, v → R v, and neither grows nor moves: normals, directions. */
    VECTOR
  }

  public PointFeature {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(values, "values");
    if (width < 1 || values.length % width != 0) {
      throw new IllegalArgumentException(
          "feature %s: expected a multiple of its width %d, found %d numbers"
              .formatted(name, width, values.length));
    }
  }

  /** Unit normals, which turn with the cloud. */
  public static PointFeature normals(int dimension, float[] values) {
    return new PointFeature(NORMAL, Kind.VECTOR, dimension, values);
  }

  /** Red, green and blue, which stay. */
  public static PointFeature colours(float[] values) {
    return new PointFeature(COLOUR, Kind.SCALAR, 3, values);
  }

  /** The number of points it has values for. */
  public int size() {
    return values.length / width;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof PointFeature f
        && name.equals(f.name)
        && kind == f.kind
        && width == f.width
        && Arrays.equals(values, f.values);
  }

  @Override
  public int hashCode() {
    return Objects.hash(name, kind, width, Arrays.hashCode(values));
  }

  @Override
  public String toString() {
    return "PointFeature[%s, %s, %d x %d]".formatted(name, kind, size(), width);
  }
}
