package org.orbitmap.io.data.source;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.io.FormatException;
import org.orbitmap.io.Gunzip;
import org.orbitmap.io.cloud.CloudFiles;
import org.orbitmap.io.data.Choice;
import org.orbitmap.io.data.CloudSet;
import org.orbitmap.io.data.DataSource;
import org.orbitmap.io.data.IdxFiles;
import org.orbitmap.io.data.LabelledFiles;
import org.orbitmap.io.data.Split;
import org.orbitmap.mesh.Mesh;

/**
 * Clouds in IDX files: {@code NAME-points-idx3-int16} (or {@code float}, {@code double}) with
 * {@code NAME-labels-idx1-ubyte}, plain or gzipped, and {@code classes.txt} with a name a line. The
 * parts are the pairs with {@code train} and with {@code test} in their names; a pair with neither
 * is for testing, if there is no other.
 */
public final class IdxClouds implements DataSource {
  private static final Pattern POINTS =
      Pattern.compile("(.*)points-idx3-(int16|float|double)(\\.gz)?");
  private static final String CLASSES = "classes.txt";
  private static final int MOST_CLASSES = 256;

  @Override
  public String name() {
    return "idx-clouds";
  }

  @Override
  public boolean isLayout() {
    return true;
  }

  @Override
  public boolean holds(Path folder) throws IOException {
    return LabelledFiles.hasFile(folder, f -> points(f).matches());
  }

  @Override
  public CloudSet read(Path folder, Split split, Choice choice) throws IOException {
    return read(LabelledFiles.name(folder), folder, split, choice);
  }

  @Override
  public Split auditSplit(Path folder) throws IOException {
    return arrays(folder, Split.TEST).isEmpty() ? Split.ALL : Split.TEST;
  }

  /** Whether a file is part of such a data set, and no cloud by itself. */
  static boolean isPart(Path file) {
    return points(file).matches() || file.endsWith(CLASSES);
  }

  static CloudSet read(String name, Path folder, Split split, Choice choice) throws IOException {
    List<Mesh> meshes = new ArrayList<>();
    List<Integer> tags = new ArrayList<>();
    List<Path> files = new ArrayList<>();
    for (Split part : split == Split.ALL ? List.of(Split.TRAIN, Split.TEST) : List.of(split)) {
      List<Path> arrays = arrays(folder, part);
      if (arrays.size() > 1 || (arrays.isEmpty() && split != Split.ALL)) {
        throw new FormatException(
            folder,
            "one IDX file of points with %s in its name".formatted(part.id()),
            arrays.isEmpty() ? "none" : arrays);
      }
      files.addAll(arrays);
    }
    List<Path> sources = new ArrayList<>();
    for (Path file : files) {
      Path labels =
          Gunzip.plainOrZipped(file.resolveSibling(points(file).group(1) + "labels-idx1-ubyte"));
      int[] own = IdxFiles.labels(labels, MOST_CLASSES);
      List<Mesh> all = CloudFiles.readAll(file);
      if (all.size() != own.length) {
        throw new FormatException(labels, all.size() + " labels as in " + file, own.length);
      }
      meshes.addAll(all);
      IntStream.of(own).forEach(tags::add);
      all.forEach(m -> sources.add(file));
    }
    int[] labels = tags.stream().mapToInt(Integer::intValue).toArray();
    List<String> classes = classes(folder, IntStream.of(labels).max().orElse(0) + 1);
    int[] indices = LabelledFiles.evenly(labels, choice.most());
    List<PointCloud> clouds = new ArrayList<>();
    for (int i : indices) {
      clouds.add(CloudPoints.of(sources.get(i), meshes.get(i), choice.points(), choice.seed() + i));
    }
    return new CloudSet(name, classes, clouds, IntStream.of(indices).map(i -> labels[i]).toArray());
  }

  /** The names in the list of classes, or numbers if there is none. */
  private static List<String> classes(Path folder, int count) throws IOException {
    Path names = folder.resolve(CLASSES);
    if (!Files.exists(names)) {
      return IntStream.range(0, count).mapToObj(Integer::toString).toList();
    }
    List<String> classes =
        Files.readAllLines(names).stream().map(String::strip).filter(c -> !c.isEmpty()).toList();
    if (classes.size() < count) {
      throw new FormatException(names, "a line for each of %d classes".formatted(count), classes);
    }
    return classes;
  }

  /** The files of points of one part. */
  private static List<Path> arrays(Path folder, Split part) throws IOException {
    List<Path> all = LabelledFiles.files(folder, f -> points(f).matches());
    List<Path> tests = all.stream().filter(f -> has(f, Split.TEST)).toList();
    if (part == Split.TEST && !tests.isEmpty()) {
      return tests;
    }
    return all.stream()
        .filter(f -> !has(f, Split.TEST) && has(f, Split.TRAIN) == (part == Split.TRAIN))
        .toList();
  }

  private static boolean has(Path file, Split part) {
    return file.getFileName().toString().contains(part.id());
  }

  private static Matcher points(Path file) {
    Matcher m = POINTS.matcher(file.getFileName().toString());
    return m.matches() ? m : POINTS.matcher("");
  }
}
