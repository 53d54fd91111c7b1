package org.orbitmap.paper;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.orbitmap.eval.Statistic;

/**
 * A finished or partial row, over the seeds.
 *
 * @param row what was measured
 * @param seeds one score for each seed that is measured, perhaps in part
 * @param untrained how many seeds are not trained to the end
 * @param epochSeconds the time of its fastest epoch; NaN if it is not known
 */
public record RowResult(Row row, List<Score> seeds, int untrained, double epochSeconds) {
  /** A row whose seeds are all trained, nobody knows how fast. */
  public RowResult(Row row, List<Score> seeds) {
    this(row, seeds, 0, Double.NaN);
  }

  /** The mean of a share over the seeds in percent, and how much they differ. */
  public String percent(ToDoubleFunction<Score> share) {
    Statistic over = Statistic.over(seeds, share);
    String mean = String.format(Locale.ROOT, "%.1f", 100 * over.mean());
    return over.runs() > 1 ? mean + String.format(Locale.ROOT, " ± %.1f", 100 * over.std()) : mean;
  }

  /** Whether there are figures, and they tell the classes apart. */
  public boolean toldByClass() {
    return !seeds.isEmpty() && seeds.stream().allMatch(s -> s.byClass() != null);
  }
}
