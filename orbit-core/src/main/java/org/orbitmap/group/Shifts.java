package org.orbitmap.group;

import java.util.random.RandomGenerator;

/** The real numbers under addition: a shifts by a. Samples are normal with deviation 10. */
public record Shifts() implements Group<Double> {
  @Override
  public String name() {
    return "shifts";
  }

  @Override
  public Double identity() {
    return 0.0;
  }

  @Override
  public Double compose(Double g, Double h) {
    return g + h;
  }

  @Override
  public Double inverse(Double g) {
    return -g;
  }

  @Override
  public double distance(Double g, Double h) {
    return Math.abs(g - h);
  }

  @Override
  public Double sample(RandomGenerator random) {
    return random.nextGaussian(0, 10);
  }
}
