package org.orbitmap.app.audit;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.orbitmap.app.model.LoadedModel;
import org.orbitmap.app.report.Report;
import org.orbitmap.app.report.RobustnessReport;
import org.orbitmap.app.report.Series;
import org.orbitmap.eval.Accuracy;
import org.orbitmap.eval.Progress;
import org.orbitmap.eval.Robustness;
import org.orbitmap.eval.Sweep;
import org.orbitmap.image.Image;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.model.InputShape;
import org.orbitmap.orbit.OrbitMapping;

/**
 * The page of an audit: the figures, beside the paper's where it has any; curves of one image; what
 * fails; margins.
 *
 * @param group that inputs were moved by
 * @param model the model that it is about
 * @param own what was found about it
 * @param other what was found about a second model; null for none
 */
record AuditReport<X>(
    Audit<X> audit, String group, LoadedModel model, AuditResult own, AuditResult other) {
  private static final String RIGHT =
      "as they are, on average over all poses (%s), and of those that are right in every pose; and"
          + " how often the answer stays that on the input as it is";
  private static final String KEPT =
      "how often the answer in a pose (%s) is that on the input as it is";
  private static final String INTERPOLATES =
      " Rotating an image interpolates: it is not exactly a group action.";

  /** The whole page but where its numbers come from. */
  Report report(String title, String data, List<String> warnings) throws IOException {
    DataSet<X> set = audit.data();
    boolean images = set.shape() instanceof InputShape.Images;
    Optional<LoadedModel.Published> paper = model.published(set.name());
    List<RobustnessReport.Measured> measured = new ArrayList<>();
    own.sweeps()
        .forEach(
            (sweep, r) -> {
              Accuracy figures = paper.map(p -> p.figures().get(sweep)).orElse(null);
              RobustnessReport.Measured m = measured(own.model(), sweep, r);
              measured.add(figures == null ? m : m.paper(figures));
            });
    if (other != null) {
      other.sweeps().forEach((sweep, r) -> measured.add(measured(other.model(), sweep, r)));
    }
    OrbitMapping<?, X> mapping = model.mapping(set.shape(), group);
    double[] margins =
        IntStream.range(0, set.size())
            .parallel()
            .mapToDouble(i -> mapping.map(set.input(i)).margin())
            .toArray();
    RobustnessReport report = RobustnessReport.of(set.classes(), measured);
    return (images ? teaser(report) : report)
        .note(
            Stream.concat(paper.map(LoadedModel.Published::note).stream(), warnings.stream())
                .collect(Collectors.joining(" ")))
        .margins(
            "How far each of the %s is%s from one whose pose is ambiguous (%s)."
                .formatted(set.shape().kind(), images ? ", in the L2 norm," : "", mapping.name()),
            margins)
        .addTo(
            Report.of(title)
                .lead(
                    "%s on %,d %s of %s: %s.%s"
                        .formatted(
                            set.labelled() ? "Accuracy" : "Agreement",
                            set.size(),
                            set.shape().kind(),
                            data,
                            (set.labelled() ? RIGHT : KEPT).formatted(group),
                            images ? INTERPOLATES : "")));
  }

  private RobustnessReport.Measured measured(String name, String sweep, Robustness r) {
    RobustnessReport.Measured m = new RobustnessReport.Measured(name, sweep, r);
    if (!(audit.data().shape() instanceof InputShape.Images)) {
      return m;
    }
    @SuppressWarnings("unchecked") // the shape says that the inputs are images
    Function<X, Image> drawn = x -> (Image) x;
    return m.seen(audit.data()::input, audit.sweeps().get(sweep), drawn);
  }

  /**
   * One image at all angles: by both models, typical for the second; or by the network with and
   * without its mapping; or by the model alone.
   */
  private RobustnessReport teaser(RobustnessReport report) {
    Robustness mine = own.sweeps().get(own.main());
    if (other != null) {
      Robustness theirs = other.sweeps().get(own.main());
      int item = RobustnessReport.typical(List.of(theirs, mine));
      return report.teaser(
          item,
          List.of(
              RobustnessReport.curve(own.model(), mine, item),
              RobustnessReport.curve(other.model(), theirs, item)));
    }
    int item = RobustnessReport.typical(List.of(mine));
    LoadedModel.Counterpart beside = model.counterpart().orElse(null);
    if (beside == null) {
      return report.teaser(item, List.of(RobustnessReport.curve(own.model(), mine, item)));
    }
    Sweep<X> sweep = audit.sweeps().get(own.main());
    Robustness theirs =
        beside
            .model()
            .measure(
                audit.data().subset(new int[] {item}),
                sweep,
                audit.settings().withThreads(1),
                Progress.OFF);
    Series ownCurve = RobustnessReport.curve(beside.own(), mine, item);
    return report.teaser(item, List.of(ownCurve, RobustnessReport.curve(beside.name(), theirs, 0)));
  }
}
