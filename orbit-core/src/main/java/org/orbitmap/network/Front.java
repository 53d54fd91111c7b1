package org.orbitmap.network;

import java.util.List;
import org.orbitmap.extension.Named;

/**
 * What stands in front of a network and shows it other inputs than those that come in: an image
 * with its pose corrected, several samples of it, some points of a cloud. It has parameters as a
 * network has, and is trained with it. {@code stn+resnet18} is the front {@code stn} before the
 * network {@code resnet18}.
 *
 * <p>A user's own front is a class with a line in {@code
 * META-INF/services/org.orbitmap.network.Front}.
 */
public interface Front extends Named {
  /** The kind of input that it takes. */
  default String takes() {
    return "images";
  }

  /** The least number of rows and columns, or of points. */
  default int leastSide() {
    return 8;
  }

  /**
   * What the network sees of a batch. If it sees several, the class scores are the mean of their
   * log-probabilities.
   *
   * @param x the inputs, already mapped and normalised
   * @param settings the options, and the input
   */
  <T> List<T> views(Operations<T> ops, T x, Architecture settings);
}
