package org.orbitmap.image;

import java.util.Objects;
import org.orbitmap.group.Group;
import org.orbitmap.group.Rotation2;
import org.orbitmap.group.SO2;
import org.orbitmap.orbit.GroupAction;
import org.orbitmap.orbit.Guarantee;

/**
 * Images rotated about their centre: act(α, u)(z) = u(r(α)z) (paper, section 4.1). With rows
 * counted downwards a positive angle turns the image counter-clockwise. The size stays the same.
 *
 * <p>Rotating twice is not the same as rotating once by the sum: every turn interpolates. So this
 * is only approximately an action, except for multiples of 90° on square images.
 *
 * @param resampling how the rotated image is computed
 */
public record ImageRotation(Resampling resampling) implements GroupAction<Rotation2, Image> {
  public ImageRotation {
    Objects.requireNonNull(resampling, "resampling");
  }

  /** The guarantee of everything that resamples images. */
  static final Guarantee INTERPOLATED =
      Guarantee.approximate(
          "interpolated rotation is not a group action: every turn resamples the image");

  @Override
  public Group<Rotation2> group() {
    return new SO2();
  }

  @Override
  public Guarantee guarantee() {
    return INTERPOLATED;
  }

  @Override
  public Image act(Rotation2 g, Image image) {
    return Resampler.sample(image, Resampler.Affine.of(g), resampling);
  }

  /** The rotated image, written into an array of the image's size; allocates nothing. */
  public void rotate(Image image, Rotation2 g, float[] out) {
    if (out.length != image.data().length) {
      throw new IllegalArgumentException(
          "output: expected %d samples, found %d".formatted(image.data().length, out.length));
    }
    Resampler.sample(image, Resampler.Affine.of(g), resampling, out, 0);
  }
}
