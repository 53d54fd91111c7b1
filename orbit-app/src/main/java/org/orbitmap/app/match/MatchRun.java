package org.orbitmap.app.match;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.orbitmap.app.report.Gallery;
import org.orbitmap.app.report.Report;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.cloud.PointFeature;
import org.orbitmap.io.AtomicFiles;
import org.orbitmap.io.FormatException;
import org.orbitmap.io.UserError;
import org.orbitmap.io.cloud.CloudFiles;
import org.orbitmap.io.cloud.array.NpyFormat;
import org.orbitmap.mesh.Mesh;
import org.orbitmap.mesh.match.Landmarks;
import org.orbitmap.mesh.match.SampledSurface;
import org.orbitmap.mesh.match.SurfaceMatch;
import org.orbitmap.mesh.match.SurfaceMatcher;
import org.orbitmap.mesh.spectral.Surface;

/**
 * Two meshes and the correspondence found between them.
 *
 * @param nameA what the first is called
 * @param nameB what the second is called
 */
public record MatchRun(String nameA, Mesh a, String nameB, Mesh b, SurfaceMatch match) {
  private static final int PICTURE = 420;

  /** Matches two files. */
  public static MatchRun of(Path fileA, Path fileB, SurfaceMatcher matcher) throws IOException {
    Mesh a = read(fileA);
    Mesh b = read(fileB);
    List<SampledSurface> both =
        Stream.of(Map.entry(fileA, a), Map.entry(fileB, b))
            .parallel()
            .map(e -> prepared(e.getKey(), e.getValue(), matcher.eigen()))
            .toList();
    SurfaceMatch match = matcher.match(both.get(0), both.get(1));
    return new MatchRun(name(fileA), a, name(fileB), b, match);
  }

  private static Mesh read(Path file) throws IOException {
    Mesh mesh = CloudFiles.readMesh(file);
    if (mesh.vertices().dimension() != 3) {
      throw new FormatException(file, "a mesh in space", "one in the plane");
    }
    return mesh;
  }

  private static SampledSurface prepared(Path file, Mesh mesh, int eigen) {
    try {
      return new SampledSurface(Surface.of(mesh), eigen);
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new UserError(file + ": " + e.getMessage(), e);
    }
  }

  private static String name(Path file) {
    return file.getFileName().toString();
  }

  /** A map as {@link #writeTo} writes it: a vertex, from 0, on each line. */
  static int[] vertices(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
    int[] map = new int[lines.size()];
    for (int i = 0; i < map.length; i++) {
      String text = lines.get(i).strip();
      if (!text.matches("\\d{1,9}")) {
        throw new FormatException(file, "a vertex on line " + (i + 1), "\"" + text + "\"");
      }
      map[i] = Integer.parseInt(text);
    }
    return map;
  }

  /** Pairs of vertices in a file: one of A and one of B, from 0, on each line. */
  public static Landmarks landmarks(Path file) throws IOException {
    List<int[]> pairs = new ArrayList<>();
    int number = 0;
    for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
      number++;
      String text = line.replaceFirst("#.*", "").strip();
      if (text.isEmpty()) {
        continue;
      }
      if (!text.matches("\\d{1,9}[\\s,;]+\\d{1,9}")) {
        throw new FormatException(
            file, "a vertex of A and one of B on line " + number, "\"" + text + "\"");
      }
      pairs.add(Arrays.stream(text.split("[\\s,;]+", -1)).mapToInt(Integer::parseInt).toArray());
    }
    if (pairs.isEmpty()) {
      throw new FormatException(file, "a vertex of A and one of B on each line", "none");
    }
    return new Landmarks(
        pairs.stream().mapToInt(p -> p[0]).toArray(), pairs.stream().mapToInt(p -> p[1]).toArray());
  }

  /**
   * Writes {@code map.txt} (line i: the vertex of A that vertex i of B maps to), {@code
   * inverse.txt}, {@code C.npy}, {@code a.ply} and {@code b.ply} coloured alike, and {@code
   * report.html}.
   */
  public void writeTo(Path folder, Map<String, String> provenance) throws IOException {
    AtomicFiles.write(folder.resolve("map.txt"), lines(match.toA()));
    AtomicFiles.write(folder.resolve("inverse.txt"), lines(match.toB()));
    AtomicFiles.write(folder.resolve("C.npy"), NpyFormat.matrix(match.map().c()));
    CloudFiles.write(folder.resolve("a.ply"), coloured(a, colours()));
    CloudFiles.write(folder.resolve("b.ply"), coloured(b, match.transfer(colours())));
    report().provenance(provenance).writeTo(folder.resolve("report.html"));
  }

  private float[] colours() {
    return MeshPicture.places(a);
  }

  private static String lines(int[] map) {
    return Arrays.stream(map)
        .mapToObj(Integer::toString)
        .collect(Collectors.joining("\n", "", "\n"));
  }

  private static Mesh coloured(Mesh mesh, float[] colours) {
    PointCloud points =
        new PointCloud(3, mesh.vertices().coordinates(), List.of(PointFeature.colours(colours)));
    return new Mesh(points, mesh.triangles());
  }

  private Report report() {
    SurfaceMatch.Quality q = match.quality();
    Report report =
        Report.of("%s and %s".formatted(nameA, nameB))
            .lead("The same colour is the same place, as the map found it.")
            .fact("%.3f".formatted(q.margin()), "margin")
            .fact("%.1f %%".formatted(100 * q.bijectivity()), "comes back to its place")
            .fact("%.3f".formatted(q.orthogonality()), "areas kept (orthogonality)")
            .fact("%.3f".formatted(q.commutation()), "bending alone (commutation)")
            .fact("%.3f".formatted(q.gap()), "next best map is worse by");
    for (MeshPicture.Side side : MeshPicture.Side.values()) {
      report =
          report.gallery(
              new Gallery(
                  side == MeshPicture.Side.FRONT ? "From one side" : "From the other side",
                  "",
                  List.of(
                      new Gallery.Item(
                          MeshPicture.of(a, colours(), side, PICTURE),
                          nameA,
                          "%d vertices".formatted(a.vertices().size())),
                      new Gallery.Item(
                          MeshPicture.of(b, match.transfer(colours()), side, PICTURE),
                          nameB,
                          "%d vertices".formatted(b.vertices().size())))));
    }
    return report;
  }
}
