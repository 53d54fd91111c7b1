package org.orbitmap.model;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

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
   * @param name which; null for the first that can be it: rather one with two axes, and rather one
   *     with a score for each class than one with a single number
   * @throws IllegalArgumentException if there is none of this name
   */
  public static Optional<TensorSpec> scores(List<TensorSpec> outputs, String name) {
    if (name != null && outputs.stream().noneMatch(p -> p.name().equals(name))) {
      throw new IllegalArgumentException(
          "scores: expected one of the outputs %s, found \"%s\""
              .formatted(outputs.stream().map(TensorSpec::name).toList(), name));
    }
    return outputs.stream()
        .filter(p -> (name == null || p.name().equals(name)) && p.scores())
        .min(Comparator.comparing((TensorSpec p) -> p.binary()).thenComparing(p -> p.rank() != 2));
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

  /** The lengths of all axes, -1 where one is free. */
  public long[] lengths() {
    return shape.stream().mapToLong(Dimension::value).toArray();
  }

  /** Whether the elements are real numbers. */
  public boolean real() {
    return Set.of("float", "float16", "bfloat16", "double").contains(type);
  }

  /** The axes beside the first, that of the batch, which are longer than 1 or may be. */
  private int[] wide() {
    return IntStream.range(1, rank()).filter(a -> shape.get(a).value() != 1).toArray();
  }

  /**
   * Whether this can be rows of class scores: real numbers along one axis beside the batch, as in N
   * x C and N x C x 1 x 1. One row without an axis for the batch is enough, and so is an unknown
   * shape.
   */
  public boolean scores() {
    return real() && wide().length <= 1;
  }

  /** Whether there is one number for each input: the score of the second of two classes. */
  public boolean binary() {
    return rank() == 1 ? length(0) <= 1 : rank() > 1 && wide().length == 0;
  }

  /** Whether there are two or more axes beside the batch, as images have them. */
  public boolean dense() {
    return wide().length > 1;
  }

  /** The axis of the classes; 1 where each input has one number. */
  public int classAxis() {
    return wide().length == 0 ? 1 : wide()[0];
  }

  /** The same behind an axis of length 1 for the batch. */
  public TensorSpec asRow() {
    return new TensorSpec(
        name, type, Stream.concat(Stream.of(new Dimension(1, "")), shape.stream()).toList());
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
