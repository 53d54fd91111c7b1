package org.orbitmap.nn.tensor;

import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.ScalarType;

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

  /** The shape. */
  public static long[] shape(Tensor t) {
    long[] shape = new long[Math.toIntExact(t.dim())];
    for (int i = 0; i < shape.length; i++) {
      shape[i] = t.size(i);
    }
    return shape;
  }
}
