package org.orbitmap.io.image;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import javax.imageio.plugins.jpeg.JPEGQTable;

/**
 * What a JPEG, PNG, WebP or TIFF file says beside its samples. Nothing here fails: what is missing
 * or damaged has the value of a plain file.
 *
 * @param orientation how the samples are to be shown, 1 to 8 as in EXIF; 1 is as they are
 * @param components samples for each pixel of a JPEG: 1 grey, 3 colour, 4 CMYK; 0 if not known
 * @param ended whether a JPEG has its end marker and a WebP its length; true for other files
 * @param frames the frames of an animated PNG or WebP; 1 for other files
 * @param foreign whether the colours of a JPEG follow a profile that is not sRGB
 */
record ImageHeader(int orientation, int components, boolean ended, int frames, boolean foreign) {
  private static final ImageHeader PLAIN = new ImageHeader(1, 0, true, 1, false);

  /** The tag of the orientation in a directory of TIFF, which EXIF is. */
  private static final int ORIENTATION = 0x0112;

  static ImageHeader of(byte[] file) {
    ByteBuffer in = ByteBuffer.wrap(file);
    if (file.length > 4 && in.getShort(0) == (short) 0xffd8) {
      return jpeg(file, in);
    }
    if (file.length > 8 && in.getLong(0) == 0x89504e470d0a1a0aL) {
      return png(in);
    }
    if (text(in, 0, file.length, "RIFF") && text(in, 8, file.length, "WEBP")) {
      return webp(in);
    }
    return new ImageHeader(orientation(in, 0, file.length), 0, true, 1, false);
  }

  /** Goes from marker to marker, over the compressed samples too. */
  private static ImageHeader jpeg(byte[] file, ByteBuffer in) {
    int orientation = 1;
    int components = 0;
    boolean foreign = false;
    int at = 2;
    while (at + 1 < file.length) {
      int marker = file[at + 1] & 0xff;
      boolean samples = marker == 0 || (marker >= 0xd0 && marker <= 0xd7);
      if (file[at] != (byte) 0xff || marker == 0xff || samples) {
        at++;
        continue;
      }
      if (marker == 0xd9) {
        return new ImageHeader(orientation, components, true, 1, foreign);
      }
      int length = at + 3 < file.length ? in.getShort(at + 2) & 0xffff : 0;
      int end = at + 2 + length;
      if (length < 2 || end > file.length) {
        break;
      }
      boolean frame = marker == 0xc0 || (marker > 0xc0 && marker <= 0xcf && marker % 4 != 0);
      if (frame && length >= 8) {
        components = file[at + 9] & 0xff;
      }
      if (marker == 0xe1 && orientation == 1 && text(in, at + 4, end, "Exif\0\0")) {
        orientation = orientation(in, at + 10, end);
      }
      foreign |= marker == 0xe2 && text(in, at + 4, end, "ICC_PROFILE\0") && !srgb(in, at, end);
      at = end;
    }
    return new ImageHeader(orientation, components, false, 1, foreign);
  }

  /**
   * The quality of a JPEG, 1 to 100: that whose table for brightness has the sum of the file's, as
   * the usual tables are all multiples of one. 0 if the file is no JPEG or does not say.
   */
  static int quality(byte[] file) {
    ByteBuffer in = ByteBuffer.wrap(file);
    if (file.length < 4 || in.getShort(0) != (short) 0xffd8) {
      return 0;
    }
    for (int at = 2; at + 4 < file.length && file[at] == (byte) 0xff; ) {
      int end = at + 2 + (in.getShort(at + 2) & 0xffff);
      int marker = file[at + 1] & 0xff;
      if (marker == 0xda || end <= at + 2) { // samples begin
        return 0;
      }
      if (marker == 0xdb && end <= file.length && end >= at + 69 && (file[at + 4] & 15) == 0) {
        boolean wide = file[at + 4] != 0;
        int sum = 0;
        for (int k = 0; k < 64 && at + 5 + (wide ? 2 * k + 1 : k) < end; k++) {
          sum += wide ? in.getShort(at + 5 + 2 * k) & 0xffff : file[at + 5 + k] & 0xff;
        }
        return nearest(sum);
      }
      at = end;
    }
    return 0;
  }

  /** The quality whose table for brightness has nearly this sum. */
  private static int nearest(int sum) {
    int best = 0;
    int least = Integer.MAX_VALUE;
    for (int quality = 1; quality <= 100; quality++) {
      int percent = quality < 50 ? 5000 / quality : 200 - 2 * quality;
      int own = 0;
      for (int entry : JPEGQTable.K1Luminance.getTable()) {
        own += Math.max(1, Math.min(255, (entry * percent + 50) / 100));
      }
      if (Math.abs(own - sum) < least) {
        least = Math.abs(own - sum);
        best = quality;
      }
    }
    return best;
  }

  /** Whether a profile calls itself sRGB, in either of the two ways to write text there. */
  private static boolean srgb(ByteBuffer in, int from, int end) {
    for (int i = from; i < end; i++) {
      if (in.get(i) == 's' && (text(in, i, end, "sRGB") || text(in, i, end, "s\0R\0G\0B"))) {
        return true;
      }
    }
    return false;
  }

  private static ImageHeader png(ByteBuffer in) {
    int orientation = 1;
    int frames = 1;
    for (int at = 8; at + 12 <= in.limit(); ) {
      int length = in.getInt(at);
      if (length < 0 || length > in.limit() - at - 12) {
        break;
      }
      int end = at + 8 + length;
      if (text(in, at + 4, end, "eXIf")) {
        orientation = orientation(in, at + 8, end);
      } else if (text(in, at + 4, end, "acTL") && length == 8) {
        frames = Math.max(1, in.getInt(at + 8));
      }
      at = end + 4;
    }
    return new ImageHeader(orientation, 0, true, frames, false);
  }

  private static ImageHeader webp(ByteBuffer file) {
    ByteBuffer in = file.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    int orientation = 1;
    int frames = 0;
    long whole = 8 + (in.getInt(4) & 0xffffffffL);
    for (long next = 12; next + 8 <= in.limit(); ) {
      int at = (int) next;
      long length = in.getInt(at + 4) & 0xffffffffL;
      next = at + 8 + length + length % 2;
      int end = (int) Math.min(in.limit(), at + 8 + length);
      if (text(in, at, end, "EXIF")) {
        orientation = orientation(in, text(in, at + 8, end, "Exif\0\0") ? at + 14 : at + 8, end);
      } else if (text(in, at, end, "ANMF")) {
        frames++;
      }
    }
    return new ImageHeader(orientation, 0, whole <= in.limit(), Math.max(1, frames), false);
  }

  private static boolean text(ByteBuffer in, int from, int end, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    for (int i = 0; i < bytes.length; i++) {
      if (from + i >= end || in.get(from + i) != bytes[i]) {
        return false;
      }
    }
    return true;
  }

  /** The orientation in the first directory of the TIFF structure in [start, end); 1 if none. */
  private static int orientation(ByteBuffer file, int start, int end) {
    if (end - start < 8) {
      return PLAIN.orientation;
    }
    ByteBuffer in = file.slice(start, end - start);
    int order = in.getShort(0);
    if (order != 0x4949 && order != 0x4d4d) {
      return PLAIN.orientation;
    }
    in.order(order == 0x4949 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
    long directory = in.getInt(4) & 0xffffffffL;
    if (in.getShort(2) != 42 || directory + 2 > in.limit()) {
      return PLAIN.orientation;
    }
    int entries = in.getShort((int) directory) & 0xffff;
    for (int i = 0; i < entries; i++) {
      long entry = directory + 2 + 12L * i;
      if (entry + 12 > in.limit()) {
        break;
      }
      int at = (int) entry;
      boolean one = in.getShort(at + 2) == 3 && in.getInt(at + 4) == 1; // one short number
      if (in.getShort(at) == ORIENTATION && one) {
        int value = in.getShort(at + 8) & 0xffff;
        return value >= 1 && value <= 8 ? value : PLAIN.orientation;
      }
    }
    return PLAIN.orientation;
  }
}
