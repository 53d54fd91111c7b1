package org.orbitmap.nn.fit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * How far the answers of a predictor are from upright.
 *
 * @param count of the answers
 * @param within10 the share with an error of at most 10°
 * @param within20 the share with an error of at most 20°
 * @param meanErrorDegrees the mean error: the tilt that is left, whichever side of the mirror
 * @param medianErrorDegrees the median error
 * @param calibrationError the mean of |confidence - share within 20°| over tenths of the
 *     confidence, weighted by how many answers each has
 * @param calibration those tenths, the empty ones left out
 * @param chance the share within 20° of whoever guesses
 */
public record PoseErrors(
    int count,
    double within10,
    double within20,
    double meanErrorDegrees,
    double medianErrorDegrees,
    double calibrationError,
    List<Tenth> calibration,
    double chance) {
  /** The share within 20° of whoever guesses the rotation of an image. */
  public static final double CHANCE = 40.0 / 360;

  /**
   * An answer.
   *
   * @param index of the input
   * @param said what would make it upright
   * @param errorDegrees how far that is from the truth
   * @param confidence the probability that the predictor gave to all about its answer
   */
  public record Answer<G>(int index, G said, double errorDegrees, double confidence) {}

  /**
   * The answers of a tenth of the confidences.
   *
   * @param confidence their mean
   * @param within20 the share of them within 20°
   * @param count how many there are
   */
  public record Tenth(double confidence, double within20, int count) {}

  public PoseErrors {
    calibration = List.copyOf(calibration);
  }

  /**
   * The figures of some answers.
   *
   * @param chance the share within 20° of whoever guesses
   */
  public static <G> PoseErrors of(List<Answer<G>> answers, double chance) {
    int n = answers.size();
    double[] sorted = answers.stream().mapToDouble(Answer::errorDegrees).sorted().toArray();
    double median = n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
    double[] sum = new double[10];
    int[] right = new int[10];
    int[] count = new int[10];
    for (Answer<G> a : answers) {
      int t = Math.min(9, (int) (10 * a.confidence()));
      sum[t] += a.confidence();
      right[t] += a.errorDegrees() <= 20 ? 1 : 0;
      count[t]++;
    }
    List<Tenth> tenths = new ArrayList<>();
    double off = 0;
    for (int t = 0; t < 10; t++) {
      if (count[t] > 0) {
        tenths.add(new Tenth(sum[t] / count[t], (double) right[t] / count[t], count[t]));
        off += Math.abs(sum[t] - right[t]) / n;
      }
    }
    return new PoseErrors(
        n,
        within(sorted, 10),
        within(sorted, 20),
        Arrays.stream(sorted).average().orElse(Double.NaN),
        median,
        off,
        tenths,
        chance);
  }

  private static double within(double[] errors, double degrees) {
    return Arrays.stream(errors).filter(e -> e <= degrees).count() / (double) errors.length;
  }

  /**
   * Whether the data has an orientation to be found: clearly more answers within 20° than by
   * guessing.
   */
  public boolean oriented() {
    double deviation = Math.sqrt(chance * (1 - chance) / count);
    return within20 > Math.max(2 * chance, chance + 4 * deviation);
  }
}
