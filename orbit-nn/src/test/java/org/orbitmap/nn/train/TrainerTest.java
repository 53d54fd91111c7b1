package org.orbitmap.nn.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.eval.Progress;
import org.orbitmap.eval.Robustness;
import org.orbitmap.image.Image;
import org.orbitmap.image.Interpolation;
import org.orbitmap.io.UserError;
import org.orbitmap.io.data.ImageSet;
import org.orbitmap.io.data.source.Glyphs;
import org.orbitmap.nn.network.Architecture;
import org.orbitmap.nn.network.MappingConfig;
import org.orbitmap.nn.network.Model;
import org.orbitmap.nn.tensor.FloatTensor;

class TrainerTest {
  private static final ImageSet DATA = Glyphs.generate(320, 3);

  @TempDir Path folder;

  static TrainConfig small() {
    return TrainConfig.glyphs()
        .with("limit", 320)
        .with("network.width", 0.125)
        .with("epochs", 4)
        .with("threads", 1)
        .with("scheme", "ra")
        .with("mapping.when", "train+test");
  }

  /** Trains in a process of its own, so that it can be killed. */
  public static final class Child {
    private Child() {}

    /** Arguments: the folder of the run. */
    public static void main(String[] args) throws IOException {
      Progress stops =
          (done, total) -> {
            if (done > 0.6 * total) { // in the middle of the third of four epochs
              System.out.println("now");
              LockSupport.park();
            }
          };
      Trainer.start(small(), DATA, Path.of(args[0]), stops, n -> {});
    }
  }

  @Test
  void aKilledRunEndsLikeOneThatWasNot() throws Exception {
    Path whole = folder.resolve("whole");
    Trainer.start(small(), DATA, whole, Progress.OFF, n -> {});
    Path killed = folder.resolve("killed");
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Child.class.getName(),
                killed.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader said = child.inputReader()) {
      assertThat(said.readLine()).isEqualTo("now");
    } finally {
      child.destroyForcibly();
    }
    assertThat(child.waitFor()).isEqualTo(137); // SIGKILL
    assertThat(Trainer.modelFile(killed)).doesNotExist();
    List<String> notes = new ArrayList<>();
    List<Long> left = new ArrayList<>();
    Trainer.resume(killed, DATA, (done, all) -> left.add(all - done), notes::add, w -> {});
    assertThat(left).first().isEqualTo(2 * 256L - 32); // the rest of it: two epochs but one batch
    assertThat(notes.toString()).contains("going on after epoch 2");
    assertThat(Files.readAllBytes(Trainer.modelFile(killed)))
        .isEqualTo(Files.readAllBytes(Trainer.modelFile(whole)));
    assertThat(metrics(killed)).isEqualTo(metrics(whole)).hasSize(4);
  }

  private static List<String> metrics(Path run) throws IOException {
    try (Stream<String> lines = Files.lines(run.resolve("metrics.jsonl"))) {
      return lines.map(l -> l.replaceAll(",\"seconds\":[0-9.E-]+", "")).toList();
    }
  }

  /** The last checkpoint damaged: the one before is used, and said. Other threads, same result. */
  @Test
  void aDamagedCheckpointIsSkipped() throws IOException {
    Path run = folder.resolve("run");
    Trainer.start(small(), DATA, run, Progress.OFF, n -> {});
    byte[] model = Files.readAllBytes(Trainer.modelFile(run));
    Path last = run.resolve("checkpoint-000004.safetensors");
    byte[] bytes = Files.readAllBytes(last);
    bytes[bytes.length / 2] ^= 1;
    Files.write(last, bytes);
    Files.delete(Trainer.modelFile(run));
    List<String> notes = new ArrayList<>();
    List<String> warnings = new ArrayList<>();
    Trainer.resume(run, DATA, Progress.OFF, notes::add, warnings::add);
    assertThat(warnings.get(0)).contains("checkpoint-000004").contains("the one before it");
    assertThat(notes.get(0)).contains("after epoch 3");
    assertThat(Files.readAllBytes(Trainer.modelFile(run))).isEqualTo(model);
    // Both damaged: from the beginning, to the same end.
    for (String name : new String[] {"checkpoint-000003", "checkpoint-000004"}) {
      Files.writeString(run.resolve(name + ".safetensors"), "no");
    }
    Trainer.resume(run, DATA, Progress.OFF, notes::add, notes::add);
    assertThat(Files.readAllBytes(Trainer.modelFile(run))).isEqualTo(model);
    assertThat(metrics(run)).hasSize(4);
  }

  /** A checkpoint of another method is refused as a whole: nothing of it stays. */
  @Test
  void aCheckpointOfAnotherMethodIsNotTaken() throws IOException {
    Path run = folder.resolve("run");
    Trainer.start(small(), DATA, run, Progress.OFF, n -> {});
    String other = small().optimiser().kind().equals("adam") ? "sgd" : "adam";
    TrainConfig config = small().with("optimiser.kind", other);
    Path fresh = folder.resolve("fresh");
    Trainer.start(config, DATA, fresh, Progress.OFF, n -> {});
    Files.writeString(run.resolve("config.yaml"), config.toYaml());
    List<String> notes = new ArrayList<>();
    Trainer.resume(run, DATA, Progress.OFF, notes::add, notes::add);
    assertThat(notes).last().asString().contains("starting from the beginning");
    assertThat(Trainer.modelFile(run)).hasSameBinaryContentAs(Trainer.modelFile(fresh));
  }

  @Test
  void aFolderOfAnotherConfigurationIsRefused() throws IOException {
    Path run = folder.resolve("run");
    TrainConfig config = small().with("epochs", 1);
    Trainer.startOrResume(config, DATA, run, Progress.OFF, n -> {}, n -> {});
    Trainer.startOrResume(config, DATA, run, Progress.OFF, n -> {}, n -> {});
    assertThatThrownBy(
            () ->
                Trainer.startOrResume(
                    config.with("optimiser.rate", 0.5), DATA, run, Progress.OFF, n -> {}, n -> {}))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("another one");
  }

  /** Images of one grey level have no deviation; training must not begin with NaN. */
  @Test
  void imagesOfOneGreyLevelAreNormalised() throws IOException {
    byte[][] pixels = new byte[20][28 * 28];
    int[] labels = new int[20];
    for (int i = 0; i < pixels.length; i++) {
      Arrays.fill(pixels[i], (byte) 77);
      labels[i] = i % 2;
    }
    ImageSet flat = new ImageSet("flat", List.of("a", "b"), 1, 28, 28, pixels, labels);
    TrainConfig config = small().with("epochs", 1).with("mapping.when", "none");
    Trainer.Result result =
        Trainer.start(config, flat, folder.resolve("flat"), Progress.OFF, n -> {});
    assertThat(result.accuracy()).isFinite();
  }

  /** A process that was killed while it wrote leaves half a file, and perhaps no provenance. */
  @Test
  void whatAKilledProcessLeavesIsNoDeadEnd() throws IOException {
    Path run = Files.createDirectories(folder.resolve("run"));
    Files.writeString(run.resolve(".1x2y.tmp.config.yaml"), "da");
    TrainConfig quick = small().with("epochs", 1);
    Trainer.start(quick, DATA, run, Progress.OFF, n -> {});
    Path provenance = run.resolve("provenance.json");
    Files.delete(provenance);
    Path half = Files.writeString(run.resolve(".0q9z.tmp.checkpoint-000002.safetensors"), "half");
    Trainer.resume(run, DATA, Progress.OFF, n -> {}, n -> {});
    assertThat(provenance).content().contains("data-sha256");
    assertThat(half).doesNotExist();
    assertThat(run.resolve(".1x2y.tmp.config.yaml")).doesNotExist();
    Files.writeString(provenance, "{\"data");
    assertThatThrownBy(() -> Trainer.resume(run, DATA, Progress.OFF, n -> {}, n -> {}))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("provenance.json: expected JSON")
        .hasMessageContaining("Remove it");
  }

  /** A full disk, played by a limit on the size of files that a checkpoint is above. */
  @Test
  void aFullDiskStopsTheRunWithTheLastCheckpointWhole() throws Exception {
    Path whole = folder.resolve("whole");
    Trainer.start(small(), DATA, whole, Progress.OFF, n -> {});
    Path run = folder.resolve("run");
    copy(whole, run, "config.yaml", "provenance.json", "metrics.jsonl");
    copy(whole, run, "checkpoint-000003.safetensors");
    byte[] before = Files.readAllBytes(run.resolve("checkpoint-000003.safetensors"));
    Process child =
        new ProcessBuilder(
                "bash",
                "-c",
                "ulimit -f %d; exec \"$@\"".formatted(before.length / 1024 / 2),
                "-",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:-UsePerfData",
                "-cp",
                System.getProperty("java.class.path"),
                Resuming.class.getName(),
                run.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(child.waitFor()).isEqualTo(2);
    assertThat(said)
        .contains("expected to write epoch 4")
        .contains("The last whole checkpoint is checkpoint-000003.safetensors")
        .contains("--resume");
    assertThat(run.resolve("checkpoint-000003.safetensors")).hasBinaryContent(before);
    try (Stream<Path> files = Files.list(run)) {
      assertThat(files.map(f -> f.getFileName().toString()))
          .containsExactlyInAnyOrder(
              "config.yaml", "provenance.json", "metrics.jsonl", "checkpoint-000003.safetensors");
    }
    Trainer.resume(run, DATA, Progress.OFF, n -> {}, n -> {});
    assertThat(Files.readAllBytes(Trainer.modelFile(run)))
        .isEqualTo(Files.readAllBytes(Trainer.modelFile(whole)));
  }

  /** Resumes a run in a process of its own; exit code 2 and the message if it cannot. */
  public static final class Resuming {
    private Resuming() {}

    /** Arguments: the folder of the run. */
    public static void main(String[] args) {
      try {
        Trainer.resume(Path.of(args[0]), DATA, Progress.OFF, n -> {}, n -> {});
      } catch (IOException e) {
        System.out.println(e.getMessage());
        System.exit(2);
      }
    }
  }

  private static void copy(Path from, Path to, String... names) throws IOException {
    Files.createDirectories(to);
    for (String name : names) {
      Files.copy(from.resolve(name), to.resolve(name));
    }
  }

  /** Sums are added in another order: the losses agree, the bits need not. */
  @Test
  void anotherNumberOfThreadsGivesTheSameLosses() throws IOException {
    double[][] losses = new double[2][];
    for (int threads = 1; threads <= 2; threads++) {
      Path run = folder.resolve("threads-" + threads);
      Trainer.start(
          small().with("threads", threads).with("epochs", 1), DATA, run, Progress.OFF, n -> {});
      losses[threads - 1] =
          metrics(run).stream()
              .mapToDouble(
                  l -> Double.parseDouble(l.replaceAll(".*\"trainLoss\":([^,]*),.*", "$1")))
              .toArray();
    }
    assertThat(losses[1][0]).isCloseTo(losses[0][0], Offset.offset(1e-3 * losses[0][0]));
  }

  @Test
  void anInfiniteLossStopsTheRunAndNamesTheStep() throws IOException {
    Path run = folder.resolve("run");
    TrainConfig wild = small().with("optimiser.kind", "sgd").with("optimiser.rate", 1e30);
    assertThatThrownBy(() -> Trainer.start(wild, DATA, run, Progress.OFF, n -> {}))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("expected a finite loss")
        .hasMessageContaining("epoch 1, step")
        .hasMessageContaining("last good checkpoint");
    assertThat(Trainer.modelFile(run)).doesNotExist();
  }

  /** One step an epoch: no later loss shows that it went wrong. */
  @Test
  void weightsThatAreNotFiniteStopTheRunBeforeTheyAreKept() throws IOException {
    Path run = folder.resolve("run");
    TrainConfig wild =
        small()
            .with("batch", 5000)
            .with("epochs", 1)
            .with("optimiser.kind", "sgd")
            .with("optimiser.rate", 1e38);
    assertThatThrownBy(() -> Trainer.start(wild, DATA, run, Progress.OFF, n -> {}))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("expected a finite validation loss, found NaN after epoch 1")
        .hasMessageContaining("The last good checkpoint is none");
    try (Stream<Path> files = Files.list(run)) {
      assertThat(files.map(f -> f.getFileName().toString()))
          .containsExactlyInAnyOrder("config.yaml", "provenance.json");
    }
    Path second = folder.resolve("second");
    assertThatThrownBy(
            () ->
                Trainer.start(
                    wild.with("optimiser.weight-decay", 1e4), DATA, second, Progress.OFF, n -> {}))
        .hasMessageContaining("expected finite weights, found others after epoch 1");
  }

  @Test
  void scoresThatAreNotFiniteAreRefused() {
    Model model =
        new Model(
            new Model.Description(
                new Architecture(Architecture.Kind.LINEAR, 1, false, 1, 28, 28, 2),
                List.of("a", "b"),
                new float[] {0},
                new float[] {1},
                MappingConfig.NONE),
            1);
    assertThat(model.scores(List.of(DATA.image(0)))[0][0]).isFinite();
    model
        .weights()
        .restore(
            Map.of(
                "head.weight", new FloatTensor(new long[] {2, 784}, new float[2 * 784]),
                "head.bias", new FloatTensor(new long[] {2}, new float[] {0, Float.NaN})));
    assertThatThrownBy(() -> model.scores(List.of(DATA.image(0))))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("expected probabilities, found NaN");
  }

  @Test
  void refusesAUsedFolderAndOtherData() throws IOException {
    Path run = folder.resolve("run");
    TrainConfig quick = small().with("epochs", 1);
    Trainer.start(quick, DATA, run, Progress.OFF, n -> {});
    assertThatThrownBy(() -> Trainer.start(quick, DATA, run, Progress.OFF, n -> {}))
        .hasMessageContaining("--resume");
    assertThatThrownBy(
            () -> Trainer.resume(run, Glyphs.generate(320, 9), Progress.OFF, n -> {}, n -> {}))
        .hasMessageContaining("the data that the run started with");
    ImageSet oneClass = DATA.subset(new int[] {0, 16, 32, 48});
    assertThatThrownBy(
            () -> Trainer.start(quick, oneClass, folder.resolve("x"), Progress.OFF, n -> {}))
        .hasMessageContaining("found none of 2, 3");
  }

  /** What the mapping is for: trained upright, tested rotated. */
  @Test
  void theMappedNetworkStandsRotationAndThePlainOneDoesNot() throws IOException {
    ImageSet data = Glyphs.generate(1200, 3);
    ImageSet test = Glyphs.generate(48, 4);
    double[] worst = new double[2];
    double[] clean = new double[2];
    for (int mapped = 0; mapped < 2; mapped++) {
      TrainConfig config =
          TrainConfig.glyphs()
              .with("limit", 1200)
              .with("network.width", 0.25)
              .with("epochs", 6)
              .with("threads", 1)
              .with("mapping.when", mapped == 1 ? "train+test" : "none");
      Path run = folder.resolve("run" + mapped);
      Trainer.start(config, data, run, Progress.OFF, n -> {});
      Model model = Model.load(Trainer.modelFile(run));
      Evaluation e =
          Evaluation.measure(
              model,
              test,
              List.of(Interpolation.BILINEAR),
              20,
              false,
              1,
              Robustness.TrueClass.NONE,
              Progress.OFF);
      worst[mapped] = e.interpolations().get("bilinear").worst();
      clean[mapped] = e.clean();
    }
    assertThat(clean[0]).isGreaterThan(0.7);
    assertThat(clean[1]).isGreaterThan(0.7);
    assertThat(worst[0]).isLessThan(0.1);
    assertThat(worst[1]).isGreaterThan(worst[0] + 0.4);
  }

  /** The mapping as a layer and in the data pipeline give the same scores. */
  @Test
  void layerAndPipelineAgree() throws IOException {
    Path run = folder.resolve("run");
    Trainer.start(small().with("epochs", 1), DATA, run, Progress.OFF, n -> {});
    Model layer = Model.load(Trainer.modelFile(run));
    MappingConfig m = layer.description().mapping();
    Model pipeline =
        layer.with(new MappingConfig(m.when(), m.rule(), m.interpolation(), m.fill(), "data"));
    List<Image> images = List.of(DATA.image(0), DATA.image(1), DATA.image(2));
    float[][] a = layer.scores(images);
    float[][] b = pipeline.scores(images);
    for (int i = 0; i < a.length; i++) {
      for (int c = 0; c < a[i].length; c++) {
        assertThat(a[i][c]).isCloseTo(b[i][c], Offset.offset(1e-4f));
      }
    }
    List<String> names = new ArrayList<>(DATA.classes());
    Collections.swap(names, 0, 1);
    ImageSet others = new ImageSet("x", names, 1, 28, 28, DATA.pixels(), DATA.labels());
    assertThatThrownBy(
            () ->
                Evaluation.measure(
                    layer,
                    others,
                    List.of(Interpolation.BILINEAR),
                    90,
                    false,
                    1,
                    Robustness.TrueClass.NONE,
                    Progress.OFF))
        .hasMessageContaining(
            "with %s as number 0, found %s".formatted(names.get(1), names.get(0)));
    assertThatThrownBy(() -> layer.scores(List.of(Image.black(3, 28, 28))))
        .hasMessageContaining("expected images of 1 x 28 x 28, found 3 x 28 x 28");
  }
}
