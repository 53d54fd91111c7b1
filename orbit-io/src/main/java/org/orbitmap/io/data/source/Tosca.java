package org.orbitmap.io.data.source;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipException;
import org.orbitmap.io.FormatException;
import org.orbitmap.io.cloud.CloudFiles;
import org.orbitmap.io.data.Choice;
import org.orbitmap.io.data.CloudSet;
import org.orbitmap.io.data.DataSource;
import org.orbitmap.io.data.Inventory;
import org.orbitmap.io.data.LabelledFiles;
import org.orbitmap.io.data.Split;
import org.orbitmap.mesh.Mesh;

/**
 * TOSCA's near-isometric shapes, remeshed: {@code cat0.off}, {@code horse5.off}, … in one folder or
 * in an archive {@code tosca….zip}, a class for each animal, a mesh for each of its poses. {@code
 * corres/cat0.vts} has a vertex (from 1) a line; the same line of all poses of an animal is the
 * same place on it. The data names no test part.
 */
public final class Tosca implements DataSource {
  private static final Pattern POSE = Pattern.compile("([a-z]+)\\d+\\.off");
  private static final Pattern ARCHIVE = Pattern.compile("tosca.*\\.zip");
  private static final String CORRESPONDENCES = "corres";
  private static final String PAIRS = "test_pairs.txt";

  /** How many poses each shape was published with. */
  private static final Map<String, Integer> PUBLISHED =
      Map.of(
          "cat",
          11,
          "centaur",
          6,
          "david",
          7,
          "dog",
          9,
          "gorilla",
          4,
          "horse",
          8,
          "michael",
          20,
          "victoria",
          12,
          "wolf",
          3);

  @Override
  public String name() {
    return "tosca";
  }

  @Override
  public String home() {
    return "meshes";
  }

  @Override
  public boolean holds(Path folder) throws IOException {
    return LabelledFiles.hasFile(folder, Tosca::isArchive)
        || (Files.isDirectory(folder.resolve(CORRESPONDENCES))
            && LabelledFiles.hasFile(folder, f -> animal(f) != null));
  }

  @Override
  public Split auditSplit(Path folder) {
    return Split.ALL;
  }

  @Override
  public CloudSet read(Path folder, Split split, Choice choice) throws IOException {
    return inside(
        folder,
        root -> {
          Map<String, List<Path>> poses = poses(root);
          return CloudPoints.read(name(), List.copyOf(poses.keySet()), list(poses, split), choice);
        });
  }

  /**
   * As it is, with the checks that the data allows: the published number of poses, closed surfaces
   * of the topology of a sphere, and correspondences that name vertices.
   */
  @Override
  public Inventory inventory(Path folder, Split part) throws IOException {
    return inside(
        folder,
        root -> {
          Map<String, List<Path>> poses = poses(root);
          for (Map.Entry<String, List<Path>> animal : poses.entrySet()) {
            int published = PUBLISHED.getOrDefault(animal.getKey(), animal.getValue().size());
            if (animal.getValue().size() != published) {
              throw new FormatException(
                  folder,
                  "%d poses of %s".formatted(published, animal.getKey()),
                  animal.getValue().size());
            }
            check(root, animal.getValue());
          }
          return CloudPoints.inventory(name(), List.copyOf(poses.keySet()), list(poses, part));
        });
  }

  /** Two poses of one animal. */
  public record Pair(String a, String b) {}

  /** The pairs that {@code test_pairs.txt} names, of poses that are there. */
  public static List<Pair> pairs(Path folder) throws IOException {
    return inside(
        folder,
        root -> {
          Path list = root.resolve(PAIRS);
          if (!Files.exists(list)) {
            throw new FormatException(folder, "a list of pairs, " + PAIRS, "none");
          }
          List<Pair> pairs = new ArrayList<>();
          for (String line : Files.readAllLines(list)) {
            String[] names = line.strip().split("\\s+", -1);
            if (names.length == 2
                && Files.exists(root.resolve(names[0] + ".off"))
                && Files.exists(root.resolve(names[1] + ".off"))) {
              pairs.add(new Pair(names[0], names[1]));
            }
          }
          return pairs;
        });
  }

  /** The names of all poses, such as cat0. */
  public static List<String> names(Path folder) throws IOException {
    return inside(
        folder,
        root ->
            poses(root).values().stream()
                .flatMap(List::stream)
                .map(f -> f.getFileName().toString().replaceFirst("\\.off$", ""))
                .toList());
  }

  /** The animal of a pose: cat for cat0. */
  public static String animal(String pose) {
    return pose.replaceAll("\\d+$", "");
  }

  /** The mesh of a pose. */
  public static Mesh mesh(Path folder, String name) throws IOException {
    return inside(folder, root -> CloudFiles.readMesh(root.resolve(name + ".off")));
  }

  /**
   * The vertices of a pose, from 0, line by line as those of the other poses of the animal.
   *
   * @param mirrored with left and right exchanged
   */
  public static int[] correspondence(Path folder, String name, boolean mirrored)
      throws IOException {
    return inside(
        folder,
        root ->
            Files.readAllLines(
                    root.resolve(CORRESPONDENCES).resolve(name + (mirrored ? ".sym" : "") + ".vts"))
                .stream()
                .mapToInt(line -> Integer.parseInt(line.strip()) - 1)
                .toArray());
  }

  private static void check(Path root, List<Path> poses) throws IOException {
    int lines = -1;
    for (Path pose : poses) {
      Mesh mesh = CloudFiles.readMesh(pose);
      if (!mesh.isClosed() || mesh.eulerCharacteristic() != 2) {
        throw new FormatException(
            pose,
            "a closed surface of Euler characteristic 2",
            "%s one of %d"
                .formatted(mesh.isClosed() ? "a closed" : "an open", mesh.eulerCharacteristic()));
      }
      String stem = pose.getFileName().toString().replaceFirst("\\.off$", "");
      for (String kind : List.of(".vts", ".sym.vts")) {
        Path file = root.resolve(CORRESPONDENCES).resolve(stem + kind);
        List<String> vertices = Files.exists(file) ? Files.readAllLines(file) : List.of();
        if (lines < 0) {
          lines = vertices.size();
        }
        if (vertices.isEmpty() || vertices.size() != lines) {
          throw new FormatException(
              file, "a vertex on each of %d lines".formatted(lines), vertices.size());
        }
        for (String line : vertices) {
          String v = line.strip();
          if (!v.matches("\\d{1,9}")
              || Integer.parseInt(v) < 1
              || Integer.parseInt(v) > mesh.vertices().size()) {
            throw new FormatException(
                file, "vertices from 1 to %d".formatted(mesh.vertices().size()), v);
          }
        }
      }
    }
  }

  /** Work in the folder of the meshes, which may be an archive. */
  private interface Work<T> {
    T in(Path root) throws IOException;
  }

  private static <T> T inside(Path folder, Work<T> work) throws IOException {
    List<Path> archives = LabelledFiles.files(folder, Tosca::isArchive);
    if (archives.isEmpty()) {
      return work.in(folder);
    }
    try (FileSystem zip = FileSystems.newFileSystem(archives.get(0))) {
      return work.in(zip.getPath("/"));
    } catch (ZipException e) {
      throw new FormatException(archives.get(0), "a ZIP archive", e.getMessage());
    }
  }

  /** The meshes of each animal. */
  private static Map<String, List<Path>> poses(Path root) throws IOException {
    Map<String, List<Path>> poses = new TreeMap<>();
    for (Path file : LabelledFiles.files(root, f -> animal(f) != null)) {
      poses.computeIfAbsent(animal(file), a -> new ArrayList<>()).add(file);
    }
    if (poses.isEmpty()) {
      throw new FormatException(root, "meshes such as cat0.off", "none");
    }
    return poses;
  }

  private static List<LabelledFiles.Entry> list(Map<String, List<Path>> poses, Split split) {
    List<LabelledFiles.Entry> entries = new ArrayList<>();
    int label = 0;
    for (List<Path> files : poses.values()) {
      for (Path file : files) {
        if (LabelledFiles.isIn(split, file)) {
          entries.add(new LabelledFiles.Entry(file, label));
        }
      }
      label++;
    }
    return entries;
  }

  private static boolean isArchive(Path file) {
    return ARCHIVE.matcher(file.getFileName().toString()).matches();
  }

  /** The animal that a mesh is of, or null. */
  private static String animal(Path file) {
    Matcher m = POSE.matcher(file.getFileName().toString());
    return m.matches() ? m.group(1) : null;
  }

  @Override
  public String howToGet() {
    return "Get the meshes of TOSCA_Isometric and their corres folder from"
        + " https://github.com/llorz/SGA18_orientation_BCICP_dataset";
  }
}
