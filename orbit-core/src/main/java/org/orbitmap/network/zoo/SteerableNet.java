package org.orbitmap.network.zoo;

import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.orbitmap.network.Architecture;
import org.orbitmap.network.Network;
import org.orbitmap.network.Operations;
import org.orbitmap.network.steerable.FieldType;
import org.orbitmap.network.steerable.Harmonics;
import org.orbitmap.network.steerable.PlaneGroup;
import org.orbitmap.network.steerable.SteerableConvolution;

/**
 * E2CNN with regular fields (Weiler and Cesa, 2019), as the paper has it on RotMNIST: equivariant
 * to D_N up to the layer of the restriction, to C_N from there on, then invariant. Its answers do
 * not change with quarter turns if 4 divides N, and with the other rotations of C_N up to what
 * pixels can show.
 *
 * <p>Six convolutions of {@link Harmonics#published}; behind each batch normalisation over fields
 * and ELU; max-pooling behind the second and the fourth; the maximum over the group and what is
 * left of the image behind the last. Then two layers of 96 with dropout.
 *
 * <p>A layer of C fields as published for 16 elements has ⌊C/√(|G|/16)⌋ for |G|, so that the number
 * of parameters does not depend on the group.
 */
public final class SteerableNet implements Network {
  private static final int[] SIDES = {9, 7, 7, 7, 7, 5};
  private static final int[] PADDING = {0, 3, 3, 3, 3, 0};
  private static final boolean[] POOLED = {false, true, false, true, false, false};
  private static final int[] CHANNELS = {24, 32, 36, 36, 64, 96};
  private static final int LAYERS = SIDES.length;
  private static final int HIDDEN = 96;
  private static final double DROPOUT = 0.3;
  private static final Set<String> OPTIONS =
      new TreeSet<>(Set.of("rotations", "restriction", "channels"));

  private final String name;
  private final int rotations;
  private final boolean free;

  private SteerableNet(String name, int rotations, boolean free) {
    this.name = name;
    this.rotations = rotations;
    this.free = free;
  }

  /** With D_N up to the third layer. */
  static SteerableNet published(int rotations) {
    return new SteerableNet("e2cnn-d%dc%d".formatted(rotations, rotations), rotations, false);
  }

  /**
   * The free form. Options: {@code rotations} N (8); {@code restriction}, the last layer that knows
   * mirrorings, 0 for none (3); {@code channels} of the six layers for a group of 16
   * (24,32,36,36,64,96).
   */
  static SteerableNet free() {
    return new SteerableNet("e2cnn", 8, true);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String takes() {
    return "images";
  }

  /** So much that the last kernel finds 5 x 5. */
  @Override
  public int leastSide() {
    return 28;
  }

  @Override
  public boolean ignoresQuarterTurns(Architecture settings) {
    return Plan.of(this, settings.options()).rotations() % 4 == 0;
  }

  /** What the options say. */
  private record Plan(int rotations, int restriction, int[] channels) {
    static Plan of(SteerableNet net, Map<String, String> options) {
      for (String key : options.keySet()) {
        if (!net.free || !OPTIONS.contains(key)) {
          throw new IllegalArgumentException(
              "%s: expected %s, found the option %s"
                  .formatted(
                      net.name,
                      net.free ? "options of " + OPTIONS : "no options (e2cnn has some)",
                      key));
        }
      }
      int rotations = number("rotations", options, net.rotations, 1, PlaneGroup.MOST_ROTATIONS);
      int restriction = number("restriction", options, 3, 0, LAYERS);
      int[] channels = CHANNELS;
      if (options.containsKey("channels")) {
        String text = options.get("channels");
        channels =
            Arrays.stream(text.split(",", -1))
                .mapToInt(c -> number("channels", Map.of("channels", c), 0, 1, 4096))
                .toArray();
        if (channels.length != LAYERS) {
          throw wrong("channels", LAYERS + " numbers with commas between them", text);
        }
      }
      return new Plan(rotations, restriction, channels);
    }

    private static int number(
        String key, Map<String, String> options, int otherwise, int least, int most) {
      String text = options.get(key);
      if (text == null) {
        return otherwise;
      }
      try {
        int value = Integer.parseInt(text.strip());
        if (value >= least && value <= most) {
          return value;
        }
      } catch (NumberFormatException e) {
        // said below
      }
      throw wrong(key, "a whole number from %d to %d".formatted(least, most), text);
    }

    private static IllegalArgumentException wrong(String key, String expected, String found) {
      return new IllegalArgumentException(
          "e2cnn, option %s: expected %s, found %s".formatted(key, expected, found));
    }

    /** The group of a layer, counted from 1. */
    PlaneGroup group(int layer) {
      return new PlaneGroup(rotations, layer <= restriction);
    }
  }

  @Override
  public <T> T features(Operations<T> ops, T x, Architecture settings) {
    Plan plan = Plan.of(this, settings.options());
    FieldType in = FieldType.scalars(plan.group(1), ops.length(x, 0));
    T y = x;
    for (int i = 0; i < LAYERS; i++) {
      String layer = "layer" + (i + 1);
      PlaneGroup group = plan.group(i + 1);
      int fields = (int) (plan.channels()[i] / Math.sqrt(group.order() / 16.0));
      FieldType out = FieldType.regular(group, settings.channels(fields));
      y =
          new SteerableConvolution(layer, in, out, Harmonics.published(SIDES[i]))
              .apply(ops, y, PADDING[i]);
      in = plan.restriction() == i + 1 ? out.restricted() : out;
      y = ops.batchNorm(y, layer + ".norm", in.size());
      if (i == LAYERS - 1) {
        y = whole(ops, y, in);
      } else if (POOLED[i]) {
        y = pooled(ops, y);
      }
      y = ops.elu(y);
    }
    for (String layer : new String[] {"full1", "full2"}) {
      y = ops.linear(ops.dropout(y, DROPOUT), layer, HIDDEN);
      y = ops.elu(ops.batchNorm(y, layer + ".norm"));
    }
    return ops.dropout(y, DROPOUT);
  }

  /** Every second pixel; of an odd side windows of 3, so that both ends are treated alike. */
  private static <T> T pooled(Operations<T> ops, T x) {
    if (ops.length(x, 1) != ops.length(x, 2)) {
      throw new IllegalArgumentException(
          "e2cnn: expected square images, found %d x %d behind a layer"
              .formatted(ops.length(x, 1), ops.length(x, 2)));
    }
    return ops.maxPool(x, ops.length(x, 1) % 2 == 0 ? 2 : 3, 2, 0);
  }

  /** The largest value of each field: over the group, and over the image. */
  private static <T> T whole(Operations<T> ops, T x, FieldType type) {
    int places = type.size() * ops.length(x, 1) * ops.length(x, 2);
    return ops.max(ops.reshape(x, type.count(), places), 1);
  }
}
