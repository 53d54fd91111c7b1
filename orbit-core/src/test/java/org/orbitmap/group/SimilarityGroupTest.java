package org.orbitmap.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.orbitmap.group.SimilarityGroup.Rotations;

class SimilarityGroupTest {
  @Test
  void theLawsHoldInEverySubgroup() {
    Random random = new Random(1);
    for (int d = 2; d <= 3; d++) {
      for (SimilarityGroup group : SimilarityGroup.all(d)) {
        for (int k = 0; k < 50; k++) {
          Similarity g = group.sample(random);
          Similarity h = group.sample(random);
          Similarity m = group.sample(random);
          assertThat(
                  group.distance(
                      group.compose(group.compose(g, h), m), group.compose(g, group.compose(h, m))))
              .isLessThan(1e-12);
          assertThat(group.distance(group.compose(g, group.inverse(g)), group.identity()))
              .isLessThan(1e-12);
          assertThat(group.distance(group.compose(group.inverse(g), g), group.identity()))
              .isLessThan(1e-12);
        }
      }
    }
  }

  @Test
  void samplesStayInTheirSubgroup() {
    Random random = new Random(2);
    int mirrored = 0;
    for (int k = 0; k < 200; k++) {
      for (SimilarityGroup group : SimilarityGroup.all(3)) {
        Similarity g = group.sample(random);
        assertThat(g.scale() == 1 || group.scales()).isTrue();
        assertThat(g.translation()[0] == 0 || group.moves()).isTrue();
        assertThat(g.handedness() == 1 || group.rotations() == Rotations.ALL).isTrue();
        mirrored += g.handedness() < 0 ? 1 : 0;
      }
    }
    assertThat(mirrored).isBetween(300, 500);
  }

  @Test
  void extremeScalesAndShiftsRoundTrip() {
    Random random = new Random(3);
    SimilarityGroup group = SimilarityGroup.similarities(3);
    for (int k = 0; k < 1000; k++) {
      Similarity g = group.sample(random, 1e6, 1000);
      double[] x = {random.nextGaussian(), random.nextGaussian(), random.nextGaussian()};
      double[] y = g.inverse().apply(g.apply(x));
      // The shift is up to 1000, the scale down to 1e-6: 1e9 units in which x is about 1.
      for (int i = 0; i < 3; i++) {
        assertThat(y[i]).isCloseTo(x[i], within(1e-14 * (1 + 2000 / g.scale())));
      }
    }
  }

  @Test
  void containmentAndNames() {
    assertThat(SimilarityGroup.similarities(3).contains(SimilarityGroup.se(3))).isTrue();
    assertThat(SimilarityGroup.se(3).contains(SimilarityGroup.o(3))).isFalse();
    assertThat(SimilarityGroup.so(3).name()).isEqualTo("SO(3)");
    assertThat(SimilarityGroup.o(3).name()).isEqualTo("O(3)");
    assertThat(SimilarityGroup.se(2).name()).isEqualTo("SE(2)");
    assertThat(SimilarityGroup.similarities(3).name()).isEqualTo("Sim(3)");
    assertThat(SimilarityGroup.all(3).stream().map(SimilarityGroup::name).distinct()).hasSize(16);
  }

  @Test
  void whatIsNoSimilarityIsRefused() {
    assertThatThrownBy(() -> Similarity.scale(3, 0)).hasMessageContaining("positive finite scale");
    assertThatThrownBy(() -> Similarity.scale(3, Double.NaN)).hasMessageContaining("found NaN");
    assertThatThrownBy(() -> Similarity.rotation(1, 0, 0, 0, 1, 0, 0, 0, 2))
        .hasMessageContaining("orthogonal");
    assertThatThrownBy(() -> Similarity.translation(0, Double.NaN, 0))
        .hasMessageContaining("finite translation");
  }
}
