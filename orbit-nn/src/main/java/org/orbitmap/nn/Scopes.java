package org.orbitmap.nn;

import java.util.function.Supplier;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.InferenceMode;
import org.bytedeco.pytorch.NoGradGuard;

/** Bodies of code after which native memory is freed, unless a tensor was retained. */
final class Scopes {
  private Scopes() {}

  /** Frees every tensor that the body made. */
  @SuppressWarnings("try")
  static <T> T scoped(Supplier<T> body) {
    try (PointerScope scope = new PointerScope()) {
      return body.get();
    }
  }

  /** The same, for computing only: nothing is recorded for gradients. */
  @SuppressWarnings("try")
  static <T> T inference(Supplier<T> body) {
    try (PointerScope scope = new PointerScope();
        InferenceMode mode = new InferenceMode()) {
      return body.get();
    }
  }

  /** The same, for changing parameters in place. */
  @SuppressWarnings("try")
  static void update(Runnable body) {
    try (PointerScope scope = new PointerScope();
        NoGradGuard guard = new NoGradGuard()) {
      body.run();
    }
  }
}
