package org.orbitmap.nn.tensor;

import java.util.Arrays;
import java.util.Map;
import org.bytedeco.pytorch.Tensor;

/**
 * A tensor of 32-bit floats in Java memory.
 *
 * @param shape the sizes
 * @param values the elements, row-major
 */
public record FloatTensor(long[] shape, float[] values) {
  public FloatTensor {
    long n = 1;
    for (long s : shape) {
      n = Math.multiplyExact(n, s);
    }
    if (n != values.length) {
      throw new IllegalArgumentException(
          "tensor: expected %d elements for shape %s, found %d"
              .formatted(n, Arrays.toString(shape), values.length));
    }
  }

  public static FloatTensor of(Tensor t) {
    return NativeScope.scoped(() -> new FloatTensor(Tensors.shape(t), Tensors.toArray(t)));
  }

  /** Overwrites a tensor of the same shape. */
  public void copyTo(Tensor to) {
    NativeScope.update(() -> to.copy_(Tensors.of(values, shape)));
  }

  /**
   * Checks that values have the names and the shapes of tensors.
   *
   * @throws IllegalArgumentException if a name is missing or not expected, or a shape differs
   */
  public static void requireLike(
      String what, Map<String, FloatTensor> values, Map<String, Tensor> tensors) {
    for (String name : values.keySet()) {
      if (!tensors.containsKey(name)) {
        throw new IllegalArgumentException(
            "%s: expected only %s, found also %s".formatted(what, tensors.keySet(), name));
      }
    }
    tensors.forEach(
        (name, t) -> {
          FloatTensor value = values.get(name);
          String found = value == null ? "none" : Arrays.toString(value.shape);
          String expected = Arrays.toString(Tensors.shape(t));
          if (!found.equals(expected)) {
            throw new IllegalArgumentException(
                "%s: expected %s of shape %s, found %s".formatted(what, name, expected, found));
          }
        });
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof FloatTensor t
        && Arrays.equals(shape, t.shape)
        && Arrays.equals(values, t.values);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(values);
  }

  @Override
  public String toString() {
    return "FloatTensor" + Arrays.toString(shape);
  }
}
