package org.orbitmap.group;

import java.util.random.RandomGenerator;

/** The rotations of the plane, SO(2). */
public record SO2() implements Group<Rotation2> {
  @Override
  public String name() {
    return "SO(2)";
  }

  @Override
  public Rotation2 identity() {
    return Rotation2.IDENTITY;
  }

  @Override
  public Rotation2 compose(Rotation2 g, Rotation2 h) {
    return g.times(h);
  }

  @Override
  public Rotation2 inverse(Rotation2 g) {
    return g.inverse();
  }

  @Override
  public double distance(Rotation2 g, Rotation2 h) {
    return Math.hypot(g.cos() - h.cos(), g.sin() - h.sin());
  }

  /** Uniform in the angle. */
  @Override
  public Rotation2 sample(RandomGenerator random) {
    return Rotation2.ofRadians(random.nextDouble(-Math.PI, Math.PI));
  }
}
