package org.orbitmap.eval;

import java.util.Objects;

/**
 * An input with the number of its class.
 *
 * @param input what the classifier sees
 * @param label the true class, from 0
 * @param <X> the inputs
 */
public record Labelled<X>(X input, int label) {
  public Labelled {
    Objects.requireNonNull(input, "input");
    if (label < 0) {
      throw new IllegalArgumentException("label: expected a number >= 0, found " + label);
    }
  }
}
