package org.orbitmap.group;

import java.io.Serializable;

/**
 * A rotation of the plane as a unit complex number: cos α + i sin α. Kept in this form no angle
 * ever has to be computed to find or to apply it.
 *
 * @param cos cosine of the angle
 * @param sin sine of the angle
 */
public record Rotation2(double cos, double sin) implements Serializable {
  /** No rotation. */
  public static final Rotation2 IDENTITY = new Rotation2(1, 0);

  private static final double[] QUARTER_COS = {1, 0, -1, 0};

  public Rotation2 {
    double norm = cos * cos + sin * sin;
    if (!(Math.abs(norm - 1) <= 1e-6)) {
      throw new IllegalArgumentException(
          "rotation: expected cos² + sin² = 1, found cos %s, sin %s".formatted(cos, sin));
    }
  }

  /** The direction of a non-zero vector. */
  public static Rotation2 towards(double x, double y) {
    double r = Math.hypot(x, y);
    return new Rotation2(x / r, y / r);
  }

  /** The rotation by an angle in radians. */
  public static Rotation2 ofRadians(double radians) {
    return new Rotation2(Math.cos(radians), Math.sin(radians));
  }

  /** The rotation by an angle in degrees; multiples of 90° are exact. */
  public static Rotation2 ofDegrees(double degrees) {
    double quarters = degrees / 90;
    if (quarters == Math.rint(quarters)) {
      int k = (int) Math.floorMod((long) quarters, 4L);
      return new Rotation2(QUARTER_COS[k], QUARTER_COS[(k + 3) & 3]);
    }
    return ofRadians(Math.toRadians(degrees));
  }

  /** The angle in (-π, π]. */
  public double radians() {
    return Math.atan2(sin, cos);
  }

  /** The angle in (-180°, 180°]. */
  public double degrees() {
    return Math.toDegrees(radians());
  }

  /** First {@code other}, then this; rotations of the plane commute. */
  public Rotation2 times(Rotation2 other) {
    double c = cos * other.cos - sin * other.sin;
    double s = sin * other.cos + cos * other.sin;
    double correction = 1.5 - 0.5 * (c * c + s * s); // one Newton step keeps the norm at 1
    return new Rotation2(c * correction, s * correction);
  }

  /** The rotation back. */
  public Rotation2 inverse() {
    return new Rotation2(cos, -sin);
  }
}
