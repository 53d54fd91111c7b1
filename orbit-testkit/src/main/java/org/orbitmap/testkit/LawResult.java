package org.orbitmap.testkit;

/**
 * What came of checking a law.
 *
 * @param subject what it is about
 * @param law the law
 * @param trials how often it was tried
 * @param worstError the largest error seen
 * @param tolerance the largest error allowed
 * @param witness how to get the largest error again: seed, trial and what was drawn; empty if there
 *     was none
 */
public record LawResult(
    String subject, String law, int trials, double worstError, double tolerance, String witness) {
  private static final double ROUNDING = 1e-3;

  /** Whether the law held in every trial. */
  public boolean holds() {
    return worstError <= tolerance;
  }

  /** Whether more than rounding is allowed: the action interpolates, so no law can be exact. */
  public boolean approximate() {
    return tolerance > ROUNDING;
  }

  @Override
  public String toString() {
    return "%s: %s %s: worst error %.3g, allowed %.3g, in %d trials%s"
        .formatted(
            subject,
            law,
            holds() ? "holds" : "does not hold",
            worstError,
            tolerance,
            trials,
            holds() || witness.isEmpty() ? "" : " (" + witness + ")");
  }
}
