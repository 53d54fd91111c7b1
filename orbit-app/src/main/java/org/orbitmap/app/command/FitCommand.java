package org.orbitmap.app.command;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.orbitmap.app.fit.FitData;
import org.orbitmap.app.fit.FitReport;
import org.orbitmap.app.model.TrainingOutput;
import org.orbitmap.app.option.ConsoleProgress;
import org.orbitmap.app.option.DataOptions;
import org.orbitmap.app.option.Errors;
import org.orbitmap.app.option.OutputOptions;
import org.orbitmap.app.report.Report;
import org.orbitmap.io.UserError;
import org.orbitmap.nn.fit.FitConfig;
import org.orbitmap.nn.fit.FitRecipe;
import org.orbitmap.nn.fit.FitResult;
import org.orbitmap.nn.fit.Fitter;
import org.orbitmap.nn.fit.PoseErrors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code orbit fit}. */
@Command(
    name = "fit",
    description = {
      "Learn what is upright: fit a predictor for the mapping upright:FILE.",
      "",
      "From upright images without labels (a data set, or a folder of images of any size) a small"
          + " network learns by which angle a canonical image must be rotated to be upright. Images"
          + " are their own teachers: each is rotated by a known angle. The mapping stays an orbit"
          + " mapping whatever the network says, since it sees the canonical image alone.",
      "Of clouds and meshes (z up) it learns which way is up and which way they face.",
      "",
      "Stopped at any moment, even by kill -9, the same command goes on from the checkpoints in the"
          + " folder FILE.fit beside the file; the result is the same, bit for bit. A report with"
          + " examples is written beside the file: FILE.html."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  orbit fit --data cifar10 --minutes 60 --out upright.safetensors",
      "  orbit fit --data photos/ --size 48 --restore --out upright.safetensors",
      "  orbit fit --data modelnet40 --group similarity3 --out upright3.safetensors",
      "  orbit fit --data cifar10 --limit 2000 --minutes 3 --out quick.safetensors --json",
      "  orbit map photos/ --mapping upright:upright.safetensors --out canonical/",
    })
public final class FitCommand implements Callable<Integer> {
  @Mixin private DataOptions data;
  @Mixin private OutputOptions output;

  @Option(
      names = "--group",
      paramLabel = "GROUP",
      description =
          "Images: so2, rotations (default); o2, mirror images are told apart, too. Clouds:"
              + " similarity3 (default; the same as sim3), se3, so3.")
  private String group;

  @Option(
      names = "--restore",
      description =
          "Also train a restorer: a few convolutions behind the mapping that undo the blur of"
              + " interpolated rotations.")
  private boolean restore;

  @Option(
      names = "--minutes",
      paramLabel = "M",
      description =
          "Take no longer, counted over all parts of a fit that was stopped: fewer examples if need"
              + " be. Default: as long as the recipe says.")
  private Double minutes;

  @Option(
      names = "--size",
      paramLabel = "S",
      description =
          "The side of the reduced image that the predictor sees (default: 32), or the number of"
              + " points (default: 512).")
  private Integer size;

  @Option(names = "--limit", paramLabel = "N", description = "Only N inputs; default: all.")
  private Integer limit;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "0",
      description = "Of everything random; default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      required = true,
      description = "The predictor, a safetensors file.")
  private Path out;

  /** What the restorer gains. */
  record Restored(String interpolation, double before, double after) {}

  /** What the command reports. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Document(
      String file,
      String data,
      String group,
      int size,
      int bins,
      Integer images,
      Integer clouds,
      int validation,
      long examples,
      long parameters,
      double seconds,
      long seed,
      double within10,
      double within20,
      double meanErrorDegrees,
      double medianErrorDegrees,
      double calibrationError,
      List<PoseErrors.Tenth> calibration,
      double chance,
      boolean oriented,
      List<Restored> restorer,
      String note,
      String report) {}

  @Override
  public Integer call() throws IOException {
    long start = System.nanoTime();
    if (minutes != null && !(minutes > 0 && minutes < 1e6)) {
      throw UserError.expected("--minutes", "more than 0", minutes, "");
    }
    if (limit != null && limit < 1) {
      throw UserError.expected("--limit", "at least 1", limit, "");
    }
    if (size != null && (size < FitConfig.SIDES || size > 65_536)) {
      throw UserError.expected("--size", "%d or more".formatted(FitConfig.SIDES), size, "");
    }
    if (Files.isDirectory(out)) {
      throw UserError.expected("--out", "a file, such as upright.safetensors", "a folder", "");
    }
    OutputOptions.requireFolder(out.toAbsolutePath().getParent());
    FitData read = FitData.read(data, size == null ? 0 : size, limit == null ? 0 : limit);
    FitConfig config = config(read);
    FitResult result;
    try (ConsoleProgress progress = output.progress("examples")) {
      Fitter fitter =
          read.validation().isPresent()
              ? Fitter.of(config, read.training(), read.validation().get())
              : Fitter.of(config, read.training());
      result =
          fitter
              .since(start)
              .seconds(minutes == null ? 0 : 60 * minutes)
              .listener(new TrainingOutput(output, progress))
              .fit(out);
    }
    Report.Written written =
        FitReport.of(read.training().name(), config, result)
            .provenance(output.provenance())
            .writeTo(FitReport.beside(out));
    Document document = document(read, config, result, written.page());
    output.print(document, text -> print(text, document));
    if (!written.note().isEmpty()) {
      output.warn(written.note());
    }
    return Errors.OK;
  }

  /** What is fitted, for the kind of the data. */
  private FitConfig config(FitData read) {
    boolean images = read.images();
    List<String> able = images ? FitConfig.IMAGE_GROUPS : FitConfig.CLOUD_GROUPS;
    String asked = group == null ? (images ? "so2" : "sim3") : group;
    String chosen = asked.equals("similarity3") ? "sim3" : asked;
    if (!able.contains(chosen)) {
      throw UserError.expected(
          "--group",
          "%s for %s".formatted(String.join(" or ", able), images ? "images" : "clouds"),
          asked,
          "");
    }
    if (restore && !images) {
      throw UserError.expected("--restore", "images", "clouds", "Poses of clouds do not blur them");
    }
    if (images && size != null && (size % FitConfig.SIDES != 0 || size > 512)) {
      throw UserError.expected(
          "--size", "a multiple of %d, at most 512".formatted(FitConfig.SIDES), size, "");
    }
    int wanted = size == null ? FitData.SIDE : size;
    if (images && read.size() < wanted) {
      output.note(
          "some images are smaller than %d x %<d: the predictor sees %d x %<d"
              .formatted(wanted, read.size()));
    }
    FitRecipe recipe = images ? FitRecipe.standard() : FitRecipe.clouds();
    return new FitConfig(chosen, restore, read.size(), seed, 0, recipe);
  }

  private Document document(FitData read, FitConfig config, FitResult r, Path page) {
    PoseErrors e = r.errors();
    return new Document(
        out.toString(),
        read.training().name(),
        config.group(),
        config.size(),
        config.recipe().bins(),
        read.images() ? r.training() : null,
        read.images() ? null : r.training(),
        e.count(),
        r.examples(),
        r.parameters(),
        Math.round(10 * r.seconds()) / 10.0,
        seed,
        e.within10(),
        e.within20(),
        e.meanErrorDegrees(),
        e.medianErrorDegrees(),
        e.calibrationError(),
        e.calibration(),
        e.chance(),
        e.oriented(),
        r.restorations().isEmpty()
            ? null
            : r.restorations().stream()
                .map(x -> new Restored(x.interpolation().id(), x.before(), x.after()))
                .toList(),
        e.oriented() ? null : FitReport.word(r),
        page.toString());
  }

  private static void print(PrintWriter text, Document d) {
    text.printf(
        "%s: %,d parameters, %,d examples of %,d %s, %.0f s%n",
        d.file(),
        d.parameters(),
        d.examples(),
        d.images() == null ? d.clouds() : d.images(),
        d.images() == null ? "clouds" : "images",
        d.seconds());
    text.printf(
        "%,d for validation: %.1f %% within 10° of upright, %.1f %% within 20° (by guessing: %.1f %%)%n",
        d.validation(), 100 * d.within10(), 100 * d.within20(), 100 * d.chance());
    text.printf(
        "error: median %.1f°, mean %.1f°; calibration error %.1f %%%n",
        d.medianErrorDegrees(), d.meanErrorDegrees(), 100 * d.calibrationError());
    if (d.restorer() != null) {
      for (Restored r : d.restorer()) {
        text.printf(
            "restorer, %s rotations: %.2f dB, %.2f dB without%n",
            r.interpolation(), r.after(), r.before());
      }
    }
    if (d.note() != null) {
      text.println(d.note());
    }
    text.println("report: " + d.report());
  }
}
