package org.orbitmap.app;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.orbitmap.app.report.Report;
import org.orbitmap.io.ImageFiles;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code orbit demo}: see it work, with nothing to download. */
@Command(
    name = "demo",
    description = {
      "Show orbit mapping at work, with nothing to download.",
      "",
      "A picture in several orientations and what the mapping makes of each (the paper's Figure 2),"
          + " as a PNG and a page, with the angle errors in numbers."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  orbit demo", "  orbit demo --out /tmp/demo --json"})
final class DemoCommand implements Callable<Integer> {
  @Mixin private OutputOptions output;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "orbit-demo",
      description = "Where the page and the pictures go; default: ${DEFAULT-VALUE}.")
  private Path out;

  /** One orientation of the picture. */
  record Angle(double degrees, double errorDegrees, double paperErrorDegrees, double margin) {}

  /** What the command reports. */
  record Document(
      List<Angle> angles,
      double worstErrorDegrees,
      double worstPaperErrorDegrees,
      String figure,
      String page) {}

  @Override
  public Integer call() throws IOException {
    RotationFigure figure = RotationFigure.of(Samples.boat(128), 0, 37, 90, 137, 201, 298);
    Path picture = out.resolve("rotations.png");
    ImageFiles.writePng(picture, figure.sheet());
    Report report =
        figure
            .addTo(
                Report.of("Orbit mapping, seen")
                    .lead(
                        "Before the network, one element of the input's orbit is picked by a fixed"
                            + " rule: whatever follows is invariant by construction.")
                    .fact(
                        "%.3f°".formatted(figure.worstDegrees()),
                        "largest error of the default mapping")
                    .fact(
                        "%.3f°".formatted(figure.worstPaperDegrees()),
                        "largest error of the mapping of the paper's text"))
            .provenance(Map.of("command", "orbit demo", "version", Main.Version.current()));
    Report.Written written = report.writeTo(out.resolve("index.html"));
    Document document =
        new Document(
            figure.rows().stream()
                .map(
                    r ->
                        new Angle(r.degrees(), r.errorDegrees(), r.paperErrorDegrees(), r.margin()))
                .toList(),
            figure.worstDegrees(),
            figure.worstPaperDegrees(),
            picture.toString(),
            written.page().toString());
    output.print(document, text -> print(text, document));
    return Errors.OK;
  }

  private static void print(PrintWriter text, Document document) {
    text.println("One picture, turned; how far its canonical orientation moves:");
    text.printf("%14s %14s %14s %10s%n", "turned by (°)", "disc (°)", "paper (°)", "margin");
    for (Angle a : document.angles()) {
      text.printf(
          "%14s %14.4f %14.4f %10.3f%n",
          Text.of(a.degrees()), a.errorDegrees(), a.paperErrorDegrees(), a.margin());
    }
    text.println("figure: " + document.figure());
    text.println("page:   " + document.page());
  }
}
