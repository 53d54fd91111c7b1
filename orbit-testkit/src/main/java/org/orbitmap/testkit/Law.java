package org.orbitmap.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * A law as a value: a statement about one subject that can be tried as often as one likes.
 *
 * @param subject what it is about
 * @param name the law, such as {@code invariance}
 * @param tolerance the largest error that rounding (or interpolation, where a subject says so)
 *     explains
 * @param trial tries it once
 */
public record Law(String subject, String name, double tolerance, Trial trial) {
  public Law {
    Objects.requireNonNull(subject, "subject");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(trial, "trial");
  }

  /** One try. */
  @FunctionalInterface
  public interface Trial {
    /** Draws what it needs and measures the error. */
    Outcome run(RandomGenerator random);
  }

  /**
   * What a trial measured.
   *
   * @param error 0 if the law holds exactly; NaN counts as infinite
   * @param witness what was drawn, for a message
   */
  public record Outcome(double error, Supplier<String> witness) {
    /**
     * What a trial found, with what was drawn.
     *
     * @param names the names of the values, with a semicolon between them
     */
    static Outcome of(double error, String names, Object... values) {
      return new Outcome(
          error,
          () -> {
            List<String> shown = new ArrayList<>();
            int i = 0;
            for (String name : names.split("; ", -1)) {
              if (i < values.length) {
                shown.add(name + " = " + Values.show(values[i++]));
              }
            }
            return String.join(", ", shown);
          });
    }
  }

  /** Tries the law; the same seed gives the same result. */
  public LawResult check(int trials, long seed) {
    if (trials < 1) {
      throw new IllegalArgumentException("trials: expected at least 1, found " + trials);
    }
    double worst = 0;
    String witness = "";
    for (int i = 0; i < trials; i++) {
      double error;
      Supplier<String> text;
      try {
        Outcome outcome = replay(seed, i);
        error = Double.isNaN(outcome.error()) ? Double.POSITIVE_INFINITY : outcome.error();
        text = outcome.witness();
      } catch (RuntimeException e) {
        error = Double.POSITIVE_INFINITY;
        text = () -> "thrown: " + e;
      }
      if (error > worst) {
        worst = error;
        witness = "seed %d, trial %d: %s".formatted(seed, i, text.get());
      }
    }
    return new LawResult(subject, name, trials, worst, tolerance, witness);
  }

  /** One trial again, as {@link #check} ran it. */
  public Outcome replay(long seed, int number) {
    return trial.run(new SplittableRandom(seed * 0x9E3779B97F4A7C15L + number));
  }
}
