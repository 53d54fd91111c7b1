package org.orbitmap.paper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.cloud.CloudAction;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.eval.Cluster;
import org.orbitmap.eval.Progress;
import org.orbitmap.group.SimilarityGroup;
import org.orbitmap.image.Image;
import org.orbitmap.io.data.Choice;
import org.orbitmap.io.data.CloudSet;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.io.data.ImageSet;
import org.orbitmap.io.data.Split;
import org.orbitmap.io.data.source.DataSets;
import org.orbitmap.io.network.UprightFile;
import org.orbitmap.model.InputShape;
import org.orbitmap.nn.fit.FitRecipe;
import org.orbitmap.nn.model.MappingConfig.Use;
import org.orbitmap.nn.model.Model;
import org.orbitmap.nn.train.TrainConfig;
import org.orbitmap.nn.train.TrainConfig.Method;
import org.orbitmap.nn.train.Trainer;
import org.orbitmap.nn.train.TrainingListener;
import org.orbitmap.paper.table.Presets;
import org.orbitmap.upright.FittedCloudUpright;

class ReproductionTest {
  @TempDir Path folder;

  private static Table<Image> table(int epochs) {
    TrainConfig plain =
        TrainConfig.glyphs()
            .with(
                c ->
                    c.limit(320)
                        .network(n -> n.widthFactor(0.125))
                        .epochs(epochs)
                        .threads(1)
                        .scheme("ra"));
    double[] paper = {90, Double.NaN, 2, 3, 4, 5, 6};
    TrainConfig mapped = Presets.mapped(plain, "disc");
    return new Table<>(
        "signs",
        "Signs",
        Scale.CPU,
        60,
        new RotationProtocol(30),
        List.of(
            new Row("convnet", "ra", Use.NONE, "", plain, paper),
            new Row("convnet", "ra", Use.TEST, "disc", plain, new double[0]),
            new Row("convnet", "ra", Use.TRAIN_AND_TEST, "disc", mapped, paper)),
        List.of("A remark."));
  }

  @Test
  void whatIsUprightIsFittedFirstOnTheTrainingPartAlone() throws IOException {
    TrainConfig plain =
        TrainConfig.glyphs()
            .with(c -> c.limit(200).network(n -> n.widthFactor(0.125)).epochs(1).threads(1));
    TrainConfig mapped = Presets.mapped(plain, UprightFit.RULE);
    Table<Image> table =
        new Table<>(
            "signs",
            "Signs",
            Scale.CPU,
            20,
            new RotationProtocol(90),
            List.of(
                new Row("convnet", "std", Use.TEST, UprightFit.RULE, plain, new double[0]),
                new Row(
                    "convnet", "std", Use.TRAIN_AND_TEST, UprightFit.RULE, mapped, new double[0])),
            List.of());
    // No time at all: nothing is fitted, nothing trained.
    run(table, 1, 1e-9);
    assertThat(folder.resolve("runs")).doesNotExist();
    // Of two seeds each has a predictor of its own: their training parts differ.
    for (int seed = 0; seed < 2; seed++) {
      TrainConfig config = mapped.withSeed(seed);
      Path file =
          folder.resolve(
              "runs/upright-glyphs-200%s.safetensors".formatted(seed == 0 ? "" : "-seed1"));
      Files.createDirectories(file.getParent());
      DataSet<?> data = Reproduction.load(config, null, Split.TRAIN, config.limit());
      FitRecipe quick = UprightFit.recipe(data).examples(256);
      UprightFit.run(config, data, quick, file, TrainingListener.NONE);
      assertThat(UprightFile.read(file).restores()).isTrue();
      assertThat(UprightFile.read(file).provenance())
          .containsEntry("images", Integer.toString(200 - (int) (200 * config.validation())))
          .containsEntry("examples", "256");
    }
    List<Path> fitted = List.of(files("upright-glyphs-200"), files("upright-glyphs-200-seed1"));
    List<byte[]> before =
        List.of(Files.readAllBytes(fitted.get(0)), Files.readAllBytes(fitted.get(1)));
    assertThat(before.get(0)).isNotEqualTo(before.get(1));
    List<RowResult> results = run(table, 2, 0);
    assertThat(results).allMatch(r -> r.seeds().size() == 2 && r.untrained() == 0);
    for (int seed = 0; seed < 2; seed++) {
      assertThat(fitted.get(seed)).hasBinaryContent(before.get(seed)); // not fitted again
      Path run = folder.resolve("runs/convnet-std-upright" + (seed == 0 ? "" : "-seed1"));
      Model<?> model = Model.load(run.resolve("model.safetensors"));
      assertThat(model.fitted().orElseThrow().predictor())
          .isEqualTo(UprightFile.read(fitted.get(seed)).predictor());
    }
    assertThat(Files.readString(folder.resolve("table.md")))
        .contains("| convnet | std | upright, test | 20 |")
        .contains("| convnet | std | upright, train+test | 20 |")
        .doesNotContain(folder.toString());
  }

  /** What is upright among clouds is fitted first, too; the run keeps a copy of it. */
  @Test
  void aRunOnCloudsKeepsWhatWasFittedForIt() throws IOException {
    SplittableRandom random = new SplittableRandom(3);
    List<PointCloud> all = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      float[] x = new float[3 * 64];
      for (int k = 0; k < x.length; k++) {
        x[k] = (float) (Math.pow(random.nextDouble(), 1 + k % 3) * (1 + k % 3));
      }
      all.add(new PointCloud(3, x));
    }
    int[] labels = IntStream.range(0, 40).map(i -> i % 2).toArray();
    CloudSet clouds = new CloudSet("scans", List.of("a", "b"), all, labels);
    TrainConfig config =
        Presets.named("modelnet40-pointnet-similarity3-upright")
            .with(c -> c.points(0).network(n -> n.widthFactor(0.125)).epochs(1).threads(1));
    assertThat(UprightFit.isNeededBy(config.mapping())).isTrue();
    Path file = folder.resolve("u.safetensors");
    FitRecipe quick = UprightFit.recipe(clouds).examples(64);
    UprightFit.run(config, clouds, quick, file, TrainingListener.NONE);
    FittedCloudUpright fitted = UprightFile.readClouds(file);
    assertThat(fitted.settings().group()).isEqualTo("sim3");
    assertThat(fitted.settings().points()).isEqualTo(64);
    assertThat(fitted.provenance()).containsEntry("clouds", "36").containsEntry("examples", "64");
    TrainConfig upright = config.with(c -> c.mapping(UprightFit.in(config.mapping(), file)));
    Path run = folder.resolve("run");
    Trainer.of(upright, clouds).start(run);
    assertThat(UprightFile.readAny(run.resolve("upright.safetensors"))).isEqualTo(fitted);
    Files.delete(file); // neither the run nor its model needs it any more
    Model<?> model = Model.load(run.resolve("model.safetensors"));
    assertThat(model.fitted()).contains(fitted);
    Model<PointCloud> net = model.taking(new InputShape.Clouds(64));
    SimilarityGroup group = SimilarityGroup.similarities(3);
    PointCloud moved = new CloudAction(group).act(group.sample(random), all.get(0));
    float[][] scores = net.scores(List.of(all.get(0), moved));
    assertThat(scores[1]).containsExactly(scores[0], Offset.offset(1e-2f));
    // Of clouds of few points more are loaded for the fit than for the run.
    assertThat(UprightFit.data(config.with(c -> c.points(128))).points()).isEqualTo(1024);
    assertThat(UprightFit.data(config.with(c -> c.points(1024))).points()).isEqualTo(2048);
  }

  private Path files(String name) {
    return folder.resolve("runs").resolve(name + ".safetensors");
  }

  private List<RowResult> run(Table<?> table, int seeds, double minutes) throws IOException {
    return run(table, seeds, minutes, TrainingListener.NONE);
  }

  private List<RowResult> run(Table<?> table, int seeds, double minutes, TrainingListener told)
      throws IOException {
    return Reproduction.run(
        table, new Reproduction.Settings(folder, null, seeds, minutes, 0, "a command"), told);
  }

  private static TrainingListener notes(List<String> to) {
    return new TrainingListener() {
      @Override
      public void note(String text) {
        to.add(text);
      }
    };
  }

  private static TrainingListener progress(Progress to) {
    return new TrainingListener() {
      @Override
      public void progress(long done, long total) {
        to.update(done, total);
      }
    };
  }

  @Test
  void keepsWhatIsFinishedAndPrintsThePaperBesideIt() throws IOException {
    // No time at all: nothing is trained, and the table says so.
    List<RowResult> none = run(table(1), 1, 1e-9);
    assertThat(none).allMatch(r -> r.seeds().isEmpty() && r.untrained() == 1);
    assertThat(Files.readString(folder.resolve("table.md")))
        .contains("| convnet | ra | none | not trained yet |");
    assertThat(Files.readString(folder.resolve("table.json"))).contains("\"untrainedSeeds\" : 1");
    assertThat(folder.resolve("runs")).doesNotExist();
    List<Long> units = Collections.synchronizedList(new ArrayList<>());
    List<RowResult> all = run(table(1), 1, 0, progress((d, t) -> units.add(t - d)));
    assertThat(units.subList(units.size() - 6, units.size()))
        .containsExactly(130L, 80L, 30L, 20L, 10L, 0L); // chunks of 50 and 10, three rows
    assertThat(all).hasSize(3).allMatch(r -> r.seeds().get(0).images() == 60);
    Path run = folder.resolve("runs/convnet-ra-none/model.safetensors");
    Path cell = folder.resolve("cells/convnet-ra-none-seed0/chunk-0001.json");
    assertThat(cell).exists();
    long before = Files.getLastModifiedTime(run).toMillis();
    assertThat(run(table(1), 1, 0).stream().map(RowResult::seeds).toList())
        .isEqualTo(all.stream().map(RowResult::seeds).toList());
    assertThat(Files.getLastModifiedTime(run).toMillis()).isEqualTo(before);
    // What is damaged is measured again.
    byte[] whole = Files.readAllBytes(cell);
    for (String damage : new String[] {"", "{\"images\" : 1", "{}", "null", "[1]", "\0\1"}) {
      Files.writeString(cell, damage);
      assertThat(run(table(1), 1, 0).stream().map(RowResult::seeds).toList())
          .as(damage)
          .isEqualTo(all.stream().map(RowResult::seeds).toList());
      assertThat(cell).hasBinaryContent(whole);
    }
    // Two seeds: mean ± deviation.
    run(table(1), 2, 0);
    String text = Files.readString(folder.resolve("table.md"));
    assertThat(text)
        .contains("| convnet | ra | disc, train+test | 60 |")
        .contains("±")
        .contains("(90.0)")
        .contains("A remark.")
        .containsPattern("\\| convnet \\| ra \\| disc \\| \\d+\\.\\d \\|\n") // seconds an epoch
        .contains("Provenance:")
        .contains("- command: a command");
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
    List<RowResult> all = new ArrayList<>(run(table(1), 1, 0));
    assertThat(all.get(0).seeds().get(0).checked()).isZero();
    for (RowResult r : all.subList(1, 3)) {
      assertThat(r.seeds().get(0).checked()).isPositive();
      assertThat(r.seeds().get(0).differing()).isZero();
    }
  }

  /** Runs of one thread are trained side by side, and come out as if each had been alone. */
  @Test
  void sideBySideIsTheSame() throws IOException {
    Table<Image> table = table(2);
    List<String> begun = Collections.synchronizedList(new ArrayList<>());
    run(table, 2, 0, notes(begun));
    assertThat(begun).filteredOn(n -> n.startsWith("training ")).hasSize(4);
    for (Row row : table.rows()) {
      assertThat(row.train().threads()).isEqualTo(1);
      TrainConfig config = row.train().withSeed(1);
      Path alone = folder.resolve("alone-" + row.id());
      ImageSet set =
          DataSets.images(config.data(), null, Split.TRAIN, Choice.ALL.withSide(config.size()));
      Trainer.of(config, set).start(alone);
      assertThat(folder.resolve("runs/" + row.run() + "-seed1/model.safetensors"))
          .hasSameBinaryContentAs(alone.resolve("model.safetensors"));
    }
  }

  /** What goes to the machines and comes back goes through bytes, and every piece is done twice. */
  private static final class Twice implements Cluster {
    @Override
    public String description() {
      return "a cluster that does everything twice";
    }

    @Override
    public int width() {
      return 1;
    }

    @Override
    public <P extends Serializable, R extends Serializable> void run(
        String name, Work<P, R> work, Iterator<P> all, Results<R> results) throws IOException {
      List<P> pieces = new ArrayList<>();
      all.forEachRemaining(pieces::add);
      try {
        Work<P, R> there = copy(work);
        for (int i = pieces.size() - 1; i >= 0; i--) {
          there.on(copy(pieces.get(i)));
          results.add(i, copy(there.on(copy(pieces.get(i)))));
        }
      } catch (IOException | RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new IOException(e);
      }
    }

    @SuppressWarnings("unchecked") // what was written is read
    private static <T> T copy(T value) throws IOException, ClassNotFoundException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
        out.writeObject(value);
      }
      return (T) new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
    }

    @Override
    public void close() {
      // Nothing is held.
    }
  }

  @Test
  void aClusterGivesTheSameRunsAndCounts() throws IOException {
    Table<Image> table = table(1);
    List<RowResult> here = run(table, 1, 0);
    Path there = folder.resolve("there");
    Reproduction.Settings settings = new Reproduction.Settings(there, null, 1, 0, 0, "a command");
    List<RowResult> found = Reproduction.run(table, settings, new Twice(), TrainingListener.NONE);
    assertThat(found.stream().map(RowResult::seeds).toList())
        .isEqualTo(here.stream().map(RowResult::seeds).toList()); // times differ
    for (Row row : table.rows()) {
      assertThat(there.resolve("runs/" + row.run() + "/model.safetensors"))
          .hasSameBinaryContentAs(folder.resolve("runs/" + row.run() + "/model.safetensors"));
      for (String chunk : List.of("0000", "0001")) {
        String cell = "cells/%s-seed0/chunk-%s.json".formatted(row.id(), chunk);
        assertThat(there.resolve(cell)).hasSameTextualContentAs(folder.resolve(cell));
      }
    }
    assertThat(Files.readString(there.resolve("table.json"))).contains("everything twice");
  }

  /** Time that ends in the middle of training: the next call goes on, to the same bits. */
  @Test
  void minutesBoundTraining() throws IOException {
    Table<Image> table = table(4).rows(List.of("convnet-ra-none"));
    AtomicLong now = new AtomicLong();
    List<String> said = new ArrayList<>();
    // An epoch has a fixed number of steps: the second one ends early.
    TrainingListener slow =
        new TrainingListener() {
          @Override
          public void progress(long done, long total) {
            now.set(done > total / 4 + total / 16 ? Long.MAX_VALUE : 0);
          }

          @Override
          public void note(String text) {
            said.add(text);
          }

          @Override
          public void warn(String text) {
            said.add(text);
          }
        };
    Reproduction.Settings settings = new Reproduction.Settings(folder, null, 1, 1, 10, "a command");
    List<RowResult> early = Reproduction.run(table, settings, null, slow, now::get);
    assertThat(early.get(0).untrained()).isEqualTo(1);
    assertThat(said)
        .anyMatch(n -> n.startsWith("time is up") && n.contains("convnet-ra-none"))
        .noneMatch(n -> n.contains("not one epoch"));
    Path run = folder.resolve("runs/convnet-ra-none");
    assertThat(run.resolve("checkpoint-000001.safetensors")).exists();
    assertThat(run.resolve("checkpoint-000002.safetensors")).doesNotExist();

    said.clear();
    List<RowResult> all = Reproduction.run(table, settings, null, notes(said), () -> 0);
    assertThat(said).anyMatch(n -> n.startsWith("resuming after epoch 1"));
    assertThat(all.get(0).untrained()).isZero();
    assertThat(all.get(0).seeds().get(0).images()).isEqualTo(10);
    assertThat(folder.resolve("cells-10")).exists();
    TrainConfig config = table.rows().get(0).train().withSeed(0);
    Path whole = folder.resolve("whole");
    Trainer.of(
            config,
            DataSets.images(config.data(), null, Split.TRAIN, Choice.ALL.withSide(config.size())))
        .start(whole);
    assertThat(run.resolve("model.safetensors"))
        .hasSameBinaryContentAs(whole.resolve("model.safetensors"));
  }

  /** Less than an epoch leads nowhere, and that is said; the end of an epoch is never lost. */
  @Test
  void tooLittleTimeIsSaid() throws IOException {
    Table<Image> table = table(4).rows(List.of("convnet-ra-none"));
    List<String> warned = new ArrayList<>();
    AtomicLong now = new AtomicLong();
    Reproduction.Settings settings = new Reproduction.Settings(folder, null, 1, 1, 10, "a command");
    Reproduction.run(table, settings, null, late(now, warned, 0), now::get);
    assertThat(warned).anyMatch(w -> w.contains("not one epoch"));
    warned.clear();
    now.set(0);
    Reproduction.run(table, settings, null, late(now, warned, 0.25), now::get);
    assertThat(warned).noneMatch(w -> w.contains("not one epoch"));
    assertThat(folder.resolve("runs/convnet-ra-none/checkpoint-000001.safetensors")).exists();
  }

  /** The time is up once a share of the training is done. */
  private static TrainingListener late(AtomicLong now, List<String> warned, double share) {
    return new TrainingListener() {
      @Override
      public void progress(long done, long total) {
        now.set(done >= share * total ? Long.MAX_VALUE : 0);
      }

      @Override
      public void warn(String text) {
        warned.add(text);
      }
    };
  }

  /** A run that fails ends the table with its message; those that wait are not begun. */
  @Test
  void aRunThatFailsIsSaid() {
    List<String> begun = Collections.synchronizedList(new ArrayList<>());
    Table<Image> table = table(1);
    List<Row> rows = new ArrayList<>();
    for (int k = 0; k < 40; k++) {
      rows.add(row("wild" + k, wild(table)));
    }
    assertThatThrownBy(() -> run(table.with(rows), 1, 0, notes(begun)))
        .hasMessageContaining("loss");
    int workers = Runtime.getRuntime().availableProcessors();
    assertThat(begun).filteredOn(n -> n.startsWith("training ")).hasSizeBetween(1, workers);
  }

  /** A run beside the one that fails is stopped, and has stopped when the failure is said. */
  @Test
  @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aFailureLeavesNobodyTraining() throws InterruptedException {
    assumeThat(Runtime.getRuntime().availableProcessors()).isGreaterThan(1);
    Table<Image> table = table(100_000);
    AtomicBoolean over = new AtomicBoolean();
    AtomicInteger late = new AtomicInteger();
    Progress watch = (done, total) -> late.addAndGet(over.get() ? 1 : 0);
    List<Row> rows = List.of(row("endless", table.rows().get(0).train()), row("wild", wild(table)));
    assertThatThrownBy(() -> run(table.with(rows), 1, 0, progress(watch)))
        .hasMessageContaining("loss");
    over.set(true);
    Thread.sleep(300); // many steps of the small network
    assertThat(late).hasValue(0);
  }

  private static Row row(String scheme, TrainConfig config) {
    return new Row("convnet", scheme, Use.NONE, "", config, new double[0]);
  }

  private static TrainConfig wild(Table<Image> table) {
    return table.rows().get(0).train().with(c -> c.optimiser(Method.adam(1e30, 0)));
  }
}
