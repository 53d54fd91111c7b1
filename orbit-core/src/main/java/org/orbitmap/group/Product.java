package org.orbitmap.group;

import java.io.Serializable;
import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * The direct product of two groups: pairs, multiplied part by part.
 *
 * @param first the group of the first parts
 * @param second the group of the second parts
 * @param <G> the first parts
 * @param <H> the second parts
 */
public record Product<G, H>(Group<G> first, Group<H> second) implements Group<Product.Pair<G, H>> {
  /** An element of the product. */
  public record Pair<G, H>(G first, H second) implements Serializable {
    public Pair {
      Objects.requireNonNull(first, "first");
      Objects.requireNonNull(second, "second");
    }
  }

  public Product {
    Objects.requireNonNull(first, "first");
    Objects.requireNonNull(second, "second");
  }

  @Override
  public String name() {
    return first.name() + " x " + second.name();
  }

  @Override
  public Pair<G, H> identity() {
    return new Pair<>(first.identity(), second.identity());
  }

  @Override
  public Pair<G, H> compose(Pair<G, H> g, Pair<G, H> h) {
    return new Pair<>(first.compose(g.first(), h.first()), second.compose(g.second(), h.second()));
  }

  @Override
  public Pair<G, H> inverse(Pair<G, H> g) {
    return new Pair<>(first.inverse(g.first()), second.inverse(g.second()));
  }

  /** The larger of the distances of the parts. */
  @Override
  public double distance(Pair<G, H> g, Pair<G, H> h) {
    return Math.max(first.distance(g.first(), h.first()), second.distance(g.second(), h.second()));
  }

  @Override
  public Pair<G, H> sample(RandomGenerator random) {
    return new Pair<>(first.sample(random), second.sample(random));
  }
}
