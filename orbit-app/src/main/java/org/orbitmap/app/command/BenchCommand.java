package org.orbitmap.app.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.orbitmap.app.bench.BatchBench;
import org.orbitmap.app.bench.Figure;
import org.orbitmap.app.bench.MapBench;
import org.orbitmap.app.bench.RivalBench;
import org.orbitmap.app.bench.StartBench;
import org.orbitmap.app.bench.Timed;
import org.orbitmap.app.bench.VectorBench;
import org.orbitmap.app.bench.WrapBench;
import org.orbitmap.app.option.ConsoleProgress;
import org.orbitmap.app.option.DataOptions;
import org.orbitmap.app.option.Errors;
import org.orbitmap.app.option.OutputOptions;
import org.orbitmap.app.report.CloudFigure;
import org.orbitmap.app.serve.api.Pages;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.cloud.mapping.CloudMapping;
import org.orbitmap.group.SimilarityGroup;
import org.orbitmap.image.Image;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Lanes;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.mapping.RotationMapping;
import org.orbitmap.io.UserError;
import org.orbitmap.io.photo.PhotoBench;
import org.orbitmap.nn.bench.TrainingBench;
import org.orbitmap.nn.tensor.Engine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code orbit bench}: what a mapping costs on this machine. */
@Command(
    name = "bench",
    description = {
      "Measure what mappings cost on this machine.",
      "",
      "One thread, pose and resampling together; and how much faster all cores map a batch (a"
          + " computer's cores share its memory and its clock, so n cores give somewhat less than"
          + " n).",
      "",
      "The least of several rounds is reported: the machine may be busy, but nothing makes code"
          + " faster than it is."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  orbit bench",
      "  orbit bench --python /usr/bin/python3 --vectors",
      "  orbit bench --group training",
      "  orbit bench --group photos",
      "  orbit bench --group map",
      "  orbit bench --group start --seconds 4",
      "  orbit bench --group wrap",
      "  orbit bench --only image-32-bilinear --seconds 5 --json",
    })
public final class BenchCommand implements Callable<Integer> {
  @Mixin private OutputOptions output;

  /** What a shell offers for the group. */
  static final class Groups extends ArrayList<String> {
    private static final long serialVersionUID = 1L;

    Groups() {
      super(List.of("mapping", "training", "photos", "map", "start", "wrap"));
    }
  }

  @Option(
      names = "--group",
      paramLabel = "NAME",
      completionCandidates = Groups.class,
      defaultValue = "mapping",
      description =
          "mapping: what mappings cost; training: rates of the training engine, what orbit mapping"
              + " adds to an epoch, evaluation against bare forward passes, growth of memory;"
              + " photos: how fast photographs are read;"
              + " map: orbit map of folders, whole commands, beside a script with OpenCV;"
              + " start: commands that do little, from the shell to the answer;"
              + " wrap: the ONNX models in the data folder, bare and wrapped;"
              + " default: ${DEFAULT-VALUE}.")
  private String group;

  @Option(
      names = "--python",
      paramLabel = "FILE",
      description =
          "With --group training: a Python with PyTorch, such as /usr/bin/python3, that trains the"
              + " same network step by step in turn. With --group map or start: one with OpenCV"
              + " that does the same; default there: /usr/bin/python3, left out if it has none."
              + " With --group mapping: one with OpenCV or PyTorch, whose bare warp, the paper's"
              + " method and an alignment by eigh are measured before and after.")
  private Path python;

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "NAME",
      description = "Only these benchmarks, comma-separated; default: all.")
  private List<String> only;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "2",
      description = "Time for each benchmark; default: ${DEFAULT-VALUE}.")
  private double seconds;

  @Option(
      names = "--vectors",
      description =
          "With --group mapping: images once more, in a Java of its own with --add-modules"
              + " jdk.incubator.vector -XX:ObjectAlignmentInBytes=16.")
  private boolean vectors;

  /** What names of images end with that were mapped with it. */
  private static final String VECTORS = "-vectors";

  /**
   * Something to measure.
   *
   * @param name what users call it
   * @param work maps one item; its result is looked at, so that it cannot be optimised away
   */
  record Case(String name, Supplier<?> work) {}

  /** One line of the result. */
  record Result(String name, double microsecondsPerItem) {}

  /**
   * What the command reports.
   *
   * @param vectors whether this Java has vectors of the processor
   */
  record Document(
      String java,
      int threads,
      boolean vectors,
      List<Result> benchmarks,
      List<BatchBench> batches,
      List<RivalBench.Rival> rivals) {}

  /** Keeps results alive; read once at the end of a measurement. */
  private static volatile Object sink;

  /** Every benchmark, in the order of the report. */
  static List<Case> cases() {
    List<Case> cases = new ArrayList<>();
    for (int side : new int[] {32, 224}) {
      Image image = image(side, side);
      float[] out = new float[image.data().length]; // used again, as the rival's
      for (Interpolation kind :
          new Interpolation[] {Interpolation.BILINEAR, Interpolation.BICUBIC}) {
        RotationMapping mapping = RotationMapping.disc().with(Resampling.of(kind));
        cases.add(new Case("image-%d-%s".formatted(side, kind), () -> mapping.align(image, out)));
      }
    }
    cases.add(cloud("cloud-1024", 1024));
    cases.add(cloud("cloud-1000000", 1_000_000));
    return cases;
  }

  /** Centre, rotate and scale a cloud, into an array that is used again. */
  private static Case cloud(String name, int points) {
    PointCloud cloud = CloudFigure.chair().sample(points, 1);
    CloudMapping mapping = CloudMapping.of(SimilarityGroup.similarities(3));
    float[] out = new float[3 * points];
    PointCloud bare = new PointCloud(3, cloud.coordinates());
    return new Case(name, () -> mapping.align(bare, out));
  }

  private static Image image(int side, int seed) {
    SplittableRandom random = new SplittableRandom(seed);
    float[] data = new float[3 * side * side];
    for (int i = 0; i < data.length; i++) {
      data[i] = (float) random.nextDouble();
    }
    return new Image(3, side, side, data);
  }

  @Override
  public Integer call() throws IOException {
    if (!(seconds > 0 && seconds <= 600)) {
      throw new UserError("--seconds: expected more than 0 and at most 600, found " + seconds);
    }
    boolean whole = group.equals("map") || group.equals("start");
    if (python != null && (group.equals("photos") || group.equals("wrap"))) {
      throw UserError.expected(
          "--python", "--group mapping, training, map or start", "--group " + group, "");
    }
    if (vectors && !group.equals("mapping")) {
      throw UserError.expected("--vectors", "--group mapping", "--group " + group, "");
    }
    if (whole) {
      return commands();
    }
    if (group.equals("training")) {
      return training();
    }
    if (group.equals("photos")) {
      return photos();
    }
    if (group.equals("wrap")) {
      return wrapped();
    }
    if (!group.equals("mapping")) {
      throw UserError.expected(
          "--group", "mapping, training, photos, map, start or wrap", group, "");
    }
    List<Case> chosen = new ArrayList<>(cases());
    Map<Integer, Integer> batches = new TreeMap<>(Map.of(32, 256, 224, 16));
    if (only != null) {
      List<String> names =
          Stream.concat(
                  chosen.stream().map(Case::name),
                  batches.keySet().stream().map(BenchCommand::batchName))
              .toList();
      for (String name : only) {
        if (!names.contains(name)) {
          throw new UserError("--only: expected some of %s, found %s".formatted(names, name));
        }
      }
      chosen.removeIf(c -> !only.contains(c.name()));
      batches.keySet().removeIf(side -> !only.contains(batchName(side)));
    }
    int total = chosen.size() + batches.size();
    List<Result> results = new ArrayList<>();
    List<BatchBench> mapped = new ArrayList<>();
    List<RivalBench.Rival> rivals = List.of();
    try (ConsoleProgress progress = output.progress("benchmarks")) {
      if (python != null) {
        rivals = RivalBench.run(python, seconds);
      }
      for (Case c : chosen) {
        results.add(new Result(c.name(), microseconds(c.work(), seconds)));
        progress.update(results.size(), total);
      }
      if (vectors) {
        List<String> images =
            chosen.stream().map(Case::name).filter(name -> name.startsWith("image-")).toList();
        VectorBench.run(images, seconds)
            .forEach((name, each) -> results.add(new Result(name + VECTORS, each)));
      }
      for (Map.Entry<Integer, Integer> b : batches.entrySet()) {
        int side = b.getKey();
        List<Image> images =
            IntStream.range(0, b.getValue()).mapToObj(k -> image(side, k)).toList();
        mapped.add(BatchBench.of(batchName(side), images, seconds));
        progress.update(chosen.size() + mapped.size(), total);
      }
      if (python != null) {
        rivals = RivalBench.least(rivals, RivalBench.run(python, seconds));
      }
    }
    boolean here = Lanes.found() != null;
    Document document =
        new Document(System.getProperty("java.vm.version"), 1, here, results, mapped, rivals);
    output.print(document, text -> print(text, document));
    return Errors.OK;
  }

  /** Whole commands, in turn with those of others. */
  private int commands() throws IOException {
    Path given = python == null ? Path.of("/usr/bin/python3") : python;
    Optional<Path> rival = Timed.has(given, "cv2") ? Optional.of(given) : Optional.empty();
    if (rival.isEmpty()) {
      output.note(
          "%s: expected a Python with OpenCV, found none; nothing is compared (Debian: apt install"
                  .formatted(given)
              + " python3-opencv)");
    }
    int rounds = Math.max(1, (int) Math.round(seconds));
    Path folder = Files.createTempDirectory("orbit-bench");
    List<Figure> figures;
    try (ConsoleProgress progress = output.progress("rounds")) {
      Path model = Files.write(folder.resolve("model.onnx"), Pages.resource("drawings.onnx"));
      figures =
          group.equals("map")
              ? MapBench.run(folder, rounds, rival, progress)
              : StartBench.run(model, 5 * rounds, rival, progress);
    } finally {
      MapBench.delete(folder);
    }
    return tell(figures);
  }

  private int tell(List<Figure> figures) {
    output.print(
        Map.of("figures", figures),
        text ->
            figures.forEach(f -> text.printf("%-38s %10.3f %s%n", f.name(), f.value(), f.unit())));
    return Errors.OK;
  }

  /** Models of others, bare and wrapped. */
  private int wrapped() throws IOException {
    Path data = DataOptions.defaultRoot();
    Path models = data == null ? null : data.resolve("models");
    if (models == null || !Files.isDirectory(models)) {
      throw UserError.expected(
          "ORBIT_DATA", "a folder with models/, which has ONNX files", models, "");
    }
    try (ConsoleProgress progress = output.progress("models")) {
      return tell(WrapBench.run(models, Math.max(2, (int) Math.round(2 * seconds)), progress));
    }
  }

  private int photos() throws IOException {
    Path folder = Files.createTempDirectory("orbit-photos");
    PhotoBench.Rates rates;
    try {
      rates = PhotoBench.run(folder, seconds);
    } finally {
      Files.deleteIfExists(folder);
    }
    output.print(
        rates,
        text ->
            text.printf(
                "JPEG of 500 x 375 as 224 x 224, for each second of a core%s:%n"
                    + "  central part  %,6.0f%n  random parts  %,6.0f%n",
                rates.fast() ? "" : " (by the JDK's reader)", rates.centre(), rates.part()));
    return Errors.OK;
  }

  private static String batchName(int side) {
    return "batch-%d-bilinear".formatted(side);
  }

  private int training() throws IOException {
    List<TrainingBench.Figure> figures;
    try (ConsoleProgress progress = output.progress("rounds")) {
      figures = TrainingBench.run(Math.max(3, (int) (4 * seconds)), 1000, python, progress);
    }
    output.print(
        Map.of(
            "engine",
            Engine.version(),
            "device",
            Engine.device(),
            "threads",
            Engine.threads(),
            "figures",
            figures),
        text ->
            figures.forEach(f -> text.printf("%-26s %10.2f %s%n", f.name(), f.value(), f.unit())));
    return Errors.OK;
  }

  /** The least time of a call over rounds of about 20 ms, after warming up for half the time. */
  static double microseconds(Supplier<?> work, double seconds) {
    long end = System.nanoTime() + (long) (seconds * 0.5e9);
    long calls = 0;
    long start = System.nanoTime();
    while (System.nanoTime() < end) {
      sink = work.get();
      calls++;
    }
    double each = (System.nanoTime() - start) / (double) calls;
    int round = (int) Math.max(1, 20e6 / each);
    double best = Double.POSITIVE_INFINITY;
    end = System.nanoTime() + (long) (seconds * 0.5e9);
    do {
      start = System.nanoTime();
      for (int i = 0; i < round; i++) {
        sink = work.get();
      }
      best = Math.min(best, (System.nanoTime() - start) / 1e3 / round);
    } while (System.nanoTime() < end);
    if (sink == null) {
      throw new IllegalStateException("a benchmark gave no result");
    }
    return best;
  }

  private static void print(PrintWriter text, Document document) {
    for (Result r : document.benchmarks()) {
      text.printf("%-24s %12.2f µs%n", r.name(), r.microsecondsPerItem());
      String rival = r.name().replace(VECTORS, "");
      RivalBench.print(document.rivals(), rival, r.microsecondsPerItem(), text);
    }
    for (BatchBench b : document.batches()) {
      text.printf(
          "%-24s %12.2f µs, %d threads: %.2f times as fast as one (bare arithmetic: %.2f)%n",
          b.name(), b.microsecondsPerItem(), b.threads(), b.speedup(), b.arithmetic());
    }
  }
}
