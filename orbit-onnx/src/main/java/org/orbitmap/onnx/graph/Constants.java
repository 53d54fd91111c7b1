package org.orbitmap.onnx.graph;

import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnxruntime.platform.Fp16Conversions;
import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Locale;
import org.orbitmap.model.TensorSpec;

/** Constants in place of inputs. */
final class Constants {
  private Constants() {}

  /** A node that gives an input's name, type and shape; see {@link OnnxFile#with}. */
  static NodeProto of(TensorSpec input, double... values) {
    long[] shape = input.shape().stream().mapToLong(d -> Math.max(1, d.value())).toArray();
    int count = Math.toIntExact(Arrays.stream(shape).reduce(1, Math::multiplyExact));
    if (values.length != 1 && values.length != count) {
      throw new IllegalArgumentException(
          "%s: expected 1 or %d numbers, found %d".formatted(input, count, values.length));
    }
    ByteBuffer raw = ByteBuffer.allocate(8 * count).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < count; i++) {
      put(raw, input, values[values.length == 1 ? 0 : i]);
    }
    TensorProto.Builder tensor =
        TensorProto.newBuilder()
            .setDataType(TensorProto.DataType.valueOf(upper(input)).getNumber())
            .setRawData(ByteString.copyFrom(raw.flip()));
    Arrays.stream(shape).forEach(tensor::addDims);
    return NodeProto.newBuilder()
        .setOpType("Constant")
        .setName("constant/" + input.name())
        .addOutput(input.name())
        .addAttribute(Graph.tensor("value", tensor.build()))
        .build();
  }

  private static void put(ByteBuffer raw, TensorSpec input, double v) {
    switch (input.type()) {
      case "float" -> raw.putFloat((float) v);
      case "double" -> raw.putDouble(v);
      case "float16" -> raw.putShort(Fp16Conversions.floatToFp16((float) v));
      case "int64" -> raw.putLong((long) v);
      case "int32" -> raw.putInt((int) v);
      case "uint8", "int8" -> raw.put((byte) (int) v);
      case "bool" -> raw.put((byte) (v == 0 ? 0 : 1));
      default ->
          throw new IllegalArgumentException(
              "expected an input of numbers for a constant, found " + input);
    }
  }

  private static String upper(TensorSpec input) {
    return input.type().toUpperCase(Locale.ROOT);
  }
}
