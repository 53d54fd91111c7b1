package org.orbitmap.mesh.match;

import java.io.Serializable;
import java.util.Arrays;

/**
 * A correspondence of two surfaces, and how good it is as far as that can be told without the
 * truth.
 *
 * @param toA for each vertex of B one of A
 * @param toB for each vertex of A one of B
 * @param map the functional map from A to B
 * @param quality what can be said of it
 */
public record SurfaceMatch(int[] toA, int[] toB, FunctionalMap map, Quality quality)
    implements Serializable {
  /** A point that comes back closer than this, in units of √area, counts as the same. */
  public static final double CLOSE = 0.05;

  /**
   * How good a map is by itself.
   *
   * @param bijectivity the share of B that comes back to within {@link #CLOSE} from A
   * @param orthogonality 1 - ‖CᵀC - I‖ / √k: 1 where areas are kept
   * @param commutation 1 - ‖CΛ_A - Λ_B C‖ / ‖CΛ_A‖: 1 for an isometry
   * @param gap by how much the next best map that differs is worse, 0 … 1
   */
  public record Quality(double bijectivity, double orthogonality, double commutation, double gap)
      implements Serializable {
    /** The weakest of them, at least 0: near 0 the map may be another one or none. */
    public double margin() {
      return Math.max(
          0, Math.min(Math.min(bijectivity, orthogonality), Math.min(commutation, gap)));
    }
  }

  static SurfaceMatch of(SampledSurface a, SampledSurface b, FunctionalMap c, double gap) {
    Nearest nearest = c.bothPoints(a.spectrum.functions(), b.spectrum.functions());
    int[] toA = nearest.point();
    int[] toB = nearest.query();
    return new SurfaceMatch(
        toA,
        toB,
        c,
        new Quality(
            returning(b, toA, toB),
            c.orthogonality(),
            c.commutation(a.spectrum.values(), b.spectrum.values()),
            gap));
  }

  private static double returning(SampledSurface b, int[] toA, int[] toB) {
    double close = CLOSE * Math.sqrt(b.surface.area());
    double share = 0;
    for (int p = 0; p < b.coarse.size(); p++) {
      int v = b.coarse.vertices()[p];
      if (b.geodesics.between(v, toB[toA[v]]) <= close) {
        share += b.coarse.weight()[p];
      }
    }
    return Math.min(1, share);
  }

  /**
   * Takes values at the vertices of A along to B, such as colours, segments or texture coordinates.
   *
   * @param values a number of values for each vertex of A
   */
  public float[] transfer(float[] values) {
    int width = width(values.length);
    float[] result = new float[width * toA.length];
    for (int v = 0; v < toA.length; v++) {
      System.arraycopy(values, width * toA[v], result, width * v, width);
    }
    return result;
  }

  private int width(int length) {
    if (length == 0 || length % toB.length != 0) {
      throw new IllegalArgumentException(
          "transfer: expected a multiple of %d values, found %d".formatted(toB.length, length));
    }
    return length / toB.length;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof SurfaceMatch m
        && Arrays.equals(toA, m.toA)
        && Arrays.equals(toB, m.toB)
        && map.equals(m.map)
        && quality.equals(m.quality);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(toA) + Arrays.hashCode(toB);
  }

  @Override
  public String toString() {
    return "SurfaceMatch[%d to %d vertices, %s]".formatted(toA.length, toB.length, quality);
  }
}
