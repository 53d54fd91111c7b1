package org.orbitmap.io;

import java.util.Arrays;

/** Numbers that arrive one by one: the array grows with what really came. */
public final class Floats {
  private float[] values = new float[48];
  private int size;

  public void add(float v) {
    if (size == values.length) {
      values = Arrays.copyOf(values, Math.multiplyExact(2, size));
    }
    values[size++] = v;
  }

  public int size() {
    return size;
  }

  public float[] toArray() {
    return Arrays.copyOf(values, size);
  }

  /** The same for doubles. */
  public static final class Doubles {
    private double[] values = new double[48];
    private int size;

    public void add(double v) {
      if (size == values.length) {
        values = Arrays.copyOf(values, Math.multiplyExact(2, size));
      }
      values[size++] = v;
    }

    public int size() {
      return size;
    }

    public double[] toArray() {
      return Arrays.copyOf(values, size);
    }
  }

  /** The same for ints. */
  public static final class Ints {
    private int[] values = new int[48];
    private int size;

    public void add(int v) {
      if (size == values.length) {
        values = Arrays.copyOf(values, Math.multiplyExact(2, size));
      }
      values[size++] = v;
    }

    public int get(int i) {
      return values[i];
    }

    public int size() {
      return size;
    }

    public int[] toArray() {
      return Arrays.copyOf(values, size);
    }
  }
}
