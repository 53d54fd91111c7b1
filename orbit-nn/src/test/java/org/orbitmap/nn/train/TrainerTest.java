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
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.cloud.CloudAction;
import org.orbitmap.cloud.CloudSweeps;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.eval.Progress;
import org.orbitmap.eval.Robustness;
import org.orbitmap.group.SimilarityGroup;
import org.orbitmap.image.AngleSweep;
import org.orbitmap.image.Image;
import org.orbitmap.image.Resampling;
import org.orbitmap.io.UserError;
import org.orbitmap.io.data.CloudSet;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.io.data.ImageSet;
import org.orbitmap.io.data.source.Glyphs;
import org.orbitmap.model.InputShape;
import org.orbitmap.network.Architecture;
import org.orbitmap.network.FloatTensor;
import org.orbitmap.network.zoo.Networks;
import org.orbitmap.nn.model.Evaluation;
import org.orbitmap.nn.model.MappingConfig;
import org.orbitmap.nn.model.MappingConfig.Use;
import org.orbitmap.nn.model.Model;
import org.orbitmap.nn.scheme.Augmentation;
import org.orbitmap.nn.train.TrainConfig.Method;
import org.orbitmap.nn.train.TrainConfig.Net;

class TrainerTest {
  private static final ImageSet DATA = Glyphs.generate(320, 3);

  @TempDir Path folder;

  static TrainConfig small() {
    return TrainConfig.glyphs()
        .with(
            c ->
                c.limit(320)
                    .network(n -> n.widthFactor(0.125))
                    .epochs(4)
                    .threads(1)
                    .scheme("ra")
                    .mapping(m -> m.when(Use.TRAIN_AND_TEST)));
  }

  private static Path modelFile(Path run) {
    return new RunFolder(run).modelFile();
  }

  private static TrainingResult start(TrainConfig config, DataSet<?> data, Path run)
      throws IOException {
    return Trainer.of(config, data).start(run);
  }

  private static TrainingResult resume(Path run, DataSet<?> data, TrainingListener told)
      throws IOException {
    return Trainer.of(new RunFolder(run).config(), data).listener(told).resume(run);
  }

  /** Remembers what it is told. */
  private static final class Told implements TrainingListener {
    final List<String> notes = new ArrayList<>();
    final List<String> warnings = new ArrayList<>();
    final List<Long> left = new ArrayList<>();

    @Override
    public void progress(long done, long total) {
      left.add(total - done);
    }

    @Override
    public void note(String text) {
      notes.add(text);
    }

    @Override
    public void warn(String text) {
      warnings.add(text);
    }
  }

  /** Trains in a process of its own, so that it can be killed. */
  public static final class Child {
    private Child() {}

    /** Arguments: the folder of the run. */
    public static void main(String[] args) throws IOException {
      TrainingListener stops =
          new TrainingListener() {
            @Override
            public void progress(long done, long total) {
              if (done > 0.6 * total) { // in the middle of the third of four epochs
                System.out.println("now");
                LockSupport.park();
              }
            }
          };
      Trainer.of(small(), DATA).listener(stops).start(Path.of(args[0]));
    }
  }

  @Test
  void aKilledRunEndsLikeOneThatWasNot() throws Exception {
    Path whole = folder.resolve("whole");
    start(small(), DATA, whole);
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
    assertThat(modelFile(killed)).doesNotExist();
    Told told = new Told();
    resume(killed, DATA, told);
    assertThat(told.left)
        .first()
        .isEqualTo(2 * 256L - 32); // the rest of it: two epochs but one batch
    assertThat(told.notes.toString()).contains("resuming after epoch 2");
    assertThat(Files.readAllBytes(modelFile(killed)))
        .isEqualTo(Files.readAllBytes(modelFile(whole)));
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
    start(small(), DATA, run);
    byte[] model = Files.readAllBytes(modelFile(run));
    Path last = run.resolve("checkpoint-000004.safetensors");
    byte[] bytes = Files.readAllBytes(last);
    bytes[bytes.length / 2] ^= 1;
    Files.write(last, bytes);
    Files.delete(modelFile(run));
    Told told = new Told();
    resume(run, DATA, told);
    assertThat(told.warnings.get(0)).contains("checkpoint-000004").contains("the one before it");
    assertThat(told.notes.get(0)).contains("after epoch 3");
    assertThat(Files.readAllBytes(modelFile(run))).isEqualTo(model);
    // Both damaged: from the beginning, to the same end.
    for (String name : new String[] {"checkpoint-000003", "checkpoint-000004"}) {
      Files.writeString(run.resolve(name + ".safetensors"), "no");
    }
    resume(run, DATA, TrainingListener.NONE);
    assertThat(Files.readAllBytes(modelFile(run))).isEqualTo(model);
    assertThat(metrics(run)).hasSize(4);
  }

  /** A checkpoint of another method is refused as a whole: nothing of it stays. */
  @Test
  void aCheckpointOfAnotherMethodIsNotTaken() throws IOException {
    Path run = folder.resolve("run");
    start(small(), DATA, run);
    assertThat(small().optimiser().kind()).isEqualTo(Method.Kind.ADAM);
    TrainConfig config = small().with(c -> c.optimiser(Method.sgd(1e-3, 0)));
    Path fresh = folder.resolve("fresh");
    start(config, DATA, fresh);
    Files.writeString(run.resolve("config.yaml"), config.toYaml());
    Told told = new Told();
    resume(run, DATA, told);
    assertThat(told.warnings).last().asString().contains("starting from the beginning");
    assertThat(modelFile(run)).hasSameBinaryContentAs(modelFile(fresh));
  }

  @Test
  void aFolderOfAnotherConfigurationIsRefused() throws IOException {
    Path run = folder.resolve("run");
    TrainConfig config = small().with(c -> c.epochs(1));
    Trainer.of(config, DATA).startOrResume(run);
    Trainer.of(config, DATA).startOrResume(run);
    assertThatThrownBy(
            () ->
                Trainer.of(config.with(c -> c.optimiser(Method.adam(0.5, 0))), DATA)
                    .startOrResume(run))
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
    TrainConfig config = small().with(c -> c.epochs(1).mapping(MappingConfig.NONE));
    TrainingResult result = start(config, flat, folder.resolve("flat"));
    assertThat(result.accuracy()).isFinite();
  }

  /** A process that was killed while it wrote leaves half a file, and perhaps no provenance. */
  @Test
  void whatAKilledProcessLeavesIsNoDeadEnd() throws IOException {
    Path run = Files.createDirectories(folder.resolve("run"));
    Files.writeString(run.resolve(".1x2y.tmp.config.yaml"), "da");
    TrainConfig quick = small().with(c -> c.epochs(1));
    start(quick, DATA, run);
    Path provenance = run.resolve("provenance.json");
    Files.delete(provenance);
    Path half = Files.writeString(run.resolve(".0q9z.tmp.checkpoint-000002.safetensors"), "half");
    resume(run, DATA, TrainingListener.NONE);
    assertThat(provenance).content().contains("data-sha256");
    assertThat(half).doesNotExist();
    assertThat(run.resolve(".1x2y.tmp.config.yaml")).doesNotExist();
    Files.writeString(provenance, "{\"data");
    assertThatThrownBy(() -> resume(run, DATA, TrainingListener.NONE))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("provenance.json: expected JSON")
        .hasMessageContaining("Remove it");
  }

  /** A full disk, played by a limit on the size of files that a checkpoint is above. */
  @Test
  void aFullDiskStopsTheRunWithTheLastCheckpointWhole() throws Exception {
    Path whole = folder.resolve("whole");
    start(small(), DATA, whole);
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
        .contains("The last complete checkpoint is checkpoint-000003.safetensors")
        .contains("resume the run");
    assertThat(run.resolve("checkpoint-000003.safetensors")).hasBinaryContent(before);
    try (Stream<Path> files = Files.list(run)) {
      assertThat(files.map(f -> f.getFileName().toString()))
          .containsExactlyInAnyOrder(
              "config.yaml", "provenance.json", "metrics.jsonl", "checkpoint-000003.safetensors");
    }
    resume(run, DATA, TrainingListener.NONE);
    assertThat(Files.readAllBytes(modelFile(run))).isEqualTo(Files.readAllBytes(modelFile(whole)));
  }

  /** Resumes a run in a process of its own; exit code 2 and the message if it cannot. */
  public static final class Resuming {
    private Resuming() {}

    /** Arguments: the folder of the run. */
    public static void main(String[] args) {
      try {
        resume(Path.of(args[0]), DATA, TrainingListener.NONE);
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
      int used = threads;
      Path run = folder.resolve("threads-" + threads);
      start(small().with(c -> c.threads(used).epochs(1)), DATA, run);
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
    TrainConfig wild = small().with(c -> c.optimiser(Method.sgd(1e30, 0)));
    assertThatThrownBy(() -> start(wild, DATA, run))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("expected a finite loss")
        .hasMessageContaining("epoch 1, step")
        .hasMessageContaining("There is no checkpoint yet");
    assertThat(modelFile(run)).doesNotExist();
  }

  /** One step an epoch: no later loss shows that it went wrong. */
  @Test
  void weightsThatAreNotFiniteStopTheRunBeforeTheyAreKept() throws IOException {
    Path run = folder.resolve("run");
    TrainConfig wild = small().with(c -> c.batch(5000).epochs(1).optimiser(Method.sgd(1e38, 0)));
    assertThatThrownBy(() -> start(wild, DATA, run))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("expected a finite validation loss, found NaN after epoch 1")
        .hasMessageContaining("There is no checkpoint yet");
    try (Stream<Path> files = Files.list(run)) {
      assertThat(files.map(f -> f.getFileName().toString()))
          .containsExactlyInAnyOrder("config.yaml", "provenance.json");
    }
    Path second = folder.resolve("second");
    assertThatThrownBy(
            () -> start(wild.with(c -> c.optimiser(Method.sgd(1e38, 1e4))), DATA, second))
        .hasMessageContaining("expected finite weights, found others after epoch 1");
  }

  @Test
  void scoresThatAreNotFiniteAreRefused() {
    InputShape.Images shape = new InputShape.Images(1, 28, 28);
    Model<Image> model =
        Model.of(
                new Model.Description(
                    Architecture.of(Networks.named("linear"), shape, 2),
                    List.of("a", "b"),
                    new float[] {0},
                    new float[] {1},
                    MappingConfig.NONE),
                1)
            .taking(shape);
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
    TrainConfig quick = small().with(c -> c.epochs(1));
    start(quick, DATA, run);
    assertThatThrownBy(() -> start(quick, DATA, run)).hasMessageContaining("Resume the run");
    assertThatThrownBy(() -> resume(run, Glyphs.generate(320, 9), TrainingListener.NONE))
        .hasMessageContaining("the data that the run started with");
    ImageSet oneClass = DATA.subset(new int[] {0, 16, 32, 48});
    assertThatThrownBy(() -> start(quick, oneClass, folder.resolve("x")))
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
      Use use = mapped == 1 ? Use.TRAIN_AND_TEST : Use.NONE;
      TrainConfig config =
          TrainConfig.glyphs()
              .with(
                  c ->
                      c.limit(1200)
                          .network(n -> n.widthFactor(0.25))
                          .epochs(6)
                          .threads(1)
                          .mapping(m -> m.when(use)));
      Path run = folder.resolve("run" + mapped);
      start(config, data, run);
      Robustness r = robustness(Model.load(modelFile(run)), test);
      worst[mapped] = r.accuracy().worst();
      clean[mapped] = r.accuracy().clean();
    }
    assertThat(clean[0]).isGreaterThan(0.7);
    assertThat(clean[1]).isGreaterThan(0.7);
    assertThat(worst[0]).isLessThan(0.1);
    assertThat(worst[1]).isGreaterThan(worst[0] + 0.4);
  }

  private static Robustness robustness(Model<?> model, ImageSet test) {
    return Evaluation.robustness(
        model,
        test,
        AngleSweep.every(20, Resampling.BILINEAR),
        1,
        Robustness.TrueClass.NONE,
        Progress.OFF);
  }

  @Test
  void otherClassesAndOtherImagesAreRefused() throws IOException {
    Path run = folder.resolve("run");
    start(small().with(c -> c.epochs(1)), DATA, run);
    Model<?> model = Model.load(modelFile(run));
    List<String> names = new ArrayList<>(DATA.classes());
    Collections.swap(names, 0, 1);
    ImageSet others = new ImageSet("x", names, 1, 28, 28, DATA.pixels(), DATA.labels());
    assertThatThrownBy(() -> robustness(model, others))
        .hasMessageContaining(
            "with %s as number 0, found %s".formatted(names.get(1), names.get(0)));
    Model<Image> images = model.taking(DATA.shape());
    assertThatThrownBy(() -> images.scores(List.of(Image.black(3, 28, 28))))
        .hasMessageContaining("expected images of 1 x 28 x 28, found Image[3 x 28 x 28]");
    assertThatThrownBy(() -> model.taking(new InputShape.Clouds(5)))
        .hasMessageContaining("found clouds of 5 points");
  }

  /** Boxes and rods in random poses, 32 points each. */
  private static CloudSet solids(int n, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    SimilarityGroup poses = SimilarityGroup.similarities(3);
    List<PointCloud> clouds = new ArrayList<>();
    int[] labels = new int[n];
    for (int i = 0; i < n; i++) {
      labels[i] = i % 2;
      double[] size = labels[i] == 0 ? new double[] {1, 0.8, 0.6} : new double[] {1, 0.2, 0.1};
      float[] x = new float[96];
      for (int k = 0; k < x.length; k++) {
        double u = random.nextDouble();
        x[k] = (float) (size[k % 3] * u * u); // skewed, so that the axes have directions
      }
      clouds.add(new CloudAction(poses).act(poses.sample(random, 2, 1), new PointCloud(3, x)));
    }
    return new CloudSet("solids", List.of("box", "rod"), clouds, labels);
  }

  private static TrainConfig clouds() {
    return TrainConfig.defaults()
        .with(
            c ->
                c.data("solids")
                    .network(Net.of("pointnet").widthFactor(0.125))
                    .augmentation(Augmentation.NONE)
                    .mapping(m -> m.rule("skewness").when(Use.TRAIN_AND_TEST))
                    .scheme("ra")
                    .optimiser(Method.adam(1e-2, 1e-4))
                    .schedule(Schedule.constant())
                    .epochs(6)
                    .batch(8)
                    .threads(1)
                    .validation(0.25));
  }

  /** Kernels that are derived, dropout, L1 and L2: resumed bit for bit. */
  @Test
  void aSteerableRunResumesBitForBit() throws IOException {
    TrainConfig config =
        small()
            .with(
                c ->
                    c.limit(96)
                        .network(Net.of("e2cnn-d4c4").widthFactor(0.05))
                        .optimiser(Method.adam(0.015, 1e-4).l1(1e-4))
                        .epochs(3));
    Path whole = folder.resolve("whole");
    start(config, DATA.first(96), whole);
    Path stopped = folder.resolve("stopped");
    TrainingListener stops =
        new TrainingListener() {
          @Override
          public void epoch(EpochMetrics metrics) {
            if (metrics.epoch() == 2) {
              throw new IllegalStateException("enough");
            }
          }
        };
    assertThatThrownBy(() -> Trainer.of(config, DATA.first(96)).listener(stops).start(stopped))
        .hasMessageContaining("enough");
    resume(stopped, DATA.first(96), TrainingListener.NONE);
    assertThat(RunFolder.model(stopped).tensors()).isEqualTo(RunFolder.model(whole).tensors());
    Path other = folder.resolve("other");
    start(config.with(c -> c.optimiser(Method.adam(0.015, 1e-4))), DATA.first(96), other);
    assertThat(RunFolder.model(other).tensors())
        .as("without L1")
        .isNotEqualTo(RunFolder.model(whole).tensors());
  }

  /** The same trainer, another kind of input: learned, invariant, resumed bit for bit. */
  @Test
  void cloudsAreTrainedLikeImages() throws IOException {
    CloudSet data = solids(128, 1);
    Path whole = folder.resolve("whole");
    TrainingResult result = start(clouds(), data, whole);
    assertThat(result.accuracy()).isGreaterThan(0.9);
    Path stopped = folder.resolve("stopped");
    copy(whole, stopped, "config.yaml", "provenance.json", "metrics.jsonl");
    Path early = folder.resolve("early");
    start(clouds().with(c -> c.epochs(3)), data, early);
    copy(early, stopped, "checkpoint-000003.safetensors");
    resume(stopped, data, TrainingListener.NONE);
    assertThat(modelFile(stopped)).hasSameBinaryContentAs(modelFile(whole));

    CloudSet test = solids(40, 2);
    Robustness r =
        Evaluation.robustness(
            Model.load(modelFile(whole)),
            test,
            CloudSweeps.random(
                "random", SimilarityGroup.similarities(3), 12, new SplittableRandom(3)),
            1,
            Robustness.TrueClass.NONE,
            Progress.OFF);
    assertThat(r.accuracy().clean()).isGreaterThan(0.9);
    assertThat(r.accuracy().worst()).isEqualTo(r.accuracy().clean());
    assertThatThrownBy(
            () ->
                start(
                    clouds().with(c -> c.augmentation(new Augmentation(4, true, false, 0))),
                    data,
                    folder.resolve("x")))
        .hasMessageContaining("augmentation: expected crop 0");
    assertThatThrownBy(
            () ->
                start(clouds().with(c -> c.network(Net.of("convnet"))), data, folder.resolve("y")))
        .hasMessageContaining("convnet: expected images, found clouds of 32 points");
  }

  /** Training from given weights: the first loss is that of the weights, not of random ones. */
  @Test
  void aModelCanStartFromGivenWeights() throws IOException {
    Path first = folder.resolve("first");
    start(small(), DATA, first);
    Map<String, FloatTensor> weights = Model.load(modelFile(first)).tensors();
    Path second = folder.resolve("second");
    Trainer.of(small().with(c -> c.epochs(1)), DATA).weights(weights).start(second);
    assertThat(loss(second, 0)).isLessThan(loss(first, 0));
    assertThat(second.resolve("provenance.json")).content().contains("\"weights\" : \"given\"");
    assertThatThrownBy(
            () ->
                Trainer.of(small().with(c -> c.network(n -> n.widthFactor(0.25))), DATA)
                    .weights(weights)
                    .start(folder.resolve("third")))
        .hasMessageContaining("weights: expected conv1.weight of shape");
  }

  private static double loss(Path run, int epoch) throws IOException {
    return Double.parseDouble(
        metrics(run).get(epoch).replaceAll(".*\"trainLoss\":([^,]*),.*", "$1"));
  }
}
