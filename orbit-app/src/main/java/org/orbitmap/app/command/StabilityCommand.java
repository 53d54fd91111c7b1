package org.orbitmap.app.command;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.orbitmap.app.option.ConsoleProgress;
import org.orbitmap.app.option.DataOptions;
import org.orbitmap.app.option.Errors;
import org.orbitmap.app.option.InterpolationConverter;
import org.orbitmap.app.option.OutputOptions;
import org.orbitmap.app.option.Text;
import org.orbitmap.app.report.Figure;
import org.orbitmap.app.report.Report;
import org.orbitmap.app.report.Series;
import org.orbitmap.app.report.Table;
import org.orbitmap.group.Rotation2;
import org.orbitmap.image.Image;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.mapping.PoseRule;
import org.orbitmap.image.mapping.Stability;
import org.orbitmap.io.FolderLock;
import org.orbitmap.io.UserError;
import org.orbitmap.io.data.Choice;
import org.orbitmap.io.data.ImageSet;
import org.orbitmap.io.data.LabelledFiles;
import org.orbitmap.io.data.PlainImages;
import org.orbitmap.io.data.source.DataFinder;
import org.orbitmap.io.data.source.DataSets;
import org.orbitmap.io.image.ImageFiles;
import org.orbitmap.model.InputShape;
import org.orbitmap.model.MappingSpec;
import org.orbitmap.upright.UprightMapping;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code orbit stability}: appendix C of the paper. */
@Command(
    name = "stability",
    description = {
      "Measure how still each mapping keeps the canonical pose of rotated images.",
      "",
      "Every image is rotated by 0°, 1°, … 359°, with Gaussian noise on each copy if asked for; the"
          + " standard deviation of its canonical orientation would be 0° for a perfect mapping"
          + " (paper, appendix C). The table also has the paper's numbers where there are any.",
      "",
      "--data is a data set of images, or any folder of image files: they need no labels and may"
          + " differ in size."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  orbit stability --data cifar10",
      "  orbit stability --data photos/ --limit 50",
      "  orbit stability --data cifar10 --out report/ --mapping disc,paper --noise 0,0.01 --json",
    })
public final class StabilityCommand implements Callable<Integer> {
  /** Mean standard deviation in the paper's table (appendix C), by mapping and noise variance. */
  private static final Map<String, Map<Double, Double>> PAPER =
      Map.of(
          "released",
          Map.of(0.0, 10.46, 0.01, 11.36, 0.05, 14.08, 0.1, 16.69),
          "central",
          Map.of(0.0, 12.47),
          "forward",
          Map.of(0.0, 23.89));

  /** The shares of images under 4° and 10° in the paper's text, for its mapping without noise. */
  private static final double[] PAPER_UNDER = {0.44, 0.78};

  @Mixin private OutputOptions output;

  @Mixin private DataOptions data;

  @Option(
      names = "--mapping",
      split = ",",
      paramLabel = "RULE",
      defaultValue = "disc,paper,released,central,forward",
      description = "Comma-separated, also upright:FILE; default: ${DEFAULT-VALUE}.")
  private List<String> mappings;

  @Option(
      names = "--noise",
      split = ",",
      paramLabel = "VARIANCE",
      defaultValue = "0,0.01,0.05,0.1",
      description = "Variances of the noise on samples from 0 to 1; default: ${DEFAULT-VALUE}.")
  private double[] noise;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description =
          "Only N images: the first of data in records, which is mixed; of files evenly from all, in"
              + " alphabetical order. Default: all.")
  private Integer limit;

  @Option(
      names = "--size",
      paramLabel = "N",
      defaultValue = "256",
      description =
          "Image files with a longer side are scaled down to it; default: ${DEFAULT-VALUE}.")
  private int size;

  @Option(
      names = "--step",
      paramLabel = "DEGREES",
      defaultValue = "1",
      description = "Between two copies; 360 must be a multiple of it; default: ${DEFAULT-VALUE}.")
  private double step;

  @Option(
      names = "--interpolation",
      converter = InterpolationConverter.class,
      paramLabel = "KIND",
      defaultValue = "bilinear",
      description = "How the copies are rotated; default: ${DEFAULT-VALUE}.")
  private Interpolation interpolation;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Of the noise; default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Write a report with the histograms here: report.html.")
  private Path out;

  /** One row of the table. */
  record Row(
      String mapping,
      double noise,
      double meanStdDegrees,
      double under4,
      double under10,
      Double paperMeanStdDegrees,
      Double paperUnder4,
      Double paperUnder10) {}

  /** What the command reports. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Document(
      String data,
      int images,
      double stepDegrees,
      String interpolation,
      long seed,
      double seconds,
      List<Row> results,
      String report,
      List<String> histograms) {}

  /** The mappings that are kept in files. */
  private List<UprightMapping<Rotation2>> fitted() {
    List<UprightMapping<Rotation2>> all = new ArrayList<>();
    for (String name : mappings.stream().filter(m -> MappingSpec.file(m).isPresent()).toList()) {
      InputShape<Image> any = new InputShape.Images(3, 1, 1);
      if (!(new MappingSpec(name, "", Resampling.BILINEAR).mapping(any)
              instanceof UprightMapping<?> m)
          || m.fitted().settings().mirrors()) {
        throw UserError.expected("--mapping", "mappings of rotations (so2)", name, "");
      }
      all.add(UprightMapping.rotations(m.fitted(), Resampling.BILINEAR));
    }
    return all;
  }

  @Override
  public Integer call() throws IOException {
    List<PoseRule> rules =
        mappings.stream().filter(m -> MappingSpec.file(m).isEmpty()).map(PoseRule::named).toList();
    List<UprightMapping<Rotation2>> fitted = fitted();
    for (double variance : noise) {
      if (!(variance >= 0) || Double.isInfinite(variance)) {
        throw new UserError("--noise: expected variances >= 0, found " + variance);
      }
    }
    if (limit != null && limit < 1) {
      throw new UserError("--limit: expected at least 1, found " + limit);
    }
    if (size < 1) {
      throw UserError.expected("--size", "at least 1", size, "");
    }
    OutputOptions.requireFolder(out);
    if (out == null) {
      return measure(rules, fitted);
    }
    try (FolderLock lock = FolderLock.take(out)) {
      lock.removeLeftovers();
      return measure(rules, fitted);
    }
  }

  private int measure(List<PoseRule> rules, List<UprightMapping<Rotation2>> fitted)
      throws IOException {
    Stability study = new Stability(step, interpolation, seed);
    Images set = images();
    long start = System.nanoTime();
    List<Stability.Result> results = new ArrayList<>();
    int n = set.images().size();
    try (ConsoleProgress progress = output.progress("images")) {
      long total = (long) n * (fitted.size() + 1);
      results.addAll(
          study.measure(set.images(), rules, noise, (done, of) -> progress.update(done, total)));
      for (int i = 0; i < fitted.size(); i++) {
        long before = (long) n * (i + 1);
        results.addAll(
            study.measure(
                set.images(),
                fitted.get(i),
                noise,
                (done, of) -> progress.update(before + done, total)));
      }
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    List<Row> rows = results.stream().map(StabilityCommand::row).toList();
    Report.Written written =
        out == null
            ? null
            : report(set, seconds, results, rows).writeTo(out.resolve("report.html"));
    Document document =
        new Document(
            data.value(),
            set.images().size(),
            step,
            interpolation.id(),
            seed,
            seconds,
            rows,
            written == null ? null : written.page().toString(),
            written == null
                ? null
                : written.figures().stream()
                    .map(Path::toString)
                    .filter(name -> name.endsWith(".png"))
                    .toList());
    output.print(document, text -> print(text, document));
    if (written != null && !written.note().isEmpty()) {
      output.warn(written.note());
    }
    return Errors.OK;
  }

  /** What is measured. */
  private record Images(List<Image> images, String digest) {}

  /** The images of a data set in records; or else the files in a folder, which need no labels. */
  private Images images() throws IOException {
    int most = limit == null ? 0 : limit;
    Path place = data.value() == null ? null : data.root();
    boolean set =
        place == null
            || DataSets.named(data.value()).isPresent()
            || DataSets.at(place).filter(s -> !s.isLayout()).isPresent()
            || LabelledFiles.below(place, ImageFiles::isImage).isEmpty();
    if (set) {
      if (place != null && Files.isDirectory(place) && DataSets.in(place).isEmpty()) {
        throw UserError.expected(
            place.toString(), "image files or a data set of images", "neither", "");
      }
      DataFinder.Found found = data.find(null);
      ImageSet read = ImageSet.of(found.load(found.auditSplit(), Choice.ALL.withLimit(most)));
      return new Images(
          IntStream.range(0, read.size()).mapToObj(i -> read.image(i).grey()).toList(),
          read.digest());
    }
    PlainImages read = PlainImages.read(place, size, most);
    if (read.scaled() > 0) {
      output.note(
          "%d of %d images are larger than %d and were scaled down; --size N chooses another size"
              .formatted(read.scaled(), read.files().size(), size));
    }
    return new Images(read.images().stream().map(Image::grey).toList(), read.digest());
  }

  private static Row row(Stability.Result r) {
    Double paper = PAPER.getOrDefault(r.mapping(), Map.of()).get(r.noiseVariance());
    boolean told = r.mapping().equals("released") && r.noiseVariance() == 0;
    return new Row(
        r.mapping(),
        r.noiseVariance(),
        r.meanStdDegrees(),
        r.under(4),
        r.under(10),
        paper,
        told ? PAPER_UNDER[0] : null,
        told ? PAPER_UNDER[1] : null);
  }

  private Report report(Images set, double seconds, List<Stability.Result> results, List<Row> rows)
      throws IOException {
    Table table =
        Table.of(
                "Standard deviation of the canonical orientation",
                "mapping",
                "noise variance",
                "mean std (°)",
                "paper",
                "under 4°",
                "paper",
                "under 10°",
                "paper")
            .note(
                "The paper's figures are for 10,000 images in steps of 1° and the mapping that its authors released; their names for the others are central and forward differences.");
    for (Row r : rows) {
      table =
          table.row(
              r.mapping(),
              Text.of(r.noise()),
              "%.3f".formatted(r.meanStdDegrees()),
              r.paperMeanStdDegrees() == null ? "–" : "%.2f".formatted(r.paperMeanStdDegrees()),
              percent(r.under4()),
              percent(r.paperUnder4()),
              percent(r.under10()),
              percent(r.paperUnder10()));
    }
    Report report =
        Report.of("Stability of the canonical pose")
            .lead(
                "%d images, each rotated in steps of %s° (%s). A perfect mapping has 0°."
                    .formatted(set.images().size(), Text.of(step), interpolation));
    for (Row r : rows) {
      if (r.noise() == noise[0]) {
        report = report.fact("%.2f°".formatted(r.meanStdDegrees()), r.mapping());
      }
    }
    report = report.table(table);
    if (noise.length > 1) {
      report = report.figure(byNoise(rows));
    }
    for (Stability.Result r : results) {
      if (r.noiseVariance() == noise[0]) {
        report =
            report.figure(
                new Figure.Histogram(
                    "Histogram of %s".formatted(r.mapping()),
                    "Images by the standard deviation of their canonical orientation, noise"
                        + " variance %s.".formatted(Text.of(r.noiseVariance())),
                    "standard deviation (degrees)",
                    r.stdDegrees()));
      }
    }
    Map<String, String> provenance = output.provenance();
    provenance.put("data", data.value() + ", sha-256 " + set.digest());
    provenance.put("seed", Long.toString(seed));
    provenance.put("seconds", "%.1f".formatted(seconds));
    return report.provenance(provenance);
  }

  private Figure byNoise(List<Row> rows) {
    double[] variances = Arrays.stream(noise).sorted().distinct().toArray();
    List<Series> curves = new ArrayList<>();
    for (String mapping : rows.stream().map(Row::mapping).distinct().toList()) {
      curves.add(
          new Series(
              mapping,
              variances,
              Arrays.stream(variances)
                  .map(
                      v ->
                          rows.stream()
                              .filter(r -> r.mapping().equals(mapping) && r.noise() == v)
                              .mapToDouble(Row::meanStdDegrees)
                              .findFirst()
                              .orElse(Double.NaN))
                  .toArray()));
    }
    double most = rows.stream().mapToDouble(Row::meanStdDegrees).max().orElse(1);
    return new Figure.Lines(
        "Noise",
        "Mean standard deviation against the variance of the noise on each rotated copy.",
        "noise variance",
        "mean std (degrees)",
        0,
        Math.max(1e-6, 1.05 * most),
        curves);
  }

  private static String percent(Double share) {
    return share == null ? "–" : "%.1f %%".formatted(100 * share);
  }

  private static void print(PrintWriter text, Document document) {
    text.printf(
        "%d images, steps of %s°, %s, %.1f s%n",
        document.images(),
        Text.of(document.stepDegrees()),
        document.interpolation(),
        document.seconds());
    text.printf(
        "%-10s %8s %14s %10s %10s %10s%n",
        "mapping", "noise", "mean std (°)", "under 4°", "under 10°", "paper (°)");
    for (Row r : document.results()) {
      text.printf(
          "%-10s %8s %14.3f %9.1f%% %9.1f%% %10s%n",
          r.mapping(),
          Text.of(r.noise()),
          r.meanStdDegrees(),
          100 * r.under4(),
          100 * r.under10(),
          r.paperMeanStdDegrees() == null ? "" : "%.2f".formatted(r.paperMeanStdDegrees()));
    }
    if (document.report() != null) {
      text.println("report: " + document.report());
    }
  }
}
