package org.orbitmap.image;

import java.io.Serializable;
import java.util.List;

/**
 * How far from the place of a pixel it is read, in pixels of the rotated image.
 *
 * <p>One reading for each pixel loses what is finer than that: a rotated image of the same size is
 * blurred. Four readings, {@link #FINE}, are the image at twice the resolution, from which the
 * input could nearly be computed again.
 *
 * @param x to the right
 * @param y down
 */
public record Offset(double x, double y) implements Serializable {
  /** None: the pixel is read at its place. */
  public static final Offset NONE = new Offset(0, 0);

  /** One reading for each pixel, at its place. */
  public static final List<Offset> PLAIN = List.of(NONE);

  /** Also half a pixel to the right, half a pixel down, and both: twice the resolution. */
  public static final List<Offset> FINE =
      List.of(NONE, new Offset(0.5, 0), new Offset(0, 0.5), new Offset(0.5, 0.5));
}
