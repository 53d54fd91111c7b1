package org.orbitmap.nn.model;

import java.util.List;
import org.orbitmap.eval.Progress;
import org.orbitmap.eval.Robustness;
import org.orbitmap.eval.Sweep;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.nn.tensor.Engine;

/** Trained models over the orbits of their inputs (paper, section 4). */
public final class Evaluation {
  /**
   * Inputs in a call of the network: few enough that the activations stay in the processor's cache,
   * enough to keep it busy.
   */
  public static final int BATCH = 32;

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
}
