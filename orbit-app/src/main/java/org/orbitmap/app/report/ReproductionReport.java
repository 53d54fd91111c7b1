package org.orbitmap.app.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.orbitmap.eval.Accuracy;
import org.orbitmap.eval.Statistic;
import org.orbitmap.paper.Row;
import org.orbitmap.paper.RowResult;
import org.orbitmap.paper.Score;

/**
 * A reproduced table as a page: figure by figure beside the paper's, and how far they are apart.
 */
public final class ReproductionReport {
  private ReproductionReport() {}

  /**
   * The page.
   *
   * @param results a row for each row of the table, perhaps without figures yet
   */
  public static Report of(
      org.orbitmap.paper.Table<?> table, List<RowResult> results, Map<String, String> provenance) {
    Report report =
        Report.of(table.title())
            .lead(
                "Percent right as they are, on average, and in the worst case; beside it the paper's figure and the difference in points. %s Scale: %s."
                    .formatted(table.protocol().description(), table.scale().id()));
    String inputs = table.protocol().inputs();
    List<String> sweeps = table.protocol().sweeps();
    Table clean = start("As they are", inputs, "clean", "paper", "Δ");
    for (RowResult r : results) {
      List<String> cells = start(r);
      add(cells, r, s -> table.shown(s).clean(), r.row().paper(0, sweeps.size()).clean());
      clean = clean.row(cells.toArray(String[]::new));
    }
    report = report.table(clean);
    for (String sweep : sweeps) {
      report =
          report
              .section(title(sweep))
              .table(table(table, results, sweep))
              .figure(bars(table, results, sweep));
    }
    String common = table.commonClass(results);
    if (!common.isEmpty()) {
      report = report.section("By class").text(common).table(byClass(results, sweeps));
    }
    Figure.Points cost = cost(table, results);
    if (cost != null) {
      report = report.section("What it costs").figure(cost);
    }
    report = report.section("Remarks");
    String shortcut = table.protocol().shortcut(results);
    if (!shortcut.isEmpty()) {
      report = report.text(shortcut);
    }
    for (String remark : table.remarks()) {
      report = report.text(remark.replace("`", ""));
    }
    return report.provenance(provenance);
  }

  private static String title(String sweep) {
    return sweep.substring(0, 1).toUpperCase(Locale.ROOT) + sweep.substring(1);
  }

  /** The paper's figures of a row for a sweep of its table. */
  private static Accuracy paper(org.orbitmap.paper.Table<?> of, Row row, String sweep) {
    List<String> sweeps = of.protocol().sweeps();
    return row.paper(sweeps.indexOf(sweep), sweeps.size());
  }

  private static Table table(
      org.orbitmap.paper.Table<?> of, List<RowResult> results, String sweep) {
    Table table =
        start(
            of.protocol().title(sweep),
            of.protocol().inputs(),
            "average",
            "paper",
            "Δ",
            "worst",
            "paper",
            "Δ");
    for (RowResult r : results) {
      List<String> cells = start(r);
      Accuracy paper = paper(of, r.row(), sweep);
      add(cells, r, s -> of.shown(s).average().get(sweep), paper.average());
      add(cells, r, s -> of.shown(s).worst().get(sweep), paper.worst());
      table = table.row(cells.toArray(String[]::new));
    }
    return table;
  }

  /** The means over the classes. */
  private static Table byClass(List<RowResult> results, List<String> sweeps) {
    List<String> figures = new ArrayList<>(List.of("network", "training", "mapping", "clean"));
    sweeps.forEach(s -> figures.add("average " + s));
    sweeps.forEach(s -> figures.add("worst " + s));
    Table table = Table.of("Means over the classes", figures.toArray(String[]::new));
    for (RowResult r : results) {
      if (r.toldByClass()) {
        List<String> cells =
            new ArrayList<>(List.of(r.row().network(), r.row().scheme(), r.row().mappingText()));
        cells.add(r.percent(s -> s.byClass().clean()));
        sweeps.forEach(i -> cells.add(r.percent(s -> s.byClass().average().get(i))));
        sweeps.forEach(i -> cells.add(r.percent(s -> s.byClass().worst().get(i))));
        table = table.row(cells.toArray(String[]::new));
      }
    }
    return table;
  }

  private static Table start(String title, String inputs, String... figures) {
    List<String> columns = new ArrayList<>(List.of("network", "training", "mapping", inputs));
    columns.addAll(List.of(figures));
    return Table.of(title, columns.toArray(String[]::new));
  }

  /** The cells that every table begins with. */
  private static List<String> start(RowResult r) {
    return new ArrayList<>(
        List.of(
            r.row().network(),
            r.row().scheme(),
            r.row().mappingText(),
            r.untrained() > 0 && r.seeds().isEmpty()
                ? "not trained yet"
                : r.seeds().isEmpty() ? "–" : Integer.toString(r.seeds().get(0).images())));
  }

  /** Ours, the paper's, the difference. */
  private static void add(
      List<String> cells, RowResult r, ToDoubleFunction<Score> figure, double paper) {
    String none = "–";
    String theirs = Double.isNaN(paper) ? none : "%.1f".formatted(100 * paper);
    if (r.seeds().isEmpty()) {
      cells.addAll(List.of(none, theirs, none));
      return;
    }
    double own = Statistic.over(r.seeds(), figure).mean();
    cells.add(r.percent(figure));
    cells.add(theirs);
    cells.add(Double.isNaN(paper) ? none : difference(100 * (own - paper)));
  }

  /** With its sign, unless nothing is left of it. */
  private static String difference(double points) {
    return Math.abs(points) < 0.05 ? "0.0" : "%+.1f".formatted(points).replace('-', '−');
  }

  /**
   * The worst case against the cost of an epoch in those of the first row; null if fewer than two
   * rows know both. Where one class is so common that always answering it looks good, rows are
   * judged by the means over the classes.
   */
  private static Figure.Points cost(org.orbitmap.paper.Table<?> of, List<RowResult> results) {
    List<String> sweeps = of.protocol().sweeps();
    String sweep = sweeps.contains("bilinear") ? "bilinear" : sweeps.get(0);
    boolean common = !of.commonClass(results).isEmpty();
    double unit = results.isEmpty() ? Double.NaN : results.get(0).epochSeconds();
    List<RowResult> known =
        results.stream()
            .filter(r -> common ? r.toldByClass() : !r.seeds().isEmpty())
            .filter(r -> r.epochSeconds() / unit > 0)
            .toList();
    if (known.size() < 2) {
      return null;
    }
    double[] x = known.stream().mapToDouble(r -> r.epochSeconds() / unit).toArray();
    double[] y =
        known.stream()
            .mapToDouble(
                r ->
                    Statistic.over(
                            r.seeds(), s -> (common ? s.byClass() : of.shown(s)).worst().get(sweep))
                        .mean())
            .toArray();
    return new Figure.Points(
        "Worst case against cost",
        "Upper left is best. The cost is the fastest epoch of training, in those of the first row; runs side by side on a busy machine make it rough.",
        "cost of an epoch, " + name(results.get(0)) + " = 1",
        "worst case, " + sweep + (common ? ", mean over the classes, %" : ", %"),
        known.stream().map(ReproductionReport::name).toList(),
        new Series("rows", x, y));
  }

  private static String name(RowResult r) {
    return "%s %s, %s".formatted(r.row().network(), r.row().scheme(), r.row().mappingText());
  }

  private static Figure bars(
      org.orbitmap.paper.Table<?> of, List<RowResult> results, String sweep) {
    double[] place = IntStream.range(0, results.size()).asDoubleStream().toArray();
    double[] own =
        results.stream()
            .mapToDouble(
                r ->
                    r.seeds().isEmpty()
                        ? Double.NaN
                        : Statistic.over(r.seeds(), s -> of.shown(s).worst().get(sweep)).mean())
            .toArray();
    double[] paper = results.stream().mapToDouble(r -> paper(of, r.row(), sweep).worst()).toArray();
    return new Figure.Bars(
        "Worst case, " + sweep,
        title(of.protocol().inputs()) + " that are right in every pose.",
        results.stream().map(ReproductionReport::name).toList(),
        Arrays.stream(paper).allMatch(Double::isNaN)
            ? List.of(new Series("here", place, own))
            : List.of(new Series("here", place, own), new Series("paper", place, paper)));
  }
}
