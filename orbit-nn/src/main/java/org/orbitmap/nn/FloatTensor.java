package org.orbitmap.nn;

import java.util.Arrays;
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

  static FloatTensor of(Tensor t) {
    return Scopes.scoped(() -> new FloatTensor(Tensors.shape(t), Tensors.toArray(t)));
  }

  /** Overwrites a tensor of the same shape. */
  void copyTo(String name, Tensor to) {
    if (!Arrays.equals(shape, Tensors.shape(to))) {
      throw new IllegalArgumentException(
          "%s: expected shape %s, found %s"
              .formatted(name, Arrays.toString(Tensors.shape(to)), Arrays.toString(shape)));
    }
    Scopes.update(() -> to.copy_(Tensors.of(values, shape)));
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
