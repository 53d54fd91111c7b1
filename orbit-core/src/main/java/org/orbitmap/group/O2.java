package org.orbitmap.group;

import java.io.Serializable;
import java.util.random.RandomGenerator;

/** The rotations and mirrorings of the plane, O(2). */
public record O2() implements Group<O2.Orthogonal2> {
  /**
   * First, if mirrored, the reflection y → -y; then the rotation. Since σρ = ρ⁻¹σ, the product of
   * (ρ₁, m₁) and (ρ₂, m₂) is (ρ₁ρ₂^±, m₁ xor m₂), with ρ₂ inverted when m₁ is a mirroring.
   *
   * @param rotation what is done last
   * @param mirrored whether the reflection is done first
   */
  public record Orthogonal2(Rotation2 rotation, boolean mirrored) implements Serializable {}

  @Override
  public String name() {
    return "O(2)";
  }

  @Override
  public Orthogonal2 identity() {
    return new Orthogonal2(Rotation2.IDENTITY, false);
  }

  @Override
  public Orthogonal2 compose(Orthogonal2 g, Orthogonal2 h) {
    Rotation2 second = g.mirrored ? h.rotation.inverse() : h.rotation;
    return new Orthogonal2(g.rotation.times(second), g.mirrored ^ h.mirrored);
  }

  @Override
  public Orthogonal2 inverse(Orthogonal2 g) {
    return g.mirrored ? g : new Orthogonal2(g.rotation.inverse(), false);
  }

  @Override
  public double distance(Orthogonal2 g, Orthogonal2 h) {
    return g.mirrored == h.mirrored ? new SO2().distance(g.rotation, h.rotation) : 2;
  }

  /** Haar: a uniform angle, mirrored with probability one half. */
  @Override
  public Orthogonal2 sample(RandomGenerator random) {
    return new Orthogonal2(new SO2().sample(random), random.nextBoolean());
  }
}
