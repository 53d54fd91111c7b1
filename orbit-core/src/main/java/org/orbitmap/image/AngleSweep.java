package org.orbitmap.image;

import java.util.ArrayList;
import java.util.List;
import org.orbitmap.eval.Sweep;
import org.orbitmap.group.O2.Orthogonal2;
import org.orbitmap.group.Rotation2;

/** Sweeps over the rotations of an image, and of its mirror image. */
public final class AngleSweep {
  private AngleSweep() {}

  /**
   * The angles 0°, step, 2·step, … below 360°. Images at 0° are not resampled: that pose is the
   * clean one.
   *
   * @param stepDegrees above 0, at most 360; need not divide 360
   * @param resampling how the adversary turns the images
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

  /**
   * Some angles in degrees, and then the same angles of the mirror image: poses of O(2), such as
   * {@code 15°} and {@code 15°, mirrored}. Mirror images stand a turn further, from 360° on.
   */
  public static Sweep<Image> mirrored(Resampling resampling, double... degrees) {
    List<Sweep.Pose<Image>> poses = new ArrayList<>(at(resampling, degrees).poses());
    ImageOrthogonal action = new ImageOrthogonal(resampling);
    for (Sweep.Pose<Image> pose : List.copyOf(poses)) {
      Orthogonal2 g = new Orthogonal2(Rotation2.ofDegrees(pose.value()), true);
      poses.add(Sweep.Pose.of(pose.label() + ", mirrored", 360 + pose.value(), action, g));
    }
    return new Sweep<>("rotation and mirroring, " + resampling.interpolation().id(), "", poses);
  }
}
