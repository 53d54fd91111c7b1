package org.orbitmap.app.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.image.Image;
import org.xml.sax.InputSource;

public class ReportTest {
  private static final String EVIL = "<script>alert('x')</script>&\"\u0007";

  @TempDir Path folder;

  /** A report with one of everything. */
  public static Report example() {
    double[] plain = new double[72];
    double[] mapped = new double[72];
    double[] margins = new double[400];
    for (int i = 0; i < 72; i++) {
      plain[i] = 0.55 + 0.4 * Math.cos(Math.toRadians(5 * i)) * Math.cos(Math.toRadians(10 * i));
      mapped[i] = 0.93 + 0.01 * Math.sin(i);
    }
    for (int i = 0; i < margins.length; i++) {
      margins[i] = 0.02 * (1 + Math.sin(i * 12.9898) * Math.cos(i * 78.233));
    }
    List<Series> both =
        List.of(Series.overCircle("plain", plain), Series.overCircle("with orbit mapping", mapped));
    List<Gallery.Item> worst = new ArrayList<>();
    for (int k = 0; k < 6; k++) {
      Image image = Image.black(3, 32, 32);
      for (int i = 0; i < image.data().length; i++) {
        image.data()[i] = (i * (k + 3) % 97) / 96f;
      }
      worst.add(new Gallery.Item(image, "said ship at 137°", "truth frog, item " + k));
    }
    return Report.of("An evaluation")
        .lead("Accuracy of two models over all angles.")
        .fact("93.4 %", "clean")
        .fact("92.1 %", "worst, mapped")
        .fact("2.0 %", "worst, plain")
        .section("Accuracy")
        .table(
            Table.of("Headline", "model", "interpolation", "clean", "average", "worst", "paper")
                .row("plain", "bilinear", "93.4", "41.2", "2.0", "–")
                .row("mapped", "bilinear", "93.1", "92.8", "92.1", "61.1")
                .note("Interpolated turns are not a group action."))
        .figure(new Figure.Polar("Accuracy by angle", "A circle is invariance.", both))
        .figure(
            new Figure.Lines(
                "Probability of the true class",
                "One image, rotated.",
                "rotated by (°)",
                "probability",
                0,
                1,
                both))
        .figure(new Figure.Histogram("Margins", "Far from 0 is safe.", "margin", margins))
        .figure(
            new Figure.Matrix(
                "Confusion",
                "Rows are the truth.",
                List.of("bird", "cat", "a very long class name", "ship"),
                new long[][] {{90, 4, 3, 3}, {2, 95, 2, 1}, {0, 30, 60, 10}, {1, 0, 0, 99}}))
        .gallery(new Gallery("Worst items", "Lowest accuracy over the circle.", worst))
        .provenance(Map.of("command", "orbit evaluate --model net.onnx"));
  }

  @Test
  void everyTextIsEscaped() {
    String html =
        Report.of(EVIL)
            .lead(EVIL)
            .section(EVIL)
            .text(EVIL)
            .fact(EVIL, EVIL)
            .table(Table.of(EVIL, EVIL).row(EVIL).note(EVIL))
            .figure(
                new Figure.Polar(EVIL, EVIL, List.of(Series.overCircle(EVIL, new double[] {1, 1}))))
            .figure(new Figure.Matrix(EVIL, EVIL, List.of(EVIL), new long[][] {{1}}))
            .gallery(
                new Gallery(
                    EVIL, EVIL, List.of(new Gallery.Item(Image.black(1, 2, 2), EVIL, EVIL))))
            .provenance(Map.of(EVIL, EVIL))
            .html();
    assertThat(html).contains("&lt;script&gt;").doesNotContain("<script").doesNotContain("\u0007");
  }

  @Test
  void theFileNeedsNothingElse() throws IOException {
    Report.Written written = example().writeTo(folder.resolve("r.html"));
    String html = Files.readString(written.page());
    assertThat(html.replace("http://www.w3.org/2000/svg", "")).doesNotContain("http:", "https:");
    assertThat(html).doesNotContain("src=\"/", "href=").contains("prefers-color-scheme: dark");
    assertThat(written.note()).isEmpty();
    assertThat(written.figures()).hasSize(8).allMatch(Files::exists);
    assertThat(folder.resolve("r-figures/accuracy-by-angle.svg")).exists();
  }

  @Test
  void figuresAreWellFormedAndDrawn() throws Exception {
    for (Path file : example().writeTo(folder.resolve("r.html")).figures()) {
      if (file.toString().endsWith(".svg")) {
        String svg = Files.readString(file);
        assertThat(svg).doesNotContain("var(", "NaN", "Infinity");
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(svg)));
      } else {
        var image = ImageIO.read(file.toFile());
        long dark = 0;
        for (int y = 0; y < image.getHeight(); y++) {
          for (int x = 0; x < image.getWidth(); x++) {
            dark += (image.getRGB(x, y) & 255) < 128 ? 1 : 0;
          }
        }
        assertThat(dark).as(file.toString()).isGreaterThan(500);
      }
    }
  }

  @Test
  void oddNumbersDoNoHarm() {
    double[] odd = {Double.NaN, 0.5, Double.POSITIVE_INFINITY, -3};
    String html =
        Report.of("odd")
            .figure(new Figure.Polar("a", "", List.of(Series.overCircle("s", odd))))
            .figure(new Figure.Lines("b", "", "x", "y", 0, 1, List.of(Series.overCircle("s", odd))))
            .figure(new Figure.Histogram("c", "", "x", odd))
            .figure(new Figure.Histogram("d", "", "x", new double[] {Double.NaN}))
            .figure(new Figure.Histogram("e", "", "x", new double[] {2, 2, 2}))
            .html();
    assertThat(html).doesNotContain("NaN", "Infinity");
  }

  @Test
  void histogramCountsEveryFiniteValueOnce() {
    int[] counts = Figure.Histogram.counts(new double[] {0, 0.1, 0.5, 1, Double.NaN}, 0, 1, 2);
    assertThat(counts).containsExactly(2, 2);
  }

  @Test
  void aRowOfTheWrongLengthIsRefused() {
    assertThatThrownBy(() -> Table.of("t", "a", "b").row("1"))
        .hasMessage("table 't': expected 2 cells in each row, found 1: [1]");
  }
}
