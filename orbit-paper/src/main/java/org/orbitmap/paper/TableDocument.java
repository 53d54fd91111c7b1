package org.orbitmap.paper;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.orbitmap.nn.model.MappingConfig.Use;

/** A table as people and as programs read it, each figure beside the paper's. */
final class TableDocument {
  private final Table<?> table;
  private final List<RowResult> results;
  private final Map<String, String> provenance;

  TableDocument(Table<?> table, List<RowResult> results, Map<String, String> provenance) {
    this.table = table;
    this.results = results;
    this.provenance = provenance;
  }

  /** For programs. */
  Map<String, Object> document() {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("table", table.name());
    document.put("scale", table.scale().id());
    document.put("title", table.title());
    document.put("remarks", table.remarks());
    document.put("provenance", provenance);
    List<Map<String, Object>> rows = new ArrayList<>();
    for (RowResult r : results) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("network", r.row().network());
      row.put("scheme", r.row().scheme());
      row.put("when", r.row().when().id());
      row.put("mapping", r.row().rule());
      // JSON has no NaN.
      row.put(
          "paper",
          Arrays.stream(r.row().paper()).mapToObj(v -> Double.isNaN(v) ? null : v).toList());
      row.put("seeds", r.seeds());
      row.put("untrainedSeeds", r.untrained());
      row.put("fastestEpochSeconds", Double.isNaN(r.epochSeconds()) ? null : r.epochSeconds());
      rows.add(row);
    }
    document.put("rows", rows);
    return document;
  }

  /** In Markdown, the paper's figures in brackets. */
  String markdown() {
    List<String> sweeps = table.protocol().sweeps();
    StringBuilder s = new StringBuilder();
    s.append("# ").append(table.title()).append("\n\n");
    s.append("Percent right; the paper's figure in brackets. ")
        .append(table.protocol().description())
        .append("\n\n");
    s.append("| network | train | mapping | %s | clean |".formatted(table.protocol().inputs()));
    for (String what : new String[] {"average", "worst"}) {
      sweeps.forEach(i -> s.append(' ').append(what).append(' ').append(i).append(" |"));
    }
    s.append("\n|").append("---|".repeat(5 + 2 * sweeps.size())).append('\n');
    for (RowResult r : results) {
      Row row = r.row();
      s.append("| %s | %s | %s | ".formatted(row.network(), row.scheme(), row.mappingText()));
      if (r.seeds().isEmpty()) {
        s.append(r.untrained() > 0 ? "not trained yet" : "0")
            .append(" |")
            .append(" |".repeat(1 + 2 * sweeps.size()))
            .append('\n');
        continue;
      }
      // seeds that are not measured to the end have fewer
      s.append(
              r.seeds().stream()
                  .map(x -> Integer.toString(x.images()))
                  .distinct()
                  .collect(joining(", ")))
          .append(r.untrained() > 0 ? ", %d not trained yet".formatted(r.untrained()) : "")
          .append(" | ");
      s.append(cell(r, Score::clean, 0)).append(" |");
      int k = 1;
      for (String i : sweeps) {
        s.append(' ').append(cell(r, x -> x.average().get(i), k++)).append(" |");
      }
      for (String i : sweeps) {
        s.append(' ').append(cell(r, x -> x.worst().get(i), k++)).append(" |");
      }
      s.append('\n');
    }
    s.append('\n');
    byClass(s);
    cost(s);
    String shortcut = table.protocol().shortcut(results);
    if (!shortcut.isEmpty()) {
      s.append(shortcut).append("\n\n");
    }
    table.remarks().forEach(r -> s.append("- ").append(r).append('\n'));
    s.append("\nProvenance:\n\n");
    provenance.forEach((k, v) -> s.append("- ").append(k).append(": ").append(v).append('\n'));
    return s.toString();
  }

  /**
   * The means over the classes, where one class is so common that always answering it looks good in
   * the table above.
   */
  private void byClass(StringBuilder s) {
    String common = table.commonClass(results);
    if (common.isEmpty()) {
      return;
    }
    s.append(common).append("\n\n");
    List<String> sweeps = table.protocol().sweeps();
    s.append("| network | train | mapping | clean |");
    for (String what : new String[] {"average", "worst"}) {
      sweeps.forEach(i -> s.append(' ').append(what).append(' ').append(i).append(" |"));
    }
    s.append("\n|").append("---|".repeat(4 + 2 * sweeps.size())).append('\n');
    for (RowResult r : results) {
      if (!r.toldByClass()) {
        continue;
      }
      Row row = r.row();
      s.append(
          "| %s | %s | %s | %s |"
              .formatted(
                  row.network(),
                  row.scheme(),
                  row.mappingText(),
                  r.percent(x -> x.byClass().clean())));
      for (String i : sweeps) {
        s.append(' ').append(r.percent(x -> x.byClass().average().get(i))).append(" |");
      }
      for (String i : sweeps) {
        s.append(' ').append(r.percent(x -> x.byClass().worst().get(i))).append(" |");
      }
      s.append('\n');
    }
    s.append('\n');
  }

  /** What training takes, with and without a mapping. */
  private void cost(StringBuilder s) {
    List<RowResult> trained =
        results.stream()
            .filter(r -> !Double.isNaN(r.epochSeconds()) && r.row().when() != Use.TEST)
            .toList();
    if (trained.isEmpty()) {
      return;
    }
    s.append("| network | train | mapping | seconds of the fastest epoch |\n|---|---|---|---|\n");
    for (RowResult r : trained) {
      s.append(
          "| %s | %s | %s | %s |\n"
              .formatted(
                  r.row().network(),
                  r.row().scheme(),
                  r.row().rule().isEmpty() ? "none" : r.row().rule(),
                  percent(r.epochSeconds())));
    }
    s.append('\n');
  }

  private String cell(RowResult r, ToDoubleFunction<Score> figure, int paper) {
    String text = r.percent(s -> figure.applyAsDouble(table.shown(s)));
    double[] p = r.row().paper();
    return p.length == 0 || Double.isNaN(p[paper]) ? text : text + " (" + percent(p[paper]) + ")";
  }

  private static String percent(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
