package org.orbitmap.paper;

import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;
import org.orbitmap.eval.Cluster;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.nn.model.MappingConfig.Use;
import org.orbitmap.nn.model.Model;
import org.orbitmap.nn.tensor.Engine;

/**
 * Cells of a table, measured wherever the cluster says as they are measured here.
 *
 * @param deadline in milliseconds since 1970
 */
record MeasuringWork<X>(Protocol<X> protocol, long deadline)
    implements Cluster.Work<MeasuringWork.Cell<X>, MeasuringWork.Measured> {
  /**
   * A chunk of the test inputs for one row and seed.
   *
   * @param model the file of the trained network
   */
  record Cell<X>(Row row, int seed, int chunk, String model, DataSet<X> part)
      implements Serializable {}

  /** What was counted; null if the time was up. */
  record Measured(Counts counts) implements Serializable {}

  @Override
  public Measured on(Cell<X> cell) throws IOException {
    if (System.currentTimeMillis() > deadline) {
      return new Measured(null);
    }
    Engine.threads(1); // each thread of the process measures a cell of its own
    return new Measured(measure(protocol, cell.row, Path.of(cell.model), cell.part, 1));
  }

  /** The counts of one cell. */
  static <X> Counts measure(
      Protocol<X> protocol, Row row, Path trained, DataSet<X> part, int threads)
      throws IOException {
    Model<?> model = Model.load(trained);
    if (row.when() == Use.TEST) {
      model = model.with(row.mapping());
    }
    return protocol.measure(row, model, part, threads);
  }
}
