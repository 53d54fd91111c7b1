package org.orbitmap.io.image;

import java.util.List;
import java.util.Optional;
import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.leptonica.PIX;
import org.bytedeco.leptonica.global.leptonica;
import org.orbitmap.image.Image;

/**
 * JPEG files through libjpeg-turbo (of Leptonica), several times faster than the JDK's reader. It
 * can decode at 1/2, 1/4 or 1/8 of the size, from fewer of the coefficients.
 */
final class FastJpeg {
  private static final boolean THERE = load();

  /** So many pixels are copied at a time. */
  private static final int STRIP = 1 << 16;

  private FastJpeg() {}

  /** Whether its library is in the class path, for this machine. */
  static boolean isThere() {
    return THERE;
  }

  private static boolean load() {
    try {
      Loader.load(leptonica.class);
      leptonica.setMsgSeverity(leptonica.L_SEVERITY_NONE);
      return true;
    } catch (LinkageError | RuntimeException e) {
      return false; // optional: the JDK reads JPEG, too
    }
  }

  /** Columns and rows as stored; null if it is no JPEG file. */
  static int[] size(byte[] file) {
    int[] width = new int[1];
    int[] height = new int[1];
    int failed =
        leptonica.readHeaderMemJpeg(
            file, file.length, width, height, new int[1], new int[1], new int[1]);
    return failed == 0 ? new int[] {width[0], height[0]} : null;
  }

  /**
   * The whole image, upright.
   *
   * @return empty if it is not the plainest kind of JPEG file, sound or not, or if the library is
   *     not there: the JDK's reader knows the rest
   */
  static Optional<ReadImage> open(byte[] file) {
    if (file.length < 4 || (file[0] & 255) != 0xff || (file[1] & 255) != 0xd8 || !isThere()) {
      return Optional.empty();
    }
    ImageHeader header = ImageHeader.of(file);
    boolean plain = header.components() == 1 || header.components() == 3;
    int[] size = plain && header.ended() && !header.foreign() ? size(file) : null;
    if (size == null || (long) size[0] * size[1] > ImageFiles.MAX_PIXELS) {
      return Optional.empty();
    }
    Image stored = decode(file, 1, new int[] {0, 0, size[0], size[1]});
    if (stored == null) {
      return Optional.empty();
    }
    return Optional.of(
        new ReadImage(
            PhotoReader.Turn.of(header.orientation()).upright(stored),
            8,
            header.orientation() > 1 ? List.of(Upright.remark(header.orientation())) : List.of()));
  }

  /**
   * A part of the image.
   *
   * @param reduction 1, 2, 4 or 8: by which the size is divided
   * @param box left, top, columns and rows of the part, in reduced pixels
   * @return the part; null if the file cannot be decoded
   */
  static Image decode(byte[] file, int reduction, int[] box) {
    PIX pix = leptonica.pixReadMemJpeg(file, file.length, 0, reduction, new int[1], 0);
    if (pix == null || pix.isNull()) {
      return null;
    }
    try {
      int left = Math.min(box[0], pix.w() - 1);
      int top = Math.min(box[1], pix.h() - 1);
      int w = Math.min(box[2], pix.w() - left);
      int h = Math.min(box[3], pix.h() - top);
      boolean grey = pix.d() == 8;
      if (!grey && pix.d() != 32) {
        return null;
      }
      int words = pix.wpl();
      int lines = Math.max(1, Math.min(h, STRIP / words));
      int[] strip = new int[words * lines];
      IntPointer data = leptonica.pixGetData(pix);
      Image out = Image.black(grey ? 1 : 3, h, w);
      float[] to = out.data();
      int plane = out.plane();
      for (int y = 0; y < h; y++) {
        if (y % lines == 0) {
          data.position((long) (top + y) * words).get(strip, 0, words * Math.min(lines, h - y));
        }
        int from = y % lines * words;
        if (grey) {
          for (int x = 0; x < w; x++) {
            int place = left + x;
            to[y * w + x] = Levels.sample(strip[from + place / 4] >>> (24 - 8 * (place % 4)) & 255);
          }
        } else {
          Levels.samples(strip, from + left, w, to, y * w, plane);
        }
      }
      return out;
    } finally {
      leptonica.pixDestroy(pix);
    }
  }
}
