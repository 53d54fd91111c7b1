package org.orbitmap.group;

import java.util.random.RandomGenerator;

/** The positive numbers under multiplication. Samples are exp of a normal with deviation 2. */
public record Scalings() implements Group<Double> {
  @Override
  public String name() {
    return "scalings";
  }

  @Override
  public Double identity() {
    return 1.0;
  }

  @Override
  public Double compose(Double g, Double h) {
    return g * h;
  }

  @Override
  public Double inverse(Double g) {
    return 1 / g;
  }

  /** |log g - log h| */
  @Override
  public double distance(Double g, Double h) {
    return Math.abs(Math.log(g) - Math.log(h));
  }

  @Override
  public Double sample(RandomGenerator random) {
    return Math.exp(random.nextGaussian(0, 2));
  }
}
