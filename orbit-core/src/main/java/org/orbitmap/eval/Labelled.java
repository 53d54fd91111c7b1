package org.orbitmap.eval;

import java.io.Serializable;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;

/**
 * An input with the number of its class.
 *
 * @param input what the classifier sees
 * @param label the true class, from 0; {@link #UNKNOWN} if nobody knows it
 * @param <X> the inputs
 */
public record Labelled<X>(X input, int label) implements Serializable {
  /** The label of an input whose class is not known. */
  public static final int UNKNOWN = -1;

  public Labelled {
    Objects.requireNonNull(input, "input");
    if (label < UNKNOWN) {
      throw new IllegalArgumentException(
          "label: expected a number >= 0, or -1 for an unknown one, found " + label);
    }
  }

  /** Inputs whose classes are not known. */
  public static <X> List<Labelled<X>> unknown(List<? extends X> inputs) {
    int[] labels = new int[inputs.size()];
    Arrays.fill(labels, UNKNOWN);
    return list(inputs::get, labels);
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
