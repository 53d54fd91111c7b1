package org.orbitmap.paper;

import java.util.List;

/**
 * A finished or partial row, over the seeds.
 *
 * @param row what was measured
 * @param seeds one score for each seed
 */
public record RowResult(Row row, List<Score> seeds) {}
