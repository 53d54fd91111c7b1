package org.orbitmap.image.mapping;

import java.util.Objects;
import org.orbitmap.group.Rotation2;
import org.orbitmap.group.Sim2.Similarity2;
import org.orbitmap.image.Image;
import org.orbitmap.image.ImageSimilarity;
import org.orbitmap.image.Resampling;
import org.orbitmap.orbit.Canonical;
import org.orbitmap.orbit.OrbitMapping;

/**
 * Brings a figure on a plain background to the middle, to one size and to one orientation.
 *
 * <p>With m(z) = |u(z) - background|, averaged over the channels, as a mass: the centre of mass t
 * goes to the middle of the image; the radius ρ, the root of the mean squared distance from t,
 * becomes {@link #RADIUS} times the shorter side; and the direction of c = Σ m(z)(z-t)(1-|z-t|²/R²)
 * over |z-t| &lt; R = 3ρ, the smooth disc window carried along with the figure, goes to the right.
 *
 * <p>The margin is |c| divided by the same sum with absolute values, a number from 0 to 1; 0 for a
 * image that is all background.
 *
 * @param resampling how the canonical image is computed; its fill is the background
 */
public record SimilarityMapping(Resampling resampling) implements OrbitMapping<Similarity2, Image> {
  /** The canonical radius as a share of the image's shorter side. */
  public static final double RADIUS = 0.2;

  public SimilarityMapping {
    Objects.requireNonNull(resampling, "resampling");
    new ImageSimilarity(resampling); // refuses a fill that is no background
  }

  @Override
  public String name() {
    return "similarity";
  }

  @Override
  public ImageSimilarity action() {
    return new ImageSimilarity(resampling);
  }

  @Override
  public Canonical<Similarity2, Image> map(Image image) {
    image.requireFinite();
    int h = image.height();
    int w = image.width();
    double[] mass = mass(image);
    double total = 0;
    double sx = 0;
    double sy = 0;
    for (int p = 0; p < mass.length; p++) {
      total += mass[p];
      sx += mass[p] * (column(p, w) - (w - 1) / 2.0);
      sy += mass[p] * (row(p, w) - (h - 1) / 2.0);
    }
    if (total == 0) {
      return new Canonical<>(image, action().group().identity(), 0);
    }
    double tx = sx / total;
    double ty = sy / total;
    double second = 0;
    for (int p = 0; p < mass.length; p++) {
      double x = column(p, w) - (w - 1) / 2.0 - tx;
      double y = row(p, w) - (h - 1) / 2.0 - ty;
      second += mass[p] * (x * x + y * y);
    }
    double radius = Math.max(Math.sqrt(second / total), 0.5);
    double reach = 9 * radius * radius;
    double re = 0;
    double im = 0;
    double most = 0;
    for (int p = 0; p < mass.length; p++) {
      double x = column(p, w) - (w - 1) / 2.0 - tx;
      double y = row(p, w) - (h - 1) / 2.0 - ty;
      double window = Math.max(0, 1 - (x * x + y * y) / reach);
      re += mass[p] * x * window;
      im += mass[p] * y * window;
      most += mass[p] * window * Math.hypot(x, y);
    }
    double response = Math.hypot(re, im);
    boolean directed = response > WeightMap.NOTHING * most;
    Rotation2 rotation = directed ? Rotation2.towards(re, im) : Rotation2.IDENTITY;
    double scale = RADIUS * Math.min(h, w) / radius;
    Similarity2 linear = new Similarity2(rotation, scale, 0, 0);
    Similarity2 element =
        new Similarity2(rotation, scale, -linear.moveX(tx, ty), -linear.moveY(tx, ty));
    return new Canonical<>(action().act(element, image), element, directed ? response / most : 0);
  }

  private static int column(int pixel, int width) {
    return pixel % width;
  }

  private static int row(int pixel, int width) {
    return pixel / width;
  }

  private double[] mass(Image image) {
    int n = image.plane();
    double[] mass = new double[n];
    double background = resampling.fill().value();
    for (int p = 0; p < n; p++) {
      for (int c = 0; c < image.channels(); c++) {
        mass[p] += Math.abs(image.data()[c * n + p] - background) / image.channels();
      }
    }
    return mass;
  }
}
