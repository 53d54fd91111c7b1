package org.orbitmap.app.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.orbitmap.app.option.ConsoleProgress;
import org.orbitmap.app.option.DataOptions;
import org.orbitmap.app.option.Errors;
import org.orbitmap.app.option.OutputOptions;
import org.orbitmap.app.report.Report;
import org.orbitmap.app.report.RobustnessReport;
import org.orbitmap.app.report.Series;
import org.orbitmap.eval.Progress;
import org.orbitmap.eval.Robustness;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.mapping.RotationMapping;
import org.orbitmap.io.UserError;
import org.orbitmap.io.data.ImageSet;
import org.orbitmap.io.data.LabelledFiles;
import org.orbitmap.io.data.Split;
import org.orbitmap.nn.network.MappingConfig;
import org.orbitmap.nn.network.Model;
import org.orbitmap.nn.train.Evaluation;
import org.orbitmap.nn.train.TrainConfig;
import org.orbitmap.nn.train.Trainer;
import org.orbitmap.paper.Reproduction;
import org.orbitmap.paper.Tables;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code orbit evaluate}. */
@Command(
    name = "evaluate",
    description = {
      "Clean, average and worst accuracy of a trained network over all rotations.",
      "",
      "The worst case counts an image as wrong as soon as one angle is. Images are rotated "
          + "before they are normalised."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  orbit evaluate runs/glyphs --step 5",
      "  orbit evaluate runs/c --data data/cifar10 --limit 200 --interpolation bilinear --json",
      "  orbit evaluate runs/c --data data --mapping disc   (orbit mapping only in the test)",
    })
public final class EvaluateCommand implements Callable<Integer> {
  @Parameters(paramLabel = "RUN", description = "The folder of a run, or a model file.")
  private Path run;

  @Option(
      names = "--step",
      paramLabel = "DEGREES",
      description = "Degrees between the angles. Default: ${DEFAULT-VALUE}")
  private double step = 1;

  @Option(
      names = "--interpolation",
      split = ",",
      paramLabel = "NAMES",
      description = "How images are rotated. Default: nearest,bilinear,bicubic")
  private List<Interpolation> interpolations = List.of(Interpolation.values());

  @Option(
      names = "--outside",
      paramLabel = "black|mean",
      description =
          "What rotated images show outside: black, or the mean colour, as the paper's authors"
              + " have it in evaluation. Default: ${DEFAULT-VALUE}")
  private String outside = "black";

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "Only N test images: the first, or of files, evenly from every class.")
  private Integer limit;

  @Option(
      names = "--mapping",
      paramLabel = "RULE",
      description = "Measure with this mapping in front (disc, paper, …), or none.")
  private String mapping;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Batches at once. Default: one for each processor")
  private int threads;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Write a report there: evaluation.html, and its figures as SVG and PNG.")
  private Path out;

  @Mixin private DataOptions data;
  @Mixin private OutputOptions output;

  /** What is printed. */
  record Document(
      String run,
      String data,
      int images,
      double step,
      String outside,
      MappingConfig mapping,
      double clean,
      Map<String, Evaluation.Score> interpolations) {}

  @Override
  public Integer call() throws IOException {
    if (limit != null && limit < 1) {
      throw UserError.expected("--limit", "1 or more images", limit, "");
    }
    if (threads < 0) {
      throw UserError.expected("--threads", "1 or more, or 0 for each processor", threads, "");
    }
    OutputOptions.requireFolder(out);
    if (!outside.equals("black") && !outside.equals("mean")) {
      throw UserError.expected("--outside", "black or mean", outside, "");
    }
    boolean mean = outside.equals("mean");
    Model model = model(run);
    if (mapping != null) {
      MappingConfig now = model.description().mapping();
      model =
          model.with(mapping.equals("none") ? MappingConfig.NONE : now.rule(mapping).when("test"));
    }
    TrainConfig config = Trainer.config(run);
    ImageSet set = data.images(config.data(), Split.TEST, config.size(), limit == null ? 0 : limit);
    Evaluation e;
    try (ConsoleProgress progress = output.progress("images")) {
      // The report shows the probability of the true class.
      Robustness.TrueClass keep =
          out == null ? Robustness.TrueClass.NONE : Robustness.TrueClass.SCORE;
      e = Evaluation.measure(model, set, interpolations, step, mean, threads, keep, progress);
    }
    Document document =
        new Document(
            run.toString(),
            set.name(),
            e.images(),
            e.step(),
            outside,
            model.description().mapping(),
            e.clean(),
            e.interpolations());
    if (out != null) {
      output.note("report: " + report(e, set, model, config));
    }
    output.print(
        document,
        o -> {
          o.printf(
              "%s on %d images of %s, steps of %s°%n",
              document.run(), document.images(), document.data(), number(step));
          o.printf("clean     %5.1f %%%n", 100 * document.clean());
          Map<String, Evaluation.Score> scores = new LinkedHashMap<>(document.interpolations());
          scores.forEach(
              (name, s) ->
                  o.printf(
                      "%-9s average %5.1f %%   worst %5.1f %%%n",
                      name, 100 * s.average(), 100 * s.worst()));
        });
    return Errors.OK;
  }

  private static String number(double v) {
    return v == Math.rint(v) ? Long.toString((long) v) : Double.toString(v);
  }

  /** The same numbers as a page, beside those of the paper, with every answer's figures. */
  private Path report(Evaluation e, ImageSet set, Model model, TrainConfig config)
      throws IOException {
    MappingConfig used = model.description().mapping();
    boolean mapped = !used.when().equals("none");
    Optional<Reproduction.Table> table = Tables.paper(config.with("data", set.name()), used.when());
    List<RobustnessReport.Measured> measured = new ArrayList<>();
    e.parts()
        .forEach(
            (how, part) -> {
              RobustnessReport.Measured m =
                  new RobustnessReport.Measured(name(run), how, part.answers())
                      .seen(set::image, part.sweep(), Function.identity());
              measured.add(
                  table
                      .map(t -> m.paper(t.rows().get(0).paper(Interpolation.named(how))))
                      .orElse(m));
            });
    RotationMapping rule = mapped ? used.mapping() : RotationMapping.disc();
    double[] margins = new double[set.size()];
    Arrays.setAll(margins, i -> rule.pose(set.image(i)).margin());
    Map<String, String> facts = output.provenance();
    facts.put("data", set.name() + ", sha-256 " + set.digest());
    facts.put("seed", Long.toString(config.seed()));
    facts.put(
        "network",
        "%s, %,d parameters"
            .formatted(model.description().architecture().kind().id(), model.parameters()));
    facts.put("mapping", mapped ? rule.name() + ", " + used.when() : "none");
    facts.put("outside", outside);
    return teaser(RobustnessReport.of(set.classes(), measured), e, set, model)
        .note(table.map(t -> paper(t, config)).orElse(""))
        .margins(
            "How far each test image is, in the L2 norm, from one whose pose is ambiguous (%s)."
                .formatted(rule.name()),
            margins)
        .addTo(
            Report.of("Evaluation of " + name(run))
                .lead(
                    "Accuracy on %,d images of %s: as they are, on average over all angles in steps of %s°, and of those that are right at every angle. Rotating an image interpolates: it is not exactly a group action."
                        .formatted(e.images(), set.name(), number(step))))
        .provenance(facts)
        .writeTo(out.resolve("evaluation.html"))
        .page();
  }

  /** One image with and without the mapping: of the run, or else the default one. */
  private RobustnessReport teaser(
      RobustnessReport report, Evaluation e, ImageSet set, Model model) {
    Evaluation.Part part = e.parts().getOrDefault("bilinear", e.parts().values().iterator().next());
    MappingConfig used = model.description().mapping();
    boolean mapped = !used.when().equals("none");
    int item = RobustnessReport.typical(List.of(part.answers()));
    Robustness other =
        Evaluation.robustness(
            model.with(mapped ? MappingConfig.NONE : used.when("test")),
            set.subset(new int[] {item}),
            part.sweep(),
            1,
            Robustness.TrueClass.SCORE,
            Progress.OFF);
    Series own =
        RobustnessReport.curve(
            mapped ? "with orbit mapping" : "without mapping", part.answers(), item);
    Series another =
        RobustnessReport.curve(
            mapped
                ? "same network without it"
                : "same network behind %s, not retrained".formatted(used.rule()),
            other,
            0);
    return report.teaser(item, List.of(own, another));
  }

  private static String paper(Reproduction.Table table, TrainConfig config) {
    double width = config.network().width();
    return "Paper: %s.%s %s"
        .formatted(
            table.title(),
            width == 1 ? "" : " Here the network has %s of its channels.".formatted(number(width)),
            String.join(" ", table.remarks()).replace("`", ""));
  }

  private static String name(Path run) {
    return LabelledFiles.name(run);
  }

  /** The model of a run or of a file. */
  public static Model model(Path run) throws IOException {
    if (!Files.exists(run)) {
      throw UserError.expected(run.toString(), "the folder of a run", "nothing there", "");
    }
    Path file = Files.isDirectory(run) ? Trainer.modelFile(run) : run;
    if (!Files.exists(file)) {
      throw UserError.expected(
          run.toString(),
          "a finished run, with " + file.getFileName(),
          Files.exists(run.resolve("config.yaml")) ? "an unfinished one" : "none",
          "Finish it with: orbit train --resume " + run);
    }
    return Model.load(file);
  }
}
