package org.orbitmap.io.cloud.codec;

import java.nio.ByteBuffer;
import org.orbitmap.io.ByteCursor;
import org.orbitmap.io.FormatException;

/** The LZF compression: literal runs, and copies of what was written before. */
final class Lzf {
  private Lzf() {}

  /**
   * The bytes that some packed ones stand for.
   *
   * @param packed how many bytes to read
   * @param size how many they stand for
   */
  static byte[] unpack(ByteCursor in, ByteBuffer from, int packed, int size)
      throws FormatException {
    byte[] out = new byte[size];
    int end = from.position() + packed;
    int at = 0;
    while (from.position() < end) {
      int control = from.get() & 0xff;
      if (control < 32) {
        int length = control + 1;
        if (length > end - from.position() || length > size - at) {
          throw in.error("whole compressed data", "a run beyond the end");
        }
        from.get(out, at, length);
        at += length;
      } else {
        int length = control >> 5;
        int more = length == 7 ? 2 : 1;
        if (end - from.position() < more) {
          throw in.error("whole compressed data", "a cut copy");
        }
        length += 2 + (length == 7 ? from.get() & 0xff : 0);
        int back = ((control & 0x1f) << 8 | (from.get() & 0xff)) + 1;
        if (back > at || length > size - at) {
          throw in.error("whole compressed data", "a copy from outside");
        }
        for (int i = 0; i < length; i++, at++) {
          out[at] = out[at - back];
        }
      }
    }
    if (at != size) {
      throw in.error(size + " bytes after decompression", at);
    }
    return out;
  }
}
