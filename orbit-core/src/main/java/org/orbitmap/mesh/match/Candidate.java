package org.orbitmap.mesh.match;

/**
 * A map that a search tries, on the coarse points of both surfaces.
 *
 * @param map the functional map
 * @param points for each coarse point of B one of A
 * @param distortion by how much distances change on average
 * @param orientation from 1, where the map keeps the sense of rotation everywhere, to -1, where it
 *     reverses it
 * @param energy what the search makes small
 */
record Candidate(
    FunctionalMap map, int[] points, double distortion, double orientation, double energy) {
  /**
   * Rates a map: E = d (1 + (1 - o) / 2) + l, with d the distortion, o the orientation and l how
   * far landmarks end from where they should. Distances alone cannot tell an animal from its mirror
   * image; the orientation can.
   */
  static Candidate of(
      SampledSurface a, SampledSurface b, Landmarks landmarks, FunctionalMap c, int[] t) {
    double d = distortion(a, b, t);
    double o = a.surface.oriented() && b.surface.oriented() ? orientation(a, b, c, t) : 0;
    return new Candidate(c, t, d, o, d * (1 + (1 - o) / 2) + landmarks.misfit(a, b, t));
  }

  private static double distortion(SampledSurface a, SampledSurface b, int[] t) {
    int m = Math.min(160, t.length);
    double sum = 0;
    for (int p = 0; p < m; p++) {
      float[] da = a.distance[t[p]];
      float[] db = b.distance[p];
      for (int q = 0; q < p; q++) {
        sum += Math.abs(da[t[q]] - db[q]);
      }
    }
    return sum / (m * (m - 1) / 2.0);
  }

  /**
   * The correlation of ω = n · (∇f × ∇g) on A, taken along, with ω of the functions taken along,
   * over pairs of the first eigenfunctions. A map that reverses the sense of rotation has the
   * opposite sign.
   */
  private static double orientation(
      SampledSurface a, SampledSurface b, FunctionalMap map, int[] t) {
    double[][] c = map.c();
    int k = Math.min(c.length, b.gradient.length);
    int f = Math.min(k, 9);
    double both = 0;
    double squaredA = 0;
    double squaredB = 0;
    double[] gx = new double[f];
    double[] gy = new double[f];
    for (int p = 0; p < t.length; p++) {
      for (int j = 1; j < f; j++) {
        double x = 0;
        double y = 0;
        for (int i = 1; i < k; i++) {
          x += c[i][j] * b.gradient[i][2 * p];
          y += c[i][j] * b.gradient[i][2 * p + 1];
        }
        gx[j] = x;
        gy[j] = y;
      }
      int q = 2 * t[p];
      double weight = b.coarse.weight()[p];
      for (int i = 1; i < f; i++) {
        double[] ga = a.gradient[i];
        for (int j = 1; j < i; j++) {
          double[] gb = a.gradient[j];
          double onA = ga[q] * gb[q + 1] - gb[q] * ga[q + 1];
          double onB = gx[i] * gy[j] - gx[j] * gy[i];
          both += weight * onA * onB;
          squaredA += weight * onA * onA;
          squaredB += weight * onB * onB;
        }
      }
    }
    return squaredA * squaredB > 0 ? both / Math.sqrt(squaredA * squaredB) : 0;
  }

  /** How far the images of the same points are apart, on average. */
  double apart(Candidate other, SampledSurface a, SampledSurface b) {
    double sum = 0;
    for (int p = 0; p < points.length; p++) {
      sum += a.distance[points[p]][other.points[p]] * b.coarse.weight()[p];
    }
    return sum;
  }
}
