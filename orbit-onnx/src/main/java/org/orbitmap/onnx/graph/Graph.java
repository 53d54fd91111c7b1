package org.orbitmap.onnx.graph;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.TypeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Writes a computation as nodes of an ONNX graph: standard operators of one opset (7 or newer) and
 * nothing else.
 *
 * <p>Operators changed their form over the opsets (axes moved from attributes to inputs, and so
 * on). The methods here hide that: they emit the form of the graph's opset. Constants are {@code
 * Constant} nodes, which every IR version accepts. Long because it has a method for each operator.
 */
public final class Graph {
  public static final int FLOAT = TensorProto.DataType.FLOAT_VALUE;
  public static final int DOUBLE = TensorProto.DataType.DOUBLE_VALUE;
  public static final int INT64 = TensorProto.DataType.INT64_VALUE;
  public static final int BOOL = TensorProto.DataType.BOOL_VALUE;

  /** The oldest opset whose arithmetic broadcasts. */
  static final int OLDEST = 7;

  private final int opset;
  private final String prefix;
  private final List<NodeProto> nodes = new ArrayList<>();
  private final Map<String, Value> scalars = new HashMap<>();
  private int count;

  /**
   * An empty graph.
   *
   * @param prefix what the names of its values start with
   */
  public Graph(int opset, String prefix) {
    if (opset < OLDEST) {
      throw new IllegalArgumentException(
          "opset: expected %d or newer (arithmetic broadcasts since then), found %d"
              .formatted(OLDEST, opset));
    }
    this.opset = opset;
    this.prefix = prefix;
  }

  public int opset() {
    return opset;
  }

  public List<NodeProto> nodes() {
    return nodes;
  }

  /** A value that some other node or a graph input defines. */
  public Value value(String name, int type) {
    return new Value(this, name, type);
  }

  private String fresh(String hint) {
    return prefix + hint + "_" + count++;
  }

  /** Any operator with one output. */
  public Value op(String type, int resultType, List<Value> inputs, AttributeProto... attributes) {
    String out = fresh(type);
    emit(type, inputs, List.of(out), attributes);
    return value(out, resultType);
  }

  public void emit(
      String type, List<Value> inputs, List<String> outputs, AttributeProto... attributes) {
    NodeProto.Builder node =
        NodeProto.newBuilder()
            .setOpType(type)
            .setName(fresh("node"))
            .addAllOutput(outputs)
            .addAllAttribute(Arrays.asList(attributes));
    inputs.forEach(v -> node.addInput(v == null ? "" : v.name()));
    nodes.add(node.build());
  }

  /** Gives a value the name that the outside knows. */
  public void name(Value v, String name) {
    emit("Identity", List.of(v), List.of(name));
  }

  public Value floats(float[] data, long... dims) {
    ByteBuffer b = ByteBuffer.allocate(data.length * 4).order(ByteOrder.LITTLE_ENDIAN);
    b.asFloatBuffer().put(data);
    return constant(FLOAT, b, dims);
  }

  public Value doubles(double[] data, long... dims) {
    ByteBuffer b = ByteBuffer.allocate(data.length * 8).order(ByteOrder.LITTLE_ENDIAN);
    b.asDoubleBuffer().put(data);
    return constant(DOUBLE, b, dims);
  }

  /** The same numbers as {@link #doubles}, in the given floating-point type. */
  public Value reals(int type, double[] data, long... dims) {
    if (type == DOUBLE) {
      return doubles(data, dims);
    }
    float[] f = new float[data.length];
    for (int i = 0; i < f.length; i++) {
      f[i] = (float) data[i];
    }
    return floats(f, dims);
  }

  /** Whole numbers; constants had to be real before opset 9. */
  public Value longs(long[] data, long... dims) {
    if (opset < 9) {
      return doubles(Arrays.stream(data).asDoubleStream().toArray(), dims).cast(INT64);
    }
    ByteBuffer b = ByteBuffer.allocate(data.length * 8).order(ByteOrder.LITTLE_ENDIAN);
    b.asLongBuffer().put(data);
    return constant(INT64, b, dims);
  }

  private Value constant(int type, ByteBuffer data, long... dims) {
    TensorProto.Builder t =
        TensorProto.newBuilder().setDataType(type).setRawData(ByteString.copyFrom(data));
    Arrays.stream(dims).forEach(t::addDims);
    return op("Constant", type, List.of(), tensor("value", t.build()));
  }

  /** A number of the given type that broadcasts against everything. */
  public Value scalar(int type, double x) {
    return scalars.computeIfAbsent(
        type + ":" + x,
        k -> type == INT64 ? longs(new long[] {(long) x}) : reals(type, new double[] {x}));
  }

  public Value concat(int axis, Value... parts) {
    return op("Concat", parts[0].type(), List.of(parts), integer("axis", axis));
  }

  /** 0, 1, …, n-1 for a number n that is known only when the graph runs (a scalar). */
  public Value iota(Value n) {
    if (opset >= 11) {
      Value zero = scalar(INT64, 0);
      return op("Range", INT64, List.of(zero, n, scalar(INT64, 1)));
    }
    if (opset >= 9) {
      Value ones = op("ConstantOfShape", FLOAT, List.of(n.reshape(1)), tensor("value", one()));
      return op("NonZero", INT64, List.of(ones)).reshape(-1);
    }
    return loop(n, i -> List.of(i), List.of(tensorType(INT64, List.of()))).get(0);
  }

  private static TensorProto one() {
    return TensorProto.newBuilder().setDataType(FLOAT).addDims(1).addFloatData(1).build();
  }

  /** 0, 1, …, n-1. */
  public Value iota(int n) {
    return longs(LongStream.range(0, n).toArray(), n);
  }

  /** What a loop computes in its i-th turn. */
  public interface Body {
    List<Value> turn(Value i);
  }

  /**
   * Runs a body n times and stacks what each turn gives along a new first axis. Nodes that the body
   * emits end up inside the loop; it may use values from outside.
   *
   * @param types the types of what one turn gives
   */
  public List<Value> loop(Value n, Body body, List<TypeProto> types) {
    String i = fresh("turn");
    String go = fresh("go");
    String carried = fresh("carried"); // loops had to carry something before opset 11
    Value nothing = scalar(INT64, 0);
    int outer = nodes.size();
    Map<String, Value> before = new HashMap<>(scalars);
    GraphProto.Builder inner =
        GraphProto.newBuilder()
            .setName(fresh("loop"))
            .addInput(info(i, tensorType(INT64, List.of())))
            .addInput(info(go, tensorType(BOOL, List.of())))
            .addInput(info(carried, tensorType(INT64, List.of())));
    List<Value> turn = body.turn(value(i, INT64));
    Value again = op("Identity", BOOL, List.of(value(go, BOOL)));
    inner.addOutput(info(again.name(), tensorType(BOOL, List.of())));
    Value kept = op("Identity", INT64, List.of(value(carried, INT64)));
    inner.addOutput(info(kept.name(), tensorType(INT64, List.of())));
    List<Value> results = new ArrayList<>();
    for (int k = 0; k < turn.size(); k++) {
      Value out = op("Identity", turn.get(k).type(), List.of(turn.get(k)));
      inner.addOutput(info(out.name(), types.get(k)));
      results.add(value(fresh("stack"), out.type()));
    }
    List<NodeProto> emitted = nodes.subList(outer, nodes.size());
    inner.addAllNode(emitted);
    emitted.clear();
    scalars.clear();
    scalars.putAll(before);
    emit(
        "Loop",
        Arrays.asList(n, null, nothing),
        Stream.concat(Stream.of(fresh("end")), results.stream().map(Value::name)).toList(),
        graph("body", inner.build()));
    return results;
  }

  public static ValueInfoProto info(String name, TypeProto type) {
    return ValueInfoProto.newBuilder().setName(name).setType(type).build();
  }

  public static TypeProto tensorType(int type, List<? extends Object> dims) {
    TypeProto.Tensor.Builder t = TypeProto.Tensor.newBuilder().setElemType(type);
    t.getShapeBuilder();
    for (Object d : dims) {
      if (d instanceof Number n) {
        t.getShapeBuilder().addDimBuilder().setDimValue(n.longValue());
      } else {
        t.getShapeBuilder().addDimBuilder().setDimParam(d.toString());
      }
    }
    return TypeProto.newBuilder().setTensorType(t).build();
  }

  public static AttributeProto integer(String name, long i) {
    return AttributeProto.newBuilder()
        .setName(name)
        .setType(AttributeProto.AttributeType.INT)
        .setI(i)
        .build();
  }

  public static AttributeProto integers(String name, long... is) {
    AttributeProto.Builder a =
        AttributeProto.newBuilder().setName(name).setType(AttributeProto.AttributeType.INTS);
    Arrays.stream(is).forEach(a::addInts);
    return a.build();
  }

  public static AttributeProto real(String name, double f) {
    return AttributeProto.newBuilder()
        .setName(name)
        .setType(AttributeProto.AttributeType.FLOAT)
        .setF((float) f)
        .build();
  }

  public static AttributeProto text(String name, String s) {
    return AttributeProto.newBuilder()
        .setName(name)
        .setType(AttributeProto.AttributeType.STRING)
        .setS(ByteString.copyFromUtf8(s))
        .build();
  }

  public static AttributeProto graph(String name, GraphProto g) {
    return AttributeProto.newBuilder()
        .setName(name)
        .setType(AttributeProto.AttributeType.GRAPH)
        .setG(g)
        .build();
  }

  static AttributeProto tensor(String name, TensorProto t) {
    return AttributeProto.newBuilder()
        .setName(name)
        .setType(AttributeProto.AttributeType.TENSOR)
        .setT(t)
        .build();
  }

  /**
   * A tensor in the graph, with the arithmetic that the mappings need.
   *
   * @param type the element type's number in the ONNX format
   */
  public record Value(Graph graph, String name, int type) {
    private Value with(String op, Value other) {
      return graph.op(op, type, List.of(this, other));
    }

    private Value with(String op) {
      return graph.op(op, type, List.of(this));
    }

    public Value plus(Value o) {
      return with("Add", o);
    }

    public Value plus(double x) {
      return x == 0 ? this : plus(graph.scalar(type, x));
    }

    public Value minus(Value o) {
      return with("Sub", o);
    }

    public Value times(Value o) {
      return with("Mul", o);
    }

    public Value times(double x) {
      return x == 1 ? this : times(graph.scalar(type, x));
    }

    public Value over(Value o) {
      return with("Div", o);
    }

    public Value matmul(Value o) {
      return with("MatMul", o);
    }

    public Value sqrt() {
      return with("Sqrt");
    }

    public Value exp() {
      return with("Exp");
    }

    public Value log() {
      return with("Log");
    }

    public Value abs() {
      return with("Abs");
    }

    public Value negate() {
      return with("Neg");
    }

    public Value floor() {
      return with("Floor");
    }

    public Value shape() {
      return graph.op("Shape", INT64, List.of(this));
    }

    public Value cast(int to) {
      return to == type ? this : graph.op("Cast", to, List.of(this), integer("to", to));
    }

    /** 1 where this is greater than the other, else 0, in this type. */
    public Value above(Value o) {
      return graph.op("Greater", BOOL, List.of(this, o)).cast(type);
    }

    /** 0 keeps a dimension, -1 is what remains. */
    public Value reshape(long... dims) {
      return reshape(graph.longs(dims, dims.length));
    }

    public Value reshape(Value shape) {
      return with("Reshape", shape);
    }

    public Value transpose(long... order) {
      boolean same = IntStream.range(0, order.length).allMatch(i -> order[i] == i);
      return same ? this : graph.op("Transpose", type, List.of(this), integers("perm", order));
    }

    public Value gather(int axis, Value index) {
      return graph.op("Gather", type, List.of(this, index), integer("axis", axis));
    }

    /** The i-th slice along an axis, which goes away. */
    public Value pick(int axis, long i) {
      return gather(axis, graph.longs(new long[] {i}));
    }

    /** The i-th slice along an axis, which stays with length 1. */
    public Value slice(int axis, long i) {
      return gather(axis, graph.longs(new long[] {i}, 1));
    }

    /** Float values brought into [lo, hi]. */
    public Value clip(double lo, double hi) {
      return graph.opset >= 11
          ? graph.op("Clip", type, List.of(this, graph.scalar(type, lo), graph.scalar(type, hi)))
          : graph.op("Clip", type, List.of(this), real("min", lo), real("max", hi));
    }

    /** Zeros around: the counts before each axis, then after each axis. */
    public Value pad(long... counts) {
      if (Arrays.stream(counts).allMatch(c -> c == 0)) {
        return this;
      }
      return graph.opset >= 11
          ? graph.op("Pad", type, List.of(this, graph.longs(counts, counts.length)))
          : graph.op("Pad", type, List.of(this), integers("pads", counts));
    }

    /** ReduceSum, ReduceMean or ReduceMax along one axis, which stays with length 1. */
    public Value reduce(String op, int axis) {
      int moved = op.equals("ReduceSum") ? 13 : 18;
      return graph.opset >= moved
          ? graph.op(op, type, List.of(this, graph.longs(new long[] {axis}, 1)))
          : graph.op(op, type, List.of(this), integers("axes", axis));
    }

    /** Along one axis; those after it have length 1. */
    public Value softmax(int axis) {
      return graph.op("Softmax", type, List.of(this), integer("axis", axis));
    }

    /** 1/(1 + exp(-x)). */
    public Value sigmoid() {
      return with("Sigmoid");
    }

    /** The position of the largest along an axis, which goes away; the first one among equals. */
    public Value argmax(int axis) {
      return graph.op(
          "ArgMax", INT64, List.of(this), integer("axis", axis), integer("keepdims", 0));
    }
  }
}
