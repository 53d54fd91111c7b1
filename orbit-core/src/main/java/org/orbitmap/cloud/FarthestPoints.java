package org.orbitmap.cloud;

/**
 * A few points that cover a cloud (farthest point sampling): first the one farthest from the mean,
 * then, again and again, the one farthest from all that were chosen before, argmax over i of min
 * over the chosen j of |x_i - x_j|². Of points that are as far the first counts.
 *
 * <p>Distances are all that it asks for, so the same points are chosen in every pose (up to
 * rounding where two are nearly as far) and, but for ties, in every order of the points.
 */
public final class FarthestPoints {
  private FarthestPoints() {}

  /**
   * The numbers of the chosen points, in the order in which they are chosen.
   *
   * @param x coordinates, point by point
   * @param from where those of the cloud begin
   * @param points how many points it has
   * @param count how many are chosen
   */
  public static int[] of(float[] x, int from, int points, int dimension, int count) {
    if (count < 1 || count > points) {
      throw new IllegalArgumentException(
          "farthest points: expected 1 to %d of them, found %d".formatted(points, count));
    }
    float[][] axes = new float[dimension][points];
    float[] last = new float[dimension];
    for (int d = 0; d < dimension; d++) {
      double sum = 0;
      for (int i = 0; i < points; i++) {
        axes[d][i] = x[from + i * dimension + d];
        sum += axes[d][i];
      }
      last[d] = (float) (sum / points);
    }
    float[] distances = new float[points];
    float[] nearest = new float[points];
    distances(axes, last, nearest);
    int[] chosen = new int[count];
    for (int k = 0; k < count; k++) {
      int far = 0;
      for (int i = 1; i < points; i++) {
        far = nearest[i] > nearest[far] ? i : far;
      }
      chosen[k] = far;
      for (int d = 0; d < dimension; d++) {
        last[d] = axes[d][far];
      }
      if (k == 0) { // the distance to the mean has done its work
        distances(axes, last, nearest);
      } else {
        distances(axes, last, distances);
        for (int i = 0; i < points; i++) {
          nearest[i] = Math.min(nearest[i], distances[i]);
        }
      }
    }
    return chosen;
  }

  /** |x_i - p|² of each point. */
  private static void distances(float[][] axes, float[] p, float[] to) {
    for (int d = 0; d < axes.length; d++) {
      float[] axis = axes[d];
      float at = p[d];
      for (int i = 0; i < to.length; i++) {
        float difference = axis[i] - at;
        to[i] = d == 0 ? difference * difference : to[i] + difference * difference;
      }
    }
  }
}
