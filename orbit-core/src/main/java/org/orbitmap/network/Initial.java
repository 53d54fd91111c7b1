package org.orbitmap.network;

/**
 * How a parameter starts: uniform in value ± bound.
 *
 * @param value the middle
 * @param bound half the width; 0 for a constant
 * @param decays whether weight decay acts on it
 */
public record Initial(double value, double bound, boolean decays) {
  public Initial {
    if (!Double.isFinite(value) || !(bound >= 0) || Double.isInfinite(bound)) {
      throw new IllegalArgumentException(
          "initial: expected a number and a bound >= 0, found %s and %s".formatted(value, bound));
    }
  }

  /** One number everywhere. */
  public static Initial constant(double value) {
    return new Initial(value, 0, true);
  }

  /** Uniform in ±bound. */
  public static Initial uniform(double bound) {
    return new Initial(0, bound, true);
  }

  /**
   * He's rule, uniform in ±√(6/fan-in): the signal keeps its size from layer to layer, also without
   * batch normalisation.
   */
  public static Initial he(long fanIn) {
    return uniform(Math.sqrt(6.0 / fanIn));
  }

  /** The same, left alone by weight decay. */
  public Initial withoutDecay() {
    return new Initial(value, bound, false);
  }
}
