package org.orbitmap.cloud.mapping;

/** What is made 1 by scaling. */
public enum ScaleRule {
  /** The mean distance of the points to the centre (paper, section 4.2). The default. */
  MEAN_DISTANCE,
  /** The largest distance of a point to the centre: the cloud fits the unit ball. */
  MAX_NORM;

  /** The size with this name, in any case. */
  public static ScaleRule named(String name) {
    for (ScaleRule size : values()) {
      if (size.label().equalsIgnoreCase(name.trim())) {
        return size;
      }
    }
    throw new IllegalArgumentException("size: expected mean-distance or max-norm, found " + name);
  }

  /** The name users choose it by. */
  public String label() {
    return this == MEAN_DISTANCE ? "mean-distance" : "max-norm";
  }
}
