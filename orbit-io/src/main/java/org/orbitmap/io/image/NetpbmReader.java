package org.orbitmap.io.image;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import org.orbitmap.image.Image;
import org.orbitmap.io.FormatException;

/** PGM and PPM: P2 and P5 are grey, P3 and P6 colour; P2 and P3 are written in decimal digits. */
final class NetpbmReader {
  private final Path file;
  private final InputStream in;
  private final long size;

  private NetpbmReader(Path file, InputStream in, long size) {
    this.file = file;
    this.in = in;
    this.size = size;
  }

  static ReadImage read(Path name, byte[] bytes) throws IOException {
    return new NetpbmReader(name, new ByteArrayInputStream(bytes), bytes.length).read();
  }

  private ReadImage read() throws IOException {
    in.skipNBytes(1);
    int kind = in.read() - '0';
    int width = number("a width");
    int height = number("a height");
    ImageFiles.checkSize(file, width, height);
    int max = number("the largest sample");
    if (max < 1 || max > 65535) {
      throw new FormatException(file, "a largest sample in 1..65535", max);
    }
    boolean plain = kind <= 3;
    int channels = kind == 2 || kind == 5 ? 1 : 3;
    int plane = width * height;
    // A header is cheap to forge: a raw file must hold what it promises before memory is taken.
    long needed = (long) plane * channels * (plain ? 2 : max > 255 ? 2 : 1) - (plain ? 1 : 0);
    if (size < needed) {
      throw new FormatException(
          file, "at least %,d bytes".formatted(needed), "%,d".formatted(size));
    }
    Image image = Image.black(channels, height, width);
    for (int i = 0; i < plane; i++) {
      for (int c = 0; c < channels; c++) {
        int v = plain ? number("a sample") : max > 255 ? raw() << 8 | raw() : raw();
        if (v > max) {
          throw new FormatException(file, "samples of at most " + max, v);
        }
        image.data()[c * plane + i] = v / (float) max;
      }
    }
    return new ReadImage(image, max > 255 ? 16 : 8, List.of());
  }

  private int raw() throws IOException {
    int b = in.read();
    if (b < 0) {
      throw new FormatException(file, "more samples", "the end of the file");
    }
    return b;
  }

  /** The next decimal number; skips white space and comments, eats one character after it. */
  private int number(String what) throws IOException {
    int c = in.read();
    while (c == '#' || Character.isWhitespace(c)) {
      if (c == '#') {
        while (c != '\n' && c >= 0) {
          c = in.read();
        }
      } else {
        c = in.read();
      }
    }
    int value = 0;
    if (c < '0' || c > '9') {
      throw new FormatException(file, what, c < 0 ? "the end of the file" : "'" + (char) c + "'");
    }
    for (; c >= '0' && c <= '9'; c = in.read()) {
      value = value * 10 + (c - '0');
      if (value > 100_000_000) {
        throw new FormatException(file, what + " below 100,000,000", "a larger number");
      }
    }
    return value;
  }
}
