package org.orbitmap.onnx.wrap;

import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.orbitmap.onnx.graph.OnnxFile;

/**
 * A model whose convolutions work on bytes, as converters write it: QuantizeLinear and
 * DequantizeLinear around inputs, weights and results, which ONNX Runtime makes integer
 * convolutions of.
 */
final class Quantised {
  /** Activations are read as multiples of this, from -128 to 127 times. */
  private static final float STEP = 1 / 16f;

  private final GraphProto.Builder graph;
  private final Map<String, TensorProto> weights = new HashMap<>();
  private int made;

  private Quantised(GraphProto.Builder graph) {
    this.graph = graph;
    graph.getInitializerList().forEach(t -> weights.put(t.getName(), t));
  }

  /** The model in opset 11 or its own, if that is newer. */
  static OnnxFile of(OnnxFile file) throws IOException {
    ModelProto.Builder model = file.model().toBuilder();
    model
        .getOpsetImportBuilderList()
        .forEach(o -> o.setVersion(o.getDomain().isEmpty() ? Math.max(11, o.getVersion()) : 1));
    Quantised quantised = new Quantised(model.getGraphBuilder());
    List<NodeProto> nodes = model.getGraph().getNodeList();
    quantised.graph.clearNode();
    for (NodeProto node : nodes) {
      if (node.getOpType().equals("Conv") && quantised.weights.containsKey(node.getInput(1))) {
        quantised.convolution(node);
      } else {
        quantised.graph.addNode(node);
      }
    }
    return OnnxFile.of("quantised", model.build());
  }

  private void convolution(NodeProto node) {
    NodeProto.Builder conv = node.toBuilder();
    conv.setInput(0, there(node.getInput(0), fresh()));
    float[] w = floats(weights.get(node.getInput(1)));
    float most = 0;
    for (float v : w) {
      most = Math.max(most, Math.abs(v));
    }
    float unit = Math.max(most, 1e-6f) / 127;
    byte[] bytes = new byte[w.length];
    for (int i = 0; i < w.length; i++) {
      bytes[i] = (byte) Math.round(w[i] / unit);
    }
    TensorProto.Builder own = weights.get(node.getInput(1)).toBuilder().clearFloatData();
    own.setName(fresh()).setDataType(TensorProto.DataType.INT8_VALUE);
    graph.addInitializer(own.setRawData(ByteString.copyFrom(bytes)));
    String zero = constant(TensorProto.DataType.INT8_VALUE, new byte[1]);
    conv.setInput(1, add("DequantizeLinear", fresh(), own.getName(), scale(unit), zero));
    if (node.getInputCount() > 2) {
      float[] b = floats(weights.get(node.getInput(2)));
      ByteBuffer raw = ByteBuffer.allocate(4 * b.length).order(ByteOrder.LITTLE_ENDIAN);
      for (float v : b) {
        raw.putInt(Math.round(v / (unit * STEP)));
      }
      TensorProto.Builder bias = weights.get(node.getInput(2)).toBuilder().clearFloatData();
      bias.setName(fresh()).setDataType(TensorProto.DataType.INT32_VALUE);
      graph.addInitializer(bias.setRawData(ByteString.copyFrom(raw.flip())));
      conv.setInput(2, add("DequantizeLinear", fresh(), bias.getName(), scale(unit * STEP)));
    }
    conv.setOutput(0, fresh());
    graph.addNode(conv);
    there(conv.getOutput(0), node.getOutput(0));
  }

  /** The same numbers as bytes and back. */
  private String there(String from, String to) {
    String zero = constant(TensorProto.DataType.UINT8_VALUE, new byte[] {(byte) 128});
    String bytes = add("QuantizeLinear", fresh(), from, scale(STEP), zero);
    return add("DequantizeLinear", to, bytes, scale(STEP), zero);
  }

  private String add(String type, String output, String... inputs) {
    graph.addNode(
        NodeProto.newBuilder().setOpType(type).addAllInput(List.of(inputs)).addOutput(output));
    return output;
  }

  private String scale(float value) {
    byte[] raw = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putFloat(value).array();
    return constant(TensorProto.DataType.FLOAT_VALUE, raw);
  }

  private String constant(int type, byte[] raw) {
    String name = fresh();
    graph.addInitializer(
        TensorProto.newBuilder()
            .setName(name)
            .setDataType(type)
            .setRawData(ByteString.copyFrom(raw)));
    return name;
  }

  private String fresh() {
    return "quantised/" + made++;
  }

  private static float[] floats(TensorProto t) {
    if (t.getFloatDataCount() > 0) {
      float[] data = new float[t.getFloatDataCount()];
      for (int i = 0; i < data.length; i++) {
        data[i] = t.getFloatData(i);
      }
      return data;
    }
    ByteBuffer raw = t.getRawData().asReadOnlyByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
    float[] data = new float[raw.remaining() / 4];
    raw.asFloatBuffer().get(data);
    return data;
  }
}
