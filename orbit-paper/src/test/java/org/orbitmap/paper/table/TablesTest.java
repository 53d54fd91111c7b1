package org.orbitmap.paper.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.nn.model.MappingConfig.Use;
import org.orbitmap.nn.scheme.Augmentation;
import org.orbitmap.nn.train.TrainConfig;
import org.orbitmap.nn.train.TrainConfig.Method;
import org.orbitmap.paper.Row;
import org.orbitmap.paper.Scale;
import org.orbitmap.paper.Table;

class TablesTest {
  @TempDir Path folder;

  @Test
  void everyPresetSurvivesItsYaml() throws IOException {
    Path file = folder.resolve("c.yaml");
    for (var e : Presets.all().entrySet()) {
      Files.writeString(file, e.getValue().toYaml());
      assertThat(TrainConfig.read(file)).as(e.getKey()).isEqualTo(e.getValue());
    }
    assertThat(Presets.named("cifar10-convnet-ra-disc").mapping().rule()).isEqualTo("disc");
    assertThat(Presets.named("cifar10-convnet-ra-disc").scheme()).isEqualTo("ra");
    assertThatThrownBy(() -> Presets.named("nope")).hasMessageContaining("glyphs-convnet");
    assertThat(Presets.named("cifar10-resnet18").optimiser().rate()).isEqualTo(0.1);
  }

  @Test
  void rowsAreChosenByTheirIds() {
    Table<?> table = Tables.named("cifar10-networks", Scale.CPU);
    assertThat(table.rows()).extracting(Row::id).doesNotHaveDuplicates();
    assertThat(table.rows(List.of("convnet-ra-none", " linear-*-test-disc")).rows())
        .extracting(Row::id)
        .containsExactly(
            "linear-std-test-disc",
            "linear-std-train-test-disc",
            "linear-ra-test-disc",
            "linear-ra-train-test-disc",
            "convnet-ra-none");
    assertThat(table.rows(List.of("*")).rows()).isEqualTo(table.rows());
    for (String wrong : List.of("convnet", "", "lin.ar-*", "convnet-(")) {
      assertThatThrownBy(() -> table.rows(List.of("convnet-*", wrong)))
          .hasMessageContaining("convnet-ra-none")
          .hasMessageEndingWith("found " + wrong);
    }
  }

  /** Appendix E at paper scale; the small table keeps what its results were computed with. */
  @Test
  void ham10000FollowsThePaper() {
    TrainConfig paper = Tables.named("ham10000", Scale.PAPER).rows().get(0).train();
    assertThat(paper.epochs()).isEqualTo(5);
    assertThat(paper.batch()).isEqualTo(128);
    assertThat(paper.optimiser()).isEqualTo(Method.adam(1e-4, 5e-4));
    assertThat(paper.schedule().factor()).isEqualTo(0.2);
    assertThat(paper.augmentation()).isEqualTo(new Augmentation(0, true, true, 0.2));
    assertThat(paper.network().name()).isEqualTo("nfnet-f0");
    assertThat(paper.oversample()).isTrue();
    TrainConfig small = Tables.named("ham10000", Scale.CPU).rows().get(0).train();
    assertThat(small.epochs()).isEqualTo(4);
    assertThat(small.optimiser()).isEqualTo(Method.adam(1e-3, 0));
    assertThat(small.schedule().factor()).isEqualTo(0.5);
    assertThat(small.augmentation()).isEqualTo(new Augmentation(0, true, false, 0.2));
  }

  /** Appendix E at paper scale; a backbone that is trained here at cpu scale. */
  @Test
  void cub200FollowsThePaper() {
    Table<?> table = Tables.named("cub200", Scale.PAPER);
    TrainConfig paper = table.rows().get(0).train();
    assertThat(paper.epochs()).isEqualTo(60);
    assertThat(paper.batch()).isEqualTo(128);
    assertThat(paper.optimiser()).isEqualTo(Method.adam(1e-4, 5e-4));
    assertThat(paper.schedule().factor()).isEqualTo(0.9);
    assertThat(paper.augmentation()).isEqualTo(new Augmentation(0, true, false, 0, 0.08));
    assertThat(paper.size()).isEqualTo(224);
    assertThat(table.weights(Path.of("w.pth")).rows())
        .allMatch(r -> r.train().weights().equals("w.pth"));
    Table<?> small = Tables.named("cub200", Scale.CPU);
    assertThat(small.backbone().data()).isEqualTo("cifar10");
    assertThat(small.rows()).allMatch(r -> r.train().weights().equals(Table.BACKBONE));
  }

  /** Rows with equal training share a run, and no run is two trainings, in all three tables. */
  @Test
  void cloudTablesShareTheirRuns() {
    for (Scale scale : Scale.values()) {
      Map<String, TrainConfig> runs = new HashMap<>();
      int rows = 0;
      for (String name : CloudTables.NAMES) {
        Table<?> t = Tables.named(name, scale);
        assertThat(t.family()).isEqualTo("modelnet40");
        for (Row row : t.rows()) {
          rows++;
          TrainConfig other = runs.put(row.run(), row.train());
          assertThat(other == null ? row.train() : other).as(row.id()).isEqualTo(row.train());
        }
      }
      assertThat(runs).hasSizeLessThan(rows);
      assertThat(Set.copyOf(runs.values())).hasSameSizeAs(runs.values());
    }
    Row combined =
        Tables.named("modelnet40-combined", Scale.PAPER).rows(List.of("*stn*train*")).rows().get(0);
    assertThat(combined.id()).isEqualTo("pointnet-stn-ra-train-test-sim3-mirrored-first-point");
    assertThat(combined.paper(1, 4).worst()).isEqualTo(0.7752);
    assertThat(combined.train().epochs()).isEqualTo(200);
    assertThat(combined.train().points()).isEqualTo(1024);
  }

  /** Every method of the paper's first two tables, with its figures; equal budgets. */
  @Test
  void methodsAreThoseOfThePaper() {
    Table<?> paper = Tables.named("cifar10-methods", Scale.PAPER);
    Map<String, double[]> figures = new HashMap<>();
    paper.rows().forEach(r -> figures.put(r.id(), r.paper()));
    assertThat(figures.get("resnet18-adv-none")[5]).isEqualTo(50.21);
    assertThat(figures.get("resnet18-mixed-none")[5]).isEqualTo(17.15);
    assertThat(figures.get("resnet18-adv-kl-none")[5]).isEqualTo(51.05);
    assertThat(figures.get("resnet18-adv-alp-none")[5]).isEqualTo(52.29);
    assertThat(figures.get("stn-resnet18-ra-none")[5]).isEqualTo(54.03);
    assertThat(figures.get("etn-resnet18-ra-none")[5]).isEqualTo(64.08);
    assertThat(figures.get("augerino-resnet18-ra-none")[5]).isEqualTo(60.36);
    assertThat(figures.get("canonicaliser-resnet18-ra-none")).isEmpty();
    assertThat(figures.get("resnet18-ra-train-test-disc")[5]).isEqualTo(71.09);
    assertThat(figures.get("resnet18-tipool-ra-combined-train-test-disc")[5]).isEqualTo(82.71);
    for (String name : MethodTables.NAMES) {
      for (Scale scale : Scale.values()) {
        if (name.startsWith("cub200") && scale == Scale.CPU) {
          continue;
        }
        List<? extends Row> rows = Tables.named(name, scale).rows();
        assertThat(rows.stream().map(r -> r.train().epochs()).distinct()).hasSize(1);
        assertThat(rows.stream().map(r -> r.train().limit()).distinct()).hasSize(1);
        assertThat(rows.stream().map(r -> r.train().optimiser()).distinct()).hasSize(1);
      }
    }
  }

  @Test
  void tablesAreComplete() {
    for (String name : Tables.NAMES) {
      for (Scale scale : Scale.values()) {
        if (name.startsWith("cub200-") && scale == Scale.CPU) {
          assertThatThrownBy(() -> Tables.named(name, scale))
              .hasMessageContaining("expected the scale paper");
          continue;
        }
        Table<?> t = Tables.named(name, scale);
        assertThat(t.rows()).isNotEmpty();
        assertThat(t.rows().stream().map(Row::id)).doesNotHaveDuplicates();
        int figures = 1 + 2 * t.protocol().sweeps().size();
        assertThat(t.rows().stream().anyMatch(r -> r.paper().length == figures)).isTrue();
        assertThat(t.rows()).allMatch(r -> r.paper().length == 0 || r.paper().length == figures);
        for (Row r : t.rows()) {
          boolean mapped = r.train().mapping().trained();
          assertThat(mapped).isEqualTo(r.when() == Use.TRAIN_AND_TEST);
        }
      }
    }
  }
}
