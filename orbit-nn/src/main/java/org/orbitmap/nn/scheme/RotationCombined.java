package org.orbitmap.nn.scheme;

import java.util.random.RandomGenerator;
import org.orbitmap.image.Interpolation;

/**
 * {@code ra-combined}: a rotation with nearest, one with bilinear, one with bicubic interpolation,
 * each with probability 1/4, then flip and crop.
 */
public final class RotationCombined implements Scheme {
  @Override
  public String name() {
    return "ra-combined";
  }

  @Override
  public <X> X augment(X x, Augmenter<X> how, RandomGenerator random) {
    return how.crop(how.flip(validate(x, how, random), random), random);
  }

  @Override
  public <X> X validate(X x, Augmenter<X> how, RandomGenerator random) {
    X rotated = x;
    for (Interpolation i : Interpolation.values()) {
      if (random.nextDouble() < 0.25) {
        rotated = how.rotate(rotated, i, random);
      }
    }
    return rotated;
  }
}
