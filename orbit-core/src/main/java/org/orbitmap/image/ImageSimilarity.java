package org.orbitmap.image;

import java.util.Objects;
import org.orbitmap.group.Sim2;
import org.orbitmap.group.Sim2.Similarity2;
import org.orbitmap.orbit.GroupAction;
import org.orbitmap.orbit.Guarantee;

/**
 * Images rotated, scaled and shifted on a plain background: act(g, u)(z) = u(r(ρ)((z - t)/s)).
 * Approximate for two reasons: it interpolates, and what leaves the frame is lost.
 *
 * @param resampling how the moved image is computed; the fill is the background
 */
public record ImageSimilarity(Resampling resampling) implements GroupAction<Similarity2, Image> {
  private static final double MOST = 1e4;

  public ImageSimilarity {
    Objects.requireNonNull(resampling, "resampling");
    if (resampling.fill().radial()) {
      throw new IllegalArgumentException(
          "similarity: expected a constant fill (the background), found " + resampling.fill());
    }
  }

  @Override
  public Sim2 group() {
    return new Sim2();
  }

  @Override
  public Guarantee guarantee() {
    return Guarantee.approximate("moving an image resamples it, and what leaves the frame is lost");
  }

  @Override
  public Image act(Similarity2 g, Image image) {
    double s = g.scale();
    if (s > MOST || s < 1 / MOST || Math.abs(g.x()) > 1e6 || Math.abs(g.y()) > 1e6) {
      throw new IllegalArgumentException(
          "similarity: expected a scale in [1e-4, 1e4] and a shift within 1e6 pixels, found %s"
              .formatted(g));
    }
    return Resampler.sample(image, Resampler.Affine.of(g), resampling);
  }
}
