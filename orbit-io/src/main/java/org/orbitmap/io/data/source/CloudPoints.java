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
import org.orbitmap.io.data.LabelledFiles;
import org.orbitmap.mesh.Mesh;

/** How many points a cloud of a data set gets. */
final class CloudPoints {
  private CloudPoints() {}

  /** Files with a cloud or a mesh each, in parallel: as many points of each as are asked for. */
  static List<PointCloud> read(String name, List<Path> files, Choice choice) throws IOException {
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

  /** A cloud of bare points: as it is, drawn from a mesh, or a random choice of its points. */
  static PointCloud of(Path file, Mesh mesh, int points, long seed) throws FormatException {
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
    if (all.size() < points) {
      throw new FormatException(file, "at least %d points".formatted(points), all.size());
    }
    float[] from = all.coordinates().clone();
    SplittableRandom random = new SplittableRandom(seed);
    for (int p = 0; p < points; p++) { // the first steps of a shuffle
      int q = p + random.nextInt(all.size() - p);
      for (int d = 0; d < 3; d++) {
        float t = from[3 * p + d];
        from[3 * p + d] = from[3 * q + d];
        from[3 * q + d] = t;
      }
    }
    return new PointCloud(3, Arrays.copyOf(from, 3 * points));
  }
}
