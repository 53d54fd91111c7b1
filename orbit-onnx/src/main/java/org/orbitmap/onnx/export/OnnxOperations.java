package org.orbitmap.onnx.export;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.SamplingGrid;
import org.orbitmap.network.Convolution;
import org.orbitmap.network.Declaration;
import org.orbitmap.network.Declaration.Shape;
import org.orbitmap.network.FloatTensor;
import org.orbitmap.network.Initial;
import org.orbitmap.network.Operations;
import org.orbitmap.network.run.ArrayOperations;
import org.orbitmap.network.run.ArrayOperations.Batch;
import org.orbitmap.network.run.ArrayWeights;
import org.orbitmap.onnx.graph.Graph;
import org.orbitmap.onnx.graph.Graph.Value;

/**
 * The operations of networks as nodes of an ONNX graph, in evaluation: standard operators and
 * nothing else. Shapes are those of a {@link Declaration}.
 *
 * <p>Long because it has a method for each operation.
 */
public final class OnnxOperations implements Operations<OnnxOperations.Node> {
  private static final double EPSILON = 1e-5;

  private final Graph graph;
  private final Map<String, FloatTensor> weights;
  private final ArrayOperations arrays;
  private final Declaration shapes = new Declaration();
  private final boolean asNodes;
  private final Map<String, TensorProto> initialisers = new LinkedHashMap<>();
  private final Map<String, Value> constants = new LinkedHashMap<>();

  /**
   * A value of the graph.
   *
   * @param value the value
   * @param shape its axes
   */
  public record Node(Value value, Shape shape) {}

  /** With weights as initialisers of the model, which refers to them by name. */
  OnnxOperations(Graph graph, Map<String, FloatTensor> weights) {
    this(graph, weights, false);
  }

  private OnnxOperations(Graph graph, Map<String, FloatTensor> weights, boolean asNodes) {
    this.graph = graph;
    this.weights = weights;
    arrays = new ArrayOperations(new ArrayWeights(weights));
    this.asNodes = asNodes;
  }

  /** With weights as nodes of the graph, which models of any age take. */
  public static OnnxOperations withConstants(Graph graph, Map<String, FloatTensor> weights) {
    return new OnnxOperations(graph, weights, true);
  }

  /** The weights that the nodes refer to. */
  Collection<TensorProto> initialisers() {
    return initialisers.values();
  }

  private Node op(String type, List<Value> inputs, Shape shape, AttributeProto... attributes) {
    return new Node(graph.op(type, Graph.FLOAT, inputs, attributes), shape);
  }

  private Value weight(String name) {
    return initialiser(name, given(name));
  }

  private FloatTensor given(String name) {
    FloatTensor w = weights.get(name);
    if (w == null) {
      throw new IllegalArgumentException("weights: expected %s, found none".formatted(name));
    }
    return w;
  }

  private Value initialiser(String name, FloatTensor w) {
    if (asNodes) {
      return constants.computeIfAbsent(name, n -> graph.floats(w.values(), w.shape()));
    }
    initialisers.computeIfAbsent(
        name,
        n -> {
          ByteBuffer raw =
              ByteBuffer.allocate(4 * w.values().length).order(ByteOrder.LITTLE_ENDIAN);
          raw.asFloatBuffer().put(w.values());
          TensorProto.Builder t =
              TensorProto.newBuilder()
                  .setName(n)
                  .setDataType(Graph.FLOAT)
                  .setRawData(ByteString.copyFrom(raw));
          Arrays.stream(w.shape()).forEach(t::addDims);
          return t.build();
        });
    return graph.value(name, Graph.FLOAT);
  }

  private static long[] lengths(Shape shape) {
    LongStream axes = Arrays.stream(shape.axes()).asLongStream();
    return (shape.batched() ? LongStream.concat(LongStream.of(-1), axes) : axes).toArray();
  }

  private static Node reshaped(Value value, Shape shape) {
    return new Node(value.reshape(lengths(shape)), shape);
  }

  @Override
  public int length(Node x, int axis) {
    return shapes.length(x.shape, axis);
  }

  @Override
  public Node convolution(Node x, String name, Convolution how) {
    Shape shape = shapes.convolution(x.shape, name, how);
    List<Value> inputs = new ArrayList<>(List.of(x.value, weight(name + ".weight")));
    if (how.bias()) {
      inputs.add(weight(name + ".bias"));
    }
    return convolution(inputs, shape, how);
  }

  @Override
  public Node convolution(Node x, Node kernel, Convolution how) {
    Shape shape = shapes.convolution(x.shape, kernel.shape, how);
    return convolution(List.of(x.value, kernel.value), shape, how);
  }

  private Node convolution(List<Value> inputs, Shape shape, Convolution how) {
    return op(
        "Conv",
        inputs,
        shape,
        Graph.integers("kernel_shape", how.side(), how.side()),
        Graph.integers("strides", how.stride(), how.stride()),
        Graph.integers("pads", how.padding(), how.padding(), how.padding(), how.padding()),
        Graph.integer("group", how.groups()));
  }

  @Override
  public Node linear(Node x, String name, int out) {
    Shape shape = shapes.linear(x.shape, name, out);
    Value w = weight(name + ".weight");
    Value b = weight(name + ".bias");
    return x.shape.axes().length == 1
        ? op("Gemm", List.of(x.value, w, b), shape, Graph.integer("transB", 1))
        : new Node(x.value.matmul(w.transpose(1, 0)).plus(b), shape);
  }

  @Override
  public Node batchNorm(Node x, String name) {
    Shape shape = shapes.batchNorm(x.shape, name);
    boolean last = x.shape.axes().length == 2; // the operator normalises axis 1
    Value in = last ? x.value.transpose(0, 2, 1) : x.value;
    Node out =
        op(
            "BatchNormalization",
            List.of(
                in,
                weight(name + ".weight"),
                weight(name + ".bias"),
                weight(name + ".running_mean"),
                weight(name + ".running_var")),
            shape,
            Graph.real("epsilon", EPSILON));
    return last ? new Node(out.value.transpose(0, 2, 1), shape) : out;
  }

  @Override
  public Node batchNorm(Node x, String name, int field) {
    Shape shape = shapes.batchNorm(x.shape, name, field);
    // One number for each channel, so that the node can be merged with the convolution before it.
    List<Value> inputs = new ArrayList<>(List.of(x.value));
    for (String part : new String[] {".weight", ".bias", ".running_mean", ".running_var"}) {
      float[] each = given(name + part).values();
      float[] all = new float[each.length * field];
      for (int c = 0; c < all.length; c++) {
        all[c] = each[c / field];
      }
      inputs.add(initialiser(name + part, new FloatTensor(new long[] {all.length}, all)));
    }
    return op("BatchNormalization", inputs, shape, Graph.real("epsilon", EPSILON));
  }

  @Override
  public Node relu(Node x) {
    return op("Relu", List.of(x.value), x.shape);
  }

  @Override
  public Node elu(Node x) {
    return op("Elu", List.of(x.value), x.shape);
  }

  @Override
  public Node gelu(Node x) {
    Value erf = op("Erf", List.of(x.value.times(Math.sqrt(0.5))), x.shape).value;
    return new Node(x.value.times(0.5).times(erf.plus(1)), x.shape);
  }

  @Override
  public Node sigmoid(Node x) {
    return new Node(x.value.sigmoid(), x.shape);
  }

  @Override
  public Node softplus(Node x) {
    return op("Softplus", List.of(x.value), x.shape);
  }

  @Override
  public Node sqrt(Node x) {
    return new Node(x.value.sqrt(), x.shape);
  }

  @Override
  public Node maxPool(Node x, int side, int stride, int padding) {
    return op(
        "MaxPool",
        List.of(x.value),
        shapes.maxPool(x.shape, side, stride, padding),
        Graph.integers("kernel_shape", side, side),
        Graph.integers("strides", stride, stride),
        Graph.integers("pads", padding, padding, padding, padding));
  }

  @Override
  public Node averagePool(Node x, int side, boolean partial) {
    List<AttributeProto> how =
        new ArrayList<>(
            List.of(
                Graph.integers("kernel_shape", side, side), Graph.integers("strides", side, side)));
    if (partial) { // known from opset 10 on
      how.add(Graph.integer("ceil_mode", 1));
    }
    return op(
        "AveragePool",
        List.of(x.value),
        shapes.averagePool(x.shape, side, partial),
        how.toArray(AttributeProto[]::new));
  }

  @Override
  public Node pad(Node x, int top, int left, int bottom, int right) {
    Shape shape = shapes.pad(x.shape, top, left, bottom, right);
    return new Node(x.value.pad(0, 0, top, left, 0, 0, bottom, right), shape);
  }

  @Override
  public Node globalAverage(Node x) {
    Shape shape = shapes.globalAverage(x.shape);
    return reshaped(op("GlobalAveragePool", List.of(x.value), shape).value, shape);
  }

  @Override
  public Node flatten(Node x) {
    return op("Flatten", List.of(x.value), shapes.flatten(x.shape), Graph.integer("axis", 1));
  }

  @Override
  public Node dropout(Node x, double probability) {
    return x;
  }

  @Override
  public Node max(Node x, int axis) {
    return reshaped(x.value.reduce("ReduceMax", axis + 1), shapes.max(x.shape, axis));
  }

  @Override
  public Node mean(Node x, int axis) {
    return reshaped(x.value.reduce("ReduceMean", axis + 1), shapes.mean(x.shape, axis));
  }

  @Override
  public Node maximum(Node x, Node y) {
    return op("Max", List.of(x.value, y.value), shapes.maximum(x.shape, y.shape));
  }

  @Override
  public Node add(Node x, Node y) {
    return new Node(x.value.plus(y.value), shapes.add(x.shape, y.shape));
  }

  @Override
  public Node subtract(Node x, Node y) {
    return new Node(x.value.minus(y.value), shapes.subtract(x.shape, y.shape));
  }

  @Override
  public Node multiply(Node x, Node y) {
    return new Node(x.value.times(y.value), shapes.multiply(x.shape, y.shape));
  }

  @Override
  public Node divide(Node x, Node y) {
    return new Node(x.value.over(y.value), shapes.divide(x.shape, y.shape));
  }

  @Override
  public Node matmul(Node x, Node y) {
    return new Node(x.value.matmul(y.value), shapes.matmul(x.shape, y.shape));
  }

  @Override
  public Node transpose(Node x, int a, int b) {
    long[] order = LongStream.rangeClosed(0, x.shape.axes().length).toArray();
    order[a + 1] = b + 1L;
    order[b + 1] = a + 1L;
    return new Node(x.value.transpose(order), shapes.transpose(x.shape, a, b));
  }

  @Override
  public Node reshape(Node x, int... axes) {
    return reshaped(x.value, shapes.reshape(x.shape, axes));
  }

  @Override
  public Node quarterTurns(Node x, int k) {
    Shape shape = shapes.quarterTurns(x.shape, k);
    long side = shape.axes()[1];
    Value mirror = graph.longs(LongStream.range(0, side).map(i -> side - 1 - i).toArray(), side);
    Value u = x.value;
    Value exchanged = u.transpose(0, 1, 3, 2);
    return new Node(
        switch (Math.floorMod(k, 4)) {
          case 0 -> u;
          case 1 -> exchanged.gather(2, mirror);
          case 2 -> u.gather(2, mirror).gather(3, mirror);
          default -> exchanged.gather(3, mirror);
        },
        shape);
  }

  @Override
  public Node rotate(Node x, Node directions, Resampling how) {
    Shape shape = shapes.rotate(x.shape, directions.shape, how);
    int height = shape.axes()[1];
    int width = shape.axes()[2];
    int n = height * width;
    float fill = how.fill().value();
    SamplingGrid places = SamplingGrid.of(height, width, how.fill());
    Value cos = directions.value.slice(1, 0);
    Value sin = directions.value.slice(1, 1);
    Value placeX = graph.reals(Graph.FLOAT, places.x(), 1, n);
    Value placeY = graph.reals(Graph.FLOAT, places.y(), 1, n);
    Value atX = cos.times(placeX).minus(sin.times(placeY)).times(2.0 / Math.max(1, width - 1));
    Value atY = sin.times(placeX).plus(cos.times(placeY)).times(2.0 / Math.max(1, height - 1));
    Value grid =
        graph.concat(2, atX.reshape(-1, n, 1), atY.reshape(-1, n, 1)).reshape(-1, height, width, 2);
    Value u = fill == 0 ? x.value : x.value.plus(-fill);
    Value rotated =
        graph.op(
            "GridSample",
            Graph.FLOAT,
            List.of(u, grid),
            Graph.text("mode", how.interpolation().id()),
            Graph.text("padding_mode", "zeros"),
            Graph.integer("align_corners", 1));
    if (how.mask()) {
      rotated = rotated.times(graph.floats(places.inside(), 1, 1, height, width));
    }
    return new Node(fill == 0 ? rotated : rotated.plus(fill), shape);
  }

  @Override
  public Node sample(Node x, Node places, Interpolation how) {
    Shape shape = shapes.sample(x.shape, places.shape, how);
    int height = shape.axes()[1];
    int width = shape.axes()[2];
    int[] from = x.shape.axes();
    float[] unit = {2f / Math.max(1, from[2] - 1), 2f / Math.max(1, from[1] - 1)};
    Value grid = places.value.times(graph.floats(unit, 2));
    if (!places.shape.batched()) {
      // One for each image: a number of each of them, made zero, brings the batch along.
      Value zero = x.value.reshape(-1, x.shape.count()).reduce("ReduceMax", 1).times(0);
      grid = grid.reshape(1, height, width, 2).plus(zero.reshape(-1, 1, 1, 1));
    }
    return op(
        "GridSample",
        List.of(x.value, grid),
        shape,
        Graph.text("mode", how.id()),
        Graph.text("padding_mode", "zeros"),
        Graph.integer("align_corners", 1));
  }

  @Override
  public Node select(Node x, int axis, int[] index) {
    long[] places = Arrays.stream(index).asLongStream().toArray();
    Shape shape = shapes.select(x.shape, axis, index);
    int at = shape.batched() ? axis + 1 : axis;
    return new Node(x.value.gather(at, graph.longs(places, places.length)), shape);
  }

  @Override
  public Node farthest(Node x, int count) {
    Shape shape = shapes.farthest(x.shape, count);
    Value last = x.value.reduce("ReduceMean", 1);
    Value numbers = graph.iota(x.shape.axes()[0]);
    Value nearest = null;
    Value[] chosen = new Value[count];
    for (int k = 0; k < count; k++) {
      Value squares = distances(x.value, last);
      nearest = k < 2 ? squares : graph.op("Min", Graph.FLOAT, List.of(nearest, squares));
      Value far = nearest.argmax(1).reshape(-1, 1, 1);
      Value one = graph.op("Equal", Graph.BOOL, List.of(far, numbers)).cast(Graph.FLOAT);
      last = one.matmul(x.value); // exact: all other products are 0
      chosen[k] = last;
    }
    return new Node(graph.concat(1, chosen), shape);
  }

  /** |x_i - p|² of each point i and one point p of each cloud. */
  private static Value distances(Value x, Value p) {
    Value difference = x.minus(p);
    return difference.times(difference).reduce("ReduceSum", 2).reshape(0, -1);
  }

  @Override
  public Node logSoftmax(Node x) {
    return op(
        "LogSoftmax", List.of(x.value), x.shape, Graph.integer("axis", x.shape.axes().length));
  }

  @Override
  public Node uniform(Node x, long seed, int... axes) {
    Shape shape = new Shape(axes.clone(), false);
    FloatTensor drawn = FloatTensor.uniform(new SplittableRandom(seed), lengths(shape));
    return new Node(graph.floats(drawn.values(), drawn.shape()), shape);
  }

  @Override
  public Node softmax(Node x) {
    return new Node(x.value.softmax(x.shape.axes().length), x.shape);
  }

  @Override
  public Node constant(float[] values, int... axes) {
    Shape shape = shapes.constant(values, axes);
    return new Node(graph.floats(values, lengths(shape)), shape);
  }

  @Override
  public Node parameter(String name, Initial initial, int... axes) {
    return new Node(weight(name), shapes.parameter(name, initial, axes));
  }

  @Override
  public Node standardised(Node kernel, Node gain, double epsilon) {
    Shape shape = shapes.standardised(kernel.shape, gain.shape, epsilon);
    int out = shape.axes()[0];
    Value rows = kernel.value.reshape(out, -1);
    Value centred = rows.minus(rows.reduce("ReduceMean", 1));
    Value variance = centred.times(centred).reduce("ReduceMean", 1);
    Value factor = gain.value.reshape(out, 1).over(variance.plus(epsilon).sqrt());
    return reshaped(centred.times(factor), shape);
  }

  @Override
  public Node shared(String name, Initial initial, int count, int[] index, int... axes) {
    Shape shape = shapes.shared(name, initial, count, index, axes);
    float[] numbers = given(name).values();
    float[] spread = new float[index.length];
    for (int i = 0; i < index.length; i++) {
      spread[i] = numbers[index[i]];
    }
    // Spread out once, so that the graph has ordinary weights.
    return new Node(initialiser(name, new FloatTensor(lengths(shape), spread)), shape);
  }

  @Override
  public Node derived(String name, Derivation how) {
    // Computed here, so that the graph has ordinary weights.
    Batch known = arrays.derived(name, how);
    long[] axes = lengths(known.shape());
    return new Node(initialiser(name, new FloatTensor(axes, known.values())), known.shape());
  }

  @Override
  public void penalty(Node x) {
    // Only training has a loss.
  }
}
