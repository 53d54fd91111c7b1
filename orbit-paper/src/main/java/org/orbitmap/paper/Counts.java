package org.orbitmap.paper;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.orbitmap.eval.Statistic;

/**
 * Answers counted over some inputs of one row: what is kept of a chunk, and what adds up.
 *
 * @param images inputs measured
 * @param clean right answers on the inputs as they are
 * @param right right answers over all poses, by sweep
 * @param poses answers over all poses, by sweep
 * @param everywhere inputs that are right in every pose, by sweep
 * @param checked answers compared for a shortcut of the protocol
 * @param differing how many of them differed
 * @param classes the same for each class, where the protocol tells them apart
 */
record Counts(
    int images,
    int clean,
    Map<String, Long> right,
    Map<String, Long> poses,
    Map<String, Integer> everywhere,
    int checked,
    int differing,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Counts> classes)
    implements Serializable {
  static final Counts NONE = new Counts(0, 0, Map.of(), Map.of(), Map.of(), 0, 0, Map.of());

  Counts {
    classes = classes == null ? Map.of() : classes;
  }

  /** Whether nothing is missing, as it may be in a file that was damaged. */
  boolean whole() {
    return images > 0 && right != null && poses != null && everywhere != null;
  }

  /** The same with the counts of each class. */
  Counts with(Map<String, Counts> byClass) {
    return new Counts(images, clean, right, poses, everywhere, checked, differing, byClass);
  }

  /** Both together. */
  Counts plus(Counts next) {
    return new Counts(
        images + next.images,
        clean + next.clean,
        sum(right, next.right),
        sum(poses, next.poses),
        sumOfWhole(everywhere, next.everywhere),
        checked + next.checked,
        differing + next.differing,
        sumOfCounts(classes, next.classes));
  }

  private static Map<String, Counts> sumOfCounts(Map<String, Counts> a, Map<String, Counts> b) {
    Map<String, Counts> all = new LinkedHashMap<>(a);
    b.forEach((k, v) -> all.merge(k, v, Counts::plus));
    return all;
  }

  private static Map<String, Long> sum(Map<String, Long> a, Map<String, Long> b) {
    Map<String, Long> all = new LinkedHashMap<>(a);
    b.forEach((k, v) -> all.merge(k, v, Long::sum));
    return all;
  }

  private static Map<String, Integer> sumOfWhole(Map<String, Integer> a, Map<String, Integer> b) {
    Map<String, Integer> all = new LinkedHashMap<>(a);
    b.forEach((k, v) -> all.merge(k, v, Integer::sum));
    return all;
  }

  /** The shares that they come to. */
  Score score() {
    Map<String, Double> average = new LinkedHashMap<>();
    Map<String, Double> worst = new LinkedHashMap<>();
    right.forEach((k, v) -> average.put(k, (double) v / poses.get(k)));
    everywhere.forEach((k, v) -> worst.put(k, (double) v / images));
    return new Score(
        images,
        images == 0 ? 0 : (double) clean / images,
        average,
        worst,
        checked,
        differing,
        classes.isEmpty() ? null : byClass());
  }

  /** The mean over the classes of their shares. */
  private Score byClass() {
    List<Score> scores = classes.values().stream().map(Counts::score).toList();
    Map<String, Double> average = new LinkedHashMap<>();
    Map<String, Double> worst = new LinkedHashMap<>();
    for (String sweep : right.keySet()) {
      average.put(sweep, Statistic.over(scores, s -> s.average().get(sweep)).mean());
      worst.put(sweep, Statistic.over(scores, s -> s.worst().get(sweep)).mean());
    }
    return new Score(
        images, Statistic.over(scores, Score::clean).mean(), average, worst, checked, differing);
  }
}
