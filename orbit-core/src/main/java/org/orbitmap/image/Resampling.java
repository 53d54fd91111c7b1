package org.orbitmap.image;

import java.io.Serializable;
import java.util.Objects;

/**
 * How a rotated image is computed.
 *
 * @param interpolation how it is read between pixels
 * @param fill what is shown where the original had nothing
 * @param mask whether everything outside the inscribed circle is painted over with the fill value
 */
public record Resampling(Interpolation interpolation, Fill fill, boolean mask)
    implements Serializable {
  /** Bilinear, black outside: the default. */
  public static final Resampling BILINEAR = of(Interpolation.BILINEAR);

  public Resampling {
    Objects.requireNonNull(interpolation, "interpolation");
    Objects.requireNonNull(fill, "fill");
  }

  /** Black outside, no mask. */
  public static Resampling of(Interpolation interpolation) {
    return new Resampling(interpolation, Fill.ZERO, false);
  }

  /** The same with another fill. */
  public Resampling with(Fill other) {
    return new Resampling(interpolation, other, mask);
  }

  /** The same with or without the inscribed-circle mask. */
  public Resampling withMask(boolean on) {
    return new Resampling(interpolation, fill, on);
  }

  /** The radius of the inscribed circle through pixel centres, (min(height, width) - 1) / 2. */
  public static double inscribedRadius(int height, int width) {
    return (Math.min(height, width) - 1) / 2.0;
  }

  /** Such as {@code bicubic, black outside}. */
  @Override
  public String toString() {
    String outside =
        switch (fill.mode()) {
          case REFLECT -> "reflected corners";
          case EDGE -> "corners continued from the edge";
          case CONSTANT -> fill.value() == 0 ? "black outside" : fill.value() + " outside";
        };
    return interpolation + ", " + outside + (mask ? ", only inside the circle" : "");
  }
}
