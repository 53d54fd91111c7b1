package org.orbitmap.network;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * A named tensor of numbers that a network needs.
 *
 * @param name unique in its network
 * @param shape the lengths of the axes
 * @param initial how it starts
 * @param trainable whether training changes it by gradients; the running statistics of batch
 *     normalisation are measured instead
 */
public record Parameter(String name, long[] shape, Initial initial, boolean trainable) {
  /** The number of elements. */
  public long count() {
    return Arrays.stream(shape).reduce(1, Math::multiplyExact);
  }

  /** Numbers to start with: uniform in value ± bound of {@link #initial}, from a generator. */
  public FloatTensor start(RandomGenerator random) {
    float[] values = new float[Math.toIntExact(count())];
    if (initial.bound() == 0) {
      Arrays.fill(values, (float) initial.value());
    } else {
      for (int i = 0; i < values.length; i++) {
        values[i] = (float) (initial.value() + (2 * random.nextDouble() - 1) * initial.bound());
      }
    }
    return new FloatTensor(shape, values);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Parameter p
        && name.equals(p.name)
        && Arrays.equals(shape, p.shape)
        && initial.equals(p.initial)
        && trainable == p.trainable;
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }

  @Override
  public String toString() {
    return name + " " + Arrays.toString(shape);
  }
}
