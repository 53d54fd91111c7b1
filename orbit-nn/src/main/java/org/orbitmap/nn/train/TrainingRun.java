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
import org.orbitmap.upright.FittedUpright;

/** The loop of a run: epochs, steps, validation, checkpoints. */
final class TrainingRun<X> {
  private static final int VALIDATION_BATCH = 250;

  private final TrainConfig config;
  private final DataSet<X> data;
  private final Sampler sampler;
  private final Model<X> model;
  private final RunFolder folder;
  private final TrainingListener listener;
  private final Scheme scheme;
  private final Augmenter<X> augmenter;
  private final Optimiser optimiser;
  private final int length;
  private final float[] buffer;
  private final int[] labels;

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
    length = data.shape().length();
    int most = Math.max(config.batch() + 1, VALIDATION_BATCH);
    buffer = new float[Math.multiplyExact(most, length)];
    labels = new int[most];
  }

  Sampler sampler() {
    return sampler;
  }

  Architecture architecture() {
    return model.description().architecture();
  }

  /** The numbers of the model's upright mapping, if it has one. */
  Optional<FittedUpright> mapping() {
    return model.fitted();
  }

  /** Loss, accuracy and mean accuracy of the classes on the validation inputs. */
  private record Validation(double loss, double accuracy, double classAccuracy) {}

  TrainingResult run() throws IOException {
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
              Math.round((System.nanoTime() - started) / 1e6) / 1000.0);
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
    double total = 0;
    int n;
    for (int start = 0, step = 0; start < order.length; start += n, step++) {
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedIOException(
            "%s: training was interrupted in epoch %d, step %d; resume the run to go on"
                .formatted(folder, epoch + 1, step + 1));
      }
      int left = order.length - start;
      // No batch of one at the end: nothing can be normalised over a single input.
      n = left <= config.batch() + 1 && config.batch() > 1 ? left : Math.min(config.batch(), left);
      int size = n;
      int first = start;
      fill(
          n,
          i -> order[first + i],
          // In an oversampled epoch the same input comes again, changed differently.
          (x, i) -> scheme.augment(x, augmenter, sampler.at(epoch, first + i)));
      SplittableRandom random = sampler.at(epoch, -1L - start);
      float loss = NativeScope.scoped(() -> step(size, random));
      if (!Float.isFinite(loss)) {
        throw diverged(
            "a finite loss", loss, "in epoch %d, step %d".formatted(epoch + 1, step + 1));
      }
      total += (double) loss * n;
      listener.progress(epoch * perEpoch + start + n - before, config.epochs() * perEpoch - before);
    }
    return total / order.length;
  }

  /**
   * One step on the inputs in the buffer, in one or several passes; its loss. A loss that is not
   * finite changes nothing.
   */
  private float step(int n, SplittableRandom random) {
    int passes = Math.min(n, config.fineTuning().accumulate());
    float sum = 0;
    for (int k = 0; k < passes && Float.isFinite(sum); k++) {
      int from = (int) ((long) n * k / passes);
      int to = (int) ((long) n * (k + 1) / passes);
      sum += NativeScope.scoped(() -> pass(from, to, n, random));
    }
    if (Float.isFinite(sum)) {
      optimiser.step(schedule.rate());
    }
    model.weights().zeroGradients();
    return sum;
  }

  /** The gradients of some inputs of a step; their share of its loss. */
  private float pass(int from, int to, int of, SplittableRandom random) {
    boolean whole = to - from == of;
    float[] numbers = whole ? buffer : Arrays.copyOfRange(buffer, from * length, to * length);
    int[] classes = whole ? labels : Arrays.copyOfRange(labels, from, to);
    Tensor x = Tensors.of(numbers, data.shape().batch(to - from));
    TrainingStep step =
        new TrainingStep(model, x, Tensors.ofLabels(classes, to - from), config.attack(), random);
    Supplier<Tensor> forward = () -> step.withPenalties(scheme.loss(step));
    Tensor loss =
        config.fineTuning().precision() == FineTuning.Precision.HALF
            ? Engine.inHalfPrecision(forward)
            : forward.get();
    if (!whole) {
      loss = loss.mul(new Scalar((double) (to - from) / of));
    }
    float value = loss.item_float();
    if (Float.isFinite(value)) {
      loss.backward();
    }
    return value;
  }

  private Validation validate() {
    // A mapping that is for testing only must not change which epoch is the best.
    Model<X> checked = config.mapping().trained() ? model : model.with(MappingConfig.NONE);
    int[] validation = sampler.validation();
    int classes = data.classes().size();
    double loss = 0;
    int[] right = new int[classes];
    int[] seen = new int[classes];
    for (int start = 0; start < validation.length; start += VALIDATION_BATCH) {
      int n = Math.min(VALIDATION_BATCH, validation.length - start);
      int first = start;
      fill(
          n,
          i -> validation[first + i],
          (x, i) -> scheme.validate(x, augmenter, sampler.at(-2, validation[first + i])));
      float[] rows =
          NativeScope.inference(
              () -> {
                Tensor x = Tensors.of(buffer, data.shape().batch(n));
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

  /** Which input stands at a place of the batch. */
  private interface Place {
    int index(int i);
  }

  /** How the input at a place of the batch is changed. */
  private interface Change<X> {
    X of(X x, int i);
  }

  /** Fills the buffer with changed inputs, in parallel; the result does not depend on how. */
  private void fill(int n, Place place, Change<X> change) {
    IntStream.range(0, n)
        .parallel()
        .forEach(
            i -> {
              int index = place.index(i);
              data.shape().copy(change.of(data.input(index), i), buffer, i * length);
              labels[i] = data.label(index);
            });
  }

  private Checkpoint checkpoint() {
    return new Checkpoint(
        epoch,
        schedule,
        optimiser.steps(),
        bestAccuracy,
        bestClassAccuracy,
        bestEpoch,
        model.weights().snapshot(),
        optimiser.snapshot(),
        best);
  }

  /** Starts from given weights; what they leave out, such as a new last layer, stays random. */
  void begin(Map<String, FloatTensor> weights) {
    if (!weights.isEmpty()) {
      Map<String, FloatTensor> all = new LinkedHashMap<>(model.weights().snapshot());
      all.putAll(weights);
      model.weights().restore(all);
    }
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
