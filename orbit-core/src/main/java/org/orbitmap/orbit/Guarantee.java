package org.orbitmap.orbit;

import java.io.Serializable;
import java.util.Objects;

/**
 * How literally the word "invariant" may be taken.
 *
 * @param level the kind of guarantee
 * @param reason why it is not exact; empty for {@link Level#EXACT}
 */
public record Guarantee(Level level, String reason) implements Serializable {
  /** The kinds of guarantee, from strongest to weakest. */
  public enum Level {
    /** The same bits come out. */
    EXACT,
    /** Equal up to floating-point rounding. */
    ROUNDING,
    /** Equal up to an error that has another cause, such as interpolation. */
    APPROXIMATE
  }

  /** The same bits come out. */
  public static final Guarantee EXACT = new Guarantee(Level.EXACT, "");

  /** Equal up to floating-point rounding. */
  public static final Guarantee ROUNDING = new Guarantee(Level.ROUNDING, "floating-point rounding");

  public Guarantee {
    Objects.requireNonNull(level, "level");
    Objects.requireNonNull(reason, "reason");
  }

  /** Equal up to an error whose cause is named. */
  public static Guarantee approximate(String reason) {
    return new Guarantee(Level.APPROXIMATE, reason);
  }

  /** The weaker of two guarantees: what a composition can promise. */
  public Guarantee and(Guarantee other) {
    return other.level.compareTo(level) > 0 ? other : this;
  }
}
