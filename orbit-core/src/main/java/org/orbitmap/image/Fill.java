package org.orbitmap.image;

import java.io.Serializable;
import java.util.Locale;

/**
 * What a rotated image shows where the original had nothing.
 *
 * @param mode constant, mirrored or continued
 * @param value the sample outside the image for {@link Mode#CONSTANT}; also what the mask paints
 */
public record Fill(Mode mode, float value) implements Serializable {
  /** The kinds of fill. */
  public enum Mode {
    /** Every sample outside the image has one value. */
    CONSTANT,
    /**
     * Outside the inscribed circle a pixel takes the value mirrored at the circle: radius r reads
     * at 2R - r. The result depends only on what is inside the circle, so a rotated image has no
     * black corners.
     */
    REFLECT,
    /**
     * Outside the inscribed circle a pixel takes the value at the circle in its direction: the rim
     * is continued outwards. Like REFLECT without black corners, and with no shapes in them, which
     * a network could take for something.
     */
    EDGE
  }

  /** Black outside. */
  public static final Fill ZERO = new Fill(Mode.CONSTANT, 0);

  /** Mirrored at the inscribed circle. */
  public static final Fill REFLECT = new Fill(Mode.REFLECT, 0);

  /** The rim of the inscribed circle, continued outwards. */
  public static final Fill EDGE = new Fill(Mode.EDGE, 0);

  public Fill {
    if (!Float.isFinite(value)) {
      throw new IllegalArgumentException("fill: expected a finite value, found " + value);
    }
  }

  /** One value outside. */
  public static Fill constant(float value) {
    return new Fill(Mode.CONSTANT, value);
  }

  /** Whether pixels outside the inscribed circle read inside it. */
  public boolean radial() {
    return mode != Mode.CONSTANT;
  }

  /**
   * Where a pixel at distance r from the centre reads, as a distance from the centre in the same
   * direction: at r inside the circle of radius R and for constant fills; outside, REFLECT folds r
   * back at R and at 0 (2R - r, and on as a triangle wave), EDGE stays at R.
   */
  public double reads(double r, double radius) {
    double rim = Math.max(radius, 0);
    return switch (mode) {
      case CONSTANT -> r;
      case EDGE -> Math.min(r, rim);
      case REFLECT -> {
        double t = rim == 0 ? 0 : r % (2 * rim);
        yield t <= rim ? t : 2 * rim - t;
      }
    };
  }

  /** {@code zero}, {@code reflect}, {@code edge}, or a number. */
  public static Fill named(String name) {
    return switch (name.trim().toLowerCase(Locale.ROOT)) {
      case "zero" -> ZERO;
      case "reflect" -> REFLECT;
      case "edge" -> EDGE;
      default -> {
        try {
          yield constant(Float.parseFloat(name.trim()));
        } catch (NumberFormatException e) {
          throw new IllegalArgumentException(
              "fill: expected zero, reflect, edge or a number, found " + name, e);
        }
      }
    };
  }

  @Override
  public String toString() {
    return radial()
        ? mode.name().toLowerCase(Locale.ROOT)
        : value == 0 ? "zero" : Float.toString(value);
  }
}
