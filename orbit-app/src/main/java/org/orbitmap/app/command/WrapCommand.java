package org.orbitmap.app.command;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.orbitmap.app.audit.AuditData;
import org.orbitmap.app.audit.OutputClasses;
import org.orbitmap.app.audit.Tuning;
import org.orbitmap.app.audit.TuningTable;
import org.orbitmap.app.cell.SandboxOptions;
import org.orbitmap.app.model.Inputs;
import org.orbitmap.app.model.Latency;
import org.orbitmap.app.model.LoadedModel;
import org.orbitmap.app.model.ModelCard;
import org.orbitmap.app.model.ModelLoader;
import org.orbitmap.app.option.ConsoleProgress;
import org.orbitmap.app.option.Errors;
import org.orbitmap.app.option.ModelOptions;
import org.orbitmap.app.option.OutputOptions;
import org.orbitmap.app.option.ResamplingOptions;
import org.orbitmap.image.Fill;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.mapping.Frames;
import org.orbitmap.image.mapping.Frames.Pool;
import org.orbitmap.io.UserError;
import org.orbitmap.io.data.Choice;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.model.MappingSpec;
import org.orbitmap.model.ModelInput;
import org.orbitmap.model.TensorSpec;
import org.orbitmap.onnx.graph.OnnxFile;
import org.orbitmap.onnx.run.OnnxRuntime;
import org.orbitmap.onnx.wrap.Wrap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Makes a model invariant and writes it as one file. Long because each of its many options says
 * what it is for.
 */
@Command(
    name = "wrap",
    description = {
      "Makes an ONNX model invariant without retraining: writes one file whose first nodes are the"
          + " orbit mapping, in standard operators, so that it runs in any ONNX runtime.",
      "",
      "Without options the result suits a model that was trained upright: of several frames the"
          + " most confident one wins, which costs as many calls. A model that was trained behind"
          + " the mapping needs --frames 1. With --data a few settings are tried on your own"
          + " inputs, and the best one is written.",
      "",
      "The wrapped model takes and gives what the model does. If images are normalised before"
          + " they reach the model, say how with --mean, --std and --scale: then the mapping is"
          + " that of the raw pixels, and black stays black.",
      "",
      "Examples:",
      "  orbit wrap model.onnx --out invariant.onnx",
      "  orbit wrap model.onnx --out invariant.onnx --data photos/ --max-cost 8",
      "  orbit wrap model.onnx --out invariant.onnx --frames 24 --mirrors",
      "  orbit wrap old.onnx --out invariant.onnx --no-raise-opset",
      "  orbit wrap trained-here.onnx --out invariant.onnx --frames 1 --fill zero",
      "  orbit wrap model.onnx --out invariant.onnx --mapping upright:upright.safetensors",
      "  orbit wrap segment.onnx --out equivariant.onnx --equivariant mask"
    })
public final class WrapCommand implements Callable<Integer> {
  /** Frames that are tried, as far as the cost allows. */
  private static final int[] TRIED = {1, 4, 8, 16, 32};

  /** Angles of a predictor that are tried. */
  private static final int[] TRIED_UPRIGHT = {1, 2, 4};

  /** Points of a cloud for models that take any number. */
  private static final int POINTS = 1024;

  @Parameters(paramLabel = "MODEL.onnx", description = "The model.")
  private Path model;

  @Option(
      names = "--out",
      required = true,
      paramLabel = "FILE",
      description = "Where the wrapped model goes.")
  private Path out;

  @Option(
      names = "--group",
      paramLabel = "GROUP",
      description = {
        "What the result is invariant to. Images: so2 (rotations, the default), o2 (with mirror"
            + " images).",
        "Clouds: sim3 (default), se3, so3, scale, translation, and with mirror images o3, e3,"
            + " sim3-mirrored."
      })
  private String group;

  @Option(
      names = "--mapping",
      paramLabel = "RULE",
      description = {
        "How the pose of an image is found: disc (default), paper, released, central, forward, or"
            + " upright:FILE, a predictor that brings images upright;",
        "how the axes of a cloud get their directions: skewness (default), first-point, or"
            + " upright:FILE, a predictor that makes clouds stand."
      })
  private String mapping;

  @Option(
      names = "--frames",
      paramLabel = "K",
      description = {
        "Ask the model K times, for the canonical image rotated by 360°/K: K times the cost."
            + " Default: 16, which makes up for a model that was trained upright; 1 suits one that"
            + " was trained behind the mapping, and is taken if there are no class scores.",
        "With upright:FILE, the K angles that its predictor deems best, by their probabilities"
            + " (default: 2); of clouds the K best of 24 rotations (default: 1).",
        "Clouds: 1, or all directions of the axes: 4, or 8 with mirror images (default)."
      })
  private Integer frames;

  @Option(
      names = "--select",
      paramLabel = "confidence|mean|max",
      description =
          "How the answers of the frames become one (default: confidence; for upright:FILE mean).")
  private Pool select;

  @Option(
      names = "--mirrors",
      description =
          "Ask for the mirror image of each frame as well and take the mean of both: twice the"
              + " cost, a better choice of the frame, and with an even K the same answer for mirror"
              + " images of the input. Class scores become probabilities. For upright:FILE one"
              + " frame is the default then, and the predictor looks at both sides, too: the label"
              + " is kept in more poses than by two frames.")
  private boolean mirrors;

  @Option(
      names = "--raise-opset",
      negatable = true,
      description =
          "Write an older model of images in opset 16, where they are read several times faster, if"
              + " all its operators mean the same there and its answers are the same (the default);"
              + " --no-raise-opset keeps its opset, for a runtime that does not know 16.")
  private Boolean raiseOpset; // null: as if asked for, but nothing is said where it cannot be

  @Option(
      names = "--equivariant",
      split = ",",
      paramLabel = "OUTPUT",
      description = "Outputs that move with the input, such as masks: they are mapped back.")
  private List<String> equivariant = List.of();

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "Try frames, corners and mirrors on the data there, and write the best within --max-cost."
              + " The data may have labels (as for audit), or be plain files: then what the model"
              + " says of them as they are stands for the labels. What other options say is kept.")
  private Path data;

  @Option(
      names = "--labels",
      paramLabel = "FILE|imagenet|none",
      description = "With --data: which output each class is, as for audit.")
  private List<Path> labels = List.of();

  @Option(
      names = "--max-cost",
      paramLabel = "N",
      description = "With --data: how often the model may be asked for one input (default: 16).")
  private Integer maxCost;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "With --data: how many inputs are taken, over all classes (default: 100).")
  private Integer limit;

  @Option(
      names = "--step",
      paramLabel = "DEGREES",
      description = "With --data: the angle between two poses of an image (default: 20).")
  private Double step;

  @Mixin private ResamplingOptions resampling;
  @Mixin private ModelOptions options;
  @Mixin private SandboxOptions sandbox;
  @Mixin private OutputOptions output;
  private OnnxRuntime runtime;

  /**
   * What it costs.
   *
   * @param calls how often the model is asked for one input
   * @param millisecondsBefore for one call of the bare model on this machine; null if unknown
   * @param millisecondsAfter for one call of the wrapped model
   */
  private record Cost(int calls, Double millisecondsBefore, Double millisecondsAfter) {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  private record Answer(
      String model,
      String out,
      long bytes,
      String takes,
      Cost cost,
      Map<String, String> metadata,
      TuningTable trials,
      List<String> canonicalOutputs) {}

  /**
   * A setting; null where the default holds.
   *
   * @param rule the mapping
   * @param how the resampling of images
   */
  private record Setting(String rule, Integer frames, boolean mirrors, Resampling how) {
    String text() {
      return "%s%s%s, %s, %s"
          .formatted(
              MappingSpec.file(rule).isPresent() ? "upright, " : "",
              frames == null ? "usual frames" : frames == 1 ? "1 frame" : frames + " frames",
              mirrors ? " with mirror images" : "",
              how.interpolation().id(),
              how.fill());
    }
  }

  @Override
  public Integer call() throws Exception {
    check();
    try (SandboxOptions.Place place = sandbox.open(output)) {
      runtime = place.runtime();
      ModelLoader.requireOnnx(model, runtime);
      return wrap();
    }
  }

  private int wrap() throws IOException {
    ModelOptions all = ModelCard.beside(model).options(options);
    OnnxFile read = ModelLoader.onnx(model, all);
    for (Path part : read.parts()) {
      if (Files.exists(out) && Files.isSameFile(part, out)) {
        throw new IllegalArgumentException(
            "--out: expected another file than the model itself and those that hold its"
                + " initialisers, found "
                + out);
      }
    }
    ModelInput<?> input = read.input(all.hints());
    if (read.metadata().containsKey(Wrap.PROPERTY + "mapping")) {
      output.warn("%s is wrapped already; it is wrapped once more".formatted(model));
    }
    Setting given =
        new Setting(
            mapping == null ? "" : mapping,
            frames,
            mirrors,
            resampling.resampling(Frames.UPRIGHT.mapping().resampling()));
    TuningTable trials = null;
    OnnxFile wrapped;
    if (data == null) {
      wrapped = wrap(read, all, input, given).build();
    } else {
      List<Candidate> candidates = new ArrayList<>();
      for (Setting setting : settings(input, given)) {
        candidates.add(
            new Candidate(setting, wrap(read, all, input, setting).build(), all, runtime));
      }
      try (LoadedModel bare = ModelLoader.open(model, read, all, runtime)) {
        Choice most = Choice.ALL.withLimit(limit == null ? 100 : limit);
        DataSet<?> set = labelled(AuditData.read(data, bare, most, POINTS), bare);
        Chosen chosen = tune(set, new Candidate(null, read, all, runtime), candidates, input);
        trials = chosen.trials();
        wrapped = chosen.file();
      }
    }
    List<TensorSpec> canonical = wrap(read, all, input, given).canonicalOutputs();
    wrapped.write(out);
    if (Boolean.TRUE.equals(raiseOpset) && wrapped.opset() < Wrap.RAISED_OPSET) {
      output.note(
          "%s: the opset stays %d, as not all operators are known to mean the same in %d"
              .formatted(model, wrapped.opset(), Wrap.RAISED_OPSET));
    }
    for (TensorSpec dense : canonical) {
      output.warn(
          "output %s stays in the canonical pose; name it in --equivariant to have it in the pose"
                  .formatted(dense)
              + " of the input");
    }
    Answer answer =
        new Answer(
            model.toString(),
            out.toString(),
            Files.size(out),
            input.toString(),
            new Cost(wrapped.cost(), milliseconds(read, input), milliseconds(wrapped, input)),
            wrapped.metadata(),
            trials,
            canonical.isEmpty() ? null : canonical.stream().map(TensorSpec::name).toList());
    output.print(answer, text -> print(answer, text));
    return Errors.OK;
  }

  private void check() {
    if (data == null && (maxCost != null || limit != null || step != null || !labels.isEmpty())) {
      throw UserError.expected("--max-cost, --limit, --step, --labels", "with --data", "none", "");
    }
    if (maxCost != null && (maxCost < 1 || maxCost > 720)) {
      throw UserError.expected("--max-cost", "a number from 1 to 720", maxCost, "");
    }
    if (limit != null && limit < 1) {
      throw UserError.expected("--limit", "1 or more", limit, "");
    }
  }

  private int maxCost() {
    return maxCost == null ? Frames.UPRIGHT.cost() : maxCost;
  }

  private Wrap wrap(OnnxFile read, ModelOptions all, ModelInput<?> input, Setting setting) {
    MappingSpec spec = new MappingSpec(setting.rule(), group == null ? "" : group, setting.how());
    Wrap wrap =
        Wrap.of(read)
            .hints(all.hints())
            .mapping(spec.mapping(Inputs.shape(input, 1)))
            .preprocessing(all.preprocessing(input))
            .mirrors(setting.mirrors())
            .raiseOpset(!Boolean.FALSE.equals(raiseOpset))
            .equivariant(equivariant)
            .scores(all.scores())
            .runtime(runtime);
    if (select != null) {
      wrap.select(select);
    }
    return setting.frames() == null ? wrap : wrap.frames(setting.frames());
  }

  /** What is tried: all that the options leave open, within the cost. */
  private List<Setting> settings(ModelInput<?> input, Setting given) {
    List<Setting> all = new ArrayList<>();
    if (input instanceof ModelInput.Clouds) {
      for (Integer k : frames != null ? new Integer[] {frames} : new Integer[] {1, null}) {
        all.add(new Setting(given.rule(), k, mirrors, given.how()));
      }
      return all;
    }
    List<Fill> fills =
        resampling.filled() ? List.of(given.how().fill()) : List.of(Fill.EDGE, Fill.ZERO);
    boolean file = MappingSpec.file(given.rule()).isPresent();
    int[] poses = !file ? new int[0] : frames != null ? new int[] {frames} : TRIED_UPRIGHT;
    for (int k : poses) {
      for (boolean both : mirrors ? new boolean[] {true} : new boolean[] {false, true}) {
        if ((both ? 2 * k : k) <= maxCost()) {
          all.add(new Setting(given.rule(), k, both, given.how()));
        }
      }
    }
    String rest = file ? "" : given.rule(); // a predictor is compared with what needs none
    for (Fill fill : file && (select == Pool.MEAN || group != null) ? List.<Fill>of() : fills) {
      for (boolean both : mirrors ? new boolean[] {true} : new boolean[] {false, true}) {
        for (int k : frames != null ? new int[] {frames} : TRIED) {
          boolean sensible =
              !both || mirrors || k > 1; // the mirror image of one frame helps little
          if (sensible && (both ? 2 * k : k) <= maxCost()) {
            all.add(new Setting(rest, k, both, given.how().with(fill)));
          }
        }
      }
    }
    if (all.isEmpty()) {
      throw UserError.expected(
          "--max-cost",
          "at least that of --frames" + (mirrors ? " with --mirrors" : ""),
          maxCost(),
          "");
    }
    return all;
  }

  /** The data with labels that are the model's classes, or with none. */
  private <X> DataSet<X> labelled(DataSet<X> set, LoadedModel bare) throws IOException {
    try {
      return OutputClasses.fit(set, bare, labels);
    } catch (UserError e) {
      if (!labels.isEmpty()) {
        throw e;
      }
      output.note("The labels are not used: " + e.getMessage());
      return set.unlabelled();
    }
  }

  /** A setting as a form of the model. */
  private record Candidate(
      Setting setting, OnnxFile file, ModelOptions options, OnnxRuntime runtime)
      implements Tuning.Form {
    @Override
    public String name() {
      return setting == null ? "as it is" : setting.text();
    }

    @Override
    public int cost() {
      return file.cost();
    }

    @Override
    public LoadedModel open() throws IOException {
      return ModelLoader.open(Path.of(file.source()), file, options, runtime);
    }
  }

  private record Chosen(TuningTable trials, OnnxFile file) {}

  private <X> Chosen tune(
      DataSet<X> set, Candidate bare, List<Candidate> candidates, ModelInput<?> input)
      throws IOException {
    List<Candidate> cheap = candidates.stream().filter(c -> c.cost() <= maxCost()).toList();
    String moves = group != null ? group : input instanceof ModelInput.Clouds ? "sim3" : "so2";
    Tuning<X> tuning = Tuning.of(set, step == null ? 20 : step, moves);
    Tuning.Result result;
    try (ConsoleProgress progress = output.progress("calls of the model")) {
      result = tuning.run(bare, cheap, progress);
    }
    List<Double> times = new ArrayList<>();
    for (Candidate candidate : cheap) {
      times.add(milliseconds(candidate.file(), input));
    }
    return new Chosen(
        TuningTable.of(
            data.toString(), maxCost(), tuning, result, milliseconds(bare.file(), input), times),
        cheap.get(result.best()).file());
  }

  private Double milliseconds(OnnxFile file, ModelInput<?> input) throws IOException {
    double ms = Latency.milliseconds(file, input, runtime);
    return Double.isNaN(ms) ? null : Math.round(1000 * ms) / 1000.0;
  }

  private void print(Answer answer, PrintWriter text) {
    if (answer.trials() != null) {
      answer.trials().print(text);
    }
    text.printf("%s: %,d bytes%n", out, answer.bytes());
    text.printf("  takes      %s%n", answer.takes());
    Cost cost = answer.cost();
    text.printf(
        "  cost       the model is asked %s for one input%s%n",
        cost.calls() == 1 ? "once" : cost.calls() + " times",
        cost.millisecondsBefore() == null
            ? ""
            : "; %.2f ms before, %.2f ms after, on this machine"
                .formatted(cost.millisecondsBefore(), cost.millisecondsAfter()));
    Map<String, String> told = new LinkedHashMap<>(answer.metadata());
    told.remove(OnnxFile.COST);
    told.forEach(
        (k, v) -> {
          if (k.startsWith(Wrap.PROPERTY)) {
            text.printf("  %-10s %s%n", k.substring(Wrap.PROPERTY.length()), v);
          }
        });
  }
}
