package org.orbitmap.app.report;

import java.util.ArrayList;
import java.util.List;

/**
 * A table, made row by row. Columns of numbers are set flush right.
 *
 * @param title the heading over it
 * @param note a sentence under it; may be empty
 * @param columns column names
 * @param rows cells, row by row
 */
public record Table(String title, String note, List<String> columns, List<List<String>> rows) {
  public Table {
    columns = List.copyOf(columns);
    rows = rows.stream().map(List::copyOf).toList();
    for (List<String> row : rows) {
      if (row.size() != columns.size()) {
        throw new IllegalArgumentException(
            "table '%s': expected %d cells in each row, found %d: %s"
                .formatted(title, columns.size(), row.size(), row));
      }
    }
  }

  /** A table without rows. */
  public static Table of(String title, String... columns) {
    return new Table(title, "", List.of(columns), List.of());
  }

  /** The same with one more row. */
  public Table row(String... cells) {
    List<List<String>> more = new ArrayList<>(rows);
    more.add(List.of(cells));
    return new Table(title, note, columns, more);
  }

  /** The same with a sentence under it. */
  public Table note(String text) {
    return new Table(title, text, columns, rows);
  }

  /** Whether every cell of a column is a number (with a unit, perhaps) or a dash. */
  boolean numeric(int column) {
    return rows.stream()
        .map(row -> row.get(column))
        .allMatch(cell -> cell.matches("([-+±−<>≤≥≈]?\\s*[\\d.,]+.{0,16})?|[–—-]"));
  }
}
