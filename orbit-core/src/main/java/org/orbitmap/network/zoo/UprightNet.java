package org.orbitmap.network.zoo;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.orbitmap.image.Fill;
import org.orbitmap.image.SamplingGrid;
import org.orbitmap.network.Architecture;
import org.orbitmap.network.Convolution;
import org.orbitmap.network.Initial;
import org.orbitmap.network.Network;
import org.orbitmap.network.Operations;

/**
 * Says how an image must be rotated to be upright: one score for each bin of angles. It is
 * equivariant to quarter turns by construction (a group convolutional network over p4; Cohen and
 * Welling, 2016): when the input is rotated by a quarter turn, its scores move by a quarter of the
 * bins.
 *
 * <p>Features come in fields of four channels, one for each quarter turn; channel 4f + r. A kernel
 * is used in its four orientations: as w[r] turned by r on an image, and on fields turned by r with
 * the four channels of a field rolled by r. The four share batch normalisation.
 *
 * <p>It takes raw samples in [0, 1]: normalising them, and blanking what lies outside the inscribed
 * circle, is its first step.
 */
public final class UprightNet implements Network {
  private static final int TURNS = 4;

  /** The fields of the layers; where they grow, the image was halved before. */
  private static final int[] FIELDS = {8, 8, 16, 16, 32, 32, 48};

  private static final int POOLS = 3;
  private static final int LAST = 64;
  private static final float[] MEAN = {0.4914f, 0.4822f, 0.4465f};
  private static final float[] DEVIATION = {0.247f, 0.2435f, 0.2616f};

  /** Where the numbers of kernels stand, by their sizes. */
  private static final Map<String, int[]> PLACES = new ConcurrentHashMap<>();

  private final boolean mirrors;

  private UprightNet(boolean mirrors) {
    this.mirrors = mirrors;
  }

  /** One score for each rotation. */
  static UprightNet ofRotations() {
    return new UprightNet(false);
  }

  /** One score for each rotation, then one for each mirroring followed by a rotation. */
  static UprightNet ofMirrorings() {
    return new UprightNet(true);
  }

  @Override
  public String name() {
    return mirrors ? "upright-p4-o2" : "upright-p4";
  }

  @Override
  public String takes() {
    return "images";
  }

  @Override
  public int leastSide() {
    return 1 << POOLS;
  }

  @Override
  public <T> T features(Operations<T> ops, T x, Architecture settings) {
    int side = ops.length(x, 1);
    if (side != ops.length(x, 2) || side % (1 << POOLS) != 0) {
      throw new IllegalArgumentException(
          "%s: expected square images with a side that %d divides, found %d x %d"
              .formatted(name(), 1 << POOLS, side, ops.length(x, 2)));
    }
    T y = normal(ops, x);
    for (int i = 0; i < FIELDS.length; i++) {
      if (i > 0 && FIELDS[i] > FIELDS[i - 1]) {
        y = ops.averagePool(y, 2);
      }
      int out = settings.channels(FIELDS[i]);
      T z = convolution(ops, y, "layer" + (i + 1), i == 0, 3, 1, out);
      z = norm(ops, z, "layer" + (i + 1) + ".norm");
      boolean same = i > 0 && ops.length(y, 0) == ops.length(z, 0);
      y = ops.relu(same ? ops.add(z, y) : z);
    }
    T whole = convolution(ops, y, "whole", false, side >> POOLS, 0, settings.channels(LAST));
    return ops.flatten(ops.relu(norm(ops, whole, "whole.norm")));
  }

  /** Normalised inside the inscribed circle, 0 outside. */
  private static <T> T normal(Operations<T> ops, T x) {
    int channels = ops.length(x, 0);
    float[] mean = Arrays.copyOf(MEAN, channels);
    float[] deviation = Arrays.copyOf(DEVIATION, channels);
    if (channels != MEAN.length) {
      Arrays.fill(mean, 0.5f);
      Arrays.fill(deviation, 0.25f);
    }
    int height = ops.length(x, 1);
    int width = ops.length(x, 2);
    float[] inside = SamplingGrid.of(height, width, Fill.ZERO).inside();
    T centred = ops.subtract(x, ops.constant(mean, channels, 1, 1));
    T scaled = ops.divide(centred, ops.constant(deviation, channels, 1, 1));
    return ops.multiply(scaled, ops.constant(inside, 1, height, width));
  }

  /** Batch normalisation of fields: the four orientations of each are one channel. */
  private static <T> T norm(Operations<T> ops, T x, String name) {
    int channels = ops.length(x, 0);
    int height = ops.length(x, 1);
    int width = ops.length(x, 2);
    T fields = ops.reshape(x, channels / TURNS, TURNS * height, width);
    return ops.reshape(ops.batchNorm(fields, name), channels, height, width);
  }

  /**
   * A convolution from an image or from fields to fields.
   *
   * @param first whether it is from an image
   */
  private static <T> T convolution(
      Operations<T> ops, T x, String name, boolean first, int side, int padding, int out) {
    int channels = ops.length(x, 0);
    int in = first ? channels : channels / TURNS;
    int turns = first ? 1 : TURNS;
    int count = out * in * turns * side * side;
    int[] index =
        PLACES.computeIfAbsent(
            "%d %d %d %d".formatted(out, in, turns, side), k -> places(out, in, turns, side));
    T kernel =
        ops.shared(
            name + ".weight",
            Initial.he((long) in * turns * side * side),
            count,
            index,
            TURNS * out,
            channels,
            side,
            side);
    return ops.convolution(
        x, kernel, Convolution.of(TURNS * out, side).padding(padding).withoutBias());
  }

  /**
   * Where the numbers w[out, in, turns, row, column] of a kernel stand in its four orientations.
   *
   * @param turns 1 from an image, 4 from fields
   */
  static int[] places(int out, int in, int turns, int side) {
    int[] places = new int[TURNS * out * in * turns * side * side];
    int at = 0;
    for (int o = 0; o < TURNS * out; o++) {
      for (int i = 0; i < in * turns; i++) {
        int rolled = Math.floorMod(i % turns - o % TURNS, turns);
        int from = ((o / TURNS * in + i / turns) * turns + rolled) * side * side;
        for (int row = 0; row < side; row++) {
          for (int column = 0; column < side; column++) {
            places[at++] = from + turned(row, column, o % TURNS, side);
          }
        }
      }
    }
    return places;
  }

  /** Where a pixel of a kernel that was turned by quarter turns comes from. */
  private static int turned(int row, int column, int turns, int side) {
    int i = row;
    int j = column;
    for (int r = 0; r < turns; r++) {
      int k = i;
      i = j;
      j = side - 1 - k;
    }
    return i * side + j;
  }

  /**
   * The scores: a linear layer from fields to fields, whose orientations are quarters of the bins.
   * A rotation by a quarter turn and the bins count in opposite directions, and behind a mirroring
   * in the same.
   */
  @Override
  public <T> T scores(Operations<T> ops, T features, Architecture settings) {
    int all = settings.classes();
    int bins = mirrors ? all / 2 : all;
    if (bins % TURNS != 0 || bins * (mirrors ? 2 : 1) != all) {
      throw new IllegalArgumentException(
          "%s: expected a number of scores that %d divides, found %d"
              .formatted(name(), mirrors ? 2 * TURNS : TURNS, all));
    }
    int in = ops.length(features, 0) / TURNS;
    int fields = all / TURNS;
    T w =
        ops.shared(
            "scores.weight",
            Initial.he((long) in * TURNS),
            fields * in * TURNS,
            scorePlaces(all, bins, in),
            all,
            in * TURNS);
    T bias = ops.shared("scores.bias", Initial.constant(0), fields, scorePlaces(all, bins, 0), all);
    T column = ops.reshape(features, in * TURNS, 1);
    return ops.add(ops.reshape(ops.matmul(w, column), all), bias);
  }

  private static int[] scorePlaces(int all, int bins, int in) {
    return PLACES.computeIfAbsent(
        "scores %d %d %d".formatted(all, bins, in), key -> findScorePlaces(all, bins, in));
  }

  /** Where the numbers of the linear layer stand; of its bias, for 0 fields that come in. */
  static int[] findScorePlaces(int all, int bins, int in) {
    int quarter = bins / TURNS;
    int width = Math.max(1, in * TURNS);
    int[] places = new int[all * width];
    for (int b = 0; b < all; b++) {
      int turn = b % bins / quarter;
      int r = b >= bins ? turn : Math.floorMod(-turn, TURNS);
      int field = b % quarter + b / bins * quarter;
      for (int i = 0; i < width; i++) {
        places[b * width + i] =
            in == 0
                ? field
                : (field * in + i / TURNS) * TURNS + Math.floorMod(i % TURNS - r, TURNS);
      }
    }
    return places;
  }
}
