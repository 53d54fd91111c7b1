package org.orbitmap.group;

import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A group whose elements can be listed, so that a network can be pooled over the whole orbit
 * (paper, Fact 1 and Proposition 1).
 *
 * @param <G> the elements
 */
public interface FiniteGroup<G> extends Group<G> {
  /** All elements, the identity first. */
  List<G> elements();

  @Override
  default G sample(RandomGenerator random) {
    List<G> all = elements();
    return all.get(random.nextInt(all.size()));
  }
}
