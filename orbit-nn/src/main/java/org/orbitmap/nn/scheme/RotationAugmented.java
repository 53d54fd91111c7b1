package org.orbitmap.nn.scheme;

import java.util.random.RandomGenerator;
import org.orbitmap.image.Interpolation;

/**
 * {@code ra}: crop, a uniform random rotation (nearest, black outside), flip; validation inputs are
 * rotated, too.
 */
public final class RotationAugmented implements Scheme {
  @Override
  public String name() {
    return "ra";
  }

  @Override
  public <X> X augment(X x, Augmenter<X> how, RandomGenerator random) {
    return how.flip(validate(how.crop(x, random), how, random), random);
  }

  @Override
  public <X> X validate(X x, Augmenter<X> how, RandomGenerator random) {
    return how.rotate(x, Interpolation.NEAREST, random);
  }
}
