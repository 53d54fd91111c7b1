package org.orbitmap.testkit;

import java.util.Locale;
import java.util.function.Function;

/**
 * An assertion about how far a model is invariant; it says nothing until it is asked for something:
 *
 * <pre>{@code
 * assertInvariant(model, action, inputs).within(1e-5);
 * assertInvariant(model, action, inputs).labels().atLeast(0.95);
 * }</pre>
 *
 * @param <G> the group elements
 * @param <X> the inputs
 * @param <Y> the outputs
 */
public final class InvarianceAssert<G, X, Y> {
  private final Function<? super X, ? extends Y> model;
  private final Subject<G, X> subject;

  InvarianceAssert(Function<? super X, ? extends Y> model, Subject<G, X> subject) {
    this.model = model;
    this.subject = subject;
  }

  /**
   * Fails unless f(act(g, x)) = f(x) up to a tolerance, always.
   *
   * @throws AssertionError with the largest error and its witness
   */
  public void within(double tolerance) {
    OrbitAssertions.assertInvariant(model, subject, tolerance);
  }

  /** What the outputs say, see {@link Values#label}. */
  public Labels labels() {
    return labels(Values::label);
  }

  /** What the outputs say, by a function of your own. */
  public Labels labels(Function<? super Y, ?> label) {
    return new Labels(model.andThen(label));
  }

  /** How often the label of a moved input is that of the input as it is. */
  public final class Labels {
    private final Function<? super X, ?> label;

    private Labels(Function<? super X, ?> label) {
      this.label = label;
    }

    /**
     * Fails unless label(f(act(g, x))) = label(f(x)) for at least this share of random inputs and
     * group elements.
     *
     * @param share from 0 to 1
     * @throws AssertionError with the share that was found and the first label that changed
     */
    public void atLeast(double share) {
      if (!(share >= 0 && share <= 1)) {
        throw new IllegalArgumentException("share: expected 0 to 1, found " + share);
      }
      Law law = law();
      int kept = 0;
      String witness = "";
      for (int trial = 0; trial < OrbitAssertions.TRIALS; trial++) {
        Law.Outcome outcome = law.replay(OrbitAssertions.SEED, trial);
        if (outcome.error() == 0) {
          kept++;
        } else if (witness.isEmpty()) {
          witness =
              "seed %d, trial %d: %s"
                  .formatted(OrbitAssertions.SEED, trial, outcome.witness().get());
        }
      }
      double found = (double) kept / OrbitAssertions.TRIALS;
      if (found < share) {
        throw new AssertionError(
            String.format(
                Locale.ROOT,
                "expected the model to keep its label under %s in at least %.1f %%, found %.1f %% of %d trials%n  %s",
                subject.name(),
                100 * share,
                100 * found,
                OrbitAssertions.TRIALS,
                witness));
      }
    }

    /** Elements come in general position only: the identity keeps every label. */
    private Law law() {
      return new Law(
          subject.name(),
          "kept label",
          0,
          r -> {
            X x = subject.input(r);
            G g = subject.element().apply(r);
            Object plain = label.apply(x);
            Object there = label.apply(subject.action().act(g, x));
            return Law.Outcome.of(
                Values.distance(plain, there), "g; x; label(x); label(gx)", g, x, plain, there);
          });
    }
  }
}
