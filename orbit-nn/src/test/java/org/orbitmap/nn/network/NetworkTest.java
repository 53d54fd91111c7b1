package org.orbitmap.nn.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.orbitmap.nn.network.Architecture.Kind;
import org.orbitmap.nn.tensor.FloatTensor;
import org.orbitmap.nn.tensor.NativeScope;
import org.orbitmap.nn.tensor.Tensors;
import org.orbitmap.nn.tensor.Weights;
import org.orbitmap.nn.train.Optimiser;

class NetworkTest {
  static float[] noise(int n, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    float[] values = new float[n];
    for (int i = 0; i < n; i++) {
      values[i] = (float) random.nextDouble();
    }
    return values;
  }

  /** The counts of the published networks. */
  @ParameterizedTest
  @CsvSource({
    "LINEAR, 32, 10, 30730",
    "CONVNET, 32, 10, 289290",
    "RESNET18, 32, 10, 11173962",
    "RESNET50, 224, 1000, 25557032"
  })
  void parametersAreAsPublished(Kind kind, int side, int classes, long count) {
    Architecture a = new Architecture(kind, 1, false, 3, side, side, classes);
    assertThat(new Network(a, 1).weights().count()).isEqualTo(count);
    Architecture pooled = new Architecture(kind, 1, true, 3, side, side, classes);
    assertThat(new Network(pooled, 1).weights().count()).isEqualTo(count);
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void givesOneRowOfScoresForEachImage(Kind kind) {
    Network net = new Network(new Architecture(kind, 0.125, false, 3, 32, 32, 7), 1);
    float[] x = noise(2 * 3 * 32 * 32, 1);
    long[] shape =
        NativeScope.inference(() -> Tensors.shape(net.logits(Tensors.of(x, 2, 3, 32, 32), false)));
    assertThat(shape).containsExactly(2, 7);
  }

  /** TI-pooling is exactly invariant under quarter turns; the plain network is not. */
  @ParameterizedTest
  @EnumSource(Kind.class)
  void tiPoolingIgnoresQuarterTurns(Kind kind) {
    for (boolean pooled : new boolean[] {true, false}) {
      Network net = new Network(new Architecture(kind, 0.125, pooled, 1, 32, 32, 5), 2);
      float[] x = noise(3 * 32 * 32, 3);
      double distance =
          NativeScope.inference(
              () -> {
                Tensor t = Tensors.of(x, 3, 1, 32, 32);
                Tensor rotated = torch.rot90(t, 1, 2, 3);
                return (double)
                    net.logits(t, false).sub(net.logits(rotated, false)).abs().max().item_float();
              });
      if (pooled) {
        assertThat(distance).isLessThan(1e-5);
      } else {
        assertThat(distance).isGreaterThan(1e-4);
      }
    }
  }

  /** Gradients agree with finite differences: the layers are wired as they say. */
  @Test
  void gradientsAreDifferences() {
    Network net = new Network(new Architecture(Kind.RESNET18, 0.0625, false, 1, 8, 8, 3), 4);
    float[] x = noise(4 * 64, 5);
    int[] y = {0, 1, 2, 1};
    Tensor w = net.weights().get("stage2.block1.conv1.weight");
    float[] gradient =
        NativeScope.scoped(
            () -> {
              loss(net, x, y).backward();
              return Tensors.toArray(w.grad());
            });
    float[] values = FloatTensor.of(w).values();
    double h = 1e-3;
    for (int i : new int[] {0, 7, 20}) {
      double[] at = new double[2];
      for (int side = 0; side < 2; side++) {
        float[] moved = values.clone();
        moved[i] += (float) (side == 0 ? -h : h);
        new FloatTensor(Tensors.shape(w), moved).copyTo(w);
        at[side] = NativeScope.scoped(() -> (double) loss(net, x, y).item_float());
      }
      new FloatTensor(Tensors.shape(w), values).copyTo(w);
      double difference = (at[1] - at[0]) / (2 * h);
      assertThat((double) gradient[i])
          .isCloseTo(difference, Offset.offset(2e-2 * (1 + Math.abs(difference))));
    }
  }

  /** Widths whose shortcuts have fewer than 8 channels, at a size and batch that used to hang. */
  @ParameterizedTest
  @CsvSource({"RESNET18, 0.06", "RESNET18, 0.01", "RESNET50, 0.01"})
  void narrowNetworksLearn(Kind kind, double width) {
    Network net = new Network(new Architecture(kind, width, false, 3, 32, 32, 10), 6);
    Optimiser sgd = new Optimiser.Sgd(net.weights(), 0.9, 0);
    float[] x = noise(64 * 3 * 32 * 32, 7);
    int[] y = new int[64];
    Arrays.setAll(y, i -> i % 10);
    for (int step = 0; step < 5; step++) {
      float loss =
          NativeScope.scoped(
              () -> {
                Tensor l =
                    torch.cross_entropy(
                        net.logits(Tensors.of(x, 64, 3, 32, 32), true), Tensors.ofLabels(y, 64));
                l.backward();
                sgd.step(0.01);
                net.weights().zeroGradients();
                return l.item_float();
              });
      assertThat(loss).isFinite();
    }
  }

  /**
   * What the shortcuts rely on: thinning, then a convolution, has the gradient of a strided one.
   */
  @Test
  void thinningIsAStride() {
    Weights w = new Weights(8);
    Layers.makeConv(w, "c", 16, 32, 1, false);
    float[] x = noise(4 * 16 * 9 * 8, 9);
    Tensor weight = w.get("c.weight");
    float[][] gradients = new float[2][];
    for (int thinned = 0; thinned < 2; thinned++) {
      boolean first = thinned == 1;
      gradients[thinned] =
          NativeScope.scoped(
              () -> {
                Tensor u = Tensors.of(x, 4, 16, 9, 8);
                Tensor v =
                    first
                        ? Layers.conv(w, "c", Layers.maxPool(u, 1, 2, 0), 1, 0)
                        : Layers.conv(w, "c", u, 2, 0);
                v.mul(v).sum().backward();
                return Tensors.toArray(weight.grad());
              });
      w.zeroGradients();
    }
    assertThat(gradients[1]).containsExactly(gradients[0], Offset.offset(1e-2f));
    assertThat(gradients[1]).isNotEqualTo(new float[16 * 32]);
  }

  private static Tensor loss(Network net, float[] x, int[] y) {
    return torch.cross_entropy(net.logits(Tensors.of(x, 4, 1, 8, 8), true), Tensors.ofLabels(y, 4));
  }

  @Test
  void sameSeedSameWeights() {
    Architecture a = new Architecture(Kind.CONVNET, 0.25, false, 1, 28, 28, 10);
    assertThat(new Network(a, 7).weights().snapshot())
        .isEqualTo(new Network(a, 7).weights().snapshot())
        .isNotEqualTo(new Network(a, 8).weights().snapshot());
  }

  @Test
  void refusesWhatCannotWork() {
    assertThatThrownBy(() -> new Architecture(Kind.CONVNET, 1, false, 3, 8, 8, 10))
        .hasMessageContaining("at least 9 x 9, found 8 x 8");
    assertThatThrownBy(() -> new Architecture(Kind.LINEAR, 1, true, 3, 8, 9, 10))
        .hasMessageContaining("square");
    assertThatThrownBy(() -> new Architecture(Kind.LINEAR, 1, false, 3, 8, 8, 1))
        .hasMessageContaining("at least 2 classes");
    assertThat(Arrays.asList(Kind.values())).contains(Kind.named("ConvNet"));
  }
}
