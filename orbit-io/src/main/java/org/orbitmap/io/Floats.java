package org.orbitmap.io;

import java.util.Arrays;

/** Floats and ints that arrive one by one: the array grows with what really came. */
final class Floats {
  private float[] values = new float[48];
  private int size;

  void add(float v) {
    if (size == values.length) {
      values = Arrays.copyOf(values, Math.multiplyExact(2, size));
    }
    values[size++] = v;
  }

  int size() {
    return size;
  }

  float[] toArray() {
    return Arrays.copyOf(values, size);
  }

  /** The same for ints. */
  static final class Ints {
    private int[] values = new int[48];
    private int size;

    void add(int v) {
      if (size == values.length) {
        values = Arrays.copyOf(values, Math.multiplyExact(2, size));
      }
      values[size++] = v;
    }

    int get(int i) {
      return values[i];
    }

    int size() {
      return size;
    }

    int[] toArray() {
      return Arrays.copyOf(values, size);
    }
  }
}
