package org.orbitmap.network;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.orbitmap.model.InputShape;

/**
 * Which network, for which inputs.
 *
 * @param network the network
 * @param widthFactor factor on the channels of the hidden layers; 1 as published
 * @param tiPooling whether the features are the maximum over the four quarter turns of the image
 *     (TI-pooling)
 * @param options what only some networks have, by name; empty for most
 * @param input the inputs
 * @param classes the number of scores
 */
public record Architecture(
    Network network,
    double widthFactor,
    boolean tiPooling,
    Map<String, String> options,
    InputShape<?> input,
    int classes) {
  public Architecture {
    options = Map.copyOf(options);
    if (classes < 2) {
      throw new IllegalArgumentException("network: expected at least 2 classes, found " + classes);
    }
    if (!(widthFactor > 0 && widthFactor <= 16)) {
      throw new IllegalArgumentException(
          "network: expected a width factor in (0, 16], found " + widthFactor);
    }
    if (!network.takes().equals(input.kind())) {
      throw new IllegalArgumentException(
          "%s: expected %s, found %s".formatted(network.name(), network.takes(), input));
    }
    if (input instanceof InputShape.Images u) {
      if (tiPooling && u.height() != u.width()) {
        throw new IllegalArgumentException("TI-pooling: expected square images, found " + u);
      }
      if (Math.min(u.height(), u.width()) < network.leastSide()) {
        throw new IllegalArgumentException(
            "%s: expected images of at least %d x %d, found %d x %d"
                .formatted(
                    network.name(),
                    network.leastSide(),
                    network.leastSide(),
                    u.height(),
                    u.width()));
      }
    } else if (tiPooling) {
      throw new IllegalArgumentException("TI-pooling: expected images, found " + input);
    }
  }

  /** A network as published, without TI-pooling or options. */
  public static Architecture of(Network network, InputShape<?> input, int classes) {
    return new Architecture(network, 1, false, Map.of(), input, classes);
  }

  /** A published number of channels times the width factor, at least 1. */
  public int channels(int published) {
    return Math.toIntExact(Math.max(1, Math.round(published * widthFactor)));
  }

  /**
   * The class scores of a batch.
   *
   * <p>With TI-pooling the features are max{features(g·x) : g a quarter turn}, an invariant of the
   * exact quarter turns. Of several views the mean of the log-probabilities is taken.
   */
  public <T> T scores(Operations<T> ops, T x) {
    List<T> views = network.views(ops, x, this);
    if (views.size() == 1) {
      return scoresOf(ops, views.get(0));
    }
    T sum = null;
    for (T view : views) {
      T share = ops.logSoftmax(scoresOf(ops, view));
      sum = sum == null ? share : ops.add(sum, share);
    }
    return ops.multiply(sum, ops.constant(new float[] {1f / views.size()}, 1));
  }

  private <T> T scoresOf(Operations<T> ops, T x) {
    T f = network.features(ops, x, this);
    for (int k = 1; tiPooling && k < 4; k++) {
      f = ops.maximum(f, network.features(ops, ops.quarterTurns(x, k), this));
    }
    return network.scores(ops, f, this);
  }

  /** An option as a whole number from 1 on, or what it is if it is not given. */
  public int option(String name, int otherwise) {
    String given = options.get(name);
    try {
      int value = given == null ? otherwise : Integer.parseInt(given.trim());
      if (value >= 1) {
        return value;
      }
    } catch (NumberFormatException e) {
      // told below
    }
    throw new IllegalArgumentException(
        "network.options.%s: expected a whole number from 1 on, found %s".formatted(name, given));
  }

  /** Whether its answers do not change with quarter turns of square images, up to rounding. */
  public boolean ignoresQuarterTurns() {
    return tiPooling || network.ignoresQuarterTurns(this);
  }

  /** The parameters and the shape of everything: the network run on shapes. */
  public Declaration declare() {
    Declaration declaration = new Declaration();
    Declaration.Shape scores = scores(declaration, Declaration.Shape.of(input.axes()));
    if (scores.axes().length != 1 || scores.axes()[0] != classes) {
      throw new IllegalArgumentException(
          "%s: expected %d scores for each input, found %s"
              .formatted(network.name(), classes, scores));
    }
    return declaration;
  }

  /** Such as {@code resnet18, width factor 0.5, TI-pooling}. */
  @Override
  public String toString() {
    return network.name()
        + (widthFactor == 1 ? "" : ", width factor " + widthFactor)
        + (tiPooling ? ", TI-pooling" : "")
        + (options.isEmpty() ? "" : ", " + new TreeMap<>(options));
  }
}
