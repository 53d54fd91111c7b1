package org.orbitmap.app.sample;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.orbitmap.eval.Progress;
import org.orbitmap.eval.Robustness;
import org.orbitmap.eval.Sweep;
import org.orbitmap.image.AngleSweep;
import org.orbitmap.image.Image;
import org.orbitmap.image.Resampling;
import org.orbitmap.io.data.Choice;
import org.orbitmap.io.data.ImageSet;
import org.orbitmap.io.data.Split;
import org.orbitmap.io.data.source.DataSets;
import org.orbitmap.nn.model.Evaluation;
import org.orbitmap.nn.model.MappingConfig.Use;
import org.orbitmap.nn.model.Model;
import org.orbitmap.nn.train.RunFolder;
import org.orbitmap.nn.train.TrainConfig;
import org.orbitmap.nn.train.Trainer;
import org.orbitmap.nn.train.TrainingListener;

/**
 * The whole story in a minute: a small network is trained on upright signs, once plain and once
 * with orbit mapping, and both are tested at all angles.
 *
 * @param test the signs they were tested on
 * @param sweep the angles
 * @param plain what the network without a mapping said, with the probabilities of the true class
 * @param mapped what the network with one said
 */
public record DemoExperiment(
    ImageSet test, Sweep<Image> sweep, Robustness plain, Robustness mapped) {
  /** Of everything random in it. */
  public static final long SEED = 0;

  private static final double STEP = 5;
  private static final int IMAGES = 80;

  /** Trains and tests; progress in training images of both networks. */
  public static DemoExperiment run(Progress progress) throws IOException {
    ImageSet data = DataSets.images("glyphs", null, Split.TRAIN, Choice.ALL);
    ImageSet test = DataSets.images("glyphs", null, Split.TEST, Choice.ALL.withLimit(IMAGES));
    Sweep<Image> sweep = AngleSweep.every(STEP, Resampling.BILINEAR);
    List<Robustness> measured = new ArrayList<>();
    Path folder = Files.createTempDirectory("orbit-demo");
    try {
      for (int k = 0; k < 2; k++) {
        Use use = k == 0 ? Use.NONE : Use.TRAIN_AND_TEST;
        TrainConfig config =
            TrainConfig.glyphs()
                .with(
                    c ->
                        c.seed(SEED)
                            .limit(2000)
                            .network(n -> n.widthFactor(0.25))
                            .epochs(5)
                            .threads(1) // so small a network: more threads only wait
                            .mapping(m -> m.when(use)));
        RunFolder run = new RunFolder(folder.resolve(k == 0 ? "plain" : "mapped"));
        int part = k;
        Trainer.of(config, data)
            .listener(
                new TrainingListener() {
                  @Override
                  public void progress(long done, long total) {
                    progress.update(part * total + done, 2 * total);
                  }
                })
            .start(run.path());
        measured.add(
            Evaluation.robustness(
                Model.load(run.modelFile()),
                test,
                sweep,
                0,
                Robustness.TrueClass.SCORE,
                Progress.OFF));
      }
    } finally {
      delete(folder);
    }
    return new DemoExperiment(test, sweep, measured.get(0), measured.get(1));
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path f : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(f);
      }
    }
  }
}
