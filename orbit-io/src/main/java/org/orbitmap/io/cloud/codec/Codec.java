package org.orbitmap.io.cloud.codec;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import org.orbitmap.io.ByteCursor;
import org.orbitmap.io.FormatException;

/** Reads and writes one format. */
public interface Codec {
  /** The largest content that is read, after decompression: 1 GiB. */
  int MAX_BYTES = 1 << 30;

  /** The clouds of a file, at least one. */
  List<PlacedMesh> read(ByteCursor in) throws IOException;

  /** Writes clouds, in double if one is far away; a format for single clouds gets one. */
  void write(Path target, List<PlacedMesh> meshes, OutputStream out) throws IOException;

  /** Whether a file may hold several clouds. */
  default boolean several() {
    return false;
  }

  /** Whether triangles are kept. */
  default boolean faces() {
    return false;
  }

  /** Whether it can be written. */
  default boolean writable() {
    return true;
  }

  /** Everything in a stream, but no more than a limit. */
  static byte[] inflate(Path file, InputStream in, int limit) throws IOException {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    byte[] buffer = new byte[1 << 16];
    for (int n; (n = in.read(buffer)) >= 0; ) {
      if (content.size() > limit - n) {
        throw tooLarge(file);
      }
      content.write(buffer, 0, n);
    }
    return content.toByteArray();
  }

  /** The error of a file above the limit. */
  static FormatException tooLarge(Path file) {
    return new FormatException(file, "at most " + MAX_BYTES + " bytes", "more");
  }
}
