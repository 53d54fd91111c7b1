package org.orbitmap.network;

import java.util.List;
import org.orbitmap.extension.Named;

/**
 * A network: features of a batch, and class scores from them. It has no state; its parameters are
 * found by a {@link Declaration} and kept by whoever runs it. So one class is all that training,
 * evaluation, TI-pooling, export and the parameter count need.
 *
 * <p>A user's own network is a class with a line in {@code
 * META-INF/services/org.orbitmap.network.Network}.
 */
public interface Network extends Named {
  /** The kind of input that it takes: {@code images} or {@code clouds}. */
  String takes();

  /** The least number of rows and columns, or of points. */
  default int leastSide() {
    return 1;
  }

  /** Whether its answers do not change with quarter turns of square images, up to rounding. */
  default boolean ignoresQuarterTurns(Architecture settings) {
    return false;
  }

  /**
   * The features of a batch: one axis.
   *
   * @param x the inputs, already mapped and normalised
   * @param settings width factor, input, classes, options
   */
  <T> T features(Operations<T> ops, T x, Architecture settings);

  /**
   * The name here of a parameter that other libraries (torchvision, timm) call otherwise; the name
   * itself if it is none of theirs.
   */
  default String own(String name) {
    return name;
  }

  /**
   * What the features are computed of: the inputs themselves, unless a {@link Front} stands before
   * the network. The class scores of several views are the mean of their log-probabilities.
   */
  default <T> List<T> views(Operations<T> ops, T x, Architecture settings) {
    return List.of(x);
  }

  /** One score for each class, from the features; a linear layer unless the network says else. */
  default <T> T scores(Operations<T> ops, T features, Architecture settings) {
    return ops.linear(features, "head", settings.classes());
  }
}
