package org.orbitmap.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.orbitmap.app.report.Figure;
import org.orbitmap.app.report.Gallery;
import org.orbitmap.app.report.Report;
import org.orbitmap.app.report.Series;
import org.orbitmap.app.report.Table;
import org.orbitmap.eval.Accuracy;
import org.orbitmap.eval.Classifier;
import org.orbitmap.eval.Labelled;
import org.orbitmap.eval.Robustness;
import org.orbitmap.eval.Sweep;
import org.orbitmap.group.Rotation2;
import org.orbitmap.image.Image;
import org.orbitmap.image.ImageRotation;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampling;
import org.orbitmap.io.DataSets;
import org.orbitmap.io.FolderImages;
import org.orbitmap.io.FormatException;
import org.orbitmap.io.ImageSet;
import org.orbitmap.nn.TorchScript;
import org.orbitmap.onnx.Layout;
import org.orbitmap.onnx.ModelInput;
import org.orbitmap.onnx.OnnxFile;
import org.orbitmap.onnx.OnnxModel;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Finds out how a model behaves over the whole orbit. */
@Command(
    name = "audit",
    description = {
      "Finds out how a model behaves when its inputs are turned: accuracy on the data as it is"
          + " (clean), over all poses (average), and of the inputs that are right in every pose"
          + " (worst).",
      "",
      "Examples:",
      "  orbit audit model.onnx --data cifar10/ --limit 1000",
      "  orbit audit invariant.onnx --data cifar10/ --against model.onnx --out report/",
      "  orbit audit model.onnx --data test/ --min-worst 0.6   # a gate: exit code 1 below it"
    })
final class AuditCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "MODEL",
      description = "The model: an ONNX file, or a TorchScript file (.pt).")
  private Path model;

  @Option(
      names = "--data",
      required = true,
      paramLabel = "DIR",
      description = "Labelled pictures: CIFAR records, IDX files, or a folder for each class.")
  private Path data;

  @Option(
      names = "--group",
      paramLabel = "GROUP",
      description = "What the data is moved by: rotation (of pictures).",
      defaultValue = "rotation",
      showDefaultValue = picocli.CommandLine.Help.Visibility.ALWAYS)
  private String group;

  @Option(
      names = "--step",
      paramLabel = "DEGREES",
      description = "The angle between two poses; 360 must be a multiple of it.",
      defaultValue = "1",
      showDefaultValue = picocli.CommandLine.Help.Visibility.ALWAYS)
  private double step;

  @Option(
      names = "--interpolation",
      split = ",",
      paramLabel = "NAME",
      description = "How the data is turned: nearest, bilinear, bicubic, or several of them.",
      defaultValue = "bilinear",
      showDefaultValue = picocli.CommandLine.Help.Visibility.ALWAYS)
  private List<String> interpolations;

  @Option(names = "--limit", paramLabel = "N", description = "Only the first N items.")
  private Integer limit;

  @Option(
      names = "--against",
      paramLabel = "OTHER",
      description = "A second model to compare with, on the same data and with the same options.")
  private Path against;

  @Option(
      names = "--min-worst",
      paramLabel = "SHARE",
      description = "Exit with code 1 if a worst accuracy is below this share, from 0 to 1.")
  private Double minWorst;

  @Option(names = "--out", paramLabel = "DIR", description = "Write a report there.")
  private Path out;

  @Option(
      names = "--scores",
      paramLabel = "OUTPUT",
      description = "The output with the class scores, if several could be it.")
  private String scores;

  @Option(names = "--batch", paramLabel = "N", description = "Inputs in one call of the model.")
  private int batch = 16;

  @Mixin private ModelOptions options;
  @Mixin private OutputOptions output;

  /** Accuracy over the poses of one interpolation. */
  private record Swept(
      double average, double worst, List<Double> perAngle, List<Failure> failing) {}

  /** A pose that many inputs fail in. */
  private record Failure(double angle, double accuracy) {}

  private record Audited(
      String model, double clean, Map<String, Swept> interpolations, double modelShare) {}

  private record Answer(
      String model,
      String data,
      int items,
      double step,
      double clean,
      Map<String, Swept> interpolations,
      double modelShare,
      Audited against,
      Double minWorst,
      boolean passed,
      String report) {}

  @Override
  public Integer call() throws Exception {
    if (!group.equalsIgnoreCase("rotation")) {
      throw new IllegalArgumentException(
          "--group: expected rotation (audits of clouds are not built yet), found " + group);
    }
    double[] angles = angles();
    List<Interpolation> how = interpolations.stream().map(Interpolation::named).toList();
    if (minWorst != null && !(minWorst >= 0 && minWorst <= 1)) {
      throw new IllegalArgumentException(
          "--min-worst: expected a share from 0 to 1, found " + minWorst);
    }
    if (batch < 1 || (limit != null && limit < 1)) {
      throw new IllegalArgumentException("--batch and --limit: expected at least 1");
    }
    Subject subject = Subject.of(model, options);
    Subject other = against == null ? null : Subject.of(against, options);
    ImageSet set = read(data, subject.side());
    if (limit != null) {
      set = set.first(limit);
    }
    Map<String, Robustness> own = new LinkedHashMap<>();
    Audited mine = audit(subject, set, how, angles, own);
    Audited theirs = other == null ? null : audit(other, set, how, angles, new LinkedHashMap<>());
    boolean passed =
        minWorst == null
            || mine.interpolations().values().stream().allMatch(s -> s.worst() >= minWorst);
    String page = out == null ? null : report(set, mine, own, theirs, angles).toString();
    Answer answer =
        new Answer(
            model.toString(),
            data.toString(),
            set.size(),
            step,
            mine.clean(),
            mine.interpolations(),
            mine.modelShare(),
            theirs,
            minWorst,
            passed,
            page);
    int items = set.size();
    output.print(
        answer,
        text -> {
          text.printf("%,d items of %s, %d poses%n", items, data, angles.length);
          print(text, mine);
          if (theirs != null) {
            print(text, theirs);
          }
          if (minWorst != null) {
            text.printf(
                "%s: worst accuracy %s %.1f %%%n",
                passed ? "passed" : "failed", passed ? "at least" : "below", 100 * minWorst);
          }
        });
    if (page != null) {
      output.note("report: " + page);
    }
    return passed ? Errors.OK : Errors.CHECK_FAILED;
  }

  private static void print(java.io.PrintWriter text, Audited a) {
    text.printf("%s%n", a.model());
    text.printf("  %-10s %6s %8s %6s%n", "", "clean", "average", "worst");
    a.interpolations()
        .forEach(
            (name, s) -> {
              text.printf(
                  "  %-10s %6.2f %8.2f %6.2f%n",
                  name, 100 * a.clean(), 100 * s.average(), 100 * s.worst());
              text.printf(
                  "  %10s weakest poses: %s%n",
                  "",
                  String.join(
                      ", ",
                      s.failing().stream()
                          .map(f -> "%s° %.1f %%".formatted(f.angle(), 100 * f.accuracy()))
                          .toList()));
            });
  }

  private double[] angles() {
    double count = 360 / step;
    if (!(step > 0) || Math.abs(count - Math.rint(count)) > 1e-9 || count > 36000) {
      throw new IllegalArgumentException(
          "--step: expected degrees that divide 360, at least 0.01, found " + step);
    }
    return IntStream.range(0, (int) Math.rint(count)).mapToDouble(i -> i * step).toArray();
  }

  /** A model to audit: an ONNX file whose input is known, or a TorchScript file. */
  private record Subject(
      Path name, OnnxFile file, ModelInput.Pictures input, ModelOptions options) {
    static Subject of(Path name, ModelOptions options) throws IOException {
      if (TorchScript.isTorchScript(name)) {
        return new Subject(name, null, null, options);
      }
      OnnxFile file = OnnxFile.read(name);
      if (ModelInput.of(file, options.hints()) instanceof ModelInput.Pictures pictures) {
        return new Subject(name, file, pictures, options);
      }
      throw new IllegalArgumentException(
          "%s: expected a model of pictures, found %s"
              .formatted(name, ModelInput.of(file, options.hints())));
    }

    /** The side of square pictures; 0 if the model does not tell. */
    int side() {
      int height = input == null ? options.hints().height() : input.height();
      int width = input == null ? options.hints().width() : input.width();
      return height == width ? Math.max(0, height) : 0;
    }

    /** What the model takes: what it says, or for TorchScript what the data is. */
    ModelInput.Pictures takes(ImageSet set) {
      if (input == null) {
        Layout layout = options.hints().layout();
        return ModelInput.Pictures.free(
            layout == null ? Layout.NCHW : layout, set.channels(), set.height(), set.width());
      }
      if (set.channels() != input.channels()
          || set.height() != input.height()
          || set.width() != input.width()) {
        throw new IllegalArgumentException(
            "%s: expected data of %d x %d x %d (channels, rows, columns), found %s"
                .formatted(name, input.channels(), input.height(), input.width(), set.shape()));
      }
      return input;
    }
  }

  private Audited audit(
      Subject subject,
      ImageSet set,
      List<Interpolation> how,
      double[] angles,
      Map<String, Robustness> results)
      throws IOException {
    ModelInput.Pictures input = subject.takes(set);
    if (subject.file() == null) {
      TorchScript script = TorchScript.read(subject.name());
      Classifier<Image> classifier = input.classifier(options.preprocessing(input), script::rows);
      return audit(subject.name(), classifier, input, 1, set, how, angles, results);
    }
    try (OnnxModel opened = OnnxModel.open(subject.file(), OnnxModel.Threads.ACROSS)) {
      String output = scores == null ? opened.scoreOutput() : scores;
      Classifier<Image> classifier = opened.pictures(input, options.preprocessing(input), output);
      int threads = Runtime.getRuntime().availableProcessors();
      return audit(subject.name(), classifier, input, threads, set, how, angles, results);
    }
  }

  private Audited audit(
      Path name,
      Classifier<Image> model,
      ModelInput.Pictures input,
      int threads,
      ImageSet set,
      List<Interpolation> how,
      double[] angles,
      Map<String, Robustness> results) {
    Robustness.Settings settings =
        Robustness.Settings.defaults()
            .withThreads(threads)
            .withBatch(Math.max(batch, input.batch()));
    LongAdder inModel = new LongAdder();
    long start = System.nanoTime();
    Map<String, Swept> swept = new LinkedHashMap<>();
    double clean = 0;
    Classifier<Image> classifier = timed(model, inModel);
    for (Interpolation i : how) {
      ImageRotation action = new ImageRotation(Resampling.of(i));
      Sweep<Image> sweep = Sweep.of("rotation, " + i, "°", action, angles, Rotation2::ofDegrees);
      Robustness r;
      try (ConsoleProgress progress = output.progress("pictures")) {
        r = Robustness.measure(classifier, items(set), sweep, settings, progress);
      }
      results.put(i.id(), r);
      Accuracy a = r.accuracy();
      clean = a.clean();
      swept.put(
          i.id(),
          new Swept(
              a.average(),
              a.worst(),
              r.poses().stream().map(Robustness.PoseAccuracy::accuracy).toList(),
              r.poses().stream()
                  .sorted(java.util.Comparator.comparingDouble(Robustness.PoseAccuracy::accuracy))
                  .limit(5)
                  .map(p -> new Failure(p.value(), p.accuracy()))
                  .toList()));
    }
    double share = inModel.sum() / (double) threads / (System.nanoTime() - start);
    return new Audited(name.toString(), clean, swept, share);
  }

  /** All pictures of a folder with folders of classes, the test part of any other data set. */
  private static ImageSet read(Path data, int side) throws IOException {
    if (!Files.isDirectory(data)) {
      throw new FormatException(data, "a folder of labelled pictures", "none");
    }
    return DataSets.kind(data) == DataSets.Kind.CLASS_FOLDERS
        ? FolderImages.read(data.getFileName().toString(), data, side)
        : DataSets.load(data.toString(), null, DataSets.Split.TEST, side);
  }

  private static Classifier<Image> timed(Classifier<Image> classifier, LongAdder nanos) {
    return images -> {
      long start = System.nanoTime();
      float[][] rows = classifier.scores(images);
      nanos.add(System.nanoTime() - start);
      return rows;
    };
  }

  private static List<Labelled<Image>> items(ImageSet set) {
    return new java.util.AbstractList<>() {
      @Override
      public Labelled<Image> get(int i) {
        return new Labelled<>(set.image(i), set.labels()[i]);
      }

      @Override
      public int size() {
        return set.size();
      }
    };
  }

  private Path report(
      ImageSet set, Audited mine, Map<String, Robustness> own, Audited theirs, double[] angles)
      throws Exception {
    Files.createDirectories(out);
    Table table = Table.of("Accuracy in %", "model", "interpolation", "clean", "average", "worst");
    List<Series> curves = new ArrayList<>();
    for (Audited a : theirs == null ? List.of(mine) : List.of(mine, theirs)) {
      for (Map.Entry<String, Swept> e : a.interpolations().entrySet()) {
        Swept s = e.getValue();
        table =
            table.row(
                a.model(),
                e.getKey(),
                percent(a.clean()),
                percent(s.average()),
                percent(s.worst()));
        curves.add(
            Series.overCircle(
                Path.of(a.model()).getFileName() + ", " + e.getKey(),
                s.perAngle().stream().mapToDouble(Double::doubleValue).toArray()));
      }
    }
    Report report =
        Report.of("Audit of " + model.getFileName())
            .lead(
                "Accuracy on %,d items of %s as they are, over %d rotations, and of the items that are right in every one. Turning a picture interpolates: it is not exactly a group action."
                    .formatted(set.size(), data, angles.length))
            .fact(percent(mine.clean()) + " %", "clean")
            .table(table)
            .figure(new Figure.Polar("Accuracy by angle", "A circle is invariance.", curves));
    for (Map.Entry<String, Robustness> e : own.entrySet()) {
      report = report.gallery(failing(set, e.getKey(), e.getValue(), angles));
    }
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("version", Main.Version.current());
    facts.put("model", model.toString());
    facts.put("data", data + ", sha-256 " + set.digest());
    facts.put("step", step + "°");
    facts.put("time in the model", "%.0f %%".formatted(100 * mine.modelShare()));
    report = report.provenance(facts);
    return report.writeTo(out.resolve("audit.html")).page();
  }

  /** Items that are right as they are and wrong in some pose. */
  private static Gallery failing(ImageSet set, String how, Robustness r, double[] angles) {
    List<Gallery.Item> items = new ArrayList<>();
    ImageRotation action = new ImageRotation(Resampling.of(Interpolation.named(how)));
    for (int i = 0; i < set.size() && items.size() < 12; i++) {
      if (r.cleanPrediction(i) != r.label(i) || r.failingPose(i).isEmpty()) {
        continue;
      }
      int pose = r.failingPose(i).getAsInt();
      items.add(
          new Gallery.Item(
              action.act(Rotation2.ofDegrees(angles[pose]), set.image(i)),
              "%s° → %s".formatted(angles[pose], set.classes().get(r.prediction(i, pose))),
              "item %d, %s; %d of %d poses fail"
                  .formatted(i, set.classes().get(r.label(i)), r.misses(i).size(), angles.length)));
    }
    return new Gallery("Failing poses, " + how, "Right as they are, wrong when turned.", items);
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.2f", 100 * share);
  }
}
