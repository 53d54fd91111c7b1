package org.orbitmap.image;

import java.util.List;
import org.orbitmap.group.O2.Orthogonal2;
import org.orbitmap.group.Rotation2;
import org.orbitmap.group.Sim2.Similarity2;

/**
 * Where things that were found in the canonical image lie in the input, and back: the equivariant
 * use of a mapping for key points and boxes. (A mask is an image: the action of the inverse element
 * maps it back, see {@link org.orbitmap.orbit.OrbitMapping#equivariant}.)
 *
 * <p>Points are given in pixels: x is the column, y the row, and (0, 0) is the middle of the top
 * left pixel.
 */
public final class Placement {
  private final Resampler.Affine map;
  private final double centreX;
  private final double centreY;

  private Placement(Resampler.Affine map, int height, int width) {
    this.map = map;
    centreX = (width - 1) / 2.0;
    centreY = (height - 1) / 2.0;
  }

  /**
   * A point of an image.
   *
   * @param x column
   * @param y row
   */
  public record Point(double x, double y) {}

  /**
   * An upright box of an image.
   *
   * @param left smallest column
   * @param top smallest row
   * @param right largest column
   * @param bottom largest row
   */
  public record Box(double left, double top, double right, double bottom) {
    public Box {
      if (!(left <= right) || !(top <= bottom)) {
        throw new IllegalArgumentException(
            "box: expected left <= right and top <= bottom, found %s, %s, %s, %s"
                .formatted(left, top, right, bottom));
      }
    }

    /** The corners: top left, top right, bottom right, bottom left. */
    public List<Point> corners() {
      return List.of(
          new Point(left, top),
          new Point(right, top),
          new Point(right, bottom),
          new Point(left, bottom));
    }

    /** The smallest upright box around points. */
    public static Box around(List<Point> points) {
      double left = Double.POSITIVE_INFINITY;
      double top = Double.POSITIVE_INFINITY;
      double right = Double.NEGATIVE_INFINITY;
      double bottom = Double.NEGATIVE_INFINITY;
      for (Point p : points) {
        left = Math.min(left, p.x);
        top = Math.min(top, p.y);
        right = Math.max(right, p.x);
        bottom = Math.max(bottom, p.y);
      }
      return new Box(left, top, right, bottom);
    }
  }

  /** The placement of an image of a size that was brought to its canonical pose by a rotation. */
  public static Placement of(Rotation2 element, int height, int width) {
    return new Placement(Resampler.Affine.of(element), height, width);
  }

  /** The placement of an image that was mirrored and rotated. */
  public static Placement of(Orthogonal2 element, int height, int width) {
    return new Placement(Resampler.Affine.of(element), height, width);
  }

  /** The placement of an image that was rotated, scaled and shifted. */
  public static Placement of(Similarity2 element, int height, int width) {
    return new Placement(Resampler.Affine.of(element), height, width);
  }

  /** Where in the input a point of the canonical image lies. */
  public Point toInput(Point canonical) {
    double x = canonical.x - centreX;
    double y = canonical.y - centreY;
    return new Point(
        map.xx() * x + map.xy() * y + map.x() + centreX,
        map.yx() * x + map.yy() * y + map.y() + centreY);
  }

  /** Where in the canonical image a point of the input lies. */
  public Point toCanonical(Point input) {
    double x = input.x - centreX - map.x();
    double y = input.y - centreY - map.y();
    double det = map.xx() * map.yy() - map.xy() * map.yx();
    return new Point(
        (map.yy() * x - map.xy() * y) / det + centreX,
        (map.xx() * y - map.yx() * x) / det + centreY);
  }

  /** The four corners in the input of a box in the canonical image; it stands at an angle there. */
  public List<Point> toInput(Box canonical) {
    return canonical.corners().stream().map(this::toInput).toList();
  }
}
