package org.orbitmap.network.run;

import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import org.orbitmap.cloud.FarthestPoints;
import org.orbitmap.image.Image;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampler;
import org.orbitmap.image.Resampling;
import org.orbitmap.network.Convolution;
import org.orbitmap.network.Declaration;
import org.orbitmap.network.Declaration.Shape;
import org.orbitmap.network.FloatTensor;
import org.orbitmap.network.Initial;
import org.orbitmap.network.Operations;

/**
 * The operations of networks on Java arrays, in evaluation: what runs where the training engine is
 * not. Shapes are those of a {@link Declaration}. For one thread; make one for each pass.
 *
 * <p>Long because it has a method for each operation.
 */
public final class ArrayOperations implements Operations<ArrayOperations.Batch> {
  private static final double EPSILON = 1e-5;

  /** Below so many pixels a convolution sums over the channels of each. */
  private static final int FEW_PIXELS = 32;

  private final ArrayWeights weights;
  private final Declaration shapes = new Declaration();

  /**
   * Numbers.
   *
   * @param values row-major, one input after another
   * @param shape the axes of one input
   */
  public record Batch(float[] values, Shape shape) {
    /** A batch of inputs with these axes. */
    public static Batch of(float[] values, int... axes) {
      return new Batch(values, Shape.of(axes));
    }

    /** How many inputs, or 1 if it is the same for all. */
    public int size() {
      return shape.count() == 0 ? 0 : values.length / shape.count();
    }
  }

  /** For a network with these numbers. */
  public ArrayOperations(ArrayWeights weights) {
    this.weights = weights;
  }

  /** For what has no parameters. */
  public static ArrayOperations withoutWeights() {
    return new ArrayOperations(new ArrayWeights(Map.of()));
  }

  @Override
  public int length(Batch x, int axis) {
    return shapes.length(x.shape, axis);
  }

  private static Batch empty(Batch like, Shape shape) {
    return new Batch(new float[like.size() * shape.count()], shape);
  }

  @Override
  public Batch convolution(Batch x, String name, Convolution how) {
    float[] bias = how.bias() ? weights.get(name + ".bias") : null;
    Shape shape = shapes.convolution(x.shape, name, how);
    return convolution(x, shape, how, weights.get(name + ".weight"), bias);
  }

  @Override
  public Batch convolution(Batch x, Batch kernel, Convolution how) {
    Shape shape = shapes.convolution(x.shape, kernel.shape, how);
    return convolution(x, shape, how, kernel.values, null);
  }

  private Batch convolution(Batch x, Shape shape, Convolution how, float[] w, float[] bias) {
    Batch out = empty(x, shape);
    int[] from = x.shape.axes();
    int groups = how.groups();
    int in = from[0] / groups;
    int each = how.out() / groups;
    int area = shape.axes()[1] * shape.axes()[2];
    ArrayKernels kernels = ArrayKernels.get();
    for (int i = 0; i < x.size(); i++) {
      for (int g = 0; g < groups; g++) {
        ArrayKernels.Place place =
            new ArrayKernels.Place(
                x.values,
                (i * from[0] + g * in) * from[1] * from[2],
                in,
                from[1],
                from[2],
                out.values,
                (i * how.out() + g * each) * area,
                shape.axes()[1],
                shape.axes()[2]);
        if (area < FEW_PIXELS && each > area) {
          float[][] columns = weights.columns(w, how.out(), g * each, each);
          kernels.overChannels(place, how, columns, each, bias, g * each);
        } else {
          kernels.overPixels(place, how, w, g * each, each, bias);
        }
      }
    }
    return out;
  }

  @Override
  public Batch linear(Batch x, String name, int out) {
    Batch y = empty(x, shapes.linear(x.shape, name, out));
    int in = x.shape.axes()[x.shape.axes().length - 1];
    float[][] columns = weights.columns(weights.get(name + ".weight"), out, 0, out);
    float[] bias = weights.get(name + ".bias");
    ArrayKernels.get().linear(x.values, x.values.length / Math.max(1, in), columns, bias, y.values);
    return y;
  }

  @Override
  public Batch batchNorm(Batch x, String name) {
    Batch out = empty(x, shapes.batchNorm(x.shape, name));
    int[] axes = x.shape.axes();
    boolean image = axes.length == 3;
    int channels = image ? axes[0] : axes[axes.length - 1];
    return batchNorm(x, out, name, channels, image ? axes[1] * axes[2] : 1);
  }

  @Override
  public Batch batchNorm(Batch x, String name, int field) {
    Batch out = empty(x, shapes.batchNorm(x.shape, name, field));
    int[] axes = x.shape.axes();
    return batchNorm(x, out, name, axes[0] / field, field * axes[1] * axes[2]);
  }

  /** Of channels or fields that stand in runs of so many numbers. */
  private Batch batchNorm(Batch x, Batch out, String name, int channels, int run) {
    float[] gain = new float[channels];
    float[] shift = new float[channels];
    for (int c = 0; c < channels; c++) {
      double variance = weights.get(name + ".running_var")[c];
      gain[c] = (float) (weights.get(name + ".weight")[c] / Math.sqrt(variance + EPSILON));
      shift[c] = weights.get(name + ".bias")[c] - weights.get(name + ".running_mean")[c] * gain[c];
    }
    for (int at = 0, c = 0; at < x.values.length; at += run, c = c + 1 == channels ? 0 : c + 1) {
      float a = gain[c];
      float b = shift[c];
      for (int i = at; i < at + run; i++) {
        out.values[i] = a * x.values[i] + b;
      }
    }
    return out;
  }

  @Override
  public Batch relu(Batch x) {
    float[] y = new float[x.values.length];
    for (int i = 0; i < y.length; i++) {
      y[i] = Math.max(x.values[i], 0);
    }
    return new Batch(y, x.shape);
  }

  @Override
  public Batch elu(Batch x) {
    float[] y = new float[x.values.length];
    for (int i = 0; i < y.length; i++) {
      y[i] = x.values[i] > 0 ? x.values[i] : (float) Math.expm1(x.values[i]);
    }
    return new Batch(y, x.shape);
  }

  @Override
  public Batch gelu(Batch x) {
    float[] y = new float[x.values.length];
    for (int i = 0; i < y.length; i++) {
      double v = x.values[i];
      y[i] = (float) (v / 2 * (1 + ArrayKernels.erf(v / Math.sqrt(2))));
    }
    return new Batch(y, x.shape);
  }

  @Override
  public Batch sigmoid(Batch x) {
    float[] y = new float[x.values.length];
    for (int i = 0; i < y.length; i++) {
      y[i] = (float) (1 / (1 + Math.exp(-x.values[i])));
    }
    return new Batch(y, x.shape);
  }

  @Override
  public Batch softplus(Batch x) {
    float[] y = new float[x.values.length];
    for (int i = 0; i < y.length; i++) {
      float v = x.values[i];
      y[i] = (float) (Math.max(v, 0) + Math.log1p(Math.exp(-Math.abs(v))));
    }
    return new Batch(y, x.shape);
  }

  @Override
  public Batch sqrt(Batch x) {
    float[] y = new float[x.values.length];
    for (int i = 0; i < y.length; i++) {
      y[i] = (float) Math.sqrt(x.values[i]);
    }
    return new Batch(y, x.shape);
  }

  @Override
  public Batch maxPool(Batch x, int side, int stride, int padding) {
    Batch out = empty(x, shapes.maxPool(x.shape, side, stride, padding));
    int[] from = x.shape.axes();
    int high = out.shape.axes()[1];
    int wide = out.shape.axes()[2];
    for (int plane = 0; plane < x.size() * from[0]; plane++) {
      for (int i = 0; i < high; i++) {
        for (int j = 0; j < wide; j++) {
          float most = Float.NEGATIVE_INFINITY;
          int bottom = Math.min(from[1], i * stride - padding + side);
          int right = Math.min(from[2], j * stride - padding + side);
          for (int r = Math.max(0, i * stride - padding); r < bottom; r++) {
            for (int c = Math.max(0, j * stride - padding); c < right; c++) {
              most = Math.max(most, x.values[(plane * from[1] + r) * from[2] + c]);
            }
          }
          out.values[(plane * high + i) * wide + j] = most;
        }
      }
    }
    return out;
  }

  @Override
  public Batch averagePool(Batch x, int side, boolean partial) {
    Batch out = empty(x, shapes.averagePool(x.shape, side, partial));
    int[] from = x.shape.axes();
    int high = out.shape.axes()[1];
    int wide = out.shape.axes()[2];
    for (int plane = 0; plane < x.size() * from[0]; plane++) {
      for (int i = 0; i < high; i++) {
        for (int j = 0; j < wide; j++) {
          float sum = 0;
          int bottom = Math.min(from[1], (i + 1) * side);
          int right = Math.min(from[2], (j + 1) * side);
          for (int r = i * side; r < bottom; r++) {
            for (int c = j * side; c < right; c++) {
              sum += x.values[(plane * from[1] + r) * from[2] + c];
            }
          }
          out.values[(plane * high + i) * wide + j] =
              sum / ((bottom - i * side) * (right - j * side));
        }
      }
    }
    return out;
  }

  @Override
  public Batch pad(Batch x, int top, int left, int bottom, int right) {
    Batch out = empty(x, shapes.pad(x.shape, top, left, bottom, right));
    int[] from = x.shape.axes();
    int high = out.shape.axes()[1];
    int wide = out.shape.axes()[2];
    for (int row = 0; row < x.size() * from[0] * from[1]; row++) {
      int to = (row / from[1] * high + top + row % from[1]) * wide + left;
      System.arraycopy(x.values, row * from[2], out.values, to, from[2]);
    }
    return out;
  }

  @Override
  public Batch globalAverage(Batch x) {
    Shape shape = shapes.globalAverage(x.shape);
    int[] axes = x.shape.axes();
    return new Batch(along(x.values, axes[1] * axes[2], 1, false), shape);
  }

  @Override
  public Batch flatten(Batch x) {
    return new Batch(x.values, shapes.flatten(x.shape));
  }

  @Override
  public Batch dropout(Batch x, double probability) {
    return x;
  }

  @Override
  public Batch max(Batch x, int axis) {
    return new Batch(
        along(x.values, x.shape.axes()[axis], after(x, axis), true), shapes.max(x.shape, axis));
  }

  @Override
  public Batch mean(Batch x, int axis) {
    return new Batch(
        along(x.values, x.shape.axes()[axis], after(x, axis), false), shapes.mean(x.shape, axis));
  }

  /** How many numbers lie between two neighbours along an axis. */
  private static int after(Batch x, int axis) {
    int[] axes = x.shape.axes();
    return Arrays.stream(axes, axis + 1, axes.length).reduce(1, (a, b) -> a * b);
  }

  /** The largest or the mean of {@code length} numbers that lie {@code apart}. */
  private static float[] along(float[] x, int length, int apart, boolean largest) {
    float[] y = new float[length == 0 ? 0 : x.length / length];
    for (int i = 0; i < y.length; i++) {
      int at = i / apart * apart * length + i % apart;
      double sum = largest ? x[at] : 0;
      for (int k = 0; k < length; k++) {
        float v = x[at + k * apart];
        sum = largest ? Math.max(sum, v) : sum + v;
      }
      y[i] = (float) (largest ? sum : sum / length);
    }
    return y;
  }

  /** What is done with two numbers. */
  private interface Pair {
    float of(float a, float b);
  }

  private static Batch pairs(Batch x, Batch y, Shape shape, Pair pair) {
    int n = Math.max(x.size(), y.size());
    float[] out = new float[n * shape.count()];
    if (x.values.length == out.length && y.values.length == out.length) {
      for (int i = 0; i < out.length; i++) {
        out[i] = pair.of(x.values[i], y.values[i]);
      }
      return new Batch(out, shape);
    }
    int[] ofX = strides(x, shape);
    int[] ofY = strides(y, shape);
    int[] axes = shape.axes();
    int last = axes.length - 1;
    int run = last < 0 ? 1 : axes[last];
    int stepX = last < 0 ? 0 : ofX[last + 1];
    int stepY = last < 0 ? 0 : ofY[last + 1];
    for (int at = 0; at < out.length; at += run) {
      int fromX = 0;
      int fromY = 0;
      int rest = at / run;
      for (int d = last - 1; d >= 0; d--) {
        fromX += rest % axes[d] * ofX[d + 1];
        fromY += rest % axes[d] * ofY[d + 1];
        rest /= axes[d];
      }
      fromX += rest * ofX[0];
      fromY += rest * ofY[0];
      for (int i = 0; i < run; i++) {
        out[at + i] = pair.of(x.values[fromX + i * stepX], y.values[fromY + i * stepY]);
      }
    }
    return new Batch(out, shape);
  }

  /** How far apart neighbours along the batch and each axis of a shape lie; 0 where repeated. */
  private static int[] strides(Batch x, Shape shape) {
    int[] own = x.shape.axes();
    int[] strides = new int[shape.axes().length + 1];
    int apart = 1;
    for (int d = own.length - 1, to = strides.length - 1; d >= 0; d--, to--) {
      strides[to] = own[d] == 1 ? 0 : apart;
      apart *= own[d];
    }
    strides[0] = x.shape.batched() ? apart : 0;
    return strides;
  }

  @Override
  public Batch maximum(Batch x, Batch y) {
    return pairs(x, y, shapes.maximum(x.shape, y.shape), Math::max);
  }

  @Override
  public Batch add(Batch x, Batch y) {
    return pairs(x, y, shapes.add(x.shape, y.shape), Float::sum);
  }

  @Override
  public Batch subtract(Batch x, Batch y) {
    return pairs(x, y, shapes.subtract(x.shape, y.shape), (a, b) -> a - b);
  }

  @Override
  public Batch multiply(Batch x, Batch y) {
    return pairs(x, y, shapes.multiply(x.shape, y.shape), (a, b) -> a * b);
  }

  @Override
  public Batch divide(Batch x, Batch y) {
    return pairs(x, y, shapes.divide(x.shape, y.shape), (a, b) -> a / b);
  }

  @Override
  public Batch matmul(Batch x, Batch y) {
    Shape shape = shapes.matmul(x.shape, y.shape);
    int n = Math.max(x.size(), y.size());
    int rows = x.shape.axes()[0];
    int inner = x.shape.axes()[1];
    int columns = y.shape.axes()[1];
    float[] out = new float[n * rows * columns];
    float[][] second = new float[inner][columns];
    float[] first = new float[rows * inner];
    float[] product = new float[rows * columns];
    for (int i = 0; i < n; i++) {
      int at = y.shape.batched() ? i * inner * columns : 0;
      for (int k = 0; k < inner && (i == 0 || y.shape.batched()); k++) {
        System.arraycopy(y.values, at + k * columns, second[k], 0, columns);
      }
      System.arraycopy(x.values, x.shape.batched() ? i * first.length : 0, first, 0, first.length);
      ArrayKernels.get().linear(first, rows, second, null, product);
      System.arraycopy(product, 0, out, i * product.length, product.length);
    }
    return new Batch(out, shape);
  }

  @Override
  public Batch transpose(Batch x, int a, int b) {
    Shape shape = shapes.transpose(x.shape, a, b);
    float[] out = new float[x.values.length];
    int low = Math.min(a, b);
    int high = Math.max(a, b);
    int rows = x.shape.axes()[low];
    int columns = x.shape.axes()[high];
    int inside = after(x, high);
    int between = after(x, low) / Math.max(1, columns * inside);
    int block = rows * between * columns * inside;
    for (int at = 0; at < out.length; at += block) {
      for (int i = 0; i < rows; i++) {
        for (int m = 0; m < between; m++) {
          for (int j = 0; j < columns; j++) {
            System.arraycopy(
                x.values,
                at + ((i * between + m) * columns + j) * inside,
                out,
                at + ((j * between + m) * rows + i) * inside,
                inside);
          }
        }
      }
    }
    return new Batch(out, shape);
  }

  @Override
  public Batch reshape(Batch x, int... axes) {
    return new Batch(x.values, shapes.reshape(x.shape, axes));
  }

  @Override
  public Batch quarterTurns(Batch x, int k) {
    Shape shape = shapes.quarterTurns(x.shape, k);
    int side = shape.axes()[1];
    int turns = Math.floorMod(k, 4);
    float[] out = new float[x.values.length];
    for (int plane = 0; plane < out.length; plane += side * side) {
      for (int i = 0; i < side; i++) {
        for (int j = 0; j < side; j++) {
          int from =
              switch (turns) {
                case 0 -> i * side + j;
                case 1 -> j * side + side - 1 - i;
                case 2 -> (side - 1 - i) * side + side - 1 - j;
                default -> (side - 1 - j) * side + i;
              };
          out[plane + i * side + j] = x.values[plane + from];
        }
      }
    }
    return new Batch(out, shape);
  }

  @Override
  public Batch rotate(Batch x, Batch directions, Resampling how) {
    Shape shape = shapes.rotate(x.shape, directions.shape, how);
    int[] axes = shape.axes();
    float[] out = new float[x.values.length];
    int each = shape.count();
    for (int i = 0; i < x.size(); i++) {
      Image image =
          new Image(
              axes[0], axes[1], axes[2], Arrays.copyOfRange(x.values, i * each, (i + 1) * each));
      int d = directions.shape.batched() ? 2 * i : 0;
      float cos = directions.values[d];
      float sin = directions.values[d + 1];
      Resampler.Affine map = new Resampler.Affine(cos, -sin, sin, cos, 0, 0);
      Resampler.sample(image, map, how, out, i * each);
    }
    return new Batch(out, shape);
  }

  @Override
  public Batch sample(Batch x, Batch places, Interpolation how) {
    Shape shape = shapes.sample(x.shape, places.shape, how);
    Batch out = empty(x, shape);
    int[] axes = x.shape.axes();
    int each = x.shape.count();
    int area = shape.axes()[1] * shape.axes()[2];
    for (int i = 0; i < x.size(); i++) {
      float[] pixels = Arrays.copyOfRange(x.values, i * each, (i + 1) * each);
      Image image = new Image(axes[0], axes[1], axes[2], pixels);
      int from = places.shape.batched() ? 2 * i * area : 0;
      for (int p = 0; p < area; p++) {
        float right = places.values[from + 2 * p];
        float down = places.values[from + 2 * p + 1];
        Resampler.read(image, right, down, how, out.values, i * axes[0] * area + p, area);
      }
    }
    return out;
  }

  @Override
  public Batch select(Batch x, int axis, int[] index) {
    Shape shape = shapes.select(x.shape, axis, index);
    int inside = after(x, axis);
    int old = x.shape.axes()[axis];
    float[] out = new float[x.values.length / Math.max(1, old) * index.length];
    for (int at = 0, from = 0; at < out.length; from += old * inside) {
      for (int i : index) {
        System.arraycopy(x.values, from + i * inside, out, at, inside);
        at += inside;
      }
    }
    return new Batch(out, shape);
  }

  @Override
  public Batch farthest(Batch x, int count) {
    Batch out = empty(x, shapes.farthest(x.shape, count));
    int points = x.shape.axes()[0];
    int dimension = x.shape.axes()[1];
    for (int i = 0; i < x.size(); i++) {
      int from = i * points * dimension;
      int to = i * count * dimension;
      for (int p : FarthestPoints.of(x.values, from, points, dimension, count)) {
        System.arraycopy(x.values, from + p * dimension, out.values, to, dimension);
        to += dimension;
      }
    }
    return out;
  }

  @Override
  public Batch logSoftmax(Batch x) {
    int run = x.shape.axes()[x.shape.axes().length - 1];
    float[] out = new float[x.values.length];
    for (int at = 0; at < out.length; at += run) {
      double most = x.values[at];
      for (int i = 1; i < run; i++) {
        most = Math.max(most, x.values[at + i]);
      }
      double sum = 0;
      for (int i = 0; i < run; i++) {
        sum += Math.exp(x.values[at + i] - most);
      }
      for (int i = 0; i < run; i++) {
        out[at + i] = (float) (x.values[at + i] - most - Math.log(sum));
      }
    }
    return new Batch(out, x.shape);
  }

  @Override
  public Batch uniform(Batch x, long seed, int... axes) {
    Shape shape = new Shape(axes.clone(), false);
    FloatTensor drawn = FloatTensor.uniform(new SplittableRandom(seed), shape.count());
    return new Batch(drawn.values(), shape);
  }

  @Override
  public Batch softmax(Batch x) {
    int run = x.shape.axes()[x.shape.axes().length - 1];
    float[] out = new float[x.values.length];
    for (int at = 0; at < out.length; at += run) {
      float most = x.values[at];
      for (int i = 1; i < run; i++) {
        most = Math.max(most, x.values[at + i]);
      }
      double sum = 0;
      for (int i = 0; i < run; i++) {
        out[at + i] = (float) Math.exp(x.values[at + i] - most);
        sum += out[at + i];
      }
      for (int i = 0; i < run; i++) {
        out[at + i] = (float) (out[at + i] / sum);
      }
    }
    return new Batch(out, x.shape);
  }

  @Override
  public Batch constant(float[] values, int... axes) {
    return new Batch(values, shapes.constant(values, axes));
  }

  @Override
  public Batch parameter(String name, Initial initial, int... axes) {
    FloatTensor t = weights.tensor(name);
    return new Batch(t.values(), shapes.parameter(name, initial, axes));
  }

  @Override
  public Batch standardised(Batch kernel, Batch gain, double epsilon) {
    Shape shape = shapes.standardised(kernel.shape, gain.shape, epsilon);
    float[] w = kernel.values;
    float[] out = new float[w.length];
    int each = w.length / gain.values.length;
    for (int at = 0; at < w.length; at += each) {
      double sum = 0;
      double squares = 0;
      for (int i = at; i < at + each; i++) {
        sum += w[i];
        squares += (double) w[i] * w[i];
      }
      double mean = sum / each;
      double variance = Math.max(0, squares / each - mean * mean);
      double factor = gain.values[at / each] / Math.sqrt(variance + epsilon);
      for (int i = at; i < at + each; i++) {
        out[i] = (float) (factor * (w[i] - mean));
      }
    }
    return new Batch(out, shape);
  }

  @Override
  public Batch shared(String name, Initial initial, int count, int[] index, int... axes) {
    Shape shape = shapes.shared(name, initial, count, index, axes);
    return new Batch(weights.spread(name, index), shape);
  }

  @Override
  public Batch derived(String name, Derivation how) {
    return weights.derived(name, () -> how.of(this));
  }

  @Override
  public void penalty(Batch x) {
    // Only training has a loss.
  }
}
