package org.orbitmap.paper;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.orbitmap.eval.Accuracy;
import org.orbitmap.eval.Robustness;
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

  /**
   * What was answered on some inputs, over all of them and for each class that occurs.
   *
   * @param results by sweep
   */
  static Counts of(Map<String, Robustness> results, List<String> classes) {
    Robustness any = results.values().iterator().next();
    Map<String, Counts> byClass = new LinkedHashMap<>();
    for (Robustness.ClassAccuracy c : any.perClass()) {
      if (c.items() > 0) {
        byClass.put(
            classes.get(c.label()),
            of(results, r -> r.perClass().get(c.label()).accuracy(), c.items(), Map.of()));
      }
    }
    return of(results, Robustness::accuracy, any.items(), byClass);
  }

  private static Counts of(
      Map<String, Robustness> results,
      Function<Robustness, Accuracy> figure,
      int items,
      Map<String, Counts> byClass) {
    Map<String, Long> right = new LinkedHashMap<>();
    Map<String, Long> poses = new LinkedHashMap<>();
    Map<String, Integer> everywhere = new LinkedHashMap<>();
    int clean = 0;
    for (Map.Entry<String, Robustness> e : results.entrySet()) {
      Accuracy a = figure.apply(e.getValue());
      long all = (long) items * e.getValue().poses().size();
      clean = (int) Math.round(a.clean() * items);
      right.put(e.getKey(), Math.round(a.average() * all));
      poses.put(e.getKey(), all);
      everywhere.put(e.getKey(), (int) Math.round(a.worst() * items));
    }
    return new Counts(items, clean, right, poses, everywhere, 0, 0, byClass);
  }

  /** The same with what a shortcut of the protocol was compared with. */
  Counts compared(int answers, int others) {
    return new Counts(images, clean, right, poses, everywhere, answers, others, classes);
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
        mixed() || next.mixed() ? Map.of() : sumOfCounts(classes, next.classes));
  }

  private static Map<String, Counts> sumOfCounts(Map<String, Counts> a, Map<String, Counts> b) {
    Map<String, Counts> all = new LinkedHashMap<>(a);
    b.forEach((k, v) -> all.merge(k, v, Counts::plus));
    return all;
  }

  /** Whether inputs were counted whose classes nobody told apart. */
  private boolean mixed() {
    return images > 0 && classes.isEmpty();
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
        classes.isEmpty() ? null : commonest(),
        classes.isEmpty() ? null : byClass());
  }

  /** The share of the class that most inputs are of. */
  private double commonest() {
    return classes.values().stream().mapToInt(Counts::images).max().orElse(0) / (double) images;
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
