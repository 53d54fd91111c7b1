package org.orbitmap.eval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Rows of scores, poses, items. */
class ScoresTest {
  @Test
  void theFirstOfTheLargest() {
    assertThat(Scores.argmax(new float[] {1, 3, 3, 2})).isEqualTo(1);
    assertThat(Scores.argmax(new float[] {5})).isZero();
    assertThat(Scores.argmax(new float[] {-3, -2, -1})).isEqualTo(2);
  }

  @Test
  void softmaxOfDifferences() {
    float l = (float) Math.log(3);
    assertThat(Scores.softmax(new float[] {0, l}))
        .containsExactly(new double[] {0.25, 0.75}, within(1e-6));
    assertThat(Scores.softmax(new float[] {1000, 1000 - l}))
        .containsExactly(new double[] {0.75, 0.25}, within(1e-4));
    float inf = Float.POSITIVE_INFINITY;
    assertThat(Scores.softmax(new float[] {inf, 0, inf})).containsExactly(0.5, 0, 0.5);
  }

  /** Non-negative with sum 1, to 10⁻³: a distribution; all else are scores. */
  @Test
  void distributionsStayAsTheyAre() {
    float[] p = {0.25f, 0.75f};
    assertThat(Scores.probabilities(p)).containsExactly(0.25, 0.75);
    assertThat(Scores.probabilities(new float[] {0, 1})).containsExactly(0, 1);
    assertThat(Scores.probabilities(new float[] {0.25f, 0.7505f})[1]).isEqualTo(0.7505f);
    assertThat(Scores.probabilities(new float[] {0.25f, 0.752f})[1])
        .isEqualTo(Scores.softmax(new float[] {0.25f, 0.752f})[1]);
    assertThat(Scores.probabilities(new float[] {-0.5f, 1.5f})[1])
        .isEqualTo(Scores.softmax(new float[] {-0.5f, 1.5f})[1]);
  }

  @Test
  void totalVariation() {
    assertThat(Scores.totalVariation(new double[] {1, 0}, new double[] {0, 1})).isEqualTo(1);
    assertThat(Scores.totalVariation(new double[] {0.5, 0.5}, new double[] {0.25, 0.75}))
        .isEqualTo(0.25);
    assertThatThrownBy(() -> Scores.totalVariation(new double[1], new double[2]))
        .hasMessage("distributions: expected equal lengths, found 1 and 2");
  }

  @Test
  void items() {
    List<Labelled<String>> unknown = Labelled.unknown(List.of("a", "b"));
    assertThat(unknown)
        .containsExactly(new Labelled<>("a", -1), new Labelled<>("b", Labelled.UNKNOWN));
    assertThat(Labelled.list(i -> "x" + i, new int[] {4, 5}))
        .containsExactly(new Labelled<>("x0", 4), new Labelled<>("x1", 5));
    assertThatThrownBy(() -> new Labelled<>("a", -2)).hasMessageContaining("found -2");
  }

  @Test
  void posesOfNumbers() {
    assertThatThrownBy(() -> new Sweep<String>("none", "", List.of()))
        .hasMessageContaining("at least one pose");
    Sweep<String> clean = Sweep.clean();
    assertThat(clean.poses()).hasSize(1);
    assertThat(clean.identity()).isZero();
    assertThat(clean.poses().get(0).transform().apply("a")).isEqualTo("a");
    Sweep<String> two =
        new Sweep<>(
            "two",
            "",
            List.of(new Sweep.Pose<>("b", 1, s -> s + "b"), Sweep.Pose.identity("none", 2)));
    assertThat(two.identity()).isEqualTo(1);
    assertThat(new Sweep<>("one", "", two.poses().subList(0, 1)).identity()).isEqualTo(-1);
  }

  @Test
  void statistics() {
    assertThat(Statistic.of(4)).isEqualTo(new Statistic(4, 0, 1));
    assertThat(Statistic.of(1, 3).std()).isCloseTo(Math.sqrt(2), within(1e-12));
    assertThat(Statistic.over(List.of("a", "abc"), String::length)).isEqualTo(Statistic.of(1, 3));
    assertThatThrownBy(Statistic::of).hasMessageContaining("at least one run");
  }
}
