package org.orbitmap.group;

import java.io.Serializable;

/**
 * The map t → scale·t + shift of the real line.
 *
 * @param scale positive
 * @param shift any number
 */
public record ScaleShift(double scale, double shift) implements Serializable {
  public ScaleShift {
    if (!(scale > 0) || Double.isInfinite(scale) || !Double.isFinite(shift)) {
      throw new IllegalArgumentException(
          "scale and shift: expected a positive and a finite number, found %s and %s"
              .formatted(scale, shift));
    }
  }

  /** Only a scale. */
  public static ScaleShift scale(double scale) {
    return new ScaleShift(scale, 0);
  }

  /** Only a shift. */
  public static ScaleShift shift(double shift) {
    return new ScaleShift(1, shift);
  }
}
