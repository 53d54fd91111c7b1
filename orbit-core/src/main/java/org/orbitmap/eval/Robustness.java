package org.orbitmap.eval;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * How a classifier does over an orbit: clean, average and worst accuracy, agreement with its
 * answers on the items as they are, each answer, and where it failed. In the worst case an item
 * counts as wrong as soon as one pose fails (paper, section 4).
 *
 * <p>Items without labels have an agreement, but no accuracy: {@link #labelled} says so, and what
 * needs a label throws {@link IllegalStateException}.
 *
 * <p>Immutable. Built by {@link #measure}; the result does not depend on the number of threads.
 */
public final class Robustness implements Serializable {
  private static final long serialVersionUID = 1;

  private final String sweep;
  private final String unit;
  private final List<PoseAccuracy> poses;
  private final Answers answers;
  private final Cost cost;
  private final Agreement agreement;
  private final Accuracy accuracy;
  private final Accuracy classAccuracy;
  private final List<ClassAccuracy> perClass;

  /**
   * What to keep of the scores of the true class, for plots over the poses. Without labels it is
   * the class that is answered on the item as it is.
   */
  public enum TrueClass {
    /** Nothing. */
    NONE,
    /** The score as it is, for classifiers whose scores are probabilities. */
    SCORE,
    /** The softmax of the scores, for classifiers whose scores are logits. */
    SOFTMAX,
    /** The score where the scores are a distribution, else their softmax. */
    PROBABILITY
  }

  /**
   * What a measurement took.
   *
   * @param seconds from its start to its end
   * @param inClassifier seconds in the classifier, summed over the threads
   * @param threads that worked at once
   */
  public record Cost(double seconds, double inClassifier, int threads) implements Serializable {
    /**
     * The share of the threads' time that the classifier took; the rest brought items into pose.
     */
    public double classifierShare() {
      return inClassifier / (seconds * threads);
    }

    /** Both together, one after the other. */
    public Cost plus(Cost next) {
      return new Cost(
          seconds + next.seconds,
          inClassifier + next.inClassifier,
          Math.max(threads, next.threads));
    }
  }

  /**
   * How to measure.
   *
   * @param threads how many batches are transformed and classified at once; 1 for a classifier that
   *     is not safe for several threads
   * @param batch inputs in a call of the classifier; at most threads × batch transformed inputs are
   *     in memory
   * @param trueClass what to keep of the scores of the true class
   */
  public record Settings(int threads, int batch, TrueClass trueClass) implements Serializable {
    public Settings {
      Objects.requireNonNull(trueClass, "trueClass");
      if (threads < 1 || batch < 1) {
        throw new IllegalArgumentException(
            "threads and batch: expected at least 1, found %d and %d".formatted(threads, batch));
      }
    }

    /** All processors, batches of 64, no scores. */
    public static Settings defaults() {
      return new Settings(Runtime.getRuntime().availableProcessors(), 64, TrueClass.NONE);
    }

    /** The same with another number of threads. */
    public Settings withThreads(int other) {
      return new Settings(other, batch, trueClass);
    }

    /** The same with another batch size. */
    public Settings withBatch(int other) {
      return new Settings(threads, other, trueClass);
    }

    /** The same with another choice of what to keep. */
    public Settings withTrueClass(TrueClass other) {
      return new Settings(threads, batch, other);
    }
  }

  /**
   * The accuracy in one pose.
   *
   * @param label what users read, such as {@code 15°}
   * @param value where it stands on the axis of a plot
   * @param accuracy the share of items that are right in this pose; NaN without labels
   * @param kept the share of items whose answer is that on the item as it is
   */
  public record PoseAccuracy(String label, double value, double accuracy, double kept)
      implements Serializable {}

  /**
   * The accuracy on one class.
   *
   * @param label the class
   * @param items how many items it has; 0 gives accuracies of 0
   * @param accuracy the accuracy on them
   */
  public record ClassAccuracy(int label, int items, Accuracy accuracy) implements Serializable {}

  /**
   * A wrong answer.
   *
   * @param item the number of the item in the data
   * @param pose the number of the pose in the sweep
   * @param label the true class
   * @param prediction the class that was answered
   */
  public record Miss(int item, int pose, int label, int prediction) implements Serializable {}

  /**
   * Tests a classifier on data over a sweep.
   *
   * @param classifier must be safe for several threads, or {@code settings.threads()} be 1
   * @param data the items; a list that loads on demand keeps memory small, its {@code get} is
   *     called from several threads
   * @param progress counts the pairs of item and pose
   */
  public static <X> Robustness measure(
      Classifier<X> classifier,
      List<Labelled<X>> data,
      Sweep<X> sweep,
      Settings settings,
      Progress progress) {
    return new Measurement<>(classifier, data, sweep, settings, progress).run();
  }

  /** Where a pose stands, before anything is known of the accuracy in it. */
  private record Place(String label, double value) {
    @Override
    public String toString() {
      return label + " at " + value;
    }
  }

  Robustness(Sweep<?> sweep, Answers answers, Cost cost) {
    this(
        sweep.name(),
        sweep.unit(),
        sweep.poses().stream().map(p -> new Place(p.label(), p.value())).toList(),
        answers,
        cost);
  }

  private Robustness(String sweep, String unit, List<Place> places, Answers answers, Cost cost) {
    this.sweep = sweep;
    this.unit = unit;
    this.answers = answers;
    this.cost = cost;
    this.poses =
        IntStream.range(0, places.size())
            .mapToObj(
                p ->
                    new PoseAccuracy(
                        places.get(p).label(),
                        places.get(p).value(),
                        answers.accuracy(p),
                        answers.kept(p)))
            .toList();
    this.agreement = answers.agreement();
    this.perClass = answers.perClass();
    if (!answers.labelled()) {
      this.accuracy = null;
      this.classAccuracy = null;
      return;
    }
    this.accuracy = answers.accuracy();
    List<ClassAccuracy> present = perClass.stream().filter(c -> c.items() > 0).toList();
    this.classAccuracy =
        new Accuracy(
            Statistic.over(present, c -> c.accuracy().clean()).mean(),
            Statistic.over(present, c -> c.accuracy().average()).mean(),
            Statistic.over(present, c -> c.accuracy().worst()).mean());
  }

  /**
   * Both together: the items of this measurement, then those of the next, as if all had been
   * measured at once. Associative; the cost is that of one after the other. (A classifier whose
   * answer depends on what else is in the batch needs parts that are whole batches.)
   *
   * @param next the same sweep and the same number of classes, with the same scores kept
   * @throws IllegalArgumentException if it is another measurement, naming what differs
   */
  public Robustness merge(Robustness next) {
    return merge(List.of(this, next));
  }

  /**
   * All parts together, in this order: what merging one after the other gives, in one pass.
   *
   * @param parts at least one
   * @throws IllegalArgumentException if they are not of one measurement, naming what differs
   */
  public static Robustness merge(List<Robustness> parts) {
    Robustness first = parts.get(0);
    List<Place> places = first.places();
    for (Robustness next : parts.subList(1, parts.size())) {
      Answers.requireSame("sweep", first.sweep, next.sweep);
      Answers.requireSame("unit", first.unit, next.unit);
      Answers.requireSame("number of poses", first.poses.size(), next.poses.size());
      List<Place> others = next.places();
      for (int p = 0; p < places.size(); p++) {
        Answers.requireSame("pose " + p, places.get(p), others.get(p));
      }
    }
    return new Robustness(
        first.sweep,
        first.unit,
        places,
        Answers.of(parts.stream().map(r -> r.answers).toList()),
        parts.stream().map(Robustness::cost).reduce(Cost::plus).orElseThrow());
  }

  private List<Place> places() {
    return poses.stream().map(p -> new Place(p.label(), p.value())).toList();
  }

  /** The name of the sweep. */
  public String sweep() {
    return sweep;
  }

  /** The unit of the poses' values. */
  public String unit() {
    return unit;
  }

  /** How far the answers in the poses are those on the items as they are. */
  public Agreement agreement() {
    return agreement;
  }

  /** Whether the true classes are known. */
  public boolean labelled() {
    return answers.labelled();
  }

  /** Clean, average and worst accuracy over all items. */
  public Accuracy accuracy() {
    requireLabels();
    return accuracy;
  }

  /** The mean over the classes that occur of their accuracies, over the whole set. */
  public Accuracy classAccuracy() {
    requireLabels();
    return classAccuracy;
  }

  private void requireLabels() {
    if (!labelled()) {
      throw new IllegalStateException(
          "accuracy: expected labelled items, found items without labels; see agreement()");
    }
  }

  /** The accuracy on each class; empty without labels. */
  public List<ClassAccuracy> perClass() {
    return perClass;
  }

  /** The poses with the accuracy and the agreement in each. */
  public List<PoseAccuracy> poses() {
    return poses;
  }

  /** What it took; the one thing that differs between two equal measurements. */
  public Cost cost() {
    return cost;
  }

  /** The number of items. */
  public int items() {
    return answers.labels().length;
  }

  /** The number of classes: the length of the classifier's scores. */
  public int classes() {
    return answers.classes();
  }

  /** The true class of an item; {@link Labelled#UNKNOWN} without labels. */
  public int label(int item) {
    return answers.labels()[item];
  }

  /** The answer on an item as it is. */
  public int cleanPrediction(int item) {
    return answers.clean()[item];
  }

  /** The answer on an item in a pose. */
  public int prediction(int item, int pose) {
    return answers.predictions()[item][pose];
  }

  /** What was kept of the scores of the true class. */
  public TrueClass kept() {
    return answers.kept();
  }

  /** Whether scores of the true class were kept. */
  public boolean hasTrueClass() {
    return answers.trueClass() != null;
  }

  /**
   * The score of the true class of an item in a pose.
   *
   * @throws IllegalStateException if they were not kept
   */
  public float trueClass(int item, int pose) {
    if (!hasTrueClass()) {
      throw new IllegalStateException("scores of the true class were not kept: see Settings");
    }
    return answers.trueClass()[item][pose];
  }

  /** The poses in which the answer on an item is another than on the item as it is. */
  public int[] changes(int item) {
    return IntStream.range(0, poses.size())
        .filter(p -> prediction(item, p) != cleanPrediction(item))
        .toArray();
  }

  /**
   * How far the class probabilities of an item in a pose are from those of the item as it is, in
   * total variation.
   */
  public float probabilityChange(int item, int pose) {
    return answers.changes()[item][pose];
  }

  /** The wrong answers on an item, in the order of the poses; empty if it is right in all. */
  public List<Miss> misses(int item) {
    requireLabels();
    List<Miss> misses = new ArrayList<>();
    int label = label(item);
    for (int p = 0; p < poses.size(); p++) {
      if (prediction(item, p) != label) {
        misses.add(new Miss(item, p, label, prediction(item, p)));
      }
    }
    return List.copyOf(misses);
  }

  /** The first pose in which an item fails, if any. */
  public OptionalInt failingPose(int item) {
    requireLabels();
    return IntStream.range(0, poses.size())
        .filter(p -> prediction(item, p) != label(item))
        .findFirst();
  }

  /** Counts of clean answers: row is the true class, column the answer. */
  public long[][] cleanConfusion() {
    requireLabels();
    return answers.cleanConfusion();
  }

  /** Counts of answers over all poses: row is the true class, column the answer. */
  public long[][] confusion() {
    requireLabels();
    return answers.confusion();
  }

  /** Whether two measurements agree in every answer and every kept score. */
  @Override
  public boolean equals(Object o) {
    return o instanceof Robustness r
        && sweep.equals(r.sweep)
        && unit.equals(r.unit)
        && poses.equals(r.poses)
        && answers.equals(r.answers);
  }

  @Override
  public int hashCode() {
    return Objects.hash(sweep, poses, answers);
  }

  @Override
  public String toString() {
    String right =
        labelled()
            ? "clean %.1f %%, average %.1f %%, worst %.1f %%, "
                .formatted(100 * accuracy.clean(), 100 * accuracy.average(), 100 * accuracy.worst())
            : "";
    return "%slabel kept %.1f %%, all kept %.1f %% (%s, %d items, %d poses)"
        .formatted(
            right,
            100 * agreement.labelKept(),
            100 * agreement.allKept(),
            sweep,
            items(),
            poses.size());
  }
}
