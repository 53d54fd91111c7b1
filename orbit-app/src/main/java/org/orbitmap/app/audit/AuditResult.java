package org.orbitmap.app.audit;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.PrintWriter;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
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

  /** The share of right answers on the inputs as they are. */
  public double clean() {
    return sweeps.values().iterator().next().accuracy().clean();
  }

  /** The least share, over the sweeps, of inputs that are right in every pose. */
  public double worst() {
    return sweeps.values().stream().mapToDouble(r -> r.accuracy().worst()).min().orElseThrow();
  }

  /**
   * A model's figures in JSON.
   *
   * @param modelShare the share of the time that the model took; the rest moved the inputs
   */
  public record Document(
      String model, double clean, Map<String, Swept> sweeps, double modelShare) {}

  /**
   * The figures of one sweep.
   *
   * @param average the share of right answers over all poses
   * @param worst the share of inputs that are right in every pose
   * @param failing the weakest poses, the weakest first
   */
  public record Swept(double average, double worst, List<InPose> perPose, List<InPose> failing) {}

  /**
   * The share of right answers in a pose.
   *
   * @param angleDegrees its angle; null if it is not one angle
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record InPose(String pose, Double angleDegrees, double accuracy) {}

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
    return new Document(model, clean(), swept, share);
  }

  private static Swept swept(Robustness r) {
    boolean angles = r.unit().equals("°");
    List<InPose> poses =
        r.poses().stream()
            .map(p -> new InPose(p.label(), angles ? p.value() : null, p.accuracy()))
            .toList();
    return new Swept(
        r.accuracy().average(),
        r.accuracy().worst(),
        poses,
        poses.stream()
            .sorted(Comparator.comparingDouble(InPose::accuracy))
            .limit(FAILING)
            .toList());
  }

  /** The figures in percent, a line for each sweep and one for its weakest poses. */
  public void print(PrintWriter text) {
    text.printf("%s%n", model);
    text.printf("  %-10s %6s %8s %6s%n", "", "clean", "average", "worst");
    document()
        .sweeps()
        .forEach(
            (name, s) -> {
              text.printf(
                  "  %-10s %6.2f %8.2f %6.2f%n",
                  name, 100 * clean(), 100 * s.average(), 100 * s.worst());
              text.printf(
                  "  %10s weakest poses: %s%n",
                  "",
                  s.failing().stream()
                      .map(f -> "%s %.1f %%".formatted(f.pose(), 100 * f.accuracy()))
                      .collect(Collectors.joining(", ")));
            });
  }
}
