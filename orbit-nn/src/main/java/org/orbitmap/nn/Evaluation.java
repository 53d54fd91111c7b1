package org.orbitmap.nn;

import java.util.AbstractList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.orbitmap.eval.Labelled;
import org.orbitmap.eval.Progress;
import org.orbitmap.eval.Robustness;
import org.orbitmap.eval.Sweep;
import org.orbitmap.group.Rotation2;
import org.orbitmap.image.Image;
import org.orbitmap.image.ImageRotation;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampling;
import org.orbitmap.io.ImageSet;

/**
 * Clean, average and worst accuracy of a model over rotations (paper, section 4.1). Pictures are
 * turned before they are normalised, black outside; the worst case counts a picture as wrong as
 * soon as one angle is.
 *
 * @param images how many pictures
 * @param step degrees between the angles
 * @param clean share of right answers on the pictures as they are
 * @param interpolations average and worst share of right answers for each interpolation
 */
public record Evaluation(int images, double step, double clean, Map<String, Score> interpolations) {
  private static final int BATCH = 125;

  /**
   * For one interpolation.
   *
   * @param average over all angles and pictures
   * @param worst pictures that are right at every angle
   * @param angles the share of right answers at each angle
   */
  public record Score(double average, double worst, double[] angles) {}

  /** The angles 0, step, 2·step, … below a limit, as poses. */
  static Sweep<Image> sweep(Interpolation interpolation, double step, double below) {
    int n = (int) Math.ceil(below / step - 1e-9);
    double[] degrees = IntStream.range(0, n).mapToDouble(i -> i * step).toArray();
    return Sweep.of(
        "rotation, " + interpolation.id(),
        "°",
        new ImageRotation(Resampling.of(interpolation)),
        degrees,
        Rotation2::ofDegrees);
  }

  /** Measures a model; one engine thread for each picture batch in flight. */
  public static Evaluation measure(
      Model model,
      ImageSet set,
      List<Interpolation> interpolations,
      double step,
      int threads,
      Progress progress) {
    if (!(step > 0 && step <= 360)) {
      throw new IllegalArgumentException("step: expected degrees in (0, 360], found " + step);
    }
    Map<String, Score> scores = new LinkedHashMap<>();
    double clean = 0;
    for (int k = 0; k < interpolations.size(); k++) {
      int before = k;
      Robustness r =
          robustness(
              model,
              set,
              sweep(interpolations.get(k), step, 360),
              threads,
              Robustness.TrueClass.NONE,
              (done, total) ->
                  progress.update(before * total + done, interpolations.size() * total));
      clean = r.accuracy().clean();
      scores.put(
          interpolations.get(k).id(),
          new Score(
              r.accuracy().average(),
              r.accuracy().worst(),
              r.poses().stream().mapToDouble(Robustness.PoseAccuracy::accuracy).toArray()));
    }
    return new Evaluation(set.size(), step, clean, scores);
  }

  /** Every answer of a model over a sweep. */
  public static Robustness robustness(
      Model model,
      ImageSet set,
      Sweep<Image> sweep,
      int threads,
      Robustness.TrueClass keep,
      Progress progress) {
    if (set.classes().size() != model.description().classes().size()) {
      throw new IllegalArgumentException(
          "%s: expected the %d classes of the model, found %d"
              .formatted(set.name(), model.description().classes().size(), set.classes().size()));
    }
    int workers = threads > 0 ? threads : Runtime.getRuntime().availableProcessors();
    int before = Engine.threads();
    // Each worker turns and classifies its own batches: no thread ever waits for another.
    Engine.threads(1);
    try {
      return Robustness.measure(
          model, labelled(set), sweep, new Robustness.Settings(workers, BATCH, keep), progress);
    } finally {
      Engine.threads(before);
    }
  }

  /** A set as a list that makes each picture when asked for it. */
  static List<Labelled<Image>> labelled(ImageSet set) {
    return new AbstractList<>() {
      @Override
      public Labelled<Image> get(int i) {
        return new Labelled<>(set.image(i), set.labels()[i]);
      }

      @Override
      public int size() {
        return set.size();
      }
    };
  }
}
