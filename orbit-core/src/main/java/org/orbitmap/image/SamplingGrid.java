package org.orbitmap.image;

/**
 * Where the pixels of a rotated image are read before the rotation: the place of each pixel
 * relative to the centre, moved inwards where a fill says so ({@link Fill#reads}). Rotating by α
 * reads at r(α)·(x, y). Every back end that rotates batches takes its grid from here.
 *
 * @param x the column of each pixel, relative to the centre
 * @param y its row, likewise
 * @param inside 1 in the inscribed circle, 0 outside
 */
public record SamplingGrid(double[] x, double[] y, float[] inside) {
  /** The grid of a size. */
  public static SamplingGrid of(int height, int width, Fill fill) {
    double radius = Resampling.inscribedRadius(height, width);
    double[] x = new double[height * width];
    double[] y = new double[height * width];
    float[] inside = new float[height * width];
    for (int i = 0; i < height; i++) {
      for (int j = 0; j < width; j++) {
        int p = i * width + j;
        double dx = j - (width - 1) / 2.0;
        double dy = i - (height - 1) / 2.0;
        double r = Math.hypot(dx, dy);
        double f = r > radius ? fill.reads(r, radius) / r : 1;
        x[p] = dx * f;
        y[p] = dy * f;
        inside[p] = r <= radius + 1e-9 ? 1 : 0;
      }
    }
    return new SamplingGrid(x, y, inside);
  }
}
