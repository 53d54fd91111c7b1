package org.orbitmap.nn;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.orbitmap.eval.Accuracy;
import org.orbitmap.eval.Progress;
import org.orbitmap.eval.Robustness;
import org.orbitmap.image.AngleSweep;
import org.orbitmap.image.Image;
import org.orbitmap.image.Resampling;
import org.orbitmap.io.DataSets;
import org.orbitmap.io.ImageSet;

/**
 * The whole story in a minute: a small network is trained on upright signs, once plain and once
 * with orbit mapping, and both are tested at all angles.
 *
 * @param angles in degrees
 * @param plain the network without a mapping
 * @param mapped the network with one
 * @param example the picture whose probabilities are shown, with its class
 * @param exampleClass the class of that picture
 */
public record Journey(
    double[] angles, Side plain, Side mapped, Image example, String exampleClass) {
  private static final double STEP = 5;
  private static final int IMAGES = 80;

  /**
   * One of the two networks.
   *
   * @param accuracy clean, average and worst
   * @param meanProbability the mean probability of the true class at each angle
   * @param exampleProbability that of the example
   */
  public record Side(Accuracy accuracy, double[] meanProbability, double[] exampleProbability) {}

  /** Trains and tests; progress in training pictures of both networks. */
  public static Journey run(Progress progress) throws IOException {
    ImageSet data = DataSets.load("glyphs", null, DataSets.Split.TRAIN, 0);
    ImageSet test = DataSets.load("glyphs", null, DataSets.Split.TEST, 0).first(IMAGES);
    List<Robustness> measured = new ArrayList<>();
    Path folder = Files.createTempDirectory("orbit-demo");
    try {
      for (int k = 0; k < 2; k++) {
        TrainConfig config =
            Presets.glyphs()
                .with("limit", 2000)
                .with("network.width", 0.25)
                .with("epochs", 5)
                .with("threads", 1) // so small a network: more threads only wait for each other
                .with("mapping.when", k == 0 ? "none" : "train+test");
        Path run = folder.resolve(k == 0 ? "plain" : "mapped");
        int part = k;
        Trainer.start(
            config,
            data,
            run,
            (done, total) -> progress.update(part * total + done, 2 * total),
            n -> {});
        measured.add(
            Evaluation.robustness(
                Model.load(Trainer.modelFile(run)),
                test,
                AngleSweep.every(STEP, Resampling.BILINEAR),
                0,
                Robustness.TrueClass.SCORE,
                Progress.OFF));
      }
    } finally {
      delete(folder);
    }
    int example = 0;
    for (int i = IMAGES - 1; i >= 0; i--) {
      boolean both = true;
      for (Robustness r : measured) {
        both &= r.cleanPrediction(i) == r.label(i);
      }
      example = both ? i : example;
    }
    Robustness plain = measured.get(0);
    double[] angles = plain.poses().stream().mapToDouble(Robustness.PoseAccuracy::value).toArray();
    return new Journey(
        angles,
        side(plain, example),
        side(measured.get(1), example),
        test.image(example),
        test.classes().get(test.labels()[example]));
  }

  private static Side side(Robustness r, int example) {
    int m = r.poses().size();
    double[] mean = new double[m];
    double[] one = new double[m];
    for (int p = 0; p < m; p++) {
      for (int i = 0; i < r.items(); i++) {
        mean[p] += r.trueClass(i, p) / r.items();
      }
      one[p] = r.trueClass(example, p);
    }
    return new Side(r.accuracy(), mean, one);
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path f : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(f);
      }
    }
  }
}
