package org.orbitmap.app.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.orbitmap.eval.Accuracy;
import org.orbitmap.eval.Classifier;
import org.orbitmap.eval.Labelled;
import org.orbitmap.eval.Progress;
import org.orbitmap.eval.Robustness;
import org.orbitmap.eval.Sweep;
import org.orbitmap.image.AngleSweep;
import org.orbitmap.image.Image;
import org.orbitmap.image.Resampling;

public class RobustnessReportTest {
  private static final String EVIL = "<b>&\"x";
  private static final List<String> CLASSES = List.of("dark", EVIL);
  private static final Sweep<Image> TURNS = AngleSweep.every(90, Resampling.BILINEAR);

  /** Images whose upper left quarter has the brightness i/n. */
  private static List<Labelled<Image>> images(int n) {
    List<Labelled<Image>> items = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      Image image = Image.black(1, 8, 8);
      for (int k = 0; k < 16; k++) {
        image.data()[k / 4 * 8 + k % 4] = (i + 0.5f) / n;
      }
      items.add(new Labelled<>(image, i < n / 2 ? 0 : 1));
    }
    return items;
  }

  /** Right as they are; as soon as an image is rotated, it is dark. */
  private static final Classifier<Image> CORNER =
      batch ->
          batch.stream()
              .map(u -> new float[] {1 - u.at(0, 2, 2), u.at(0, 2, 2)})
              .toArray(float[][]::new);

  private static Robustness measure(Classifier<Image> model, Sweep<Image> sweep) {
    return Robustness.measure(
        model,
        images(20),
        sweep,
        new Robustness.Settings(1, 8, Robustness.TrueClass.PROBABILITY),
        Progress.OFF);
  }

  private static RobustnessReport.Measured rotated() {
    return new RobustnessReport.Measured("corner " + EVIL, "bilinear", measure(CORNER, TURNS));
  }

  private static RobustnessReport.Measured shown() {
    return rotated().seen(i -> images(20).get(i).input(), TURNS, Function.identity());
  }

  private static String html(RobustnessReport report) {
    return report.addTo(Report.of("robustness")).html();
  }

  /** Everything that a report can have. */
  public static Report whole() {
    RobustnessReport.Measured m = shown().paper(new Accuracy(0.931, Double.NaN, 0.456));
    int item = RobustnessReport.typical(List.of(m.result()));
    return RobustnessReport.of(CLASSES, List.of(m))
        .note("Some note.")
        .teaser(item, List.of(RobustnessReport.curve("corner " + EVIL, m.result(), item)))
        .margins("How far.", IntStream.range(0, 20).mapToDouble(i -> i).toArray())
        .addTo(Report.of("robustness " + EVIL));
  }

  @Test
  void hasEverySectionAndEscapesNames() {
    String html = whole().html();
    assertThat(html)
        .contains(
            ">Accuracy and agreement in %<",
            ">Accuracy by angle<",
            ">Probability of the true class<",
            ">Worst items, bilinear<",
            ">Confusion, bilinear<",
            ">Accuracy by class in %, bilinear<",
            ">Margins<",
            ">What it took<")
        .contains("&lt;b&gt;&amp;&quot;x")
        .doesNotContain("<b>")
        .doesNotContain("NaN");
  }

  @Test
  void theHeadlineHasThePapersNumbersBesideOurs() {
    // All right as they are; the 10 dark ones stay right when rotated.
    assertThat(whole().html())
        .contains("<td class=\"n\">100.0</td><td class=\"n\">93.1</td>")
        .contains("<td class=\"n\">62.5</td><td class=\"n\">–</td>")
        .contains("<td class=\"n\">50.0</td><td class=\"n\">45.6</td>");
    assertThat(html(RobustnessReport.of(CLASSES, List.of(rotated())))).doesNotContain(">paper<");
  }

  @Test
  void theWorstItemsSayWhereTheyFailAndWhatWasSaid() {
    assertThat(html(RobustnessReport.of(CLASSES, List.of(shown()))))
        .contains("<strong>dark at 90°</strong><span>is &lt;b&gt;&amp;&quot;x; item 10, 3 of 4");
    assertThat(html(RobustnessReport.of(CLASSES, List.of(rotated()))))
        .contains(
            "<th scope=\"row\">10</th><td class=\"t\">&lt;b&gt;&amp;&quot;x</td>"
                + "<td class=\"n\">90°</td><td class=\"t\">dark</td><td class=\"n\">3 of 4</td>");
    Classifier<Image> fair = b -> b.stream().map(u -> bright(u)).toArray(float[][]::new);
    assertThat(
            html(
                RobustnessReport.of(
                    CLASSES,
                    List.of(new RobustnessReport.Measured("fair", "s", measure(fair, TURNS))))))
        .contains("No item fails in any pose.");
  }

  private static float[] bright(Image u) {
    float most = 0;
    for (float v : u.data()) {
      most = Math.max(most, v);
    }
    return new float[] {0.5f - most, most - 0.5f};
  }

  @Test
  void otherSweepsAreNoAngles() {
    Sweep<Image> poses =
        new Sweep<>(
            "shift",
            "",
            List.of(
                Sweep.Pose.identity("none", 0),
                new Sweep.Pose<>("far <b>", 7, u -> Image.black(1, 8, 8))));
    String html =
        html(
            RobustnessReport.of(
                CLASSES,
                List.of(new RobustnessReport.Measured("m", "shift", measure(CORNER, poses)))));
    assertThat(html)
        .contains(">Accuracy by pose, shift<")
        .contains("far &lt;b&gt;")
        .doesNotContain("Accuracy by angle");
  }

  @Test
  void classesWithoutANameGetANumberAndManyClassesAList() {
    Classifier<Image> wide =
        b ->
            b.stream()
                .map(
                    u -> {
                      float[] row = new float[100];
                      row[u.at(0, 2, 2) > 0.5f ? 1 : u.at(0, 5, 2) > 0.5f ? 77 : 0] = 1;
                      return row;
                    })
                .toArray(float[][]::new);
    assertThat(
            html(
                RobustnessReport.of(
                    CLASSES,
                    List.of(new RobustnessReport.Measured("m", "s", measure(wide, TURNS))))))
        .contains("class 77", "most frequent confusions")
        .doesNotContain("rotate(-50");
  }

  @Test
  void theTypicalItemIsTheMedianOfThoseThatAreRight() {
    Robustness r = measure(CORNER, TURNS);
    int item = RobustnessReport.typical(List.of(r));
    assertThat(item).isBetween(0, 9); // 10 bright items fall to 0, 10 dark ones stay: the median
    assertThatThrownBy(() -> RobustnessReport.of(CLASSES, List.of()))
        .hasMessageContaining("at least one measurement");
  }

  @Test
  void costIsMeasured() {
    Robustness r = measure(CORNER, TURNS);
    assertThat(r.cost().seconds()).isPositive();
    assertThat(r.cost().classifierShare()).isGreaterThan(0).isLessThanOrEqualTo(1);
    assertThat(r).isEqualTo(measure(CORNER, TURNS));
  }
}
