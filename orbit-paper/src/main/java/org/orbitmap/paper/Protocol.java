package org.orbitmap.paper;

import java.io.Serializable;
import java.util.List;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.nn.model.Model;

/**
 * How a row of a table is measured.
 *
 * @param <X> the inputs
 */
public interface Protocol<X> extends Serializable {
  /** The names of the sweeps, in the order of the columns. */
  List<String> sweeps();

  /** One sentence on what average and worst are over. */
  String description();

  /** What the inputs are called. */
  default String inputs() {
    return "images";
  }

  /** Whether figures are means over the classes, each with the same weight. */
  default boolean byClass() {
    return false;
  }

  /** What a table of one sweep is called. */
  default String title(String sweep) {
    return "Rotated, " + sweep;
  }

  /** The data as inputs of this protocol. */
  DataSet<X> require(DataSet<?> data);

  /**
   * The answers of a model on some inputs.
   *
   * @param row says which mapping the model has
   * @param threads batches at once; 0 for one on each processor
   */
  Counts measure(Row row, Model<?> model, DataSet<X> part, int threads);

  /**
   * What was not measured but follows, and how that was checked; empty if there is no such thing.
   */
  String shortcut(List<RowResult> results);
}
