package org.orbitmap.paper.mesh;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.orbitmap.io.data.source.Tosca;
import org.orbitmap.mesh.match.Geodesics;
import org.orbitmap.mesh.match.SampledSurface;
import org.orbitmap.mesh.match.SurfaceMatch;
import org.orbitmap.mesh.match.SurfaceMatcher;
import org.orbitmap.mesh.spectral.Surface;

/**
 * How well bent animals are matched (the paper's appendix on isometry): TOSCA's pairs, whose true
 * correspondences are known.
 *
 * <p>The error of a vertex is the distance on A, by {@link Geodesics} (shortest paths along edges
 * and across pairs of triangles, a few per cent too long), between where it was mapped and where it
 * belongs, in units of √area.
 */
public final class IsometryStudy {
  /** Up to here an error counts as small. */
  public static final double CLOSE = 0.05;

  /** The curve has a value for each hundredth up to a quarter. */
  public static final int CURVE = 26;

  /** The mirrored error, which only decides between left and right, is of every tenth vertex. */
  private static final int MIRRORED = 10;

  private final Path folder;
  private final SurfaceMatcher matcher;
  private final Map<String, Surface> surfaces = new HashMap<>();
  private final Map<String, SampledSurface> prepared = new HashMap<>();

  /**
   * A study of the meshes in a folder.
   *
   * @param folder where TOSCA's meshes or their archive are
   */
  public IsometryStudy(Path folder, SurfaceMatcher matcher) {
    this.folder = folder;
    this.matcher = matcher;
  }

  /**
   * What was measured on a pair.
   *
   * @param meanError the mean distance to the true place
   * @param mirroredError the same to the place with left and right exchanged
   * @param within the share of vertices with an error up to {@link #CLOSE}
   * @param margin of the match; 0 for a map that is not ours
   * @param seconds for the search and the refinement, both surfaces being prepared; 0 for a map
   *     that is not ours
   * @param curve the share of vertices with an error up to 0, 0.01, 0.02, …
   */
  public record PairResult(
      String a,
      String b,
      double meanError,
      double mirroredError,
      double within,
      double margin,
      double seconds,
      double[] curve) {
    /** Whether left is left. */
    public boolean told() {
      return meanError < mirroredError;
    }

    /** The animal. */
    public String animal() {
      return Tosca.animal(a);
    }
  }

  /** The means over pairs. */
  public record Summary(
      String name, int pairs, double meanError, double within, double told, double[] curve) {
    /** The means over some results. */
    public static Summary of(String name, List<PairResult> results) {
      double[] curve = new double[CURVE];
      for (PairResult r : results) {
        for (int i = 0; i < CURVE; i++) {
          curve[i] += r.curve()[i] / results.size();
        }
      }
      return new Summary(
          name,
          results.size(),
          results.stream().mapToDouble(PairResult::meanError).average().orElse(0),
          results.stream().mapToDouble(PairResult::within).average().orElse(0),
          results.stream().filter(PairResult::told).count() / (double) results.size(),
          curve);
    }
  }

  /** Of all animals, and of each. */
  public static List<Summary> summaries(List<PairResult> results) {
    List<Summary> all = new ArrayList<>();
    results.stream()
        .map(PairResult::animal)
        .distinct()
        .forEach(
            animal ->
                all.add(
                    Summary.of(
                        animal, results.stream().filter(r -> r.animal().equals(animal)).toList())));
    all.add(Summary.of("all", results));
    return all;
  }

  /** Matches a pair and compares with the truth. */
  public PairResult measure(Tosca.Pair pair) throws IOException {
    SampledSurface a = prepared(pair.a());
    SampledSurface b = prepared(pair.b());
    long start = System.nanoTime();
    SurfaceMatch match = matcher.match(a, b);
    double seconds = (System.nanoTime() - start) / 1e9;
    return compared(pair, match.toA(), match.quality().margin(), seconds);
  }

  /**
   * Compares a map from elsewhere with the truth, by the same distances.
   *
   * @param toA for each vertex of B one of A
   */
  public PairResult measure(Tosca.Pair pair, int[] toA) throws IOException {
    int verticesOfB = surface(pair.b()).vertices();
    int verticesOfA = surface(pair.a()).vertices();
    if (toA.length != verticesOfB) {
      throw new IllegalArgumentException(
          "map: expected a vertex of %s for each of the %d of %s, found %d"
              .formatted(pair.a(), verticesOfB, pair.b(), toA.length));
    }
    for (int v : toA) {
      if (v < 0 || v >= verticesOfA) {
        throw new IllegalArgumentException(
            "map: expected vertices of %s, 0 to %d, found %d"
                .formatted(pair.a(), verticesOfA - 1, v));
      }
    }
    return compared(pair, toA, 0, 0);
  }

  private PairResult compared(Tosca.Pair pair, int[] toA, double margin, double seconds)
      throws IOException {
    int[] onA = Tosca.correspondence(folder, pair.a(), false);
    int[] mirrored = Tosca.correspondence(folder, pair.a(), true);
    int[] onB = Tosca.correspondence(folder, pair.b(), false);
    Surface surface = surface(pair.a());
    Geodesics geodesics = new Geodesics(surface);
    double unit = Math.sqrt(surface.area());
    double[] curve = new double[CURVE];
    double sum = 0;
    double other = 0;
    int close = 0;
    for (int i = 0; i < onA.length; i++) {
      int found = toA[onB[i]];
      double error = geodesics.between(onA[i], found) / unit;
      sum += error;
      if (i % MIRRORED == 0) {
        other += geodesics.between(mirrored[i], found) / unit;
      }
      close += error <= CLOSE ? 1 : 0;
      for (int c = CURVE - 1; c >= 0 && error <= c / 100.0; c--) {
        curve[c] += 1.0 / onA.length;
      }
    }
    int n = onA.length;
    return new PairResult(
        pair.a(),
        pair.b(),
        sum / n,
        other * MIRRORED / n,
        (double) close / n,
        margin,
        seconds,
        curve);
  }

  private Surface surface(String name) throws IOException {
    Surface known = surfaces.get(name);
    if (known == null) {
      known = Surface.of(Tosca.mesh(folder, name));
      surfaces.put(name, known);
    }
    return known;
  }

  private SampledSurface prepared(String name) throws IOException {
    SampledSurface known = prepared.get(name);
    if (known == null) {
      known = new SampledSurface(surface(name), matcher.eigen());
      prepared.put(name, known);
    }
    return known;
  }
}
