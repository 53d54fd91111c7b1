package org.orbitmap.io;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Writes whole files or none: into a temporary file beside the target, which then takes its place
 * in one step. Whoever reads meanwhile sees the old content or the new, never half of it. Missing
 * folders are created.
 */
public final class AtomicFiles {
  private AtomicFiles() {}

  /** Fills a stream. */
  @FunctionalInterface
  public interface Body {
    /** Writes the content; the stream is buffered, and closed by the caller. */
    void writeTo(OutputStream out) throws IOException;
  }

  /** Fills a file, for libraries that only take a path. */
  @FunctionalInterface
  public interface PathWriter {
    /** Writes the content to a file that does not exist yet. */
    void write(Path temporary) throws IOException;
  }

  /** Writes a file through a stream. */
  public static void write(Path target, Body content) throws IOException {
    writePath(
        target,
        temporary -> {
          try (OutputStream out =
              new BufferedOutputStream(
                  Files.newOutputStream(temporary, StandardOpenOption.CREATE_NEW), 1 << 16)) {
            content.writeTo(out);
          }
        });
  }

  /** Writes a file from bytes. */
  public static void write(Path target, byte[] content) throws IOException {
    write(target, out -> out.write(content));
  }

  /** Writes a text file in UTF-8. */
  public static void write(Path target, String content) throws IOException {
    write(target, content.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Writes a file through a library that wants a path. The temporary path ends with the target's
   * name, so that a library which looks at the ending sees the right one.
   */
  public static void writePath(Path target, PathWriter content) throws IOException {
    // A symbolic link stays one: what it points to is replaced.
    Path real = Files.exists(target) ? target.toRealPath() : target.toAbsolutePath();
    if (Files.exists(real) && !Files.isRegularFile(real)) {
      // Not only folders: taking the place of a device or a pipe would break it for everybody.
      String found = Files.isDirectory(real) ? "a folder" : "a device or a pipe";
      throw UserError.expected(target.toString(), "a file to write", found, "");
    }
    Path folder = real.getParent();
    Files.createDirectories(folder);
    String unique = Long.toUnsignedString(ThreadLocalRandom.current().nextLong(), 36);
    Path temporary = folder.resolve("." + unique + ".tmp." + real.getFileName());
    try {
      content.write(temporary);
      try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
        channel.force(true); // on the disk before the name changes
      }
      try {
        Files.move(temporary, real, StandardCopyOption.ATOMIC_MOVE);
      } catch (AtomicMoveNotSupportedException e) {
        Files.move(temporary, real, StandardCopyOption.REPLACE_EXISTING);
      }
    } catch (FileSystemException e) {
      // Users know the target, not the file beside it.
      throw e.getFile() != null && e.getFile().equals(temporary.toString())
          ? new IOException(
              "%s: expected to write it, found that %s cannot hold new files (%s)"
                  .formatted(target, folder, e.getReason() == null ? reason(e) : e.getReason()),
              e)
          : e;
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  /** Whether this is the temporary file of a process that was killed while it wrote. */
  public static boolean isLeftover(Path file) {
    return file.getFileName().toString().matches("\\.\\w+\\.tmp\\..*");
  }

  private static String reason(FileSystemException e) {
    return e instanceof AccessDeniedException ? "permission denied" : "no such folder";
  }
}
