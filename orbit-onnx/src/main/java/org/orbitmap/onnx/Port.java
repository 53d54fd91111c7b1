package org.orbitmap.onnx;

import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.TensorShapeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * An input or an output of a model.
 *
 * @param name the name it is fed or fetched by
 * @param type the element type, such as {@code float}; {@code other} for what is no tensor
 * @param shape one size for each axis; empty for a scalar or an unknown shape
 */
public record Port(String name, String type, List<Size> shape) {
  /**
   * The length of an axis.
   *
   * @param value the length, or -1 where it is free
   * @param symbol the name of a free length; may be empty
   */
  public record Size(long value, String symbol) {
    /** Whether the length is written in the model. */
    public boolean fixed() {
      return value >= 0;
    }

    @Override
    public String toString() {
      return fixed() ? Long.toString(value) : symbol.isEmpty() ? "?" : symbol;
    }
  }

  public Port {
    shape = List.copyOf(shape);
  }

  static Port of(ValueInfoProto v) {
    if (!v.getType().hasTensorType()) {
      return new Port(v.getName(), "other", List.of());
    }
    int type = v.getType().getTensorType().getElemType();
    TensorProto.DataType known = TensorProto.DataType.forNumber(type);
    return new Port(
        v.getName(),
        known == null ? "type " + type : known.name().toLowerCase(Locale.ROOT),
        v.getType().getTensorType().getShape().getDimList().stream().map(Port::size).toList());
  }

  private static Size size(TensorShapeProto.Dimension d) {
    return d.hasDimValue() && d.getDimValue() >= 0
        ? new Size(d.getDimValue(), "")
        : new Size(-1, d.getDimParam());
  }

  int rank() {
    return shape.size();
  }

  /** The length of an axis, or -1 where it is free. */
  int length(int axis) {
    return (int) shape.get(axis).value();
  }

  /** The shape as people write it, such as {@code N x 3 x 32 x 32}. */
  public String shapeText() {
    return shape.isEmpty()
        ? "scalar or unknown shape"
        : shape.stream().map(Size::toString).collect(Collectors.joining(" x "));
  }

  @Override
  public String toString() {
    return "%s: %s %s".formatted(name, type, shapeText());
  }
}
