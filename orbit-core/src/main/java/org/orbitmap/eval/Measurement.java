package org.orbitmap.eval;

import java.util.ArrayList;
import java.util.List;
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
  private final boolean separateClean;
  private final int[] labels;
  private final int[] clean;
  private final int[][] predictions;
  private final float[][] trueClass;

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
    this.separateClean = sweep.identity() < 0;
    this.labels = new int[n];
    this.clean = new int[n];
    this.predictions = new int[n][m];
    this.trueClass = settings.trueClass() == TrueClass.NONE ? null : new float[n][m];
  }

  Robustness run() {
    long start = System.nanoTime();
    int threads = Math.min(settings.threads(), batches * blocks);
    Workers.run("orbit-robustness", threads, batches * blocks, u -> batch(u / blocks, u % blocks));
    if (!separateClean) {
      int identity = sweep.identity();
      for (int i = 0; i < clean.length; i++) {
        clean[i] = predictions[i][identity];
      }
    }
    Robustness.Cost cost =
        new Robustness.Cost((System.nanoTime() - start) / 1e9, inClassifier.sum() / 1e9, threads);
    Answers answers =
        new Answers(classes.get(), labels, clean, predictions, settings.trueClass(), trueClass);
    return new Robustness(sweep, answers, cost);
  }

  private void batch(int batch, int block) {
    int from = batch * settings.batch();
    int to = Math.min(from + settings.batch(), labels.length);
    List<X> inputs = new ArrayList<>(to - from);
    for (int i = from; i < to; i++) {
      Labelled<X> item = data.get(i);
      inputs.add(item.input());
      labels[i] = item.label();
    }
    int m = sweep.poses().size();
    if (block == 0 && separateClean) {
      float[][] scores = scores(inputs, from, "the clean pose");
      for (int i = from; i < to; i++) {
        clean[i] = Scores.argmax(scores[i - from]);
      }
    }
    int end = (int) ((long) m * (block + 1) / blocks);
    for (int p = (int) ((long) m * block / blocks); p < end; p++) {
      Workers.stopIfInterrupted();
      Sweep.Pose<X> pose = sweep.poses().get(p);
      List<X> posed = inputs;
      if (!pose.identity()) {
        posed = new ArrayList<>(inputs.size());
        for (X input : inputs) {
          posed.add(pose.transform().apply(input));
        }
      }
      float[][] scores = scores(posed, from, pose.label());
      for (int i = from; i < to; i++) {
        float[] row = scores[i - from];
        predictions[i][p] = Scores.argmax(row);
        if (trueClass != null) {
          trueClass[i][p] =
              switch (settings.trueClass()) {
                case SOFTMAX -> (float) Scores.softmax(row)[labels[i]];
                case PROBABILITY -> (float) Scores.probabilities(row)[labels[i]];
                default -> row[labels[i]];
              };
        }
      }
      progress.update(done.addAndGet(to - from), (long) labels.length * m);
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
