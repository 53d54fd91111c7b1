package org.orbitmap.app.report;

import org.orbitmap.paper.table.CostTable;

/** What methods cost, as a page. */
public final class CostReport {
  private CostReport() {}

  /** The page. */
  public static Report of(CostTable cost) {
    Table table =
        Table.of(
            "Each method with a ResNet-18",
            "method",
            "epoch, s",
            "over std",
            "paper, s",
            "paper, over std",
            "inference, ms",
            "over std");
    for (CostTable.Row r : cost.rows()) {
      table =
          table.row(
              r.method(),
              "%.0f".formatted(r.epochSeconds()),
              "%.3f".formatted(r.overStd()),
              r.paperSeconds() == null ? "–" : "%.2f".formatted(r.paperSeconds()),
              r.paperOverStd() == null ? "–" : "%.3f".formatted(r.paperOverStd()),
              "%.2f".formatted(r.inferenceMilliseconds()),
              "%.3f".formatted(r.inferenceOverStd()));
    }
    return Report.of("CIFAR-10: what methods cost (paper, appendix)")
        .lead(
            "An epoch is 40,000 training images, in seconds of one thread, computed from a step; the paper's seconds are those of a GPU, so only the multiples of std can be compared.")
        .table(table)
        .provenance(cost.provenance());
  }
}
