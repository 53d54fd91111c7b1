package org.orbitmap.group;

import java.util.random.RandomGenerator;

/**
 * The maps t → s·t + a with s &gt; 0: {@link Shifts} and {@link Scalings} together. Samples take
 * log s and a from a normal with deviation 1.
 */
public record ScaleShifts() implements Group<ScaleShift> {
  @Override
  public String name() {
    return "scale-shifts";
  }

  @Override
  public ScaleShift identity() {
    return new ScaleShift(1, 0);
  }

  /** s(s′t + a′) + a = ss′t + (sa′ + a) */
  @Override
  public ScaleShift compose(ScaleShift g, ScaleShift h) {
    return new ScaleShift(g.scale() * h.scale(), g.scale() * h.shift() + g.shift());
  }

  @Override
  public ScaleShift inverse(ScaleShift g) {
    return new ScaleShift(1 / g.scale(), 0 - g.shift() / g.scale());
  }

  @Override
  public double distance(ScaleShift g, ScaleShift h) {
    return Math.max(
        Math.abs(Math.log(g.scale()) - Math.log(h.scale())), Math.abs(g.shift() - h.shift()));
  }

  @Override
  public ScaleShift sample(RandomGenerator random) {
    return new ScaleShift(Math.exp(random.nextGaussian()), random.nextGaussian());
  }
}
