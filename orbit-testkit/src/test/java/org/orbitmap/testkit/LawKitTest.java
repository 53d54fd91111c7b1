package org.orbitmap.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.orbitmap.group.Permutations;
import org.orbitmap.image.Image;
import org.orbitmap.vector.VectorActions;
import org.orbitmap.vector.VectorMappings;

class LawKitTest {
  /** Fewer when each law is asked about thousands of changed classes. */
  private static final int TRIALS = Integer.getInteger("orbit.trials", 100);

  private static final long SEED = 20;

  @ParameterizedTest
  @MethodSource
  void everyLawHolds(Law law) {
    LawResult result = law.check(TRIALS, SEED);
    assertThat(result.holds()).as(result.toString()).isTrue();
  }

  static Stream<Law> everyLawHolds() {
    return BuiltIns.laws().stream();
  }

  @ParameterizedTest
  @MethodSource
  void everyMutantIsCaught(Mutant mutant) {
    assertThat(mutant.caught(TRIALS, SEED)).as(mutant.name()).isTrue();
  }

  static Stream<Mutant> everyMutantIsCaught() {
    return Mutants.all().stream();
  }

  /** Each law is used, and shown to be able to fail. */
  @Test
  void everyLawHasASubjectAndAMutant() throws IllegalAccessException {
    Set<String> names =
        Arrays.stream(Laws.class.getFields())
            .filter(f -> Modifier.isStatic(f.getModifiers()) && f.getType() == String.class)
            .map(
                f -> {
                  try {
                    return (String) f.get(null);
                  } catch (IllegalAccessException e) {
                    throw new AssertionError(e);
                  }
                })
            .collect(Collectors.toSet());
    assertThat(names).hasSizeGreaterThan(15);
    assertThat(BuiltIns.laws().stream().map(Law::name)).containsAll(names);
    assertThat(Mutants.all().stream().map(Mutant::law)).containsAll(names);
  }

  /** A mutant is caught by its mistake, not by a kit that calls everything broken. */
  @Test
  void namesAreUniqueAndTheWitnessReplays() {
    assertThat(Mutants.all().stream().map(Mutant::name)).doesNotHaveDuplicates();
    assertThat(BuiltIns.laws().stream().map(l -> l.subject() + l.name())).doesNotHaveDuplicates();
    Law law =
        Mutants.all().get(0).laws().stream()
            .filter(l -> l.name().equals(Laws.ASSOCIATIVITY))
            .findFirst()
            .orElseThrow();
    LawResult first = law.check(TRIALS, SEED);
    assertThat(law.check(TRIALS, SEED)).isEqualTo(first);
    assertThat(first.trials()).isEqualTo(TRIALS);
    String[] words = first.witness().split("[ ,:]+", -1);
    assertThat(words[1]).isEqualTo("" + SEED);
    assertThat(law.replay(SEED, Integer.parseInt(words[3])).error()).isEqualTo(first.worstError());
  }

  @Test
  void exceptionsAndNanAreViolations() {
    Law throwing =
        new Law(
            "s",
            "l",
            1,
            r -> {
              throw new IllegalStateException("boom");
            });
    assertThat(throwing.check(1, 1).holds()).isFalse();
    assertThat(throwing.check(1, 1).witness()).contains("boom");
    Law nan = new Law("s", "l", 1, r -> new Law.Outcome(Double.NaN, () -> ""));
    assertThat(nan.check(1, 1).worstError()).isInfinite();
  }

  @Test
  void assertionsPassAndFailWithTheWitness() {
    var permute = VectorActions.permute(new Permutations(3));
    List<double[]> inputs = List.of(new double[] {1, 2, 3}, new double[] {0, 5, -1});
    OrbitAssertions.assertInvariant(x -> Arrays.stream(x).max(), permute, inputs, 0);
    OrbitAssertions.assertInvariant(
        VectorMappings.sorting(5).invariant(x -> x[0]), BuiltIns.PERMUTATIONS, 0);
    OrbitAssertions.assertEquivariant(
        x -> Arrays.stream(x).map(Math::sin).toArray(), permute, permute, inputs, 0);
    assertThatThrownBy(() -> OrbitAssertions.assertInvariant(x -> x[0], permute, inputs, 0.5))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("invariant under S(3) within 0.5, found an error of 5.0")
        .hasMessageContaining("trial")
        .hasMessageContaining("g = [")
        .hasMessageContaining("x = [");
    assertThatThrownBy(
            () ->
                OrbitAssertions.assertEquivariant(
                    x -> new double[] {x[0], 0, 0}, permute, permute, inputs, 0.5))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("equivariant under S(3)");
    assertThatThrownBy(() -> OrbitAssertions.assertLaws(Mutants.all().get(0).laws()))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("laws do not hold")
        .hasMessageContaining(Laws.ASSOCIATIVITY);
    assertThatThrownBy(() -> OrbitAssertions.assertInvariant(x -> x[0], permute, List.of(), 0))
        .hasMessageContaining("at least one");
  }

  /** What a classifier may say. */
  private record Said(int label, float[] scores) {}

  @Test
  void aShareOfLabelsIsAsserted() {
    var permute = VectorActions.permute(new Permutations(3));
    List<double[]> inputs = List.of(new double[] {1, 2, 9}, new double[] {7, 7, 7});
    // The place of the largest number stays for one arrangement in three, and for equal numbers.
    Function<double[], Said> first =
        x -> new Said((int) Values.label(x), new float[] {(float) x[0]});
    OrbitAssertions.assertInvariant(first, permute, inputs).labels().atLeast(0.5);
    OrbitAssertions.assertInvariant((double[] x) -> x, permute, inputs).labels().atLeast(0.5);
    OrbitAssertions.assertInvariant((double[] x) -> x, permute, inputs)
        .labels(x -> x.length)
        .atLeast(1);
    OrbitAssertions.assertInvariant(x -> Arrays.stream(x).max(), permute, inputs).within(0);
    assertThatThrownBy(
            () -> OrbitAssertions.assertInvariant(first, permute, inputs).labels().atLeast(0.95))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("keep its label under S(3) in at least 95.0 %, found 73.0 %")
        .hasMessageContaining("label(x) = 2, label(gx) = ");
    assertThatThrownBy(
            () -> OrbitAssertions.assertInvariant(first, permute, inputs).labels().atLeast(95))
        .hasMessageContaining("expected 0 to 1, found 95");
    assertThatThrownBy(
            () -> OrbitAssertions.assertInvariant(x -> x[0], permute, inputs).within(0.5))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("invariant under S(3) within 0.5");
  }

  @Test
  void valuesAreComparedAsTheirDocumentationSays() {
    assertThat(Values.distance(1, 3.5)).isEqualTo(2.5);
    assertThat(Values.distance(new float[] {1, 2}, new float[] {1, 4})).isEqualTo(2);
    assertThat(Values.distance(new double[1], new double[2])).isInfinite();
    assertThat(Values.distance(Double.NaN, Double.NaN)).isInfinite();
    assertThat(Values.distance(new float[] {Float.NaN}, new float[] {0})).isInfinite();
    assertThat(Values.distance(List.of(1, 2), List.of(1, 5))).isEqualTo(3);
    assertThat(Values.distance("cat", "cat")).isZero();
    assertThat(Values.distance("cat", "dog")).as("one label changed").isEqualTo(1);
    assertThat(Values.distance("cat", 3)).isInfinite();
    assertThat(Values.distance("cat", null)).isInfinite();
    assertThat(Values.distance(new int[] {1, 2}, new int[] {1, 5})).isEqualTo(3);
    assertThat(Values.distance(new int[1], new int[2])).isInfinite();
    assertThat(Values.distance(List.of(1), List.of(1, 2))).isInfinite();
    Said a = new Said(3, new float[] {0.1f, 0.5f});
    assertThat(Values.distance(a, new Said(3, new float[] {0.1f, 0.5f}))).isZero();
    assertThat(Values.distance(a, new Said(3, new float[] {0.1f, 0.75f}))).isEqualTo(0.25);
    assertThat(Values.distance(a, new Said(9, new float[] {0.1f, 0.5f}))).isEqualTo(1);
    assertThat(Values.distance(a, new Said(3, new float[1]))).isInfinite();
    assertThat(Values.show(a)).isEqualTo("Said[label=3, scores=[0.1, 0.5]]");
    assertThat(Values.label(a)).isEqualTo(3);
    assertThat(Values.label(new double[] {1, 4, 4})).isEqualTo(1);
    assertThat(Values.label("cat")).isEqualTo("cat");
    assertThat(Values.distance(new double[][] {{1}, {2}}, new double[][] {{1}, {3}})).isEqualTo(1);
    assertThat(Values.distance(Image.black(1, 2, 3), Image.black(1, 3, 2))).isInfinite();
    assertThat(Values.show(new double[20])).contains("20 in all");
  }
}
