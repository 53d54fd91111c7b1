package org.orbitmap.app.report;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.Ellipse2D;
import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.orbitmap.cloud.CloudAction;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.cloud.mapping.CloudMapping;
import org.orbitmap.cloud.mapping.PointOrder;
import org.orbitmap.group.Permutation;
import org.orbitmap.group.Permutations;
import org.orbitmap.group.Similarity;
import org.orbitmap.group.SimilarityGroup;
import org.orbitmap.image.Image;
import org.orbitmap.io.image.ImageFiles;
import org.orbitmap.mesh.Mesh;

/**
 * One solid in several poses on top, its canonical pose below: the bottom row stands still.
 *
 * @param rows one for each pose
 */
public record CloudFigure(List<Row> rows) {
  private static final int SIDE = 160;
  private static final int GAP = 10;
  private static final int POINTS = 4000;
  private static final SimilarityGroup GROUP = SimilarityGroup.similarities(3);

  /**
   * One pose.
   *
   * @param moved the solid, moved and its points shuffled
   * @param canonical its canonical cloud
   * @param scale by how much it was scaled
   * @param difference of the canonical cloud to that of the solid itself, relative
   * @param eigenGap of the moved solid
   * @param signMargin of the moved solid
   */
  public record Row(
      PointCloud moved,
      PointCloud canonical,
      double scale,
      double difference,
      double eigenGap,
      double signMargin) {}

  /** The figure of a chair in random poses. */
  public static CloudFigure of(int poses) {
    CloudMapping mapping = CloudMapping.of(GROUP);
    PointCloud solid = chair().sample(POINTS, 1);
    PointCloud expected = mapping.map(solid).point();
    SplittableRandom random = new SplittableRandom(5);
    List<Row> rows = new ArrayList<>();
    for (int k = 0; k < poses; k++) {
      Similarity g = k == 0 ? GROUP.identity() : GROUP.sample(random, 1.8, 1);
      Permutation p = new Permutations(POINTS).sample(random);
      PointCloud moved = PointOrder.action(POINTS).act(p, new CloudAction(GROUP).act(g, solid));
      CloudMapping.Aligned aligned = mapping.align(moved);
      PointCloud canonical = aligned.canonical().point();
      PointCloud unshuffled = PointOrder.action(POINTS).act(p.inverse(), canonical);
      rows.add(
          new Row(
              moved,
              canonical,
              g.scale(),
              expected.relativeDistance(unshuffled),
              aligned.pose().eigenGap(),
              aligned.pose().signMargin()));
    }
    return new CloudFigure(List.copyOf(rows));
  }

  /** The largest relative difference of two canonical clouds. */
  public double worst() {
    return rows.stream().mapToDouble(Row::difference).max().orElse(0);
  }

  /** A chair of boxes, with one arm rest: a solid without symmetry. */
  public static Mesh chair() {
    double[][] boxes = {
      {0, 1, 0, 1, 0.45, 0.55},
      {0, 1, 0.9, 1, 0.55, 1.4},
      {0, 0.1, 0, 0.1, 0, 0.45},
      {0.9, 1, 0, 0.1, 0, 0.45},
      {0, 0.1, 0.9, 1, 0, 0.45},
      {0.9, 1, 0.9, 1, 0, 0.45},
      {0.9, 1, 0.1, 0.9, 0.75, 0.82}
    };
    float[] vertices = new float[boxes.length * 24];
    int[] triangles = new int[boxes.length * 36];
    int[][] faces = {
      {0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}
    };
    int at = 0;
    for (int b = 0; b < boxes.length; b++) {
      for (int corner = 0; corner < 8; corner++) {
        for (int axis = 0; axis < 3; axis++) {
          vertices[24 * b + 3 * corner + axis] = (float) boxes[b][2 * axis + (corner >> axis & 1)];
        }
      }
      for (int[] f : faces) {
        for (int k : new int[] {0, 1, 2, 0, 2, 3}) {
          triangles[at++] = 8 * b + f[k];
        }
      }
    }
    return new Mesh(new PointCloud(3, vertices), triangles);
  }

  /** Both rows as one image on white. */
  public Image sheet() {
    BufferedImage sheet =
        new BufferedImage(
            rows.size() * (SIDE + GAP) + GAP, 2 * SIDE + 3 * GAP, BufferedImage.TYPE_INT_RGB);
    Graphics2D g = sheet.createGraphics();
    g.setColor(Color.WHITE);
    g.fillRect(0, 0, sheet.getWidth(), sheet.getHeight());
    for (int k = 0; k < rows.size(); k++) {
      g.drawImage(draw(rows.get(k).moved(), 2.4), GAP + k * (SIDE + GAP), GAP, null);
      g.drawImage(draw(rows.get(k).canonical(), 2.2), GAP + k * (SIDE + GAP), 2 * GAP + SIDE, null);
    }
    g.dispose();
    return ImageFiles.of(sheet);
  }

  /**
   * A cloud seen from a fixed place, near points dark and in front.
   *
   * @param half what of each axis is seen: from -half to half
   */
  public static BufferedImage draw(PointCloud x, double half) {
    BufferedImage image = new BufferedImage(SIDE, SIDE, BufferedImage.TYPE_INT_RGB);
    Graphics2D g = image.createGraphics();
    g.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    g.setColor(new Color(244, 246, 250));
    g.fillRect(0, 0, SIDE, SIDE);
    Similarity camera = Similarity.rotation(0, -1.1).after(Similarity.rotation(2, 0.6));
    int n = x.size();
    double[][] seen = new double[n][];
    for (int i = 0; i < n; i++) {
      float[] c = x.coordinates();
      seen[i] = camera.apply(c[3 * i], c[3 * i + 1], c[3 * i + 2]);
    }
    int[] order =
        IntStream.range(0, n)
            .boxed()
            .sorted(Comparator.comparingDouble(i -> seen[i][2]))
            .mapToInt(Integer::intValue)
            .toArray();
    double low = Arrays.stream(seen).mapToDouble(p -> p[2]).min().orElse(0);
    double high = Arrays.stream(seen).mapToDouble(p -> p[2]).max().orElse(1);
    double r = 1.1;
    for (int i : order) {
      double depth = high > low ? (seen[i][2] - low) / (high - low) : 1;
      g.setColor(
          new Color(
              (int) (170 - 140 * depth), (int) (190 - 120 * depth), (int) (215 - 85 * depth)));
      double u = SIDE / 2.0 * (1 + seen[i][0] / half);
      double v = SIDE / 2.0 * (1 - seen[i][1] / half);
      g.fill(new Ellipse2D.Double(u - r, v - r, 2 * r, 2 * r));
    }
    g.dispose();
    return image;
  }

  /** Adds the figure and its numbers to a report. */
  public Report addTo(Report report) {
    Table table =
        Table.of("Canonical clouds", "scaled by", "relative difference", "eigenGap", "signMargin");
    List<Gallery.Item> top = new ArrayList<>();
    List<Gallery.Item> bottom = new ArrayList<>();
    for (Row r : rows) {
      table =
          table.row(
              "%.3f".formatted(r.scale()),
              "%.1e".formatted(r.difference()),
              "%.3f".formatted(r.eigenGap()),
              "%.4f".formatted(r.signMargin()));
      top.add(
          new Gallery.Item(
              ImageFiles.of(draw(r.moved(), 2.4)), "scaled by %.2f".formatted(r.scale()), ""));
      bottom.add(
          new Gallery.Item(
              ImageFiles.of(draw(r.canonical(), 2.2)),
              "canonical",
              "difference %.0e".formatted(r.difference())));
    }
    table =
        table.note(
            "The difference of the canonical cloud to that of the solid as it was built, relative"
                + " to its size: rounding alone. The points were shuffled too.");
    return report
        .section("One solid, one pose")
        .gallery(new Gallery("The same solid, moved", "What comes in.", top))
        .gallery(new Gallery("After the orbit mapping", "What the network sees.", bottom))
        .table(table);
  }
}
