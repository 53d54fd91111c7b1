package org.orbitmap.eval;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.orbitmap.eval.Robustness.ClassAccuracy;
import org.orbitmap.eval.Robustness.TrueClass;

/**
 * What a classifier said about some items in some poses: all that {@link Robustness} counts.
 *
 * @param classes the length of the classifier's scores
 * @param labels the true class of each item; all known or none
 * @param clean the answer on each item as it is
 * @param predictions the answer on each item in each pose
 * @param changes how far the class probabilities of each item in each pose are from those of the
 *     item as it is, in total variation
 * @param kept what was kept of the scores of the true class
 * @param trueClass those scores, for each item in each pose; null if nothing was kept
 */
record Answers(
    int classes,
    int[] labels,
    int[] clean,
    int[][] predictions,
    float[][] changes,
    TrueClass kept,
    float[][] trueClass)
    implements Serializable {
  Answers {
    int known = (int) IntStream.of(labels).filter(l -> l != Labelled.UNKNOWN).count();
    if (known > 0 && known < labels.length) {
      throw new IllegalArgumentException(
          "labels: expected one for each of %d items or for none, found %d"
              .formatted(labels.length, known));
    }
  }

  /** Whether the true classes are known. */
  boolean labelled() {
    return labels[0] != Labelled.UNKNOWN;
  }

  /** The items of all parts, in this order. */
  static Answers of(List<Answers> parts) {
    Answers first = parts.get(0);
    for (Answers next : parts) {
      requireSame("number of classes", first.classes, next.classes);
      requireSame("choice of kept scores", first.kept, next.kept);
      requireSame("knowledge of labels", first.labelled(), next.labelled());
    }
    return new Answers(
        first.classes,
        parts.stream().flatMapToInt(a -> IntStream.of(a.labels)).toArray(),
        parts.stream().flatMapToInt(a -> IntStream.of(a.clean)).toArray(),
        parts.stream().flatMap(a -> Arrays.stream(a.predictions)).toArray(int[][]::new),
        parts.stream().flatMap(a -> Arrays.stream(a.changes)).toArray(float[][]::new),
        first.kept,
        first.trueClass == null
            ? null
            : parts.stream().flatMap(a -> Arrays.stream(a.trueClass)).toArray(float[][]::new));
  }

  static void requireSame(String what, Object mine, Object other) {
    if (!mine.equals(other)) {
      throw new IllegalArgumentException(
          "merge: expected parts of one measurement, with the same %s, found %s and %s"
              .formatted(what, mine, other));
    }
  }

  /** How far the answers in the poses are those on the items as they are. */
  Agreement agreement() {
    long kept = 0;
    int allKept = 0;
    double change = 0;
    int poses = predictions[0].length;
    for (int i = 0; i < clean.length; i++) {
      int same = 0;
      for (int p = 0; p < poses; p++) {
        same += predictions[i][p] == clean[i] ? 1 : 0;
        change += changes[i][p];
      }
      kept += same;
      allKept += same == poses ? 1 : 0;
    }
    double pairs = (double) clean.length * poses;
    return new Agreement(kept / pairs, (double) allKept / clean.length, change / pairs);
  }

  /** The share of items whose answer in a pose is that on the item as it is. */
  double kept(int pose) {
    return share(i -> predictions[i][pose] == clean[i]);
  }

  /** The share of items that are right in a pose; NaN without labels. */
  double accuracy(int pose) {
    return labelled() ? share(i -> predictions[i][pose] == labels[i]) : Double.NaN;
  }

  private double share(IntPredicate holds) {
    return (double) IntStream.range(0, labels.length).filter(holds).count() / labels.length;
  }

  /** The shares of right answers over all items. */
  Accuracy accuracy() {
    return accuracy(IntStream.range(0, labels.length).toArray());
  }

  private Accuracy accuracy(int[] items) {
    int right = 0;
    long rightAnywhere = 0;
    int rightEverywhere = 0;
    int poses = predictions[0].length;
    for (int i : items) {
      int rightHere = 0;
      for (int answer : predictions[i]) {
        rightHere += answer == labels[i] ? 1 : 0;
      }
      right += clean[i] == labels[i] ? 1 : 0;
      rightAnywhere += rightHere;
      rightEverywhere += rightHere == poses ? 1 : 0;
    }
    double n = Math.max(1, items.length);
    return new Accuracy(right / n, rightAnywhere / (n * poses), rightEverywhere / n);
  }

  /** The same for each class; nothing without labels. */
  List<ClassAccuracy> perClass() {
    if (!labelled()) {
      return List.of();
    }
    Map<Integer, List<Integer>> items =
        IntStream.range(0, labels.length).boxed().collect(Collectors.groupingBy(i -> labels[i]));
    return IntStream.range(0, classes)
        .mapToObj(
            c -> {
              List<Integer> own = items.getOrDefault(c, List.of());
              return new ClassAccuracy(
                  c, own.size(), accuracy(own.stream().mapToInt(i -> i).toArray()));
            })
        .toList();
  }

  /** Counts of clean answers: row is the true class, column the answer. */
  long[][] cleanConfusion() {
    long[][] counts = new long[classes][classes];
    for (int i = 0; i < labels.length; i++) {
      counts[labels[i]][clean[i]]++;
    }
    return counts;
  }

  /** Counts of answers over all poses: row is the true class, column the answer. */
  long[][] confusion() {
    long[][] counts = new long[classes][classes];
    for (int i = 0; i < labels.length; i++) {
      for (int answer : predictions[i]) {
        counts[labels[i]][answer]++;
      }
    }
    return counts;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Answers a
        && classes == a.classes
        && kept == a.kept
        && Arrays.equals(labels, a.labels)
        && Arrays.equals(clean, a.clean)
        && Arrays.deepEquals(predictions, a.predictions)
        && Arrays.deepEquals(changes, a.changes)
        && Arrays.deepEquals(trueClass, a.trueClass);
  }

  @Override
  public int hashCode() {
    return Arrays.deepHashCode(predictions);
  }

  @Override
  public String toString() {
    return "Answers[%d items]".formatted(labels.length);
  }
}
