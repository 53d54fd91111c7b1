package org.orbitmap.paper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.eval.Progress;
import org.orbitmap.io.data.Choice;
import org.orbitmap.io.data.ImageSet;
import org.orbitmap.io.data.Split;
import org.orbitmap.io.data.source.DataSets;
import org.orbitmap.nn.train.TrainConfig;
import org.orbitmap.nn.train.Trainer;

class ReproductionTest {
  @TempDir Path folder;

  private static Reproduction.Table table(int epochs) {
    TrainConfig plain =
        TrainConfig.glyphs()
            .with("limit", 320)
            .with("network.width", 0.125)
            .with("epochs", epochs)
            .with("threads", 1)
            .with("scheme", "ra");
    double[] paper = {90, Double.NaN, 2, 3, 4, 5, 6};
    return new Reproduction.Table(
        "signs",
        "Signs",
        "cpu",
        60,
        30,
        List.of(
            new Reproduction.Row("convnet", "ra", "none", "", plain, paper),
            new Reproduction.Row("convnet", "ra", "test", "disc", plain, new double[0]),
            new Reproduction.Row(
                "convnet", "ra", "train+test", "disc", Presets.mapped(plain, "disc"), paper)),
        List.of("A remark."));
  }

  private List<Reproduction.Result> run(Reproduction.Table table, int seeds, double minutes)
      throws IOException {
    return Reproduction.run(table, folder, null, seeds, minutes, Progress.OFF, n -> {}, n -> {});
  }

  @Test
  void keepsWhatIsFinishedAndPrintsThePaperBesideIt() throws IOException {
    // No time at all: everything is trained, nothing measured, and the table says so.
    List<Reproduction.Result> none = run(table(1), 1, 1e-9);
    assertThat(none).allMatch(r -> r.seeds().isEmpty());
    List<Long> units = new ArrayList<>();
    List<Reproduction.Result> all =
        Reproduction.run(
            table(1),
            folder,
            null,
            1,
            0,
            (done, total) -> units.add(total - done),
            n -> {},
            n -> {});
    assertThat(units)
        .containsExactly(130L, 80L, 30L, 20L, 10L, 0L); // chunks of 50 and 10, three rows
    assertThat(all).hasSize(3).allMatch(r -> r.seeds().get(0).images() == 60);
    Path run = folder.resolve("runs/convnet-ra-none/model.safetensors");
    Path cell = folder.resolve("cells/convnet-ra-none-seed0/chunk-0001.json");
    assertThat(cell).exists();
    long before = Files.getLastModifiedTime(run).toMillis();
    assertThat(run(table(1), 1, 0).stream().map(Reproduction.Result::seeds).toList())
        .isEqualTo(all.stream().map(Reproduction.Result::seeds).toList());
    assertThat(Files.getLastModifiedTime(run).toMillis()).isEqualTo(before);
    // Two seeds: mean ± deviation.
    run(table(1), 2, 0);
    String text = Files.readString(folder.resolve("table.md"));
    assertThat(text)
        .contains("| convnet | ra | disc, train+test | 60 |")
        .contains("±")
        .contains("(90.0)")
        .contains("A remark.")
        .contains("Provenance:");
    assertThat(Files.readString(folder.resolve("table.json")))
        .contains("\"table\" : \"signs\"")
        .contains("\"paper\" : [ 90.0, null, 2.0")
        .doesNotContain("NaN");
    // Another table must not be mixed into this folder.
    assertThatThrownBy(() -> run(table(2), 1, 0)).hasMessageContaining("another one");
  }

  /** The shortcut for quarter turns changes nothing: both ways count the same. */
  @Test
  void theQuarterTurnShortcutIsChecked() throws IOException {
    List<Reproduction.Result> all = new ArrayList<>(run(table(1), 1, 0));
    assertThat(all.get(0).seeds().get(0).checked()).isZero();
    for (Reproduction.Result r : all.subList(1, 3)) {
      assertThat(r.seeds().get(0).checked()).isPositive();
      assertThat(r.seeds().get(0).differing()).isZero();
    }
  }

  /** Runs of one thread are trained side by side, and come out as if each had been alone. */
  @Test
  void sideBySideIsTheSame() throws IOException {
    Reproduction.Table table = table(2);
    List<String> begun = Collections.synchronizedList(new ArrayList<>());
    Reproduction.run(table, folder, null, 2, 1e-9, Progress.OFF, begun::add, n -> {});
    assertThat(begun).filteredOn(n -> n.startsWith("training ")).hasSize(4);
    for (Reproduction.Row row : table.rows()) {
      assertThat(row.train().threads()).isEqualTo(1);
      TrainConfig config = row.train().withSeed(1);
      Path alone = folder.resolve("alone-" + row.id());
      ImageSet set =
          DataSets.images(config.data(), null, Split.TRAIN, Choice.ALL.withSide(config.size()));
      Trainer.start(config, set, alone, Progress.OFF, n -> {});
      assertThat(folder.resolve("runs/" + row.run() + "-seed1/model.safetensors"))
          .hasSameBinaryContentAs(alone.resolve("model.safetensors"));
    }
  }

  /** A run that fails ends the table with its message; those that wait are not begun. */
  @Test
  void aRunThatFailsIsSaid() {
    List<String> begun = Collections.synchronizedList(new ArrayList<>());
    Reproduction.Table table = table(1);
    List<Reproduction.Row> rows = new ArrayList<>();
    for (int k = 0; k < 40; k++) {
      rows.add(row("wild" + k, wild(table)));
    }
    assertThatThrownBy(
            () ->
                Reproduction.run(
                    table.with(rows), folder, null, 1, 0, Progress.OFF, begun::add, n -> {}))
        .hasMessageContaining("loss");
    int workers = Runtime.getRuntime().availableProcessors();
    assertThat(begun).filteredOn(n -> n.startsWith("training ")).hasSizeBetween(1, workers);
  }

  /** A run beside the one that fails is stopped, and has stopped when the failure is said. */
  @Test
  @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aFailureLeavesNobodyTraining() throws InterruptedException {
    assumeThat(Runtime.getRuntime().availableProcessors()).isGreaterThan(1);
    Reproduction.Table table = table(100_000);
    AtomicBoolean over = new AtomicBoolean();
    AtomicInteger late = new AtomicInteger();
    Progress watch = (done, total) -> late.addAndGet(over.get() ? 1 : 0);
    List<Reproduction.Row> rows =
        List.of(row("endless", table.rows().get(0).train()), row("wild", wild(table)));
    assertThatThrownBy(
            () -> Reproduction.run(table.with(rows), folder, null, 1, 0, watch, n -> {}, n -> {}))
        .hasMessageContaining("loss");
    over.set(true);
    Thread.sleep(300); // many steps of the small network
    assertThat(late).hasValue(0);
  }

  private static Reproduction.Row row(String scheme, TrainConfig config) {
    return new Reproduction.Row("convnet", scheme, "none", "", config, new double[0]);
  }

  private static TrainConfig wild(Reproduction.Table table) {
    return table.rows().get(0).train().with("optimiser.rate", 1e30);
  }
}
