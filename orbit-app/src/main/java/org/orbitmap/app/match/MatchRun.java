package org.orbitmap.app.match;

import java.io.IOException;
import java.io.UncheckedIOException;
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
    List<Prepared> both;
    try {
      both =
          Stream.of(fileA, fileB)
              .parallel()
              .map(file -> Prepared.of(file, matcher.eigen()))
              .toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    Prepared a = both.get(0);
    Prepared b = both.get(1);
    SurfaceMatch match = matcher.match(a.surface(), b.surface());
    return new MatchRun(name(fileA), a.mesh(), name(fileB), b.mesh(), match);
  }

  /** What a file holds, ready to be matched. */
  private record Prepared(Mesh mesh, SampledSurface surface) {
    static Prepared of(Path file, int eigen) {
      try {
        Mesh mesh = CloudFiles.readMesh(file);
        if (mesh.vertices().dimension() != 3) {
          throw new FormatException(file, "a mesh in space", "one in the plane");
        }
        return new Prepared(mesh, new SampledSurface(Surface.of(mesh), eigen));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (IllegalArgumentException | ArithmeticException e) {
        throw new UserError(file + ": " + e.getMessage(), e);
      }
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
    float[] onA = colours();
    float[] onB = match.transfer(onA);
    List<Gallery> sides =
        Arrays.stream(MeshPicture.Side.values())
            .parallel()
            .map(
                side ->
                    new Gallery(
                        side == MeshPicture.Side.FRONT ? "From one side" : "From the other side",
                        "",
                        List.of(item(nameA, a, onA, side), item(nameB, b, onB, side))))
            .toList();
    for (Gallery side : sides) {
      report = report.gallery(side);
    }
    return report;
  }

  private static Gallery.Item item(String name, Mesh mesh, float[] colours, MeshPicture.Side side) {
    return new Gallery.Item(
        MeshPicture.of(mesh, colours, side, PICTURE),
        name,
        "%d vertices".formatted(mesh.vertices().size()));
  }
}
