package org.orbitmap.eval;

import java.io.Serializable;
import java.util.AbstractList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;

/**
 * An input with the number of its class.
 *
 * @param input what the classifier sees
 * @param label the true class, from 0
 * @param <X> the inputs
 */
public record Labelled<X>(X input, int label) implements Serializable {
  public Labelled {
    Objects.requireNonNull(input, "input");
    if (label < 0) {
      throw new IllegalArgumentException("label: expected a number >= 0, found " + label);
    }
  }

  /** A list that makes each item when asked for it; its length is that of the labels. */
  public static <X> List<Labelled<X>> list(IntFunction<? extends X> items, int[] labels) {
    return new AbstractList<>() {
      @Override
      public Labelled<X> get(int i) {
        return new Labelled<>(items.apply(i), labels[i]);
      }

      @Override
      public int size() {
        return labels.length;
      }
    };
  }
}
