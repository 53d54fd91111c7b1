package org.orbitmap.nn.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.orbitmap.group.Rotation2;
import org.orbitmap.image.Image;
import org.orbitmap.image.ImageRotation;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampling;
import org.orbitmap.model.InputShape;
import org.orbitmap.network.Architecture;
import org.orbitmap.network.Convolution;
import org.orbitmap.network.Declaration;
import org.orbitmap.network.FloatTensor;
import org.orbitmap.network.Initial;
import org.orbitmap.network.Network;
import org.orbitmap.network.Operations;
import org.orbitmap.network.zoo.Networks;
import org.orbitmap.nn.tensor.NativeScope;
import org.orbitmap.nn.tensor.Tensors;

/** Every network of the registry in the engine. */
class NetworkTest {
  static float[] noise(int n, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    float[] values = new float[n];
    for (int i = 0; i < n; i++) {
      values[i] = (float) random.nextDouble();
    }
    return values;
  }

  static List<Network> networks() {
    return Networks.all();
  }

  static List<Network> imageNetworks() {
    return Networks.all().stream().filter(n -> n.takes().equals("images")).toList();
  }

  private static InputShape<?> input(Network network, int channels, int side) {
    return network.takes().equals("images")
        ? new InputShape.Images(channels, side, side)
        : new InputShape.Clouds(side);
  }

  private static Architecture architecture(
      Network network, double widthFactor, boolean tiPooling, InputShape<?> input, int classes) {
    return new Architecture(network, widthFactor, tiPooling, Map.of(), input, classes);
  }

  private record Engine(Architecture architecture, Weights weights) {
    static Engine of(Architecture a, long seed) {
      return new Engine(a, new Weights(a.declare().parameters(), seed));
    }

    Tensor logits(Tensor x) {
      return architecture.scores(TorchOperations.inference(weights), TorchOperations.arranged(x));
    }

    Tensor train(Tensor x) {
      return architecture.scores(
          TorchOperations.training(weights, new SplittableRandom(1)), TorchOperations.arranged(x));
    }
  }

  /** A quarter turn of the image moves the scores by a quarter of the bins, and nothing else. */
  @ParameterizedTest
  @CsvSource({"upright-p4, 1", "upright-p4-o2, 2"})
  void aPredictorOfPosesFollowsQuarterTurns(String name, int sides) {
    int bins = 24;
    InputShape.Images input = new InputShape.Images(3, 16, 16);
    Engine net = Engine.of(architecture(Networks.named(name), 0.25, false, input, sides * bins), 5);
    Image u = input.input(noise(input.length(), 2), 0);
    Image turned =
        new ImageRotation(Resampling.of(Interpolation.NEAREST)).act(Rotation2.ofDegrees(90), u);
    float[] both = Arrays.copyOf(u.data(), 2 * input.length());
    System.arraycopy(turned.data(), 0, both, input.length(), input.length());
    float[] scores =
        NativeScope.inference(() -> Tensors.toArray(net.logits(Tensors.of(both, input.batch(2)))));
    int n = sides * bins;
    for (int k = 0; k < bins; k++) {
      // What was upright by α is so by α - 90° now, and behind a mirroring by α + 90°.
      Offset<Float> rounding = Offset.offset(1e-4f);
      assertThat(scores[n + Math.floorMod(k - bins / 4, bins)]).isCloseTo(scores[k], rounding);
      if (sides == 2) {
        assertThat(scores[n + bins + (k + bins / 4) % bins]).isCloseTo(scores[bins + k], rounding);
      }
    }
    assertThat(scores[0]).isNotCloseTo(scores[bins / 4], Offset.offset(1e-3f));
  }

  @ParameterizedTest
  @MethodSource("networks")
  void givesOneRowOfScoresForEachInput(Network network) {
    InputShape<?> input = input(network, 3, 32);
    Engine net = Engine.of(architecture(network, 0.125, false, input, 24), 1);
    float[] x = noise(2 * input.length(), 1);
    long[] shape =
        NativeScope.inference(() -> Tensors.shape(net.logits(Tensors.of(x, input.batch(2)))));
    assertThat(shape).containsExactly(2, 24);
  }

  @ParameterizedTest
  @MethodSource("networks")
  void sameSeedSameWeights(Network network) {
    Architecture a = architecture(network, 0.25, false, input(network, 1, 32), 24);
    assertThat(Engine.of(a, 7).weights().snapshot())
        .isEqualTo(Engine.of(a, 7).weights().snapshot())
        .isNotEqualTo(Engine.of(a, 8).weights().snapshot());
  }

  /** TI-pooling is exactly invariant under quarter turns; the plain network is not. */
  @ParameterizedTest
  @MethodSource("imageNetworks")
  void tiPoolingIgnoresQuarterTurns(Network network) {
    for (boolean pooled : new boolean[] {true, false}) {
      Engine net = Engine.of(architecture(network, 0.125, pooled, input(network, 3, 32), 24), 2);
      float[] x = noise(3 * 3 * 32 * 32, 3);
      double distance =
          NativeScope.inference(
              () -> {
                Tensor t = Tensors.of(x, 3, 3, 32, 32);
                Tensor rotated = torch.rot90(t, 1, 2, 3);
                return (double) net.logits(t).sub(net.logits(rotated)).abs().max().item_float();
              });
      if (net.architecture().ignoresQuarterTurns()) {
        assertThat(distance).isLessThan(1e-5);
      } else {
        assertThat(distance).isGreaterThan(1e-4);
      }
    }
  }

  /** Gradients agree with finite differences: the layers are wired as they say. */
  @Test
  void gradientsAreDifferences() {
    InputShape<?> input = new InputShape.Images(1, 8, 8);
    Engine net = Engine.of(architecture(Networks.named("resnet18"), 0.0625, false, input, 3), 4);
    float[] x = noise(4 * 64, 5);
    int[] y = {0, 1, 2, 1};
    Tensor w = net.weights().get("stage2.block1.conv1.weight");
    float[] gradient =
        NativeScope.scoped(
            () -> {
              loss(net, x, y).backward();
              return Tensors.toArray(w.grad());
            });
    float[] values = Tensors.copyOf(w).values();
    double h = 1e-3;
    for (int i : new int[] {0, 7, 20}) {
      double[] at = new double[2];
      for (int side = 0; side < 2; side++) {
        float[] moved = values.clone();
        moved[i] += (float) (side == 0 ? -h : h);
        Tensors.overwrite(w, new FloatTensor(Tensors.shape(w), moved));
        at[side] = NativeScope.scoped(() -> (double) loss(net, x, y).item_float());
      }
      Tensors.overwrite(w, new FloatTensor(Tensors.shape(w), values));
      double difference = (at[1] - at[0]) / (2 * h);
      assertThat((double) gradient[i])
          .isCloseTo(difference, Offset.offset(2e-2 * (1 + Math.abs(difference))));
    }
  }

  private static Tensor loss(Engine net, float[] x, int[] y) {
    return torch.cross_entropy(net.train(Tensors.of(x, 4, 1, 8, 8)), Tensors.ofLabels(y, 4));
  }

  /** Widths whose shortcuts have fewer than 8 channels, at a size and batch that used to hang. */
  @ParameterizedTest
  @CsvSource({"resnet18, 0.06", "resnet18, 0.01", "resnet50, 0.01"})
  void narrowNetworksLearn(String network, double width) {
    InputShape<?> input = new InputShape.Images(3, 32, 32);
    Engine net = Engine.of(architecture(Networks.named(network), width, false, input, 10), 6);
    float[] x = noise(64 * 3 * 32 * 32, 7);
    int[] y = new int[64];
    Arrays.setAll(y, i -> i % 10);
    for (int step = 0; step < 5; step++) {
      float loss =
          NativeScope.scoped(
              () -> {
                Tensor l =
                    torch.cross_entropy(
                        net.train(Tensors.of(x, 64, 3, 32, 32)), Tensors.ofLabels(y, 64));
                l.backward();
                net.weights().zeroGradients();
                return l.item_float();
              });
      assertThat(loss).isFinite();
    }
  }

  /** Thinning, then a convolution, has the values and the gradient of a strided one. */
  @Test
  void thinningIsAStride() {
    Declaration declared = new Declaration();
    Convolution how = Convolution.of(32, 1).stride(2).withoutBias();
    declared.convolution(Declaration.Shape.of(16, 9, 8), "c", how);
    Weights w = new Weights(declared.parameters(), 8);
    float[] x = noise(4 * 16 * 9 * 8, 9);
    Tensor weight = w.get("c.weight");
    float[][] gradients = new float[2][];
    for (int k = 0; k < 2; k++) {
      boolean thinned = k == 1;
      gradients[k] =
          NativeScope.scoped(
              () -> {
                Tensor u = Tensors.of(x, 4, 16, 9, 8);
                Tensor v =
                    thinned
                        ? TorchOperations.inference(w).convolution(u, "c", how)
                        : torch.conv2d(
                            u,
                            weight,
                            new org.bytedeco.pytorch.TensorOptional(),
                            new long[] {2, 2},
                            new long[] {0, 0},
                            new long[] {1, 1},
                            1);
                v.mul(v).sum().backward();
                return Tensors.toArray(weight.grad());
              });
      w.zeroGradients();
    }
    assertThat(gradients[1]).containsExactly(gradients[0], Offset.offset(1e-2f));
    assertThat(gradients[1]).isNotEqualTo(new float[16 * 32]);
  }

  /** Features times a gain that adds its square to the loss and is left alone by weight decay. */
  private static final class Gained implements Network {
    @Override
    public String name() {
      return "gained";
    }

    @Override
    public String takes() {
      return "clouds";
    }

    @Override
    public <T> T features(Operations<T> ops, T x, Architecture settings) {
      T gain = ops.parameter("gain", Initial.constant(2).withoutDecay(), 1);
      T f = ops.multiply(ops.dropout(ops.flatten(x), 0.5), gain);
      ops.penalty(ops.multiply(ops.mean(f, 0), ops.mean(f, 0)));
      return f;
    }
  }

  @Test
  void networksMayAddToTheLossAndDropNumbers() {
    Architecture a = architecture(new Gained(), 1, false, new InputShape.Clouds(50), 2);
    Engine net = Engine.of(a, 1);
    assertThat(net.weights().decays("gain")).isFalse();
    assertThat(net.weights().decays("head.weight")).isTrue();
    float[] ones = new float[2 * 150];
    Arrays.fill(ones, 1);
    double[] found =
        NativeScope.scoped(
            () -> {
              Tensor x = Tensors.of(ones, 2, 50, 3);
              TorchOperations training =
                  TorchOperations.training(net.weights(), new SplittableRandom(3));
              Tensor dropped = training.dropout(x, 0.5);
              a.scores(training, x);
              TorchOperations inference = TorchOperations.inference(net.weights());
              a.scores(inference, x);
              assertThat(inference.penalties()).isEmpty();
              assertThat(training.penalties()).hasSize(1);
              Tensor zeros = dropped.eq(new org.bytedeco.pytorch.Scalar(0f)).sum();
              return new double[] {
                training.penalties().get(0).item_float(),
                dropped.max().item_float(),
                zeros.item_long() / 300.0
              };
            });
    assertThat(found[0]).isCloseTo(4, Offset.offset(1.0)); // (gain · mean of the kept)², about 2²
    assertThat(found[1]).isEqualTo(2);
    assertThat(found[2]).isBetween(0.4, 0.6);
  }

  @Test
  void refusesWhatCannotWork() {
    assertThatThrownBy(
            () -> Architecture.of(Networks.named("convnet"), new InputShape.Images(3, 8, 8), 10))
        .hasMessageContaining("at least 9 x 9, found 8 x 8");
    assertThatThrownBy(
            () ->
                architecture(Networks.named("linear"), 1, true, new InputShape.Images(3, 8, 9), 10))
        .hasMessageContaining("square");
    assertThatThrownBy(
            () -> Architecture.of(Networks.named("linear"), new InputShape.Images(3, 8, 8), 1))
        .hasMessageContaining("at least 2 classes");
    assertThatThrownBy(
            () -> Architecture.of(Networks.named("pointnet"), new InputShape.Images(3, 8, 8), 2))
        .hasMessageContaining("pointnet: expected clouds");
    assertThatThrownBy(() -> Networks.named("nope"))
        .hasMessageContaining("network: expected one of linear, convnet");
    assertThat(Networks.named("ConvNet").name()).isEqualTo("convnet");
  }
}
