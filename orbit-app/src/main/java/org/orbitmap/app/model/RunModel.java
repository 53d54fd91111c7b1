package org.orbitmap.app.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.orbitmap.app.option.Text;
import org.orbitmap.eval.Accuracy;
import org.orbitmap.eval.Classifier;
import org.orbitmap.eval.Progress;
import org.orbitmap.eval.Robustness;
import org.orbitmap.eval.Sweep;
import org.orbitmap.image.Fill;
import org.orbitmap.image.Resampling;
import org.orbitmap.io.UserError;
import org.orbitmap.io.data.Choice;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.model.InputShape;
import org.orbitmap.model.Layout;
import org.orbitmap.model.MappingSpec;
import org.orbitmap.model.ModelInput;
import org.orbitmap.nn.model.Evaluation;
import org.orbitmap.nn.model.MappingConfig;
import org.orbitmap.nn.model.MappingConfig.Use;
import org.orbitmap.nn.model.Model;
import org.orbitmap.nn.tensor.Engine;
import org.orbitmap.nn.train.RunFolder;
import org.orbitmap.nn.train.TrainConfig;
import org.orbitmap.onnx.graph.OnnxFile;
import org.orbitmap.orbit.OrbitMapping;
import org.orbitmap.paper.Table;
import org.orbitmap.paper.table.Tables;

/** The result of a training run: a network of the engine, with its mapping and its classes. */
public final class RunModel implements LoadedModel {
  private final Path source;
  private final Model<?> model;

  private RunModel(Path source, Model<?> model) {
    this.source = source;
    this.model = model;
  }

  /**
   * Opens the model of a run.
   *
   * @param run its folder, or the model file alone
   * @throws IOException if there is none
   */
  public static RunModel open(Path run) throws IOException {
    if (Files.isDirectory(run) && new RunFolder(run).isRun() && !new RunFolder(run).finished()) {
      throw UserError.expected(
          run.toString(),
          "a finished run",
          "an unfinished one",
          "Finish it with: orbit train --resume " + run);
    }
    return new RunModel(run, RunFolder.model(run));
  }

  @Override
  public Path source() {
    return source;
  }

  @Override
  public Optional<ModelInput<?>> input() {
    return Optional.of(
        model.input() instanceof InputShape.Images u
            ? ModelInput.Images.free(Layout.NCHW, u.channels(), u.height(), u.width())
            : ModelInput.Clouds.points(model.input().axes()[0]));
  }

  @Override
  public List<String> classes() {
    return model.description().classes();
  }

  @Override
  public boolean concurrent() {
    return true;
  }

  /** The network, by name. */
  public String network() {
    return model.description().architecture().network().name();
  }

  /** The number of trainable parameters. */
  public long parameters() {
    return model.parameters();
  }

  /** Whether a mapping is in front of the network. */
  public boolean mapped() {
    return model.description().mapping().used();
  }

  /** The mapping in words, or {@code none}. */
  public String mapping() {
    if (!mapped()) {
      return "none";
    }
    MappingConfig m = model.description().mapping();
    String outside = m.fill().equals(Fill.ZERO) ? "black" : m.fill().toString();
    return model.input() instanceof InputShape.Images
        ? "%s, %s, %s outside, %s".formatted(m.rule(), m.interpolation(), outside, m.when())
        : "%s, %s".formatted(model.mapping().name(), m.when());
  }

  /** How its mapping reads images. */
  public Resampling resampling() {
    MappingConfig mapping = model.description().mapping();
    return Resampling.of(mapping.interpolation()).with(mapping.fill());
  }

  @Override
  public <X> OrbitMapping<?, X> mapping(InputShape<X> shape, String group) {
    return mapped() ? model.taking(shape).mapping() : LoadedModel.super.mapping(shape, group);
  }

  /** The same weights behind the mapping with this rule, used when predicting. */
  public RunModel behind(String rule) {
    return new RunModel(
        source, model.with(model.description().mapping().rule(rule).when(Use.TEST)));
  }

  /** The same weights without a mapping. */
  public RunModel bare() {
    return new RunModel(source, model.with(MappingConfig.NONE));
  }

  @Override
  public Optional<Counterpart> counterpart() {
    String rule =
        mapped()
            ? model.description().mapping().rule()
            : MappingSpec.families(model.input()).get(0).name();
    return Optional.of(
        mapped()
            ? new Counterpart("with orbit mapping", "same network without it", bare())
            : new Counterpart(
                "without mapping",
                "same network behind %s, not retrained".formatted(rule),
                behind(rule)));
  }

  @Override
  public float[] meanColour() {
    return model.description().mean().clone();
  }

  @Override
  public Map<String, String> facts() throws IOException {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("network", "%s, %,d trainable parameters".formatted(network(), parameters()));
    facts.put("mapping", mapping());
    if (trained()) {
      facts.put("training seed", Long.toString(training().seed()));
    }
    return facts;
  }

  /** The bare network as an ONNX file. */
  public OnnxFile exported() throws IOException {
    return ModelExport.bare(model);
  }

  /** The network with its mapping as an ONNX file. */
  public OnnxFile exportedMapped() throws IOException {
    return ModelExport.export(model);
  }

  /**
   * What the run was trained with.
   *
   * @param data the data set
   * @param choice in which size its inputs are read
   * @param seed of everything random
   */
  public record Training(String data, Choice choice, long seed) {}

  /** In which size its inputs are read. */
  public Choice choice() {
    return model.input() instanceof InputShape.Images u
        ? Choice.ALL.withSize(u.height(), u.width())
        : Choice.ALL.withPoints(model.input().axes()[0]);
  }

  /** Whether it was trained here, and did not come with its weights. */
  public boolean trained() throws IOException {
    return Files.isDirectory(source) || RunFolder.isTrained(source);
  }

  /** What the run was trained with, from its configuration. */
  public Training training() throws IOException {
    TrainConfig config = RunFolder.config(source);
    return new Training(
        config.data(), config.choice().readWhenNeeded(false).withLimit(0), config.seed());
  }

  @Override
  public Optional<Published> published(String data) throws IOException {
    if (!trained()) {
      return Optional.empty();
    }
    TrainConfig config = RunFolder.config(source);
    return Tables.paper(config.with(c -> c.data(data)), model.description().mapping().when())
        .map(t -> published(t, config.network().widthFactor()));
  }

  private static Published published(Table<?> table, double width) {
    Map<String, Accuracy> figures = new LinkedHashMap<>();
    List<String> sweeps = table.protocol().sweeps();
    for (String sweep : sweeps) {
      figures.put(sweep, table.rows().get(0).paper(sweeps.indexOf(sweep), sweeps.size()));
    }
    String note =
        "Paper: %s.%s %s"
            .formatted(
                table.title(),
                width == 1
                    ? ""
                    : " Here the network has %s of its channels.".formatted(Text.of(width)),
                String.join(" ", table.remarks()).replace("`", ""));
    return new Published(note, figures);
  }

  @Override
  public <X> Classifier<X> classifier(InputShape<X> shape) {
    Inputs.require(source, input().orElseThrow(), shape);
    return model.taking(shape);
  }

  @Override
  public <X> Robustness measure(
      DataSet<X> data, Sweep<X> sweep, Robustness.Settings settings, Progress progress) {
    Inputs.require(source, input().orElseThrow(), data.shape());
    return Evaluation.robustness(
        model, data, sweep, settings.threads(), settings.trueClass(), progress);
  }

  @Override
  public int batch(Robustness.Settings settings) {
    return Evaluation.BATCH;
  }

  /** The model in its own format, with the mapping that it has now. */
  private record Sent(String source, byte[] model) implements Parcel {
    @Override
    public LoadedModel open() throws IOException {
      Path file = Files.createTempFile("orbit-", ".safetensors");
      try {
        Files.write(file, model);
        RunModel opened = new RunModel(Path.of(source), Model.load(file));
        Engine.threads(1); // whoever asks for it asks on several threads of its own
        return opened;
      } finally {
        Files.deleteIfExists(file);
      }
    }
  }

  @Override
  public Parcel parcel() throws IOException {
    Path folder = Files.createTempDirectory("orbit-");
    Path file = folder.resolve("model.safetensors");
    try {
      model.save(file, model.weights().snapshot(), Map.of());
      return new Sent(source.toString(), Files.readAllBytes(file));
    } finally {
      Files.deleteIfExists(file);
      Files.deleteIfExists(folder);
    }
  }

  @Override
  public void close() {
    // Nothing is held but memory.
  }
}
