package org.orbitmap.image;

import java.util.Locale;

/**
 * What a turned picture shows where the original had nothing.
 *
 * @param mode constant or mirrored
 * @param value the sample outside the picture for {@link Mode#CONSTANT}; also what the mask paints
 */
public record Fill(Mode mode, float value) {
  /** The kinds of fill. */
  public enum Mode {
    /** Every sample outside the picture has one value. */
    CONSTANT,
    /**
     * Outside the inscribed circle a pixel takes the value mirrored at the circle: radius r reads
     * at 2R - r. The result depends only on what is inside the circle, so a turned picture has no
     * black corners.
     */
    REFLECT
  }

  /** Black outside. */
  public static final Fill ZERO = new Fill(Mode.CONSTANT, 0);

  /** Mirrored at the inscribed circle. */
  public static final Fill REFLECT = new Fill(Mode.REFLECT, 0);

  public Fill {
    if (!Float.isFinite(value)) {
      throw new IllegalArgumentException("fill: expected a finite value, found " + value);
    }
  }

  /** One value outside. */
  public static Fill constant(float value) {
    return new Fill(Mode.CONSTANT, value);
  }

  /** {@code zero}, {@code reflect}, or a number. */
  public static Fill named(String name) {
    return switch (name.trim().toLowerCase(Locale.ROOT)) {
      case "zero" -> ZERO;
      case "reflect" -> REFLECT;
      default -> {
        try {
          yield constant(Float.parseFloat(name.trim()));
        } catch (NumberFormatException e) {
          throw new IllegalArgumentException(
              "fill: expected zero, reflect or a number, found " + name, e);
        }
      }
    };
  }

  @Override
  public String toString() {
    return mode == Mode.REFLECT ? "reflect" : value == 0 ? "zero" : Float.toString(value);
  }
}
