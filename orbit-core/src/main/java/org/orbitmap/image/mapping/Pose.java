package org.orbitmap.image.mapping;

import java.io.Serializable;
import java.util.OptionalDouble;
import org.orbitmap.group.Rotation2;

/**
 * The pose of an image and its certificate.
 *
 * @param rotation the rotation that brings the image to its canonical pose
 * @param response |c| = |⟨W, u⟩|
 * @param norm ‖W‖, the operator norm on images with this many channels
 */
public record Pose(Rotation2 rotation, double response, double norm) implements Serializable {
  /**
   * |c|/‖W‖: the L2 norm of the smallest change of the image that can make the pose ambiguous. 0
   * when it already is.
   */
  public double margin() {
    return norm == 0 ? 0 : response / norm;
  }

  /**
   * By how much the canonical angle can move at most, in radians, when the image changes by at most
   * ε in the L2 norm: asin(ε‖W‖/|c|). Empty when ε‖W‖ ≥ |c|: then there is no bound.
   */
  public OptionalDouble certifiedRadians(double epsilon) {
    if (!(epsilon >= 0) || Double.isInfinite(epsilon)) {
      throw new IllegalArgumentException("epsilon: expected a number >= 0, found " + epsilon);
    }
    return epsilon * norm < response
        ? OptionalDouble.of(Math.asin(epsilon * norm / response))
        : OptionalDouble.empty();
  }

  /** {@link #certifiedRadians} in degrees. */
  public OptionalDouble certifiedDegrees(double epsilon) {
    OptionalDouble bound = certifiedRadians(epsilon);
    return bound.isPresent()
        ? OptionalDouble.of(Math.toDegrees(bound.getAsDouble()))
        : OptionalDouble.empty();
  }
}
