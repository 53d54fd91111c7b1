package org.orbitmap.image;

import java.util.List;

/**
 * Where the pixels of a rotated image are read before the rotation: the place of each pixel
 * relative to the centre, moved inwards where a fill says so ({@link Fill#reads}). Rotating by α
 * reads at r(α)·(x, y). Every back end that rotates batches takes its grid from here.
 *
 * <p>Where pixels are read several times, all of the second reading follow all of the first, and so
 * on: the places are those of an image with so many times the rows.
 *
 * @param x the column of each pixel, relative to the centre
 * @param y its row, likewise
 * @param inside 1 in the inscribed circle, 0 outside
 */
public record SamplingGrid(double[] x, double[] y, float[] inside) {
  /** The grid of a size. */
  public static SamplingGrid of(int height, int width, Fill fill) {
    return of(height, width, fill, Offset.PLAIN);
  }

  /** The grid of a size with a reading for each offset. */
  public static SamplingGrid of(int height, int width, Fill fill, List<Offset> offsets) {
    double radius = Resampling.inscribedRadius(height, width);
    int rows = offsets.size() * height;
    double[] x = new double[rows * width];
    double[] y = new double[rows * width];
    float[] inside = new float[rows * width];
    for (int i = 0; i < rows; i++) {
      Offset off = offsets.get(i / height);
      for (int j = 0; j < width; j++) {
        int p = i * width + j;
        double dx = j - (width - 1) / 2.0 + off.x();
        double dy = i % height - (height - 1) / 2.0 + off.y();
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
