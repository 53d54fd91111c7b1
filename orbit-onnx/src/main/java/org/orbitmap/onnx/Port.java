package org.orbitmap.onnx;

import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.TensorShapeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
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

  static List<Size> sizes(long... lengths) {
    return Arrays.stream(lengths).mapToObj(n -> new Size(n, "")).toList();
  }

  /**
   * The output of class scores, if there is one.
   *
   * @param name which; null for the first with two axes that can be it, else the first that can
   * @throws IllegalArgumentException if there is none of this name
   */
  static Optional<Port> scores(List<Port> outputs, String name) {
    if (name != null && outputs.stream().noneMatch(p -> p.name().equals(name))) {
      throw new IllegalArgumentException(
          "scores: expected one of the outputs %s, found \"%s\""
              .formatted(outputs.stream().map(Port::name).toList(), name));
    }
    List<Port> able =
        outputs.stream()
            .filter(p -> (name == null || p.name().equals(name)) && p.scores())
            .toList();
    return able.stream().filter(p -> p.rank() == 2).findFirst().or(() -> able.stream().findFirst());
  }

  int rank() {
    return shape.size();
  }

  /** The length of an axis, or -1 where it is free. */
  int length(int axis) {
    long length = shape.get(axis).value();
    if (length > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "%s: expected axes of at most %d, found %s".formatted(name, Integer.MAX_VALUE, this));
    }
    return (int) length;
  }

  /** Whether the elements are real numbers. */
  boolean real() {
    return Set.of("float", "float16", "bfloat16", "double").contains(type);
  }

  /**
   * Whether this can be rows of class scores: real numbers, two or more for each input. One row
   * without an axis for the batch is enough, and so is an unknown shape.
   */
  boolean scores() {
    return real()
        && switch (rank()) {
          case 0 -> true;
          case 1 -> length(0) > 1;
          default -> shape.stream().skip(1).anyMatch(s -> s.value() != 1);
        };
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
