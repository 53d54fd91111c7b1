package org.orbitmap.app.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.app.Page;
import org.orbitmap.app.Run;
import org.orbitmap.app.option.Json;
import org.orbitmap.nn.model.MappingConfig.Use;
import org.orbitmap.nn.train.RunFolder;
import org.orbitmap.nn.train.TrainConfig;
import org.orbitmap.paper.Row;
import org.orbitmap.paper.RowResult;
import org.orbitmap.paper.Scale;
import org.orbitmap.paper.Score;
import org.orbitmap.paper.UprightFit;
import org.orbitmap.paper.table.Tables;

public class ReproductionReportTest {
  private static final String EVIL = "<b>&\"x";

  @TempDir Path folder;

  private static Score score(double worst) {
    return new Score(
        50,
        0.9,
        Map.of("nearest", 0.7, "bilinear", 0.8, "bicubic", 0.85),
        Map.of("nearest", 0.3, "bilinear", worst, "bicubic", 0.5),
        600,
        2);
  }

  /** A table of the paper, half finished. */
  public static Report example() {
    org.orbitmap.paper.Table<?> table = Tables.named("cifar10-augmentation", Scale.CPU);
    List<RowResult> results = new ArrayList<>();
    for (Row row : table.rows()) {
      boolean done = results.size() < 8;
      double seconds = results.size() == 1 ? 20 : results.size() == 0 ? 5 : Double.NaN;
      double worst = results.size() == 1 ? 0.71 : 0.61;
      results.add(
          new RowResult(
              row, done ? List.of(score(worst), score(worst + 0.02)) : List.of(), 0, seconds));
    }
    Row row = table.rows().get(0);
    results.set(
        7,
        new RowResult(
            new Row(EVIL, "ra", Use.NONE, "", row.train(), new double[0]), List.of(score(0.1))));
    return ReproductionReport.of(table, results, Map.of("command", "orbit reproduce " + EVIL));
  }

  @Test
  void figuresStandBesideThePapersAndTheirDifference() {
    String html = example().html();
    assertThat(html)
        .contains(
            ">As they are<",
            ">Bilinear<",
            ">Worst case, bilinear<",
            ">Remarks<",
            "Of 9,000 answers")
        // The first row: resnet18, std, without a mapping; the paper has 1.31 in the worst case.
        .contains(
            "<td class=\"n\">62.0 ± 1.4</td><td class=\"n\">1.3</td><td class=\"n\">+60.7</td>")
        // A row that the paper does not have, and one that is not measured yet.
        .contains("<td class=\"n\">10.0</td><td class=\"n\">–</td><td class=\"n\">–</td></tr>")
        .contains("&lt;b&gt;&amp;&quot;x")
        .doesNotContain("<b>", "NaN");
  }

  @Test
  void aDifferenceOfNothingHasNoSignAndWhatThePaperLacksNoLegend() {
    org.orbitmap.paper.Table<?> table = Tables.named("rotmnist", Scale.CPU);
    Row row = table.rows().get(0);
    Score s = score(0.9);
    double clean = row.paper(0, table.protocol().sweeps().size()).clean() - 0.0004;
    Score near = new Score(100, clean, s.average(), s.worst(), 0, 0);
    RowResult known = new RowResult(row, List.of(near), 0, 5);
    String html = ReproductionReport.of(table, List.of(known), Map.of()).html();
    assertThat(html).contains(">0.0</td>", ">paper</text>").doesNotContain("−0.0", "+0.0");
    Row unknown =
        new Row(row.network(), "ra", Use.NONE, "", row.train(), new double[0]); // not in the paper
    RowResult own = new RowResult(unknown, List.of(near), 0, 5);
    assertThat(ReproductionReport.of(table, List.of(own), Map.of()).html())
        .contains(">here</text>")
        .doesNotContain(">paper</text>");
  }

  /** Always answering the commonest class is no merit: then the classes count alike, too. */
  @Test
  void whereOneClassIsCommonTheMeansOverTheClassesStandBelow() {
    org.orbitmap.paper.Table<?> table = Tables.named("ham10000-methods", Scale.CPU);
    Row row = table.rows().get(0);
    for (double commonest : new double[] {0.755, 0.3}) {
      Score s = score(0.755);
      Score told = new Score(50, s.clean(), s.average(), s.worst(), 0, 0, commonest, score(0.1428));
      RowResult result = new RowResult(row, List.of(told), 0, 5);
      String html = ReproductionReport.of(table, List.of(result, result), Map.of()).html();
      assertThat(html.contains("75.5 % of these images are of one class"))
          .isEqualTo(commonest > 0.5);
      assertThat(html.contains("<td class=\"n\">14.3</td>")).isEqualTo(commonest > 0.5);
      assertThat(html).contains(commonest > 0.5 ? ": 14.3 %, 1.00 ×<" : ": 75.5 %, 1.00 ×<");
    }
  }

  /** The best worst case first, with its cost in epochs of the first row. */
  @Test
  void methodsAreRankedByWorstCaseAgainstCost() {
    assertThat(example().html())
        .contains(
            ">Worst case against cost<",
            ">1  resnet18 std, paper, train+test: 72.0 %, 4.00 ×<",
            ">2  resnet18 std, none: 62.0 %, 1.00 ×<")
        .doesNotContain(">3  resnet18");
  }

  /** The models are empty files and the counts are there: anything computed anew would fail. */
  @Test
  void aFinishedFolderGivesItsPageWithoutComputing() throws IOException {
    String data = System.getProperty("orbit.data", "");
    assumeTrue(!data.isBlank() && Files.isDirectory(Path.of(data)), "no -Dorbit.data");
    org.orbitmap.paper.Table<?> table = Tables.named("cifar10-augmentation", Scale.CPU);
    for (Row row : table.rows()) {
      boolean trained = row.when() == Use.TRAIN_AND_TEST;
      String stem = row.network() + "-" + row.scheme() + "-";
      Path run = folder.resolve("runs").resolve(stem + (trained ? row.rule() : "none"));
      Files.createDirectories(run);
      Path predictor = UprightFit.file(folder.resolve("runs"), row.train(), 0);
      TrainConfig config =
          row.train().with(c -> c.mapping(UprightFit.in(row.train().mapping(), predictor)));
      Files.writeString(run.resolve("config.yaml"), config.toYaml());
      Files.writeString(new RunFolder(run).modelFile(), "");
      String id =
          (stem + (row.rule().isEmpty() ? "none" : row.when() + "-" + row.rule()))
              .replace("+", "-");
      for (int chunk = 0; chunk < 2; chunk++) {
        Path file = folder.resolve("cells/%s-seed0/chunk-%04d.json".formatted(id, chunk));
        Files.createDirectories(file.getParent());
        Files.writeString(
            file,
            """
            {"images": 50, "clean": 40, "checked": 60, "differing": 0,
             "right": {"nearest": 1000, "bilinear": 2000, "bicubic": 3000},
             "poses": {"nearest": 4500, "bilinear": 4500, "bicubic": 4500},
             "everywhere": {"nearest": 10, "bilinear": 20, "bicubic": 30}}
            """);
      }
    }
    Run run =
        Run.orbit(
            "reproduce",
            "cifar10-augmentation",
            "--data",
            data,
            "--out",
            folder.toString(),
            "--no-progress",
            "--json");
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(Json.mapper().readTree(run.out()).at("/rows/0/seeds/0/images").asInt())
        .isEqualTo(100);
    String html = Page.assertWhole(folder.resolve("table.html"), "Worst case, bicubic", "Remarks");
    assertThat(html).contains("orbit reproduce cifar10-augmentation --data", "sha-256");
    assertThat(folder.resolve("table-figures/worst-case-bilinear.png")).isNotEmptyFile();
  }
}
