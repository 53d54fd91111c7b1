package org.orbitmap.app.match;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.orbitmap.app.option.Json;
import org.orbitmap.app.report.Figure;
import org.orbitmap.app.report.Report;
import org.orbitmap.app.report.Series;
import org.orbitmap.app.report.Table;
import org.orbitmap.eval.Progress;
import org.orbitmap.io.AtomicFiles;
import org.orbitmap.io.FormatException;
import org.orbitmap.io.data.source.Tosca;
import org.orbitmap.mesh.match.SurfaceMatcher;
import org.orbitmap.paper.mesh.IsometryStudy;
import org.orbitmap.paper.mesh.ShapeRetrieval;

/**
 * The study of bent animals in a folder: each pair that is finished is kept there, so that a call
 * that was interrupted goes on when it is repeated.
 */
public final class IsometryRun {
  private static final int EIGEN = SurfaceMatcher.DEFAULT.eigen();

  private static final long SEED = 0;

  private final Path data;
  private final Path folder;

  /**
   * A run.
   *
   * @param data where the meshes are
   * @param folder where results go
   */
  public IsometryRun(Path data, Path folder) {
    this.data = data;
    this.folder = folder;
  }

  /**
   * What the command reports.
   *
   * @param eigen how many eigenfunctions our maps have; null for maps from elsewhere
   * @param retrieval null for maps from elsewhere
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Document(
      String table,
      int pairs,
      Integer eigen,
      List<IsometryStudy.Summary> classes,
      ShapeRetrieval retrieval,
      Map<String, String> provenance,
      List<IsometryStudy.PairResult> results) {
    /** The means over all pairs. */
    public IsometryStudy.Summary all() {
      return classes.get(classes.size() - 1);
    }
  }

  /**
   * Measures the pairs that are missing.
   *
   * @param limit how many pairs at most, evenly from the list; 0 for all
   * @param minutes after which no further pair is begun; 0 for no end
   */
  public Document run(int limit, double minutes, Map<String, String> provenance, Progress progress)
      throws IOException {
    long end = System.nanoTime() + (long) (minutes * 60e9);
    List<Tosca.Pair> pairs = some(Tosca.pairs(data), limit);
    IsometryStudy study = new IsometryStudy(data, SurfaceMatcher.DEFAULT);
    List<IsometryStudy.PairResult> results = new ArrayList<>();
    for (Tosca.Pair pair : pairs) {
      Path file = folder.resolve("pairs").resolve(pair.a() + "-" + pair.b() + ".json");
      Optional<IsometryStudy.PairResult> kept = kept(file);
      if (kept.isPresent()) {
        results.add(kept.get());
      } else if (minutes == 0 || System.nanoTime() < end) {
        IsometryStudy.PairResult result = study.measure(pair);
        JsonNode fields = Json.mapper().valueToTree(result);
        AtomicFiles.write(file, Json.write(fields) + "\n");
        results.add(result);
      }
      progress.update(results.size(), pairs.size());
    }
    return written(results, EIGEN, ShapeRetrieval.of(data, SEED), provenance);
  }

  /** The result in a file; nothing if it is missing or damaged, so that it is measured again. */
  private static Optional<IsometryStudy.PairResult> kept(Path file) throws IOException {
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      return Optional.ofNullable(
              Json.mapper().readValue(Files.readAllBytes(file), IsometryStudy.PairResult.class))
          .filter(r -> r.a() != null && r.b() != null && r.curve() != null);
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }

  /**
   * Measures maps from elsewhere by the same distances.
   *
   * @param maps a folder with {@code cat0-cat1.txt} and so on, each as {@code map.txt} of a match
   */
  public Document measure(Path maps, int limit, Map<String, String> provenance, Progress progress)
      throws IOException {
    List<Tosca.Pair> pairs = new ArrayList<>();
    for (Tosca.Pair pair : Tosca.pairs(data)) {
      if (Files.exists(file(maps, pair))) {
        pairs.add(pair);
      }
    }
    if (pairs.isEmpty()) {
      throw new FormatException(maps, "maps such as cat0-cat1.txt", "none");
    }
    IsometryStudy study = new IsometryStudy(data, SurfaceMatcher.DEFAULT);
    List<IsometryStudy.PairResult> results = new ArrayList<>();
    for (Tosca.Pair pair : some(pairs, limit)) {
      results.add(study.measure(pair, MatchRun.vertices(file(maps, pair))));
      progress.update(results.size(), pairs.size());
    }
    return written(results, null, null, provenance);
  }

  private static Path file(Path maps, Tosca.Pair pair) {
    return maps.resolve(pair.a() + "-" + pair.b() + ".txt");
  }

  private Document written(
      List<IsometryStudy.PairResult> results,
      Integer eigen,
      ShapeRetrieval retrieval,
      Map<String, String> provenance)
      throws IOException {
    Document document =
        new Document(
            "isometry",
            results.size(),
            eigen,
            IsometryStudy.summaries(results),
            retrieval,
            new LinkedHashMap<>(provenance),
            results);
    AtomicFiles.write(folder.resolve("table.json"), Json.write(document) + "\n");
    AtomicFiles.write(folder.resolve("table.md"), markdown(document));
    report(document).provenance(provenance).writeTo(folder.resolve("table.html"));
    return document;
  }

  private static List<Tosca.Pair> some(List<Tosca.Pair> all, int limit) {
    return limit == 0 || limit >= all.size()
        ? all
        : IntStream.range(0, limit)
            .mapToObj(i -> all.get((int) ((long) i * all.size() / limit)))
            .toList();
  }

  /** The table as text. */
  public static String markdown(Document d) {
    StringBuilder text = new StringBuilder();
    text.append("| animal | pairs | mean error | within 0.05 | left and right told apart |\n");
    text.append("|---|---|---|---|---|\n");
    for (IsometryStudy.Summary s : d.classes()) {
      text.append(
          "| %s | %d | %.4f | %.1f %% | %.1f %% |\n"
              .formatted(s.name(), s.pairs(), s.meanError(), 100 * s.within(), 100 * s.told()));
    }
    text.append("\nErrors are distances on the surface in units of √area");
    text.append(d.eigen() == null ? ".\n" : "; %d eigenfunctions.\n".formatted(d.eigen()));
    if (d.retrieval() != null) {
      text.append(retrieval(d.retrieval()));
    }
    d.provenance().forEach((k, v) -> text.append("\n%s: %s".formatted(k, v)));
    return text.append('\n').toString();
  }

  private static String retrieval(ShapeRetrieval r) {
    StringBuilder text =
        new StringBuilder(
            "\n| %d shapes, nearest neighbour of the same kind | by eigenvalues | by coordinates |\n"
                .formatted(r.shapes()));
    text.append("|---|---|---|\n");
    for (ShapeRetrieval.Case c : r.cases()) {
      text.append(
          "| %s | %.0f %% | %.0f %% |\n".formatted(c.name(), 100 * c.spectral(), 100 * c.plain()));
    }
    return text.append(
            "\nEach shape is moved by a motion of its own; means over %d draws.\n"
                .formatted(r.draws()))
        .toString();
  }

  private static Report report(Document d) {
    Table table = Table.of("Errors", "animal", "pairs", "mean error", "within 0.05", "told apart");
    List<Series> curves = new ArrayList<>();
    double[] x = IntStream.range(0, IsometryStudy.CURVE).mapToDouble(i -> i / 100.0).toArray();
    for (IsometryStudy.Summary s : d.classes()) {
      table =
          table.row(
              s.name(),
              "" + s.pairs(),
              "%.4f".formatted(s.meanError()),
              "%.1f %%".formatted(100 * s.within()),
              "%.1f %%".formatted(100 * s.told()));
      curves.add(new Series(s.name(), x, s.curve()));
    }
    Report report =
        Report.of("Bent animals")
            .lead("Which point belongs to which, in %d pairs of poses.".formatted(d.pairs()))
            .fact("%.4f".formatted(d.all().meanError()), "mean error in units of √area")
            .fact("%.0f %%".formatted(100 * d.all().within()), "of the vertices within 0.05")
            .fact("%.0f %%".formatted(100 * d.all().told()), "of the pairs with left as left")
            .table(table);
    if (d.retrieval() != null) {
      Table recognised = Table.of("Nearest neighbours", "shapes", "by eigenvalues", "coordinates");
      for (ShapeRetrieval.Case c : d.retrieval().cases()) {
        recognised =
            recognised.row(
                c.name(),
                "%.0f %%".formatted(100 * c.spectral()),
                "%.0f %%".formatted(100 * c.plain()));
      }
      report = report.table(recognised);
    }
    return report.figure(
        new Figure.Lines(
            "Geodesic error",
            "Share of the vertices whose error is at most so large.",
            "error (√area)",
            "share",
            0,
            1,
            curves));
  }
}
