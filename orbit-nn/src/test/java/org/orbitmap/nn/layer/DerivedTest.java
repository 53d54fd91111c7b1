package org.orbitmap.nn.layer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.orbitmap.network.Declaration;
import org.orbitmap.network.FloatTensor;
import org.orbitmap.network.Initial;
import org.orbitmap.network.Operations;
import org.orbitmap.nn.tensor.NativeScope;
import org.orbitmap.nn.tensor.Tensors;

/** Numbers that follow from parameters are computed when they have to be, and not more often. */
class DerivedTest {
  /** w·w, and how often it was computed. */
  private record Square(AtomicInteger times) implements Operations.Derivation {
    @Override
    public <T> T of(Operations<T> ops) {
      times.incrementAndGet();
      T w = ops.parameter("w", Initial.constant(3), 1, 2);
      return ops.reshape(ops.multiply(w, w), 2);
    }
  }

  private static <T> T twice(Operations<T> ops, T x, Square square) {
    return ops.multiply(
        ops.multiply(x, ops.derived("square", square)), ops.derived("square", square));
  }

  private static float[] infer(Weights weights, Square square) {
    return NativeScope.inference(
        () ->
            Tensors.toArray(
                twice(
                    TorchOperations.inference(weights),
                    Tensors.of(new float[] {1, 2}, 1, 2),
                    square)));
  }

  @Test
  void onceInEvaluationUntilAWeightChangesAndOnceAStep() {
    Square square = new Square(new AtomicInteger());
    Declaration declared = new Declaration();
    twice(declared, Declaration.Shape.of(2), square);
    Weights weights = new Weights(declared.parameters(), 1);
    square.times().set(0);

    assertThat(infer(weights, square)).containsExactly(81, 162);
    assertThat(infer(weights, square)).containsExactly(81, 162);
    assertThat(square.times()).as("two evaluations").hasValue(1);

    Map<String, FloatTensor> other = new TreeMap<>(weights.snapshot());
    other.put("w", new FloatTensor(new long[] {1, 2}, new float[] {1, 2}));
    weights.restore(other);
    assertThat(infer(weights, square)).containsExactly(1, 32);
    assertThat(square.times()).as("after other weights").hasValue(2);

    float[] gradient =
        NativeScope.scoped(
            () -> {
              Tensor x = Tensors.of(new float[] {1, 2}, 1, 2);
              TorchOperations ops = TorchOperations.training(weights, new SplittableRandom(1));
              twice(ops, x, square).sum().backward();
              return Tensors.toArray(weights.get("w").grad());
            });
    assertThat(gradient).as("of x·w⁴").containsExactly(4, 64);
    assertThat(square.times()).as("one step").hasValue(3);
    assertThat(infer(weights, square)).containsExactly(1, 32);
    assertThat(square.times()).as("after a step").hasValue(4);
  }
}
