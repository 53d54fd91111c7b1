package org.orbitmap.image;

/** One resampled pixel, wherever it reads: the careful path of the {@link Resampler}. */
final class EdgePixel {
  private EdgePixel() {}

  /**
   * Taps outside the image get no weight, the fill value gets theirs.
   *
   * @param apart how far the channels of the output are from each other
   */
  static void blend(
      Image in, Interpolation kind, long sx, long sy, float fill, float[] out, int o, int apart) {
    int x = (int) (sx >> 32);
    int y = (int) (sy >> 32);
    float u = ((int) sx >>> 8) * Resampler.UNIT;
    float v = ((int) sy >>> 8) * Resampler.UNIT;
    switch (kind) {
      case NEAREST -> blend2(in, x, y, 0, 0, fill, out, o, apart);
      case BILINEAR -> blend2(in, x, y, u, v, fill, out, o, apart);
      case BICUBIC -> blend4(in, x, y, u, v, fill, out, o, apart);
    }
  }

  private static void blend2(
      Image in, int x, int y, float u, float v, float fill, float[] out, int o, int apart) {
    int w = in.width();
    int h = in.height();
    float a1 = within(x, w) ? 1 - u : 0;
    float a2 = within(x + 1, w) ? u : 0;
    float b1 = within(y, h) ? 1 - v : 0;
    float b2 = within(y + 1, h) ? v : 0;
    float rest = fill * (1 - (a1 + a2) * (b1 + b2));
    int x1 = clamp(x, w);
    int x2 = clamp(x + 1, w);
    int q = clamp(y, h) * w;
    int r = clamp(y + 1, h) * w;
    float[] src = in.data();
    int plane = w * h;
    for (int z = 0, t = o; z < src.length; z += plane, t += apart) {
      out[t] =
          b1 * (a1 * src[z + q + x1] + a2 * src[z + q + x2])
              + b2 * (a1 * src[z + r + x1] + a2 * src[z + r + x2])
              + rest;
    }
  }

  private static void blend4(
      Image in, int x, int y, float u, float v, float fill, float[] out, int o, int apart) {
    int w = in.width();
    int h = in.height();
    float a0 = within(x - 1, w) ? Interpolation.far(u) : 0;
    float a1 = within(x, w) ? Interpolation.near(u) : 0;
    float a2 = within(x + 1, w) ? Interpolation.near(1 - u) : 0;
    float a3 = within(x + 2, w) ? Interpolation.far(1 - u) : 0;
    float b0 = within(y - 1, h) ? Interpolation.far(v) : 0;
    float b1 = within(y, h) ? Interpolation.near(v) : 0;
    float b2 = within(y + 1, h) ? Interpolation.near(1 - v) : 0;
    float b3 = within(y + 2, h) ? Interpolation.far(1 - v) : 0;
    float rest = fill * (1 - (a0 + a1 + a2 + a3) * (b0 + b1 + b2 + b3));
    int x0 = clamp(x - 1, w);
    int x1 = clamp(x, w);
    int x2 = clamp(x + 1, w);
    int x3 = clamp(x + 2, w);
    int p = clamp(y - 1, h) * w;
    int q = clamp(y, h) * w;
    int r = clamp(y + 1, h) * w;
    int s = clamp(y + 2, h) * w;
    float[] src = in.data();
    int plane = w * h;
    for (int z = 0, t = o; z < src.length; z += plane, t += apart) {
      out[t] =
          b0
                  * (a0 * src[z + p + x0]
                      + a1 * src[z + p + x1]
                      + a2 * src[z + p + x2]
                      + a3 * src[z + p + x3])
              + b1
                  * (a0 * src[z + q + x0]
                      + a1 * src[z + q + x1]
                      + a2 * src[z + q + x2]
                      + a3 * src[z + q + x3])
              + b2
                  * (a0 * src[z + r + x0]
                      + a1 * src[z + r + x1]
                      + a2 * src[z + r + x2]
                      + a3 * src[z + r + x3])
              + b3
                  * (a0 * src[z + s + x0]
                      + a1 * src[z + s + x1]
                      + a2 * src[z + s + x2]
                      + a3 * src[z + s + x3])
              + rest;
    }
  }

  private static boolean within(int pixel, int n) {
    return pixel >= 0 && pixel < n;
  }

  private static int clamp(int pixel, int n) {
    return Math.max(0, Math.min(n - 1, pixel));
  }
}
