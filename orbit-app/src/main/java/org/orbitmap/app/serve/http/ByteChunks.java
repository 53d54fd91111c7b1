package org.orbitmap.app.serve.http;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Bytes that arrive piece by piece. No more is reserved than twice what has arrived. */
final class ByteChunks {
  private static final int LEAST = 1 << 10;
  private static final int MOST = 1 << 20;

  private final List<ByteBuffer> full = new ArrayList<>();
  private ByteBuffer open = ByteBuffer.allocate(0);
  private int length;

  /** Takes all that is in the buffer. */
  void add(ByteBuffer bytes) {
    while (bytes.hasRemaining()) {
      if (!open.hasRemaining()) {
        full.add(open);
        open =
            ByteBuffer.allocate(
                Math.max(LEAST, Math.min(MOST, Math.max(length, bytes.remaining()))));
      }
      int n = Math.min(open.remaining(), bytes.remaining());
      ByteBuffer part = bytes.slice(bytes.position(), n);
      open.put(part);
      bytes.position(bytes.position() + n);
      length += n;
    }
  }

  /** All of it in one array. */
  byte[] whole() {
    byte[] all = new byte[length];
    int at = 0;
    full.add(open);
    for (ByteBuffer chunk : full) {
      chunk.flip();
      int n = chunk.remaining();
      chunk.get(all, at, n);
      at += n;
    }
    full.clear();
    return all;
  }
}
