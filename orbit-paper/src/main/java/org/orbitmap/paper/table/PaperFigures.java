package org.orbitmap.paper.table;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The paper's figures, from {@code figures.csv} beside this class. A row is named by its network
 * where a table has several, its scheme, and how the mapping is used: nothing, {@code test}, or
 * {@code tt} for training and test.
 */
final class PaperFigures {
  private static final Map<String, double[]> ALL = read();

  private PaperFigures() {}

  /**
   * The figures of a row in percent: clean, then the average of each sweep of the table's protocol,
   * then the worst of each; NaN where the paper has none; empty if it has no such row.
   */
  static double[] of(String table, String row) {
    return ALL.getOrDefault(table + "," + row, new double[0]).clone();
  }

  private static Map<String, double[]> read() {
    Map<String, double[]> all = new HashMap<>();
    try (InputStream in = PaperFigures.class.getResourceAsStream("figures.csv")) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      text.lines()
          .skip(1)
          .map(line -> line.split(",", -1))
          .forEach(
              cells ->
                  all.put(
                      cells[0] + "," + cells[1],
                      Arrays.stream(cells, 2, cells.length)
                          .mapToDouble(c -> c.isEmpty() ? Double.NaN : Double.parseDouble(c))
                          .toArray()));
      return all;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
