package org.orbitmap.paper;

import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;
import org.orbitmap.eval.Cluster;
import org.orbitmap.io.data.DataSet;
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
    return new Measured(
        Reproduction.measure(protocol, cell.row, Path.of(cell.model), cell.part, 1));
  }
}
