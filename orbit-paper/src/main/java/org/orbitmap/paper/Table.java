package org.orbitmap.paper;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.regex.Pattern;

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
 * @param family tables of the same family share their runs; empty for a table by itself
 * @param <X> the inputs
 */
public record Table<X>(
    String name,
    String title,
    Scale scale,
    int limit,
    Protocol<X> protocol,
    List<Row> rows,
    List<String> remarks,
    String family) {
  /** A table by itself. */
  public Table(
      String name,
      String title,
      Scale scale,
      int limit,
      Protocol<X> protocol,
      List<Row> rows,
      List<String> remarks) {
    this(name, title, scale, limit, protocol, rows, remarks, "");
  }

  public Table {
    rows = List.copyOf(rows);
    remarks = List.copyOf(remarks);
  }

  /** The figures of a score that the table shows: over all inputs, or the means over classes. */
  public Score shown(Score score) {
    return protocol.byClass() && score.byClass() != null ? score.byClass() : score;
  }

  /** The same with other rows. */
  public Table<X> with(List<Row> others) {
    return new Table<>(name, title, scale, limit, protocol, others, remarks, family);
  }

  /**
   * The same with some of its rows, in its own order.
   *
   * @param patterns ids of rows, in which {@code *} stands for any text
   * @throws IllegalArgumentException if a pattern fits no row
   */
  public Table<X> rows(List<String> patterns) {
    for (String pattern : patterns) {
      if (rows.stream().noneMatch(row -> fits(row, pattern))) {
        throw new IllegalArgumentException(
            "rows of %s: expected some of %s, where * stands for any text, found %s"
                .formatted(
                    name, rows.stream().map(Row::id).collect(joining(", ")), pattern.strip()));
      }
    }
    return with(
        rows.stream().filter(row -> patterns.stream().anyMatch(p -> fits(row, p))).toList());
  }

  private static boolean fits(Row row, String pattern) {
    String any = Pattern.quote(pattern.strip()).replace("*", "\\E.*\\Q");
    return row.id().matches(any);
  }
}
