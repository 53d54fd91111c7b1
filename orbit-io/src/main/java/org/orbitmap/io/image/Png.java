package org.orbitmap.io.image;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.orbitmap.image.Image;

/**
 * Reads 8-bit PNG and writes 8 and 16 bits (ISO/IEC 15948): several times as fast as the JDK on
 * small images, which is what a server gets and sends by the thousand.
 */
final class Png {
  private static final byte[] SIGNATURE = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

  /** What may stand in a file without a meaning for its samples. */
  private static final Set<String> REMARKS = Set.of("tEXt", "zTXt", "iTXt", "tIME", "pHYs");

  private Png() {}

  /**
   * Reads the plainest kind: grey or colour, 8 bits a sample, no transparency, not interlaced,
   * nothing that changes the colours, every checksum right.
   *
   * @return empty for everything else, sound or not: the JDK's reader knows the rest
   */
  static Optional<Image> decode(byte[] file, long maxPixels) {
    if (file.length < 57 || !Arrays.equals(file, 0, 8, SIGNATURE, 0, 8)) {
      return Optional.empty();
    }
    ByteBuffer in = ByteBuffer.wrap(file);
    int width = in.getInt(16);
    int height = in.getInt(20);
    int kind = in.getInt(24); // bits, colour type, compression, filter
    int channels = kind == 0x08000000 ? 1 : kind == 0x08020000 ? 3 : 0;
    if (channels == 0
        || file[28] != 0
        || width < 1
        || height < 1
        || (long) width * height > Math.min(maxPixels, 1 << 24)) {
      return Optional.empty();
    }
    byte[] rows = new byte[height * (1 + width * channels)];
    return unpack(file, rows) && unfilter(rows, height, width * channels, channels)
        ? Optional.of(image(rows, channels, height, width))
        : Optional.empty();
  }

  /** Goes through the chunks and inflates those with samples; false if anything is unusual. */
  private static boolean unpack(byte[] file, byte[] rows) {
    ByteBuffer in = ByteBuffer.wrap(file);
    Inflater inflater = new Inflater();
    CRC32 crc = new CRC32();
    int filled = 0;
    try {
      for (int at = 8; at + 12 <= file.length; ) {
        int length = in.getInt(at);
        if (length < 0 || length > file.length - at - 12) {
          return false;
        }
        crc.reset();
        crc.update(file, at + 4, 4 + length);
        if ((int) crc.getValue() != in.getInt(at + 8 + length)) {
          return false;
        }
        String type = new String(file, at + 4, 4, StandardCharsets.US_ASCII);
        if (type.equals("IHDR") ? at != 8 || length != 13 : at == 8) {
          return false;
        } else if (type.equals("IDAT")) {
          inflater.setInput(file, at + 8, length);
          filled += inflater.inflate(rows, filled, rows.length - filled);
        } else if (type.equals("IEND")) {
          return filled == rows.length && (inflater.finished() || ends(inflater));
        } else if (!type.equals("IHDR") && !REMARKS.contains(type)) {
          return false;
        }
        at += 12 + length;
      }
      return false;
    } catch (DataFormatException e) {
      return false;
    } finally {
      inflater.end();
    }
  }

  /** Whether nothing but the checksum follows. */
  private static boolean ends(Inflater inflater) throws DataFormatException {
    return inflater.inflate(new byte[1]) == 0 && inflater.finished();
  }

  /** Takes the filters back, row by row (section 9 of the standard); false for an unknown one. */
  private static boolean unfilter(byte[] rows, int height, int length, int step) {
    for (int y = 0; y < height; y++) {
      int row = y * (length + 1);
      int above = row - length - 1;
      int filter = rows[row];
      if (filter < 0 || filter > 4) {
        return false;
      }
      for (int i = 1; filter != 0 && i <= length; i++) {
        int left = i > step ? rows[row + i - step] & 255 : 0;
        int up = y > 0 ? rows[above + i] & 255 : 0;
        int corner = y > 0 && i > step ? rows[above + i - step] & 255 : 0;
        rows[row + i] +=
            (byte)
                switch (filter) {
                  case 1 -> left;
                  case 2 -> up;
                  case 3 -> (left + up) / 2;
                  default -> paeth(left, up, corner);
                };
      }
    }
    return true;
  }

  /** Of left, up and corner the nearest to left + up - corner, in this order. */
  private static int paeth(int left, int up, int corner) {
    int byLeft = Math.abs(up - corner);
    int byUp = Math.abs(left - corner);
    int byCorner = Math.abs(left + up - 2 * corner);
    return byLeft <= byUp && byLeft <= byCorner ? left : byUp <= byCorner ? up : corner;
  }

  private static Image image(byte[] rows, int channels, int height, int width) {
    Image image = Image.black(channels, height, width);
    float[] data = image.data();
    int plane = image.plane();
    for (int y = 0, from = 0, to = 0; y < height; y++) {
      from++; // the filter
      for (int x = 0; x < width; x++, to++) {
        for (int c = 0; c < channels; c++) {
          data[c * plane + to] = (rows[from++] & 255) / 255f;
        }
      }
    }
    return image;
  }

  /** The file, with 8 or 16 bits a sample. */
  static byte[] encode(Image image, int bits) {
    int channels = ImageFiles.requireGreyOrColour(image);
    if (bits != 8 && bits != 16) {
      throw new IllegalArgumentException("PNG: expected 8 or 16 bits a sample, found " + bits);
    }
    int h = image.height();
    int w = image.width();
    byte[] rows = new byte[Math.multiplyExact(h, 1 + w * channels * (bits / 8))];
    float[] data = image.data();
    int plane = image.plane();
    int to = 0;
    for (int y = 0; y < h; y++) {
      to++; // filter type 0: none
      for (int x = 0, from = y * w; x < w; x++, from++) {
        for (int c = 0; c < channels; c++) {
          float v = data[c * plane + from];
          if (bits == 8) {
            rows[to++] = (byte) ImageFiles.toByte(v);
          } else {
            int level = v > 0 ? (int) Math.min(65535, v * 65535.0 + 0.5) : 0;
            rows[to++] = (byte) (level >> 8);
            rows[to++] = (byte) level;
          }
        }
      }
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream(rows.length / 2 + 100);
    out.writeBytes(SIGNATURE);
    byte colour = (byte) (channels == 1 ? 0 : 2);
    chunk(
        out,
        "IHDR",
        ByteBuffer.allocate(13).putInt(w).putInt(h).put((byte) bits).put(colour).array(),
        13);
    byte[] packed = new byte[rows.length + rows.length / 1000 + 64];
    Deflater deflater = new Deflater(rows.length < 1 << 16 ? 1 : 6);
    try {
      deflater.setInput(rows);
      deflater.finish();
      int length = 0;
      while (!deflater.finished()) {
        if (length == packed.length) {
          packed = Arrays.copyOf(packed, 2 * length);
        }
        length += deflater.deflate(packed, length, packed.length - length);
      }
      chunk(out, "IDAT", packed, length);
    } finally {
      deflater.end();
    }
    chunk(out, "IEND", new byte[0], 0);
    return out.toByteArray();
  }

  private static void chunk(ByteArrayOutputStream out, String type, byte[] data, int length) {
    byte[] name = type.getBytes(StandardCharsets.US_ASCII);
    CRC32 crc = new CRC32();
    crc.update(name);
    crc.update(data, 0, length);
    out.writeBytes(ByteBuffer.allocate(4).putInt(length).array());
    out.writeBytes(name);
    out.write(data, 0, length);
    out.writeBytes(ByteBuffer.allocate(4).putInt((int) crc.getValue()).array());
  }
}
