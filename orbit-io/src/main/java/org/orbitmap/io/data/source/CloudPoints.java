package org.orbitmap.io.data.source;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.io.FormatException;
import org.orbitmap.io.cloud.CloudFiles;
import org.orbitmap.io.data.Choice;
import org.orbitmap.io.data.CloudSet;
import org.orbitmap.io.data.Inventory;
import org.orbitmap.io.data.LabelledFiles;
import org.orbitmap.mesh.Mesh;

/** The clouds of a data set, and how many points each gets. */
public final class CloudPoints {
  private CloudPoints() {}

  /**
   * Reads listed clouds and meshes, in parallel; those that the choice leaves out are not read.
   *
   * @param choice without a number of points, all must have the same
   */
  static CloudSet read(
      String name, List<String> classes, List<LabelledFiles.Entry> listed, Choice choice)
      throws IOException {
    List<LabelledFiles.Entry> chosen = LabelledFiles.evenly(listed, choice.most());
    List<PointCloud> clouds =
        read(name, chosen.stream().map(LabelledFiles.Entry::file).toList(), choice);
    return new CloudSet(
        name, classes, clouds, chosen.stream().mapToInt(LabelledFiles.Entry::label).toArray());
  }

  /** Files with a cloud or a mesh each, in parallel: as many points of each as are asked for. */
  public static List<PointCloud> read(String name, List<Path> files, Choice choice)
      throws IOException {
    List<PointCloud> clouds =
        LabelledFiles.read(
            name,
            files,
            f -> {
              long seed = choice.seed() + f.getFileName().toString().hashCode();
              return of(f, CloudFiles.readMesh(f), choice.points(), seed);
            });
    for (int i = 1; i < clouds.size(); i++) {
      if (clouds.get(i).size() != clouds.get(0).size()) {
        throw new FormatException(
            files.get(i),
            "%d points as in %s".formatted(clouds.get(0).size(), files.get(0)),
            "%d. Give the number of points to take of each".formatted(clouds.get(i).size()));
      }
    }
    return clouds;
  }

  /** What listed clouds and meshes are, of any size. */
  static Inventory inventory(String name, List<String> classes, List<LabelledFiles.Entry> listed)
      throws IOException {
    return Inventory.of(
        name,
        "clouds of %s points in 3-D",
        classes,
        listed,
        f -> {
          PointCloud cloud = of(f, CloudFiles.readMesh(f), 0, 0);
          return Inventory.Item.of(
              "%,d".formatted(cloud.size()), cloud.size(), cloud.coordinates());
        });
  }

  /**
   * A cloud of bare points: as it is, drawn from a mesh, or a random choice of its points. One with
   * fewer points than asked for is completed by drawing all of them again in the same random order,
   * round after round: its canonical pose stays that of its own points.
   *
   * @param file what messages are about
   * @param points how many; 0 for the points and vertices as they are
   */
  public static PointCloud of(Path file, Mesh mesh, int points, long seed) throws FormatException {
    PointCloud all = mesh.vertices();
    if (all.dimension() != 3) {
      throw new FormatException(file, "points in space", all);
    }
    if (points == 0 || (points == all.size() && mesh.triangles().length == 0)) {
      return new PointCloud(3, all.coordinates());
    }
    if (mesh.triangles().length > 0) {
      return new PointCloud(3, mesh.sample(points, seed).coordinates());
    }
    float[] from = all.coordinates().clone();
    int own = Math.min(points, all.size());
    SplittableRandom random = new SplittableRandom(seed);
    for (int p = 0; p < own; p++) { // the first steps of a shuffle
      int q = p + random.nextInt(all.size() - p);
      for (int d = 0; d < 3; d++) {
        float t = from[3 * p + d];
        from[3 * p + d] = from[3 * q + d];
        from[3 * q + d] = t;
      }
    }
    float[] chosen = Arrays.copyOf(from, 3 * points);
    for (int i = 3 * own; i < chosen.length; i++) {
      chosen[i] = chosen[i - 3 * own];
    }
    return new PointCloud(3, chosen);
  }
}
