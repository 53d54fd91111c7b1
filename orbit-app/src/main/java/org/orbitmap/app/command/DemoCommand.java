package org.orbitmap.app.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.orbitmap.app.option.ConsoleProgress;
import org.orbitmap.app.option.Errors;
import org.orbitmap.app.option.OutputOptions;
import org.orbitmap.app.option.Text;
import org.orbitmap.app.report.CloudFigure;
import org.orbitmap.app.report.Report;
import org.orbitmap.app.report.RobustnessReport;
import org.orbitmap.app.report.RotationFigure;
import org.orbitmap.app.sample.DemoExperiment;
import org.orbitmap.app.sample.Samples;
import org.orbitmap.eval.Accuracy;
import org.orbitmap.eval.Robustness;
import org.orbitmap.image.mapping.RotationMapping;
import org.orbitmap.io.data.ImageSet;
import org.orbitmap.io.image.ImageFiles;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code orbit demo}: see it work, with nothing to download. */
@Command(
    name = "demo",
    description = {
      "Show orbit mapping at work, with nothing to download.",
      "",
      "An image in several orientations and what the mapping makes of each (the paper's Figure 2),"
          + " as a PNG and a page, with the angle errors in numbers; and a solid, moved, scaled and"
          + " its points shuffled, with its canonical pose below.",
      "",
      "Then the whole experiment: a small network learns to read drawn signs, once plain and once with"
          + " orbit mapping, and both are tested all around the circle. Under two minutes."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  orbit demo", "  orbit demo --out /tmp/demo --json"})
public final class DemoCommand implements Callable<Integer> {
  @Mixin private OutputOptions output;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "orbit-demo",
      description = "Where the page and the images go; default: ${DEFAULT-VALUE}.")
  private Path out;

  /** One orientation of the image. */
  record Angle(double degrees, double errorDegrees, double paperErrorDegrees, double margin) {}

  /** What the command reports. */
  record Document(
      List<Angle> angles,
      double worstErrorDegrees,
      double worstPaperErrorDegrees,
      String figure,
      double worstCloudDifference,
      String cloudFigure,
      Accuracy plain,
      Accuracy mapped,
      String page) {}

  @Override
  public Integer call() throws IOException {
    RotationFigure figure = RotationFigure.of(Samples.boat(128), 0, 37, 90, 137, 201, 298);
    Path image = out.resolve("rotations.png");
    ImageFiles.writePng(image, figure.sheet());
    CloudFigure clouds = CloudFigure.of(6);
    Path solid = out.resolve("clouds.png");
    ImageFiles.writePng(solid, clouds.sheet());
    output.note("training a small network, plain and with orbit mapping …");
    DemoExperiment experiment;
    try (ConsoleProgress progress = output.progress("images")) {
      experiment = DemoExperiment.run(progress);
    }
    Report start =
        figure.addTo(
            Report.of("Orbit mapping, seen")
                .lead(
                    "Before the network, one element of the input's orbit is picked by a fixed"
                        + " rule: whatever follows is invariant by construction.")
                .fact(
                    "%.3f°".formatted(figure.worstDegrees()),
                    "largest error of the default mapping")
                .fact(
                    "%.3f°".formatted(figure.worstPaperDegrees()),
                    "largest error of the mapping of the paper's text")
                .fact(
                    "%.0e".formatted(clouds.worst()),
                    "largest relative difference of two canonical clouds"));
    Report report =
        experiment(experiment)
            .addTo(clouds.addTo(start).section("A network, with and without"))
            .provenance(output.provenance())
            .provenance(
                Map.of(
                    "data",
                    "glyphs, drawn by code, sha-256 " + experiment.test().digest(),
                    "seed",
                    Long.toString(DemoExperiment.SEED)));
    Report.Written written = report.writeTo(out.resolve("index.html"));
    Document document =
        new Document(
            figure.rows().stream()
                .map(
                    r ->
                        new Angle(r.degrees(), r.errorDegrees(), r.paperErrorDegrees(), r.margin()))
                .toList(),
            figure.worstDegrees(),
            figure.worstPaperDegrees(),
            image.toString(),
            clouds.worst(),
            solid.toString(),
            experiment.plain().accuracy(),
            experiment.mapped().accuracy(),
            written.page().toString());
    output.print(document, text -> print(text, document));
    return Errors.OK;
  }

  private static RobustnessReport experiment(DemoExperiment experiment) {
    ImageSet test = experiment.test();
    int item = RobustnessReport.typical(List.of(experiment.plain(), experiment.mapped()));
    double[] margins = new double[test.size()];
    Arrays.setAll(margins, i -> RotationMapping.disc().pose(test.image(i)).margin());
    return RobustnessReport.of(
            test.classes(),
            List.of(
                measured("plain", experiment.plain(), experiment),
                measured("with orbit mapping", experiment.mapped(), experiment)))
        .note("Both were trained on upright signs only.")
        .teaser(
            item,
            List.of(
                RobustnessReport.curve("plain", experiment.plain(), item),
                RobustnessReport.curve("with orbit mapping", experiment.mapped(), item)))
        .margins(
            "How far each sign is, in the L2 norm, from one whose pose is ambiguous.", margins);
  }

  private static RobustnessReport.Measured measured(
      String name, Robustness r, DemoExperiment experiment) {
    return new RobustnessReport.Measured(name, "bilinear", r)
        .seen(experiment.test()::image, experiment.sweep(), Function.identity());
  }

  private static String[] row(String name, Accuracy a) {
    return new String[] {name, percent(a.clean()), percent(a.average()), percent(a.worst())};
  }

  private static String percent(double share) {
    return "%.1f %%".formatted(100 * share);
  }

  private static void print(PrintWriter text, Document document) {
    text.println("One image, rotated; how far its canonical orientation moves:");
    text.printf("%14s %14s %14s %10s%n", "rotated by (°)", "disc (°)", "paper (°)", "margin");
    for (Angle a : document.angles()) {
      text.printf(
          "%14s %14.4f %14.4f %10.3f%n",
          Text.of(a.degrees()), a.errorDegrees(), a.paperErrorDegrees(), a.margin());
    }
    text.println("figure: " + document.figure());
    text.printf(
        "One solid, moved, scaled and shuffled; its canonical cloud changes by at most %.1e%n",
        document.worstCloudDifference());
    text.println("figure: " + document.cloudFigure());
    text.println("A network trained on upright signs, tested all around the circle:");
    text.printf("%20s %9s %9s %9s%n", "", "clean", "average", "worst");
    text.printf("%20s %9s %9s %9s%n", (Object[]) row("plain", document.plain()));
    text.printf("%20s %9s %9s %9s%n", (Object[]) row("with orbit mapping", document.mapped()));
    text.println("page:   " + document.page());
  }
}
