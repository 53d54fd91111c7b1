package org.orbitmap.app.soak;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.FunctionProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import ai.onnx.proto.OnnxMl.SparseTensorProto;
import ai.onnx.proto.OnnxMl.StringStringEntryProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.TrainingInfoProto;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.orbitmap.onnx.graph.Graph;

/** Small models of images that mean harm, by name. Each gives scores y = f(x) for x: 1 x 8 x 8. */
public final class HostileModels {
  private static final int OPSET = 18;

  private HostileModels() {}

  /** One of each kind. */
  public static Map<String, byte[]> all() {
    Map<String, byte[]> all = new LinkedHashMap<>();
    all.put("endless loop", endlessLoop());
    all.put("endless loop when opened", endlessConstant());
    all.put("16 GB", gigabytes(4_000_000_000L));
    all.put("4 TB", gigabytes(1_000_000_000_000L));
    all.put("16 GB asked for by the input", expanding());
    all.put("many large products", products());
    all.put("huge input", flatten("N", 3, 20_000, 20_000));
    all.put("huge batch", flatten(1_000_000_000, 3, 8, 8));
    all.put("huge number of channels", flatten("N", 100_000_000, 2, 2));
    all.put("deep nesting", nested(40));
    all.put("deeper nesting than is read", nested(120));
    all.put("operator of its own", custom());
    all.put("100,000 nodes", nodes(100_000));
    all.put("500,000 empty nodes", emptyNodes(500_000));
    TensorProto file = external("/etc/passwd");
    all.put("file in an initialiser", with(flattened().addInitializer(file)));
    all.put(
        "file in a sparse initialiser",
        with(
            flattened()
                .addSparseInitializer(
                    SparseTensorProto.newBuilder().setValues(file).setIndices(file))));
    all.put("file in an attribute", with(flattened().addNode(constant(file))));
    all.put(
        "file in a graph inside",
        with(
            flattened()
                .addNode(
                    node("If", "z", "yes")
                        .addAttribute(
                            graph("then_branch", GraphProto.newBuilder().addInitializer(file))))
                .addInitializer(yes())));
    all.put("file in a function", function(file));
    all.put(
        "file in training",
        model(flattened())
            .addTrainingInfo(
                TrainingInfoProto.newBuilder()
                    .setInitialization(GraphProto.newBuilder().addInitializer(file)))
            .build()
            .toByteArray());
    all.put(
        "memory in place of a file",
        with(flattened().addInitializer(external("*/_ORT_MEM_ADDR_/*"))));
    return all;
  }

  /** One that means no harm. */
  public static byte[] harmless() {
    return flatten("N", 1, 8, 8);
  }

  private static ModelProto.Builder model(GraphProto.Builder graph) {
    return ModelProto.newBuilder()
        .setIrVersion(8)
        .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(OPSET))
        .setGraph(graph);
  }

  private static byte[] with(GraphProto.Builder graph) {
    return model(graph).build().toByteArray();
  }

  private static NodeProto.Builder node(String op, String output, String... inputs) {
    return NodeProto.newBuilder().setOpType(op).addOutput(output).addAllInput(List.of(inputs));
  }

  private static GraphProto.Builder graphOf(Object... shape) {
    return GraphProto.newBuilder()
        .setName("hostile")
        .addInput(Graph.info("x", Graph.tensorType(Graph.FLOAT, List.of(shape))))
        .addOutput(Graph.info("y", Graph.tensorType(Graph.FLOAT, List.of("N", "C"))));
  }

  private static GraphProto.Builder flattened() {
    return graphOf("N", 1, 8, 8).addNode(node("Flatten", "y", "x"));
  }

  private static byte[] flatten(Object... shape) {
    return with(graphOf(shape).addNode(node("Flatten", "y", "x")));
  }

  /** The scores are the pixels and a number that takes forever, or all memory, to compute. */
  private static GraphProto.Builder plus() {
    return graphOf("N", 1, 8, 8).addNode(node("Flatten", "pixels", "x")).addInitializer(yes());
  }

  private static TensorProto yes() {
    return TensorProto.newBuilder().setName("yes").setDataType(Graph.BOOL).addInt32Data(1).build();
  }

  private static TensorProto longs(String name, long... values) {
    TensorProto.Builder t = TensorProto.newBuilder().setName(name).setDataType(Graph.INT64);
    t.addDims(values.length);
    for (long v : values) {
      t.addInt64Data(v);
    }
    return t.build();
  }

  private static AttributeProto graph(String name, GraphProto.Builder body) {
    return AttributeProto.newBuilder()
        .setName(name)
        .setType(AttributeProto.AttributeType.GRAPH)
        .setG(body.setName(name))
        .build();
  }

  private static NodeProto loop(String from) {
    GraphProto.Builder body =
        GraphProto.newBuilder()
            .addInput(Graph.info("i", Graph.tensorType(Graph.INT64, List.of())))
            .addInput(Graph.info("on", Graph.tensorType(Graph.BOOL, List.of())))
            .addInput(Graph.info("v", Graph.tensorType(Graph.FLOAT, List.of(1))))
            .addNode(node("Identity", "onAgain", "on"))
            .addNode(node("Neg", "w", "v"))
            .addOutput(Graph.info("onAgain", Graph.tensorType(Graph.BOOL, List.of())))
            .addOutput(Graph.info("w", Graph.tensorType(Graph.FLOAT, List.of(1))));
    return node("Loop", "never", "", "yes", from).addAttribute(graph("body", body)).build();
  }

  private static TensorProto one() {
    return TensorProto.newBuilder()
        .setName("one")
        .setDataType(Graph.FLOAT)
        .addDims(1)
        .addFloatData(1)
        .build();
  }

  /** Runs forever on every input. */
  public static byte[] endlessLoop() {
    return with(
        plus()
            .addInitializer(longs("all", -1))
            .addNode(node("ReduceSum", "sum", "x"))
            .addNode(node("Reshape", "start", "sum", "all"))
            .addNode(loop("start"))
            .addNode(node("Add", "y", "pixels", "never")));
  }

  /** Runs forever on constants, which a runtime may do when it opens the model. */
  public static byte[] endlessConstant() {
    return with(
        plus()
            .addInitializer(one())
            .addNode(loop("one"))
            .addNode(node("Add", "y", "pixels", "never")));
  }

  /** Fills so many floats and adds them up. */
  public static byte[] gigabytes(long floats) {
    return with(
        plus()
            .addInitializer(longs("size", floats))
            .addNode(node("ConstantOfShape", "zeros", "size"))
            .addNode(node("ReduceSum", "sum", "zeros"))
            .addNode(node("Add", "y", "pixels", "sum")));
  }

  /** The same, but for each input, so that nothing can be computed before. */
  private static byte[] expanding() {
    return with(
        plus()
            .addInitializer(longs("size", 62_500_000L, 1))
            .addInitializer(longs("row", 1, -1))
            .addNode(node("Reshape", "flat", "x", "row"))
            .addNode(node("Expand", "wide", "flat", "size"))
            .addNode(node("Exp", "other", "wide"))
            .addNode(node("ReduceSum", "sum", "other"))
            .addNode(node("Add", "y", "pixels", "sum")));
  }

  /** A few kilobytes that take hours. */
  private static byte[] products() {
    GraphProto.Builder graph =
        plus()
            .addInitializer(longs("square", 3000, 3000))
            .addInitializer(longs("row", 1, -1))
            .addNode(node("ReduceSum", "sum", "x"))
            .addNode(node("Expand", "m0", "sum", "square"));
    for (int i = 0; i < 200; i++) {
      graph.addNode(node("MatMul", "m" + (i + 1), "m" + i, "m" + i));
    }
    return with(
        graph
            .addNode(node("ReduceMax", "most", "m200"))
            .addNode(node("Add", "y", "pixels", "most")));
  }

  private static byte[] nested(int depth) {
    GraphProto.Builder inner =
        GraphProto.newBuilder()
            .addNode(node("Flatten", "r0", "x"))
            .addOutput(Graph.info("r0", Graph.tensorType(Graph.FLOAT, List.of("N", "C"))));
    for (int i = 1; i < depth; i++) {
      inner =
          GraphProto.newBuilder()
              .addNode(
                  node("If", "r" + i, "yes")
                      .addAttribute(graph("then_branch", inner))
                      .addAttribute(graph("else_branch", inner)))
              .addOutput(Graph.info("r" + i, Graph.tensorType(Graph.FLOAT, List.of("N", "C"))));
      if (i > 8) { // both branches would double its size each time
        inner.getNodeBuilder(0).removeAttribute(1);
      }
    }
    return with(plus().addNode(node("If", "y", "yes").addAttribute(graph("then_branch", inner))));
  }

  private static byte[] custom() {
    return model(plus().addNode(node("Own", "y", "pixels").setDomain("com.example")))
        .addOpsetImport(OperatorSetIdProto.newBuilder().setDomain("com.example").setVersion(1))
        .build()
        .toByteArray();
  }

  private static byte[] nodes(int count) {
    GraphProto.Builder graph = plus().addNode(node("Identity", "n0", "pixels"));
    for (int i = 1; i < count; i++) {
      graph.addNode(node("Neg", "n" + i, "n" + (i - 1)));
    }
    return with(graph.addNode(node("Identity", "y", "n" + (count - 1))));
  }

  private static byte[] emptyNodes(int count) {
    GraphProto.Builder graph = flattened();
    for (int i = 0; i < count; i++) {
      graph.addNode(NodeProto.getDefaultInstance());
    }
    return with(graph);
  }

  private static TensorProto external(String location) {
    return TensorProto.newBuilder()
        .setName("file")
        .setDataType(TensorProto.DataType.UINT8_VALUE)
        .addDims(64)
        .setDataLocation(TensorProto.DataLocation.EXTERNAL)
        .addExternalData(StringStringEntryProto.newBuilder().setKey("location").setValue(location))
        .build();
  }

  private static NodeProto constant(TensorProto value) {
    return node("Constant", "c")
        .addAttribute(
            AttributeProto.newBuilder()
                .setName("value")
                .setType(AttributeProto.AttributeType.TENSOR)
                .setT(value))
        .build();
  }

  private static byte[] function(TensorProto file) {
    OperatorSetIdProto standard = OperatorSetIdProto.newBuilder().setVersion(OPSET).build();
    FunctionProto function =
        FunctionProto.newBuilder()
            .setName("Read")
            .setDomain("own")
            .addOpsetImport(standard)
            .addInput("a")
            .addOutput("b")
            .addNode(constant(file))
            .addNode(
                node("Cast", "f", "c")
                    .addAttribute(
                        AttributeProto.newBuilder()
                            .setName("to")
                            .setType(AttributeProto.AttributeType.INT)
                            .setI(Graph.FLOAT)))
            .addNode(node("Add", "b", "a", "f"))
            .build();
    return model(plus().addNode(node("Read", "y", "pixels").setDomain("own")))
        .addOpsetImport(OperatorSetIdProto.newBuilder().setDomain("own").setVersion(1))
        .addFunctions(function)
        .build()
        .toByteArray();
  }
}
