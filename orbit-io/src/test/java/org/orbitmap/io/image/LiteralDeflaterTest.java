package org.orbitmap.io.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.junit.jupiter.api.Test;

class LiteralDeflaterTest {
  private final SplittableRandom random = new SplittableRandom(5);

  /** The whole stream, in blocks of a size. */
  private static byte[] packed(byte[] in, int block) {
    LiteralDeflater deflater = new LiteralDeflater();
    byte[] out = new byte[0];
    for (int from = 0; from < in.length; from += block) {
      int length = Math.min(block, in.length - from);
      int at = out.length;
      out = Arrays.copyOf(out, at + LiteralDeflater.room(length));
      int end = deflater.block(in, from, length, from + length == in.length, out, at);
      out = Arrays.copyOf(out, end);
    }
    return out;
  }

  private static void assertUnpacks(byte[] in, int block) throws DataFormatException {
    Inflater inflater = new Inflater(true);
    byte[] packed = packed(in, block);
    inflater.setInput(packed);
    byte[] out = new byte[in.length + 1];
    assertThat(inflater.inflate(out)).isEqualTo(in.length);
    assertThat(inflater.finished()).isTrue();
    assertThat(inflater.getRemaining()).isZero();
    assertThat(Arrays.copyOf(out, in.length)).isEqualTo(in);
    inflater.end();
  }

  /** Bytes around 0, like differences in a photograph. */
  private byte[] differences(int length, double width) {
    byte[] in = new byte[length];
    for (int i = 0; i < length; i++) {
      double sum = random.nextDouble() + random.nextDouble() + random.nextDouble() - 1.5;
      in[i] = (byte) Math.round(sum * width);
    }
    return in;
  }

  @Test
  void everyInflaterReadsIt() throws DataFormatException {
    for (int length : new int[] {1, 2, 3, 7, 8, 9, 100, 3104, 70_000}) {
      for (double width : new double[] {0, 1, 8, 40, 300}) {
        byte[] in = differences(length, width);
        assertUnpacks(in, length);
        assertUnpacks(in, 1 + length / 3);
      }
    }
  }

  /** Codes of many lengths, three of which are written at a time, and all ends. */
  @Test
  void longCodesInARow() throws DataFormatException {
    byte[] in = new byte[40_000];
    for (int i = 0; i < in.length; i++) {
      // half of the bytes 0, a quarter 1, ... and all that are rare together in the end
      in[i] = (byte) (i < 39_000 ? Math.min(20, Integer.numberOfTrailingZeros(i + 1)) : i % 256);
    }
    for (int length = in.length - 8; length <= in.length; length++) {
      assertUnpacks(Arrays.copyOf(in, length), length);
      assertUnpacks(Arrays.copyOf(in, length), 10_001);
    }
  }

  @Test
  void codesStayShort() throws DataFormatException {
    // Frequencies of Fibonacci make Huffman's tree as deep as it can be: 20 here.
    byte[] in = new byte[28_656];
    int at = 0;
    for (int value = 0, a = 1, b = 1; at < in.length; value++) {
      int end = Math.min(in.length, at + a);
      Arrays.fill(in, at, end, (byte) value);
      at = end;
      b += a;
      a = b - a;
    }
    assertUnpacks(in, in.length);
    int[] frequencies = new int[24];
    frequencies[0] = frequencies[1] = 1;
    for (int i = 2; i < 24; i++) {
      frequencies[i] = frequencies[i - 1] + frequencies[i - 2];
    }
    for (int longest : new int[] {7, 15}) {
      double sum = 0;
      for (int code : LiteralDeflater.codes(frequencies, longest)) {
        assertThat(code >>> 16).isBetween(1, longest);
        sum += Math.scalb(1.0, -(code >>> 16));
      }
      assertThat(sum).as("Kraft").isEqualTo(1);
    }
  }

  @Test
  void isAsSmallAsZlibWithoutMatches() {
    for (double width : new double[] {4, 30}) {
      byte[] in = differences(200_000, width);
      Deflater zlib = new Deflater(1, true);
      zlib.setStrategy(Deflater.HUFFMAN_ONLY);
      zlib.setInput(in);
      zlib.finish();
      int size = 0;
      while (!zlib.finished()) {
        size += zlib.deflate(new byte[in.length]);
      }
      zlib.end();
      assertThat(packed(in, 1 << 16).length).isLessThanOrEqualTo(size);
    }
  }
}
