package org.orbitmap.io.image;

import org.orbitmap.image.Image;

/** Crops and scales images to a given size. */
public final class ImageFit {
  private ImageFit() {}

  /** The central square, each new pixel the average of the area that it covers. */
  public static Image square(Image image, int size) {
    return fit(image, size, size);
  }

  /**
   * The largest central part of the proportions that are asked for, each new pixel the average of
   * the area that it covers.
   */
  public static Image fit(Image image, int height, int width) {
    boolean tall = (long) image.height() * width > (long) image.width() * height;
    double rows = tall ? (double) image.width() * height / width : image.height();
    double columns = tall ? image.width() : (double) image.height() * width / height;
    double top = (image.height() - rows) / 2;
    double left = (image.width() - columns) / 2;
    double step = tall ? columns / width : rows / height;
    Image out = Image.black(image.channels(), height, width);
    for (int c = 0; c < image.channels(); c++) {
      for (int i = 0; i < height; i++) {
        for (int j = 0; j < width; j++) {
          out.data()[(c * height + i) * width + j] =
              (float) average(image, c, top + i * step, left + j * step, step);
        }
      }
    }
    return out;
  }

  /** A part of an image in the size that it had. */
  public static Image fit(Image image, Framing framing) {
    Framing.Window window = framing.of(image.width(), image.height());
    return WindowFit.fit(image, window, image.height(), image.width());
  }

  private static double average(Image image, int c, double y0, double x0, double step) {
    double sum = 0;
    double area = 0;
    for (int y = (int) y0; y < Math.min(image.height(), Math.ceil(y0 + step - 1e-9)); y++) {
      double dy = Math.min(y + 1, y0 + step) - Math.max(y, y0);
      for (int x = (int) x0; x < Math.min(image.width(), Math.ceil(x0 + step - 1e-9)); x++) {
        double a = dy * (Math.min(x + 1, x0 + step) - Math.max(x, x0));
        sum += a * image.at(c, y, x);
        area += a;
      }
    }
    return sum / area;
  }
}
