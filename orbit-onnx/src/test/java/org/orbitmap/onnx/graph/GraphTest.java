package org.orbitmap.onnx.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.TypeProto;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.orbitmap.model.TensorSpec;

/** The nodes that are written, in the form of each opset. */
class GraphTest {
  private static NodeProto last(Graph g) {
    return g.nodes().get(g.nodes().size() - 1);
  }

  private static AttributeProto attribute(NodeProto node, String name) {
    return node.getAttributeList().stream()
        .filter(a -> a.getName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** The node that gives a value. */
  private static NodeProto source(Graph g, String name) {
    return g.nodes().stream()
        .filter(n -> n.getOutputList().contains(name))
        .findFirst()
        .orElseThrow();
  }

  private static ByteBuffer data(TensorProto t) {
    return t.getRawData().asReadOnlyByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
  }

  private static long[] constant(Graph g, String name) {
    TensorProto t = attribute(source(g, name), "value").getT();
    assertThat(t.getDataType()).isEqualTo(Graph.INT64);
    ByteBuffer b = data(t);
    long[] values = new long[b.remaining() / 8];
    b.asLongBuffer().get(values);
    return values;
  }

  @Test
  void constantsHoldTheirNumbers() {
    Graph g = new Graph(13, "orbit/");
    Graph.Value f = g.floats(new float[] {1, -2}, 2, 1);
    TensorProto t = attribute(last(g), "value").getT();
    assertThat(last(g).getOpType()).isEqualTo("Constant");
    assertThat(f.type()).isEqualTo(Graph.FLOAT);
    assertThat(f.name()).startsWith("orbit/Constant_");
    assertThat(t.getDimsList()).containsExactly(2L, 1L);
    assertThat(data(t).getFloat(4)).isEqualTo(-2);
    Graph.Value d = g.reals(Graph.DOUBLE, new double[] {0.1}, 1);
    assertThat(d.type()).isEqualTo(Graph.DOUBLE);
    assertThat(data(attribute(last(g), "value").getT()).getDouble(0)).isEqualTo(0.1);
    Graph.Value r = g.reals(Graph.FLOAT, new double[] {0.1, 0.2}, 2);
    assertThat(r.type()).isEqualTo(Graph.FLOAT);
    assertThat(data(attribute(last(g), "value").getT()).getFloat(4)).isEqualTo(0.2f);
    assertThat(constant(g, g.longs(new long[] {7, -1}, 2).name())).containsExactly(7, -1);
    assertThat(constant(g, g.iota(3).name())).containsExactly(0, 1, 2);
    Graph.Value three = g.scalar(Graph.FLOAT, 3);
    assertThat(g.scalar(Graph.FLOAT, 3)).isEqualTo(three);
    assertThat(g.scalar(Graph.DOUBLE, 3)).isNotEqualTo(three);
    assertThat(constant(g, g.scalar(Graph.INT64, 5).name())).containsExactly(5);
    assertThat(g.opset()).isEqualTo(13);
    assertThatThrownBy(() -> new Graph(6, "")).hasMessageContaining("7 or newer");
    assertThat(new Graph(7, "").opset()).isEqualTo(7);
  }

  /** Whole numbers were no constants before opset 9. */
  @Test
  void wholeNumbersOfOld() {
    Graph g = new Graph(8, "");
    Graph.Value v = g.longs(new long[] {3}, 1);
    assertThat(v.type()).isEqualTo(Graph.INT64);
    assertThat(last(g).getOpType()).isEqualTo("Cast");
    assertThat(attribute(last(g), "to").getI()).isEqualTo(Graph.INT64);
    Graph nine = new Graph(9, "");
    nine.longs(new long[] {3}, 1);
    assertThat(last(nine).getOpType()).isEqualTo("Constant");
  }

  /** Operators of two values and of one keep their type and their order. */
  @Test
  void arithmetic() {
    Graph g = new Graph(13, "");
    Graph.Value a = g.value("a", Graph.FLOAT);
    Graph.Value b = g.value("b", Graph.FLOAT);
    List<Graph.Value> two = List.of(a.plus(b), a.minus(b), a.times(b), a.over(b), a.matmul(b));
    List<String> names = List.of("Add", "Sub", "Mul", "Div", "MatMul");
    for (int i = 0; i < two.size(); i++) {
      NodeProto node = source(g, two.get(i).name());
      assertThat(node.getOpType()).isEqualTo(names.get(i));
      assertThat(node.getInputList()).containsExactly("a", "b");
      assertThat(two.get(i).type()).isEqualTo(Graph.FLOAT);
    }
    List<Graph.Value> one =
        List.of(a.sqrt(), a.exp(), a.log(), a.abs(), a.negate(), a.floor(), a.sigmoid());
    List<String> of = List.of("Sqrt", "Exp", "Log", "Abs", "Neg", "Floor", "Sigmoid");
    for (int i = 0; i < one.size(); i++) {
      NodeProto node = source(g, one.get(i).name());
      assertThat(node.getOpType()).isEqualTo(of.get(i));
      assertThat(node.getInputList()).containsExactly("a");
    }
    assertThat(a.plus(0)).isSameAs(a);
    assertThat(a.times(1)).isSameAs(a);
    assertThat(source(g, a.plus(2).name()).getOpType()).isEqualTo("Add");
    assertThat(source(g, a.times(2).name()).getOpType()).isEqualTo("Mul");
    assertThat(a.cast(Graph.FLOAT)).isSameAs(a);
    assertThat(a.cast(Graph.DOUBLE).type()).isEqualTo(Graph.DOUBLE);
    assertThat(a.shape().type()).isEqualTo(Graph.INT64);
    Graph.Value above = a.above(b);
    assertThat(above.type()).isEqualTo(Graph.FLOAT);
    assertThat(source(g, source(g, above.name()).getInput(0)).getOpType()).isEqualTo("Greater");
    g.name(a, "out");
    assertThat(last(g).getOpType()).isEqualTo("Identity");
    assertThat(last(g).getOutputList()).containsExactly("out");
    assertThat(g.nodes().stream().map(NodeProto::getName).distinct().count())
        .isEqualTo(g.nodes().size());
  }

  @Test
  void axes() {
    Graph g = new Graph(13, "");
    Graph.Value a = g.value("a", Graph.FLOAT);
    NodeProto reshape = source(g, a.reshape(0, -1).name());
    assertThat(reshape.getOpType()).isEqualTo("Reshape");
    assertThat(constant(g, reshape.getInput(1))).containsExactly(0, -1);
    assertThat(a.transpose(0, 1, 2)).isSameAs(a);
    assertThat(attribute(source(g, a.transpose(0, 2, 1).name()), "perm").getIntsList())
        .containsExactly(0L, 2L, 1L);
    NodeProto pick = source(g, a.pick(2, 5).name());
    assertThat(pick.getOpType()).isEqualTo("Gather");
    assertThat(attribute(pick, "axis").getI()).isEqualTo(2);
    assertThat(constant(g, pick.getInput(1))).containsExactly(5);
    assertThat(attribute(source(g, pick.getInput(1)), "value").getT().getDimsCount()).isZero();
    NodeProto slice = source(g, a.slice(1, 5).name());
    assertThat(attribute(source(g, slice.getInput(1)), "value").getT().getDimsList())
        .containsExactly(1L);
    NodeProto concat = source(g, g.concat(1, a, a).name());
    assertThat(concat.getOpType()).isEqualTo("Concat");
    assertThat(attribute(concat, "axis").getI()).isEqualTo(1);
    NodeProto argmax = source(g, a.argmax(1).name());
    assertThat(attribute(argmax, "axis").getI()).isEqualTo(1);
    assertThat(attribute(argmax, "keepdims").getI()).isZero();
    assertThat(a.argmax(1).type()).isEqualTo(Graph.INT64);
    NodeProto softmax = source(g, a.softmax(1).name());
    assertThat(attribute(softmax, "axis").getI()).isEqualTo(1);
  }

  /** What moved from attributes to inputs, and when. */
  @ParameterizedTest
  @CsvSource({
    "10, false, false, false, false",
    "11, true, true, false, false",
    "12, true, true, false, false",
    "13, true, true, true, false",
    "17, true, true, true, false",
    "18, true, true, true, true"
  })
  void formsOfTheOpsets(int opset, boolean clip, boolean pad, boolean sum, boolean mean) {
    Graph g = new Graph(opset, "");
    Graph.Value a = g.value("a", Graph.FLOAT);
    NodeProto clipped = source(g, a.clip(-1, 2).name());
    assertThat(clipped.getInputCount()).isEqualTo(clip ? 3 : 1);
    if (!clip) {
      assertThat(attribute(clipped, "min").getF()).isEqualTo(-1);
      assertThat(attribute(clipped, "max").getF()).isEqualTo(2);
    }
    assertThat(a.pad(0, 0)).isSameAs(a);
    NodeProto padded = source(g, a.pad(0, 3).name());
    assertThat(padded.getOpType()).isEqualTo("Pad");
    assertThat(padded.getInputCount()).isEqualTo(pad ? 2 : 1);
    if (pad) {
      assertThat(constant(g, padded.getInput(1))).containsExactly(0, 3);
    } else {
      assertThat(attribute(padded, "pads").getIntsList()).containsExactly(0L, 3L);
    }
    NodeProto summed = source(g, a.reduce("ReduceSum", 2).name());
    assertThat(summed.getInputCount()).isEqualTo(sum ? 2 : 1);
    if (sum) {
      assertThat(constant(g, summed.getInput(1))).containsExactly(2);
    } else {
      assertThat(attribute(summed, "axes").getIntsList()).containsExactly(2L);
    }
    assertThat(source(g, a.reduce("ReduceMean", 2).name()).getInputCount()).isEqualTo(mean ? 2 : 1);
  }

  /** 0, 1, …, n-1 by what each opset has for it. */
  @ParameterizedTest
  @CsvSource({"7, Loop", "8, Loop", "9, Reshape", "10, Reshape", "11, Range", "18, Range"})
  void counting(int opset, String operator) {
    Graph g = new Graph(opset, "");
    Graph.Value iota = g.iota(g.value("n", Graph.INT64));
    assertThat(iota.type()).isEqualTo(Graph.INT64);
    assertThat(source(g, iota.name()).getOpType()).isEqualTo(operator);
    if (operator.equals("Range")) {
      NodeProto range = source(g, iota.name());
      assertThat(constant(g, range.getInput(0))).containsExactly(0);
      assertThat(range.getInput(1)).isEqualTo("n");
      assertThat(constant(g, range.getInput(2))).containsExactly(1);
    }
  }

  /** What a body emits stands inside the loop, with the constants that only it uses. */
  @Test
  void loops() {
    Graph g = new Graph(13, "");
    Graph.Value outside = g.scalar(Graph.INT64, 2);
    List<Graph.Value> stacked =
        g.loop(
            g.value("n", Graph.INT64),
            i -> List.of(i.times(outside).plus(7)),
            List.of(Graph.tensorType(Graph.INT64, List.of())));
    assertThat(stacked).hasSize(1);
    NodeProto loop = last(g);
    assertThat(loop.getOpType()).isEqualTo("Loop");
    assertThat(loop.getInput(0)).isEqualTo("n");
    assertThat(loop.getInput(1)).isEmpty();
    assertThat(loop.getOutput(1)).isEqualTo(stacked.get(0).name());
    assertThat(g.nodes().stream().map(NodeProto::getOpType)).containsOnly("Constant", "Loop");
    GraphProto body = attribute(loop, "body").getG();
    assertThat(body.getInputCount()).isEqualTo(3);
    assertThat(body.getOutputCount()).isEqualTo(3);
    assertThat(body.getNodeList().stream().map(NodeProto::getOpType))
        .contains("Mul", "Add", "Constant")
        .filteredOn("Identity"::equals)
        .hasSize(3);
    // the constant of the body is not known outside, that from outside still is
    int before = g.nodes().size();
    assertThat(g.scalar(Graph.INT64, 2)).isEqualTo(outside);
    assertThat(g.nodes()).hasSize(before);
    g.scalar(Graph.INT64, 7);
    assertThat(g.nodes()).hasSize(before + 1);
  }

  @Test
  void attributesAndTypes() {
    assertThat(Graph.integer("a", 7).getI()).isEqualTo(7);
    assertThat(Graph.integer("a", 7).getType()).isEqualTo(AttributeProto.AttributeType.INT);
    assertThat(Graph.integers("a", 7, 8).getIntsList()).containsExactly(7L, 8L);
    assertThat(Graph.real("a", 0.5).getF()).isEqualTo(0.5f);
    assertThat(Graph.text("a", "ü").getS().toStringUtf8()).isEqualTo("ü");
    TypeProto type = Graph.tensorType(Graph.FLOAT, List.of("N", 3, 4L));
    assertThat(type.getTensorType().getElemType()).isEqualTo(Graph.FLOAT);
    assertThat(type.getTensorType().getShape().getDim(0).getDimParam()).isEqualTo("N");
    assertThat(type.getTensorType().getShape().getDim(1).getDimValue()).isEqualTo(3);
    assertThat(Graph.tensorType(Graph.FLOAT, List.of()).getTensorType().hasShape()).isTrue();
    assertThat(Graph.info("x", type).getName()).isEqualTo("x");
  }

  /** A number in place of an input, in each of its types. */
  @ParameterizedTest
  @CsvSource({
    "float, 4",
    "double, 8",
    "float16, 2",
    "int64, 8",
    "int32, 4",
    "uint8, 1",
    "int8, 1",
    "bool, 1"
  })
  void constantsInPlaceOfInputs(String type, int bytes) {
    TensorSpec spec = new TensorSpec("x", type, TensorSpec.sizes(-1, 2));
    NodeProto node = Constants.of(spec, 1);
    TensorProto t = attribute(node, "value").getT();
    assertThat(node.getOutputList()).containsExactly("x");
    assertThat(t.getDimsList()).containsExactly(1L, 2L);
    assertThat(t.getRawData().size()).isEqualTo(2 * bytes);
    ByteBuffer b = data(t);
    double second =
        switch (type) {
          case "float" -> b.getFloat(bytes);
          case "double" -> b.getDouble(bytes);
          case "float16" -> b.getShort(bytes) == 0x3c00 ? 1 : -1;
          case "int64" -> b.getLong(bytes);
          case "int32" -> b.getInt(bytes);
          default -> b.get(bytes);
        };
    assertThat(second).isEqualTo(1);
    TensorProto two = attribute(Constants.of(spec, 0, 1), "value").getT();
    assertThat(data(two).get(0)).isZero();
    assertThat(two.getRawData()).isNotEqualTo(t.getRawData());
    assertThatThrownBy(() -> Constants.of(spec, 1, 2, 3))
        .hasMessageContaining("expected 1 or 2 numbers, found 3");
    assertThatThrownBy(() -> Constants.of(new TensorSpec("x", "string", TensorSpec.sizes(1)), 1))
        .hasMessageContaining("expected an input of numbers");
  }
}
