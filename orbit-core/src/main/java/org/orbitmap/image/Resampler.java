package org.orbitmap.image;

/**
 * The one place where pictures are resampled: output pixel z shows the input at Az + t, both
 * measured from the centres.
 *
 * <p>Coordinates are 32.32 fixed-point numbers that advance by addition along a row. For each row
 * the interval of pixels whose taps all lie inside the picture is found once; that interval needs
 * no bounds checks, the rest takes the careful path.
 */
final class Resampler {
  private static final double ONE = 0x1p32;
  private static final float UNIT = 0x1p-24f;

  private Resampler() {}

  /** A linear map of the plane with a shift, from output to input coordinates. */
  record Affine(double xx, double xy, double yx, double yy, double x, double y) {}

  static void sample(Image in, Affine map, Resampling how, float[] out) {
    int h = in.height();
    int w = in.width();
    boolean reflect = how.fill().mode() == Fill.Mode.REFLECT;
    double radius = Resampling.inscribedRadius(h, w);
    double cx = (w - 1) / 2.0;
    double cy = (h - 1) / 2.0;
    float fill = how.fill().value();
    long dx = Math.round(map.xx * ONE);
    long dy = Math.round(map.yx * ONE);
    int low = how.interpolation() == Interpolation.BICUBIC ? 1 : 0;
    long limitX = (long) (w - Math.max(1, how.interpolation().reach)) << 32;
    long limitY = (long) (h - Math.max(1, how.interpolation().reach)) << 32;
    if (how.interpolation() == Interpolation.NEAREST) {
      limitX = (long) w << 32;
      limitY = (long) h << 32;
    }
    long bias = how.interpolation() == Interpolation.NEAREST ? 1L << 31 : 0;
    for (int i = 0; i < h; i++) {
      double y = i - cy;
      long x0 = Math.round((map.xx * -cx + map.xy * y + map.x + cx) * ONE) + bias;
      long y0 = Math.round((map.yx * -cx + map.yy * y + map.y + cy) * ONE) + bias;
      int from = 0;
      int to = w;
      if (reflect || how.mask()) {
        double half = radius * radius - y * y;
        half = half < 0 ? -1 : Math.sqrt(half);
        from = half < 0 ? w : Math.max(0, (int) Math.ceil(cx - half - 1e-9));
        to = half < 0 ? w : Math.min(w, (int) Math.floor(cx + half + 1e-9) + 1);
      }
      int a = Math.max(from, first(x0, dx, (long) low << 32, limitX, w));
      a = Math.max(a, first(y0, dy, (long) low << 32, limitY, w));
      int b = Math.min(to, last(x0, dx, (long) low << 32, limitX, w));
      b = Math.min(b, last(y0, dy, (long) low << 32, limitY, w));
      if (b <= a) {
        a = to;
        b = to;
      }
      border(in, how.interpolation(), x0, y0, dx, dy, fill, out, i, from, a);
      switch (how.interpolation()) {
        case NEAREST -> nearest(in, x0, y0, dx, dy, out, i, a, b);
        case BILINEAR -> bilinear(in, x0, y0, dx, dy, out, i, a, b);
        case BICUBIC -> bicubic(in, x0, y0, dx, dy, out, i, a, b);
      }
      border(in, how.interpolation(), x0, y0, dx, dy, fill, out, i, b, to);
      if (from > 0 || to < w) {
        if (how.mask()) {
          paint(in, fill, out, i, 0, from);
          paint(in, fill, out, i, to, w);
        } else {
          mirrored(in, map, how.interpolation(), radius, fill, out, i, 0, from);
          mirrored(in, map, how.interpolation(), radius, fill, out, i, to, w);
        }
      }
    }
  }

  /** The first j in [0, w] with low ≤ start + j·step &lt; limit, if there is one. */
  private static int first(long start, long step, long low, long limit, int w) {
    if (step == 0) {
      return start >= low && start < limit ? 0 : w;
    }
    double bound = step > 0 ? (double) (low - start) / step : (double) (limit - 1 - start) / step;
    int j = (int) Math.max(0, Math.min(w, Math.ceil(bound)));
    while (j > 0 && inside(start + (j - 1) * step, low, limit)) {
      j--;
    }
    while (j < w && !inside(start + j * step, low, limit)) {
      j++;
      if (j < w && (step > 0 ? start + j * step >= limit : start + j * step < low)) {
        return w;
      }
    }
    return j;
  }

  /** One past the last j in [0, w) with low ≤ start + j·step &lt; limit; 0 if there is none. */
  private static int last(long start, long step, long low, long limit, int w) {
    if (step == 0) {
      return start >= low && start < limit ? w : 0;
    }
    double bound = step > 0 ? (double) (limit - 1 - start) / step : (double) (low - start) / step;
    int j = (int) Math.max(0, Math.min(w, Math.floor(bound) + 1));
    while (j < w && inside(start + j * step, low, limit)) {
      j++;
    }
    while (j > 0 && !inside(start + (j - 1) * step, low, limit)) {
      j--;
      if (j > 0 && (step > 0 ? start + (j - 1) * step < low : start + (j - 1) * step >= limit)) {
        return 0;
      }
    }
    return j;
  }

  private static boolean inside(long at, long low, long limit) {
    return at >= low && at < limit;
  }

  private static void nearest(
      Image in, long x0, long y0, long dx, long dy, float[] out, int i, int a, int b) {
    float[] src = in.data();
    int w = in.width();
    int plane = in.plane();
    for (int c = 0; c < in.channels(); c++) {
      int o = c * plane + i * w;
      int s = c * plane;
      long x = x0 + a * dx;
      long y = y0 + a * dy;
      for (int j = a; j < b; j++) {
        out[o + j] = src[s + (int) (y >> 32) * w + (int) (x >> 32)];
        x += dx;
        y += dy;
      }
    }
  }

  private static void bilinear(
      Image in, long x0, long y0, long dx, long dy, float[] out, int i, int a, int b) {
    if (in.channels() == 3) {
      bilinear3(in.data(), in.width(), in.plane(), x0, y0, dx, dy, out, i, a, b);
      return;
    }
    int plane = in.plane();
    for (int c = 0; c < in.channels(); c++) {
      bilinear1(in.data(), in.width(), c * plane, x0, y0, dx, dy, out, i, a, b);
    }
  }

  private static void bilinear1(
      float[] src,
      int w,
      int plane,
      long x0,
      long y0,
      long dx,
      long dy,
      float[] out,
      int i,
      int a,
      int b) {
    long x = x0 + a * dx;
    long y = y0 + a * dy;
    int o = plane + i * w;
    for (int j = a; j < b; j++) {
      float u = ((int) x >>> 8) * UNIT;
      float v = ((int) y >>> 8) * UNIT;
      int p = plane + (int) (y >> 32) * w + (int) (x >> 32);
      float top = src[p] + u * (src[p + 1] - src[p]);
      float bottom = src[p + w] + u * (src[p + w + 1] - src[p + w]);
      out[o + j] = top + v * (bottom - top);
      x += dx;
      y += dy;
    }
  }

  private static void bilinear3(
      float[] src,
      int w,
      int plane,
      long x0,
      long y0,
      long dx,
      long dy,
      float[] out,
      int i,
      int a,
      int b) {
    long x = x0 + a * dx;
    long y = y0 + a * dy;
    int o = i * w;
    for (int j = a; j < b; j++) {
      float u = ((int) x >>> 8) * UNIT;
      float v = ((int) y >>> 8) * UNIT;
      int p = (int) (y >> 32) * w + (int) (x >> 32);
      int q = p + w;
      float w11 = u * v;
      float w01 = u - w11;
      float w10 = v - w11;
      float w00 = 1 - u - w10;
      out[o + j] = w00 * src[p] + w01 * src[p + 1] + (w10 * src[q] + w11 * src[q + 1]);
      p += plane;
      q += plane;
      out[o + j + plane] = w00 * src[p] + w01 * src[p + 1] + (w10 * src[q] + w11 * src[q + 1]);
      p += plane;
      q += plane;
      out[o + j + 2 * plane] = w00 * src[p] + w01 * src[p + 1] + (w10 * src[q] + w11 * src[q + 1]);
      x += dx;
      y += dy;
    }
  }

  private static void bicubic(
      Image in, long x0, long y0, long dx, long dy, float[] out, int i, int a, int b) {
    float[] src = in.data();
    int w = in.width();
    int plane = in.plane();
    int channels = in.channels();
    long x = x0 + a * dx;
    long y = y0 + a * dy;
    int o = i * w;
    for (int j = a; j < b; j++) {
      float u = ((int) x >>> 8) * UNIT;
      float v = ((int) y >>> 8) * UNIT;
      float a0 = outer(1 + u);
      float a1 = inner(u);
      float a2 = inner(1 - u);
      float a3 = outer(2 - u);
      float b0 = outer(1 + v);
      float b1 = inner(v);
      float b2 = inner(1 - v);
      float b3 = outer(2 - v);
      int p = ((int) (y >> 32) - 1) * w + (int) (x >> 32) - 1;
      for (int c = 0, t = o + j; c < channels; c++, p += plane, t += plane) {
        int q = p + w;
        int r = q + w;
        int s = r + w;
        out[t] =
            b0 * (a0 * src[p] + a1 * src[p + 1] + (a2 * src[p + 2] + a3 * src[p + 3]))
                + b1 * (a0 * src[q] + a1 * src[q + 1] + (a2 * src[q + 2] + a3 * src[q + 3]))
                + (b2 * (a0 * src[r] + a1 * src[r + 1] + (a2 * src[r + 2] + a3 * src[r + 3]))
                    + b3 * (a0 * src[s] + a1 * src[s + 1] + (a2 * src[s + 2] + a3 * src[s + 3])));
      }
      x += dx;
      y += dy;
    }
  }

  /** The cubic kernel for |t| ≤ 1: (a+2)t³ - (a+3)t² + 1. */
  private static float inner(float t) {
    return ((Interpolation.CUBIC_A + 2) * t - (Interpolation.CUBIC_A + 3)) * t * t + 1;
  }

  /** The cubic kernel for 1 ≤ |t| ≤ 2: at³ - 5at² + 8at - 4a. */
  private static float outer(float t) {
    return ((Interpolation.CUBIC_A * t - 5 * Interpolation.CUBIC_A) * t + 8 * Interpolation.CUBIC_A)
            * t
        - 4 * Interpolation.CUBIC_A;
  }

  /** Pixels of a row that may read outside the picture. */
  private static void border(
      Image in,
      Interpolation interpolation,
      long x0,
      long y0,
      long dx,
      long dy,
      float fill,
      float[] out,
      int i,
      int a,
      int b) {
    int w = in.width();
    for (int j = a; j < b; j++) {
      for (int c = 0; c < in.channels(); c++) {
        out[(c * in.height() + i) * w + j] =
            at(in, c, interpolation, x0 + j * dx, y0 + j * dy, fill);
      }
    }
  }

  /** Pixels of a row outside the inscribed circle, mirrored at it. */
  private static void mirrored(
      Image in,
      Affine map,
      Interpolation interpolation,
      double radius,
      float fill,
      float[] out,
      int i,
      int a,
      int b) {
    int h = in.height();
    int w = in.width();
    double cx = (w - 1) / 2.0;
    double cy = (h - 1) / 2.0;
    long bias = interpolation == Interpolation.NEAREST ? 1L << 31 : 0;
    for (int j = a; j < b; j++) {
      double x = j - cx;
      double y = i - cy;
      double r = Math.sqrt(x * x + y * y);
      double f = r == 0 ? 1 : Resampling.reflect(r, radius) / r;
      x *= f;
      y *= f;
      long sx = Math.round((map.xx * x + map.xy * y + map.x + cx) * ONE) + bias;
      long sy = Math.round((map.yx * x + map.yy * y + map.y + cy) * ONE) + bias;
      for (int c = 0; c < in.channels(); c++) {
        out[(c * h + i) * w + j] = at(in, c, interpolation, sx, sy, fill);
      }
    }
  }

  private static void paint(Image in, float fill, float[] out, int i, int a, int b) {
    for (int c = 0; c < in.channels(); c++) {
      int o = (c * in.height() + i) * in.width();
      for (int j = a; j < b; j++) {
        out[o + j] = fill;
      }
    }
  }

  /** One sample of one channel; taps outside the picture read the fill value. */
  private static float at(
      Image in, int c, Interpolation interpolation, long sx, long sy, float fill) {
    int x = (int) (sx >> 32);
    int y = (int) (sy >> 32);
    float u = ((int) sx >>> 8) * UNIT;
    float v = ((int) sy >>> 8) * UNIT;
    return switch (interpolation) {
      case NEAREST -> tap(in, c, x, y, fill);
      case BILINEAR -> {
        float top = tap(in, c, x, y, fill);
        float bottom = tap(in, c, x, y + 1, fill);
        top += u * (tap(in, c, x + 1, y, fill) - top);
        bottom += u * (tap(in, c, x + 1, y + 1, fill) - bottom);
        yield top + v * (bottom - top);
      }
      case BICUBIC ->
          outer(1 + v) * cubicRow(in, c, x, y - 1, u, fill)
              + inner(v) * cubicRow(in, c, x, y, u, fill)
              + inner(1 - v) * cubicRow(in, c, x, y + 1, u, fill)
              + outer(2 - v) * cubicRow(in, c, x, y + 2, u, fill);
    };
  }

  private static float cubicRow(Image in, int c, int x, int y, float u, float fill) {
    return outer(1 + u) * tap(in, c, x - 1, y, fill)
        + inner(u) * tap(in, c, x, y, fill)
        + inner(1 - u) * tap(in, c, x + 1, y, fill)
        + outer(2 - u) * tap(in, c, x + 2, y, fill);
  }

  private static float tap(Image in, int c, int x, int y, float fill) {
    return x < 0 || y < 0 || x >= in.width() || y >= in.height()
        ? fill
        : in.data()[(c * in.height() + y) * in.width() + x];
  }
}
