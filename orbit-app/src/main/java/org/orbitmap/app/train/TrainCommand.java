package org.orbitmap.app.train;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.orbitmap.app.model.TrainingOutput;
import org.orbitmap.app.option.ConsoleProgress;
import org.orbitmap.app.option.DataOptions;
import org.orbitmap.app.option.Errors;
import org.orbitmap.app.option.OutputOptions;
import org.orbitmap.eval.Statistic;
import org.orbitmap.io.UserError;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.io.data.Split;
import org.orbitmap.nn.train.RunFolder;
import org.orbitmap.nn.train.TrainConfig;
import org.orbitmap.nn.train.Trainer;
import org.orbitmap.nn.train.TrainingResult;
import org.orbitmap.paper.UprightFit;
import org.orbitmap.paper.table.Presets;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code orbit train}. */
@Command(
    name = "train",
    description = {
      "Train a network on images or point clouds, with or without orbit mapping.",
      "",
      "A run is a folder: config.yaml reproduces it, metrics.jsonl has a line for each epoch, "
          + "checkpoint-*.safetensors let it be resumed after it was stopped at any moment, and "
          + "model.safetensors is the result."
    },
    footerHeading = "%nPresets:%n",
    footer = {
      "  orbit train --preset list   (lists them with what they train)",
      "",
      "Examples:",
      "  orbit train --preset glyphs-convnet --out runs/glyphs",
      "  orbit train --preset cifar10-convnet-ra-disc --out runs/c --set epochs=5",
      "  orbit train --preset glyphs-convnet --seeds 3 --out runs/three",
      "  orbit train --preset modelnet40-pointnet-similarity3 --data modelnet40/ --out runs/p",
      "  orbit train --preset modelnet40-pointnet-upright --data my-scans/ --out runs/s --set epochs=20",
      "  orbit train --preset cub200-resnet50 --weights resnet50.pth --data CUB_200_2011/ --out runs/b",
      "  orbit train --resume runs/c",
    })
public final class TrainCommand implements Callable<Integer> {
  private static final String SEED = "seed-";

  @Parameters(
      arity = "0..1",
      paramLabel = "CONFIG",
      description = "A YAML file; what it leaves out keeps its default.")
  private Path config;

  @Option(
      names = "--preset",
      paramLabel = "NAME",
      completionCandidates = Names.class,
      description = "A configuration by name, or list.")
  private String preset;

  private static final String LIST = "list";

  /** What a shell offers for the preset. */
  static final class Names extends ArrayList<String> {
    private static final long serialVersionUID = 1L;

    Names() {
      super(Presets.all().keySet());
      add(LIST);
    }
  }

  @Option(names = "--out", paramLabel = "RUN", description = "The new folder of the run.")
  private Path out;

  @Option(
      names = "--resume",
      paramLabel = "RUN",
      description =
          "Resume a run that was stopped from its last complete checkpoint; the result is the same,"
              + " bit for bit.")
  private Path resume;

  @Option(names = "--seed", paramLabel = "N", description = "The seed of everything random.")
  private Long seed;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      description = "Train N times with seeds from --seed on, in RUN/seed-K; mean ± deviation.")
  private int seeds = 1;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Change one value of the configuration, such as mapping.rule=paper.")
  private Map<String, String> changes = new LinkedHashMap<>();

  @Option(
      names = "--mapping",
      paramLabel = "RULE",
      description =
          "Train and predict behind this mapping: disc, paper, …, upright:FILE; short for --set"
              + " mapping.rule=RULE --set mapping.when=train+test.")
  private String mapping;

  @Option(
      names = "--weights",
      paramLabel = "FILE",
      description =
          "Start from these weights, safetensors or a state dictionary of PyTorch (torchvision's or"
              + " timm's names); the last layer is new if the classes are others. Short for --set"
              + " weights=FILE --set normalise=imagenet.")
  private Path weights;

  @Mixin private DataOptions data;
  @Mixin private OutputOptions output;

  @Override
  public Integer call() throws IOException {
    if (LIST.equals(preset)) {
      return list();
    }
    if (resume != null) {
      if (config != null
          || preset != null
          || out != null
          || seed != null
          || seeds != 1
          || mapping != null
          || weights != null
          || !changes.isEmpty()) {
        throw new UserError(
            "--resume: expected nothing but the folder of the run and --data, found other options. Its"
                + " config.yaml says the rest.");
      }
      return resume();
    }
    if ((config == null) == (preset == null)) {
      throw UserError.expected(
          "configuration",
          "a CONFIG file or --preset NAME",
          config == null ? "neither" : "both",
          "Presets are listed by: orbit train --preset list");
    }
    if (out == null) {
      throw UserError.expected("output", "--out RUN", "none", "");
    }
    if (seeds < 1) {
      throw UserError.expected("--seeds", "1 or more", seeds, "");
    }
    if (config != null && Files.isDirectory(config)) {
      throw UserError.expected(
          config.toString(),
          "a YAML file",
          "a folder",
          "A run is resumed with: orbit train --resume RUN");
    }
    TrainConfig given = preset != null ? Presets.named(preset) : TrainConfig.read(config);
    if (mapping != null) {
      changes.putIfAbsent("mapping.rule", mapping);
      changes.putIfAbsent("mapping.when", "train+test");
    }
    if (weights != null) {
      changes.putIfAbsent("weights", weights.toAbsolutePath().normalize().toString());
      changes.putIfAbsent("normalise", "imagenet");
    }
    TrainConfig changed = given.changed(changes);
    if (!changed.weights().equals(TrainConfig.RANDOM)
        && !Files.isRegularFile(Path.of(changed.weights()))) {
      throw UserError.expected("weights", "a file", changed.weights(), "");
    }
    String chosen = data.find(changed.data()).reference();
    long first = seed != null ? seed : changed.seed();
    String start =
        changed.weights().equals(TrainConfig.RANDOM)
            ? TrainConfig.RANDOM
            : Path.of(changed.weights()).toAbsolutePath().normalize().toString();
    TrainConfig c = changed.with(b -> b.seed(first).data(chosen).weights(start));
    DataSet<?> set = load(c);
    List<TrainingResult> results = new ArrayList<>();
    for (int k = 0; k < seeds; k++) {
      TrainConfig seeded = c.withSeed(c.seed() + k);
      RunFolder run = new RunFolder(seeds == 1 ? out : out.resolve(SEED + seeded.seed()));
      TrainConfig one = upright(seeded, run);
      if (seeds > 1 && run.finished()) {
        // Finished in an earlier call of the same command.
        output.note(run + ": finished already");
      }
      try (ConsoleProgress progress = output.progress(set.shape().kind())) {
        Trainer<?> trainer = Trainer.of(one, set).listener(new TrainingOutput(output, progress));
        results.add(seeds > 1 ? trainer.startOrResume(run.path()) : trainer.start(run.path()));
      }
    }
    print(results);
    return Errors.OK;
  }

  /**
   * With the predictor of its upright mapping, fitted first beside the run if there is none yet.
   */
  private TrainConfig upright(TrainConfig c, RunFolder run) throws IOException {
    if (!UprightFit.isNeededBy(c.mapping())) {
      return c;
    }
    if (seeds == 1) {
      run.requireEmpty(); // refused before the fit, not after it
    }
    Path folder = run.path().toAbsolutePath().normalize();
    Path file = folder.resolveSibling(folder.getFileName() + "-upright.safetensors");
    Files.createDirectories(file.getParent());
    try (ConsoleProgress progress = output.progress("examples")) {
      TrainingOutput told = new TrainingOutput(output, progress);
      DataSet<?> set = load(UprightFit.data(c));
      UprightFit.run(c, set, UprightFit.recipe(set), file, told);
    }
    return c.with(b -> b.mapping(UprightFit.in(c.mapping(), file)));
  }

  private int resume() throws IOException {
    List<Path> runs = seeds(resume);
    if (!runs.isEmpty()) {
      throw UserError.expected(
          resume.toString(),
          "the folder of a run",
          "%d of them, one for each seed".formatted(runs.size()),
          "Give one, such as %s, or the command with --seeds again".formatted(runs.get(0)));
    }
    TrainConfig c = new RunFolder(resume).config();
    DataSet<?> set = load(c);
    try (ConsoleProgress progress = output.progress(set.shape().kind())) {
      print(
          List.of(
              Trainer.of(c, set).listener(new TrainingOutput(output, progress)).resume(resume)));
    }
    return Errors.OK;
  }

  private DataSet<?> load(TrainConfig c) throws IOException {
    return data.find(c.data()).load(Split.TRAIN, c.choice());
  }

  private int list() {
    Map<String, TrainConfig> all = Presets.all();
    output.print(
        Map.of("presets", all.keySet()),
        o -> {
          o.println("glyphs-convnet, glyphs-convnet-disc: generated signs, learned in seconds");
          print(o, Presets.networks());
          o.println(
              "Each of these also with -ra or -ra-combined (rotation augmentation), and then with"
                  + " -disc, -paper, -released or -upright (orbit mapping in training and test; what"
                  + " is upright is fitted first).");
          print(o, Presets.cloudNetworks());
          o.printf(
              "Each of these also with -ra, and then with -%s (orbit mapping in training and"
                  + " test).%n",
              String.join(", -", Presets.cloudMappings().keySet()));
        });
    return Errors.OK;
  }

  private static void print(PrintWriter o, Map<String, TrainConfig> presets) {
    presets.forEach(
        (name, c) ->
            o.printf(
                "%-26s %s on %s, %d epochs%n", name, c.network().name(), c.data(), c.epochs()));
  }

  /** The runs that --seeds left in a folder. */
  private static List<Path> seeds(Path folder) throws IOException {
    if (!Files.isDirectory(folder) || new RunFolder(folder).isRun()) {
      return List.of();
    }
    try (Stream<Path> inside = Files.list(folder)) {
      return inside
          .filter(f -> f.getFileName().toString().matches(SEED + "-?\\d+"))
          .sorted()
          .toList();
    }
  }

  private void print(List<TrainingResult> results) {
    Statistic accuracy = Statistic.over(results, TrainingResult::accuracy);
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("runs", results);
    document.put("accuracy", accuracy);
    output.print(
        document,
        o -> {
          for (TrainingResult r : results) {
            o.printf(
                "%s: %s (epoch %d of %d), %,d trainable parameters, seed %d%n",
                r.folder(),
                Double.isNaN(r.accuracy())
                    ? "trained"
                    : "validation accuracy %.1f %%, mean over the classes %.1f %%"
                        .formatted(100 * r.accuracy(), 100 * r.classAccuracy()),
                r.bestEpoch(),
                r.epochs(),
                r.parameters(),
                r.seed());
          }
          if (results.size() > 1 && !Double.isNaN(accuracy.mean())) {
            o.printf(
                "%d seeds (%s): %.1f ± %.1f %%%n",
                results.size(),
                results.stream()
                    .map(r -> Long.toString(r.seed()))
                    .collect(Collectors.joining(", ")),
                100 * accuracy.mean(),
                100 * accuracy.std());
          }
        });
  }
}
