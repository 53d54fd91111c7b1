package org.orbitmap.nn.fit;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.image.Image;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.io.network.UprightFile;
import org.orbitmap.network.FloatTensor;
import org.orbitmap.network.zoo.UprightCube;
import org.orbitmap.upright.CloudUprightPredictor;
import org.orbitmap.upright.CloudUprightSettings;
import org.orbitmap.upright.FittedCloudUpright;

/** The fit of clouds: a predictor of the rotation that makes a cloud upright. */
final class CloudFit implements Fitter.Kind {
  /** The share within 20° of whoever guesses one of the six axes. */
  private static final double CHANCE = 1.0 / 6;

  private static final double[] STAYS = UprightCube.rotation(0);

  private static final int SIDE = 64;

  private final DataSet<PointCloud> validation;
  private final CloudUprightSettings settings;
  private final Validation<PointCloud, double[]> measured;
  private final PredictorTask<PointCloud, double[]> predictor;

  CloudFit(FitConfig config, DataSet<PointCloud> training, DataSet<PointCloud> validation) {
    this.validation = validation;
    if (config.restore()) {
      throw new IllegalArgumentException(
          "restorer: expected images, found clouds, whose poses do not blur");
    }
    FitRecipe r = config.recipe();
    settings =
        new CloudUprightSettings(
            config.group(), "skewness", r.network(), r.widthFactor(), config.size());
    CloudExamples examples = new CloudExamples(settings, r);
    measured = new Validation<>(validation, examples, config.seed());
    predictor = new PredictorTask<>(config, training, examples, measured);
  }

  @Override
  public List<FitTask> tasks() {
    return List.of(predictor);
  }

  @Override
  public Measured measure() {
    List<PoseErrors.Answer<double[]>> answers = measured.all(predictor);
    return new Measured(
        PoseErrors.of(answers, CHANCE),
        answers.stream().mapToDouble(PoseErrors.Answer::errorDegrees).toArray(),
        List.of(),
        FitResult.shown(answers, this::shown));
  }

  private FitResult.Shown shown(PoseErrors.Answer<double[]> a) {
    PointCloud canonical = measured.posed(a.index()).input();
    PointCloud upright = validation.input(a.index());
    return new FitResult.Shown(
        fromTheSide(upright, STAYS),
        fromTheSide(canonical, STAYS),
        fromTheSide(canonical, a.said()),
        a.errorDegrees(),
        a.confidence());
  }

  /** A cloud as seen along y, z up; what is near is darker. */
  private static Image fromTheSide(PointCloud cloud, double[] rotation) {
    float[] x = CloudUprightPredictor.seen(cloud).coordinates();
    float[] grey = new float[SIDE * SIDE];
    Arrays.fill(grey, 1);
    for (int p = 0; p < x.length; p += 3) {
      double[] y = new double[3];
      for (int i = 0; i < 9; i++) {
        y[i / 3] += rotation[i] * x[p + i % 3];
      }
      int column = (int) Math.round(SIDE * (0.5 + y[0] / 4.4));
      int row = (int) Math.round(SIDE * (0.5 - y[2] / 4.4));
      if (column >= 0 && column < SIDE && row >= 0 && row < SIDE) {
        float shade = (float) Math.max(0, Math.min(0.75, 0.4 + 0.2 * y[1]));
        grey[row * SIDE + column] = Math.min(grey[row * SIDE + column], shade);
      }
    }
    return new Image(1, SIDE, SIDE, grey);
  }

  @Override
  public void write(
      Path out, Map<String, Map<String, FloatTensor>> weights, Map<String, String> provenance)
      throws IOException {
    UprightFile.write(
        out, new FittedCloudUpright(settings, weights.get(predictor.name()), provenance));
  }
}
