package org.orbitmap.nn.fit;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.orbitmap.group.O2.Orthogonal2;
import org.orbitmap.image.Image;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampler;
import org.orbitmap.image.Resampler.Affine;
import org.orbitmap.image.Resampling;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.io.network.UprightFile;
import org.orbitmap.network.FloatTensor;
import org.orbitmap.upright.FittedUpright;
import org.orbitmap.upright.UprightPredictor;
import org.orbitmap.upright.UprightSettings;

/** The fit of images: a predictor of rotations or of rotations and mirrorings, and a restorer. */
final class ImageFit implements Fitter.Kind {
  private final FitConfig config;
  private final DataSet<Image> validation;
  private final UprightSettings settings;
  private final Validation<Image, Orthogonal2> measured;
  private final PredictorTask<Image, Orthogonal2> predictor;
  private final RestorerTask restorer;

  ImageFit(FitConfig config, DataSet<Image> training, DataSet<Image> validation) {
    this.config = config;
    this.validation = validation;
    int[] axes = training.shape().axes();
    if (axes[1] != axes[2] || !training.shape().equals(validation.shape())) {
      throw new IllegalArgumentException(
          "%s: expected square images of one size, found %s and %s"
              .formatted(training.name(), training.shape(), validation.shape()));
    }
    FitRecipe r = config.recipe();
    settings =
        new UprightSettings(
            config.group(),
            "disc",
            config.group().equals("o2") ? r.network() + "-o2" : r.network(),
            r.widthFactor(),
            axes[0],
            config.size(),
            r.bins(),
            r.views(),
            r.reading(),
            r.outside(),
            config.restore() ? r.restorer() : "");
    restorer = config.restore() ? new RestorerTask(config, training, validation) : null;
    ImageExamples examples = new ImageExamples(r, training.shape(), settings, restorer);
    measured = new Validation<>(validation, examples, config.seed());
    predictor = new PredictorTask<>(config, training, examples, measured);
  }

  @Override
  public List<FitTask> tasks() {
    return restorer == null ? List.of(predictor) : List.of(restorer, predictor);
  }

  @Override
  public Measured measure() {
    List<PoseErrors.Answer<Orthogonal2>> answers = measured.all(predictor);
    return new Measured(
        PoseErrors.of(answers, PoseErrors.CHANCE),
        answers.stream().mapToDouble(PoseErrors.Answer::errorDegrees).toArray(),
        restorer == null
            ? List.of()
            : Arrays.stream(Interpolation.values()).map(restorer::restoration).toList(),
        FitResult.shown(answers, this::shown));
  }

  private FitResult.Shown shown(PoseErrors.Answer<Orthogonal2> a) {
    Image canonical = ImageExamples.first(measured.posed(a.index()).input(), validation.shape());
    Resampling how = Resampling.of(config.recipe().reading());
    Affine map = Affine.of(a.said());
    Image seen = Resampler.sample(canonical, map, how, UprightPredictor.offsets(settings));
    return new FitResult.Shown(
        validation.input(a.index()),
        canonical,
        restorer == null ? seen : restorer.restored(seen),
        a.errorDegrees(),
        a.confidence());
  }

  @Override
  public void write(
      Path out, Map<String, Map<String, FloatTensor>> weights, Map<String, String> provenance)
      throws IOException {
    UprightFile.write(
        out,
        new FittedUpright(
            settings,
            weights.get(predictor.name()),
            restorer == null ? Map.of() : weights.get(restorer.name()),
            provenance));
  }
}
