package org.orbitmap.nn.tensor;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.InferenceMode;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorBase;
import org.bytedeco.pytorch.VoidTensorHook;

/** Bodies of code after which native memory is freed, unless a tensor was retained. */
public final class NativeScope {
  /**
   * Held for reading while native code may run. When the process is asked to end (Ctrl-C), the
   * libraries are taken down: nobody must be inside them then.
   */
  private static final ReentrantReadWriteLock INSIDE = new ReentrantReadWriteLock();

  private static final long PATIENCE_SECONDS = 30;

  private static final long LARGE = 100_000;

  private NativeScope() {}

  /** Lets the process end only between two steps. */
  static void endBetweenSteps() {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  try {
                    // Taken and kept: no step begins any more.
                    if (!INSIDE.writeLock().tryLock(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                      Runtime.getRuntime().halt(1);
                    }
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                },
                "orbit-engine-end"));
  }

  /** Frees every tensor that the body made. */
  @SuppressWarnings("try")
  public static <T> T scoped(Supplier<T> body) {
    INSIDE.readLock().lock();
    try (PointerScope scope = new PointerScope()) {
      return body.get();
    } finally {
      INSIDE.readLock().unlock();
    }
  }

  /**
   * Frees every tensor that the body made but its result, which is freed with the scope of the
   * caller. What gradients need stays until they are computed, and no longer.
   */
  @SuppressWarnings("try")
  public static Tensor result(Supplier<Tensor> body) {
    PointerScope around = PointerScope.getInnerScope();
    return scoped(
        () -> {
          Tensor t = body.get();
          around.attach(t);
          return t;
        });
  }

  /** The same, for computing only: nothing is recorded for gradients. */
  @SuppressWarnings("try")
  public static <T> T inference(Supplier<T> body) {
    return scoped(
        () -> {
          try (InferenceMode mode = new InferenceMode()) {
            return body.get();
          }
        });
  }

  /** The same, for changing parameters in place. */
  @SuppressWarnings("try")
  public static void update(Runnable body) {
    scoped(
        () -> {
          try (NoGradGuard guard = new NoGradGuard()) {
            body.run();
          }
          return true;
        });
  }

  /** A tensor that outlives the scope of the caller: the garbage collector frees it. */
  public static Tensor keep(float[] values, long... shape) {
    return keep(() -> Tensors.of(values, shape));
  }

  /** A tensor that is made in a scope and outlives it, so that training may use it, too. */
  @SuppressWarnings("try")
  public static Tensor keep(Supplier<Tensor> made) {
    return scoped(
        () -> {
          try (InferenceMode off = new InferenceMode(false)) {
            Tensor t = made.get();
            t.retainReference();
            return t;
          }
        });
  }

  /**
   * Gives freed memory back to the system as soon as the gradient of a large tensor is known.
   *
   * <p>Gradients are computed from the last layer to the first, and what they have used is freed.
   * Where a network makes its images smaller, those pieces are too small for what comes next: they
   * would be kept and stay unused until the next step.
   *
   * @param x large from 100,000 numbers of one input on; below, memory is not worth the time
   */
  public static void giveBackAfter(Tensor x) {
    if (x.requires_grad() && !x.is_cuda() && x.numel() >= LARGE * x.size(0)) {
      x.register_hook(GiveBack.INSTANCE);
    }
  }

  /** Gives freed memory back to the system. */
  public static void giveBack() {
    Pointer.trimMemory();
  }

  /** Called by the engine; one for all, and never freed. */
  private static final class GiveBack extends VoidTensorHook {
    static final GiveBack INSTANCE = new GiveBack();

    private GiveBack() {
      retainReference();
    }

    @Override
    public void call(TensorBase gradient) {
      giveBack();
    }
  }
}
