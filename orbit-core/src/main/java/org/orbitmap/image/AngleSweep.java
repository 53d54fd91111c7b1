package org.orbitmap.image;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.orbitmap.eval.Sweep;
import org.orbitmap.group.O2.Orthogonal2;
import org.orbitmap.group.Rotation2;

/** Sweeps over the rotations of an image, and of its mirror image. */
public final class AngleSweep {
  private static final int MOST = 36_000;

  private AngleSweep() {}

  /**
   * The angles 0, step, 2·step, … below 360, in degrees: the one rule for steps.
   *
   * @param step above 0; 360 is a multiple of it, up to rounding, and not more than 36,000 times it
   * @throws IllegalArgumentException for any other step
   */
  public static double[] degrees(double step) {
    double count = 360 / step;
    long whole = Math.round(count);
    if (!(step > 0) || whole < 1 || whole > MOST || Math.abs(count - whole) > 1e-9) {
      throw new IllegalArgumentException(
          "step: expected degrees of which 360 is a multiple, at least %s, found %s"
              .formatted(360.0 / MOST, step));
    }
    return IntStream.range(0, (int) whole).mapToDouble(k -> k * step).toArray();
  }

  /**
   * The angles of {@link #degrees}. Images at 0° are not resampled: that pose is the clean one.
   *
   * @param resampling how the adversary rotates the images
   */
  public static Sweep<Image> every(double stepDegrees, Resampling resampling) {
    return at(resampling, degrees(stepDegrees));
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

  /**
   * The same sweep with a colour outside the images instead of black: as if the colour had been
   * subtracted before they were rotated, and added again. With the mean colour that is rotating
   * after normalisation, which is how the paper's authors evaluate.
   *
   * @param colour a sample for each channel
   */
  public static Sweep<Image> over(float[] colour, Sweep<Image> sweep) {
    return new Sweep<>(
        sweep.name(),
        sweep.unit(),
        sweep.poses().stream()
            .map(
                p ->
                    p.identity()
                        ? p
                        : new Sweep.Pose<Image>(
                            p.label(), p.value(), new Over(colour.clone(), p.transform())))
            .toList());
  }

  private record Over(float[] colour, UnaryOperator<Image> transform)
      implements UnaryOperator<Image>, Serializable {
    @Override
    public Image apply(Image u) {
      return shifted(transform.apply(shifted(u, -1)), 1);
    }

    /** u + sign·colour, channel by channel. */
    private Image shifted(Image u, int sign) {
      float[] out = u.data().clone();
      for (int k = 0; k < out.length; k++) {
        out[k] += sign * colour[k / u.plane()];
      }
      return new Image(u.channels(), u.height(), u.width(), out);
    }
  }
}
