package org.orbitmap.paper;

import java.util.List;

/**
 * A finished or partial row, over the seeds.
 *
 * @param row what was measured
 * @param seeds one score for each seed that is measured, perhaps in part
 * @param untrained how many seeds are not trained to the end
 */
public record RowResult(Row row, List<Score> seeds, int untrained) {
  /** A row whose seeds are all trained. */
  public RowResult(Row row, List<Score> seeds) {
    this(row, seeds, 0);
  }
}
