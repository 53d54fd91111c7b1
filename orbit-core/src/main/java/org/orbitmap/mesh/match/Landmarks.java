package org.orbitmap.mesh.match;

import java.io.Serializable;
import java.util.Arrays;

/**
 * Vertices that are known to correspond.
 *
 * @param onA vertices of A
 * @param onB the vertices of B that belong to them
 */
public record Landmarks(int[] onA, int[] onB) implements Serializable {
  /** No landmarks. */
  public static final Landmarks NONE = new Landmarks(new int[0], new int[0]);

  /** How much a landmark that is missed by the side of a unit square adds to the energy. */
  private static final double WEIGHT = 1;

  public Landmarks {
    if (onA.length != onB.length) {
      throw new IllegalArgumentException(
          "landmarks: expected as many on both surfaces, found %d and %d"
              .formatted(onA.length, onB.length));
    }
  }

  /** How many there are. */
  public int size() {
    return onA.length;
  }

  /**
   * These landmarks, after a check that they are vertices of both.
   *
   * @param a how many vertices A has
   * @param b how many vertices B has
   */
  Landmarks checked(int a, int b) {
    for (int i = 0; i < onA.length; i++) {
      if (onA[i] < 0 || onA[i] >= a || onB[i] < 0 || onB[i] >= b) {
        throw new IllegalArgumentException(
            "landmarks: expected vertices 0 … %d and 0 … %d, found %d and %d"
                .formatted(a - 1, b - 1, onA[i], onB[i]));
      }
    }
    return this;
  }

  /** How far landmarks of B end from those of A, by the coarse points nearest to them. */
  double misfit(SampledSurface a, SampledSurface b, int[] t) {
    double sum = 0;
    for (int i = 0; i < onA.length; i++) {
      sum += a.distance[a.owner[onA[i]]][t[b.owner[onB[i]]]];
    }
    return onA.length == 0 ? 0 : WEIGHT * sum / onA.length;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Landmarks l && Arrays.equals(onA, l.onA) && Arrays.equals(onB, l.onB);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(onA) + Arrays.hashCode(onB);
  }

  @Override
  public String toString() {
    return "Landmarks[%d]".formatted(size());
  }
}
