package org.orbitmap.app.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.orbitmap.eval.Robustness;

/**
 * Where a model fails over a sweep: its worst items, its confusions, its accuracy by class. Without
 * labels: the items whose answers change.
 *
 * @param names of the classes
 * @param main the model and the sweep
 */
record FailureSection(IntFunction<String> names, RobustnessReport.Measured main) {
  private static final int GALLERY = 12;
  private static final int LARGEST_MATRIX = 60;
  private static final int LONGEST_LIST = 20;

  Report addTo(Report report) {
    return main.result().labelled()
        ? confusion(worst(report.section("Where it fails"))).table(byClass())
        : changing(report.section("Where answers change"));
  }

  /** The items whose answers change in the most poses. */
  private Report changing(Report report) {
    Robustness r = main.result();
    int[] changes = IntStream.range(0, r.items()).map(i -> r.changes(i).length).toArray();
    List<Integer> items =
        IntStream.range(0, r.items())
            .filter(i -> changes[i] > 0)
            .boxed()
            .sorted(Comparator.comparingInt(i -> -changes[i]))
            .limit(GALLERY)
            .toList();
    if (items.isEmpty()) {
      return report.text("No answer changes in any pose.");
    }
    String title = "Least steady items, " + main.sweep();
    String chosen = "Items whose answers change in the most poses.";
    List<Gallery.Item> gallery = new ArrayList<>();
    Table table =
        Table.of(
                title,
                "item",
                "answered as it is",
                "changes at",
                "answered there",
                "poses that change")
            .note(chosen);
    for (int i : items) {
      int pose =
          IntStream.of(r.changes(i))
              .boxed()
              .max(Comparator.comparingDouble(p -> r.probabilityChange(i, p)))
              .orElseThrow();
      String at = r.poses().get(pose).label();
      String said = names.apply(r.prediction(i, pose));
      String clean = names.apply(r.cleanPrediction(i));
      String count = "%d of %d".formatted(changes[i], r.poses().size());
      table = table.row(Integer.toString(i), clean, at, said, count);
      if (main.look() != null) {
        gallery.add(
            new Gallery.Item(
                main.look().of(i, pose),
                "%s at %s".formatted(said, at),
                "as it is: %s; item %d, %s poses change".formatted(clean, i, count)));
      }
    }
    return gallery.isEmpty()
        ? report.table(table)
        : report.gallery(new Gallery(title, chosen, gallery));
  }

  /** Those that are right as they are first; then by how many poses fail. */
  private Report worst(Report report) {
    Robustness r = main.result();
    int poses = r.poses().size();
    int[] misses = IntStream.range(0, r.items()).map(i -> r.misses(i).size()).toArray();
    List<Integer> items =
        IntStream.range(0, r.items())
            .filter(i -> misses[i] > 0)
            .boxed()
            .sorted(
                Comparator.<Integer>comparingInt(i -> r.cleanPrediction(i) == r.label(i) ? 0 : 1)
                    .thenComparingInt(i -> -misses[i]))
            .limit(GALLERY)
            .toList();
    String title = "Worst items, " + main.sweep();
    if (items.isEmpty()) {
      return report.text("No item fails in any pose.");
    }
    String chosen =
        "Items that are right as they are and fail in the most poses; then those that are wrong as they are.";
    List<Gallery.Item> gallery = new ArrayList<>();
    Table table =
        Table.of(title, "item", "true class", "fails at", "predicted there", "poses that fail")
            .note(chosen);
    for (int i : items) {
      int pose = failing(r, i);
      String at = r.poses().get(pose).label();
      String said = names.apply(r.prediction(i, pose));
      if (main.look() == null) {
        table =
            table.row(
                Integer.toString(i), names.apply(r.label(i)), at, said, misses[i] + " of " + poses);
      } else {
        gallery.add(
            new Gallery.Item(
                main.look().of(i, pose),
                "%s at %s".formatted(said, at),
                "is %s; item %d, %d of %d poses fail%s"
                    .formatted(
                        names.apply(r.label(i)),
                        i,
                        misses[i],
                        poses,
                        r.cleanPrediction(i) == r.label(i) ? "" : ", wrong as it is")));
      }
    }
    return main.look() == null
        ? report.table(table)
        : report.gallery(new Gallery(title, chosen, gallery));
  }

  /** The failing pose with the least probability of the true class; the first, if unknown. */
  private static int failing(Robustness r, int item) {
    List<Robustness.Miss> misses = r.misses(item);
    return r.hasTrueClass()
        ? misses.stream()
            .min(Comparator.comparingDouble(m -> r.trueClass(item, m.pose())))
            .orElseThrow()
            .pose()
        : misses.get(0).pose();
  }

  private Report confusion(Report report) {
    Robustness r = main.result();
    long[][] counts = r.confusion();
    String title = "Confusion, " + main.sweep();
    String caption =
        "Over all poses: rows are the true classes, columns the answers, in percent of the row.";
    if (r.classes() <= LARGEST_MATRIX) {
      List<String> all = IntStream.range(0, r.classes()).mapToObj(names).toList();
      return report.figure(new Figure.Matrix(title, caption, all, counts));
    }
    record Pair(int truth, int said, long count, long of) {}
    List<Pair> pairs = new ArrayList<>();
    for (int t = 0; t < counts.length; t++) {
      long of = LongStream.of(counts[t]).sum();
      for (int s = 0; s < counts.length; s++) {
        if (s != t && counts[t][s] > 0) {
          pairs.add(new Pair(t, s, counts[t][s], of));
        }
      }
    }
    Table table =
        Table.of(title, "true class", "predicted", "share of the class in %")
            .note("The %d most frequent confusions, over all poses.".formatted(LONGEST_LIST));
    for (Pair p :
        pairs.stream()
            .sorted(Comparator.comparingDouble(p -> -(double) p.count() / p.of()))
            .limit(LONGEST_LIST)
            .toList()) {
      table =
          table.row(
              names.apply(p.truth()),
              names.apply(p.said()),
              RobustnessReport.percent((double) p.count() / p.of()));
    }
    return report.table(table);
  }

  /** The classes in order, or the weakest of many. */
  private Table byClass() {
    List<Robustness.ClassAccuracy> present =
        main.result().perClass().stream().filter(c -> c.items() > 0).toList();
    boolean many = present.size() > LONGEST_LIST;
    Table table =
        Table.of(
                "Accuracy by class in %, " + main.sweep(),
                "class",
                "items",
                "clean",
                "average",
                "worst")
            .note(
                many
                    ? "The %d weakest of %d classes.".formatted(LONGEST_LIST, present.size())
                    : "");
    for (Robustness.ClassAccuracy c :
        many
            ? present.stream()
                .sorted(Comparator.comparingDouble(c -> c.accuracy().worst()))
                .limit(LONGEST_LIST)
                .toList()
            : present) {
      table =
          table.row(
              names.apply(c.label()),
              Integer.toString(c.items()),
              RobustnessReport.percent(c.accuracy().clean()),
              RobustnessReport.percent(c.accuracy().average()),
              RobustnessReport.percent(c.accuracy().worst()));
    }
    return table;
  }
}
