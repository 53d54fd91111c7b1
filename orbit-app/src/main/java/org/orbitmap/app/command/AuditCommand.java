package org.orbitmap.app.command;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.orbitmap.app.option.CloudGroups;
import org.orbitmap.app.option.ConsoleProgress;
import org.orbitmap.app.option.DataOptions;
import org.orbitmap.app.option.Errors;
import org.orbitmap.app.option.ModelOptions;
import org.orbitmap.app.option.OutputOptions;
import org.orbitmap.app.report.Report;
import org.orbitmap.app.report.RobustnessReport;
import org.orbitmap.app.report.Series;
import org.orbitmap.cloud.CloudSweeps;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.cloud.mapping.CloudMapping;
import org.orbitmap.eval.Classifier;
import org.orbitmap.eval.Labelled;
import org.orbitmap.eval.Robustness;
import org.orbitmap.eval.Sweep;
import org.orbitmap.group.SimilarityGroup;
import org.orbitmap.image.AngleSweep;
import org.orbitmap.image.Image;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.mapping.RotationMapping;
import org.orbitmap.io.data.Choice;
import org.orbitmap.io.data.CloudSet;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.io.data.ImageSet;
import org.orbitmap.io.data.source.DataFinder;
import org.orbitmap.model.Layout;
import org.orbitmap.model.ModelInput;
import org.orbitmap.nn.tensor.TorchScript;
import org.orbitmap.onnx.graph.OnnxFile;
import org.orbitmap.onnx.run.OnnxModel;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Finds out how a model behaves over the whole orbit. */
@Command(
    name = "audit",
    description = {
      "Finds out how a model behaves when its inputs are moved: accuracy on the data as it is"
          + " (clean), over all poses (average), and of the inputs that are right in every pose"
          + " (worst). Images are rotated and mirrored; point clouds are rotated, scaled and"
          + " shifted.",
      "",
      "Examples:",
      "  orbit audit model.onnx --data cifar10/ --limit 1000",
      "  orbit audit invariant.onnx --data cifar10/ --against model.onnx --out report/",
      "  orbit audit pointnet.onnx --data modelnet40/ --group so3",
      "  orbit audit pointnet.pt --data modelnet40/ --group similarity3",
      "  orbit audit model.onnx --data test/ --min-worst 0.6   # a gate: exit code 1 below it"
    })
public final class AuditCommand implements Callable<Integer> {
  /** Random elements of the group that clouds are moved by. */
  private static final int RANDOM_POSES = 64;

  private static final int ALL_CORES = Runtime.getRuntime().availableProcessors();

  @Parameters(
      paramLabel = "MODEL",
      description = "The model: an ONNX file, or a TorchScript file (.pt).")
  private Path model;

  @Option(
      names = "--data",
      required = true,
      paramLabel = "DIR",
      description = {
        "Labelled images: CIFAR records, IDX files, or a folder for each class.",
        "Labelled clouds: IDX files, or a folder for each class with clouds or meshes.",
        "What is not there is looked for in $ORBIT_DATA."
      })
  private Path data;

  @Option(
      names = "--group",
      paramLabel = "GROUP",
      description = {
        "What the data is moved by. Images: rotation (default), or o2, which also mirrors them.",
        "Clouds: similarity3 (default), se3, so3, scale, translation, and with mirror images o3, e3,"
            + " similarity3-mirrored. Each of rotations (a grid of two angles), scales and shifts"
            + " is a sweep of its own, and so are random elements of the group.",
        "A TorchScript file does not tell what it takes: clouds if a group of clouds is given."
      })
  private String group;

  @Option(
      names = "--step",
      paramLabel = "DEGREES",
      description =
          "The angle between two poses; 360 must be a multiple of it (default: 1 for images, 22.5"
              + " for both angles of clouds).")
  private Double step;

  @Option(
      names = "--interpolation",
      split = ",",
      paramLabel = "NAME",
      description =
          "How images are rotated: nearest, bilinear (default), bicubic, or several of them.")
  private List<String> interpolations;

  @Option(
      names = "--points",
      paramLabel = "N",
      description =
          "Points of each cloud, for models that take any number: drawn from the surface of meshes,"
              + " chosen at random from larger clouds (default: the points that are there).")
  private Integer points;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Of the random poses and points of clouds (default: 1).")
  private long seed = 1;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description =
          "Only N items: the first of data in records, which is mixed; of files and clouds, which"
              + " stand class by class, the first of each class, the second of each, and so on.")
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

  @Option(names = "--batch", paramLabel = "N", description = "Inputs in one call of the model.")
  private int batch = 16;

  @Mixin private ModelOptions options;
  @Mixin private OutputOptions output;

  /** Accuracy over the poses of one sweep; by angle for images, by the name of the pose else. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  private record Swept(
      double average,
      double worst,
      List<Double> perAngle,
      List<InPose> perPose,
      List<InPose> failing) {}

  /** Accuracy in a pose. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  private record InPose(String pose, Double angle, double accuracy) {
    static InPose of(Robustness r, Robustness.PoseAccuracy p) {
      return new InPose(p.label(), r.unit().equals("°") ? p.value() : null, p.accuracy());
    }
  }

  @JsonInclude(JsonInclude.Include.NON_NULL)
  private record Audited(
      String model,
      double clean,
      Map<String, Swept> interpolations,
      Map<String, Swept> sweeps,
      double modelShare) {
    static Audited of(Path model, Map<String, Robustness> results, boolean images) {
      Map<String, Swept> swept = new LinkedHashMap<>();
      results.forEach((name, r) -> swept.put(name, swept(r, images)));
      double clean = results.values().iterator().next().accuracy().clean();
      Robustness.Cost cost =
          results.values().stream().map(Robustness::cost).reduce(Robustness.Cost::plus).get();
      return new Audited(
          model.toString(),
          clean,
          images ? swept : null,
          images ? null : swept,
          cost.classifierShare());
    }

    private static Swept swept(Robustness r, boolean images) {
      boolean angles = images && r.unit().equals("°");
      return new Swept(
          r.accuracy().average(),
          r.accuracy().worst(),
          angles ? r.poses().stream().map(Robustness.PoseAccuracy::accuracy).toList() : null,
          angles ? null : r.poses().stream().map(p -> InPose.of(r, p)).toList(),
          r.poses().stream()
              .sorted(Comparator.comparingDouble(Robustness.PoseAccuracy::accuracy))
              .limit(5)
              .map(p -> InPose.of(r, p))
              .toList());
    }

    Map<String, Swept> all() {
      return interpolations == null ? sweeps : interpolations;
    }
  }

  @JsonInclude(JsonInclude.Include.NON_NULL)
  private record Answer(
      String model,
      String data,
      String group,
      int items,
      Integer points,
      double step,
      double clean,
      Map<String, Swept> interpolations,
      Map<String, Swept> sweeps,
      double modelShare,
      Audited against,
      Double minWorst,
      boolean passed,
      String report) {}

  @Override
  public Integer call() throws Exception {
    if (minWorst != null && !(minWorst >= 0 && minWorst <= 1)) {
      throw new IllegalArgumentException(
          "--min-worst: expected a share from 0 to 1, found " + minWorst);
    }
    if (batch < 1 || (limit != null && limit < 1) || (points != null && points < 1)) {
      throw new IllegalArgumentException("--batch, --limit and --points: expected at least 1");
    }
    OutputOptions.requireFolder(out);
    Subject subject = Subject.of(model, options);
    Subject other = against == null ? null : Subject.of(against, options);
    boolean scriptOfClouds =
        subject.input() == null
            && group != null
            && CloudGroups.OF_SPACE.contains(group.trim().toLowerCase(Locale.ROOT));
    return scriptOfClouds || subject.input() instanceof ModelInput.Clouds
        ? clouds(subject, other)
        : images(subject, other);
  }

  private int images(Subject subject, Subject other) throws Exception {
    String moves = group == null ? "rotation" : group.trim().toLowerCase(Locale.ROOT);
    if (!List.of("rotation", "o2").contains(moves)) {
      throw new IllegalArgumentException(
          "--group: expected rotation or o2 for images, found " + group);
    }
    if (points != null) {
      throw new IllegalArgumentException("--points: expected with models of clouds, found images");
    }
    double[] angles = angles(1, 36_000);
    Map<String, Sweep<Image>> sweeps = new LinkedHashMap<>();
    for (String name : interpolations == null ? List.of("bilinear") : interpolations) {
      Interpolation i = Interpolation.named(name);
      Resampling how = Resampling.of(i);
      sweeps.put(
          i.id(),
          moves.equals("o2") ? AngleSweep.mirrored(how, angles) : AngleSweep.at(how, angles));
    }
    ImageSet set = ImageSet.of(read(Choice.ALL.withSide(subject.side())));
    if (other != null) {
      other.takes(set);
      other.requireOpens();
    }
    Map<String, Robustness> own = audit(subject, set, sweeps);
    Map<String, Robustness> others = other == null ? Map.of() : audit(other, set, sweeps);
    Audited mine = Audited.of(model, own, true);
    Audited theirs = other == null ? null : Audited.of(against, others, true);
    String page = out == null ? null : report(set, sweeps, own, others).toString();
    return answer(moves, set.size(), null, 360.0 / angles.length, mine, theirs, page);
  }

  private int clouds(Subject subject, Subject other) throws Exception {
    SimilarityGroup moves = CloudGroups.ofSpace(group);
    int told = subject.input() instanceof ModelInput.Clouds c ? c.points() : -1;
    if (interpolations != null) {
      throw new IllegalArgumentException(
          "--interpolation: expected with models of images, found one of clouds");
    }
    if (points != null && told > 0 && points != told) {
      throw new IllegalArgumentException(
          "--points: expected %d as the model takes, found %d".formatted(told, points));
    }
    int angles = angles(22.5, 190).length;
    Map<String, Sweep<PointCloud>> sweeps = new LinkedHashMap<>();
    for (Sweep<PointCloud> s : CloudSweeps.of(moves, angles, RANDOM_POSES, new Random(seed))) {
      sweeps.put(s.name(), s);
    }
    int size = told > 0 ? told : points == null ? 0 : points;
    CloudSet set = CloudSet.of(read(Choice.ALL.withPoints(size).withSeed(seed)));
    if (other != null) {
      if (other.file() != null) {
        other.takes(set);
      }
      other.requireOpens();
    }
    Map<String, Robustness> own = audit(subject, set, sweeps);
    Map<String, Robustness> others = other == null ? Map.of() : audit(other, set, sweeps);
    Audited mine = Audited.of(model, own, false);
    Audited theirs = other == null ? null : Audited.of(against, others, false);
    String page = out == null ? null : report(set, moves, own, others).toString();
    return answer(moves.name(), set.size(), set.points(), 360.0 / angles, mine, theirs, page);
  }

  private int answer(
      String of, int items, Integer size, double angle, Audited mine, Audited theirs, String page) {
    boolean passed =
        minWorst == null || mine.all().values().stream().allMatch(s -> s.worst() >= minWorst);
    output.print(
        new Answer(
            model.toString(),
            data.toString(),
            of,
            items,
            size,
            angle,
            mine.clean(),
            mine.interpolations(),
            mine.sweeps(),
            mine.modelShare(),
            theirs,
            minWorst,
            passed,
            page),
        text -> {
          text.printf("%,d items of %s, moved by %s%n", items, data, of);
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
    a.all()
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
                          .map(f -> "%s %.1f %%".formatted(f.pose(), 100 * f.accuracy()))
                          .toList()));
            });
  }

  /** All multiples of the step below 360°, at most so many. */
  private double[] angles(double usual, int most) {
    double by = step == null ? usual : step;
    double count = 360 / by;
    if (!(by > 0) || Math.abs(count - Math.rint(count)) > 1e-9 || count > most) {
      throw new IllegalArgumentException(
          "--step: expected degrees that divide 360, at least %.3g, found %s"
              .formatted(360.0 / most, by));
    }
    return IntStream.range(0, (int) Math.rint(count)).mapToDouble(i -> i * by).toArray();
  }

  /** A model to audit: an ONNX file, or a TorchScript file, which tells no input. */
  private record Subject(Path name, OnnxFile file, ModelInput<?> input, ModelOptions options) {
    static Subject of(Path name, ModelOptions options) throws IOException {
      if (TorchScript.isTorchScript(name)) {
        return new Subject(name, null, null, options);
      }
      OnnxFile file = OnnxFile.read(name);
      return new Subject(name, file, file.input(options.hints()), options);
    }

    /** Finds out now what would be said after everything else is measured. */
    void requireOpens() throws IOException {
      if (file == null) {
        TorchScript.read(name);
        return;
      }
      try (OnnxModel opened = OnnxModel.open(file)) {
        opened.scoreOutput(options.scores());
      }
    }

    /** The side of square images; 0 if the model does not tell. */
    int side() {
      int height = options.hints().height();
      int width = options.hints().width();
      if (input instanceof ModelInput.Images p) {
        height = p.height();
        width = p.width();
      }
      return height == width ? Math.max(0, height) : 0;
    }

    /** What the model takes: what it says, or for TorchScript what the data is. */
    ModelInput.Images takes(ImageSet set) {
      if (input == null) {
        Layout layout = options.hints().layout();
        return ModelInput.Images.free(
            layout == null ? Layout.NCHW : layout, set.channels(), set.height(), set.width());
      }
      if (!(input instanceof ModelInput.Images p)) {
        throw new IllegalArgumentException(
            "%s: expected a model of images, found %s".formatted(name, input));
      }
      if (set.channels() != p.channels()
          || set.height() != p.height()
          || set.width() != p.width()) {
        throw new IllegalArgumentException(
            "%s: expected data of %d x %d x %d (channels, rows, columns), found %s"
                .formatted(name, p.channels(), p.height(), p.width(), set.describe()));
      }
      return p;
    }

    /** What the model takes, if it is what the data is. */
    ModelInput.Clouds takes(CloudSet set) {
      if (input instanceof ModelInput.Clouds c && (c.points() < 0 || c.points() == set.points())) {
        return c;
      }
      throw new IllegalArgumentException(
          "%s: expected a model of clouds of %d points, found %s"
              .formatted(name, set.points(), input));
    }

    /** What a TorchScript model takes, found out by trying. */
    ModelInput.Clouds tried(TorchScript script, CloudSet set) {
      IllegalArgumentException refused = null;
      for (boolean pointsFirst : new boolean[] {false, true}) {
        ModelInput.Clouds clouds = ModelInput.Clouds.free(pointsFirst);
        try {
          clouds
              .classifier(name, org.orbitmap.model.Preprocessing.NONE, script::rows)
              .scores(set.clouds().subList(0, 1));
          return clouds;
        } catch (IllegalArgumentException e) {
          refused = e;
        }
      }
      throw new IllegalArgumentException(
          "%s: expected a model of clouds N x 3 x P or N x P x 3, found one that takes neither: %s"
              .formatted(name, refused.getMessage()));
    }
  }

  private Map<String, Robustness> audit(
      Subject subject, ImageSet set, Map<String, Sweep<Image>> sweeps) throws IOException {
    ModelInput.Images input = subject.takes(set);
    if (subject.file() == null) {
      TorchScript script = TorchScript.read(subject.name());
      Classifier<Image> classifier =
          input.classifier(subject.name(), options.preprocessing(input), script::rows);
      return audit(classifier, 1, input, set.items(), sweeps, "images");
    }
    try (OnnxModel opened = OnnxModel.open(subject.file(), OnnxModel.Threads.ACROSS)) {
      Classifier<Image> classifier =
          opened.classifier(
              input, options.preprocessing(input), opened.scoreOutput(options.scores()));
      return audit(classifier, ALL_CORES, input, set.items(), sweeps, "images");
    }
  }

  private Map<String, Robustness> audit(
      Subject subject, CloudSet set, Map<String, Sweep<PointCloud>> sweeps) throws IOException {
    if (subject.file() == null) {
      TorchScript script = TorchScript.read(subject.name());
      ModelInput.Clouds input = subject.tried(script, set);
      options.preprocessing(input); // refuses what only images have
      return audit(
          input.classifier(subject.name(), options.preprocessing(input), script::rows),
          1,
          input,
          set.items(),
          sweeps,
          "clouds");
    }
    ModelInput.Clouds input = subject.takes(set);
    options.preprocessing(input);
    try (OnnxModel opened = OnnxModel.open(subject.file(), OnnxModel.Threads.ACROSS)) {
      Classifier<PointCloud> classifier =
          opened.classifier(
              input, options.preprocessing(input), opened.scoreOutput(options.scores()));
      return audit(classifier, ALL_CORES, input, set.items(), sweeps, "clouds");
    }
  }

  private <X> Map<String, Robustness> audit(
      Classifier<X> classifier,
      int threads,
      ModelInput<?> input,
      List<Labelled<X>> items,
      Map<String, Sweep<X>> sweeps,
      String unit) {
    Robustness.Settings settings =
        Robustness.Settings.defaults()
            .withThreads(threads)
            .withTrueClass(
                out == null ? Robustness.TrueClass.NONE : Robustness.TrueClass.PROBABILITY)
            .withBatch(Math.max(batch, input.batch()));
    Map<String, Robustness> results = new LinkedHashMap<>();
    sweeps.forEach(
        (name, sweep) -> {
          try (ConsoleProgress progress = output.progress(unit)) {
            results.put(name, Robustness.measure(classifier, items, sweep, settings, progress));
          }
        });
    return results;
  }

  /** The test part, or everything where the data names none. */
  private DataSet<?> read(Choice choice) throws IOException {
    DataFinder.Found found = DataOptions.find(data.toString(), null);
    return found.load(found.auditSplit(), choice.withLimit(limit == null ? 0 : limit));
  }

  private Path report(
      CloudSet set,
      SimilarityGroup moves,
      Map<String, Robustness> own,
      Map<String, Robustness> others)
      throws IOException {
    List<RobustnessReport.Measured> measured = new ArrayList<>();
    own.forEach((s, r) -> measured.add(new RobustnessReport.Measured(label(model), s, r)));
    others.forEach((s, r) -> measured.add(new RobustnessReport.Measured(label(against), s, r)));
    CloudMapping mapping = CloudMapping.of(moves);
    double[] margins = set.clouds().stream().mapToDouble(x -> mapping.map(x).margin()).toArray();
    Map<String, String> facts = output.provenance();
    facts.put("data", data + ", sha-256 " + set.digest());
    facts.put("points", Integer.toString(set.points()));
    facts.put("seed", Long.toString(seed));
    return RobustnessReport.of(set.classes(), measured)
        .margins("How far each cloud is from one whose pose is ambiguous.", margins)
        .addTo(
            Report.of("Audit of " + model.getFileName())
                .lead(
                    "Accuracy on %,d clouds of %s as they are, moved by %s, and of the clouds that are right in every pose."
                        .formatted(set.size(), data, moves.name())))
        .provenance(facts)
        .writeTo(out.resolve("audit.html"))
        .page();
  }

  private Path report(
      ImageSet set,
      Map<String, Sweep<Image>> sweeps,
      Map<String, Robustness> own,
      Map<String, Robustness> others)
      throws IOException {
    List<RobustnessReport.Measured> measured = new ArrayList<>();
    own.forEach((how, r) -> measured.add(measured(model, how, r, set, sweeps)));
    others.forEach((how, r) -> measured.add(measured(against, how, r, set, sweeps)));
    // The image of the curves is typical for the model that the other one is compared with.
    Robustness mine = own.values().iterator().next();
    List<Robustness> pair =
        others.isEmpty() ? List.of(mine) : List.of(others.values().iterator().next(), mine);
    int item = RobustnessReport.typical(pair);
    List<Series> curves = new ArrayList<>();
    curves.add(RobustnessReport.curve(label(model), mine, item));
    if (pair.size() > 1) {
      curves.add(RobustnessReport.curve(label(against), pair.get(0), item));
    }
    double[] margins = new double[set.size()];
    Arrays.setAll(margins, i -> RotationMapping.disc().pose(set.image(i)).margin());
    Map<String, String> facts = output.provenance();
    facts.put("data", data + ", sha-256 " + set.digest());
    facts.put("seed", "nothing is drawn");
    return RobustnessReport.of(set.classes(), measured)
        .teaser(item, curves)
        .margins(
            "How far each image is, in the L2 norm, from one whose pose is ambiguous (disc).",
            margins)
        .addTo(
            Report.of("Audit of " + model.getFileName())
                .lead(
                    "Accuracy on %,d items of %s as they are, over %,d poses (%s), and of the items that are right in every one. Rotating an image interpolates: it is not exactly a group action."
                        .formatted(set.size(), data, mine.poses().size(), mine.sweep())))
        .provenance(facts)
        .writeTo(out.resolve("audit.html"))
        .page();
  }

  private RobustnessReport.Measured measured(
      Path name, String how, Robustness r, ImageSet set, Map<String, Sweep<Image>> sweeps) {
    return new RobustnessReport.Measured(label(name), how, r)
        .seen(set::image, sweeps.get(how), Function.identity());
  }

  /** The file's name; with its folder if both files have the same. */
  private String label(Path name) {
    return against == null || !against.getFileName().equals(model.getFileName())
        ? name.getFileName().toString()
        : name.toString();
  }
}
