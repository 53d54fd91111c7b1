package org.orbitmap.app.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.orbitmap.eval.Accuracy;
import org.orbitmap.eval.Agreement;
import org.orbitmap.eval.Robustness;
import org.orbitmap.eval.Sweep;
import org.orbitmap.image.Image;

/**
 * What everything that evaluates shows: clean, average and worst accuracy, agreement, accuracy by
 * pose, the probability of one item's true class, the worst items, confusion, margins and cost.
 * Without labels the answer on an item as it is stands for its true class.
 *
 * <pre>{@code
 * RobustnessReport.of(classes, measured)
 *     .teaser("image 7, a cat", curves)
 *     .margins("How far each image is from an ambiguous one.", margins)
 *     .addTo(Report.of("Audit of net.onnx"))
 * }</pre>
 *
 * <p>The details (worst items, confusion) are those of the first model, in the sweep that is worst
 * for it. A report is a value: each method returns a longer one.
 */
public final class RobustnessReport {
  private static final int MOST_CURVES = 6;
  private static final Accuracy NO_PAPER = new Accuracy(Double.NaN, Double.NaN, Double.NaN);

  private final List<String> classes;
  private final List<Measured> measured;
  private final String note;
  private final Teaser teaser;
  private final Figure margins;

  /** What an item looks like in a pose. */
  @FunctionalInterface
  public interface Look {
    /** An image with 1 or 3 channels. */
    Image of(int item, int pose);
  }

  /**
   * One model over one sweep.
   *
   * @param model its name
   * @param sweep how inputs were moved, such as {@code bilinear}
   * @param result every answer
   * @param paper what the paper has for it, as shares; NaN where it has nothing
   * @param look what the items look like; null if they cannot be shown
   */
  public record Measured(String model, String sweep, Robustness result, Accuracy paper, Look look) {
    public Measured {
      Objects.requireNonNull(model, "model");
      Objects.requireNonNull(sweep, "sweep");
      Objects.requireNonNull(result, "result");
      Objects.requireNonNull(paper, "paper");
    }

    /** A measurement that the paper has nothing about, of items that are not shown. */
    public Measured(String model, String sweep, Robustness result) {
      this(model, sweep, result, NO_PAPER, null);
    }

    /** The same with the paper's figures. */
    public Measured paper(Accuracy figures) {
      return new Measured(model, sweep, result, figures, look);
    }

    /** The same with items that are shown as they were brought into the poses of the sweep. */
    public <X> Measured seen(IntFunction<X> items, Sweep<X> poses, Function<X, Image> drawn) {
      return new Measured(
          model,
          sweep,
          result,
          paper,
          (item, pose) ->
              drawn.apply(poses.poses().get(pose).transform().apply(items.apply(item))));
    }
  }

  private record Teaser(int item, List<Series> curves) {}

  private RobustnessReport(
      List<String> classes, List<Measured> measured, String note, Teaser teaser, Figure margins) {
    this.classes = classes;
    this.measured = measured;
    this.note = note;
    this.teaser = teaser;
    this.margins = margins;
  }

  /**
   * A report with the figures that come from the answers alone.
   *
   * @param classes names of the classes; those beyond get a number
   * @param measured at least one, those of the model that it is about first
   */
  public static RobustnessReport of(List<String> classes, List<Measured> measured) {
    if (measured.isEmpty()) {
      throw new IllegalArgumentException("report: expected at least one measurement, found none");
    }
    return new RobustnessReport(List.copyOf(classes), List.copyOf(measured), "", null, null);
  }

  /** The same with a sentence under the headline table, such as where the paper's numbers are. */
  public RobustnessReport note(String text) {
    return new RobustnessReport(classes, measured, text, teaser, margins);
  }

  /**
   * The same with the probability of one item's true class against the angle.
   *
   * @param item which one, see {@link #typical}
   * @param curves one for each model, see {@link #curve}
   */
  public RobustnessReport teaser(int item, List<Series> curves) {
    return new RobustnessReport(classes, measured, note, new Teaser(item, curves), margins);
  }

  /** The same with a histogram of the items' margins. */
  public RobustnessReport margins(String caption, double[] values) {
    return new RobustnessReport(
        classes,
        measured,
        note,
        teaser,
        new Figure.Histogram("Margins", caption, "margin", values));
  }

  /** The probabilities of an item's true class over the poses, as a curve. */
  public static Series curve(String name, Robustness r, int item) {
    return new Series(
        name,
        r.poses().stream().mapToDouble(Robustness.PoseAccuracy::value).toArray(),
        IntStream.range(0, r.poses().size()).mapToDouble(p -> r.trueClass(item, p)).toArray());
  }

  /**
   * The item for the teaser: of those that all have right as they are (of all, if there is none),
   * the median by the lowest probability that the first one gives its true class.
   */
  public static int typical(List<Robustness> all) {
    Robustness first = all.get(0);
    List<Integer> items =
        IntStream.range(0, first.items())
            .filter(i -> all.stream().allMatch(r -> r.cleanPrediction(i) == r.label(i)))
            .boxed()
            .toList();
    List<Integer> sorted =
        (items.isEmpty() ? IntStream.range(0, first.items()).boxed().toList() : items)
            .stream().sorted(Comparator.comparingDouble(i -> lowest(first, i))).toList();
    return sorted.get(sorted.size() / 2);
  }

  private static double lowest(Robustness r, int item) {
    return IntStream.range(0, r.poses().size())
        .mapToDouble(p -> r.trueClass(item, p))
        .min()
        .orElseThrow();
  }

  /** Adds everything to a report. */
  public Report addTo(Report report) {
    Measured main =
        measured.stream()
            .filter(m -> m.model().equals(measured.get(0).model()))
            .min(Comparator.comparingDouble(m -> everywhere(m.result())))
            .orElseThrow();
    Robustness r = main.result();
    Report all = report;
    if (r.labelled()) {
      all =
          all.fact(percent(r.accuracy().clean()) + " %", "clean")
              .fact(percent(r.accuracy().average()) + " %", "average, " + main.sweep())
              .fact(percent(r.accuracy().worst()) + " %", "worst, " + main.sweep());
    }
    all =
        all.fact(percent(r.agreement().labelKept()) + " %", "label kept, " + main.sweep())
            .fact(percent(r.agreement().allKept()) + " %", "all kept, " + main.sweep())
            .section(r.labelled() ? "Accuracy" : "Agreement")
            .table(headline());
    for (Figure figure : byPose()) {
      all = all.figure(figure);
    }
    if (teaser != null) {
      all = teaser(all, measured.get(0));
    }
    all = new FailureSection(this::name, main).addTo(all);
    if (margins != null) {
      all = all.section("How safe the poses are").figure(margins);
    }
    return all.section("Cost").table(cost());
  }

  private static double everywhere(Robustness r) {
    return r.labelled() ? r.accuracy().worst() : r.agreement().allKept();
  }

  private Report teaser(Report report, Measured m) {
    int item = teaser.item();
    Robustness r = m.result();
    String what =
        r.labelled()
            ? "item %d (%s)".formatted(item, name(r.label(item)))
            : "item %d (answered as it is: %s)".formatted(item, name(r.cleanPrediction(item)));
    Series deepest =
        teaser.curves().stream()
            .min(Comparator.comparingDouble(c -> Arrays.stream(c.y()).min().orElse(1)))
            .orElseThrow();
    int lowest =
        IntStream.range(0, deepest.y().length)
            .boxed()
            .min(Comparator.comparingDouble(p -> deepest.y()[p]))
            .orElseThrow();
    Report with =
        report.figure(
            new Figure.Lines(
                r.labelled() ? "Probability of the true class" : "Probability of the first answer",
                "For %s, rotated: an invariant network draws a level line. Of the items%s, it is the one in the middle by its lowest probability."
                    .formatted(what, r.labelled() ? " that are right as they are" : ""),
                r.unit().equals("°") ? "rotated by (°)" : "rotated by (°), from 360° mirrored",
                "probability",
                0,
                1,
                teaser.curves()));
    if (m.look() == null) {
      return with;
    }
    List<Gallery.Item> shown = new ArrayList<>();
    for (int pose : lowest == 0 ? new int[] {0} : new int[] {0, lowest}) {
      shown.add(
          new Gallery.Item(
              m.look().of(item, pose),
              "at " + m.result().poses().get(pose).label(),
              String.format(Locale.ROOT, "%s: %.2f", deepest.name(), deepest.y()[pose])));
    }
    return with.gallery(
        new Gallery("The item of the curves", "As it is, and where a curve is lowest.", shown));
  }

  private Table headline() {
    boolean labelled = measured.get(0).result().labelled();
    boolean paper = measured.stream().anyMatch(m -> !Double.isNaN(m.paper().clean()));
    List<String> columns = new ArrayList<>(List.of("model", "sweep"));
    for (String what : labelled ? List.of("clean", "average", "worst") : List.<String>of()) {
      columns.add(what);
      if (paper) {
        columns.add("paper");
      }
    }
    columns.addAll(List.of("label kept", "all kept", "probability change"));
    Table table =
        Table.of(
                labelled ? "Accuracy and agreement in %" : "Agreement in %",
                columns.toArray(String[]::new))
            .note(headlineNote(labelled));
    for (Measured m : measured) {
      List<String> row = new ArrayList<>(List.of(m.model(), m.sweep()));
      if (labelled) {
        Accuracy a = m.result().accuracy();
        Accuracy p = m.paper();
        double[][] figures = {
          {a.clean(), p.clean()}, {a.average(), p.average()}, {a.worst(), p.worst()}
        };
        for (double[] ours : figures) {
          row.add(percent(ours[0]));
          if (paper) {
            row.add(percent(ours[1]));
          }
        }
      }
      Agreement kept = m.result().agreement();
      row.add(percent(kept.labelKept()));
      row.add(percent(kept.allKept()));
      row.add(percent(kept.probabilityChange()));
      table = table.row(row.toArray(String[]::new));
    }
    return table;
  }

  private String headlineNote(boolean labelled) {
    Robustness r = measured.get(0).result();
    String accuracy =
        "Clean: %,d items as they are. Average: over %,d poses of each. Worst: items that are right in every pose. "
            .formatted(r.items(), r.poses().size());
    String agreement =
        "%sLabel kept: answers in a pose that are those on the item as it is. All kept: items whose answer never changes. Probability change: the total variation distance of the class probabilities, in the mean."
            .formatted(
                labelled
                    ? accuracy
                    : "%,d items without labels, %,d poses of each. "
                        .formatted(r.items(), r.poses().size()));
    return agreement + (note.isEmpty() ? "" : " " + note);
  }

  /** A polar plot for angles; for other sweeps the accuracy pose by pose. */
  private List<Figure> byPose() {
    List<Figure> figures = new ArrayList<>();
    List<Series> angles = new ArrayList<>();
    Map<String, List<Series>> others = new LinkedHashMap<>();
    for (Measured m : measured) {
      Series curve = shares(m);
      if (m.result().unit().equals("°")) {
        angles.add(curve);
      } else if (m.result().poses().size() > 1) {
        others.computeIfAbsent(m.sweep(), k -> new ArrayList<>()).add(curve);
      }
    }
    for (int from = 0; from < angles.size(); from += MOST_CURVES) {
      figures.add(
          new Figure.Polar(
              what() + " by angle",
              share()
                  + " at each angle, from the centre (0 %) outward: an invariant network draws a circle.",
              angles.subList(from, Math.min(angles.size(), from + MOST_CURVES))));
    }
    others.forEach(
        (sweep, curves) ->
            figures.add(
                new Figure.Lines(
                    what() + " by pose, " + sweep,
                    share()
                        + " in each pose, in the order of the sweep: an invariant network draws a level line.",
                    "pose",
                    what().toLowerCase(Locale.ROOT),
                    0,
                    1,
                    curves)));
    return figures;
  }

  private String what() {
    return measured.get(0).result().labelled() ? "Accuracy" : "Agreement";
  }

  private String share() {
    return measured.get(0).result().labelled()
        ? "The share of right answers"
        : "The share of answers that are those on the items as they are";
  }

  private Series shares(Measured m) {
    boolean one = measured.stream().allMatch(o -> o.model().equals(m.model()));
    List<Robustness.PoseAccuracy> poses = m.result().poses();
    boolean angle = m.result().unit().equals("°");
    return new Series(
        one ? m.sweep() : angle ? m.model() + ", " + m.sweep() : m.model(),
        IntStream.range(0, poses.size())
            .mapToDouble(p -> angle ? poses.get(p).value() : p)
            .toArray(),
        poses.stream().mapToDouble(p -> m.result().labelled() ? p.accuracy() : p.kept()).toArray());
  }

  private Table cost() {
    Table table =
        Table.of(
                "What it took",
                "model",
                "sweep",
                "seconds",
                "answers",
                "answers/s",
                "in the model",
                "threads")
            .note(
                "An answer is one item in one pose. In the model: the share of the time; the rest brings the items into their poses.");
    for (Measured m : measured) {
      Robustness.Cost c = m.result().cost();
      long answers = (long) m.result().items() * m.result().poses().size();
      table =
          table.row(
              m.model(),
              m.sweep(),
              String.format(Locale.ROOT, "%.1f", c.seconds()),
              String.format(Locale.ROOT, "%,d", answers),
              String.format(Locale.ROOT, "%,.0f", answers / Math.max(1e-9, c.seconds())),
              String.format(Locale.ROOT, "%.0f %%", 100 * c.classifierShare()),
              Integer.toString(c.threads()));
    }
    return table;
  }

  private String name(int c) {
    return c < classes.size() ? classes.get(c) : "class " + c;
  }

  static String percent(double share) {
    return Double.isNaN(share) ? "–" : String.format(Locale.ROOT, "%.1f", 100 * share);
  }
}
