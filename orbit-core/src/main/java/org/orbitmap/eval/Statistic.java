package org.orbitmap.eval;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Collection;
import java.util.function.ToDoubleFunction;

/**
 * A figure over several runs.
 *
 * @param mean the arithmetic mean
 * @param std the sample standard deviation (n - 1); 0 for a single run
 * @param runs how many
 */
public record Statistic(double mean, double std, int runs) implements Serializable {
  /** The statistic of some numbers. */
  public static Statistic of(double... values) {
    if (values.length == 0) {
      throw new IllegalArgumentException("statistic: expected at least one run, found none");
    }
    double mean = Arrays.stream(values).average().orElseThrow();
    double squares = Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum();
    double std = values.length == 1 ? 0 : Math.sqrt(squares / (values.length - 1));
    return new Statistic(mean, std, values.length);
  }

  /** The statistic of one figure of each run, such as {@code r -> r.accuracy().worst()}. */
  public static <R> Statistic over(Collection<R> runs, ToDoubleFunction<? super R> figure) {
    return of(runs.stream().mapToDouble(figure).toArray());
  }
}
