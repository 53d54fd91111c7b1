package org.orbitmap.nn.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.eval.Labelled;
import org.orbitmap.group.SimilarityGroup;
import org.orbitmap.image.Interpolation;
import org.orbitmap.io.UserError;
import org.orbitmap.io.data.CloudSet;
import org.orbitmap.io.data.ImageSet;
import org.orbitmap.io.network.UprightFile;
import org.orbitmap.nn.train.TrainConfig.Method;
import org.orbitmap.nn.train.TrainingListener;
import org.orbitmap.upright.CloudUprightMapping;
import org.orbitmap.upright.FittedUpright;

class FitterTest {
  private static final int SIDE = 16;

  @TempDir Path folder;

  /** Hills before a sky: brighter above a wavy line, with a dark spot on one side below it. */
  private static ImageSet hills(int n) {
    return images(
        n, (random, i, j) -> (i < SIDE / 2 ? 0.9 : 0.3) + (i > 11 && j < 7 ? -0.25 : 0), 0.05);
  }

  /** Noise: no pose is better than another. */
  private static ImageSet noise(int n) {
    return images(n, (random, i, j) -> 0.5, 0.4);
  }

  private interface Pixel {
    double at(SplittableRandom random, int i, int j);
  }

  private static ImageSet images(int n, Pixel pixel, double spread) {
    byte[][] pixels = new byte[n][SIDE * SIDE];
    int[] labels = new int[n];
    Arrays.fill(labels, Labelled.UNKNOWN);
    for (int k = 0; k < n; k++) {
      SplittableRandom random = new SplittableRandom(k);
      double shade = 0.8 + 0.2 * random.nextDouble();
      for (int i = 0; i < SIDE; i++) {
        for (int j = 0; j < SIDE; j++) {
          double v = shade * pixel.at(random, i, j) + spread * (2 * random.nextDouble() - 1);
          pixels[k][i * SIDE + j] = (byte) Math.round(255 * Math.max(0, Math.min(1, v)));
        }
      }
    }
    return new ImageSet("drawn", List.of(), 1, SIDE, SIDE, pixels, labels);
  }

  private static FitConfig tiny(String group, boolean restore) {
    FitRecipe.Course predicting = new FitRecipe.Course(Method.sgd(0.05, 1e-4), 0.2, 16, 1200, 20);
    FitRecipe.Course restoring = new FitRecipe.Course(Method.adam(3e-3, 0), 0.1, 16, 1600, 20);
    FitRecipe recipe =
        new FitRecipe(
            "upright-p4",
            0.25,
            36,
            0.5f,
            1,
            10,
            Arrays.asList(null, Interpolation.NEAREST, Interpolation.BILINEAR),
            2,
            1,
            Interpolation.BILINEAR,
            0.5,
            group.equals("so2"),
            1,
            "residual-3x8",
            Arrays.asList(null, Interpolation.NEAREST, Interpolation.BILINEAR),
            predicting,
            restoring);
    return new FitConfig(group, restore, SIDE, 3, 1, recipe);
  }

  /** Remembers what it is told. */
  private static final class Told implements TrainingListener {
    final List<String> notes = new ArrayList<>();
    final List<String> warnings = new ArrayList<>();

    @Override
    public void note(String text) {
      notes.add(text);
    }

    @Override
    public void warn(String text) {
      warnings.add(text);
    }
  }

  @Test
  void imagesWithAnOrientationAreMadeUpright() throws IOException {
    Path out = folder.resolve("upright.safetensors");
    FitResult result = Fitter.of(tiny("so2", true), hills(160)).fit(out);
    assertThat(result.errors().within20()).isGreaterThan(0.9);
    assertThat(result.errors().within10()).isBetween(0.5, result.errors().within20());
    assertThat(result.errors().oriented()).isTrue();
    assertThat(result.errors().count()).isEqualTo(16);
    assertThat(result.training()).isEqualTo(144);
    assertThat(result.examples()).isEqualTo(1200);
    assertThat(result.restorations())
        .hasSize(3)
        .allSatisfy(r -> assertThat(r.after()).isGreaterThan(r.before()));
    FittedUpright read = UprightFile.read(out);
    assertThat(read.settings().restorer()).isEqualTo("residual-3x8");
    assertThat(read.provenance())
        .containsEntry("seed", "3")
        .containsEntry("oriented", "true")
        .containsEntry("data", "drawn")
        .containsKeys("data-digest", "within20", "created-by", "recipe");
    assertThat(Fitter.checkpoints(out)).doesNotExist();
  }

  @Test
  void mirrorImagesAreToldApart() throws IOException {
    Path out = folder.resolve("o2.safetensors");
    FitResult result = Fitter.of(tiny("o2", false), hills(160)).fit(out);
    assertThat(result.errors().within20()).isGreaterThan(0.8);
    assertThat(UprightFile.read(out).settings().scores()).isEqualTo(72);
  }

  /** Cups: a wide rim above a narrow foot. */
  private static CloudSet cups(int n) {
    List<PointCloud> clouds = new ArrayList<>();
    for (int k = 0; k < n; k++) {
      SplittableRandom random = new SplittableRandom(k);
      double height = 2 + random.nextDouble();
      float[] x = new float[3 * 96];
      for (int i = 0; i < x.length; i += 3) {
        double z = random.nextDouble();
        double angle = 2 * Math.PI * random.nextDouble();
        double radius = 0.3 + 0.5 * z * z + (i < 60 ? 0.4 : 0);
        x[i] = (float) (radius * Math.cos(angle));
        x[i + 1] = (float) (0.7 * radius * Math.sin(angle));
        x[i + 2] = (float) (height * (i < 60 ? 1 : z));
      }
      clouds.add(new PointCloud(3, x));
    }
    return new CloudSet("cups", List.of(), clouds, unknown(n));
  }

  @Test
  void cloudsAreMadeUpright() throws IOException {
    FitRecipe r = FitRecipe.clouds();
    FitRecipe.Course course = new FitRecipe.Course(Method.adam(5e-3, 0), 0.1, 16, 1600, 40);
    FitRecipe recipe =
        new FitRecipe(
            r.network(),
            0.0625,
            r.bins(),
            r.outside(),
            1,
            8,
            r.first(),
            1,
            0,
            r.reading(),
            1,
            false,
            r.stretch(),
            r.restorer(),
            r.undone(),
            course,
            course);
    Path out = folder.resolve("cups.safetensors");
    FitResult result =
        Fitter.of(new FitConfig("sim3", false, 64, 3, 1, recipe), cups(120)).fit(out);
    assertThat(result.errors().within20()).isGreaterThan(0.8);
    assertThat(result.shown()).isNotEmpty();
    CloudUprightMapping mapping = new CloudUprightMapping(UprightFile.readClouds(out));
    // The mapping of the file stands new cups up, whatever their pose.
    int upright = 0;
    for (int k = 200; k < 220; k++) {
      PointCloud cup = cups(k + 1).input(k);
      SimilarityGroup all = SimilarityGroup.named("sim3", 3);
      PointCloud fallen = mapping.action().act(all.sample(new SplittableRandom(k)), cup);
      double[] rotation = mapping.map(cup).element().rotation();
      assertThat(mapping.map(fallen).point().coordinates())
          .containsExactly(mapping.map(cup).point().coordinates(), Offset.offset(2e-2f));
      upright += rotation[8] > Math.cos(Math.toRadians(20)) ? 1 : 0;
    }
    assertThat(upright).isGreaterThanOrEqualTo(16);
    assertThatThrownBy(() -> Fitter.of(new FitConfig("so2", false, 64, 3, 1, recipe), cups(120)))
        .hasMessageContaining("expected so3 or se3 or sim3 for clouds");
  }

  @Test
  void noiseHasNoOrientation() throws IOException {
    FitResult result =
        Fitter.of(tiny("so2", false), noise(160), noise(600).subset(range(200, 600)))
            .fit(folder.resolve("noise.safetensors"));
    assertThat(result.errors().within20()).isBetween(0.05, 0.2);
    assertThat(result.errors().oriented()).isFalse();
  }

  private static int[] range(int from, int to) {
    return java.util.stream.IntStream.range(from, to).toArray();
  }

  /** Fits in a process of its own, so that it can be killed. */
  public static final class Child {
    private Child() {}

    /** Arguments: the file, and after how many examples it waits to be killed. */
    public static void main(String[] args) throws IOException {
      long[] seen = {0};
      TrainingListener stops =
          new TrainingListener() {
            @Override
            public void progress(long done, long total) {
              seen[0] += 16;
              if (seen[0] > Long.parseLong(args[1])) {
                System.out.println("now");
                LockSupport.park();
              }
            }
          };
      Fitter.of(tiny("so2", true), hills(160)).listener(stops).fit(Path.of(args[0]));
    }
  }

  @Test
  void aKilledFitEndsLikeOneThatWasNot() throws Exception {
    Path whole = folder.resolve("whole.safetensors");
    Fitter.of(tiny("so2", true), hills(160)).fit(whole);
    Path killed = folder.resolve("killed.safetensors");
    for (int examples : new int[] {700, 1680}) { // in the restorer, then in the predictor
      Process child =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-cp",
                  System.getProperty("java.class.path"),
                  Child.class.getName(),
                  killed.toString(),
                  Integer.toString(examples))
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      try (BufferedReader said = child.inputReader()) {
        assertThat(said.readLine()).isEqualTo("now");
      } finally {
        child.destroyForcibly();
      }
      assertThat(child.waitFor()).isEqualTo(137); // SIGKILL
      assertThat(killed).doesNotExist();
    }
    // The newest checkpoint is damaged: the one before it serves.
    try (Stream<Path> all = Files.list(Fitter.checkpoints(killed))) {
      Path newest = all.sorted().reduce((a, b) -> b).orElseThrow();
      Files.write(newest, Arrays.copyOf(Files.readAllBytes(newest), 1000));
    }
    Told told = new Told();
    Fitter.of(tiny("so2", true), hills(160)).listener(told).fit(killed);
    assertThat(told.warnings).hasSize(1);
    assertThat(told.notes.get(0)).contains("resuming the predictor after step 0 of 75");
    assertThat(Files.readAllBytes(killed)).isEqualTo(Files.readAllBytes(whole));
  }

  @Test
  void checkpointsOfAnotherFitAreNotGoneOnWith() throws IOException {
    Path out = folder.resolve("upright.safetensors");
    stopped(tiny("so2", false), out);
    assertThatThrownBy(() -> Fitter.of(tiny("o2", false), hills(160)).fit(out))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("expected checkpoints of the same fit");
    assertThatThrownBy(() -> Fitter.of(tiny("so2", false), hills(161)).fit(out))
        .hasMessageContaining("another data set");
    Fitter.of(tiny("so2", false), hills(160)).fit(out);
    assertThat(out).exists();
  }

  /** A fit that is interrupted on its way. */
  private static void stopped(FitConfig config, Path out) {
    TrainingListener stops =
        new TrainingListener() {
          @Override
          public void progress(long done, long total) {
            if (done > total / 2) {
              Thread.currentThread().interrupt();
            }
          }
        };
    assertThatThrownBy(() -> Fitter.of(config, hills(160)).listener(stops).fit(out))
        .hasMessageContaining("interrupted");
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void aTimeLimitCutsTheExamplesAndCountsOverAllParts() throws IOException {
    Path out = folder.resolve("upright.safetensors");
    // The whole limit has passed before it begins: one step of each network is left.
    FitResult result =
        Fitter.of(tiny("so2", true), hills(160))
            .seconds(60)
            .since(System.nanoTime() - 70_000_000_000L)
            .fit(out);
    assertThat(result.examples()).isEqualTo(16);
    assertThat(result.seconds()).isGreaterThan(70);
    // A part of 50 s and then one of 20 s do not fit into 60 s.
    Path parts = folder.resolve("parts.safetensors");
    TrainingListener stops =
        new TrainingListener() {
          @Override
          public void progress(long done, long total) {
            Thread.currentThread().interrupt();
          }
        };
    assertThatThrownBy(
            () ->
                Fitter.of(tiny("so2", false), hills(160))
                    .listener(stops)
                    .seconds(1000)
                    .since(System.nanoTime() - 50_000_000_000L)
                    .fit(parts))
        .hasMessageContaining("interrupted");
    assertThat(Thread.interrupted()).isTrue();
    FitResult rest =
        Fitter.of(tiny("so2", false), hills(160))
            .seconds(60)
            .since(System.nanoTime() - 20_000_000_000L)
            .fit(parts);
    assertThat(rest.seconds()).isBetween(70.0, 200.0);
    assertThat(rest.examples()).isLessThan(1200);
  }

  @Test
  void tooFewOrMisshapenImagesAreRefused() {
    assertThatThrownBy(() -> Fitter.of(tiny("so2", false), hills(12)))
        .hasMessageContaining("at least 20 images");
    ImageSet oblong = new ImageSet("oblong", List.of(), 1, 4, 8, new byte[40][32], unknown(40));
    assertThatThrownBy(() -> Fitter.of(tiny("so2", false), oblong))
        .hasMessageContaining("square images");
    assertThatThrownBy(() -> new FitConfig("so5", false, 32, 0, 0, FitRecipe.standard()))
        .hasMessageContaining("expected so2 or o2");
  }

  private static int[] unknown(int n) {
    int[] labels = new int[n];
    Arrays.fill(labels, Labelled.UNKNOWN);
    return labels;
  }
}
