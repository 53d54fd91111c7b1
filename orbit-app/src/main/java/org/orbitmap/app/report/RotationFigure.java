package org.orbitmap.app.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.orbitmap.app.option.Text;
import org.orbitmap.group.Rotation2;
import org.orbitmap.image.Image;
import org.orbitmap.image.ImageRotation;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.mapping.Pose;
import org.orbitmap.image.mapping.PoseRule;
import org.orbitmap.image.mapping.RotationMapping;

/**
 * The paper's Figure 2: one image in several orientations on top, what the orbit mapping makes of
 * each below. The bottom row stands still.
 *
 * @param rows one for each angle
 */
public record RotationFigure(List<Row> rows) {
  /**
   * One orientation.
   *
   * @param degrees by how much the image was rotated
   * @param rotated the rotated image
   * @param canonical its canonical image
   * @param errorDegrees how far the canonical orientation is from that of the image not rotated
   * @param paperErrorDegrees the same for the mapping of the paper's text
   * @param margin of the rotated image
   */
  public record Row(
      double degrees,
      Image rotated,
      Image canonical,
      double errorDegrees,
      double paperErrorDegrees,
      double margin) {}

  private static final int GAP = 10;

  /** The figure for an image and some angles. */
  public static RotationFigure of(Image image, double... angles) {
    Resampling how = Resampling.of(Interpolation.BICUBIC).withMask(true);
    ImageRotation rotation = new ImageRotation(how);
    RotationMapping disc = RotationMapping.disc().with(how);
    RotationMapping paper = new RotationMapping(PoseRule.PAPER, how);
    Image upright = rotation.act(Rotation2.IDENTITY, image);
    List<Row> rows = new ArrayList<>();
    for (double degrees : angles) {
      Rotation2 g = Rotation2.ofDegrees(degrees);
      Image rotated = rotation.act(g, image);
      Pose pose = disc.pose(rotated);
      rows.add(
          new Row(
              degrees,
              rotated,
              disc.action().act(pose.rotation(), rotated),
              error(disc, upright, rotated, g),
              error(paper, upright, rotated, g),
              pose.margin()));
    }
    return new RotationFigure(List.copyOf(rows));
  }

  private static double error(RotationMapping mapping, Image image, Image rotated, Rotation2 g) {
    Rotation2 upright = mapping.pose(image).rotation();
    return mapping.pose(rotated).rotation().times(g).times(upright.inverse()).degrees();
  }

  /** The largest error of the default mapping, in degrees. */
  public double worstDegrees() {
    return rows.stream().mapToDouble(r -> Math.abs(r.errorDegrees())).max().orElse(0);
  }

  /** The largest error of the paper's mapping, in degrees. */
  public double worstPaperDegrees() {
    return rows.stream().mapToDouble(r -> Math.abs(r.paperErrorDegrees())).max().orElse(0);
  }

  /** Both rows as one image on white. */
  public Image sheet() {
    Image first = rows.get(0).rotated();
    int h = 2 * first.height() + 3 * GAP;
    int w = rows.size() * (first.width() + GAP) + GAP;
    float[] data = new float[first.channels() * h * w];
    Arrays.fill(data, 1);
    Image sheet = new Image(first.channels(), h, w, data);
    for (int k = 0; k < rows.size(); k++) {
      int left = GAP + k * (first.width() + GAP);
      paste(sheet, rows.get(k).rotated(), GAP, left);
      paste(sheet, rows.get(k).canonical(), 2 * GAP + first.height(), left);
    }
    return sheet;
  }

  /** Copies the inscribed disc of an image. */
  private static void paste(Image sheet, Image image, int top, int left) {
    double radius = Resampling.inscribedRadius(image.height(), image.width());
    for (int c = 0; c < image.channels(); c++) {
      for (int i = 0; i < image.height(); i++) {
        for (int j = 0; j < image.width(); j++) {
          double r = Math.hypot(i - (image.height() - 1) / 2.0, j - (image.width() - 1) / 2.0);
          if (r <= radius) {
            sheet.data()[(c * sheet.height() + top + i) * sheet.width() + left + j] =
                Math.max(0, Math.min(1, image.at(c, i, j)));
          }
        }
      }
    }
  }

  /** Adds the figure and its numbers to a report. */
  public Report addTo(Report report) {
    Table table =
        Table.of(
            "Angle errors", "rotated by (°)", "disc: error (°)", "paper: error (°)", "margin (L2)");
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
            "How far the canonical orientation of the rotated image is from that of the original;"
                + " a perfect mapping has 0. Rotating an image interpolates, so it is no exact group"
                + " action.");
    List<Gallery.Item> top = new ArrayList<>();
    List<Gallery.Item> bottom = new ArrayList<>();
    for (Row r : rows) {
      top.add(
          new Gallery.Item(clipped(r.rotated()), "rotated by " + Text.of(r.degrees()) + "°", ""));
      bottom.add(
          new Gallery.Item(
              clipped(r.canonical()), "canonical", "error %.3f°".formatted(r.errorDegrees())));
    }
    return report
        .section("One image, one pose")
        .gallery(new Gallery("The same image, rotated", "What comes in.", top))
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
