package org.orbitmap.app;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import ai.onnx.proto.OnnxMl.TensorShapeProto;
import ai.onnx.proto.OnnxMl.TypeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import java.util.List;

/** What small models for tests are made of. */
public final class OnnxParts {
  private OnnxParts() {}

  /** A model of opset 13. */
  public static ModelProto model(GraphProto.Builder graph) {
    return ModelProto.newBuilder()
        .setIrVersion(8)
        .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(13))
        .setGraph(graph)
        .build();
  }

  /** A node without attributes. */
  public static NodeProto node(String op, String output, String... inputs) {
    return NodeProto.newBuilder()
        .setOpType(op)
        .addAllInput(List.of(inputs))
        .addOutput(output)
        .build();
  }

  /** A reduction, such as ReduceMax, over the second axis, which goes. */
  public static NodeProto overPoints(String op, String output, String input) {
    return node(op, output, input).toBuilder()
        .addAttribute(
            AttributeProto.newBuilder()
                .setName("axes")
                .setType(AttributeProto.AttributeType.INTS)
                .addInts(1))
        .addAttribute(
            AttributeProto.newBuilder()
                .setName("keepdims")
                .setType(AttributeProto.AttributeType.INT)
                .setI(0))
        .build();
  }

  /** An input or output of floats; a negative size is free. */
  public static ValueInfoProto tensor(String name, int... sizes) {
    TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
    for (int n : sizes) {
      TensorShapeProto.Dimension.Builder d = TensorShapeProto.Dimension.newBuilder();
      shape.addDim(n < 0 ? d.setDimParam("N") : d.setDimValue(n));
    }
    return ValueInfoProto.newBuilder()
        .setName(name)
        .setType(
            TypeProto.newBuilder()
                .setTensorType(TypeProto.Tensor.newBuilder().setElemType(1).setShape(shape)))
        .build();
  }
}
