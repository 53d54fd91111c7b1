package org.orbitmap.nn.scheme;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.orbitmap.model.InputShape;
import org.orbitmap.network.Architecture;
import org.orbitmap.network.Network;
import org.orbitmap.network.Operations;
import org.orbitmap.network.zoo.Networks;
import org.orbitmap.nn.model.MappingConfig;
import org.orbitmap.nn.model.MappingConfig.Use;
import org.orbitmap.nn.model.Model;
import org.orbitmap.nn.tensor.NativeScope;
import org.orbitmap.nn.tensor.Tensors;

class TrainingStepTest {
  private static final InputShape.Images SHAPE = new InputShape.Images(1, 12, 12);

  private static Model<?> model(Network network, MappingConfig mapping) {
    return Model.of(
        new Model.Description(
            Architecture.of(network, SHAPE, 3),
            List.of("a", "b", "c"),
            new float[] {0.4f},
            new float[] {0.3f},
            mapping),
        5);
  }

  private static Tensor noise(int n) {
    float[] values = new float[n * SHAPE.length()];
    SplittableRandom random = new SplittableRandom(8);
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextDouble();
    }
    return Tensors.of(values, SHAPE.batch(n));
  }

  /** An attack moves raw inputs; the mapping comes after it and undoes it, where it is trained. */
  @Test
  void theMappingComesAfterTheScheme() {
    for (Use use : Use.values()) {
      Model<?> model = model(Networks.named("convnet"), MappingConfig.NONE.when(use));
      double distance =
          NativeScope.scoped(
              () -> {
                Tensor x = noise(4);
                Tensor y = Tensors.ofLabels(new int[] {0, 1, 2, 0}, 4);
                TrainingStep step =
                    new TrainingStep(model, x, y, Attack.PAPER, new SplittableRandom(1));
                Tensor attacked = torch.rot90(step.inputs(), 1, 2, 3).contiguous();
                return (double) step.logits(attacked).sub(step.logits(x)).abs().max().item_float();
              });
      if (use == Use.TRAIN_AND_TEST) {
        assertThat(distance).isLessThan(1e-4);
      } else {
        assertThat(distance).isGreaterThan(1e-3);
      }
    }
  }

  /** The pixels, and the mean of the normalised pixels added to the loss. */
  private static final class Penalised implements Network {
    @Override
    public String name() {
      return "penalised";
    }

    @Override
    public String takes() {
      return "images";
    }

    @Override
    public <T> T features(Operations<T> ops, T x, Architecture settings) {
      T pixels = ops.flatten(x);
      ops.penalty(ops.mean(pixels, 0));
      return pixels;
    }
  }

  @Test
  void whatTheNetworkAddsIsAveragedOverThePasses() {
    Model<?> model = model(new Penalised(), MappingConfig.NONE);
    double[] found =
        NativeScope.scoped(
            () -> {
              Tensor x = noise(4);
              Tensor y = Tensors.ofLabels(new int[] {0, 1, 2, 0}, 4);
              TrainingStep step =
                  new TrainingStep(model, x, y, Attack.PAPER, new SplittableRandom(1));
              Tensor loss = step.crossEntropy(x);
              double once = step.withPenalties(loss).item_float() - loss.item_float();
              step.logits(x); // a second pass on the same inputs changes nothing
              double twice = step.withPenalties(loss).item_float() - loss.item_float();
              double mean = x.mean().item_float();
              return new double[] {once, twice, (mean - 0.4) / 0.3};
            });
    assertThat(found[0]).isCloseTo(found[2], Offset.offset(1e-4));
    assertThat(found[1]).isCloseTo(found[2], Offset.offset(1e-4));
  }
}
