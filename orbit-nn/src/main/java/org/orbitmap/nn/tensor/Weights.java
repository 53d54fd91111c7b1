package org.orbitmap.nn.tensor;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * The numbers of a network by name: parameters, which are learned, and buffers (the running
 * statistics of batch normalisation), which are measured.
 */
public final class Weights {
  private final Map<String, Tensor> parameters = new LinkedHashMap<>();
  private final Map<String, Tensor> buffers = new LinkedHashMap<>();
  private final SplittableRandom random;

  public Weights(long seed) {
    Engine.load();
    random = new SplittableRandom(seed);
  }

  /** Uniform in ±bound. */
  public void uniform(String name, double bound, long... shape) {
    float[] values = new float[size(shape)];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) ((2 * random.nextDouble() - 1) * bound);
    }
    parameter(name, values, shape);
  }

  public void constant(String name, float value, long... shape) {
    parameter(name, filled(value, shape), shape);
  }

  public void buffer(String name, float value, long... shape) {
    buffers.put(name, keep(filled(value, shape), shape));
  }

  private void parameter(String name, float[] values, long... shape) {
    Tensor t = keep(values, shape);
    t.set_requires_grad(true);
    parameters.put(name, t);
  }

  private static float[] filled(float value, long... shape) {
    float[] values = new float[size(shape)];
    Arrays.fill(values, value);
    return values;
  }

  private static int size(long... shape) {
    long n = 1;
    for (long s : shape) {
      n = Math.multiplyExact(n, s);
    }
    return Math.toIntExact(n);
  }

  /** A tensor that outlives the scope of the caller. */
  public static Tensor keep(float[] values, long... shape) {
    return NativeScope.scoped(() -> kept(Tensors.of(values, shape)));
  }

  /** A tensor that the garbage collector frees, not the scope it was made in. */
  public static Tensor kept(Tensor t) {
    t.retainReference();
    return t;
  }

  public Tensor get(String name) {
    Tensor t = parameters.get(name);
    return t != null ? t : buffers.get(name);
  }

  public Map<String, Tensor> parameters() {
    return Collections.unmodifiableMap(parameters);
  }

  /** The number of trainable parameters. */
  public long count() {
    return parameters.values().stream().mapToLong(Tensor::numel).sum();
  }

  /** Whether every number is finite, of parameters and buffers. */
  public boolean finite() {
    return NativeScope.inference(
        () ->
            Stream.of(parameters, buffers)
                .flatMap(m -> m.values().stream())
                .allMatch(t -> torch.isfinite(t).all().item_bool()));
  }

  /** Copies of everything, parameters and buffers. */
  public Map<String, FloatTensor> snapshot() {
    Map<String, FloatTensor> copy = new LinkedHashMap<>();
    parameters.forEach((name, t) -> copy.put(name, FloatTensor.of(t)));
    buffers.forEach((name, t) -> copy.put(name, FloatTensor.of(t)));
    return copy;
  }

  /** Overwrites everything, after the same check. */
  public void restore(Map<String, FloatTensor> values) {
    requireLike(values);
    values.forEach((name, v) -> v.copyTo(get(name)));
  }

  /**
   * Checks that these are values for these weights.
   *
   * @throws IllegalArgumentException if a name is missing or not expected, or a shape differs
   */
  public void requireLike(Map<String, FloatTensor> values) {
    Map<String, Tensor> all = new LinkedHashMap<>(parameters);
    all.putAll(buffers);
    FloatTensor.requireLike("weights", values, all);
  }

  /** Forgets the gradients. */
  public void zeroGradients() {
    NativeScope.update(
        () -> {
          for (Tensor t : parameters.values()) {
            Tensor g = t.mutable_grad();
            if (g.defined()) {
              g.zero_();
            }
          }
        });
  }
}
