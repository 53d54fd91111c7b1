package org.orbitmap.app.report;

import java.util.Objects;

/**
 * A named curve.
 *
 * @param name what the legend says
 * @param x angles in degrees, or any abscissa, ascending
 * @param y one value for each x
 */
public record Series(String name, double[] x, double[] y) {
  public Series {
    Objects.requireNonNull(name, "name");
    if (x.length != y.length || x.length == 0) {
      throw new IllegalArgumentException(
          "series '%s': expected as many values as abscissas, at least one, found %d and %d"
              .formatted(name, y.length, x.length));
    }
  }

  /** Values at equal steps over the whole circle: 0°, 360°/n, … */
  public static Series overCircle(String name, double[] y) {
    double[] x = new double[y.length];
    for (int i = 0; i < x.length; i++) {
      x[i] = 360.0 * i / x.length;
    }
    return new Series(name, x, y);
  }
}
