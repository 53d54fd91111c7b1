package org.orbitmap.network.zoo;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.orbitmap.network.Architecture;
import org.orbitmap.network.Convolution;
import org.orbitmap.network.Network;
import org.orbitmap.network.Operations;

/**
 * Residual networks (He et al., 2016): relu(f(x) + shortcut(x)), of basic blocks or bottlenecks.
 * For small images they begin with a 3 x 3 convolution without pooling, for ImageNet, as in
 * torchvision, with a 7 x 7 convolution of stride 2 and pooling. A bottleneck has its stride in the
 * 3 x 3 convolution.
 */
public final class ResNet implements Network {
  private static final Pattern LAYER = Pattern.compile("layer(\\d)\\.(\\d{1,3})\\.(.*)");

  private final String name;
  private final boolean small;
  private final boolean bottleneck;
  private final int[] depth;

  private ResNet(String name, boolean small, boolean bottleneck, int... depth) {
    this.name = name;
    this.small = small;
    this.bottleneck = bottleneck;
    this.depth = depth;
  }

  /** Basic blocks for small images; blocks in each of the four stages. */
  static ResNet small(String name, int... depth) {
    return new ResNet(name, true, false, depth);
  }

  /** Basic blocks with the stem of ImageNet. */
  static ResNet basic(String name, int... depth) {
    return new ResNet(name, false, false, depth);
  }

  /** Bottlenecks with the stem of ImageNet. */
  static ResNet bottleneck(String name, int... depth) {
    return new ResNet(name, false, true, depth);
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
    return small ? 8 : 32;
  }

  /** In torchvision and timm, for example, {@code layer2.0.downsample.1.weight}. */
  @Override
  public String own(String name) {
    Matcher m = LAYER.matcher(name);
    String own = name;
    if (m.matches()) {
      own =
          "stage%s.block%d.%s"
              .formatted(m.group(1), Integer.parseInt(m.group(2)) + 1, m.group(3))
              .replace(".bn", ".norm")
              .replace(".downsample.0.", ".skip.")
              .replace(".downsample.1.", ".skip.norm.");
    }
    return own.replaceFirst("^conv1\\.", "stem.")
        .replaceFirst("^bn1\\.", "stem.norm.")
        .replaceFirst("^fc\\.", "head.");
  }

  @Override
  public <T> T features(Operations<T> ops, T x, Architecture settings) {
    int base = settings.channels(64);
    Convolution stem =
        small ? Convolution.of(base, 3).padding(1) : Convolution.of(base, 7).stride(2).padding(3);
    T y = ops.convolution(x, "stem", stem.withoutBias());
    y = ops.normRelu(y, "stem.norm");
    if (!small) {
      y = ops.maxPool(y, 3, 2, 1);
    }
    for (int s = 0; s < depth.length; s++) {
      for (int b = 0; b < depth[s]; b++) {
        String block = "stage%d.block%d".formatted(s + 1, b + 1);
        y = block(ops, y, block, base << s, s > 0 && b == 0 ? 2 : 1);
      }
    }
    return ops.globalAverage(y);
  }

  private <T> T block(Operations<T> ops, T x, String name, int mid, int stride) {
    int out = bottleneck ? 4 * mid : mid;
    T y;
    if (bottleneck) {
      y = ops.normRelu(conv(ops, x, name, 1, Convolution.of(mid, 1)), name + ".norm1");
      Convolution wide = Convolution.of(mid, 3).padding(1).stride(stride);
      y = ops.normRelu(conv(ops, y, name, 2, wide), name + ".norm2");
      y = ops.batchNorm(conv(ops, y, name, 3, Convolution.of(out, 1)), name + ".norm3");
    } else {
      Convolution wide = Convolution.of(mid, 3).padding(1);
      y = ops.normRelu(conv(ops, x, name, 1, wide.stride(stride)), name + ".norm1");
      y = ops.batchNorm(conv(ops, y, name, 2, wide), name + ".norm2");
    }
    T shortcut = x;
    if (stride != 1 || ops.length(x, 0) != out) {
      Convolution skip = Convolution.of(out, 1).stride(stride).withoutBias();
      shortcut = ops.batchNorm(ops.convolution(x, name + ".skip", skip), name + ".skip.norm");
    }
    return ops.addRelu(y, shortcut);
  }

  private static <T> T conv(Operations<T> ops, T x, String name, int i, Convolution convolution) {
    return ops.convolution(x, name + ".conv" + i, convolution.withoutBias());
  }
}
