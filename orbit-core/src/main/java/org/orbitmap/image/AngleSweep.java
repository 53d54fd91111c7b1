package org.orbitmap.image;

import org.orbitmap.eval.Sweep;
import org.orbitmap.group.Rotation2;

/** Sweeps over the rotations of a picture. */
public final class AngleSweep {
  private AngleSweep() {}

  /**
   * The angles 0°, step, 2·step, … below 360°. Pictures at 0° are not resampled: that pose is the
   * clean one.
   *
   * @param stepDegrees above 0, at most 360; need not divide 360
   * @param resampling how the adversary turns the pictures
   */
  public static Sweep<Image> every(double stepDegrees, Resampling resampling) {
    if (!(stepDegrees > 0 && stepDegrees <= 360)) {
      throw new IllegalArgumentException(
          "step: expected degrees above 0, at most 360, found " + stepDegrees);
    }
    // A step such as 360/7 comes with a rounding error: no 360° as an eighth angle.
    int count = (int) Math.ceil(360 / stepDegrees - 1e-9);
    double[] degrees = new double[count];
    for (int k = 0; k < count; k++) {
      degrees[k] = k * stepDegrees;
    }
    return at(resampling, degrees);
  }

  /** Some angles in degrees. */
  public static Sweep<Image> at(Resampling resampling, double... degrees) {
    return Sweep.of(
        "rotation, " + resampling.interpolation().id(),
        "°",
        new ImageRotation(resampling),
        degrees,
        Rotation2::ofDegrees);
  }
}
