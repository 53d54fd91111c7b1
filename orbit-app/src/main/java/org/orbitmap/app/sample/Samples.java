package org.orbitmap.app.sample;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.GradientPaint;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.Arc2D;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import org.orbitmap.image.Image;
import org.orbitmap.io.image.ImageFiles;

/** Images drawn by code, for the demo and the page: nothing to download. */
public final class Samples {
  private Samples() {}

  /** A sailing boat before an evening sky, in colour. */
  public static Image boat(int side) {
    BufferedImage image = new BufferedImage(side, side, BufferedImage.TYPE_INT_RGB);
    Graphics2D g = image.createGraphics();
    g.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    g.scale(side / 100.0, side / 100.0);
    g.setPaint(new GradientPaint(0, 0, new Color(38, 70, 130), 0, 66, new Color(250, 190, 130)));
    g.fill(new Rectangle2D.Double(0, 0, 100, 66));
    g.setPaint(new Color(255, 232, 150));
    g.fill(new Ellipse2D.Double(64, 44, 18, 18));
    g.setPaint(new Color(84, 78, 120));
    g.fill(polygon(0, 66, 0, 54, 14, 47, 27, 57, 38, 52, 50, 66));
    g.setPaint(new GradientPaint(0, 66, new Color(70, 110, 150), 0, 100, new Color(14, 34, 66)));
    g.fill(new Rectangle2D.Double(0, 66, 100, 34));
    g.setPaint(new Color(255, 214, 150, 120));
    g.setStroke(new BasicStroke(1.2f));
    for (int k = 0; k < 6; k++) {
      double half = 9 - 1.2 * k;
      double y = 69 + 4.2 * k;
      g.draw(new Arc2D.Double(73 - half, y, 2 * half, 1.6, 20, 140, Arc2D.OPEN));
    }
    g.setPaint(new Color(120, 44, 34));
    g.fill(polygon(22, 72, 66, 72, 59, 82, 29, 82));
    g.setPaint(new Color(70, 40, 30));
    g.fill(new Rectangle2D.Double(43, 22, 1.8, 50));
    g.setPaint(new Color(250, 246, 236));
    g.fill(polygon(46.5, 24, 46.5, 69, 68, 69));
    g.setPaint(new Color(222, 84, 60));
    g.fill(polygon(41.5, 30, 41.5, 69, 24, 69));
    g.dispose();
    return ImageFiles.of(image);
  }

  private static Path2D polygon(double... xy) {
    Path2D path = new Path2D.Double();
    path.moveTo(xy[0], xy[1]);
    for (int i = 2; i < xy.length; i += 2) {
      path.lineTo(xy[i], xy[i + 1]);
    }
    path.closePath();
    return path;
  }
}
