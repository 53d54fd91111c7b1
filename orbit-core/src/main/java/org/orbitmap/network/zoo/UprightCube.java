package org.orbitmap.network.zoo;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
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
 * h_b(t) = max(0, 1 - |t - c_b|/δ) with the distance δ between places. The means of
 * h_b(x_i)·h_c(x_j) over the points are three images, which move with the cloud without jumps and
 * do not depend on the order of the points; rotating axes to axes only exchanges their pixels.
 * Their roots are what the layers see.
 */
public final class UprightCube implements Network {
  private static final int[][] ORDERS = {
    {0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}
  };
  private static final int EVEN = 3; // the first orders
  private static final int BINS = 10;
  private static final int RANGE = 2;
  private static final float STEP = 2f * RANGE / (BINS - 1);
  private static final int WIDE = 3 * BINS;
  private static final float LEAST = 1e-4f; // under the root
  private static final List<double[]> ROTATIONS = matrices();

  private static final int[] PIXELS = pixels();

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

  @Override
  public <T> T features(Operations<T> ops, T x, Architecture settings) {
    T hats = hats(ops, x);
    T products = ops.flatten(ops.matmul(ops.transpose(hats, 0, 1), hats));
    // The hats of a coordinate sum to 1, so all products of a point to 9.
    T total = ops.reshape(ops.mean(products, 0), 1);
    T points = ops.multiply(total, constant(ops, WIDE * WIDE / 9f));
    T mean = ops.divide(products, points);
    T roots = ops.sqrt(ops.add(mean, constant(ops, LEAST)));
    T y = ops.reshape(ops.select(roots, 0, PIXELS), COUNT, PIXELS.length / COUNT);
    y = ops.batchNorm(y, "norm");
    y = ops.normRelu(ops.linear(y, "fc1", settings.channels(256)), "fc1.norm");
    y = ops.normRelu(ops.linear(y, "fc2", settings.channels(128)), "fc2.norm");
    return ops.flatten(y);
  }

  /** The hats of the three coordinates of each point: one row for each. */
  private static <T> T hats(Operations<T> ops, T x) {
    float[] spread = new float[3 * WIDE];
    float[] places = new float[WIDE];
    for (int k = 0; k < WIDE; k++) {
      spread[k / BINS * WIDE + k] = 1;
      places[k] = k % BINS * STEP; // from -RANGE on
    }
    T wide = ops.matmul(x, ops.constant(spread, 3, WIDE));
    T over = ops.relu(ops.subtract(wide, constant(ops, RANGE)));
    T cut = ops.subtract(ops.relu(ops.add(wide, constant(ops, RANGE))), over); // and RANGE more
    T off = ops.subtract(cut, ops.constant(places, WIDE));
    T distance = ops.maximum(off, ops.multiply(off, constant(ops, -1)));
    T share = ops.multiply(distance, constant(ops, -1 / STEP));
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
