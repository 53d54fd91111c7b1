package org.orbitmap.group;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;

/**
 * A similarity of the plane or of space: x → scale · rotation · x + translation.
 *
 * <p>One element type serves every subgroup (translations, scalings, rotations, rigid motions), so
 * that mappings of different subgroups compose. Which elements are allowed is the business of the
 * {@link SimilarityGroup}. The arrays are not copied: treat them as immutable.
 *
 * @param scale positive and finite
 * @param rotation an orthogonal matrix, row by row, determinant +1 or -1
 * @param translation one number for each dimension
 */
public record Similarity(double scale, double[] rotation, double[] translation)
    implements Serializable {
  /** How far from orthogonal a matrix may be. */
  private static final double ORTHOGONAL = 1e-6;

  public Similarity {
    Objects.requireNonNull(rotation, "rotation");
    Objects.requireNonNull(translation, "translation");
    if (!(scale > 0) || Double.isInfinite(scale)) {
      throw new IllegalArgumentException(
          "similarity: expected a positive finite scale, found " + scale);
    }
    int d = translation.length;
    if (d == 0 || rotation.length != d * d) {
      throw new IllegalArgumentException(
          "similarity: expected a %d x %d rotation for a translation of length %d, found %d numbers"
              .formatted(d, d, d, rotation.length));
    }
    for (double t : translation) {
      if (!Double.isFinite(t)) {
        throw new IllegalArgumentException("similarity: expected a finite translation, found " + t);
      }
    }
    for (int i = 0; i < d; i++) {
      for (int j = i; j < d; j++) {
        double dot = 0;
        for (int k = 0; k < d; k++) {
          dot += rotation[i * d + k] * rotation[j * d + k];
        }
        if (!(Math.abs(dot - (i == j ? 1 : 0)) <= ORTHOGONAL)) {
          throw new IllegalArgumentException(
              "similarity: expected an orthogonal matrix, found %s: the product of rows %d and %d is %s"
                  .formatted(Arrays.toString(rotation), i, j, dot));
        }
      }
    }
  }

  /** The similarity that moves nothing. */
  public static Similarity identity(int dimension) {
    return new Similarity(1, unit(dimension), new double[dimension]);
  }

  /** x → x + t. */
  public static Similarity translation(double... t) {
    return new Similarity(1, unit(t.length), t.clone());
  }

  /** x → s x. */
  public static Similarity scale(int dimension, double s) {
    return new Similarity(s, unit(dimension), new double[dimension]);
  }

  /** x → R x, with R given row by row. */
  public static Similarity rotation(double... r) {
    return new Similarity(1, r.clone(), new double[r.length == 4 ? 2 : 3]);
  }

  /**
   * The rotation of space by an angle in radians about one coordinate axis, counter-clockwise for
   * an observer whom the axis points at.
   *
   * @param axis 0 for x, 1 for y, 2 for z
   */
  public static Similarity rotation(int axis, double angle) {
    double c = Math.cos(angle);
    double s = Math.sin(angle);
    return switch (axis) {
      case 0 -> rotation(1, 0, 0, 0, c, -s, 0, s, c);
      case 1 -> rotation(c, 0, s, 0, 1, 0, -s, 0, c);
      case 2 -> rotation(c, -s, 0, s, c, 0, 0, 0, 1);
      default -> throw new IllegalArgumentException("axis: expected 0, 1 or 2, found " + axis);
    };
  }

  private static double[] unit(int d) {
    double[] r = new double[d * d];
    for (int i = 0; i < d; i++) {
      r[i * d + i] = 1;
    }
    return r;
  }

  /** 2 in the plane, 3 in space. */
  public int dimension() {
    return translation.length;
  }

  /** The image of a point: s R x + t. */
  public double[] apply(double... x) {
    double[] y = rotate(x);
    for (int i = 0; i < y.length; i++) {
      y[i] = scale * y[i] + translation[i];
    }
    return y;
  }

  /** The image of a direction, which neither grows nor moves: R v. */
  public double[] rotate(double... v) {
    int d = dimension();
    if (v.length != d) {
      throw new IllegalArgumentException(
          "similarity: expected a vector of length %d, found %d".formatted(d, v.length));
    }
    double[] y = new double[d];
    for (int i = 0; i < d; i++) {
      for (int j = 0; j < d; j++) {
        y[i] += rotation[i * d + j] * v[j];
      }
    }
    return y;
  }

  /** The product: first {@code h}, then this. */
  public Similarity after(Similarity h) {
    int d = dimension();
    double[] r = new double[d * d];
    for (int i = 0; i < d; i++) {
      for (int j = 0; j < d; j++) {
        for (int k = 0; k < d; k++) {
          r[i * d + j] += rotation[i * d + k] * h.rotation[k * d + j];
        }
      }
    }
    return new Similarity(scale * h.scale, r, apply(h.translation));
  }

  /** The inverse: x → Rᵀ(x - t)/s. */
  public Similarity inverse() {
    int d = dimension();
    double[] r = new double[d * d];
    double[] t = new double[d];
    for (int i = 0; i < d; i++) {
      for (int j = 0; j < d; j++) {
        r[i * d + j] = rotation[j * d + i];
        t[i] -= rotation[j * d + i] * translation[j] / scale;
      }
    }
    return new Similarity(1 / scale, r, t);
  }

  /** +1 for a rotation, -1 for one with a reflection. */
  public int handedness() {
    double[] r = rotation;
    double det =
        switch (dimension()) {
          case 1 -> r[0];
          case 2 -> r[0] * r[3] - r[1] * r[2];
          case 3 ->
              r[0] * (r[4] * r[8] - r[5] * r[7])
                  - r[1] * (r[3] * r[8] - r[5] * r[6])
                  + r[2] * (r[3] * r[7] - r[4] * r[6]);
          default ->
              throw new UnsupportedOperationException(
                  "similarity: expected dimension 1, 2 or 3, found " + dimension());
        };
    return det > 0 ? 1 : -1;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Similarity s
        && scale == s.scale
        && Arrays.equals(rotation, s.rotation)
        && Arrays.equals(translation, s.translation);
  }

  @Override
  public int hashCode() {
    return Objects.hash(scale, Arrays.hashCode(rotation), Arrays.hashCode(translation));
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "Similarity[scale %.6g, rotation %s, translation %s]",
        scale,
        Arrays.toString(rotation),
        Arrays.toString(translation));
  }
}
