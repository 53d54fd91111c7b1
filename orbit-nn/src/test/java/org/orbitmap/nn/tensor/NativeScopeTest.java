package org.orbitmap.nn.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** When native memory is freed. */
class NativeScopeTest {
  private static final int SIZE = 100_000;
  private static final int PIECES = 2000;
  private static final long PIECE = 100_000; // below what any system takes from outside its heap

  /** Holes in the heap are given back in the pass back, and gradients stay what they are. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void freedMemoryIsGivenBackWhenAGradientIsKnown() {
    Engine.load();
    List<Pointer> between = new ArrayList<>();
    float[] gradient =
        NativeScope.scoped(
            () -> {
              Tensor x = Tensors.of(new float[SIZE], 1, SIZE).set_requires_grad(true);
              Tensor y = x.exp();
              NativeScope.giveBackAfter(y);
              Tensor loss = y.sum();
              List<Pointer> pieces = new ArrayList<>();
              for (int i = 0; i < PIECES; i++) {
                pieces.add(Pointer.memset(Pointer.malloc(PIECE), 1, PIECE));
                between.add(Pointer.malloc(PIECE)); // holds the holes apart
              }
              pieces.forEach(Pointer::free);
              long before = Pointer.physicalBytes();
              loss.backward();
              assertThat(before - Pointer.physicalBytes())
                  .as("bytes given back")
                  .isGreaterThan(PIECES * PIECE / 2);
              return Tensors.toArray(x.grad());
            });
    between.forEach(Pointer::free);
    assertThat(gradient).hasSize(SIZE).containsOnly(1);
  }
}
