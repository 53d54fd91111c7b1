package org.orbitmap.testkit.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.orbitmap.testkit.Law;
import org.orbitmap.testkit.LawResult;
import org.orbitmap.testkit.Mutant;

class SteerableLawsTest {
  private static final int TRIALS = 30;
  private static final long SEED = 20;

  @ParameterizedTest
  @MethodSource
  void everyLawHolds(Law law) {
    LawResult result = law.check(TRIALS, SEED);
    assertThat(result.holds()).as(result.toString()).isTrue();
  }

  static Stream<Law> everyLawHolds() {
    return SteerableLaws.laws().stream();
  }

  @ParameterizedTest
  @MethodSource
  void everyMutantIsCaught(Mutant mutant) {
    assertThat(mutant.caught(TRIALS, SEED)).as(mutant.name()).isTrue();
  }

  static Stream<Mutant> everyMutantIsCaught() {
    return SteerableMutants.all().stream();
  }

  @Test
  void everyLawHasAMutantAndNamesAreUnique() {
    assertThat(SteerableMutants.all().stream().map(Mutant::law))
        .contains(
            SteerableLaws.LAYER,
            SteerableLaws.LAYER_BETWEEN,
            SteerableLaws.NETWORK,
            SteerableLaws.NETWORK_BETWEEN,
            KernelLaws.DIMENSION);
    assertThat(SteerableLaws.laws().stream().map(l -> l.subject() + l.name()))
        .doesNotHaveDuplicates();
  }
}
