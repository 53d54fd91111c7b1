package org.orbitmap.nn.train;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.orbitmap.image.Image;
import org.orbitmap.io.Digests;
import org.orbitmap.io.FolderLock;
import org.orbitmap.io.UserError;
import org.orbitmap.io.data.ChannelStatistics;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.io.network.ImportedWeights;
import org.orbitmap.model.InputShape;
import org.orbitmap.network.Architecture;
import org.orbitmap.network.FloatTensor;
import org.orbitmap.network.zoo.Networks;
import org.orbitmap.nn.model.Model;
import org.orbitmap.nn.tensor.Engine;

/**
 * Trains a network on data of any kind, in a {@link RunFolder}.
 *
 * <pre>{@code
 * TrainingResult result = Trainer.of(TrainConfig.glyphs(), data).start(Path.of("runs/glyphs"));
 * }</pre>
 *
 * <p>Everything random depends on the seed, the epoch and the input alone, and a checkpoint holds
 * all the rest. So a run that was stopped at any moment and resumed ends with the same bits as one
 * that was not. Interrupting the thread stops a run before its next step.
 *
 * @param <X> the inputs
 */
public final class Trainer<X> {
  private final TrainConfig config;
  private final DataSet<X> data;
  private Map<String, FloatTensor> weights;
  private TrainingListener listener = TrainingListener.NONE;

  private Trainer(TrainConfig config, DataSet<X> data) {
    this.config = config;
    this.data = data;
  }

  /** A trainer for a configuration and the data that it names. */
  public static <X> Trainer<X> of(TrainConfig config, DataSet<X> data) {
    config.requireSize(data);
    DataSet<X> used = config.limit() > 0 ? data.first(config.limit()) : data;
    return new Trainer<>(config, used.requireEveryClass());
  }

  /**
   * Starts from these weights instead of those of the configuration; names and shapes must fit, and
   * what is left out starts at random.
   */
  public Trainer<X> weights(Map<String, FloatTensor> given) {
    weights = Map.copyOf(given);
    return this;
  }

  /** Tells somebody what happens. */
  public Trainer<X> listener(TrainingListener told) {
    listener = Objects.requireNonNull(told, "listener");
    return this;
  }

  /** Starts a run in a folder that must be empty or absent. */
  public TrainingResult start(Path folder) throws IOException {
    RunFolder run = new RunFolder(folder);
    run.requireEmpty();
    try (FolderLock lock = FolderLock.take(folder)) {
      run.requireEmpty(); // whoever had the lock may have begun one
      lock.removeLeftovers();
      TrainingRun<X> training = training(run);
      // What resuming needs comes first; it writes the provenance if that is missing.
      run.writeConfig(config);
      if (training.mapping().isPresent()) {
        run.writeMapping(training.mapping().get());
      }
      run.writeProvenance(provenance(training.sampler()));
      training.begin(startWeights(training.architecture()));
      return training.run();
    } catch (UncheckedIOException e) { // an input that is read when it is needed
      throw e.getCause();
    }
  }

  /**
   * Resumes a run of this configuration from its last complete checkpoint; progress is that of the
   * rest.
   */
  public TrainingResult resume(Path folder) throws IOException {
    RunFolder run = new RunFolder(folder);
    if (!run.holds(config)) {
      throw UserError.expected(folder.toString(), "the folder of a run", "none", "");
    }
    try (FolderLock lock = FolderLock.take(folder)) {
      TrainingRun<X> training = training(run);
      if (run.hasProvenance()) {
        run.requireData(data.name(), data.digest());
      } else {
        run.writeProvenance(provenance(training.sampler()));
      }
      lock.removeLeftovers();
      if (!training.restore()) {
        run.requireSame("weights", weightsDigest(), config.weights());
        training.begin(startWeights(training.architecture()));
      }
      return training.run();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** Starts a run, or resumes the one of the same configuration that the folder holds. */
  public TrainingResult startOrResume(Path folder) throws IOException {
    return new RunFolder(folder).holds(config) ? resume(folder) : start(folder);
  }

  private TrainingRun<X> training(RunFolder run) throws IOException {
    Sampler sampler = new Sampler(data, config.seed(), config.validation(), config.oversample());
    Engine.threads(config.threads());
    Model<X> model =
        Model.of(description(sampler), config.seed(), run.mapping()).taking(data.shape());
    return new TrainingRun<>(config, data, sampler, model, run, listener);
  }

  /** The weights to start with, as far as they are given; read when they are needed. */
  private Map<String, FloatTensor> startWeights(Architecture architecture) throws IOException {
    if (weights != null) {
      return weights;
    }
    if (config.weights().equals(TrainConfig.RANDOM)) {
      return Map.of();
    }
    ImportedWeights read = ImportedWeights.read(Path.of(config.weights()), architecture);
    listener.note(
        "starting from the weights in %s%s"
            .formatted(
                config.weights(), read.newHead() ? "; the last layer is new and random" : ""));
    return read.tensors();
  }

  private String weightsDigest() throws IOException {
    return weights != null || config.weights().equals(TrainConfig.RANDOM)
        ? ""
        : Digests.sha256(Path.of(config.weights()));
  }

  /** What the model of the configuration looks like; statistics from the training inputs. */
  private Model.Description description(Sampler sampler) {
    Architecture architecture =
        new Architecture(
            Networks.named(config.network().name()),
            config.network().widthFactor(),
            config.network().tiPooling(),
            config.network().options(),
            data.shape(),
            data.classes().size());
    float[] none = {};
    if (!(data.shape() instanceof InputShape.Images)) {
      return new Model.Description(architecture, data.classes(), none, none, config.mapping());
    }
    @SuppressWarnings("unchecked") // the shape says so
    DataSet<Image> images = (DataSet<Image>) data;
    ChannelStatistics statistics =
        config.normalise() == TrainConfig.Normalise.IMAGENET
            ? ChannelStatistics.IMAGENET
            : ChannelStatistics.published(data.name())
                .orElseGet(() -> ChannelStatistics.of(images, sampler.training()));
    return new Model.Description(
        architecture, data.classes(), statistics.mean(), statistics.std(), config.mapping());
  }

  private Map<String, String> provenance(Sampler sampler) throws IOException {
    Map<String, String> p = new LinkedHashMap<>(Provenance.environment());
    p.put("threads", Integer.toString(Engine.threads()));
    p.put("seed", Long.toString(config.seed()));
    p.put("data", data.name());
    p.put(
        data.shape().kind(),
        sampler.training().length + " training, " + sampler.validation().length + " validation");
    p.put("data-sha256", data.digest());
    p.put("weights", weights == null ? config.weights() : "given");
    if (!weightsDigest().isEmpty()) {
      p.put("weights-sha256", weightsDigest());
    }
    p.put("started", Provenance.now());
    return p;
  }
}
