package org.orbitmap.paper;

import java.util.List;

/**
 * A table of the paper.
 *
 * @param name what users call it
 * @param title what it shows
 * @param scale of the runs
 * @param limit how many test inputs; 0 for all
 * @param protocol how a row is measured
 * @param rows its rows
 * @param remarks how this differs from the paper's protocol
 * @param <X> the inputs
 */
public record Table<X>(
    String name,
    String title,
    Scale scale,
    int limit,
    Protocol<X> protocol,
    List<Row> rows,
    List<String> remarks) {
  public Table {
    rows = List.copyOf(rows);
    remarks = List.copyOf(remarks);
  }

  /** The same with other rows. */
  Table<X> with(List<Row> others) {
    return new Table<>(name, title, scale, limit, protocol, others, remarks);
  }
}
