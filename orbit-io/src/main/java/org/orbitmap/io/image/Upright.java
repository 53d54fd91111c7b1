package org.orbitmap.io.image;

import java.awt.image.BufferedImage;
import java.awt.image.ColorModel;
import java.awt.image.Raster;
import java.awt.image.WritableRaster;

/** Shows images as their EXIF orientation says. Pixels only change places. */
final class Upright {
  private Upright() {}

  /** What there is to say about it. */
  static String remark(int orientation) {
    return "shown upright, by EXIF orientation " + orientation;
  }

  /**
   * The image as it is meant to be seen.
   *
   * @param orientation 1 as it is, 2 mirrored, 3 by a half turn, 4 upside down and mirrored; 5 to 8
   *     the same four with rows and columns exchanged: 6 by a quarter turn clockwise, 8 back
   */
  static BufferedImage of(BufferedImage image, int orientation) {
    if (orientation == 1) {
      return image;
    }
    int w = image.getWidth();
    int h = image.getHeight();
    boolean right = orientation == 2 || orientation == 3 || orientation == 6 || orientation == 7;
    boolean down = orientation == 3 || orientation == 4 || orientation == 7 || orientation == 8;
    boolean exchanged = orientation >= 5;
    int columns = exchanged ? h : w;
    int rows = exchanged ? w : h;
    ColorModel colours = image.getColorModel();
    Raster from = image.getRaster();
    WritableRaster to = colours.createCompatibleWritableRaster(columns, rows);
    Object pixel = null;
    for (int y = 0; y < h; y++) {
      for (int x = 0; x < w; x++) {
        int column = exchanged ? y : x;
        int row = exchanged ? x : y;
        pixel = from.getDataElements(x, y, pixel);
        to.setDataElements(
            right ? columns - 1 - column : column, down ? rows - 1 - row : row, pixel);
      }
    }
    return new BufferedImage(colours, to, colours.isAlphaPremultiplied(), null);
  }
}
