package org.orbitmap.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What the shape of an output tells. */
class TensorSpecTest {
  private static TensorSpec floats(String name, long... lengths) {
    return new TensorSpec(name, "float", TensorSpec.sizes(lengths));
  }

  @Test
  void shapesAsPeopleWriteThem() {
    TensorSpec spec =
        new TensorSpec(
            "x",
            "float",
            List.of(
                new TensorSpec.Dimension(-1, "N"),
                new TensorSpec.Dimension(-1, ""),
                new TensorSpec.Dimension(0, ""),
                new TensorSpec.Dimension(32, "ignored")));
    assertThat(spec).hasToString("x: float N x ? x 0 x 32");
    assertThat(floats("y").shapeText()).isEqualTo("scalar or unknown shape");
    assertThat(spec.rank()).isEqualTo(4);
    assertThat(spec.lengths()).containsExactly(-1, -1, 0, 32);
    assertThat(spec.length(3)).isEqualTo(32);
    assertThat(spec.asRow().lengths()).containsExactly(1, -1, -1, 0, 32);
    assertThat(spec.asRow().name()).isEqualTo("x");
  }

  @Test
  void anAxisThatNoArrayHolds() {
    assertThat(floats("x", Integer.MAX_VALUE).length(0)).isEqualTo(Integer.MAX_VALUE);
    assertThatThrownBy(() -> floats("x", Integer.MAX_VALUE + 1L).length(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("x: expected axes of at most 2147483647");
  }

  /** Rows of scores: real numbers along one axis beside the batch. */
  @Test
  void whatCanBeScores() {
    assertThat(floats("a", -1, 10).scores()).isTrue();
    assertThat(floats("a", -1, 10, 1, 1).scores()).isTrue();
    assertThat(floats("a", 10).scores()).isTrue();
    assertThat(floats("a").scores()).isTrue();
    assertThat(floats("a", -1, 10, 7).scores()).isFalse();
    assertThat(new TensorSpec("a", "int64", TensorSpec.sizes(-1, 10)).scores()).isFalse();
    for (String real : List.of("float", "float16", "bfloat16", "double")) {
      assertThat(new TensorSpec("a", real, TensorSpec.sizes(-1, 10)).real()).isTrue();
    }
  }

  @Test
  void oneNumberForEachInput() {
    assertThat(floats("a", -1, 1).binary()).isTrue();
    assertThat(floats("a", -1, 1, 1).binary()).isTrue();
    assertThat(floats("a", -1).binary()).isTrue();
    assertThat(floats("a", 1).binary()).isTrue();
    assertThat(floats("a", 2).binary()).isFalse();
    assertThat(floats("a", -1, 2).binary()).isFalse();
    assertThat(floats("a").binary()).isFalse();
  }

  @Test
  void whereTheClassesAre() {
    assertThat(floats("a", -1, 10).classAxis()).isEqualTo(1);
    assertThat(floats("a", -1, 1, 1, 10).classAxis()).isEqualTo(3);
    assertThat(floats("a", -1, 1).classAxis()).isEqualTo(1);
    assertThat(floats("a", -1, 10, 7).dense()).isTrue();
    assertThat(floats("a", -1, -1, -1).dense()).isTrue();
    assertThat(floats("a", -1, 10).dense()).isFalse();
  }

  /** A score for each class before a single number, and two axes before any other number. */
  @Test
  void theOutputOfScores() {
    TensorSpec labels = new TensorSpec("label", "int64", TensorSpec.sizes(-1));
    TensorSpec one = floats("one", -1, 1);
    TensorSpec wide = floats("wide", -1, 10, 1, 1);
    TensorSpec rows = floats("rows", -1, 10);
    assertThat(TensorSpec.scores(List.of(labels, one, wide, rows), null)).contains(rows);
    assertThat(TensorSpec.scores(List.of(labels, one, wide), null)).contains(wide);
    assertThat(TensorSpec.scores(List.of(labels, one), null)).contains(one);
    assertThat(TensorSpec.scores(List.of(labels), null)).isEmpty();
    assertThat(TensorSpec.scores(List.of(labels, one, wide, rows), "one")).contains(one);
    assertThat(TensorSpec.scores(List.of(labels, rows), "label")).isEmpty();
    assertThatThrownBy(() -> TensorSpec.scores(List.of(labels, rows), "none"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("outputs [label, rows], found \"none\"");
  }
}
