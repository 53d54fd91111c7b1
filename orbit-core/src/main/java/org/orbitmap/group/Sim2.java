package org.orbitmap.group;

import java.io.Serializable;
import java.util.random.RandomGenerator;

/** The orientation-preserving similarities of the plane: rotation, scale and shift, Sim(2). */
public record Sim2() implements Group<Sim2.Similarity2> {
  /**
   * First the rotation, then the scaling, then the shift. A point p of an image moves to s·r(ρ)⁻¹p
   * + t, because the image rotated by ρ shows at z what was at r(ρ)z.
   *
   * @param rotation ρ
   * @param scale s &gt; 0
   * @param x shift to the right, in pixels
   * @param y shift down, in pixels
   */
  public record Similarity2(Rotation2 rotation, double scale, double x, double y)
      implements Serializable {
    public Similarity2 {
      if (!(scale > 0) || !Double.isFinite(scale) || !Double.isFinite(x) || !Double.isFinite(y)) {
        throw new IllegalArgumentException(
            "similarity: expected a finite scale > 0 and a finite shift, found scale %s, shift (%s, %s)"
                .formatted(scale, x, y));
      }
    }

    /** Where the x coordinate of a point moves. */
    public double moveX(double px, double py) {
      return scale * (rotation.cos() * px + rotation.sin() * py) + x;
    }

    /** Where the y coordinate of a point moves. */
    public double moveY(double px, double py) {
      return scale * (rotation.cos() * py - rotation.sin() * px) + y;
    }
  }

  @Override
  public String name() {
    return "Sim(2)";
  }

  @Override
  public Similarity2 identity() {
    return new Similarity2(Rotation2.IDENTITY, 1, 0, 0);
  }

  @Override
  public Similarity2 compose(Similarity2 g, Similarity2 h) {
    return new Similarity2(
        g.rotation.times(h.rotation), g.scale * h.scale, g.moveX(h.x, h.y), g.moveY(h.x, h.y));
  }

  @Override
  public Similarity2 inverse(Similarity2 g) {
    Similarity2 linear = new Similarity2(g.rotation.inverse(), 1 / g.scale, 0, 0);
    return new Similarity2(
        linear.rotation, linear.scale, -linear.moveX(g.x, g.y), -linear.moveY(g.x, g.y));
  }

  @Override
  public double distance(Similarity2 g, Similarity2 h) {
    return new SO2().distance(g.rotation, h.rotation)
        + Math.abs(Math.log(g.scale / h.scale))
        + Math.hypot(g.x - h.x, g.y - h.y);
  }

  /** A uniform angle, a scale log-uniform in [1/2, 2], shifts with a standard deviation of 3. */
  @Override
  public Similarity2 sample(RandomGenerator random) {
    return new Similarity2(
        new SO2().sample(random),
        Math.exp(random.nextDouble(-Math.log(2), Math.log(2))),
        3 * random.nextGaussian(),
        3 * random.nextGaussian());
  }
}
