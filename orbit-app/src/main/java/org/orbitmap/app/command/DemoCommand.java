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
import org.orbitmap.app.report.Figure;
import org.orbitmap.app.report.Report;
import org.orbitmap.app.report.RobustnessReport;
import org.orbitmap.app.report.RotationFigure;
import org.orbitmap.app.report.Series;
import org.orbitmap.app.report.Table;
import org.orbitmap.app.sample.DemoExperiment;
import org.orbitmap.app.sample.DemoModel;
import org.orbitmap.app.sample.Samples;
import org.orbitmap.app.serve.api.Pages;
import org.orbitmap.eval.Accuracy;
import org.orbitmap.eval.Agreement;
import org.orbitmap.eval.Robustness;
import org.orbitmap.image.mapping.RotationMapping;
import org.orbitmap.io.FolderLock;
import org.orbitmap.io.data.ImageSet;
import org.orbitmap.io.image.ImageFiles;
import org.orbitmap.onnx.graph.OnnxFile;
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
          + " orbit mapping, and both are tested all around the circle. Under two minutes.",
      "",
      "At last the way to a model of your own: one that comes with orbit is audited and wrapped as"
          + " yours would be."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  orbit demo", "  orbit demo --out /tmp/demo --json"})
public final class DemoCommand implements Callable<Integer> {
  private static final String AUDIT = "orbit audit MODEL.onnx --data IMAGES/";
  private static final String WRAP = "orbit wrap MODEL.onnx --out INVARIANT.onnx";

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
      Figures plain,
      Figures mapped,
      OwnModel model,
      String page) {}

  /** A model file before and after it was wrapped. */
  record OwnModel(String file, String wrapped, int frames, Figures before, Figures after) {}

  /** How a model does over all angles. */
  record Figures(
      double clean,
      double average,
      double worst,
      double labelKept,
      double allKept,
      double probabilityChange) {
    static Figures of(Robustness r) {
      Accuracy right = r.accuracy();
      Agreement kept = r.agreement();
      return new Figures(
          right.clean(),
          right.average(),
          right.worst(),
          kept.labelKept(),
          kept.allKept(),
          kept.probabilityChange());
    }

    String[] row(String name) {
      return new String[] {
        name,
        percent(clean),
        percent(average),
        percent(worst),
        percent(labelKept),
        percent(allKept),
        percent(probabilityChange)
      };
    }
  }

  @Override
  public Integer call() throws IOException {
    try (FolderLock lock = FolderLock.take(out)) {
      lock.removeLeftovers();
      return show();
    }
  }

  private int show() throws IOException {
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
    output.note("auditing and wrapping a model file …");
    DemoModel own;
    try (ConsoleProgress progress = output.progress("images")) {
      OnnxFile file = OnnxFile.decode("drawings", Pages.resource("drawings.onnx"));
      own = DemoModel.run(file, progress);
    }
    OwnModel model = write(own);
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
        own(
                experiment(experiment)
                    .addTo(clouds.addTo(start).section("A network, with and without")),
                model,
                own)
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
            Figures.of(experiment.plain()),
            Figures.of(experiment.mapped()),
            model,
            written.page().toString());
    output.print(document, text -> print(text, document));
    return Errors.OK;
  }

  /** Writes both files, as a user would have them. */
  private OwnModel write(DemoModel own) throws IOException {
    Path bare = out.resolve("model.onnx");
    Path wrapped = out.resolve("invariant.onnx");
    own.model().write(bare);
    own.wrapped().write(wrapped);
    return new OwnModel(
        bare.toString(),
        wrapped.toString(),
        DemoModel.FRAMES,
        Figures.of(own.plain()),
        Figures.of(own.mapped()));
  }

  private static Report own(Report report, OwnModel model, DemoModel own) {
    return report
        .section("A model of your own")
        .text(
            "A network that was trained upright, in an ONNX file as yours would be, audited and wrapped with %d frames. Yours: %s, then %s."
                .formatted(model.frames(), AUDIT, WRAP))
        .table(
            Table.of(
                    "Before and after, in %",
                    "model",
                    "clean",
                    "average",
                    "worst",
                    "label kept",
                    "all kept",
                    "probability change")
                .note(
                    "%d drawings at %d angles. Label kept: answers that are those on the image as it is; all kept: images whose answer never changes."
                        .formatted(own.plain().items(), own.plain().poses().size()))
                .row(model.before().row("model.onnx"))
                .row(model.after().row("invariant.onnx")))
        .figure(
            new Figure.Polar(
                "Answers that stay",
                "The share of answers at each angle that are those on the image as it is, from the centre (0 %) outward.",
                List.of(kept("model.onnx", own.plain()), kept("invariant.onnx", own.mapped()))));
  }

  private static Series kept(String name, Robustness r) {
    return new Series(
        name,
        r.poses().stream().mapToDouble(Robustness.PoseAccuracy::value).toArray(),
        r.poses().stream().mapToDouble(Robustness.PoseAccuracy::kept).toArray());
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
    table(text, document.plain().row("plain"), document.mapped().row("with orbit mapping"));
    OwnModel own = document.model();
    text.printf("A model file, before and after it was wrapped with %d frames:%n", own.frames());
    table(text, own.before().row("model.onnx"), own.after().row("invariant.onnx"));
    text.println("files:  " + own.file() + ", " + own.wrapped());
    text.println("page:   " + document.page());
    text.println();
    text.println("Now yours (images need no labels):");
    text.println("  " + AUDIT);
    text.println("  " + WRAP);
  }

  private static void table(PrintWriter text, String[] before, String[] after) {
    String line = "%20s %9s %9s %9s %11s %9s %13s%n";
    text.printf(line, "", "clean", "average", "worst", "label kept", "all kept", "prob. change");
    text.printf(line, (Object[]) before);
    text.printf(line, (Object[]) after);
  }
}
