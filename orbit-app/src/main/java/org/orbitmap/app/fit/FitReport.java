package org.orbitmap.app.fit;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.orbitmap.app.report.Figure;
import org.orbitmap.app.report.Gallery;
import org.orbitmap.app.report.Report;
import org.orbitmap.app.report.Series;
import org.orbitmap.app.report.Table;
import org.orbitmap.image.Image;
import org.orbitmap.nn.fit.FitConfig;
import org.orbitmap.nn.fit.FitResult;
import org.orbitmap.nn.fit.PoseErrors;

/** The report about a fit: how often the predictor is right, how sure it is, and examples. */
public final class FitReport {
  private static final String NO_ORIENTATION =
      "This data has no orientation that can be found: the predictor is hardly better than guessing. The plain mapping (disc for images) is as good for it.";

  private static final String TOO_FEW =
      "The predictor is hardly better than guessing: either this data has no orientation, and the plain mapping (disc for images) is as good for it, or %,d examples were too few.";

  /** After so many examples a predictor knows an orientation if there is one. */
  private static final long ENOUGH = 20_000;

  private static final int GAP = 4;

  private FitReport() {}

  /** The word about data such as skin lesions or satellite tiles; empty about others. */
  public static String word(FitResult result) {
    return result.errors().oriented()
        ? ""
        : result.examples() < ENOUGH ? TOO_FEW.formatted(result.examples()) : NO_ORIENTATION;
  }

  /** The page beside a file: {@code upright.html} for {@code upright.safetensors}. */
  public static Path beside(Path file) {
    String name = file.toAbsolutePath().getFileName().toString();
    return file.resolveSibling(name.replaceFirst("\\.safetensors$", "") + ".html");
  }

  /** The report, without its provenance. */
  public static Report of(String data, FitConfig config, FitResult result) {
    PoseErrors e = result.errors();
    Report report =
        Report.of("What is upright: " + data)
            .lead(
                "A predictor of %,d parameters, fitted without labels on %,d upright inputs and measured on %,d others. Each came in a pose of its own, was brought to its canonical pose, and then to the pose that the predictor says."
                    .formatted(result.parameters(), result.training(), e.count()));
    if (!e.oriented()) {
      report = report.text(word(result));
    }
    report =
        report
            .fact("%.1f %%".formatted(100 * e.within10()), "within 10°")
            .fact("%.1f %%".formatted(100 * e.within20()), "within 20°")
            .fact("%.1f°".formatted(e.medianErrorDegrees()), "median error")
            .fact("%.1f°".formatted(e.meanErrorDegrees()), "mean error")
            .fact("%.1f %%".formatted(100 * e.calibrationError()), "calibration error");
    report =
        report
            .gallery(gallery("Examples", "The first inputs for validation.", result.shown(), true))
            .gallery(
                gallery(
                    "Surest mistakes", "More than 20° off, and sure of it.", result.shown(), false))
            .figure(errors(result))
            .figure(calibration(e));
    for (String network :
        result.history().stream().map(FitResult.Metrics::network).distinct().toList()) {
      report = report.figure(course(result, network));
    }
    if (!result.restorations().isEmpty()) {
      Table table = Table.of("Restorer", "rotated there", "without (dB)", "with (dB)");
      for (FitResult.Restoration r : result.restorations()) {
        table =
            table.row(
                r.interpolation().id(), "%.2f".formatted(r.before()), "%.2f".formatted(r.after()));
      }
      report =
          report.table(
              table.note(
                  "Peak signal-to-noise ratio of validation images that were rotated by a random angle and back, inside the circle."));
    }
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("data", data);
    facts.put("group", config.group());
    facts.put("size", Integer.toString(config.size()));
    facts.put("seed", Long.toString(config.seed()));
    facts.put("examples", "%,d".formatted(result.examples()));
    facts.put("seconds", "%.0f".formatted(result.seconds()));
    return report.provenance(facts);
  }

  private static Gallery gallery(
      String title, String note, List<FitResult.Shown> all, boolean first) {
    int cut = Math.min(FitResult.FIRST, all.size());
    List<FitResult.Shown> some = first ? all.subList(0, cut) : all.subList(cut, all.size());
    return new Gallery(
        title,
        note + " Each as it is in the data, in its canonical pose, and made upright.",
        some.stream()
            .map(
                s ->
                    new Gallery.Item(
                        strip(s.image(), s.canonical(), s.upright()),
                        "%.0f° off".formatted(s.errorDegrees()),
                        "sure by %.0f %%".formatted(100 * s.confidence())))
            .toList());
  }

  /** Images beside each other on white, samples in [0, 1], small ones enlarged. */
  private static Image strip(Image... images) {
    int h = images[0].height();
    int w = images[0].width();
    int zoom = Math.max(1, 64 / h);
    int width = images.length * (w * zoom + GAP) - GAP;
    int channels = images[0].channels();
    Image sheet = Image.black(channels, h * zoom, width);
    java.util.Arrays.fill(sheet.data(), 1);
    for (int k = 0; k < images.length; k++) {
      for (int c = 0; c < channels; c++) {
        for (int i = 0; i < h * zoom; i++) {
          for (int j = 0; j < w * zoom; j++) {
            float v = images[k].at(c, i / zoom, j / zoom);
            int x = k * (w * zoom + GAP) + j;
            sheet.data()[(c * h * zoom + i) * width + x] = Math.max(0, Math.min(1, v));
          }
        }
      }
    }
    return sheet;
  }

  private static Figure errors(FitResult result) {
    return new Figure.Histogram(
        "Errors",
        "Inputs for validation by the tilt that is left.",
        "error (degrees)",
        result.errorsDegrees());
  }

  private static Figure calibration(PoseErrors e) {
    double[] x = e.calibration().stream().mapToDouble(PoseErrors.Tenth::confidence).toArray();
    double[] y = e.calibration().stream().mapToDouble(PoseErrors.Tenth::within20).toArray();
    double[] ends = {0, 1};
    return new Figure.Lines(
        "Calibration",
        "How often an answer is within 20°, against how sure the predictor was of that. On the diagonal it means what it says.",
        "probability said",
        "share within 20°",
        0,
        1,
        List.of(new Series("measured", x, y), new Series("perfect", ends, ends)));
  }

  private static Figure course(FitResult result, String network) {
    List<FitResult.Metrics> lines =
        result.history().stream().filter(m -> m.network().equals(network)).toList();
    double[] x = lines.stream().mapToDouble(FitResult.Metrics::examples).toArray();
    double[] score = lines.stream().mapToDouble(FitResult.Metrics::score).toArray();
    boolean share = network.equals("predictor");
    List<Series> curves = new ArrayList<>();
    curves.add(new Series(share ? "share within 20°" : "restored (dB)", x, score));
    double low = java.util.Arrays.stream(score).min().orElse(0);
    double high = java.util.Arrays.stream(score).max().orElse(1);
    return new Figure.Lines(
        "Course of the " + network,
        "Measured on inputs for validation while it learned.",
        "examples seen",
        share ? "share within 20°" : "decibels",
        share ? 0 : Math.floor(low),
        share ? 1 : Math.ceil(high + 1e-9),
        curves);
  }
}
