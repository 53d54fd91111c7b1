package org.orbitmap.eval;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.orbitmap.eval.Robustness.Settings;
import org.orbitmap.eval.Robustness.TrueClass;

/**
 * One run of {@link Robustness#measure}. The data is cut into batches; a unit of work is one batch
 * in a block of poses. Which inputs share a call of the classifier depends on the batch size alone,
 * so that the result is the same, bit for bit, for any number of threads.
 */
final class Measurement<X> {
  private final Classifier<X> classifier;
  private final List<Labelled<X>> data;
  private final Sweep<X> sweep;
  private final Settings settings;
  private final Progress progress;

  private final int batches;
  private final int blocks;
  private final int[] labels;
  private final int[] clean;
  private final int[][] predictions;
  private final float[][] changes;
  private final float[][] trueClass;

  private final Map<Integer, Batch> open = new ConcurrentHashMap<>();
  private final AtomicLong done = new AtomicLong();
  private final LongAdder inClassifier = new LongAdder();
  private final AtomicInteger classes = new AtomicInteger();

  Measurement(
      Classifier<X> classifier,
      List<Labelled<X>> data,
      Sweep<X> sweep,
      Settings settings,
      Progress progress) {
    if (data.isEmpty()) {
      throw new IllegalArgumentException("data: expected at least one item, found none");
    }
    this.classifier = classifier;
    this.data = data;
    this.sweep = sweep;
    this.settings = settings;
    this.progress = progress;
    int n = data.size();
    int m = sweep.poses().size();
    this.batches = (n + settings.batch() - 1) / settings.batch();
    // Enough units that no thread waits long for the last ones of the others.
    int wanted = settings.threads() == 1 ? 1 : 16 * settings.threads();
    this.blocks = Math.min(m, (wanted + batches - 1) / batches);
    this.labels = new int[n];
    this.clean = new int[n];
    this.predictions = new int[n][m];
    this.changes = new float[n][m];
    this.trueClass = settings.trueClass() == TrueClass.NONE ? null : new float[n][m];
  }

  Robustness run() {
    long start = System.nanoTime();
    int threads = Math.min(settings.threads(), batches * blocks);
    Workers.run("orbit-robustness", threads, batches * blocks, u -> batch(u / blocks, u % blocks));
    Robustness.Cost cost =
        new Robustness.Cost((System.nanoTime() - start) / 1e9, inClassifier.sum() / 1e9, threads);
    Answers answers =
        new Answers(
            classes.get(), labels, clean, predictions, changes, settings.trueClass(), trueClass);
    return new Robustness(sweep, answers, cost);
  }

  /**
   * Some inputs that share each call of the classifier, with its answer on them as they are. Open
   * from the first block of poses to the last, so that it is made once.
   */
  private final class Batch {
    private final int from;
    private final int to;
    private List<X> inputs;
    private float[][] clean;
    private double[][] probabilities;
    private int blocksLeft = blocks;

    Batch(int number) {
      this.from = number * settings.batch();
      this.to = Math.min(from + settings.batch(), labels.length);
    }

    /** Reads the inputs and asks about them as they are, unless that was done. */
    synchronized void begin() {
      if (probabilities != null) {
        return;
      }
      Workers.stopIfInterrupted();
      List<X> read = new ArrayList<>(to - from);
      for (int i = from; i < to; i++) {
        Labelled<X> item = data.get(i);
        read.add(item.input());
        labels[i] = item.label();
      }
      inputs = read;
      int identity = sweep.identity();
      clean =
          scores(read, from, identity < 0 ? "the clean pose" : sweep.poses().get(identity).label());
      for (int i = from; i < to; i++) {
        Measurement.this.clean[i] = Scores.argmax(clean[i - from]);
      }
      probabilities = Arrays.stream(clean).map(Scores::probabilities).toArray(double[][]::new);
    }

    /** The answer in a pose. */
    float[][] in(Sweep.Pose<X> pose) {
      if (pose.identity()) {
        return clean;
      }
      return scores(inputs.stream().map(pose.transform()).toList(), from, pose.label());
    }

    /** Keeps what is asked for of the answer in a pose. */
    void keep(int pose, float[][] scores) {
      for (int i = from; i < to; i++) {
        float[] row = scores[i - from];
        predictions[i][pose] = Scores.argmax(row);
        double[] moved = Scores.probabilities(row);
        changes[i][pose] = (float) Scores.totalVariation(moved, probabilities[i - from]);
        if (trueClass != null) {
          int c = labels[i] == Labelled.UNKNOWN ? Measurement.this.clean[i] : labels[i];
          trueClass[i][pose] =
              switch (settings.trueClass()) {
                case SOFTMAX -> (float) Scores.softmax(row)[c];
                case PROBABILITY -> (float) moved[c];
                default -> row[c];
              };
        }
      }
    }

    /** Whether this was the last block of poses. */
    synchronized boolean end() {
      return --blocksLeft == 0;
    }
  }

  private void batch(int number, int block) {
    Batch batch = open.computeIfAbsent(number, Batch::new);
    batch.begin();
    int m = sweep.poses().size();
    int end = (int) ((long) m * (block + 1) / blocks);
    for (int p = (int) ((long) m * block / blocks); p < end; p++) {
      Workers.stopIfInterrupted();
      batch.keep(p, batch.in(sweep.poses().get(p)));
      progress.update(done.addAndGet(batch.to - batch.from), (long) labels.length * m);
    }
    if (batch.end()) {
      open.remove(number);
    }
  }

  /** The classifier's answer, after a check of its shape and for NaN. */
  private float[][] scores(List<X> batch, int from, String pose) {
    long start = System.nanoTime();
    float[][] scores = classifier.scores(batch);
    inClassifier.add(System.nanoTime() - start);
    if (scores.length != batch.size()) {
      throw new IllegalArgumentException(
          "classifier: expected %d rows of scores, found %d"
              .formatted(batch.size(), scores.length));
    }
    for (int i = 0; i < scores.length; i++) {
      int k = scores[i].length;
      if (k == 0 || (!classes.compareAndSet(0, k) && classes.get() != k)) {
        throw new IllegalArgumentException(
            "classifier: expected rows of equal length, found %d and %d scores"
                .formatted(classes.get(), k));
      }
      if (labels[from + i] >= k) {
        throw new IllegalArgumentException(
            "item %d: expected a label below the %d classes of the classifier, found %d"
                .formatted(from + i, k, labels[from + i]));
      }
      for (float score : scores[i]) {
        if (Float.isNaN(score)) {
          throw new IllegalArgumentException(
              "classifier: expected numbers, found a NaN score for item %d at %s"
                  .formatted(from + i, pose));
        }
      }
    }
    return scores;
  }
}
