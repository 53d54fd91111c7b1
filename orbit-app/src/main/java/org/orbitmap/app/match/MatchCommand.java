package org.orbitmap.app.match;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.orbitmap.app.option.Errors;
import org.orbitmap.app.option.OutputOptions;
import org.orbitmap.io.FolderLock;
import org.orbitmap.io.UserError;
import org.orbitmap.mesh.match.Landmarks;
import org.orbitmap.mesh.match.SurfaceMatch;
import org.orbitmap.mesh.match.SurfaceMatcher;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code orbit match}. */
@Command(
    name = "match",
    description = {
      "Find which point of a mesh A belongs to each point of a mesh B that is A bent.",
      "",
      "Both are compared by the eigenfunctions of their Laplace-Beltrami operators, which do not"
          + " change when a surface is bent (a functional map). Their triangles may differ, and so"
          + " may their place and size. Left and right are told apart by the outside of the"
          + " surface.",
      "",
      "With --out: map.txt (line i: the vertex of A, from 0, that vertex i of B maps to),"
          + " inverse.txt (the same from A to B), C.npy (the functional map), a.ply and b.ply"
          + " (coloured alike) and report.html, which shows them.",
      "",
      "The margin is the least of four shares: how much of B comes back to its place (bijectivity),"
          + " how well areas are kept (orthogonality), how much the map is bending alone"
          + " (commutation), and by how much the next best map is worse (gap). Near 0 the map may"
          + " be wrong."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  orbit match cat0.off cat1.off --out cats",
      "  orbit match cat0.off cat1.off --json",
      "  orbit match a.ply b.ply --landmarks pairs.txt --eigen 60 --out match",
      "  orbit match a.obj b.obj --descriptors hks --refine none --out rough",
    })
public final class MatchCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "A", description = "A mesh: OFF, PLY, OBJ or STL.")
  private Path a;

  @Parameters(index = "1", paramLabel = "B", description = "The same surface in another pose.")
  private Path b;

  @Option(names = "--out", paramLabel = "DIR", description = "Write the maps and a report here.")
  private Path out;

  @Option(
      names = "--eigen",
      paramLabel = "K",
      defaultValue = "100",
      description = "How many eigenfunctions the map has; default: ${DEFAULT-VALUE}.")
  private int eigen;

  @Option(
      names = "--descriptors",
      paramLabel = "wks|hks",
      defaultValue = "wks",
      description =
          "What points are compared by at first: wave kernel signatures (wks, the default) or heat"
              + " kernel signatures (hks).")
  private String descriptors;

  @Option(
      names = "--landmarks",
      paramLabel = "FILE",
      description = "Vertices that belong together: on each line one of A and one of B, from 0.")
  private Path landmarks;

  @Option(
      names = "--refine",
      paramLabel = "zoomout|none",
      defaultValue = "zoomout",
      description =
          "zoomout (default): refine the map with more and more eigenfunctions, up to --eigen."
              + " none: keep the map of 20 that the search found.")
  private String refine;

  @Mixin private OutputOptions output;

  /** What the command reports. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Document(
      String a,
      String b,
      int verticesOfA,
      int verticesOfB,
      int eigen,
      String descriptors,
      String refine,
      int landmarks,
      double seconds,
      double bijectivity,
      double orthogonality,
      double commutation,
      double gap,
      double margin,
      String out) {}

  @Override
  public Integer call() throws IOException {
    if (eigen < 4 || eigen > 500) {
      throw UserError.expected("--eigen", "4 to 500", eigen, "");
    }
    OutputOptions.requireFolder(out);
    if (out == null) {
      return match();
    }
    try (FolderLock lock = FolderLock.take(out)) {
      lock.removeLeftovers();
      return match();
    }
  }

  private int match() throws IOException {
    Landmarks known = landmarks == null ? Landmarks.NONE : MatchRun.landmarks(landmarks);
    SurfaceMatcher matcher = new SurfaceMatcher(eigen, kind(), known, refined());
    long start = System.nanoTime();
    MatchRun run = MatchRun.of(a, b, matcher);
    double seconds = (System.nanoTime() - start) / 1e9;
    if (out != null) {
      run.writeTo(out, output.provenance());
    }
    SurfaceMatch.Quality q = run.match().quality();
    Document document =
        new Document(
            a.toString(),
            b.toString(),
            run.a().vertices().size(),
            run.b().vertices().size(),
            run.match().map().c().length,
            kind().name().toLowerCase(Locale.ROOT),
            refined() ? "zoomout" : "none",
            known.size(),
            seconds,
            q.bijectivity(),
            q.orthogonality(),
            q.commutation(),
            q.gap(),
            q.margin(),
            out == null ? null : out.toString());
    output.print(document, text -> print(text, document));
    return Errors.OK;
  }

  private SurfaceMatcher.Descriptors kind() {
    return switch (descriptors.toLowerCase(Locale.ROOT)) {
      case "wks" -> SurfaceMatcher.Descriptors.WKS;
      case "hks" -> SurfaceMatcher.Descriptors.HKS;
      default -> throw UserError.expected("--descriptors", "wks or hks", descriptors, "");
    };
  }

  private boolean refined() {
    return switch (refine.toLowerCase(Locale.ROOT)) {
      case "zoomout" -> true;
      case "none" -> false;
      default -> throw UserError.expected("--refine", "zoomout or none", refine, "");
    };
  }

  private static void print(PrintWriter text, Document d) {
    text.printf(
        "%s -> %s: %d eigenfunctions, %.1f s, margin %.3f%n",
        d.b(), d.a(), d.eigen(), d.seconds(), d.margin());
    text.printf(
        "bijectivity %.3f, orthogonality %.3f, commutation %.3f, gap %.3f%n",
        d.bijectivity(), d.orthogonality(), d.commutation(), d.gap());
    if (d.out() != null) {
      text.println("maps and report: " + d.out());
    }
  }
}
