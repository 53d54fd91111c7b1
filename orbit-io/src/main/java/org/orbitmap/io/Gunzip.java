package org.orbitmap.io;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * Opens files that may be gzipped; the first two bytes tell. What a file unpacks to is bounded by a
 * multiple of its own size, so that a small one cannot fill memory or disk.
 */
public final class Gunzip {
  /** What may always be unpacked: 64 MiB. */
  static final long FREE = 64L << 20;

  /** Beyond that, the most bytes for each one of the file; data sets have 2 to 20. */
  static final long RATIO = 100;

  private Gunzip() {}

  /** The content of a plain or gzipped file; a cut or damaged gzip file is named when read. */
  public static InputStream open(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new NoSuchFileException(file.toString(), null, "no such file");
    }
    BufferedInputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
    in.mark(2);
    boolean zipped = in.read() == 0x1f && in.read() == 0x8b;
    in.reset();
    if (!zipped) {
      return in;
    }
    GZIPInputStream content;
    try {
      content = new GZIPInputStream(in, 1 << 16);
    } catch (IOException e) {
      in.close();
      throw e instanceof EOFException || e instanceof ZipException ? damaged(file, e) : e;
    }
    long most = Math.max(FREE, RATIO * Files.size(file));
    return new FilterInputStream(new BufferedInputStream(content, 1 << 16)) {
      private long unpacked;

      @Override
      public int read() throws IOException {
        try {
          int b = super.read();
          count(b < 0 ? 0 : 1);
          return b;
        } catch (EOFException | ZipException e) {
          throw damaged(file, e);
        }
      }

      @Override
      public int read(byte[] to, int offset, int length) throws IOException {
        try {
          int n = super.read(to, offset, length);
          count(n);
          return n;
        } catch (EOFException | ZipException e) {
          throw damaged(file, e);
        }
      }

      private void count(int more) throws FormatException {
        unpacked += Math.max(0, more);
        if (unpacked > most) {
          throw new FormatException(
              file,
              "a gzip file of at most %,d bytes when unpacked".formatted(most),
              "more, over %d times its size. If it is right, unpack it first".formatted(RATIO));
        }
      }
    };
  }

  private static FormatException damaged(Path file, IOException e) {
    return new FormatException(
        file,
        "a whole gzip file",
        "a cut or damaged one" + (e.getMessage() == null ? "" : " (" + e.getMessage() + ")"));
  }

  /** The file itself or, if only that exists, the same name with {@code .gz}. */
  public static Path plainOrZipped(Path file) {
    Path zipped = file.resolveSibling(file.getFileName() + ".gz");
    return !Files.exists(file) && Files.exists(zipped) ? zipped : file;
  }
}
