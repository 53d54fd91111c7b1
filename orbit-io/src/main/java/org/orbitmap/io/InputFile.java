package org.orbitmap.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * A file that is read once, for its digest as for its content: so that both are of the same bytes,
 * whoever writes to it meanwhile. A large one is not kept in memory for its digest alone.
 */
public final class InputFile {
  /** So many bytes are kept. */
  private static final long KEPT = 1 << 24;

  private final Path path;
  private byte[] bytes;

  public InputFile(Path path) {
    this.path = path;
  }

  /** Where it is. */
  public Path path() {
    return path;
  }

  /**
   * The content.
   *
   * @param most bytes that it may have
   * @throws FormatException if it has more
   */
  public byte[] bytes(long most) throws IOException {
    if (bytes == null) {
      try (FileChannel in = FileChannel.open(path)) {
        bytes = content(in, most);
      }
    }
    requireAtMost(most, bytes.length); // the digest may have kept more
    return bytes;
  }

  /** The SHA-256 of the content, in hexadecimal digits. */
  public String sha256() throws IOException {
    if (bytes == null) {
      try (FileChannel in = FileChannel.open(path)) {
        if (in.size() > KEPT) {
          return Digests.sha256(path);
        }
        bytes = content(in, KEPT);
      }
    }
    return HexFormat.of().formatHex(Digests.sha256().digest(bytes));
  }

  private byte[] content(FileChannel in, long most) throws IOException {
    long size = in.size();
    requireAtMost(most, size);
    ByteBuffer all = ByteBuffer.allocate((int) size);
    while (all.hasRemaining() && in.read(all) >= 0) {}
    return all.hasRemaining() ? Arrays.copyOf(all.array(), all.position()) : all.array();
  }

  private void requireAtMost(long most, long size) throws FormatException {
    if (size > most) {
      throw new FormatException(path, "at most %,d bytes".formatted(most), "%,d".formatted(size));
    }
  }
}
