package org.orbitmap.app.model;

import org.orbitmap.model.InputShape;
import org.orbitmap.model.ModelInput;

/** What a model takes beside what the data is. */
public final class Inputs {
  private Inputs() {}

  /** The shape of one input; where the number of points is free, of one with this many. */
  public static InputShape<?> shape(ModelInput<?> input, int points) {
    return input instanceof ModelInput.Images p
        ? new InputShape.Images(p.channels(), p.height(), p.width())
        : new InputShape.Clouds(((ModelInput.Clouds) input).pointsOr(points));
  }

  /**
   * What a model takes, for data of a shape.
   *
   * @param source what messages are about
   * @throws IllegalArgumentException if the model does not take such data
   */
  static <X> ModelInput<X> require(Object source, ModelInput<?> input, InputShape<X> shape) {
    boolean clouds = shape instanceof InputShape.Clouds;
    if (clouds != input instanceof ModelInput.Clouds) {
      throw new IllegalArgumentException(
          "%s: expected a model of %s, found %s".formatted(source, shape.kind(), input));
    }
    InputShape<?> taken = shape(input, clouds ? shape.axes()[0] : 1);
    if (!taken.equals(shape)) {
      throw new IllegalArgumentException(
          "%s: expected data of %s, as the model takes, found %s".formatted(source, taken, shape));
    }
    @SuppressWarnings("unchecked") // both are of one kind
    ModelInput<X> typed = (ModelInput<X>) input;
    return typed;
  }
}
