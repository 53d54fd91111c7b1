package org.orbitmap.image;

import static org.orbitmap.image.Interpolation.CUBIC_A;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.orbitmap.group.O2.Orthogonal2;
import org.orbitmap.group.Rotation2;
import org.orbitmap.group.Sim2.Similarity2;

/**
 * The one place where images are resampled: output pixel z shows the input at Az + t, both measured
 * from the centres.
 *
 * <p>Coordinates are 32.32 fixed-point numbers that advance by addition along a row. For each row
 * the interval of pixels whose taps all lie inside the image is found once; that interval needs no
 * bounds checks, the rest takes the careful path of {@link EdgePixel}. Where there are {@link
 * Lanes} for the image, they do both.
 */
public final class Resampler {
  private static final double ONE = 0x1p32;
  static final float UNIT = 0x1p-24f;

  /** Far more than the rounding of a coordinate, far less than matters. */
  private static final double SLACK = 1e-6;

  /** Images of so many pixels are worth several threads, by bands of so many rows. */
  private static final int LARGE = 1 << 22;

  private static final int BAND = 64;

  private Resampler() {}

  /** A linear map of the plane with a shift, from output to input coordinates. */
  public record Affine(double xx, double xy, double yx, double yy, double x, double y) {
    /** z → r(ρ)z. */
    public static Affine of(Rotation2 g) {
      return new Affine(g.cos(), -g.sin(), g.sin(), g.cos(), 0, 0);
    }

    /** z → F^m r(ρ)z, F(x, y) = (x, -y). */
    public static Affine of(Orthogonal2 g) {
      double f = g.mirrored() ? -1 : 1;
      Rotation2 r = g.rotation();
      return new Affine(r.cos(), -r.sin(), f * r.sin(), f * r.cos(), 0, 0);
    }

    /** z → r(ρ)((z - t)/s). */
    public static Affine of(Similarity2 g) {
      double c = g.rotation().cos() / g.scale();
      double s = g.rotation().sin() / g.scale();
      return new Affine(c, -s, s, c, s * g.y() - c * g.x(), -s * g.x() - c * g.y());
    }
  }

  /** The resampled image. */
  static Image sample(Image in, Affine map, Resampling how) {
    float[] out = new float[in.data().length];
    sample(in, map, how, Offset.NONE, out, 0, how.fill().value() == 0);
    return new Image(in.channels(), in.height(), in.width(), out);
  }

  /** Resamples into an array, from {@code at} on. */
  public static void sample(Image in, Affine map, Resampling how, float[] out, int at) {
    sample(in, map, how, Offset.NONE, out, at, false);
  }

  /**
   * Reads every pixel several times: the one at z at A(z + d) + t for each offset d. The fill goes
   * by z + d, too.
   *
   * @return of each channel all readings, one after the other
   */
  public static Image sample(Image in, Affine map, Resampling how, List<Offset> offsets) {
    int plane = in.plane();
    int readings = offsets.size();
    Image reading = Image.black(in.channels(), in.height(), in.width());
    float[] out = new float[readings * in.data().length];
    for (int k = 0; k < readings; k++) {
      sample(in, map, how, offsets.get(k), reading.data(), 0, false);
      for (int c = 0; c < in.channels(); c++) {
        System.arraycopy(reading.data(), c * plane, out, (c * readings + k) * plane, plane);
      }
    }
    return new Image(readings * in.channels(), in.height(), in.width(), out);
  }

  /**
   * Reads an image at one place, measured from its centre; 0 outside.
   *
   * @param out gets a number for each channel, {@code apart} from each other
   */
  public static void read(
      Image in, double x, double y, Interpolation kind, float[] out, int at, int apart) {
    double bias = kind == Interpolation.NEAREST ? 0.5 : 0;
    long sx = Math.round((x + (in.width() - 1) / 2.0 + bias) * ONE);
    long sy = Math.round((y + (in.height() - 1) / 2.0 + bias) * ONE);
    EdgePixel.blend(in, kind, sx, sy, 0, out, at, apart);
  }

  /**
   * Resamples into an array; {@code blank} says that it holds the fill value everywhere. The rows
   * of a large image are divided among the cores: none depends on another.
   */
  private static void sample(
      Image in, Affine map, Resampling how, Offset off, float[] out, int at, boolean blank) {
    int h = in.height();
    if (in.plane() < LARGE) {
      sample(in, map, how, off, out, at, blank, 0, h);
      return;
    }
    IntStream.range(0, (h + BAND - 1) / BAND)
        .parallel()
        .forEach(
            b -> sample(in, map, how, off, out, at, blank, b * BAND, Math.min(h, (b + 1) * BAND)));
  }

  /** The same for some rows. */
  private static void sample(
      Image in,
      Affine map,
      Resampling how,
      Offset off,
      float[] out,
      int at,
      boolean blank,
      int firstRow,
      int endRow) {
    int h = in.height();
    int w = in.width();
    Interpolation kind = how.interpolation();
    boolean disc = how.mask() || how.fill().radial();
    double radius = Resampling.inscribedRadius(h, w);
    double cx = (w - 1) / 2.0;
    double cy = (h - 1) / 2.0;
    double left = off.x() - cx; // of the first pixel of a row
    float fill = how.fill().value();
    long dx = Math.round(map.xx * ONE);
    long dy = Math.round(map.yx * ONE);
    double perX = 1 / map.xx;
    double perY = 1 / map.yx;
    // nearest reads one pixel, bilinear 2, bicubic 4: before and after the one at the floor
    int before = kind == Interpolation.BICUBIC ? 1 : 0;
    int after = kind.reach;
    double bias = kind == Interpolation.NEAREST ? 0.5 : 0;
    Lanes lanes = Lanes.found();
    Lanes.Rows rows = lanes == null ? null : lanes.rows(in, kind, fill, dx, dy);
    for (int i = firstRow; i < endRow; i++) {
      double y = i - cy + off.y();
      double x0 = map.xx * left + map.xy * y + map.x + cx + bias;
      double y0 = map.yx * left + map.yy * y + map.y + cy + bias;
      int from = 0;
      int to = w;
      if (disc) {
        double half = Math.sqrt(Math.max(0, radius * radius - y * y) + 1e-9);
        boolean crossed = Math.abs(y) <= radius + 1e-9;
        from = crossed ? Math.max(0, (int) Math.ceil(-left - half)) : w;
        to = crossed ? Math.min(w, (int) Math.floor(half - left) + 1) : w;
      }
      // at most these pixels have a tap inside the image
      long some = interval(x0, perX, -after - SLACK, w + before + SLACK, from, to);
      some = interval(y0, perY, -after - SLACK, h + before + SLACK, start(some), end(some));
      long fx = Math.round(x0 * ONE);
      long fy = Math.round(y0 * ONE);
      int row = at + i * w;
      if (!blank) {
        paint(in, fill, out, row, from, start(some));
        paint(in, fill, out, row, end(some), to);
      }
      if (rows != null) {
        int a = start(some);
        rows.sample(fx + a * dx, fy + a * dy, out, row + a, end(some) - a);
      } else {
        // at least these have all taps inside
        long all = interval(x0, perX, before + SLACK, w - after - SLACK, start(some), end(some));
        all = interval(y0, perY, before + SLACK, h - after - SLACK, start(all), end(all));
        edge(in, kind, fx, fy, dx, dy, fill, out, row, start(some), start(all));
        switch (kind) {
          case NEAREST -> nearest(in, fx, fy, dx, dy, out, row, start(all), end(all));
          case BILINEAR -> bilinear(in, fx, fy, dx, dy, out, row, start(all), end(all));
          case BICUBIC -> bicubic(in, fx, fy, dx, dy, out, row, start(all), end(all));
        }
        edge(in, kind, fx, fy, dx, dy, fill, out, row, end(all), end(some));
      }
      if (how.mask()) {
        paint(in, fill, out, row, 0, from);
        paint(in, fill, out, row, to, w);
      } else if (disc) {
        around(in, map, how, radius, out, row, left, y, 0, from);
        around(in, map, how, radius, out, row, left, y, to, w);
      }
    }
  }

  /**
   * The j in [from, to) with low ≤ start + j/per ≤ high, as an interval packed into a long; an
   * empty one is [to, to), so that what lies before and after it still covers everything.
   */
  private static long interval(
      double start, double per, double low, double high, int from, int to) {
    if (!(low <= high)) {
      return pack(to, to);
    }
    if (Math.abs(per) > 1e9) { // the coordinate stands still
      return pack(start >= low && start <= high ? from : to, to);
    }
    double a = (low - start) * per;
    double b = (high - start) * per;
    int first = Math.max(from, (int) Math.ceil(per > 0 ? a : b));
    int last = Math.min(to - 1, (int) Math.floor(per > 0 ? b : a));
    return first <= last ? pack(first, last + 1) : pack(to, to);
  }

  private static long pack(int start, int end) {
    return (long) end << 32 | start;
  }

  private static int start(long interval) {
    return (int) interval;
  }

  private static int end(long interval) {
    return (int) (interval >> 32);
  }

  private static void nearest(
      Image in, long x0, long y0, long dx, long dy, float[] out, int row, int a, int b) {
    float[] src = in.data();
    int w = in.width();
    int plane = in.plane();
    for (int c = 0; c < in.channels(); c++) {
      int o = row + c * plane;
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
      Image in, long x0, long y0, long dx, long dy, float[] out, int row, int a, int b) {
    if (in.channels() == 3) {
      bilinear3(in.data(), in.width(), in.plane(), x0, y0, dx, dy, out, row, a, b);
      return;
    }
    int plane = in.plane();
    for (int c = 0; c < in.channels(); c++) {
      bilinear1(in.data(), in.width(), c * plane, x0, y0, dx, dy, out, row + c * plane, a, b);
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
      int row,
      int a,
      int b) {
    long x = x0 + a * dx;
    long y = y0 + a * dy;
    for (int j = a; j < b; j++) {
      float u = ((int) x >>> 8) * UNIT;
      float v = ((int) y >>> 8) * UNIT;
      int p = plane + (int) (y >> 32) * w + (int) (x >> 32);
      float top = src[p] + u * (src[p + 1] - src[p]);
      float bottom = src[p + w] + u * (src[p + w + 1] - src[p + w]);
      out[row + j] = top + v * (bottom - top);
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
      int row,
      int a,
      int b) {
    long x = x0 + a * dx;
    long y = y0 + a * dy;
    for (int j = a; j < b; j++) {
      float u = ((int) x >>> 8) * UNIT;
      float v = ((int) y >>> 8) * UNIT;
      int p = (int) (y >> 32) * w + (int) (x >> 32);
      int q = p + w;
      float w11 = u * v;
      float w01 = u - w11;
      float w10 = v - w11;
      float w00 = 1 - u - w10;
      out[row + j] = w00 * src[p] + w01 * src[p + 1] + (w10 * src[q] + w11 * src[q + 1]);
      p += plane;
      q += plane;
      out[row + j + plane] = w00 * src[p] + w01 * src[p + 1] + (w10 * src[q] + w11 * src[q + 1]);
      p += plane;
      q += plane;
      out[row + j + 2 * plane] =
          w00 * src[p] + w01 * src[p + 1] + (w10 * src[q] + w11 * src[q + 1]);
      x += dx;
      y += dy;
    }
  }

  /** {@link Interpolation#near} and {@link Interpolation#far} written out: it calls nothing. */
  private static void bicubic(
      Image in, long x0, long y0, long dx, long dy, float[] out, int row, int a, int b) {
    float[] src = in.data();
    int w = in.width();
    int plane = in.plane();
    int channels = in.channels();
    long x = x0 + a * dx;
    long y = y0 + a * dy;
    for (int j = a; j < b; j++) {
      float u = ((int) x >>> 8) * UNIT;
      float v = ((int) y >>> 8) * UNIT;
      float u1 = 1 - u;
      float v1 = 1 - v;
      float a0 = CUBIC_A * u * u1 * u1;
      float a1 = ((CUBIC_A + 2) * u - (CUBIC_A + 3)) * u * u + 1;
      float a3 = CUBIC_A * u1 * (1 - u1) * (1 - u1);
      float a2 = 1 - a0 - a1 - a3;
      float b0 = CUBIC_A * v * v1 * v1;
      float b1 = ((CUBIC_A + 2) * v - (CUBIC_A + 3)) * v * v + 1;
      float b3 = CUBIC_A * v1 * (1 - v1) * (1 - v1);
      float b2 = 1 - b0 - b1 - b3;
      int p = ((int) (y >> 32) - 1) * w + (int) (x >> 32) - 1;
      for (int c = 0, t = row + j; c < channels; c++, p += plane, t += plane) {
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

  /** Pixels of a row some of whose taps are outside the image. */
  private static void edge(
      Image in,
      Interpolation kind,
      long x0,
      long y0,
      long dx,
      long dy,
      float fill,
      float[] out,
      int row,
      int a,
      int b) {
    for (int j = a; j < b; j++) {
      EdgePixel.blend(in, kind, x0 + j * dx, y0 + j * dy, fill, out, row + j, in.plane());
    }
  }

  /**
   * Pixels of a row outside the inscribed circle.
   *
   * @param left the first pixel of the row, to the right of the centre
   * @param down the row, below it
   */
  private static void around(
      Image in,
      Affine map,
      Resampling how,
      double radius,
      float[] out,
      int row,
      double left,
      double down,
      int a,
      int b) {
    double cx = (in.width() - 1) / 2.0;
    double cy = (in.height() - 1) / 2.0;
    Interpolation kind = how.interpolation();
    Fill fill = how.fill();
    double bias = kind == Interpolation.NEAREST ? 0.5 : 0;
    for (int j = a; j < b; j++) {
      double x = j + left;
      double y = down;
      double r = Math.sqrt(x * x + y * y);
      double f = r == 0 ? 1 : fill.reads(r, radius) / r;
      x *= f;
      y *= f;
      long sx = Math.round((map.xx * x + map.xy * y + map.x + cx + bias) * ONE);
      long sy = Math.round((map.yx * x + map.yy * y + map.y + cy + bias) * ONE);
      EdgePixel.blend(in, kind, sx, sy, fill.value(), out, row + j, in.plane());
    }
  }

  private static void paint(Image in, float fill, float[] out, int row, int a, int b) {
    for (int c = 0; a < b && c < in.channels(); c++) {
      int o = row + c * in.plane();
      Arrays.fill(out, o + a, o + b, fill);
    }
  }
}
