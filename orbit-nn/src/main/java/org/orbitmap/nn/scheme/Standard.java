package org.orbitmap.nn.scheme;

import java.util.random.RandomGenerator;

/** {@code std}: crop and flip. */
public final class Standard implements Scheme {
  @Override
  public String name() {
    return "std";
  }

  @Override
  public <X> X augment(X x, Augmenter<X> how, RandomGenerator random) {
    return how.flip(how.crop(x, random), random);
  }
}
