package org.orbitmap.network.zoo;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.orbitmap.network.Architecture;
import org.orbitmap.network.Convolution;
import org.orbitmap.network.Initial;
import org.orbitmap.network.Network;
import org.orbitmap.network.Operations;

/**
 * Residual networks without batch normalisation (Brock et al., 2021), which the paper fine-tunes on
 * HAM10000: the signal keeps its size because kernels are standardised and the variance that each
 * block adds is known.
 *
 * <p>A block is x → shortcut + α·s·2σ(x)·f(x) with y = β·γ·gelu(x), f four convolutions of y, σ
 * squeeze-and-excitation, s a learned number that starts at 0. β = 1/√v, where v is the variance of
 * x: 1 behind the stem, α² more after each block, and set back to 1 first by the block that begins
 * a stage, whose shortcut is made from y. γ is 1 over the standard deviation of gelu(z), z standard
 * normal.
 *
 * <p>Kernels are gain·fan-in^(-1/2)·(w - mean)/√(variance + 10⁻⁵) for each output channel; images
 * are padded as TensorFlow's SAME does: the odd pixel goes to the right and the bottom.
 */
public final class NfNet implements Network {
  private static final double ALPHA = 0.2;
  private static final double GAMMA = 1.7015043497085571;
  private static final double EPSILON = 1e-5;
  private static final int[] STEM = {16, 32, 64, 128};
  private static final int[] STEM_STRIDE = {2, 1, 1, 2};

  /** Channels of a group of the 3 x 3 convolutions. */
  private static final int GROUP = 128;

  /** Groups in each stage; a block has twice their channels. */
  private static final int[] GROUPS = {1, 2, 6, 6};

  private static final int LAST = 3072;

  private static final Pattern STAGE = Pattern.compile("stages\\.(\\d)\\.(\\d{1,3})\\.(.*)");

  private final String name;
  private final int[] depth;

  private NfNet(String name, int... depth) {
    this.name = name;
    this.depth = depth;
  }

  /** NFNet-F0, with so many blocks in each of the four stages. */
  static NfNet f0() {
    return new NfNet("nfnet-f0", 1, 2, 6, 3);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String takes() {
    return "images";
  }

  @Override
  public int leastSide() {
    return 32;
  }

  /** In timm, for example, {@code stages.0.1.conv2b.weight}. */
  @Override
  public String own(String name) {
    Matcher m = STAGE.matcher(name);
    String own = name;
    if (m.matches()) {
      own =
          "stage%d.block%d.%s"
              .formatted(
                  Integer.parseInt(m.group(1)) + 1, Integer.parseInt(m.group(2)) + 1, m.group(3))
              .replace(".conv3.", ".conv4.")
              .replace(".conv2b.", ".conv3.")
              .replace(".downsample.conv.", ".skip.")
              .replace(".attn_last.fc1.", ".squeeze.")
              .replace(".attn_last.fc2.", ".excite.")
              .replace(".skipinit_gain", ".gain");
    }
    return own.replaceFirst("^final_conv\\.", "last.").replaceFirst("^head\\.fc\\.", "head.");
  }

  @Override
  public <T> T features(Operations<T> ops, T x, Architecture settings) {
    T y = x;
    for (int i = 0; i < STEM.length; i++) {
      Convolution how = Convolution.of(settings.channels(STEM[i]), 3).stride(STEM_STRIDE[i]);
      y = convolution(ops, i == 0 ? y : active(ops, y, 1), "stem.conv" + (i + 1), how);
    }
    double variance = 1;
    int group = settings.channels(GROUP);
    for (int s = 0; s < depth.length; s++) {
      for (int b = 0; b < depth[s]; b++) {
        String block = "stage%d.block%d".formatted(s + 1, b + 1);
        int stride = s > 0 && b == 0 ? 2 : 1;
        y = block(ops, y, block, 1 / Math.sqrt(variance), group, GROUPS[s], stride);
        variance = (b == 0 ? 1 : variance) + ALPHA * ALPHA;
      }
    }
    y = convolution(ops, y, "last", Convolution.of(settings.channels(LAST), 1));
    return ops.globalAverage(active(ops, y, 1));
  }

  private static <T> T block(
      Operations<T> ops, T x, String name, double beta, int group, int groups, int stride) {
    int mid = group * groups;
    int out = 2 * mid;
    T y = active(ops, x, beta);
    T shortcut = x;
    if (stride != 1 || ops.length(x, 0) != out) {
      T reduced = stride == 1 ? y : ops.averagePool(y, stride, true);
      shortcut = convolution(ops, reduced, name + ".skip", Convolution.of(out, 1));
    }
    Convolution grouped = Convolution.of(mid, 3).groups(groups);
    T z = convolution(ops, y, name + ".conv1", Convolution.of(mid, 1));
    z = convolution(ops, active(ops, z, 1), name + ".conv2", grouped.stride(stride));
    z = convolution(ops, active(ops, z, 1), name + ".conv3", grouped);
    z = convolution(ops, active(ops, z, 1), name + ".conv4", Convolution.of(out, 1));
    T squeezed = ops.relu(ops.linear(ops.globalAverage(z), name + ".squeeze", mid));
    T excited = ops.sigmoid(ops.linear(squeezed, name + ".excite", out));
    T gain = ops.parameter(name + ".gain", Initial.constant(0), 1);
    T factor = ops.multiply(gain, number(ops, 2 * ALPHA));
    T weights = ops.reshape(ops.multiply(excited, factor), out, 1, 1);
    return ops.add(ops.multiply(z, weights), shortcut);
  }

  /** β·γ·gelu(x). */
  private static <T> T active(Operations<T> ops, T x, double beta) {
    return ops.multiply(ops.gelu(x), number(ops, beta * GAMMA));
  }

  private static <T> T number(Operations<T> ops, double value) {
    return ops.constant(new float[] {(float) value}, 1);
  }

  /** A convolution with standardised kernels and a bias. */
  private static <T> T convolution(Operations<T> ops, T x, String name, Convolution how) {
    int in = ops.length(x, 0) / how.groups();
    int side = how.side();
    T kernel = ops.derived(name + ".kernel", new Kernel(name, how.out(), in, side));
    int down = same(ops.length(x, 1), side, how.stride());
    int across = same(ops.length(x, 2), side, how.stride());
    // What is added on both sides alike needs no copy of the image.
    boolean even = down == across && down % 2 == 0;
    T padded = even ? x : ops.pad(x, down / 2, across / 2, (down + 1) / 2, (across + 1) / 2);
    T y = ops.convolution(padded, kernel, how.padding(even ? down / 2 : 0).withoutBias());
    return ops.add(y, ops.parameter(name + ".bias", Initial.constant(0), how.out(), 1, 1));
  }

  /** The standardised kernels of a convolution, from their parameters. */
  private record Kernel(String name, int out, int in, int side) implements Operations.Derivation {
    @Override
    public <T> T of(Operations<T> ops) {
      int fan = in * side * side;
      T w = ops.parameter(name + ".weight", Initial.he(fan), out, in, side, side);
      T gain = ops.parameter(name + ".gain", Initial.constant(1), out);
      T scaled = ops.multiply(gain, number(ops, 1 / Math.sqrt((double) fan)));
      return ops.standardised(w, scaled, EPSILON);
    }
  }

  /** How many zeros SAME adds to a length in all: the result has ⌈length/stride⌉. */
  private static int same(int length, int side, int stride) {
    int out = (length + stride - 1) / stride;
    return Math.max(0, (out - 1) * stride + side - length);
  }
}
