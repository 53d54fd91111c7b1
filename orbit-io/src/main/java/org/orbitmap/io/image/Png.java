package org.orbitmap.io.image;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.zip.Adler32;
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

  /** So many bytes of rows are compressed at a time. */
  private static final int STRIP = 1 << 16;

  /** So many rows tell whether an image is a drawing. */
  private static final int SEEN = 16;

  /** One for each thread, used again for the next file: a new one is 40 kB of native memory. */
  private static final ThreadLocal<Inflater> INFLATER = ThreadLocal.withInitial(Inflater::new);

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
        || (long) width * height > maxPixels
        || (long) height * (1 + (long) width * channels) > ImageFiles.DEFLATE * file.length) {
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
    Inflater inflater = INFLATER.get();
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
      inflater.reset();
    }
  }

  /** Whether nothing but the checksum follows. */
  private static boolean ends(Inflater inflater) throws DataFormatException {
    return inflater.inflate(new byte[1]) == 0 && inflater.finished();
  }

  /** Takes the filters back, row by row (section 9 of the standard); false for an unknown one. */
  private static boolean unfilter(byte[] rows, int height, int length, int step) {
    byte[] zeros = new byte[length + 1];
    for (int y = 0; y < height; y++) {
      int row = y * (length + 1);
      byte[] up = y == 0 ? zeros : rows; // what is above the first row is 0
      int above = y == 0 ? 0 : row - length - 1;
      int first = row + 1;
      int inner = first + step;
      int end = row + 1 + length;
      int back = above - row;
      switch (rows[row]) {
        case 0 -> {}
        case 1 -> {
          for (int i = inner; i < end; i++) {
            rows[i] += rows[i - step];
          }
        }
        case 2 -> {
          for (int i = first; i < end; i++) {
            rows[i] += up[i + back];
          }
        }
        case 3 -> {
          for (int i = first; i < inner; i++) {
            rows[i] += (byte) ((up[i + back] & 255) / 2);
          }
          for (int i = inner; i < end; i++) {
            rows[i] += (byte) (((rows[i - step] & 255) + (up[i + back] & 255)) / 2);
          }
        }
        case 4 -> {
          for (int i = first; i < inner; i++) {
            rows[i] += up[i + back];
          }
          for (int i = inner; i < end; i++) {
            rows[i] +=
                (byte) paeth(rows[i - step] & 255, up[i + back] & 255, up[i + back - step] & 255);
          }
        }
        default -> {
          return false;
        }
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
    int stride = 1 + width * channels; // with the filter
    for (int y = 0; y < height; y++) {
      Levels.samples(rows, y * stride + 1, channels, width, data, y * width, plane);
    }
    return image;
  }

  /**
   * The file, with 8 or 16 bits a sample. Photographs are written as differences to the left, which
   * are small numbers, coded by their frequencies alone: there is nothing that repeats to look for.
   * Drawings are written as they are, and what repeats is looked for.
   */
  static byte[] encode(Image image, int bits) {
    int channels = ImageFiles.requireGreyOrColour(image);
    if (bits != 8 && bits != 16) {
      throw new IllegalArgumentException("PNG: expected 8 or 16 bits a sample, found " + bits);
    }
    int h = image.height();
    int w = image.width();
    int step = channels * (bits / 8);
    int stride = 1 + Math.multiplyExact(w, step);
    boolean photograph = !isDrawing(image, bits);
    long all = (long) h * stride;
    Chunks out = new Chunks((int) Math.min(Integer.MAX_VALUE - 8, all / 2 + 256));
    out.write(SIGNATURE);
    out.open("IHDR");
    byte colour = (byte) (channels == 1 ? 0 : 2);
    out.write(ByteBuffer.allocate(13).putInt(w).putInt(h).put((byte) bits).put(colour).array());
    out.close();
    out.open("IDAT");
    int lines = Math.max(1, Math.min(h, STRIP / stride));
    if (photograph) {
      differences(image, bits, new byte[lines * stride], lines, out);
    } else {
      repetitions(image, bits, new byte[lines * stride], lines, out);
    }
    out.close();
    out.open("IEND");
    out.close();
    return out.bytes();
  }

  /** Compresses rows as differences to the left, some lines at a time: a block of zlib's format. */
  private static void differences(Image image, int bits, byte[] strip, int lines, Chunks out) {
    int h = image.height();
    int stride = strip.length / lines;
    LiteralDeflater deflater = new LiteralDeflater();
    Adler32 sum = new Adler32();
    out.write(new byte[] {0x78, 1});
    for (int y = 0; y < h; y += lines) {
      int count = Math.min(lines, h - y);
      for (int k = 0; k < count; k++) {
        strip[k * stride] = 1; // the filter
        row(image, y + k, bits, true, strip, k * stride + 1);
      }
      sum.update(strip, 0, count * stride);
      out.deflate(deflater, strip, count * stride, y + count == h);
    }
    out.write(ByteBuffer.allocate(4).putInt((int) sum.getValue()).array());
  }

  /** Compresses rows as they are, and looks for what repeats. */
  private static void repetitions(Image image, int bits, byte[] strip, int lines, Chunks out) {
    int h = image.height();
    int stride = strip.length / lines;
    Deflater deflater = new Deflater((long) h * stride < STRIP ? 1 : 6);
    try {
      for (int y = 0; y < h; y += lines) {
        int count = Math.min(lines, h - y);
        for (int k = 0; k < count; k++) {
          row(image, y + k, bits, false, strip, k * stride + 1); // after the filter: none
        }
        deflater.setInput(strip, 0, count * stride);
        if (y + count == h) {
          deflater.finish();
        }
        out.deflate(deflater, y + count == h);
      }
    } finally {
      deflater.end();
    }
  }

  /**
   * Writes the samples of a row, pixel by pixel.
   *
   * @param differences whether each byte is written as its difference to that of the pixel before
   */
  private static void row(Image image, int y, int bits, boolean differences, byte[] out, int at) {
    float[] data = image.data();
    int channels = image.channels();
    int plane = image.plane();
    int w = image.width();
    if (bits == 8) {
      Levels.bytes(data, y * w, plane, channels, w, differences, out, at);
      return;
    }
    int keep = differences ? 255 : 0;
    for (int c = 0; c < channels; c++) {
      int from = c * plane + y * w;
      int before = 0;
      int upper = 0;
      for (int x = 0, to = at + 2 * c; x < w; x++, to += 2 * channels) {
        float v = data[from + x];
        int level = v > 0 ? (int) Math.min(65535, v * 65535.0 + 0.5) : 0;
        out[to] = (byte) ((level >> 8) - upper);
        out[to + 1] = (byte) (level - before);
        upper = (level >> 8) & keep;
        before = level & keep;
      }
    }
  }

  /** Whether half of the bytes are equal to those of the pixel on the left, in some rows of all. */
  private static boolean isDrawing(Image image, int bits) {
    int step = image.channels() * (bits / 8);
    byte[] row = new byte[image.width() * step];
    int every = Math.max(1, image.height() / SEEN);
    long same = 0;
    long all = 0;
    for (int y = every / 2; y < image.height(); y += every) {
      row(image, y, bits, false, row, 0);
      for (int i = step; i < row.length; i++) {
        same += row[i] == row[i - step] ? 1 : 0;
      }
      all += row.length;
    }
    return 2 * same >= all;
  }

  /** A file that grows by chunks. */
  private static final class Chunks {
    private byte[] bytes;
    private int size;
    private int start;

    Chunks(int capacity) {
      bytes = new byte[Math.max(capacity, 256)];
    }

    void write(byte[] more) {
      room(more.length);
      System.arraycopy(more, 0, bytes, size, more.length);
      size += more.length;
    }

    private void room(int more) {
      if (bytes.length - size < more) {
        long larger = Math.max((long) size + more, bytes.length + (long) bytes.length / 2);
        if ((long) size + more > Integer.MAX_VALUE - 8) {
          throw new IllegalArgumentException("PNG: expected less than 2 GB, found more");
        }
        bytes = Arrays.copyOf(bytes, (int) Math.min(larger, Integer.MAX_VALUE - 8));
      }
    }

    void open(String type) {
      start = size;
      write(new byte[4]); // the length, when it is known
      write(type.getBytes(StandardCharsets.US_ASCII));
    }

    void close() {
      CRC32 crc = new CRC32();
      crc.update(bytes, start + 4, size - start - 4);
      ByteBuffer.wrap(bytes).putInt(start, size - start - 8);
      write(ByteBuffer.allocate(4).putInt((int) crc.getValue()).array());
    }

    /** Takes what a deflater makes of its input; all of it when it is to finish. */
    void deflate(Deflater deflater, boolean last) {
      while (last ? !deflater.finished() : !deflater.needsInput()) {
        room(STRIP / 4);
        size += deflater.deflate(bytes, size, bytes.length - size);
      }
    }

    /** The same for a deflater of bytes in which nothing repeats. */
    void deflate(LiteralDeflater deflater, byte[] in, int length, boolean last) {
      room(LiteralDeflater.room(length));
      size = deflater.block(in, 0, length, last, bytes, size);
    }

    byte[] bytes() {
      return Arrays.copyOf(bytes, size);
    }
  }
}
