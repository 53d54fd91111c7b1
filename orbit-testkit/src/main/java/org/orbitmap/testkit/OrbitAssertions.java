package org.orbitmap.testkit;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.orbitmap.orbit.GroupAction;

/**
 * Assertions for your own tests, whatever framework they use:
 *
 * <pre>{@code
 * assertInvariant(model, new ImageRotation(Resampling.BILINEAR), images, 0.05);
 * assertInvariant(model, new ImageRotation(Resampling.BILINEAR), images).labels().atLeast(0.95);
 * }</pre>
 *
 * <p>Outputs are compared by {@link Values#distance}. A failure says how large the error is, and
 * with which input and which group element.
 */
public final class OrbitAssertions {
  private static final int TRIALS = 200;
  private static final long SEED = 1;

  private OrbitAssertions() {}

  /**
   * An assertion about how far a model is invariant; it says nothing until it is asked for
   * something:
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
  public static final class Invariance<G, X, Y> {
    private final Function<? super X, ? extends Y> model;
    private final Subject<G, X> subject;

    private Invariance(Function<? super X, ? extends Y> model, Subject<G, X> subject) {
      this.model = model;
      this.subject = subject;
    }

    /**
     * Fails unless f(act(g, x)) = f(x) up to a tolerance, always.
     *
     * @throws AssertionError with the largest error and its witness
     */
    public void within(double tolerance) {
      assertInvariant(model, subject, tolerance);
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
        for (int trial = 0; trial < TRIALS; trial++) {
          Law.Outcome outcome = law.replay(SEED, trial);
          if (outcome.error() == 0) {
            kept++;
          } else if (witness.isEmpty()) {
            witness = "seed %d, trial %d: %s".formatted(SEED, trial, outcome.witness().get());
          }
        }
        double found = (double) kept / TRIALS;
        if (found < share) {
          throw new AssertionError(
              String.format(
                  Locale.ROOT,
                  "expected the model to keep its label under %s in at least %.1f %%, found %.1f %% of %d trials%n  %s",
                  subject.name(),
                  100 * share,
                  100 * found,
                  TRIALS,
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

  /**
   * Fails unless f(act(g, x)) = f(x).
   *
   * @param model your function
   * @param action how the group acts on its inputs
   * @param inputs some inputs; drawn from at random
   * @param tolerance the largest difference of the outputs allowed
   * @throws AssertionError with the largest error and its witness
   */
  public static <G, X> void assertInvariant(
      Function<? super X, ?> model,
      GroupAction<G, X> action,
      List<? extends X> inputs,
      double tolerance) {
    assertInvariant(model, subject(action, inputs), tolerance);
  }

  /**
   * Fails unless f(act(g, x)) = f(x), on the inputs of a subject, such as {@link
   * BuiltIns#PERMUTATIONS}.
   *
   * @throws AssertionError with the largest error and its witness
   */
  public static <G, X> void assertInvariant(
      Function<? super X, ?> model, Subject<G, X> subject, double tolerance) {
    require("invariant", subject, Laws.invariant(subject, model, tolerance));
  }

  /**
   * The beginning of an assertion about how far a model is invariant.
   *
   * @param model your function
   * @param action how the group acts on its inputs
   * @param inputs some inputs; drawn from at random
   */
  public static <G, X, Y> Invariance<G, X, Y> assertInvariant(
      Function<? super X, ? extends Y> model, GroupAction<G, X> action, List<? extends X> inputs) {
    return new Invariance<>(model, subject(action, inputs));
  }

  /** The beginning of an assertion about how far a model is invariant, on a subject. */
  public static <G, X, Y> Invariance<G, X, Y> assertInvariant(
      Function<? super X, ? extends Y> model, Subject<G, X> subject) {
    return new Invariance<>(model, subject);
  }

  /**
   * Fails unless f(act(g, x)) = act(g, f(x)).
   *
   * @param model your function
   * @param action how the group acts on its inputs
   * @param onOutput how the group acts on its outputs
   * @param inputs some inputs; drawn from at random
   * @param tolerance the largest difference of the outputs allowed
   * @throws AssertionError with the largest error and its witness
   */
  public static <G, X, Y> void assertEquivariant(
      Function<? super X, ? extends Y> model,
      GroupAction<G, X> action,
      GroupAction<G, Y> onOutput,
      List<? extends X> inputs,
      double tolerance) {
    assertEquivariant(model, subject(action, inputs), onOutput, tolerance);
  }

  /**
   * Fails unless f(act(g, x)) = act(g, f(x)), on the inputs of a subject.
   *
   * @throws AssertionError with the largest error and its witness
   */
  public static <G, X, Y> void assertEquivariant(
      Function<? super X, ? extends Y> model,
      Subject<G, X> subject,
      GroupAction<G, Y> onOutput,
      double tolerance) {
    require("equivariant", subject, Laws.equivariant(subject, model, onOutput, tolerance));
  }

  /**
   * Fails unless every law holds.
   *
   * @throws AssertionError that lists each law that does not, with its witness
   */
  public static void assertLaws(List<Law> laws) {
    List<LawResult> failed =
        laws.stream().map(law -> law.check(TRIALS, SEED)).filter(r -> !r.holds()).toList();
    if (!failed.isEmpty()) {
      StringBuilder text = new StringBuilder(failed.size() + " of " + laws.size());
      text.append(" laws do not hold:");
      failed.forEach(r -> text.append("\n  ").append(r));
      throw new AssertionError(text.toString());
    }
  }

  private static <G, X> Subject<G, X> subject(GroupAction<G, X> action, List<? extends X> inputs) {
    return Subject.of(action.group().name(), action, Space.of(inputs), 0);
  }

  private static void require(String what, Subject<?, ?> subject, Law law) {
    LawResult result = law.check(TRIALS, SEED);
    if (!result.holds()) {
      throw new AssertionError(
          "expected the model to be %s under %s within %s, found an error of %s in %d trials%n  %s"
              .formatted(
                  what,
                  subject.name(),
                  law.tolerance(),
                  result.worstError(),
                  result.trials(),
                  result.witness()));
    }
  }
}
