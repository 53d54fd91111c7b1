package org.orbitmap.nn.train;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.assertj.core.data.Offset;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.orbitmap.network.Initial;
import org.orbitmap.network.Parameter;
import org.orbitmap.nn.layer.Weights;
import org.orbitmap.nn.tensor.NativeScope;
import org.orbitmap.nn.tensor.Tensors;

/** Three steps on w²/2 from w = 1, compared with the textbook's recurrences. */
class OptimiserTest {
  private static double run(Weights weights, Optimiser optimiser) {
    Tensor w = weights.get("w");
    for (int i = 0; i < 3; i++) {
      NativeScope.scoped(
          () -> {
            torch.mul(w, w).sum().backward();
            optimiser.step(0.1);
            return null;
          });
      weights.zeroGradients();
    }
    return Tensors.copyOf(w).values()[0];
  }

  private static Weights one() {
    return weights(Initial.constant(1));
  }

  private static Weights weights(Initial initial) {
    return new Weights(List.of(new Parameter("w", new long[] {1}, initial, true)), 0);
  }

  @Test
  void sgdWithMomentumAndDecay() {
    Weights weights = one();
    double w = 1;
    double v = 0;
    for (int i = 0; i < 3; i++) {
      v = 0.9 * v + 2 * w + 0.01 * w;
      w -= 0.1 * v;
    }
    assertThat(run(weights, new Optimiser.Sgd(weights, 0.9, 0.01)))
        .isCloseTo(w, Offset.offset(1e-6));
  }

  /** A parameter that is left alone by weight decay. */
  @Test
  void withoutDecay() {
    Weights weights = weights(Initial.constant(1).withoutDecay());
    double w = 1;
    double v = 0;
    for (int i = 0; i < 3; i++) {
      v = 0.9 * v + 2 * w;
      w -= 0.1 * v;
    }
    assertThat(run(weights, new Optimiser.Sgd(weights, 0.9, 0.01)))
        .isCloseTo(w, Offset.offset(1e-6));
  }

  @Test
  void adam() {
    Weights weights = one();
    double w = 1;
    double m = 0;
    double v = 0;
    for (int i = 1; i <= 3; i++) {
      double g = 2 * w;
      m = 0.9 * m + 0.1 * g;
      v = 0.999 * v + 0.001 * g * g;
      w -= 0.1 * (m / (1 - Math.pow(0.9, i))) / (Math.sqrt(v / (1 - Math.pow(0.999, i))) + 1e-8);
    }
    assertThat(run(weights, new Optimiser.Adam(weights, 0))).isCloseTo(w, Offset.offset(1e-5));
  }
}
