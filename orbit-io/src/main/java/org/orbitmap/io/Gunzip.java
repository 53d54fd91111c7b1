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

/** Opens files that may be gzipped; the first two bytes tell. */
public final class Gunzip {
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
    return new FilterInputStream(new BufferedInputStream(content, 1 << 16)) {
      @Override
      public int read() throws IOException {
        try {
          return super.read();
        } catch (EOFException | ZipException e) {
          throw damaged(file, e);
        }
      }

      @Override
      public int read(byte[] to, int offset, int length) throws IOException {
        try {
          return super.read(to, offset, length);
        } catch (EOFException | ZipException e) {
          throw damaged(file, e);
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
