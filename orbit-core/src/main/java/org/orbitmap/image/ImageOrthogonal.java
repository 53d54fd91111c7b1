package org.orbitmap.image;

import java.util.Objects;
import org.orbitmap.group.O2;
import org.orbitmap.group.O2.Orthogonal2;
import org.orbitmap.orbit.GroupAction;
import org.orbitmap.orbit.Guarantee;

/**
 * Images mirrored and rotated: act((ρ, m), u)(z) = u(F^m r(ρ)z), F(x, y) = (x, -y). Mirroring alone
 * is exact, rotating interpolates.
 *
 * @param resampling how the rotated image is computed
 */
public record ImageOrthogonal(Resampling resampling) implements GroupAction<Orthogonal2, Image> {
  public ImageOrthogonal {
    Objects.requireNonNull(resampling, "resampling");
  }

  @Override
  public O2 group() {
    return new O2();
  }

  @Override
  public Guarantee guarantee() {
    return ImageRotation.INTERPOLATED;
  }

  @Override
  public Image act(Orthogonal2 g, Image image) {
    return Resampler.sample(image, Resampler.Affine.of(g), resampling);
  }
}
