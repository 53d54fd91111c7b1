package org.orbitmap.io;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import org.orbitmap.image.Image;

/**
 * Writes 8-bit PNG (ISO/IEC 15948): several times as fast as the JDK's encoder on small pictures,
 * which is what a server sends by the thousand.
 */
final class Png {
  private static final byte[] SIGNATURE = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

  private Png() {}

  static byte[] encode(Image image) {
    int channels = ImageFiles.requireGreyOrColour(image);
    int h = image.height();
    int w = image.width();
    byte[] rows = new byte[Math.multiplyExact(h, 1 + w * channels)];
    float[] data = image.data();
    int plane = image.plane();
    int to = 0;
    for (int y = 0; y < h; y++) {
      to++; // filter type 0: none
      for (int x = 0, from = y * w; x < w; x++, from++) {
        for (int c = 0; c < channels; c++) {
          rows[to++] = (byte) ImageFiles.toByte(data[c * plane + from]);
        }
      }
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream(rows.length / 2 + 100);
    out.writeBytes(SIGNATURE);
    byte colour = (byte) (channels == 1 ? 0 : 2);
    chunk(
        out,
        "IHDR",
        ByteBuffer.allocate(13).putInt(w).putInt(h).put((byte) 8).put(colour).array(),
        13);
    byte[] packed = new byte[rows.length + rows.length / 1000 + 64];
    Deflater deflater = new Deflater(rows.length < 1 << 16 ? 1 : 6);
    try {
      deflater.setInput(rows);
      deflater.finish();
      int length = 0;
      while (!deflater.finished()) {
        if (length == packed.length) {
          packed = java.util.Arrays.copyOf(packed, 2 * length);
        }
        length += deflater.deflate(packed, length, packed.length - length);
      }
      chunk(out, "IDAT", packed, length);
    } finally {
      deflater.end();
    }
    chunk(out, "IEND", new byte[0], 0);
    return out.toByteArray();
  }

  private static void chunk(ByteArrayOutputStream out, String type, byte[] data, int length) {
    byte[] name = type.getBytes(StandardCharsets.US_ASCII);
    CRC32 crc = new CRC32();
    crc.update(name);
    crc.update(data, 0, length);
    out.writeBytes(ByteBuffer.allocate(4).putInt(length).array());
    out.writeBytes(name);
    out.write(data, 0, length);
    out.writeBytes(ByteBuffer.allocate(4).putInt((int) crc.getValue()).array());
  }
}
