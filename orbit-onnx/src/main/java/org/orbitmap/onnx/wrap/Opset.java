package org.orbitmap.onnx.wrap;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.orbitmap.onnx.graph.OnnxFile;

/**
 * Raises the opset of a model where that changes the meaning of none of its nodes, so that what is
 * put before them may use newer operators.
 */
final class Opset {
  /** With this one GridSample is a standard operator. */
  static final int GRID_SAMPLE = 16;

  /** The format's version that goes with it. */
  private static final int IR_VERSION = 8;

  /**
   * From which opset on an operator has the form and the meaning that it has in opset 16, by the
   * changes that the standard lists: later versions only took more types, or attributes whose
   * defaults are what was before. What is not here is not raised, such as Split or ReduceSum, which
   * have other inputs before 13. Softmax had another meaning, but not for rows of classes, and the
   * axes of Squeeze become an input.
   */
  private static final Map<Integer, Set<String>> SINCE =
      Map.of(
          7,
          Set.of(
              ("Abs Acos Add And ArgMax ArgMin Asin Atan AveragePool Cast Ceil Concat Constant Conv"
                      + " ConvTranspose Cos DepthToSpace Div Elu Exp Flatten Floor Gather Gemm"
                      + " GlobalAveragePool GlobalMaxPool HardSigmoid Identity InstanceNormalization"
                      + " LRN LeakyRelu Log MatMul MaxPool Mul Neg Not Or PRelu Pow Reciprocal"
                      + " ReduceMax ReduceMean ReduceMin Relu Reshape Selu Shape Sigmoid Sin Softplus"
                      + " Softsign SpaceToDepth Sqrt Sub Tan Tanh Transpose Xor")
                  .split(" ")),
          8,
          Set.of("Expand", "Max", "Mean", "Min", "Sum"),
          9,
          Set.of("BatchNormalization", "ConstantOfShape", "Erf", "Sign", "Where"),
          10,
          Set.of(
              "ConvInteger",
              "DequantizeLinear",
              "MatMulInteger",
              "QLinearConv",
              "QLinearMatMul",
              "QuantizeLinear",
              "Slice"),
          11,
          Set.of("Clip", "DynamicQuantizeLinear", "Pad", "Round"),
          13,
          Set.of("LogSoftmax", "ReduceSum", "Softmax", "Split", "Squeeze", "Unsqueeze"),
          14,
          Set.of("HardSwish"));

  /** Operators whose axes were an attribute before opset 13 and are an input since. */
  private static final Set<String> AXES = Set.of("Squeeze", "Unsqueeze");

  private Opset() {}

  /**
   * The model in opset 16, if all its nodes mean the same there.
   *
   * @return empty if not, or if it is in that opset or a later one already
   */
  static Optional<OnnxFile> raised(OnnxFile file) {
    ModelProto model = file.model();
    int opset = file.opset();
    Set<String> rows = rows(model.getGraph());
    boolean flat = nodes(model.getGraph()).count() == model.getGraph().getNodeCount();
    if (opset >= GRID_SAMPLE
        || model.getFunctionsCount() > 0
        || !nodes(model.getGraph()).allMatch(n -> same(n, opset, rows, flat))) {
      return Optional.empty();
    }
    ModelProto.Builder raised = model.toBuilder();
    raised.setIrVersion(Math.max(IR_VERSION, model.getIrVersion()));
    for (OperatorSetIdProto.Builder set : raised.getOpsetImportBuilderList()) {
      if (standard(set.getDomain())) {
        set.setVersion(GRID_SAMPLE);
      }
    }
    if (opset < 13) {
      axesAsInputs(raised.getGraphBuilder());
    }
    try {
      return Optional.of(OnnxFile.of(file.source(), raised.build()));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void axesAsInputs(GraphProto.Builder graph) {
    Set<String> taken = Surgery.names(graph.build());
    for (NodeProto.Builder node : graph.getNodeBuilderList()) {
      if (AXES.contains(node.getOpType()) && node.getAttributeCount() > 0) {
        String name = node.getOutput(0) + "_axes";
        while (!taken.add(name)) {
          name += "_";
        }
        List<Long> axes = node.getAttribute(0).getIntsList();
        graph.addInitializer(
            TensorProto.newBuilder()
                .setName(name)
                .setDataType(TensorProto.DataType.INT64.getNumber())
                .addDims(axes.size())
                .addAllInt64Data(axes));
        node.clearAttribute().addInput(name);
      }
    }
  }

  private static boolean standard(String domain) {
    return domain.isEmpty() || domain.equals("ai.onnx");
  }

  /**
   * Whether a node means the same in the newer opset; what is not standard has opsets of its own.
   *
   * @param rows values that are known to have two axes
   * @param flat whether there are no subgraphs, so that forms can be changed
   */
  private static boolean same(NodeProto node, int opset, Set<String> rows, boolean flat) {
    if (!standard(node.getDomain())) {
      return true;
    }
    String name = node.getOpType();
    if (name.equals("BatchNormalization") && node.getOutputCount() > 1) {
      return false; // in training it gives others
    }
    if (name.endsWith("Softmax") && rows.containsAll(node.getOutputList())) {
      // All axes from the given one on became this axis alone; the first was the default, now the
      // last is.
      return node.getAttributeList().stream()
          .allMatch(a -> a.getName().equals("axis") && Math.abs(a.getI()) == 1);
    }
    if (AXES.contains(name) && flat) {
      return true;
    }
    return SINCE.entrySet().stream()
        .anyMatch(e -> e.getKey() <= opset && e.getValue().contains(name));
  }

  /** The values that a graph declares with two axes. */
  private static Set<String> rows(GraphProto graph) {
    return Stream.concat(graph.getOutputList().stream(), graph.getValueInfoList().stream())
        .filter(v -> v.getType().getTensorType().getShape().getDimCount() == 2)
        .map(ValueInfoProto::getName)
        .collect(Collectors.toSet());
  }

  /** All nodes, those of subgraphs too. */
  private static Stream<NodeProto> nodes(GraphProto graph) {
    return graph.getNodeList().stream()
        .flatMap(
            node ->
                Stream.concat(
                    Stream.of(node),
                    node.getAttributeList().stream()
                        .flatMap(a -> subgraphs(a).stream())
                        .flatMap(Opset::nodes)));
  }

  private static List<GraphProto> subgraphs(AttributeProto a) {
    return a.hasG() ? List.of(a.getG()) : a.getGraphsList();
  }
}
