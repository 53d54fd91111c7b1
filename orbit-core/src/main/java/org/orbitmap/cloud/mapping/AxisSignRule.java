package org.orbitmap.cloud.mapping;

/** How a principal axis, which is only a line, gets its direction. */
public enum AxisSignRule {
  /**
   * By the third moment along the axis: the longer tail points to the positive side. Does not
   * depend on the order of the points. The default.
   */
  SKEWNESS,
  /**
   * By the first point: its coordinate along each axis is positive. The paper's rule (section 4.2),
   * for comparison; it depends on which point comes first.
   */
  FIRST_POINT;

  /** The rule with this name, in any case. */
  public static AxisSignRule named(String name) {
    for (AxisSignRule signs : values()) {
      if (signs.label().equalsIgnoreCase(name.trim())) {
        return signs;
      }
    }
    throw new IllegalArgumentException(
        "signs of the axes: expected skewness or first-point, found " + name);
  }

  /** The name users choose it by. */
  public String label() {
    return this == SKEWNESS ? "skewness" : "first-point";
  }
}
