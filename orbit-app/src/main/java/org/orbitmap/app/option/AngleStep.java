package org.orbitmap.app.option;

import java.util.stream.IntStream;

/** The angles that a step means. */
public final class AngleStep {
  private static final int MOST = 36_000;

  private AngleStep() {}

  /**
   * The angles 0, step, 2·step, … below 360, in degrees.
   *
   * @throws IllegalArgumentException unless 360 is a multiple of the step, at most the 36,000-fold
   */
  public static double[] degrees(double step) {
    double count = 360 / step;
    if (!(step > 0) || Math.abs(count - Math.rint(count)) > 1e-9 || count > MOST) {
      throw new IllegalArgumentException(
          "step: expected degrees that divide 360, at least %s, found %s"
              .formatted(360.0 / MOST, step));
    }
    return IntStream.range(0, (int) Math.rint(count)).mapToDouble(i -> i * step).toArray();
  }
}
