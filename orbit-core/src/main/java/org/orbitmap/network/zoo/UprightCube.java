package org.orbitmap.network.zoo;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntBinaryOperator;
import org.orbitmap.network.Architecture;
import org.orbitmap.network.Network;
import org.orbitmap.network.Operations;

/**
 * Says how a cloud must be rotated to be upright. It looks at how many points there are where, from
 * the front, from the side and from above, in each of the 24 rotations F_k that carry axes to axes,
 * and the same layers give as many numbers for each. So it is equivariant to these rotations by
 * construction: of a cloud that comes as F_j·x it says of F_k what it said of F_k·F_j of x,
 * whichever directions the axes were given.
 *
 * <p>Each coordinate, cut at ±{@value #RANGE}, is spread over {@value #BINS} places c_b as hats,
 * h_b(t) = max(0, 1 - |t - c_b|/δ) with the distance δ between places. What the layers see of a
 * rotation are roots of means over the points, which move with the cloud without jumps and do not
 * depend on the order of the points; rotating axes to axes only exchanges them:
 *
 * <ul>
 *   <li>three images, the means of h_b(x_i)·h_c(x_j);
 *   <li>the same of the cloud in its box, each coordinate stretched to the whole range: proportions
 *       are told apart from shapes;
 *   <li>by height, how far points are from the vertical axis, h_b(z)·h_c(ρ): the same for every
 *       heading;
 *   <li>by height, how they are spread around it, |mean h_b(z)·ρ·e^{imφ}| for m = 1 to {@value
 *       #WAVES}: likewise.
 * </ul>
 */
public final class UprightCube implements Network {
  private static final int[][] ORDERS = {
    {0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}
  };
  private static final int EVEN = 3; // the first orders
  private static final int BINS = 10;
  private static final int RANGE = 2;
  private static final int WIDE = 3 * BINS;
  private static final int RINGS = 6;
  private static final int WAVES = 4;
  private static final float LEAST = 1e-4f; // under the root of a mean
  private static final float NEAR = 1e-6f; // under the root of a square
  private static final float FLAT = 1e-3f; // the least height, width and depth of a box
  private static final List<double[]> ROTATIONS = matrices();

  private static final int[] PIXELS = pixels();
  private static final int[] RING = levels(3 * RINGS, (axis, ring) -> axis * RINGS + ring, RINGS);
  private static final int[] WAVE = levels(3 * WAVES, (axis, wave) -> 3 * wave + axis, WAVES);

  /** The two other axes of each. */
  private static final int[] NEXT = {1, 2, 0};

  private static final int[] LAST = {2, 0, 1};

  /** How many rotations carry axes to axes. */
  public static final int COUNT = ROTATIONS.size();

  /** How many of them make the same axis vertical; they follow one another. */
  public static final int HEADINGS = COUNT / 6;

  UprightCube() {}

  /** One of the rotations that carry axes to axes, row by row; the first is the identity. */
  public static double[] rotation(int k) {
    return ROTATIONS.get(k).clone();
  }

  /** The matrices with one ±1 in each row and column and the determinant 1. */
  private static List<double[]> matrices() {
    List<double[]> all = new ArrayList<>();
    for (int p = 0; p < ORDERS.length; p++) {
      for (int signs = 0; signs < 8; signs++) {
        if (Integer.bitCount(signs) % 2 == (p < EVEN ? 0 : 1)) {
          double[] r = new double[9];
          for (int i = 0; i < 3; i++) {
            r[3 * i + ORDERS[p][i]] = (signs >> i & 1) == 0 ? 1 : -1;
          }
          all.add(r);
        }
      }
    }
    all.sort(Comparator.comparingInt(r -> r[8] != 0 ? (int) -r[8] : (int) (r[6] + 3 * r[7] + 5)));
    return List.copyOf(all);
  }

  @Override
  public String name() {
    return "upright-cube";
  }

  @Override
  public String takes() {
    return "clouds";
  }

  /** Where the three images in each rotation are among the products of all hats. */
  private static int[] pixels() {
    int[] places = new int[ROTATIONS.size() * 3 * BINS * BINS];
    int at = 0;
    for (double[] f : ROTATIONS) {
      for (int i = 0; i < 3; i++) {
        for (int b = 0; b < BINS * BINS; b++) {
          places[at++] = hat(f, i, b / BINS) * WIDE + hat(f, (i + 1) % 3, b % BINS);
        }
      }
    }
    return places;
  }

  /** The hat before a rotation that is hat b of coordinate i after it. */
  private static int hat(double[] f, int i, int b) {
    int from = f[3 * i] != 0 ? 0 : f[3 * i + 1] != 0 ? 1 : 2;
    return from * BINS + (f[3 * i + from] > 0 ? b : BINS - 1 - b);
  }

  /**
   * Where the numbers by height of each rotation are in a table with a row for each hat and some
   * columns, of which the axis that is vertical has its own.
   */
  private static int[] levels(int columns, IntBinaryOperator column, int count) {
    int[] places = new int[ROTATIONS.size() * BINS * count];
    int at = 0;
    for (double[] f : ROTATIONS) {
      for (int b = 0; b < BINS; b++) {
        int row = hat(f, 2, b);
        for (int c = 0; c < count; c++) {
          places[at++] = row * columns + column.applyAsInt(row / BINS, c);
        }
      }
    }
    return places;
  }

  @Override
  public <T> T features(Operations<T> ops, T x, Architecture settings) {
    T hats = hats(ops, x, BINS, -RANGE, RANGE);
    T across = ops.transpose(hats, 0, 1);
    T products = ops.matmul(across, hats);
    // the hats of a coordinate sum to 1, so all products of a point to 9
    T points = ops.multiply(mean(ops, products), constant(ops, WIDE * WIDE / 9f));
    int width = settings.channels(256);
    T y = layer(ops, "fc1", shown(ops, products, points, PIXELS), width);
    T boxed = hats(ops, boxed(ops, x), BINS, -RANGE, RANGE);
    T inBox = ops.matmul(ops.transpose(boxed, 0, 1), boxed);
    y = ops.add(y, layer(ops, "fc1.box", shown(ops, inBox, points, PIXELS), width));

    T u = ops.select(x, 1, NEXT);
    T v = ops.select(x, 1, LAST);
    T squares = ops.add(ops.multiply(u, u), ops.multiply(v, v));
    T radius = ops.sqrt(ops.add(squares, constant(ops, NEAR)));
    T rings = ops.matmul(across, hats(ops, radius, RINGS, 0, RANGE));
    y = ops.add(y, layer(ops, "fc1.rings", shown(ops, rings, points, RING), width));
    T waves = waves(ops, across, points, u, v, radius);
    y = ops.add(y, layer(ops, "fc1.waves", waves, width));

    y = ops.normRelu(y, "fc1.norm");
    y = ops.normRelu(ops.linear(y, "fc2", settings.channels(128)), "fc2.norm");
    return ops.flatten(y);
  }

  /** One of the parts of the first layer. */
  private static <T> T layer(Operations<T> ops, String name, T seen, int width) {
    return ops.linear(ops.batchNorm(seen, name + ".seen"), name, width);
  }

  /** The roots of means, by rotation. */
  private static <T> T shown(Operations<T> ops, T sums, T points, int[] places) {
    T mean = ops.divide(ops.flatten(sums), points);
    T roots = ops.sqrt(ops.add(mean, constant(ops, LEAST)));
    return ops.reshape(ops.select(roots, 0, places), COUNT, places.length / COUNT);
  }

  private static <T> T mean(Operations<T> ops, T x) {
    return ops.reshape(ops.mean(ops.flatten(x), 0), 1);
  }

  /** Each coordinate stretched to ±RANGE. */
  private static <T> T boxed(Operations<T> ops, T x) {
    T high = ops.reshape(ops.max(x, 0), 1, 3);
    T low =
        ops.reshape(ops.max(ops.multiply(x, constant(ops, -1)), 0), 1, 3); // with its sign changed
    T more = ops.relu(ops.subtract(ops.add(high, low), constant(ops, FLAT)));
    T size = ops.add(more, constant(ops, FLAT)); // old opsets have no maximum of different shapes
    T share = ops.divide(ops.add(x, low), size);
    return ops.subtract(ops.multiply(share, constant(ops, 2 * RANGE)), constant(ops, RANGE));
  }

  /** How points are spread around each axis, by height: by the rotations. */
  private static <T> T waves(Operations<T> ops, T across, T points, T u, T v, T radius) {
    T cos = ops.divide(u, radius);
    T sin = ops.divide(v, radius);
    T far = ops.relu(ops.subtract(radius, constant(ops, RANGE)));
    T weight = ops.subtract(radius, far);
    T c = cos;
    T s = sin;
    T real = null;
    T imaginary = null;
    for (int m = 0; m < WAVES; m++) {
      float[] columns = new float[3 * 3 * WAVES];
      for (int axis = 0; axis < 3; axis++) {
        columns[axis * 3 * WAVES + 3 * m + axis] = 1;
      }
      T place = ops.constant(columns, 3, 3 * WAVES);
      T re = ops.matmul(ops.multiply(weight, c), place);
      T im = ops.matmul(ops.multiply(weight, s), place);
      real = m == 0 ? re : ops.add(real, re);
      imaginary = m == 0 ? im : ops.add(imaginary, im);
      T next = ops.subtract(ops.multiply(c, cos), ops.multiply(s, sin));
      s = ops.add(ops.multiply(c, sin), ops.multiply(s, cos));
      c = next;
    }
    T a = ops.divide(ops.flatten(ops.matmul(across, real)), points);
    T b = ops.divide(ops.flatten(ops.matmul(across, imaginary)), points);
    T squares = ops.add(ops.multiply(a, a), ops.multiply(b, b));
    T roots = ops.sqrt(ops.sqrt(ops.add(squares, constant(ops, NEAR))));
    return ops.reshape(ops.select(roots, 0, WAVE), COUNT, BINS * WAVES);
  }

  /** The hats of three coordinates of each point: one row for each point. */
  private static <T> T hats(Operations<T> ops, T x, int bins, float low, float high) {
    int wide = 3 * bins;
    float step = (high - low) / (bins - 1);
    float[] spread = new float[3 * wide];
    float[] places = new float[wide];
    for (int k = 0; k < wide; k++) {
      spread[k / bins * wide + k] = 1;
      places[k] = k % bins * step; // from low on
    }
    T each = ops.matmul(x, ops.constant(spread, 3, wide));
    T over = ops.relu(ops.subtract(each, constant(ops, high)));
    T cut = ops.subtract(ops.relu(ops.subtract(each, constant(ops, low))), over); // from low on
    T off = ops.subtract(cut, ops.constant(places, wide));
    T distance = ops.maximum(off, ops.multiply(off, constant(ops, -1)));
    T share = ops.multiply(distance, constant(ops, -1 / step));
    return ops.relu(ops.add(share, constant(ops, 1)));
  }

  private static <T> T constant(Operations<T> ops, float value) {
    return ops.constant(new float[] {value}, 1);
  }

  /** Of each rotation as many numbers, one rotation after the other. */
  @Override
  public <T> T scores(Operations<T> ops, T features, Architecture settings) {
    if (settings.classes() % COUNT != 0) {
      throw new IllegalArgumentException(
          "%s: expected a number of scores that %d divides, found %d"
              .formatted(name(), COUNT, settings.classes()));
    }
    T rows = ops.reshape(features, COUNT, ops.length(features, 0) / COUNT);
    return ops.flatten(ops.linear(rows, "scores", settings.classes() / COUNT));
  }
}
