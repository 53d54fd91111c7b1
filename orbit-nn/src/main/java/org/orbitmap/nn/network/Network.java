package org.orbitmap.nn.network;

import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.MemoryFormat;
import org.orbitmap.nn.tensor.Weights;

/** A network: features, and a last linear layer on them. */
final class Network {
  /** Everything before the last linear layer: (batch, channels, rows, columns) → (batch, d). */
  @FunctionalInterface
  private interface Body {
    Tensor features(Tensor x, boolean training);
  }

  private static final String HEAD = "head";

  private final Architecture architecture;
  private final Weights weights;
  private final Body body;

  /** A network with random weights that depend on the seed alone. */
  Network(Architecture architecture, long seed) {
    this.architecture = architecture;
    weights = new Weights(seed);
    body =
        switch (architecture.kind()) {
          case LINEAR -> linear();
          case CONVNET -> convnet();
          case RESNET18 -> resnet(false);
          case RESNET50 -> resnet(true);
        };
  }

  Architecture architecture() {
    return architecture;
  }

  Weights weights() {
    return weights;
  }

  /**
   * The scores of a batch.
   *
   * <p>With TI-pooling the features are max{features(turn(x)) : four quarter turns}, an invariant
   * of the exact quarter turns.
   */
  Tensor logits(Tensor x, boolean training) {
    Tensor f = body.features(x, training);
    if (architecture.tiPooling()) {
      for (int k = 1; k < 4; k++) {
        f = torch.maximum(f, body.features(torch.rot90(x, k, 2, 3), training));
      }
    }
    return Layers.linear(weights, HEAD, f);
  }

  private Body linear() {
    long d = (long) architecture.channels() * architecture.height() * architecture.columns();
    Layers.makeLinear(weights, HEAD, d, architecture.classes());
    return (x, training) -> x.flatten(1, -1);
  }

  private Body convnet() {
    long[] c = {architecture.channels(), 32, 64, 64, 128, 128};
    for (int i = 1; i < c.length; i++) {
      c[i] = Math.max(1, Math.round(c[i] * architecture.width()));
    }
    for (int i = 1; i < c.length; i++) {
      Layers.makeConv(weights, "conv" + i, c[i - 1], c[i], 3, true);
    }
    long d = c[5] * (architecture.height() / 3 / 3) * (architecture.columns() / 3 / 3);
    Layers.makeLinear(weights, HEAD, d, architecture.classes());
    return (x, training) -> {
      Tensor y = x.contiguous(MemoryFormat.ChannelsLast);
      for (int i = 1; i <= 4; i++) {
        y = torch.relu_(Layers.conv(weights, "conv" + i, y, 1, 1));
      }
      y = Layers.maxPool(y, 3, 3, 0);
      y = torch.relu_(Layers.conv(weights, "conv5", y, 1, 1));
      return Layers.maxPool(y, 3, 3, 0).contiguous().flatten(1, -1);
    };
  }

  /** Basic blocks and a 3 x 3 stem (ResNet-18), or bottlenecks and the ImageNet stem (50). */
  private Body resnet(boolean bottleneck) {
    int[] depth = bottleneck ? new int[] {3, 4, 6, 3} : new int[] {2, 2, 2, 2};
    long base = Math.max(1, Math.round(64 * architecture.width()));
    long expansion = bottleneck ? 4 : 1;
    Layers.makeConv(weights, "stem", architecture.channels(), base, bottleneck ? 7 : 3, false);
    Layers.makeNorm(weights, "stem.norm", base);
    long in = base;
    for (int s = 0; s < 4; s++) {
      long mid = base << s;
      for (int b = 0; b < depth[s]; b++) {
        makeBlock(block(s, b), in, mid, mid * expansion, stride(s, b), bottleneck);
        in = mid * expansion;
      }
    }
    Layers.makeLinear(weights, HEAD, in, architecture.classes());
    return (x, training) -> {
      Tensor y = x.contiguous(MemoryFormat.ChannelsLast);
      y = Layers.conv(weights, "stem", y, bottleneck ? 2 : 1, bottleneck ? 3 : 1);
      y = torch.relu_(Layers.norm(weights, "stem.norm", y, training));
      if (bottleneck) {
        y = Layers.maxPool(y, 3, 2, 1);
      }
      for (int s = 0; s < 4; s++) {
        for (int b = 0; b < depth[s]; b++) {
          y = block(block(s, b), y, stride(s, b), bottleneck, training);
        }
      }
      // The average over what is left of the image: 4 x 4 for CIFAR-10, 7 x 7 for ImageNet.
      return torch.adaptive_avg_pool2d(y, 1, 1).flatten(1, -1);
    };
  }

  private static String block(int stage, int number) {
    return "stage%d.block%d".formatted(stage + 1, number + 1);
  }

  private static long stride(int stage, int number) {
    return stage > 0 && number == 0 ? 2 : 1;
  }

  private void makeBlock(
      String name, long in, long mid, long out, long stride, boolean bottleneck) {
    Layers.makeConv(weights, name + ".conv1", in, mid, bottleneck ? 1 : 3, false);
    Layers.makeNorm(weights, name + ".norm1", mid);
    Layers.makeConv(weights, name + ".conv2", mid, mid, 3, false);
    Layers.makeNorm(weights, name + ".norm2", mid);
    if (bottleneck) {
      Layers.makeConv(weights, name + ".conv3", mid, out, 1, false);
      Layers.makeNorm(weights, name + ".norm3", out);
    }
    if (stride != 1 || in != out) {
      Layers.makeConv(weights, name + ".skip", in, out, 1, false);
      Layers.makeNorm(weights, name + ".skip.norm", out);
    }
  }

  private Tensor block(String name, Tensor x, long stride, boolean bottleneck, boolean training) {
    Tensor y;
    if (bottleneck) {
      y = torch.relu_(convNorm(name, 1, x, 1, 0, training));
      y = torch.relu_(convNorm(name, 2, y, stride, 1, training));
      y = convNorm(name, 3, y, 1, 0, training);
    } else {
      y = torch.relu_(convNorm(name, 1, x, stride, 1, training));
      y = convNorm(name, 2, y, 1, 1, training);
    }
    Tensor skip = x;
    if (weights.get(name + ".skip.weight") != null) {
      // Every second pixel is taken before the convolution, not by its stride. The numbers are the
      // same, but below 8 channels oneDNN's gradient of a strided one writes past its memory.
      Tensor thin = stride == 1 ? x : Layers.maxPool(x, 1, stride, 0);
      skip = Layers.conv(weights, name + ".skip", thin, 1, 0);
      skip = Layers.norm(weights, name + ".skip.norm", skip, training);
    }
    return torch.relu_(y.add(skip));
  }

  private Tensor convNorm(
      String name, int i, Tensor x, long stride, long padding, boolean training) {
    return Layers.norm(
        weights,
        name + ".norm" + i,
        Layers.conv(weights, name + ".conv" + i, x, stride, padding),
        training);
  }
}
