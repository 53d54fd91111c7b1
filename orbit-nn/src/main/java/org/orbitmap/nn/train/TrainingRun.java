package org.orbitmap.nn.train;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.orbitmap.eval.Scores;
import org.orbitmap.io.UserError;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.network.Architecture;
import org.orbitmap.network.FloatTensor;
import org.orbitmap.nn.model.MappingConfig;
import org.orbitmap.nn.model.Model;
import org.orbitmap.nn.scheme.Augmenter;
import org.orbitmap.nn.scheme.Scheme;
import org.orbitmap.nn.scheme.Schemes;
import org.orbitmap.nn.scheme.TrainingStep;
import org.orbitmap.nn.tensor.Engine;
import org.orbitmap.nn.tensor.NativeScope;
import org.orbitmap.nn.tensor.Tensors;
import org.orbitmap.upright.Fitted;

/** The loop of a run: epochs, steps, validation, checkpoints. */
final class TrainingRun<X> {
  private static final int VALIDATION_BATCH = 250;

  /**
   * Inputs of more numbers are validated in batches like those of training, to fit memory, and a
   * pass leaves none of it behind.
   */
  private static final int LARGE = 50_000;

  private final TrainConfig config;
  private final DataSet<X> data;
  private final Sampler sampler;
  private final Model<X> model;
  private final RunFolder folder;
  private final TrainingListener listener;
  private final Scheme scheme;
  private final Augmenter<X> augmenter;
  private final Optimiser optimiser;
  private final Batches<X> batches;

  private int epoch;
  private Schedule.State schedule;
  private Map<String, FloatTensor> best;
  private double bestAccuracy = -1;
  private double bestClassAccuracy = -1;
  private int bestEpoch;

  TrainingRun(
      TrainConfig config,
      DataSet<X> data,
      Sampler sampler,
      Model<X> model,
      RunFolder folder,
      TrainingListener listener) {
    this.config = config;
    this.data = data;
    this.sampler = sampler;
    this.model = model;
    this.folder = folder;
    this.listener = listener;
    scheme = Schemes.named(config.scheme());
    augmenter = Augmenter.of(data.shape(), config.augmentation(), config.cloudAugmentation());
    FineTuning tuning = config.fineTuning();
    tuning.requireParts(model.weights().parameters().keySet());
    model
        .weights()
        .freeze(tuning::freezes, name -> tuning.frozenStatistics() || tuning.freezes(name));
    optimiser = Optimiser.of(config.optimiser(), model.weights()).with(tuning);
    schedule = config.schedule().start(config.optimiser().rate());
    batches = new Batches<>(data.shape());
  }

  Sampler sampler() {
    return sampler;
  }

  Architecture architecture() {
    return model.description().architecture();
  }

  /** The numbers of the model's upright mapping, if it has one. */
  Optional<Fitted> mapping() {
    return model.fitted();
  }

  /** Loss, accuracy and mean accuracy of the classes on the validation inputs. */
  private record Validation(double loss, double accuracy, double classAccuracy) {}

  TrainingResult run() throws IOException {
    try (batches) {
      return epochs();
    }
  }

  private TrainingResult epochs() throws IOException {
    long perEpoch = sampler.order(0).length;
    long before = epoch * perEpoch;
    while (epoch < config.epochs()) {
      long started = System.nanoTime();
      double loss = trainEpoch(perEpoch, before);
      if (!model.weights().finite()) {
        throw diverged("finite weights", "others", "after epoch " + (epoch + 1));
      }
      Validation checked = validate();
      if (!Double.isFinite(checked.loss())) {
        throw diverged("a finite validation loss", checked.loss(), "after epoch " + (epoch + 1));
      }
      double used = schedule.rate();
      epoch++;
      schedule = config.schedule().after(schedule, epoch, checked.loss());
      if (config.keep() == TrainConfig.Keep.LAST || checked.accuracy() > bestAccuracy) {
        bestAccuracy = checked.accuracy();
        bestClassAccuracy = checked.classAccuracy();
        bestEpoch = epoch;
        best = model.weights().snapshot();
      }
      boolean validated = sampler.validation().length > 0;
      EpochMetrics metrics =
          new EpochMetrics(
              epoch,
              loss,
              validated ? checked.loss() : null,
              validated ? checked.accuracy() : null,
              validated ? checked.classAccuracy() : null,
              used,
              Math.round((System.nanoTime() - started) / 1e6) / 1000.0,
              Math.round(batches.waited() * 1e3) / 1000.0);
      try {
        // The line first: if the run is stopped in between, resuming drops it and writes it again.
        folder.append(metrics);
        folder.write(checkpoint(), config);
      } catch (IOException e) {
        throw new IOException(
            "%s: expected to write epoch %d, found: %s. %s. Make room, then resume the run"
                .formatted(folder, epoch, e.getMessage(), folder.lastCheckpoint()),
            e);
      }
      listener.epoch(metrics);
    }
    Map<String, String> metadata = new LinkedHashMap<>();
    metadata.put("config", config.toYaml());
    metadata.put("data-sha256", data.digest());
    metadata.put("epoch", Integer.toString(bestEpoch));
    model.save(folder.modelFile(), best, metadata);
    return new TrainingResult(
        folder.toString(),
        config.epochs(),
        bestEpoch,
        sampler.validation().length == 0 ? Double.NaN : bestAccuracy,
        sampler.validation().length == 0 ? Double.NaN : bestClassAccuracy,
        model.parameters(),
        config.seed());
  }

  private UserError diverged(String expected, Object found, String when) {
    return UserError.expected(
        "training",
        expected,
        found + " " + when,
        folder.lastCheckpoint() + ". Try a lower learning rate");
  }

  private double trainEpoch(long perEpoch, long before) throws IOException {
    int[] order = sampler.order(epoch);
    int now = epoch;
    batches.start(
        Batches.ends(order.length, config.batch()),
        new Batches.Source<>() {
          @Override
          public X input(int place) {
            // In an oversampled epoch the same input comes again, changed differently.
            SplittableRandom random = sampler.at(now, place);
            return scheme.augment(augmenter.take(data, order[place], random), augmenter, random);
          }

          @Override
          public int label(int place) {
            return data.label(order[place]);
          }
        });
    double total = 0;
    for (int step = 0; batches.hasNext(); step++) {
      Batches.Batch batch = next("epoch %d, step %d".formatted(epoch + 1, step + 1));
      SplittableRandom random = sampler.at(epoch, -1L - batch.first());
      float loss = NativeScope.scoped(() -> step(batch, random));
      if (!Float.isFinite(loss)) {
        throw diverged(
            "a finite loss", loss, "in epoch %d, step %d".formatted(epoch + 1, step + 1));
      }
      total += (double) loss * batch.size();
      long done = (long) batch.first() + batch.size();
      listener.progress(epoch * perEpoch + done - before, config.epochs() * perEpoch - before);
    }
    return total / order.length;
  }

  /** The next batch, unless somebody wants to stop. */
  private Batches.Batch next(String where) throws IOException {
    try {
      if (!Thread.currentThread().isInterrupted()) {
        return batches.next();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new InterruptedIOException(
        "%s: training was interrupted in %s; resume the run to go on".formatted(folder, where));
  }

  /**
   * One step on a batch, in one or several passes; its loss. A loss that is not finite changes
   * nothing.
   */
  private float step(Batches.Batch batch, SplittableRandom random) {
    int n = batch.size();
    int passes = Math.min(n, config.fineTuning().accumulate());
    float sum = 0;
    for (int k = 0; k < passes && Float.isFinite(sum); k++) {
      int from = (int) ((long) n * k / passes);
      int to = (int) ((long) n * (k + 1) / passes);
      sum += NativeScope.scoped(() -> pass(batch, from, to, random));
    }
    if (Float.isFinite(sum)) {
      optimiser.step(schedule.rate());
    }
    model.weights().zeroGradients();
    return sum;
  }

  /** The gradients of some inputs of a step; their share of its loss. */
  private float pass(Batches.Batch batch, int from, int to, SplittableRandom random) {
    int of = batch.size();
    int length = data.shape().length();
    boolean whole = to - from == of;
    float[] numbers =
        whole ? batch.inputs() : Arrays.copyOfRange(batch.inputs(), from * length, to * length);
    int[] classes = whole ? batch.labels() : Arrays.copyOfRange(batch.labels(), from, to);
    Tensor x = Tensors.of(numbers, data.shape().batch(to - from));
    TrainingStep step =
        new TrainingStep(model, x, Tensors.ofLabels(classes, to - from), config.attack(), random);
    Supplier<Tensor> forward =
        () -> {
          Tensor loss = step.withPenalties(scheme.loss(step));
          return whole ? loss : loss.mul(new Scalar((double) (to - from) / of));
        };
    // Only what gradients need is left when they are computed, and each of it goes when it is used.
    Tensor loss =
        NativeScope.result(
            config.fineTuning().precision() == FineTuning.Precision.HALF
                ? () -> Engine.inHalfPrecision(forward)
                : forward);
    float value = loss.item_float();
    if (Float.isFinite(value)) {
      loss.backward();
    }
    if (length > LARGE) {
      NativeScope.giveBack();
    }
    return value;
  }

  private int validationBatch() {
    int passes = config.fineTuning().accumulate();
    return data.shape().length() <= LARGE
        ? VALIDATION_BATCH
        : (config.batch() + passes - 1) / passes;
  }

  private Validation validate() throws IOException {
    // A mapping that is for testing only must not change which epoch is the best.
    Model<X> checked = config.mapping().trained() ? model : model.with(MappingConfig.NONE);
    int[] validation = sampler.validation();
    int classes = data.classes().size();
    double loss = 0;
    int[] right = new int[classes];
    int[] seen = new int[classes];
    batches.start(
        Batches.ends(validation.length, validationBatch()),
        new Batches.Source<>() {
          @Override
          public X input(int place) {
            int i = validation[place];
            return scheme.validate(data.input(i), augmenter, sampler.at(-2, i));
          }

          @Override
          public int label(int place) {
            return data.label(validation[place]);
          }
        });
    while (batches.hasNext()) {
      Batches.Batch batch = next("the validation after epoch " + (epoch + 1));
      int n = batch.size();
      int[] labels = batch.labels();
      float[] rows =
          NativeScope.inference(
              () -> {
                Tensor x = Tensors.of(batch.inputs(), data.shape().batch(n));
                return Tensors.toArray(torch.log_softmax(checked.logits(x), 1));
              });
      for (int i = 0; i < n; i++) {
        float[] row = Arrays.copyOfRange(rows, i * classes, (i + 1) * classes);
        loss -= row[labels[i]];
        right[labels[i]] += Scores.argmax(row) == labels[i] ? 1 : 0;
        seen[labels[i]]++;
      }
    }
    int n = Math.max(1, validation.length);
    double byClass =
        IntStream.range(0, classes)
            .filter(c -> seen[c] > 0)
            .mapToDouble(c -> (double) right[c] / seen[c])
            .average()
            .orElse(0);
    return new Validation(loss / n, (double) IntStream.of(right).sum() / n, byClass);
  }

  private Checkpoint checkpoint() {
    return new Checkpoint(
        epoch,
        schedule,
        optimiser.steps(),
        bestAccuracy,
        bestClassAccuracy,
        bestEpoch,
        // the model that is kept is this one: no second copy of it
        config.keep() == TrainConfig.Keep.LAST ? best : model.weights().copies(),
        optimiser.copies(),
        best);
  }

  /** Starts from given weights; what they leave out, such as a new last layer, stays random. */
  void begin(Map<String, FloatTensor> weights) {
    model.weights().restoreSome(weights);
  }

  /**
   * Takes the newest checkpoint that is good.
   *
   * @return whether there is one; if not, the run goes on from the beginning
   */
  boolean restore() throws IOException {
    for (Path file : folder.checkpoints()) {
      try {
        Checkpoint read = Checkpoint.read(file);
        // All of it is looked at before anything is taken.
        model.weights().requireLike(read.weights());
        model.weights().requireLike(read.best());
        optimiser.requireLike(read.optimiser());
        model.weights().restore(read.weights());
        optimiser.restore(read.optimiser());
        optimiser.steps(read.steps());
        best = read.best();
        schedule = read.schedule();
        bestAccuracy = read.bestAccuracy();
        bestClassAccuracy = read.bestClassAccuracy();
        bestEpoch = read.bestEpoch();
        epoch = read.epoch();
        listener.note("resuming after epoch " + epoch + " from " + file);
        folder.trimMetrics(epoch);
        return true;
      } catch (IOException | IllegalArgumentException e) {
        listener.warn(
            "%s cannot be used (%s): the one before it is taken"
                .formatted(file.getFileName(), e.getMessage()));
      }
    }
    listener.warn("no usable checkpoint in " + folder + ": starting from the beginning");
    folder.trimMetrics(0);
    return false;
  }
}
