package org.orbitmap.network;

import java.io.Serializable;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * A tensor of 32-bit floats in Java memory.
 *
 * @param shape the lengths of the axes
 * @param values the elements, row-major
 */
public record FloatTensor(long[] shape, float[] values) implements Serializable {
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

  /** Numbers uniform in [-1/2, 1/2), from a generator. */
  public static FloatTensor uniform(RandomGenerator random, long... shape) {
    long n = Arrays.stream(shape).reduce(1, Math::multiplyExact);
    float[] values = new float[Math.toIntExact(n)];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) (random.nextFloat() - 0.5);
    }
    return new FloatTensor(shape, values);
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
