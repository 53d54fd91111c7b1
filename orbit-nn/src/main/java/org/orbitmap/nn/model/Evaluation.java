package org.orbitmap.nn.model;

import java.util.List;
import org.orbitmap.eval.Progress;
import org.orbitmap.eval.Robustness;
import org.orbitmap.eval.Sweep;
import org.orbitmap.image.Image;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.nn.tensor.Engine;

/** Trained models over the orbits of their inputs (paper, section 4). */
public final class Evaluation {
  // Few enough that the activations stay in the processor's cache, enough to keep it busy.
  private static final int BATCH = 32;

  private Evaluation() {}

  /**
   * Every answer of a model over a sweep.
   *
   * @param threads batches at once; 0 for one on each processor
   * @param keep what to keep of the scores of the true class
   * @throws IllegalArgumentException if the data has other inputs or classes than the model
   */
  public static <X> Robustness robustness(
      Model<?> model,
      DataSet<X> set,
      Sweep<X> sweep,
      int threads,
      Robustness.TrueClass keep,
      Progress progress) {
    if (set.labelled()) {
      requireClasses(model, set);
    }
    Model<X> asked = model.taking(set.shape());
    int workers = threads > 0 ? threads : Runtime.getRuntime().availableProcessors();
    int before = Engine.threads();
    // Each worker moves and classifies its own batches: no thread ever waits for another.
    Engine.threads(1);
    try {
      return Robustness.measure(
          asked, set.items(), sweep, new Robustness.Settings(workers, BATCH, keep), progress);
    } finally {
      Engine.threads(before);
    }
  }

  private static void requireClasses(Model<?> model, DataSet<?> set) {
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
  }

  /**
   * A sweep with the mean colour outside instead of black: the same images as if they were rotated
   * after normalisation, which is how the paper's authors evaluate.
   */
  public static Sweep<Image> overMean(Sweep<Image> sweep, float[] mean) {
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
}
