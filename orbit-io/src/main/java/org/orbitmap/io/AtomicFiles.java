package org.orbitmap.io;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Writes that either happen whole or not at all: a hidden neighbour first, then a move. */
public final class AtomicFiles {
  private AtomicFiles() {}

  /** Writes the content of one file. */
  @FunctionalInterface
  public interface Body {
    /** Writes everything; the stream is closed by the caller. */
    void writeTo(OutputStream out) throws IOException;
  }

  /**
   * Writes a file so that other processes see the old content or the new one, never a part. The
   * bytes are on the disk before the name changes, so that a power cut leaves one of the two.
   */
  public static void write(Path file, Body body) throws IOException {
    Path target = file.toAbsolutePath();
    Path folder = target.getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    Path part = Files.createTempFile(folder, "." + target.getFileName(), ".part");
    try {
      try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(part), 1 << 16)) {
        body.writeTo(out);
      } catch (UncheckedIOException e) {
        throw e.getCause();
      }
      try (FileChannel channel = FileChannel.open(part, StandardOpenOption.WRITE)) {
        channel.force(true);
      }
      Files.move(part, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  /** Writes text in UTF-8. */
  public static void write(Path file, String text) throws IOException {
    write(file, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
  }
}
