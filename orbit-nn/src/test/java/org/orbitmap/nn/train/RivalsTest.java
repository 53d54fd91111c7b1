package org.orbitmap.nn.train;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.io.data.CloudSet;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.io.data.ImageSet;
import org.orbitmap.nn.model.Model;
import org.orbitmap.nn.scheme.Augmentation;
import org.orbitmap.nn.train.TrainConfig.Method;
import org.orbitmap.nn.train.TrainConfig.Net;

/** The methods that orbit mappings are compared with, trained. */
class RivalsTest {
  private static final int SIDE = 14;

  @TempDir Path folder;

  /** Bars through the centre: as wide as their width, at an angle. */
  private static byte[] bar(double angle, double width) {
    byte[] pixels = new byte[SIDE * SIDE];
    for (int p = 0; p < pixels.length; p++) {
      double x = p % SIDE - (SIDE - 1) / 2.0;
      int row = p / SIDE;
      double y = row - (SIDE - 1) / 2.0;
      double across = Math.abs(Math.sin(angle) * x - Math.cos(angle) * y);
      double along = Math.cos(angle) * x + Math.sin(angle) * y;
      pixels[p] = across < width && along > -1 && along < 6 ? (byte) 230 : 0;
    }
    return pixels;
  }

  /**
   * Half bars like the hand of a clock.
   *
   * @param upright whether the class is the hour, in steps of 30°; else it is the width, and the
   *     hand points anywhere
   */
  private static ImageSet hands(boolean upright) {
    SplittableRandom random = new SplittableRandom(4);
    int n = 240;
    int classes = upright ? 12 : 2;
    byte[][] pixels = new byte[n][];
    int[] labels = new int[n];
    for (int i = 0; i < n; i++) {
      labels[i] = i % classes;
      pixels[i] =
          upright
              ? bar(Math.toRadians(30 * labels[i] + random.nextDouble(-4, 4)), 1.2)
              : bar(random.nextDouble(2 * Math.PI), labels[i] == 0 ? 0.8 : 2.5);
    }
    return new ImageSet(
        "hands",
        IntStream.range(0, classes).mapToObj(Integer::toString).toList(),
        1,
        SIDE,
        SIDE,
        pixels,
        labels);
  }

  private static TrainConfig config(String network, String scheme) {
    return TrainConfig.glyphs()
        .with(
            c ->
                c.limit(0)
                    .network(Net.of(network).widthFactor(0.125))
                    .augmentation(Augmentation.NONE)
                    .scheme(scheme)
                    .optimiser(Method.adam(5e-3, 1e-4))
                    .batch(24)
                    .epochs(3)
                    .threads(1));
  }

  private static CloudSet solids() {
    SplittableRandom random = new SplittableRandom(6);
    PointCloud[] clouds = new PointCloud[48];
    int[] labels = new int[clouds.length];
    for (int i = 0; i < clouds.length; i++) {
      float[] x = new float[3 * 24];
      for (int k = 0; k < x.length; k++) {
        x[k] = (float) (random.nextDouble(-1, 1) * (k % 3 == 0 && i % 2 == 0 ? 3 : 1));
      }
      clouds[i] = new PointCloud(3, x);
      labels[i] = i % 2;
    }
    return new CloudSet("solids", List.of("long", "round"), List.of(clouds), labels);
  }

  /** Searches, samples and fronts draw from the generators of the steps alone. */
  @ParameterizedTest
  @CsvSource({
    "convnet, mixed",
    "etn+convnet, ra",
    "stn+convnet, adv",
    "augerino+convnet, ra",
    "canonicaliser+convnet, ra",
    "convnet, adv-alp",
    "pointnet, adv-kl"
  })
  void aStoppedRunEndsLikeOneThatWasNot(String network, String scheme) throws IOException {
    DataSet<?> data = network.equals("pointnet") ? solids() : hands(false).first(60);
    TrainConfig config = config(network, scheme);
    Path whole = folder.resolve("whole");
    Trainer.of(config, data).start(whole);
    Path stopped = folder.resolve("stopped");
    Trainer.of(config.with(c -> c.epochs(2)), data).start(stopped);
    for (String name : new String[] {"config.yaml", "provenance.json", "metrics.jsonl"}) {
      Files.copy(whole.resolve(name), stopped.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    }
    Files.delete(new RunFolder(stopped).modelFile());
    Trainer.of(new RunFolder(stopped).config(), data).resume(stopped);
    assertThat(new RunFolder(stopped).modelFile())
        .hasSameBinaryContentAs(new RunFolder(whole).modelFile());
    try (Stream<String> lines = Files.lines(whole.resolve("metrics.jsonl"))) {
      assertThat(lines).hasSize(3);
    }
  }

  /** The width of rotations: where the angle is the class it shrinks, where it is not it grows. */
  @Test
  void augerinoLearnsHowFarRotationsLeaveTheClass() throws IOException {
    double start = Math.log(2);
    for (boolean upright : new boolean[] {true, false}) {
      Path run = folder.resolve("upright-" + upright);
      Trainer.of(
              config("augerino+convnet", "std")
                  .with(
                      c ->
                          c.epochs(20)
                              .optimiser(Method.adam(1e-2, 1e-4))
                              .schedule(Schedule.constant())
                              .keep(TrainConfig.Keep.LAST)),
              hands(upright))
          .start(run);
      float[] theta =
          Model.load(new RunFolder(run).modelFile()).tensors().get("augerino.widths").values();
      double width = Math.log1p(Math.exp(theta[2]));
      if (upright) {
        assertThat(width).isLessThan(0.9 * start);
      } else {
        assertThat(width).isGreaterThan(1.1 * start);
      }
    }
  }
}
