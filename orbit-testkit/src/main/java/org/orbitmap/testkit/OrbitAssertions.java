package org.orbitmap.testkit;

import java.util.List;
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
  static final int TRIALS = 200;
  static final long SEED = 1;

  private OrbitAssertions() {}

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
  public static <G, X, Y> InvarianceAssert<G, X, Y> assertInvariant(
      Function<? super X, ? extends Y> model, GroupAction<G, X> action, List<? extends X> inputs) {
    return new InvarianceAssert<>(model, subject(action, inputs));
  }

  /** The beginning of an assertion about how far a model is invariant, on a subject. */
  public static <G, X, Y> InvarianceAssert<G, X, Y> assertInvariant(
      Function<? super X, ? extends Y> model, Subject<G, X> subject) {
    return new InvarianceAssert<>(model, subject);
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
