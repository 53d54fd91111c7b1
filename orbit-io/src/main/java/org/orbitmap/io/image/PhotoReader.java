package org.orbitmap.io.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.orbitmap.image.Image;
import org.orbitmap.io.FormatException;

/**
 * A part of a photograph of any size, in a given size: decoded no larger than needed, shown upright
 * as its EXIF orientation says.
 */
public final class PhotoReader {
  private PhotoReader() {}

  /**
   * Reads a part of a photograph.
   *
   * @param framing which part
   * @param rows of the result
   * @param columns of the result
   * @throws FormatException if the file is not an image, damaged, or too large
   */
  public static Image read(Path file, Framing framing, int rows, int columns) throws IOException {
    if (FastJpeg.isThere()
        && Files.isRegularFile(file)
        && Files.size(file) < Integer.MAX_VALUE / 2) {
      byte[] bytes = Files.readAllBytes(file);
      if (bytes.length > 4 && (bytes[0] & 255) == 0xff && (bytes[1] & 255) == 0xd8) {
        return jpeg(file, bytes, framing, rows, columns);
      }
    }
    Image whole = ImageFiles.read(file); // upright already
    return WindowFit.fit(whole, framing.of(whole.width(), whole.height()), rows, columns);
  }

  /** Whether JPEG files are decoded by the fast library. */
  public static boolean isFast() {
    return FastJpeg.isThere();
  }

  private static Image jpeg(Path file, byte[] bytes, Framing framing, int rows, int columns)
      throws IOException {
    ImageHeader header = ImageHeader.of(bytes);
    if (header.components() == 4) {
      throw new FormatException(
          file, "a JPEG image in grey or RGB", "CMYK. Convert it to RGB first");
    }
    if (!header.ended()) {
      throw new FormatException(file, "a whole JPEG image", "a truncated one");
    }
    int[] stored = FastJpeg.size(bytes);
    if (stored == null) {
      throw new FormatException(file, "a whole JPEG image", "a damaged one");
    }
    ImageFiles.checkSize(file, stored[0], stored[1]);
    Turn turn = Turn.of(header.orientation());
    int width = turn.exchanged ? stored[1] : stored[0];
    int height = turn.exchanged ? stored[0] : stored[1];
    Framing.Window w = turn.back(framing.of(width, height), width, height);
    int high = turn.exchanged ? columns : rows;
    int wide = turn.exchanged ? rows : columns;
    int reduction = 8;
    while (reduction > 1 && (w.width() < wide * reduction || w.height() < high * reduction)) {
      reduction /= 2;
    }
    // With what the resampling reads around the window.
    double r = reduction;
    int marginX = (int) Math.ceil(Math.max(1, w.width() / r / wide)) + 1;
    int marginY = (int) Math.ceil(Math.max(1, w.height() / r / high)) + 1;
    int left = Math.max(0, (int) (w.left() / r) - marginX);
    int top = Math.max(0, (int) (w.top() / r) - marginY);
    int right = (int) Math.ceil((w.left() + w.width()) / r) + marginX;
    int bottom = (int) Math.ceil((w.top() + w.height()) / r) + marginY;
    Image part =
        FastJpeg.decode(bytes, reduction, new int[] {left, top, right - left, bottom - top});
    if (part == null) {
      throw new FormatException(file, "a whole JPEG image", "a damaged one");
    }
    Framing.Window inside =
        new Framing.Window(w.left() / r - left, w.top() / r - top, w.width() / r, w.height() / r);
    return turn.upright(WindowFit.fit(part, inside, high, wide));
  }

  /** How stored pixels are shown: rows and columns exchanged, then mirrored, as {@link Upright}. */
  record Turn(boolean exchanged, boolean right, boolean down) {
    static Turn of(int orientation) {
      return new Turn(
          orientation >= 5,
          orientation == 2 || orientation == 3 || orientation == 6 || orientation == 7,
          orientation == 3 || orientation == 4 || orientation == 7 || orientation == 8);
    }

    /** Where a window of the upright photograph is stored. */
    Framing.Window back(Framing.Window w, int width, int height) {
      double x = right ? Math.max(0, width - w.left() - w.width()) : w.left();
      double y = down ? Math.max(0, height - w.top() - w.height()) : w.top();
      return exchanged
          ? new Framing.Window(y, x, w.height(), w.width())
          : new Framing.Window(x, y, w.width(), w.height());
    }

    Image upright(Image stored) {
      if (!exchanged && !right && !down) {
        return stored;
      }
      int h = stored.height();
      int w = stored.width();
      int rows = exchanged ? w : h;
      int columns = exchanged ? h : w;
      Image out = Image.black(stored.channels(), rows, columns);
      for (int c = 0; c < stored.channels(); c++) {
        for (int y = 0; y < h; y++) {
          for (int x = 0; x < w; x++) {
            int column = exchanged ? y : x;
            int row = exchanged ? x : y;
            int to =
                (down ? rows - 1 - row : row) * columns + (right ? columns - 1 - column : column);
            out.data()[c * rows * columns + to] = stored.data()[(c * h + y) * w + x];
          }
        }
      }
      return out;
    }
  }
}
