package org.orbitmap.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.orbitmap.app.report.Report;
import org.orbitmap.app.report.RobustnessReport;
import org.orbitmap.app.report.Series;
import org.orbitmap.eval.Accuracy;
import org.orbitmap.eval.Classifier;
import org.orbitmap.eval.Labelled;
import org.orbitmap.eval.Robustness;
import org.orbitmap.image.AngleSweep;
import org.orbitmap.image.Image;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.RotationMapping;
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
    Map<String, Robustness> others = new LinkedHashMap<>();
    Audited theirs = other == null ? null : audit(other, set, how, angles, others);
    boolean passed =
        minWorst == null
            || mine.interpolations().values().stream().allMatch(s -> s.worst() >= minWorst);
    String page = out == null ? null : report(set, angles, own, others).toString();
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
            .withTrueClass(
                out == null ? Robustness.TrueClass.NONE : Robustness.TrueClass.PROBABILITY)
            .withBatch(Math.max(batch, input.batch()));
    Map<String, Swept> swept = new LinkedHashMap<>();
    double clean = 0;
    Robustness.Cost cost = new Robustness.Cost(0, 0, threads);
    for (Interpolation i : how) {
      Robustness r;
      try (ConsoleProgress progress = output.progress("pictures")) {
        r =
            Robustness.measure(
                model, items(set), AngleSweep.at(Resampling.of(i), angles), settings, progress);
      }
      results.put(i.id(), r);
      cost = cost.plus(r.cost());
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
    return new Audited(name.toString(), clean, swept, cost.classifierShare());
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
      ImageSet set, double[] angles, Map<String, Robustness> own, Map<String, Robustness> others)
      throws IOException {
    List<RobustnessReport.Measured> measured = new ArrayList<>();
    own.forEach((how, r) -> measured.add(measured(model, how, r, set, angles)));
    others.forEach((how, r) -> measured.add(measured(against, how, r, set, angles)));
    // The picture of the curves is typical for the model that the other one is compared with.
    Robustness mine = own.values().iterator().next();
    List<Robustness> pair =
        others.isEmpty() ? List.of(mine) : List.of(others.values().iterator().next(), mine);
    int item = RobustnessReport.typical(pair);
    List<Series> curves = new ArrayList<>();
    if (pair.size() > 1) {
      curves.add(RobustnessReport.curve(label(against), pair.get(0), item));
    }
    curves.add(RobustnessReport.curve(label(model), mine, item));
    double[] margins = new double[set.size()];
    Arrays.setAll(margins, i -> RotationMapping.disc().pose(set.image(i)).margin());
    Map<String, String> facts = output.provenance();
    facts.put("data", data + ", sha-256 " + set.digest());
    facts.put("seed", "nothing is drawn");
    return RobustnessReport.of(set.classes(), measured)
        .teaser(item, curves)
        .margins(
            "How far each picture is, in the L2 norm, from one whose pose is ambiguous (disc).",
            margins)
        .addTo(
            Report.of("Audit of " + model.getFileName())
                .lead(
                    "Accuracy on %,d items of %s as they are, over rotations in steps of %s°, and of the items that are right in every one. Turning a picture interpolates: it is not exactly a group action."
                        .formatted(set.size(), data, Text.of(step))))
        .provenance(facts)
        .writeTo(out.resolve("audit.html"))
        .page();
  }

  private RobustnessReport.Measured measured(
      Path name, String how, Robustness r, ImageSet set, double[] angles) {
    return new RobustnessReport.Measured(label(name), how, r)
        .seen(
            set::image,
            AngleSweep.at(Resampling.of(Interpolation.named(how)), angles),
            Function.identity());
  }

  /** The file's name; with its folder if both files have the same. */
  private String label(Path name) {
    return against == null || !against.getFileName().equals(model.getFileName())
        ? name.getFileName().toString()
        : name.toString();
  }
}
