package org.orbitmap.paper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.io.network.UprightFile;
import org.orbitmap.model.InputShape;
import org.orbitmap.nn.fit.FitConfig;
import org.orbitmap.nn.fit.FitRecipe;
import org.orbitmap.nn.fit.Fitter;
import org.orbitmap.nn.model.MappingConfig;
import org.orbitmap.nn.train.Sampler;
import org.orbitmap.nn.train.TrainConfig;
import org.orbitmap.nn.train.TrainingListener;

/**
 * The upright mapping of a run that names no file for it: its predictor is fitted first, without
 * labels, on the inputs that the run is trained with and no others. Small images are restored, too;
 * large ones lose little by interpolation, and restoring them costs much.
 */
public final class UprightFit {
  /** The rule of a mapping whose predictor is fitted first. */
  public static final String RULE = "upright:fitted";

  /** How many angles of an image a network is asked about where it is asked about several. */
  public static final int IMAGE_FRAMES = 2;

  /** How many poses of a cloud it is asked about then. */
  public static final int CLOUD_FRAMES = 8;

  /** The side of the images that the predictor sees. */
  private static final int SIDE = 32;

  /** How many examples of images the predictor of a small table is fitted on. */
  private static final long FEW = 200_000;

  /** What it is measured on, as a share of the images, if the run itself needs none for that. */
  private static final double HELD = 0.1;

  private UprightFit() {}

  /** Whether the predictor of a mapping is to be fitted first. */
  public static boolean isNeededBy(MappingConfig mapping) {
    return mapping.used() && mapping.rule().equals(RULE);
  }

  /** The recipe for runs by themselves and at the scale of the paper. */
  public static FitRecipe recipe(DataSet<?> data) {
    return data.shape() instanceof InputShape.Images ? FitRecipe.standard() : FitRecipe.clouds();
  }

  static FitRecipe recipe(DataSet<?> data, Scale scale) {
    boolean fewer = scale != Scale.PAPER && data.shape() instanceof InputShape.Images;
    return fewer ? recipe(data).examples(FEW) : recipe(data);
  }

  /**
   * What the data of a fit is loaded with: that of the run; of clouds, more points to draw from.
   */
  public static TrainConfig data(TrainConfig run) {
    return run.points() > 0 ? run.with(c -> c.points(FitConfig.drawnFrom(run.points()))) : run;
  }

  /** The same mapping with the file of its predictor, if it is to be fitted first. */
  public static MappingConfig in(MappingConfig mapping, Path file) {
    return isNeededBy(mapping)
        ? mapping.rule("upright:" + file.toAbsolutePath().normalize())
        : mapping;
  }

  /** Where the predictor for the data, points and seed is among the runs of a table. */
  public static Path file(Path runs, TrainConfig c, int seed) {
    String name = Path.of(c.data()).getFileName() + (c.limit() == 0 ? "" : "-" + c.limit());
    name += c.points() == 0 ? "" : "-%d-points".formatted(c.points());
    return runs.toAbsolutePath()
        .normalize()
        .resolve("upright-%s%s.safetensors".formatted(name, seed == 0 ? "" : "-seed" + seed));
  }

  /**
   * Fits the predictor of a run, or goes on with a fit that was stopped. Nothing is done if the
   * file holds the predictor of the same images already.
   *
   * @param data that the run is trained with, loaded as {@link #data} says
   * @param file where the predictor goes
   */
  public static void run(
      TrainConfig run, DataSet<?> data, FitRecipe recipe, Path file, TrainingListener listener)
      throws IOException {
    run.requireSize(data);
    DataSet<?> all = run.limit() > 0 ? data.first(run.limit()) : data;
    double held = run.validation() > 0 ? run.validation() : HELD;
    Sampler parts = new Sampler(all, run.seed(), held, false);
    int[] order = parts.training().clone();
    Arrays.sort(order);
    DataSet<?> training = all.subset(order);
    if (Files.exists(file)
        && training.digest().equals(UprightFile.readAny(file).provenance().get("data-digest"))) {
      return;
    }
    boolean images = data.shape() instanceof InputShape.Images;
    int[] axes = data.shape().axes();
    int side = Math.min(SIDE, axes[axes.length - 1] / FitConfig.SIDES * FitConfig.SIDES);
    int points = run.points() > 0 ? run.points() : axes[0];
    String group = run.mapping().group();
    FitConfig config =
        new FitConfig(
            group.equals(MappingConfig.DEFAULT_GROUP) ? (images ? "so2" : "sim3") : group,
            images && axes[axes.length - 1] <= SIDE,
            images ? side : points,
            run.seed(),
            run.threads(),
            recipe);
    listener.note(
        "fitting what is upright on %,d %s, without labels"
            .formatted(order.length, data.shape().kind()));
    Fitter.of(config, training, all.subset(parts.validation())).listener(listener).fit(file);
  }
}
