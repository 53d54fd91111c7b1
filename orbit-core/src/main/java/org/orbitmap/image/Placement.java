package org.orbitmap.image;

import java.util.Arrays;
import java.util.List;
import org.orbitmap.group.O2.Orthogonal2;
import org.orbitmap.group.Rotation2;
import org.orbitmap.group.Sim2.Similarity2;

/**
 * Where things that were found in the canonical image lie in the input, and back: the equivariant
 * use of a mapping for key points, boxes, and images such as masks.
 *
 * <p>The canonical image shows at z what the input has at Az + t, both measured from the centres.
 * It usually has the size of the input, and what lands outside is lost. On a larger canvas nothing
 * is: {@link #grown} takes the square that holds every rotation of the input, so that all images of
 * h × w or w × h pixels get the same canvas, whatever their pose.
 *
 * <p>Points are given in pixels: x is the column, y the row, and (0, 0) is the middle of the top
 * left pixel.
 */
public final class Placement {
  private final Resampler.Affine map;
  private final Size input;
  private final Size canvas;

  private Placement(Resampler.Affine map, Size input, Size canvas) {
    this.map = map;
    this.input = input;
    this.canvas = canvas;
  }

  /**
   * The size of an image.
   *
   * @param height rows
   * @param width columns
   */
  public record Size(int height, int width) {
    public Size {
      if (height < 1 || width < 1) {
        throw new IllegalArgumentException(
            "size: expected at least 1 row and 1 column, found %d x %d".formatted(height, width));
      }
    }

    double centreX() {
      return (width - 1) / 2.0;
    }

    double centreY() {
      return (height - 1) / 2.0;
    }

    boolean is(Image image) {
      return image.height() == height && image.width() == width;
    }
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
    return of(Resampler.Affine.of(element), height, width);
  }

  /** The placement of an image that was mirrored and rotated. */
  public static Placement of(Orthogonal2 element, int height, int width) {
    return of(Resampler.Affine.of(element), height, width);
  }

  /** The placement of an image that was rotated, scaled and shifted. */
  public static Placement of(Similarity2 element, int height, int width) {
    return of(Resampler.Affine.of(element), height, width);
  }

  private static Placement of(Resampler.Affine map, int height, int width) {
    Size size = new Size(height, width);
    return new Placement(map, size, size);
  }

  /** The same with the canonical image on a canvas of another size; the centres stay together. */
  public Placement on(Size other) {
    return new Placement(map, input, other);
  }

  /**
   * The same on the square whose side is the diagonal of the input and a pixel on each side, for
   * interpolation: every rotation or mirroring of the input fits.
   *
   * @throws IllegalArgumentException if this scales or shifts
   */
  public Placement grown() {
    double det = map.xx() * map.yy() - map.xy() * map.yx();
    if (Math.abs(Math.abs(det) - 1) > 1e-6 || map.x() != 0 || map.y() != 0) {
      throw new IllegalArgumentException(
          "canvas: expected rotations and mirrorings to grow for, found a scale or a shift");
    }
    int side = (int) Math.ceil(Math.hypot(input.height, input.width)) + 2;
    return on(new Size(side, side));
  }

  /** The size of the input. */
  public Size input() {
    return input;
  }

  /** The size of the canonical image. */
  public Size canvas() {
    return canvas;
  }

  /** Where in the input a point of the canonical image lies. */
  public Point toInput(Point canonical) {
    double x = canonical.x - canvas.centreX();
    double y = canonical.y - canvas.centreY();
    return new Point(
        map.xx() * x + map.xy() * y + map.x() + input.centreX(),
        map.yx() * x + map.yy() * y + map.y() + input.centreY());
  }

  /** Where in the canonical image a point of the input lies. */
  public Point toCanonical(Point point) {
    Resampler.Affine back = inverse();
    double x = point.x - input.centreX();
    double y = point.y - input.centreY();
    return new Point(
        back.xx() * x + back.xy() * y + back.x() + canvas.centreX(),
        back.yx() * x + back.yy() * y + back.y() + canvas.centreY());
  }

  /** The four corners in the input of a box in the canonical image; it stands at an angle there. */
  public List<Point> toInput(Box canonical) {
    return canonical.corners().stream().map(this::toInput).toList();
  }

  /**
   * An image of the canonical one's size, such as a mask, in the pose and the size of the input.
   *
   * @param how a constant fill, unless the sizes agree
   */
  public Image toInput(Image canonical, Resampling how) {
    return moved(canonical, inverse(), canvas, input, how);
  }

  /**
   * The canonical image.
   *
   * @param how a constant fill, unless the sizes agree
   */
  public Image toCanonical(Image image, Resampling how) {
    return moved(image, map, input, canvas, how);
  }

  private Resampler.Affine inverse() {
    double det = map.xx() * map.yy() - map.xy() * map.yx();
    double xx = map.yy() / det;
    double xy = -map.xy() / det;
    double yx = -map.yx() / det;
    double yy = map.xx() / det;
    return new Resampler.Affine(
        xx, xy, yx, yy, -(xx * map.x() + xy * map.y()), -(yx * map.x() + yy * map.y()));
  }

  /** Output pixel z shows the image at Az + t; images of two sizes meet in a square around both. */
  private static Image moved(Image image, Resampler.Affine a, Size from, Size to, Resampling how) {
    if (!from.is(image)) {
      throw new IllegalArgumentException(
          "image: expected %d x %d pixels, found %d x %d"
              .formatted(from.height, from.width, image.height(), image.width()));
    }
    if (from.equals(to)) {
      return Resampler.sample(image, a, how);
    }
    if (how.fill().radial() || how.mask()) {
      throw new IllegalArgumentException(
          "canvas: expected a constant fill and no mask where the size changes, found " + how);
    }
    int side = Math.max(Math.max(from.height, from.width), Math.max(to.height, to.width));
    Size square = new Size(side, side);
    // Offsets are whole pixels: a centre may be half a pixel off that of the square.
    int left = (side - from.width) / 2;
    int top = (side - from.height) / 2;
    int outLeft = (side - to.width) / 2;
    int outTop = (side - to.height) / 2;
    double x = left + from.centreX() - square.centreX();
    double y = top + from.centreY() - square.centreY();
    double outX = outLeft + to.centreX() - square.centreX();
    double outY = outTop + to.centreY() - square.centreY();
    Resampler.Affine shifted =
        new Resampler.Affine(
            a.xx(),
            a.xy(),
            a.yx(),
            a.yy(),
            a.x() + x - a.xx() * outX - a.xy() * outY,
            a.y() + y - a.yx() * outX - a.yy() * outY);
    Image padded = Image.black(image.channels(), side, side);
    if (how.fill().value() != 0) {
      Arrays.fill(padded.data(), how.fill().value());
    }
    copy(image, 0, 0, padded, top, left, from);
    Image out = Image.black(image.channels(), to.height, to.width);
    copy(Resampler.sample(padded, shifted, how), outTop, outLeft, out, 0, 0, to);
    return out;
  }

  /** Copies a rectangle from one place in an image to another place in another. */
  private static void copy(
      Image from, int top, int left, Image to, int toTop, int toLeft, Size part) {
    for (int c = 0; c < from.channels(); c++) {
      for (int i = 0; i < part.height; i++) {
        System.arraycopy(
            from.data(),
            (c * from.height() + top + i) * from.width() + left,
            to.data(),
            (c * to.height() + toTop + i) * to.width() + toLeft,
            part.width);
      }
    }
  }
}
