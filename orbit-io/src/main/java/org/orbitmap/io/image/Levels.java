package org.orbitmap.io.image;

/**
 * Samples in [0, 1] of bytes, and bytes of samples: one row of pixels at a time, between pixels one
 * after another in a file and channels one after another in an image.
 *
 * <p>The loops call nothing: a compiler that did not count calls leaves them where they are, which
 * costs more than all of the rest.
 */
final class Levels {
  /** Almost 1/2: the largest float below, so that the sum with another float is rounded down. */
  private static final float HALF = 0x1.fffffep-2f;

  /** The sample that each byte stands for: b/255. */
  private static final float[] SAMPLES = new float[256];

  static {
    for (int i = 0; i < SAMPLES.length; i++) {
      SAMPLES[i] = i / 255f;
    }
  }

  private Levels() {}

  /** The sample of a level from 0 to 255. */
  static float sample(int level) {
    return SAMPLES[level];
  }

  /**
   * The samples of pixels of bytes.
   *
   * @param channels 1 or 3
   * @param plane how far the channels of the output are from each other
   */
  static void samples(
      byte[] in, int from, int channels, int pixels, float[] out, int at, int plane) {
    if (channels == 1) {
      for (int x = 0; x < pixels; x++) {
        out[at + x] = SAMPLES[in[from + x] & 255];
      }
      return;
    }
    int green = at + plane;
    int blue = green + plane;
    for (int x = 0, i = from; x < pixels; x++, i += 3) {
      out[at + x] = SAMPLES[in[i] & 255];
      out[green + x] = SAMPLES[in[i + 1] & 255];
      out[blue + x] = SAMPLES[in[i + 2] & 255];
    }
  }

  /** The same for pixels of words: red, green and blue from the highest bits on. */
  static void samples(int[] in, int from, int pixels, float[] out, int at, int plane) {
    int green = at + plane;
    int blue = green + plane;
    for (int x = 0; x < pixels; x++) {
      int word = in[from + x];
      out[at + x] = SAMPLES[word >>> 24];
      out[green + x] = SAMPLES[word >>> 16 & 255];
      out[blue + x] = SAMPLES[word >>> 8 & 255];
    }
  }

  /**
   * The bytes of pixels: the nearest of 256 levels, clamped, as {@link ImageFiles#toByte} has it.
   *
   * @param channels 1 or 3
   * @param plane how far the channels of the input are from each other
   * @param differences whether each byte is written as its difference to that of the pixel before
   */
  static void bytes(
      float[] in,
      int from,
      int plane,
      int channels,
      int pixels,
      boolean differences,
      byte[] out,
      int at) {
    int keep = differences ? 255 : 0;
    if (channels == 1) {
      for (int x = 0, before = 0; x < pixels; x++) {
        float v = in[from + x] * 255;
        int level = v > 0 ? v < 255 ? (int) (v + HALF) : 255 : 0;
        out[at + x] = (byte) (level - before);
        before = level & keep;
      }
      return;
    }
    int green = from + plane;
    int blue = green + plane;
    for (int x = 0, o = at, r0 = 0, g0 = 0, b0 = 0; x < pixels; x++, o += 3) {
      float r = in[from + x] * 255;
      float g = in[green + x] * 255;
      float b = in[blue + x] * 255;
      int r1 = r > 0 ? r < 255 ? (int) (r + HALF) : 255 : 0;
      int g1 = g > 0 ? g < 255 ? (int) (g + HALF) : 255 : 0;
      int b1 = b > 0 ? b < 255 ? (int) (b + HALF) : 255 : 0;
      out[o] = (byte) (r1 - r0);
      out[o + 1] = (byte) (g1 - g0);
      out[o + 2] = (byte) (b1 - b0);
      r0 = r1 & keep;
      g0 = g1 & keep;
      b0 = b1 & keep;
    }
  }
}
