package org.orbitmap.nn.train;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.orbitmap.eval.Progress;
import org.orbitmap.eval.Robustness;
import org.orbitmap.eval.Sweep;
import org.orbitmap.image.AngleSweep;
import org.orbitmap.image.Image;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampling;
import org.orbitmap.io.data.ImageSet;
import org.orbitmap.nn.network.Model;
import org.orbitmap.nn.tensor.Engine;

/**
 * Clean, average and worst accuracy of a model over rotations (paper, section 4.1). Images are
 * rotated before they are normalised, black outside unless asked otherwise; the worst case counts a
 * image as wrong as soon as one angle is.
 *
 * @param images how many images
 * @param step degrees between the angles
 * @param parts every answer, for each interpolation
 */
public record Evaluation(int images, double step, Map<String, Part> parts) {
  // Few enough that the activations stay in the processor's cache, enough to keep it busy.
  private static final int BATCH = 32;

  /**
   * How images were rotated, and what the model said.
   *
   * @param sweep the angles
   * @param answers every answer
   */
  public record Part(Sweep<Image> sweep, Robustness answers) {}

  /**
   * The figures for one interpolation.
   *
   * @param average over all angles and images
   * @param worst images that are right at every angle
   * @param angles the share of right answers at each angle
   */
  public record Score(double average, double worst, double[] angles) {}

  /** The share of right answers on the images as they are. */
  public double clean() {
    return parts.values().iterator().next().answers().accuracy().clean();
  }

  /** Average and worst share of right answers for each interpolation. */
  public Map<String, Score> interpolations() {
    Map<String, Score> scores = new LinkedHashMap<>();
    parts.forEach(
        (name, part) -> {
          Robustness r = part.answers();
          scores.put(
              name,
              new Score(
                  r.accuracy().average(),
                  r.accuracy().worst(),
                  r.poses().stream().mapToDouble(Robustness.PoseAccuracy::accuracy).toArray()));
        });
    return scores;
  }

  /**
   * A sweep with the mean colour outside instead of black: the same images as if they were rotated
   * after normalisation, which is how the authors evaluate.
   */
  private static Sweep<Image> overMean(Sweep<Image> sweep, float[] mean) {
    return new Sweep<>(
        sweep.name(),
        sweep.unit(),
        sweep.poses().stream()
            .map(
                p ->
                    p.identity()
                        ? p
                        : new Sweep.Pose<Image>(
                            p.label(),
                            p.value(),
                            u -> shifted(p.transform().apply(shifted(u, mean, -1)), mean, 1)))
            .toList());
  }

  /** u + sign·mean, channel by channel. */
  private static Image shifted(Image u, float[] mean, int sign) {
    float[] out = u.data().clone();
    for (int k = 0; k < out.length; k++) {
      out[k] += sign * mean[k / u.plane()];
    }
    return new Image(u.channels(), u.height(), u.width(), out);
  }

  /**
   * Measures a model; one engine thread for each image batch in flight.
   *
   * @param meanOutside whether rotated images show the mean colour outside instead of black
   * @param keep what to keep of the scores of the true class
   */
  public static Evaluation measure(
      Model model,
      ImageSet set,
      List<Interpolation> interpolations,
      double step,
      boolean meanOutside,
      int threads,
      Robustness.TrueClass keep,
      Progress progress) {
    if (interpolations.isEmpty()) {
      throw new IllegalArgumentException("interpolations: expected at least one, found none");
    }
    Map<String, Part> parts = new LinkedHashMap<>();
    for (int k = 0; k < interpolations.size(); k++) {
      int before = k;
      Sweep<Image> turns = AngleSweep.every(step, Resampling.of(interpolations.get(k)));
      Sweep<Image> sweep = meanOutside ? overMean(turns, model.description().mean()) : turns;
      Robustness answers =
          robustness(
              model,
              set,
              sweep,
              threads,
              keep,
              (done, total) ->
                  progress.update(before * total + done, interpolations.size() * total));
      parts.put(interpolations.get(k).id(), new Part(sweep, answers));
    }
    return new Evaluation(set.size(), step, parts);
  }

  /** Every answer of a model over a sweep. */
  public static Robustness robustness(
      Model model,
      ImageSet set,
      Sweep<Image> sweep,
      int threads,
      Robustness.TrueClass keep,
      Progress progress) {
    List<String> classes = model.description().classes();
    if (set.classes().size() != classes.size()) {
      throw new IllegalArgumentException(
          "%s: expected the %d classes of the model, found %d"
              .formatted(set.name(), classes.size(), set.classes().size()));
    }
    for (int c = 0; c < classes.size(); c++) {
      if (!set.classes().get(c).equals(classes.get(c))) {
        throw new IllegalArgumentException(
            "%s: expected the classes of the model, with %s as number %d, found %s"
                .formatted(set.name(), classes.get(c), c, set.classes().get(c)));
      }
    }
    int workers = threads > 0 ? threads : Runtime.getRuntime().availableProcessors();
    int before = Engine.threads();
    // Each worker turns and classifies its own batches: no thread ever waits for another.
    Engine.threads(1);
    try {
      return Robustness.measure(
          model, set.items(), sweep, new Robustness.Settings(workers, BATCH, keep), progress);
    } finally {
      Engine.threads(before);
    }
  }
}
