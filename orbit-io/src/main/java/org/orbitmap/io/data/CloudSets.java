package org.orbitmap.io.data;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.io.FormatException;
import org.orbitmap.io.Gunzip;
import org.orbitmap.io.cloud.CloudFiles;
import org.orbitmap.mesh.Mesh;

/**
 * Labelled clouds in folders:
 *
 * <ul>
 *   <li>IDX: {@code NAME-points-idx3-int16} (or {@code float}, {@code double}) with {@code
 *       NAME-labels-idx1-ubyte}, plain or gzipped, and {@code classes.txt} with a name a line; of
 *       several pairs the one with {@code test} in its name.
 *   <li>One folder for each class with files of clouds or meshes; of {@code train} and {@code
 *       test}, above or below the classes, the latter.
 * </ul>
 */
public final class CloudSets {
  private static final Pattern POINTS =
      Pattern.compile("(.*)points-idx3-(int16|float|double)(\\.gz)?");

  private CloudSets() {}

  /**
   * How many clouds and points.
   *
   * @param points of each cloud: drawn by area from meshes, chosen at random from larger clouds; 0
   *     takes the points and vertices as they are
   * @param limit how many clouds at most, evenly over the classes
   * @param seed of what is drawn
   */
  public record Choice(int points, int limit, long seed) {
    public Choice {
      if (points < 0 || limit < 1) {
        throw new IllegalArgumentException(
            "points and limit: expected at least 0 and 1, found %d and %d"
                .formatted(points, limit));
      }
    }
  }

  /** Reads the test part of a folder. */
  public static CloudSet read(Path folder, Choice choice) throws IOException {
    if (!Files.isDirectory(folder)) {
      throw new FormatException(folder, "a folder of labelled clouds", "none");
    }
    String name = DataSets.name(folder);
    List<Path> arrays;
    try (Stream<Path> files = Files.list(folder)) {
      arrays = files.filter(f -> points(f).matches()).sorted().toList();
    }
    if (arrays.isEmpty()) {
      Path test = folder.resolve("test");
      return folders(name, Files.isDirectory(test) ? test : folder, choice);
    }
    List<Path> tests = arrays.stream().filter(f -> points(f).group().contains("test")).toList();
    List<Path> chosen = tests.isEmpty() ? arrays : tests;
    if (chosen.size() > 1) {
      throw new FormatException(folder, "one IDX file of points for testing", chosen);
    }
    return idx(name, chosen.get(0), choice);
  }

  private static Matcher points(Path file) {
    Matcher m = POINTS.matcher(file.getFileName().toString());
    return m.matches() ? m : POINTS.matcher("");
  }

  private static CloudSet idx(String name, Path file, Choice choice) throws IOException {
    Path tags =
        Gunzip.plainOrZipped(file.resolveSibling(points(file).group(1) + "labels-idx1-ubyte"));
    int[] labels = IdxFiles.labels(tags, 256);
    List<Mesh> all = CloudFiles.readAll(file);
    if (all.size() != labels.length) {
      throw new FormatException(tags, all.size() + " labels as in " + file, labels.length);
    }
    int count = IntStream.of(labels).max().orElse(0) + 1;
    Path names = file.resolveSibling("classes.txt");
    List<String> classes =
        Files.exists(names)
            ? Files.readAllLines(names).stream()
                .map(String::strip)
                .filter(c -> !c.isEmpty())
                .toList()
            : IntStream.range(0, count).mapToObj(Integer::toString).toList();
    if (classes.size() < count) {
      throw new FormatException(names, "a line for each of %d classes".formatted(count), classes);
    }
    int[] indices = LabelledFiles.evenly(labels, choice.limit());
    List<PointCloud> clouds = new ArrayList<>();
    for (int i : indices) {
      clouds.add(cloud(file, all.get(i), choice.points(), choice.seed() + i));
    }
    return new CloudSet(name, classes, clouds, IntStream.of(indices).map(i -> labels[i]).toArray());
  }

  private static CloudSet folders(String name, Path folder, Choice choice) throws IOException {
    Map<String, List<Path>> found =
        LabelledFiles.classes(
            folder, f -> CloudFiles.isCloud(f) || f.endsWith("test"), "clouds or IDX files");
    List<String> classes = List.copyOf(found.keySet());
    List<Path> files = new ArrayList<>();
    List<Integer> labels = new ArrayList<>();
    for (String c : classes) {
      Path test = folder.resolve(c).resolve("test");
      List<Path> own = found.get(c);
      if (Files.isDirectory(test)) {
        try (Stream<Path> inside = Files.list(test)) {
          own = inside.filter(CloudFiles::isCloud).sorted().toList();
        }
      }
      if (own.isEmpty()) {
        throw new FormatException(
            folder.resolve(c), "at least one cloud in the folder of every class", "none");
      }
      files.addAll(own);
      own.forEach(f -> labels.add(classes.indexOf(c)));
    }
    int[] all = labels.stream().mapToInt(Integer::intValue).toArray();
    int[] indices = LabelledFiles.evenly(all, choice.limit());
    List<Path> chosen = IntStream.of(indices).mapToObj(files::get).toList();
    List<PointCloud> clouds =
        LabelledFiles.read(
            name,
            chosen,
            f -> {
              long seed = choice.seed() + f.getFileName().toString().hashCode();
              return cloud(f, CloudFiles.readMesh(f), choice.points(), seed);
            });
    for (int i = 1; i < clouds.size(); i++) {
      if (clouds.get(i).size() != clouds.get(0).size()) {
        throw new FormatException(
            chosen.get(i),
            "%d points as in %s".formatted(clouds.get(0).size(), chosen.get(0)),
            "%d. Say how many to take of each with --points".formatted(clouds.get(i).size()));
      }
    }
    return new CloudSet(name, classes, clouds, IntStream.of(indices).map(i -> all[i]).toArray());
  }

  /** A cloud of bare points: as it is, drawn from a mesh, or a random choice of its points. */
  private static PointCloud cloud(Path file, Mesh mesh, int points, long seed) throws IOException {
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
