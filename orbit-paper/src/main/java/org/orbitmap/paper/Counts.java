package org.orbitmap.paper;

import java.util.LinkedHashMap;
import java.util.Map;

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
 */
record Counts(
    int images,
    int clean,
    Map<String, Long> right,
    Map<String, Long> poses,
    Map<String, Integer> everywhere,
    int checked,
    int differing) {
  static final Counts NONE = new Counts(0, 0, Map.of(), Map.of(), Map.of(), 0, 0);

  /** Both together. */
  Counts plus(Counts next) {
    return new Counts(
        images + next.images,
        clean + next.clean,
        sum(right, next.right),
        sum(poses, next.poses),
        sumOfWhole(everywhere, next.everywhere),
        checked + next.checked,
        differing + next.differing);
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
        images, images == 0 ? 0 : (double) clean / images, average, worst, checked, differing);
  }
}
