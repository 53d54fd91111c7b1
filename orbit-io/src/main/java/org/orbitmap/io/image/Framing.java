package org.orbitmap.io.image;

/** Which part of a photograph is shown, once its size is known. */
@FunctionalInterface
public interface Framing {
  /** The part of a photograph of so many columns and rows, seen upright. */
  Window of(int width, int height);

  /**
   * A rectangle in a photograph, in pixels from its upper left corner.
   *
   * @param left column where it begins
   * @param top row where it begins
   */
  record Window(double left, double top, double width, double height) {
    public Window {
      if (!(left >= 0 && top >= 0 && width > 0 && height > 0)) {
        throw new IllegalArgumentException(
            "window: expected left and top at least 0, width and height above 0, found %s, %s, %s, %s"
                .formatted(left, top, width, height));
      }
    }
  }

  /** The largest central part with the proportions of rows and columns, as {@link ImageFit}. */
  static Framing centre(int rows, int columns) {
    return (width, height) -> {
      boolean tall = (long) height * columns > (long) width * rows;
      double h = tall ? (double) width * rows / columns : height;
      double w = tall ? width : (double) height * columns / rows;
      return new Window((width - w) / 2, (height - h) / 2, w, h);
    };
  }
}
