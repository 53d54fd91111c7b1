package org.orbitmap.eval;

import java.io.Serializable;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.orbitmap.eval.Robustness.TrueClass;

/**
 * What a classifier said about some items in some poses: all that {@link Robustness} counts.
 *
 * @param classes the length of the classifier's scores
 * @param labels the true class of each item
 * @param clean the answer on each item as it is
 * @param predictions the answer on each item in each pose
 * @param kept what was kept of the scores of the true class
 * @param trueClass those scores, for each item in each pose; null if nothing was kept
 */
record Answers(
    int classes,
    int[] labels,
    int[] clean,
    int[][] predictions,
    TrueClass kept,
    float[][] trueClass)
    implements Serializable {

  /** The items of this, then those of the next. */
  Answers and(Answers next) {
    requireSame("number of classes", classes, next.classes);
    requireSame("choice of kept scores", kept, next.kept);
    return new Answers(
        classes,
        IntStream.concat(IntStream.of(labels), IntStream.of(next.labels)).toArray(),
        IntStream.concat(IntStream.of(clean), IntStream.of(next.clean)).toArray(),
        joined(predictions, next.predictions),
        kept,
        trueClass == null ? null : joined(trueClass, next.trueClass));
  }

  static void requireSame(String what, Object mine, Object other) {
    if (!mine.equals(other)) {
      throw new IllegalArgumentException(
          "merge: expected parts of one measurement, with the same %s, found %s and %s"
              .formatted(what, mine, other));
    }
  }

  private static <T> T[] joined(T[] first, T[] next) {
    T[] all = Arrays.copyOf(first, Math.addExact(first.length, next.length));
    System.arraycopy(next, 0, all, first.length, next.length);
    return all;
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
