package org.orbitmap.network.run;

import java.util.Arrays;
import org.orbitmap.network.Convolution;

/**
 * The loops that take the time: sums of rows with weights. Every row is an array of its own, read
 * at one and the same index, because that is what the compiler of the JVM turns into vector
 * instructions. Working memory belongs to a thread and is used again.
 */
final class ArrayKernels {
  /** How many places of a row are worked on at once: the rows of a step stay in the cache. */
  private static final int BLOCK = 1024;

  private static final ThreadLocal<ArrayKernels> OWN = ThreadLocal.withInitial(ArrayKernels::new);

  private float[][] rows = new float[0][];
  private float[] sum = new float[0];
  private float[] factors = new float[0];

  private ArrayKernels() {}

  static ArrayKernels get() {
    return OWN.get();
  }

  private float[][] rows(int count, int length) {
    if (rows.length < count) {
      int before = rows.length;
      rows = Arrays.copyOf(rows, count);
      Arrays.fill(rows, before, count, new float[0]);
    }
    for (int k = 0; k < count; k++) {
      if (rows[k].length < length) {
        rows[k] = new float[length];
      }
    }
    return rows;
  }

  private float[] sum(int length) {
    sum = sum.length < length ? new float[length] : sum;
    return sum;
  }

  private float[] factors(int length) {
    factors = factors.length < length ? new float[length] : factors;
    return factors;
  }

  /** to[0 … n) += Σ_k factors[at + k]·rows[k][0 … n), k from 0 to count. */
  private static void add(float[] to, float[][] rows, float[] factors, int at, int count, int n) {
    int k = 0;
    for (; k + 8 <= count; k += 8) {
      int f = at + k;
      four(to, rows[k], rows[k + 1], rows[k + 2], rows[k + 3], factors, f, n);
      four(to, rows[k + 4], rows[k + 5], rows[k + 6], rows[k + 7], factors, f + 4, n);
    }
    for (; k + 4 <= count; k += 4) {
      four(to, rows[k], rows[k + 1], rows[k + 2], rows[k + 3], factors, at + k, n);
    }
    for (; k < count; k++) {
      one(to, rows[k], factors[at + k], n);
    }
  }

  private static void four(
      float[] to, float[] a, float[] b, float[] c, float[] d, float[] factors, int f, int n) {
    float wa = factors[f];
    float wb = factors[f + 1];
    float wc = factors[f + 2];
    float wd = factors[f + 3];
    for (int i = 0; i < n; i++) {
      to[i] += wa * a[i] + wb * b[i] + wc * c[i] + wd * d[i];
    }
  }

  private static void one(float[] to, float[] a, float w, int n) {
    for (int i = 0; i < n; i++) {
      to[i] += w * a[i];
    }
  }

  /**
   * y = x·Wᵀ + b for each of some rows.
   *
   * @param columns the columns of W
   * @param bias b, or null
   * @param out rows of as many numbers as W has rows
   */
  void linear(float[] x, int count, float[][] columns, float[] bias, float[] out) {
    int in = columns.length;
    int width = in == 0 ? 0 : columns[0].length;
    float[] s = sum(width);
    for (int r = 0; r < count; r++) {
      if (bias == null) {
        Arrays.fill(s, 0, width, 0);
      } else {
        System.arraycopy(bias, 0, s, 0, width);
      }
      add(s, columns, x, r * in, in, width);
      System.arraycopy(s, 0, out, r * width, width);
    }
  }

  /** The error function to 1.5e-7 (Abramowitz and Stegun, 7.1.26). */
  static double erf(double x) {
    double t = 1 / (1 + 0.3275911 * Math.abs(x));
    double p =
        t
            * (0.254829592
                + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
    return Math.copySign(1 - p * Math.exp(-x * x), x);
  }

  /** Where a group of channels of an image lies, and where the result goes. */
  record Place(
      float[] x,
      int at,
      int channels,
      int height,
      int width,
      float[] out,
      int to,
      int high,
      int wide) {
    int area() {
      return high * wide;
    }
  }

  /** A convolution whose results are summed for all pixels of a channel at once. */
  void overPixels(Place p, Convolution how, float[] weights, int first, int count, float[] bias) {
    int side = how.side();
    int taps = p.channels * side * side;
    int area = p.area();
    int step = Math.max(1, Math.min(p.high, BLOCK / p.wide)) * p.wide;
    for (int from = 0; from < area; from += step) {
      int n = Math.min(step, area - from);
      float[][] read = rows(taps, n);
      for (int k = 0; k < taps; k++) {
        gather(p, how, k, from, n, read[k]);
      }
      float[] s = sum(n);
      for (int o = 0; o < count; o++) {
        Arrays.fill(s, 0, n, bias == null ? 0 : bias[first + o]);
        add(s, read, weights, (first + o) * taps, taps, n);
        System.arraycopy(s, 0, p.out, p.to + o * area + from, n);
      }
    }
  }

  /** What tap k of the kernel reads for the results {@code from} to {@code from + n}. */
  private static void gather(Place p, Convolution how, int k, int from, int n, float[] into) {
    int side = how.side();
    int plane = p.at + k / (side * side) * p.height * p.width;
    int dy = k / side % side - how.padding();
    int dx = k % side - how.padding();
    int stride = how.stride();
    for (int i = from / p.wide; i * p.wide < from + n; i++) {
      int y = i * stride + dy;
      int to = i * p.wide - from;
      if (y < 0 || y >= p.height) {
        Arrays.fill(into, to, to + p.wide, 0);
        continue;
      }
      // results j with 0 <= j·stride + dx < width
      int low = Math.min(p.wide, dx >= 0 ? 0 : (-dx + stride - 1) / stride);
      int past = p.width - dx <= 0 ? 0 : (p.width - dx + stride - 1) / stride;
      int high = Math.max(low, Math.min(p.wide, past));
      Arrays.fill(into, to, to + low, 0);
      int row = plane + y * p.width + dx;
      if (stride == 1) {
        System.arraycopy(p.x, row + low, into, to + low, high - low);
      } else {
        for (int j = low; j < high; j++) {
          into[to + j] = p.x[row + j * stride];
        }
      }
      Arrays.fill(into, to + high, to + p.wide, 0);
    }
  }

  /** A convolution whose results are summed for all channels of a pixel at once. */
  void overChannels(
      Place p, Convolution how, float[][] columns, int count, float[] bias, int first) {
    int side = how.side();
    int area = p.area();
    float[] read = factors(p.channels * side * side);
    float[] s = sum(count);
    for (int q = 0; q < area; q++) {
      int y = q / p.wide * how.stride() - how.padding();
      int x = q % p.wide * how.stride() - how.padding();
      int k = 0;
      for (int c = 0; c < p.channels; c++) {
        for (int dy = 0; dy < side; dy++) {
          for (int dx = 0; dx < side; dx++) {
            boolean inside = y + dy >= 0 && y + dy < p.height && x + dx >= 0 && x + dx < p.width;
            read[k++] = inside ? p.x[p.at + (c * p.height + y + dy) * p.width + x + dx] : 0;
          }
        }
      }
      if (bias == null) {
        Arrays.fill(s, 0, count, 0);
      } else {
        System.arraycopy(bias, first, s, 0, count);
      }
      add(s, columns, read, 0, columns.length, count);
      for (int o = 0; o < count; o++) {
        p.out[p.to + o * area + q] = s[o];
      }
    }
  }
}
