package org.orbitmap.app;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.orbitmap.app.report.Gallery;
import org.orbitmap.app.report.Report;
import org.orbitmap.app.report.Table;
import org.orbitmap.group.Rotation2;
import org.orbitmap.image.Image;
import org.orbitmap.image.ImageRotation;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Pose;
import org.orbitmap.image.PoseRule;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.RotationMapping;

/**
 * The paper's Figure 2: one picture in several orientations on top, what the orbit mapping makes of
 * each below. The bottom row stands still.
 *
 * @param rows one for each angle
 */
record RotationFigure(List<Row> rows) {
  /**
   * One orientation.
   *
   * @param degrees by how much the picture was turned
   * @param turned the turned picture
   * @param canonical its canonical picture
   * @param errorDegrees how far the canonical orientation is from that of the picture not turned
   * @param paperErrorDegrees the same for the mapping of the paper's text
   * @param margin of the turned picture
   */
  record Row(
      double degrees,
      Image turned,
      Image canonical,
      double errorDegrees,
      double paperErrorDegrees,
      double margin) {}

  private static final int GAP = 10;

  /** The figure for a picture and some angles. */
  static RotationFigure of(Image picture, double... angles) {
    Resampling how = Resampling.of(Interpolation.BICUBIC).withMask(true);
    ImageRotation rotation = new ImageRotation(how);
    RotationMapping disc = RotationMapping.disc().with(how);
    RotationMapping paper = new RotationMapping(PoseRule.PAPER, how);
    Image upright = rotation.act(Rotation2.IDENTITY, picture);
    List<Row> rows = new ArrayList<>();
    for (double degrees : angles) {
      Rotation2 g = Rotation2.ofDegrees(degrees);
      Image turned = rotation.act(g, picture);
      Pose pose = disc.pose(turned);
      rows.add(
          new Row(
              degrees,
              turned,
              disc.action().act(pose.rotation(), turned),
              error(disc, upright, turned, g),
              error(paper, upright, turned, g),
              pose.margin()));
    }
    return new RotationFigure(List.copyOf(rows));
  }

  private static double error(RotationMapping mapping, Image picture, Image turned, Rotation2 g) {
    Rotation2 upright = mapping.pose(picture).rotation();
    return mapping.pose(turned).rotation().times(g).times(upright.inverse()).degrees();
  }

  /** The largest error of the default mapping, in degrees. */
  double worstDegrees() {
    return rows.stream().mapToDouble(r -> Math.abs(r.errorDegrees())).max().orElse(0);
  }

  /** The largest error of the paper's mapping, in degrees. */
  double worstPaperDegrees() {
    return rows.stream().mapToDouble(r -> Math.abs(r.paperErrorDegrees())).max().orElse(0);
  }

  /** Both rows as one picture on white. */
  Image sheet() {
    Image first = rows.get(0).turned();
    int h = 2 * first.height() + 3 * GAP;
    int w = rows.size() * (first.width() + GAP) + GAP;
    float[] data = new float[first.channels() * h * w];
    Arrays.fill(data, 1);
    Image sheet = new Image(first.channels(), h, w, data);
    for (int k = 0; k < rows.size(); k++) {
      int left = GAP + k * (first.width() + GAP);
      paste(sheet, rows.get(k).turned(), GAP, left);
      paste(sheet, rows.get(k).canonical(), 2 * GAP + first.height(), left);
    }
    return sheet;
  }

  /** Copies the inscribed disc of a picture. */
  private static void paste(Image sheet, Image picture, int top, int left) {
    double radius = Resampling.inscribedRadius(picture.height(), picture.width());
    for (int c = 0; c < picture.channels(); c++) {
      for (int i = 0; i < picture.height(); i++) {
        for (int j = 0; j < picture.width(); j++) {
          double r = Math.hypot(i - (picture.height() - 1) / 2.0, j - (picture.width() - 1) / 2.0);
          if (r <= radius) {
            sheet.data()[(c * sheet.height() + top + i) * sheet.width() + left + j] =
                Math.max(0, Math.min(1, picture.at(c, i, j)));
          }
        }
      }
    }
  }

  /** Adds the figure and its numbers to a report. */
  Report addTo(Report report) {
    Table table =
        Table.of(
            "Angle errors", "turned by (°)", "disc: error (°)", "paper: error (°)", "margin (L2)");
    for (Row r : rows) {
      table =
          table.row(
              Text.of(r.degrees()),
              "%.4f".formatted(Math.abs(r.errorDegrees())),
              "%.4f".formatted(Math.abs(r.paperErrorDegrees())),
              "%.3f".formatted(r.margin()));
    }
    table =
        table.note(
            "How far the canonical orientation of the turned picture is from that of the original;"
                + " a perfect mapping has 0. Turning a picture interpolates, so it is no exact group"
                + " action.");
    List<Gallery.Item> top = new ArrayList<>();
    List<Gallery.Item> bottom = new ArrayList<>();
    for (Row r : rows) {
      top.add(new Gallery.Item(clipped(r.turned()), "turned by " + Text.of(r.degrees()) + "°", ""));
      bottom.add(
          new Gallery.Item(
              clipped(r.canonical()), "canonical", "error %.3f°".formatted(r.errorDegrees())));
    }
    return report
        .section("One picture, one pose")
        .gallery(new Gallery("The same picture, turned", "What comes in.", top))
        .gallery(new Gallery("After the orbit mapping", "What the network sees.", bottom))
        .table(table);
  }

  private static Image clipped(Image image) {
    float[] data = image.data().clone();
    for (int i = 0; i < data.length; i++) {
      data[i] = Math.max(0, Math.min(1, data[i]));
    }
    return new Image(image.channels(), image.height(), image.width(), data);
  }
}
