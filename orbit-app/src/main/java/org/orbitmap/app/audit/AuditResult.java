package org.orbitmap.app.audit;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.PrintWriter;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.orbitmap.eval.Agreement;
import org.orbitmap.eval.Robustness;

/**
 * What an audit found about one model.
 *
 * @param model what it is called
 * @param sweeps every answer, by the name of the sweep
 */
public record AuditResult(String model, Map<String, Robustness> sweeps) {
  private static final int FAILING = 5;

  public AuditResult {
    sweeps = Collections.unmodifiableMap(new LinkedHashMap<>(sweeps));
  }

  /** The sweep that stands for the others: bilinear rotation, or else the first. */
  String main() {
    return sweeps.containsKey("bilinear") ? "bilinear" : sweeps.keySet().iterator().next();
  }

  /** The share of right answers on the inputs as they are; null without labels. */
  public Double clean() {
    Robustness first = sweeps.values().iterator().next();
    return first.labelled() ? first.accuracy().clean() : null;
  }

  /** The mean over the classes of their shares of right answers; null without labels. */
  public Double classAccuracy() {
    Robustness first = sweeps.values().iterator().next();
    return first.labelled() ? first.classAccuracy().clean() : null;
  }

  /** The least share, over the sweeps, of inputs that are right in every pose. */
  public double worst() {
    return sweeps.values().stream().mapToDouble(r -> r.accuracy().worst()).min().orElseThrow();
  }

  /** The least share, over the sweeps, of answers that are those on the inputs as they are. */
  public double labelKept() {
    return sweeps.values().stream().mapToDouble(r -> r.agreement().labelKept()).min().orElseThrow();
  }

  /**
   * A model's figures in JSON.
   *
   * @param clean the share of right answers on the inputs as they are; null without labels
   * @param classAccuracy the mean over the classes of that share; null without labels
   * @param modelShare the share of the time that the model took; the rest moved the inputs
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Document(
      String model,
      Double clean,
      Double classAccuracy,
      Map<String, Swept> sweeps,
      double modelShare) {}

  /**
   * The figures of one sweep.
   *
   * @param average the share of right answers over all poses; null without labels
   * @param worst the share of inputs that are right in every pose; null without labels
   * @param classAverage the mean over the classes of the average; null without labels
   * @param classWorst the mean over the classes of the worst; null without labels
   * @param labelKept the share of answers that are those on the inputs as they are
   * @param allKept the share of inputs whose answer never changes
   * @param probabilityChange how far the class probabilities move, in the mean
   * @param failing the weakest poses, the weakest first
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Swept(
      Double average,
      Double worst,
      Double classAverage,
      Double classWorst,
      double labelKept,
      double allKept,
      double probabilityChange,
      List<InPose> perPose,
      List<InPose> failing) {}

  /**
   * The shares of right and of kept answers in a pose.
   *
   * @param angleDegrees its angle; null if it is not one angle
   * @param accuracy null without labels
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record InPose(String pose, Double angleDegrees, Double accuracy, double kept) {
    /** The share that tells how weak the pose is: of right answers, or else of kept ones. */
    private double share() {
      return accuracy == null ? kept : accuracy;
    }
  }

  /** The figures in JSON. */
  public Document document() {
    Map<String, Swept> swept = new LinkedHashMap<>();
    sweeps.forEach((name, r) -> swept.put(name, swept(r)));
    double share =
        sweeps.values().stream()
            .map(Robustness::cost)
            .reduce(Robustness.Cost::plus)
            .orElseThrow()
            .classifierShare();
    return new Document(model, clean(), classAccuracy(), swept, share);
  }

  private static Swept swept(Robustness r) {
    boolean angles = r.unit().equals("°");
    List<InPose> poses =
        r.poses().stream()
            .map(
                p ->
                    new InPose(
                        p.label(),
                        angles ? p.value() : null,
                        r.labelled() ? p.accuracy() : null,
                        p.kept()))
            .toList();
    Agreement agreement = r.agreement();
    return new Swept(
        r.labelled() ? r.accuracy().average() : null,
        r.labelled() ? r.accuracy().worst() : null,
        r.labelled() ? r.classAccuracy().average() : null,
        r.labelled() ? r.classAccuracy().worst() : null,
        agreement.labelKept(),
        agreement.allKept(),
        agreement.probabilityChange(),
        poses,
        poses.stream().sorted(Comparator.comparingDouble(InPose::share)).limit(FAILING).toList());
  }

  /** The figures in percent, a line for each sweep and one for its weakest poses. */
  public void print(PrintWriter text) {
    boolean labelled = clean() != null;
    text.printf("%s%n", model);
    if (labelled) {
      text.printf("  mean over the classes: clean %.2f%n", 100 * classAccuracy());
    }
    text.printf("  %-10s ", "");
    if (labelled) {
      text.printf("%6s %8s %6s ", "clean", "average", "worst");
    }
    text.printf("%10s %8s %12s%n", "label kept", "all kept", "prob. change");
    document()
        .sweeps()
        .forEach(
            (name, s) -> {
              text.printf("  %-10s ", name);
              if (labelled) {
                text.printf(
                    "%6.2f %8.2f %6.2f ", 100 * clean(), 100 * s.average(), 100 * s.worst());
              }
              text.printf(
                  "%10.2f %8.2f %12.2f%n",
                  100 * s.labelKept(), 100 * s.allKept(), 100 * s.probabilityChange());
              text.printf(
                  "  %10s weakest poses: %s%n",
                  "",
                  s.failing().stream()
                      .map(f -> "%s %.1f %%".formatted(f.pose(), 100 * f.share()))
                      .collect(Collectors.joining(", ")));
            });
  }
}
