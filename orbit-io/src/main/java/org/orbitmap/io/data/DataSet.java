package org.orbitmap.io.data;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.orbitmap.eval.Labelled;
import org.orbitmap.model.InputShape;

/**
 * Inputs of one kind and size with their labels, for training, evaluation and audits.
 *
 * @param <X> the inputs
 */
public interface DataSet<X> extends Serializable {
  /** What users call it, such as {@code cifar10}. */
  String name();

  /** The names of the labels 0, 1, 2, …; none if the labels are not known. */
  List<String> classes();

  /** The number of inputs. */
  int size();

  /** What each input is. */
  InputShape<X> shape();

  /** One input; made when asked for, safe for several threads. */
  X input(int i);

  /** The class of an input; {@link Labelled#UNKNOWN} if there are no classes. */
  int label(int i);

  /** The chosen inputs, in the order of the indices. */
  DataSet<X> subset(int[] indices);

  /** SHA-256 over classes, labels and inputs: the same digest means the same data. */
  String digest();

  /** Whether the classes of the inputs are known. */
  default boolean labelled() {
    return !classes().isEmpty();
  }

  /**
   * The same inputs with other labels.
   *
   * @param names of the labels; none if all labels are {@link Labelled#UNKNOWN}
   */
  default DataSet<X> labelled(List<String> names, int[] labels) {
    return new Relabelled<>(this, names, labels);
  }

  /** The same inputs without labels. */
  default DataSet<X> unlabelled() {
    int[] none = new int[size()];
    Arrays.fill(none, Labelled.UNKNOWN);
    return labelled(List.of(), none);
  }

  /** The inputs with their labels, each made when asked for. */
  default List<Labelled<X>> items() {
    return Labelled.list(this::input, IntStream.range(0, size()).map(this::label).toArray());
  }

  /** The first n inputs, or all if there are fewer. */
  default DataSet<X> first(int n) {
    return n >= size() ? this : subset(IntStream.range(0, n).toArray());
  }

  /** How many inputs each class has. */
  default int[] counts() {
    int[] counts = new int[classes().size()];
    for (int i = 0; labelled() && i < size(); i++) {
      counts[label(i)]++;
    }
    return counts;
  }

  /**
   * This set, after a check that every class has an input.
   *
   * @throws IllegalArgumentException naming the empty classes
   */
  default DataSet<X> requireEveryClass() {
    List<String> empty = new ArrayList<>();
    int[] counts = counts();
    for (int c = 0; c < counts.length; c++) {
      if (counts[c] == 0) {
        empty.add(classes().get(c));
      }
    }
    if (!empty.isEmpty()) {
      throw new IllegalArgumentException(
          "%s: expected %s of every class, found none of %s"
              .formatted(name(), shape().kind(), String.join(", ", empty)));
    }
    return this;
  }
}
