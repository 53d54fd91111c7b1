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
import org.orbitmap.image.Image;
import org.orbitmap.image.Interpolation;
import org.orbitmap.io.UserError;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.io.data.ImageSet;
import org.orbitmap.model.InputShape;
import org.orbitmap.model.Layout;
import org.orbitmap.model.ModelInput;
import org.orbitmap.nn.network.Architecture;
import org.orbitmap.nn.network.MappingConfig;
import org.orbitmap.nn.network.Model;
import org.orbitmap.nn.train.Evaluation;
import org.orbitmap.nn.train.TrainConfig;
import org.orbitmap.nn.train.Trainer;
import org.orbitmap.orbit.OrbitMapping;
import org.orbitmap.paper.Reproduction;
import org.orbitmap.paper.Tables;

/** The result of a training run: a network of the engine, with its mapping and its classes. */
public final class RunModel implements LoadedModel {
  private final Path source;
  private final Model model;

  private RunModel(Path source, Model model) {
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
    return new RunModel(run, load(run));
  }

  /** The network of a run, as the engine has it. */
  public static Model load(Path run) throws IOException {
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

  @Override
  public Path source() {
    return source;
  }

  @Override
  public Optional<ModelInput<?>> input() {
    Architecture a = model.description().architecture();
    return Optional.of(ModelInput.Images.free(Layout.NCHW, a.channels(), a.height(), a.columns()));
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
    return model.description().architecture().kind().id();
  }

  /** The number of trainable parameters. */
  public long parameters() {
    return model.parameters();
  }

  /** Whether a mapping is in front of the network. */
  public boolean mapped() {
    return !model.description().mapping().when().equals("none");
  }

  /** The mapping in words, or {@code none}. */
  public String mapping() {
    MappingConfig m = model.description().mapping();
    return mapped() ? m.mapping() + ", " + m.when() : "none";
  }

  @Override
  public <X> OrbitMapping<?, X> mapping(InputShape<X> shape, String group) {
    Inputs.require(source, input().orElseThrow(), shape);
    @SuppressWarnings("unchecked") // the shape was checked
    OrbitMapping<?, X> m = (OrbitMapping<?, X>) model.description().mapping().mapping();
    return m;
  }

  /** The same weights behind the mapping with this rule, used when predicting. */
  public RunModel behind(String rule) {
    return new RunModel(source, model.with(model.description().mapping().rule(rule).when("test")));
  }

  /** The same weights without a mapping. */
  public RunModel bare() {
    return new RunModel(source, model.with(MappingConfig.NONE));
  }

  @Override
  public Optional<Counterpart> counterpart() {
    String rule = model.description().mapping().rule();
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
    facts.put("training seed", Long.toString(training().seed()));
    return facts;
  }

  /** What the run was trained with. */
  public record Training(String data, int size, long seed) {}

  /** What the run was trained with, from its configuration. */
  public Training training() throws IOException {
    TrainConfig config = Trainer.config(source);
    return new Training(config.data(), config.size(), config.seed());
  }

  @Override
  public Optional<Published> published(String data) throws IOException {
    TrainConfig config = Trainer.config(source);
    return Tables.paper(config.with("data", data), model.description().mapping().when())
        .map(t -> published(t, config.network().width()));
  }

  private static Published published(Reproduction.Table table, double width) {
    Map<String, Accuracy> figures = new LinkedHashMap<>();
    for (Interpolation i : Interpolation.values()) {
      figures.put(i.id(), table.rows().get(0).paper(i));
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
  @SuppressWarnings("unchecked") // the shape was checked
  public <X> Classifier<X> classifier(InputShape<X> shape) {
    Inputs.require(source, input().orElseThrow(), shape);
    return (Classifier<X>) model;
  }

  @Override
  @SuppressWarnings("unchecked") // images are all that the engine trains on
  public <X> Robustness measure(
      DataSet<X> data, Sweep<X> sweep, Robustness.Settings settings, Progress progress) {
    Inputs.require(source, input().orElseThrow(), data.shape());
    return Evaluation.robustness(
        model,
        (ImageSet) data,
        (Sweep<Image>) sweep,
        settings.threads(),
        settings.trueClass(),
        progress);
  }

  @Override
  public void close() {
    // Nothing is held but memory.
  }
}
