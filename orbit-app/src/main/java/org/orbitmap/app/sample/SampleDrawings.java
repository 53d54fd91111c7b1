package org.orbitmap.app.sample;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.Shape;
import java.awt.geom.AffineTransform;
import java.awt.geom.Arc2D;
import java.awt.geom.Area;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.orbitmap.image.Image;
import org.orbitmap.io.image.ImageFiles;

/**
 * Images of ten things, drawn by code at any size, no two alike: the sample set of the page. They
 * stand upright on black, so that a rotated one has no corners to give it away.
 */
public final class SampleDrawings {
  /** What the images show; the label is the place in this list. */
  public static final List<String> CLASSES =
      List.of(
          "boat", "house", "tree", "fish", "key", "mug", "mushroom", "rocket", "umbrella", "snail");

  private SampleDrawings() {}

  /** The image with this number, of the class number modulo ten; always the same one. */
  public static Image image(long number, int channels, int height, int width) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(number);
    int label = (int) Math.floorMod(number, (long) CLASSES.size());
    // Drawn at twice the size and halved: the same softness at every size.
    BufferedImage large = new BufferedImage(2 * width, 2 * height, BufferedImage.TYPE_INT_RGB);
    Graphics2D g = large.createGraphics();
    g.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    g.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
    double half = Math.min(width, height);
    AffineTransform place = AffineTransform.getTranslateInstance(width, height);
    place.scale(half, half);
    place.translate(0.06 * bend(random), 0.06 * bend(random));
    double size = 0.66 + 0.1 * random.nextDouble();
    place.scale(size * (1 + 0.06 * bend(random)), size * (1 + 0.06 * bend(random)));
    place.rotate(Math.toRadians(7 * bend(random)));
    g.transform(place);
    new Pen(g, random).draw(label);
    g.dispose();
    Image image = halved(ImageFiles.of(large));
    return channels == 3 ? image : image.grey().withChannels(channels);
  }

  private static double bend(RandomGenerator random) {
    return 2 * random.nextDouble() - 1;
  }

  private static Image halved(Image u) {
    Image out = Image.black(u.channels(), u.height() / 2, u.width() / 2);
    int i = 0;
    for (int c = 0; c < out.channels(); c++) {
      for (int y = 0; y < out.height(); y++) {
        for (int x = 0; x < out.width(); x++) {
          out.data()[i++] =
              (u.at(c, 2 * y, 2 * x)
                      + u.at(c, 2 * y, 2 * x + 1)
                      + u.at(c, 2 * y + 1, 2 * x)
                      + u.at(c, 2 * y + 1, 2 * x + 1))
                  / 4;
        }
      }
    }
    return out;
  }

  /** Draws in the square from (-1, -1), top left, to (1, 1). */
  private record Pen(Graphics2D g, RandomGenerator random, float hue) {
    Pen(Graphics2D g, RandomGenerator random) {
      this(g, random, random.nextFloat());
    }

    void draw(int label) {
      switch (label) {
        case 0 -> boat();
        case 1 -> house();
        case 2 -> tree();
        case 3 -> fish();
        case 4 -> key();
        case 5 -> mug();
        case 6 -> mushroom();
        case 7 -> rocket();
        case 8 -> umbrella();
        default -> snail();
      }
    }

    private Pen colour(double shift, double saturation, double brightness) {
      g.setColor(
          Color.getHSBColor(
              (float) (hue + shift),
              (float) Math.min(1, saturation * (0.85 + 0.3 * random.nextDouble())),
              (float) Math.min(1, brightness * (0.92 + 0.16 * random.nextDouble()))));
      return this;
    }

    private Pen fill(Shape shape) {
      g.fill(shape);
      return this;
    }

    private Pen line(double width, Shape shape) {
      g.setStroke(new BasicStroke((float) width, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND));
      g.draw(shape);
      return this;
    }

    private static Shape polygon(double... xy) {
      Path2D path = new Path2D.Double();
      path.moveTo(xy[0], xy[1]);
      for (int i = 2; i < xy.length; i += 2) {
        path.lineTo(xy[i], xy[i + 1]);
      }
      path.closePath();
      return path;
    }

    private static Shape oval(double x, double y, double rx, double ry) {
      return new Ellipse2D.Double(x - rx, y - ry, 2 * rx, 2 * ry);
    }

    private static Shape box(double x, double y, double w, double h) {
      return new Rectangle2D.Double(x, y, w, h);
    }

    private double about(double v) {
      return v * (0.92 + 0.16 * random.nextDouble());
    }

    private void boat() {
      double mast = about(0.9);
      colour(0, 0.75, 0.85).fill(polygon(-0.95, 0.35, 0.95, 0.35, 0.6, 0.85, -0.6, 0.85));
      colour(0.1, 0.15, 0.75).fill(box(-0.04, -mast, 0.08, mast + 0.35));
      colour(0.45, 0.25, 0.97).fill(polygon(0.1, -mast, 0.1, 0.22, about(0.8), 0.22));
      colour(0.5, 0.5, 0.9).fill(polygon(-0.1, -0.7 * mast, -0.1, 0.22, -about(0.6), 0.22));
    }

    private void house() {
      double wide = about(0.65);
      colour(0.1, 0.3, 0.9).fill(box(-wide, -0.15, 2 * wide, 1));
      colour(0, 0.8, 0.8).fill(polygon(-wide - 0.2, -0.1, 0, -about(0.9), wide + 0.2, -0.1));
      colour(0.05, 0.5, 0.6).fill(box(0.25, -0.85, 0.2, 0.45));
      colour(0.55, 0.7, 0.45).fill(box(-0.15, 0.35, 0.32, 0.5));
      colour(0.55, 0.4, 1).fill(box(-wide + 0.1, 0.05, 0.28, 0.26));
    }

    private void tree() {
      colour(0.35, 0.5, 0.5).fill(box(-0.12, 0.3, 0.24, 0.65));
      colour(0, 0.7, 0.75);
      for (int i = 0; i < 3; i++) {
        double w = about(0.75 - 0.16 * i);
        double y = 0.45 - 0.42 * i;
        colour(0.02 * i, 0.7, 0.62 + 0.12 * i).fill(polygon(-w, y, w, y, 0, y - 0.72));
      }
    }

    private void fish() {
      double long_ = about(0.62);
      colour(0.04, 0.8, 0.8).fill(polygon(-0.35, 0, -0.98, -0.5, -0.98, 0.5));
      colour(0, 0.75, 0.92).fill(oval(0.2, 0, long_, about(0.42)));
      colour(0.08, 0.7, 0.75).fill(polygon(0.1, -0.38, 0.45, -0.36, -0.05, -0.72));
      colour(0, 0.1, 1).fill(oval(0.5, -0.1, 0.1, 0.1));
      g.setColor(Color.BLACK);
      fill(oval(0.52, -0.1, 0.045, 0.045));
    }

    private void key() {
      double r = about(0.36);
      Area ring = new Area(oval(0, -0.55, r, r));
      ring.subtract(new Area(oval(0, -0.55, 0.5 * r, 0.5 * r)));
      colour(0, 0.65, 0.92).fill(ring);
      fill(box(-0.09, -0.25, 0.18, 1.2));
      fill(box(0, 0.7, about(0.42), 0.16)).fill(box(0, 0.4, about(0.3), 0.16));
    }

    private void mug() {
      double w = about(0.48);
      colour(0, 0.6, 0.7).line(0.15, new Arc2D.Double(w - 0.36, -0.3, 0.75, 0.7, 85, -175, 0));
      colour(0, 0.65, 0.9).fill(polygon(-w - 0.12, -0.5, w - 0.02, -0.5, w - 0.12, 0.75, -w, 0.75));
      colour(0.06, 0.5, 0.5).fill(oval(-0.07, -0.5, w + 0.02, 0.13));
      colour(0.5, 0.15, 0.8);
      for (int i = -1; i <= 1; i += 2) {
        line(
            0.07,
            new Arc2D.Double(-0.15 + 0.22 * i, -0.98, 0.2, 0.32, 90 * (1 + i) / 2.0 - 90, 150, 0));
      }
    }

    private void mushroom() {
      colour(0.1, 0.15, 0.95).fill(box(-0.2, -0.1, 0.4, 0.7)).fill(oval(0, 0.62, 0.32, 0.28));
      colour(0, 0.85, 0.85)
          .fill(new Arc2D.Double(-0.85, -about(0.85), 1.7, 1.6, 0, 180, Arc2D.CHORD));
      colour(0.1, 0.08, 1);
      fill(oval(-0.4, -0.3, 0.13, 0.13)).fill(oval(0.08, -0.52, 0.15, 0.14));
      fill(oval(0.48, -0.24, 0.1, 0.1));
    }

    private void rocket() {
      double w = about(0.32);
      colour(0.5, 0.8, 0.95).fill(polygon(-0.2, 0.5, 0.2, 0.5, 0, about(1)));
      colour(0, 0.75, 0.75).fill(polygon(-w, 0.05, -0.75, 0.65, -w, 0.5));
      fill(polygon(w, 0.05, 0.75, 0.65, w, 0.5));
      Path2D body = new Path2D.Double();
      body.moveTo(0, -1);
      body.curveTo(w + 0.12, -0.6, w + 0.1, 0.1, w, 0.55);
      body.lineTo(-w, 0.55);
      body.curveTo(-w - 0.1, 0.1, -w - 0.12, -0.6, 0, -1);
      colour(0.55, 0.12, 0.93).fill(body);
      colour(0, 0.7, 0.6).fill(oval(0, -0.28, 0.16, 0.16));
    }

    private void umbrella() {
      double r = about(0.85);
      colour(0.5, 0.2, 0.85).line(0.08, polygon(0, -0.9, 0, 0.7));
      line(0.08, new Arc2D.Double(0, 0.5, 0.36, 0.4, 180, 180, Arc2D.OPEN));
      Area top = new Area(new Arc2D.Double(-r, -0.8, 2 * r, 1.7, 0, 180, Arc2D.CHORD));
      for (int i = -1; i <= 1; i++) {
        top.subtract(new Area(oval(i * r * 0.667, 0.06, r / 3, 0.14)));
      }
      colour(0, 0.75, 0.88).fill(top);
      colour(0.04, 0.75, 0.6).line(0.04, new Arc2D.Double(-r / 3, -0.8, r / 1.5, 1.7, 90, 90, 0));
    }

    private void snail() {
      colour(0.15, 0.4, 0.8).fill(oval(-0.05, 0.62, 0.88, 0.17));
      Path2D neck = new Path2D.Double();
      neck.moveTo(0.6, 0.6);
      neck.quadTo(0.82, 0.3, 0.72, -0.05);
      line(0.22, neck);
      line(0.05, polygon(0.7, -0.05, 0.6, -0.42)).line(0.05, polygon(0.76, -0.05, 0.92, -0.4));
      double r = about(0.56);
      colour(0, 0.7, 0.85).fill(oval(-0.15, 0.05, r, r));
      colour(0.05, 0.6, 0.5);
      Path2D spiral = new Path2D.Double();
      for (int i = 0; i <= 60; i++) {
        double a = 0.25 * i;
        double s = r * 0.86 * i / 60;
        double x = -0.15 + s * Math.cos(a);
        double y = 0.05 + s * Math.sin(a);
        if (i == 0) {
          spiral.moveTo(x, y);
        } else {
          spiral.lineTo(x, y);
        }
      }
      line(0.08, spiral);
    }
  }
}
