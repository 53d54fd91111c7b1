package org.orbitmap.onnx;

import java.util.Locale;

/**
 * How the answers in K frames become one. The frames of a turned input are the same set in another
 * order, so every choice that does not look at the order is invariant.
 */
public enum Select {
  /** The answer whose largest class probability is the largest. */
  CONFIDENCE,
  /** The mean of the class probabilities (as logarithms if the model gives logits). */
  MEAN,
  /** The largest score of each class. */
  MAX;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
