package org.orbitmap.network;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampling;

/**
 * Runs a network on shapes: finds its parameters, in the order in which it first names them, and
 * refuses what does not fit.
 */
public final class Declaration implements Operations<Declaration.Shape> {
  private final Map<String, Parameter> parameters = new LinkedHashMap<>();

  /**
   * The axes of one input.
   *
   * @param axes their lengths
   * @param batched whether there is one for each input, or one for all
   */
  public record Shape(int[] axes, boolean batched) {
    /** One for each input. */
    public static Shape of(int... axes) {
      return new Shape(axes, true);
    }

    /** The number of elements. */
    public int count() {
      return Arrays.stream(axes).reduce(1, Math::multiplyExact);
    }

    private Shape with(int... other) {
      return new Shape(other, batched);
    }

    @Override
    public boolean equals(Object o) {
      return o instanceof Shape s && batched == s.batched && Arrays.equals(axes, s.axes);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(axes);
    }

    @Override
    public String toString() {
      return Arrays.toString(axes);
    }
  }

  /** Everything with a name: what is trained and what is measured. */
  public Collection<Parameter> parameters() {
    return Collections.unmodifiableCollection(parameters.values());
  }

  /** The number of trainable parameters. */
  public long count() {
    return parameters.values().stream()
        .filter(Parameter::trainable)
        .mapToLong(Parameter::count)
        .sum();
  }

  private void declare(String name, Initial initial, boolean trainable, long... shape) {
    Parameter p = new Parameter(name, shape, initial, trainable);
    Parameter earlier = parameters.putIfAbsent(name, p);
    if (earlier != null && !earlier.equals(p)) {
      throw new IllegalArgumentException(
          "parameter: expected %s as it was declared first, found %s".formatted(earlier, p));
    }
  }

  private static IllegalArgumentException wrong(String operation, String expected, Object found) {
    return new IllegalArgumentException(
        "%s: expected %s, found %s".formatted(operation, expected, found));
  }

  private static Shape require(String operation, Shape x, int axes) {
    if (x.axes.length != axes) {
      throw wrong(operation, axes + " axes", x);
    }
    return x;
  }

  @Override
  public int length(Shape x, int axis) {
    return x.axes[axis];
  }

  @Override
  public Shape convolution(Shape x, String name, Convolution how) {
    require(name, x, 3);
    int in = x.axes[0];
    if (in % how.groups() != 0) {
      throw wrong(name, "channels that %d groups divide".formatted(how.groups()), x);
    }
    int side = how.side();
    long fanIn = (long) in / how.groups() * side * side;
    declare(name + ".weight", Initial.he(fanIn), true, how.out(), in / how.groups(), side, side);
    if (how.bias()) {
      declare(name + ".bias", Initial.constant(0), true, how.out());
    }
    return windows(name, x, how.out(), side, how.stride(), how.padding());
  }

  @Override
  public Shape convolution(Shape x, Shape kernel, Convolution how) {
    require("convolution", x, 3);
    Shape expected =
        new Shape(new int[] {how.out(), x.axes[0] / how.groups(), how.side(), how.side()}, false);
    if (x.axes[0] % how.groups() != 0 || how.bias() || !kernel.equals(expected)) {
      throw wrong("convolution", "a kernel of " + expected + " without a bias", kernel);
    }
    return windows("convolution", x, how.out(), how.side(), how.stride(), how.padding());
  }

  private static Shape windows(
      String name, Shape x, int channels, int side, int stride, int padding) {
    int[] size = new int[2];
    for (int d = 0; d < 2; d++) {
      int padded = x.axes[d + 1] + 2 * padding;
      if (padded < side) {
        throw wrong(name, "at least %d rows and columns".formatted(side - 2 * padding), x);
      }
      size[d] = (padded - side) / stride + 1;
    }
    return x.with(channels, size[0], size[1]);
  }

  @Override
  public Shape linear(Shape x, String name, int out) {
    int last = x.axes.length - 1;
    int in = x.axes[last];
    Initial initial = Initial.uniform(1 / Math.sqrt((double) in));
    declare(name + ".weight", initial, true, out, in);
    declare(name + ".bias", initial, true, out);
    int[] axes = x.axes.clone();
    axes[last] = out;
    return x.with(axes);
  }

  @Override
  public Shape batchNorm(Shape x, String name) {
    int channels = x.axes.length == 3 ? x.axes[0] : x.axes[x.axes.length - 1];
    declare(name + ".weight", Initial.constant(1), true, channels);
    declare(name + ".bias", Initial.constant(0), true, channels);
    declare(name + ".running_mean", Initial.constant(0), false, channels);
    declare(name + ".running_var", Initial.constant(1), false, channels);
    return x;
  }

  @Override
  public Shape batchNorm(Shape x, String name, int field) {
    require(name, x, 3);
    if (field < 1 || x.axes[0] % field != 0) {
      throw wrong(name, "channels that come in fields of %d".formatted(field), x);
    }
    batchNorm(x.with(x.axes[0] / field, 1, 1), name);
    return x;
  }

  @Override
  public Shape relu(Shape x) {
    return x;
  }

  @Override
  public Shape elu(Shape x) {
    return x;
  }

  @Override
  public Shape gelu(Shape x) {
    return x;
  }

  @Override
  public Shape sigmoid(Shape x) {
    return x;
  }

  @Override
  public Shape softplus(Shape x) {
    return x;
  }

  @Override
  public Shape sqrt(Shape x) {
    return x;
  }

  @Override
  public Shape maxPool(Shape x, int side, int stride, int padding) {
    require("max-pool", x, 3);
    return windows("max-pool", x, x.axes[0], side, stride, padding);
  }

  @Override
  public Shape averagePool(Shape x, int side, boolean partial) {
    require("average pool", x, 3);
    return partial
        ? x.with(x.axes[0], (x.axes[1] + side - 1) / side, (x.axes[2] + side - 1) / side)
        : windows("average pool", x, x.axes[0], side, side, 0);
  }

  @Override
  public Shape pad(Shape x, int top, int left, int bottom, int right) {
    require("pad", x, 3);
    if (Math.min(Math.min(top, left), Math.min(bottom, right)) < 0) {
      throw wrong("pad", "0 or more pixels on every side", Arrays.asList(top, left, bottom, right));
    }
    return x.with(x.axes[0], x.axes[1] + top + bottom, x.axes[2] + left + right);
  }

  @Override
  public Shape globalAverage(Shape x) {
    return x.with(require("global average", x, 3).axes[0]);
  }

  @Override
  public Shape flatten(Shape x) {
    return x.with(x.count());
  }

  @Override
  public Shape dropout(Shape x, double probability) {
    if (!(probability >= 0 && probability < 1)) {
      throw wrong("dropout", "a probability in [0, 1)", probability);
    }
    return x;
  }

  @Override
  public Shape max(Shape x, int axis) {
    return x.with(
        IntStream.range(0, x.axes.length).filter(i -> i != axis).map(i -> x.axes[i]).toArray());
  }

  @Override
  public Shape mean(Shape x, int axis) {
    return max(x, axis);
  }

  @Override
  public Shape maximum(Shape x, Shape y) {
    return broadcast("maximum", x, y);
  }

  @Override
  public Shape add(Shape x, Shape y) {
    return broadcast("add", x, y);
  }

  @Override
  public Shape subtract(Shape x, Shape y) {
    return broadcast("subtract", x, y);
  }

  @Override
  public Shape multiply(Shape x, Shape y) {
    return broadcast("multiply", x, y);
  }

  @Override
  public Shape divide(Shape x, Shape y) {
    return broadcast("divide", x, y);
  }

  /** Both must have the same axes, but where one has length 1; fewer axes only without a batch. */
  private static Shape broadcast(String operation, Shape x, Shape y) {
    int rank = Math.max(x.axes.length, y.axes.length);
    int[] axes = new int[rank];
    for (int i = 0; i < rank; i++) {
      int a = at(x, i - rank + x.axes.length);
      int b = at(y, i - rank + y.axes.length);
      if (a != b && a != 1 && b != 1) {
        throw wrong(operation, "axes " + x, y);
      }
      axes[i] = Math.max(a, b);
    }
    if ((x.batched && x.axes.length < rank) || (y.batched && y.axes.length < rank)) {
      throw wrong(operation, "axes " + x, y);
    }
    return new Shape(axes, x.batched || y.batched);
  }

  private static int at(Shape x, int axis) {
    return axis < 0 ? 1 : x.axes[axis];
  }

  @Override
  public Shape matmul(Shape x, Shape y) {
    require("matrix product", x, 2);
    require("matrix product", y, 2);
    if (x.axes[1] != y.axes[0]) {
      throw wrong("matrix product", x.axes[1] + " rows", y);
    }
    return new Shape(new int[] {x.axes[0], y.axes[1]}, x.batched || y.batched);
  }

  @Override
  public Shape transpose(Shape x, int a, int b) {
    int[] axes = x.axes.clone();
    axes[a] = x.axes[b];
    axes[b] = x.axes[a];
    return x.with(axes);
  }

  @Override
  public Shape reshape(Shape x, int... axes) {
    Shape result = x.with(axes.clone());
    if (result.count() != x.count()) {
      throw wrong("reshape", "axes with %d elements".formatted(x.count()), result);
    }
    return result;
  }

  @Override
  public Shape quarterTurns(Shape x, int k) {
    require("quarter turns", x, 3);
    if (x.axes[1] != x.axes[2]) {
      throw wrong("quarter turns", "square images", x);
    }
    return x;
  }

  @Override
  public Shape rotate(Shape x, Shape directions, Resampling how) {
    require("rotation", x, 3);
    if (directions.axes.length != 1 || directions.axes[0] != 2) {
      throw wrong("rotation", "cosine and sine for each image", directions);
    }
    return x;
  }

  @Override
  public Shape sample(Shape x, Shape places, Interpolation how) {
    require("sample", x, 3);
    if (places.axes.length != 3 || places.axes[2] != 2) {
      throw wrong("sample", "rows, columns and 2 of places", places);
    }
    return x.with(x.axes[0], places.axes[0], places.axes[1]);
  }

  @Override
  public Shape select(Shape x, int axis, int[] index) {
    int[] axes = x.axes.clone();
    if (Arrays.stream(index).anyMatch(i -> i < 0 || i >= x.axes[axis])) {
      throw wrong("select", "numbers below " + x.axes[axis], "others");
    }
    axes[axis] = index.length;
    return x.with(axes);
  }

  @Override
  public Shape farthest(Shape x, int count) {
    require("farthest points", x, 2);
    if (count < 1 || count > x.axes[0]) {
      throw wrong(
          "farthest points", "at least %d points, and 1 or more of them".formatted(count), x);
    }
    return x.with(count, x.axes[1]);
  }

  @Override
  public Shape softmax(Shape x) {
    return x;
  }

  @Override
  public Shape logSoftmax(Shape x) {
    return x;
  }

  @Override
  public Shape uniform(Shape x, long seed, int... axes) {
    return Shape.of(axes.clone());
  }

  @Override
  public Shape constant(float[] values, int... axes) {
    Shape shape = new Shape(axes.clone(), false);
    if (shape.count() != values.length) {
      throw wrong("constant", shape.count() + " numbers", values.length);
    }
    return shape;
  }

  @Override
  public Shape parameter(String name, Initial initial, int... axes) {
    declare(name, initial, true, Arrays.stream(axes).asLongStream().toArray());
    return new Shape(axes.clone(), false);
  }

  @Override
  public Shape standardised(Shape kernel, Shape gain, double epsilon) {
    if (kernel.batched || gain.batched || gain.axes.length != 1 || gain.axes[0] != kernel.axes[0]) {
      throw wrong(
          "standardised", "a kernel and one gain for each of its channels", kernel + ", " + gain);
    }
    return kernel;
  }

  @Override
  public Shape shared(String name, Initial initial, int count, int[] index, int... axes) {
    declare(name, initial, true, count);
    Shape shape = new Shape(axes.clone(), false);
    if (index.length != shape.count() || Arrays.stream(index).anyMatch(i -> i < 0 || i >= count)) {
      throw wrong(
          name, "%d places below %d".formatted(shape.count(), count), index.length + " others");
    }
    return shape;
  }

  @Override
  public Shape derived(String name, Derivation how) {
    Shape shape = how.of(this);
    if (shape.batched || parameters.containsKey(name)) {
      throw wrong(name, "numbers without a batch, under a name of their own", shape);
    }
    return shape;
  }

  @Override
  public void penalty(Shape x) {
    // Any numbers have a mean.
  }
}
