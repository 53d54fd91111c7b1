package org.orbitmap.model;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
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
public record TensorSpec(String name, String type, List<Dimension> shape) implements Serializable {
  /**
   * The length of an axis.
   *
   * @param value the length, or -1 where it is free
   * @param symbol the name of a free length; may be empty
   */
  public record Dimension(long value, String symbol) implements Serializable {
    /** Whether the length is written in the model. */
    public boolean fixed() {
      return value >= 0;
    }

    @Override
    public String toString() {
      return fixed() ? Long.toString(value) : symbol.isEmpty() ? "?" : symbol;
    }
  }

  public TensorSpec {
    shape = List.copyOf(shape);
  }

  /** Fixed sizes, or -1 for a free one. */
  public static List<Dimension> sizes(long... lengths) {
    return Arrays.stream(lengths).mapToObj(n -> new Dimension(n, "")).toList();
  }

  /**
   * The output of class scores, if there is one.
   *
   * @param name which; null for the first with two axes that can be it, else the first that can
   * @throws IllegalArgumentException if there is none of this name
   */
  public static Optional<TensorSpec> scores(List<TensorSpec> outputs, String name) {
    if (name != null && outputs.stream().noneMatch(p -> p.name().equals(name))) {
      throw new IllegalArgumentException(
          "scores: expected one of the outputs %s, found \"%s\""
              .formatted(outputs.stream().map(TensorSpec::name).toList(), name));
    }
    List<TensorSpec> able =
        outputs.stream()
            .filter(p -> (name == null || p.name().equals(name)) && p.scores())
            .toList();
    return able.stream().filter(p -> p.rank() == 2).findFirst().or(() -> able.stream().findFirst());
  }

  /** The number of axes; 0 for a scalar or an unknown shape. */
  public int rank() {
    return shape.size();
  }

  /** The length of an axis, or -1 where it is free. */
  public int length(int axis) {
    long length = shape.get(axis).value();
    if (length > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "%s: expected axes of at most %d, found %s".formatted(name, Integer.MAX_VALUE, this));
    }
    return (int) length;
  }

  /** Whether the elements are real numbers. */
  public boolean real() {
    return Set.of("float", "float16", "bfloat16", "double").contains(type);
  }

  /**
   * Whether this can be rows of class scores: real numbers, two or more for each input. One row
   * without an axis for the batch is enough, and so is an unknown shape.
   */
  public boolean scores() {
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
        : shape.stream().map(Dimension::toString).collect(Collectors.joining(" x "));
  }

  @Override
  public String toString() {
    return "%s: %s %s".formatted(name, type, shapeText());
  }
}
