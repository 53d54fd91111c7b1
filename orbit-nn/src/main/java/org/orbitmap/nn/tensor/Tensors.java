package org.orbitmap.nn.tensor;

import java.util.AbstractMap;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.ScalarType;
import org.orbitmap.network.FloatTensor;

/** Between Java arrays and tensors, which are where the {@link Engine} says. */
public final class Tensors {
  static {
    Engine.load();
  }

  private Tensors() {}

  /** A tensor of 32-bit floats; the first elements of the array are copied. */
  public static Tensor of(float[] values, long... shape) {
    Tensor t = torch.empty(shape);
    FloatPointer p = t.data_ptr_float();
    p.put(values, 0, Math.toIntExact(t.numel()));
    p.close();
    return Engine.place(t);
  }

  /** A tensor of 64-bit floats. */
  public static Tensor of(double[] values, long... shape) {
    Tensor t = torch.empty(shape).to(ScalarType.Double);
    DoublePointer p = t.data_ptr_double();
    p.put(values, 0, Math.toIntExact(t.numel()));
    p.close();
    return Engine.place(t);
  }

  /** A tensor of labels; the first n are copied. */
  public static Tensor ofLabels(int[] labels, int n) {
    long[] wide = new long[n];
    for (int i = 0; i < n; i++) {
      wide[i] = labels[i];
    }
    Tensor t = torch.empty(n).to(ScalarType.Long);
    LongPointer p = t.data_ptr_long();
    p.put(wide);
    p.close();
    return Engine.place(t);
  }

  /** The elements of a tensor of 32-bit floats, row-major. */
  public static float[] toArray(Tensor t) {
    Tensor flat = t.detach().cpu().contiguous();
    float[] values = new float[Math.toIntExact(flat.numel())];
    FloatPointer p = flat.data_ptr_float();
    p.get(values);
    p.close();
    return values;
  }

  /** The elements of a tensor of numbers in double precision, row-major. */
  public static double[] toDoubles(Tensor t) {
    Tensor flat = t.detach().cpu().to(ScalarType.Double).contiguous();
    double[] values = new double[Math.toIntExact(flat.numel())];
    DoublePointer p = flat.data_ptr_double();
    p.get(values);
    p.close();
    return values;
  }

  /** The shape. */
  public static long[] shape(Tensor t) {
    long[] shape = new long[Math.toIntExact(t.dim())];
    for (int i = 0; i < shape.length; i++) {
      shape[i] = t.size(i);
    }
    return shape;
  }

  /** A copy in Java memory. */
  public static FloatTensor copyOf(Tensor t) {
    return NativeScope.scoped(() -> new FloatTensor(shape(t), toArray(t)));
  }

  /**
   * Copies by name that are made when a value is asked for, each time again: for tensors that are
   * written one after the other.
   */
  public static Map<String, FloatTensor> copies(Map<String, Tensor> tensors) {
    return new AbstractMap<>() {
      @Override
      public Set<Entry<String, FloatTensor>> entrySet() {
        return tensors.entrySet().stream()
            .map(e -> new Copied(e.getKey(), e.getValue()))
            .collect(Collectors.toCollection(LinkedHashSet::new));
      }
    };
  }

  private record Copied(String name, Tensor tensor) implements Map.Entry<String, FloatTensor> {
    @Override
    public String getKey() {
      return name;
    }

    @Override
    public FloatTensor getValue() {
      return copyOf(tensor);
    }

    @Override
    public FloatTensor setValue(FloatTensor value) {
      throw new UnsupportedOperationException("a copy");
    }
  }

  /** Overwrites a tensor with values of the same shape. */
  public static void overwrite(Tensor to, FloatTensor values) {
    NativeScope.update(() -> to.copy_(of(values.values(), values.shape())));
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
          String found = value == null ? "none" : Arrays.toString(value.shape());
          String expected = Arrays.toString(shape(t));
          if (!found.equals(expected)) {
            throw new IllegalArgumentException(
                "%s: expected %s of shape %s, found %s".formatted(what, name, expected, found));
          }
        });
  }

  /** How many stretches of consecutive places there are. */
  public static int stretches(int[] places) {
    int stretches = Math.min(1, places.length);
    for (int i = 1; i < places.length; i++) {
      stretches += places[i] == places[i - 1] + 1 ? 0 : 1;
    }
    return stretches;
  }

  /**
   * The entries at some places of an axis, stretch by stretch: where these are few that is faster
   * than place by place, and far faster backwards.
   */
  public static Tensor joined(Tensor x, long axis, int[] places) {
    TensorVector parts = new TensorVector();
    int from = 0;
    while (from < places.length) {
      int to = from + 1;
      while (to < places.length && places[to] == places[to - 1] + 1) {
        to++;
      }
      parts.push_back(x.narrow(axis, places[from], to - (long) from));
      from = to;
    }
    return torch.cat(parts, axis);
  }
}
