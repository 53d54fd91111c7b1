package org.orbitmap.paper;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class CountsTest {
  private static Counts counts(int images, int right, Map<String, Counts> classes) {
    return new Counts(
        images,
        right,
        Map.of("s", 2L * right),
        Map.of("s", 2L * images),
        Map.of("s", right),
        0,
        0,
        classes);
  }

  /** A network that always answers the commonest class: most are right, of the classes half. */
  @Test
  void theMeanOverTheClassesIsNotThatOverTheInputs() {
    Counts part =
        counts(4, 3, Map.of("common", counts(3, 3, Map.of()), "rare", counts(1, 0, Map.of())));
    Score score = Counts.NONE.plus(part).plus(part).score();
    assertThat(score.worst().get("s")).isEqualTo(0.75);
    assertThat(score.commonest()).isEqualTo(0.75);
    assertThat(score.byClass().worst().get("s")).isEqualTo(0.5);
    assertThat(score.byClass().clean()).isEqualTo(0.5);
  }

  /** Parts that were measured before classes were told apart say nothing of them. */
  @Test
  void partsWithoutClassesLeaveNone() {
    Counts part = counts(2, 1, Map.of("a", counts(1, 1, Map.of()), "b", counts(1, 0, Map.of())));
    assertThat(part.plus(counts(2, 2, Map.of())).score().byClass()).isNull();
    assertThat(counts(2, 2, Map.of()).plus(part).score().commonest()).isNull();
  }
}
