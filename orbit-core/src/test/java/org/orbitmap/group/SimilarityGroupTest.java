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
  void everySubgroupHasItsName() {
    assertThat(SimilarityGroup.all(2)).hasSize(12);
    assertThat(SimilarityGroup.all(3).stream().map(SimilarityGroup::name))
        .containsExactly(
            "identity of R^3",
            "scalings of R^3",
            "translations of R^3",
            "scalings and translations of R^3",
            "SO(2) about the vertical",
            "R+ x SO(2) about the vertical",
            "SE(3) about the vertical",
            "Sim(3) about the vertical",
            "SO(3)",
            "R+ x SO(3)",
            "SE(3)",
            "Sim(3)",
            "O(3)",
            "R+ x O(3)",
            "E(3)",
            "Sim±(3)");
    for (int d = 2; d <= 3; d++) {
      for (SimilarityGroup g : SimilarityGroup.all(d)) {
        for (SimilarityGroup h : SimilarityGroup.all(d)) {
          boolean every =
              g.rotations().compareTo(h.rotations()) >= 0
                  && (g.scales() || !h.scales())
                  && (g.moves() || !h.moves());
          assertThat(g.contains(h)).as(g.name() + ", " + h.name()).isEqualTo(every);
        }
        assertThat(g.contains(SimilarityGroup.translations(5 - d))).isFalse();
      }
    }
  }

  @Test
  void distancesAreThoseOfTheWorstPart() {
    SimilarityGroup sim3 = SimilarityGroup.similarities(3);
    Similarity one = sim3.identity();
    assertThat(sim3.distance(one, one)).isZero();
    assertThat(sim3.distance(Similarity.scale(3, 2), one)).isEqualTo(Math.log(2));
    assertThat(sim3.distance(Similarity.translation(0, 0, 0.5), one)).isEqualTo(0.5);
    assertThat(sim3.distance(Similarity.translation(0, 8, 0), Similarity.translation(0, 6, 0)))
        .isEqualTo(0.25);
    assertThat(sim3.distance(Similarity.translation(4, 0, 0), Similarity.translation(8, 0, 0)))
        .isEqualTo(0.5);
    double half = Math.PI / 6;
    assertThat(sim3.distance(Similarity.rotation(0, half), one)).isEqualTo(0.5, within(1e-12));
    assertThat(sim3.distance(Similarity.rotation(2, half), one)).isEqualTo(0.5, within(1e-12));
  }

  @Test
  void samplesSpreadOverTheirGroup() {
    Random random = new Random(8);
    for (SimilarityGroup group : SimilarityGroup.all(3)) {
      double[] sum = new double[9];
      double[] low = {9, 9, 9};
      double[] high = {-9, -9, -9};
      double smallest = 9;
      double largest = 0;
      int n = 2000;
      for (int k = 0; k < n; k++) {
        Similarity g = group.sample(random, 4, 3);
        for (int i = 0; i < 9; i++) {
          sum[i] += g.rotation()[i] / n;
        }
        for (int i = 0; i < 3; i++) {
          low[i] = Math.min(low[i], g.translation()[i]);
          high[i] = Math.max(high[i], g.translation()[i]);
        }
        smallest = Math.min(smallest, g.scale());
        largest = Math.max(largest, g.scale());
      }
      for (int i = 0; i < 3; i++) {
        assertThat(low[i])
            .as(group.name())
            .isBetween(group.moves() ? -3.0 : 0, group.moves() ? -2.9 : 0);
        assertThat(high[i])
            .as(group.name())
            .isBetween(group.moves() ? 2.9 : 0, group.moves() ? 3.0 : 0);
      }
      assertThat(smallest).isBetween(group.scales() ? 0.25 : 1, group.scales() ? 0.27 : 1);
      assertThat(largest).isBetween(group.scales() ? 3.7 : 1, group.scales() ? 4.0 : 1);
      // The mean of Haar-random rotations is 0; what does not rotate stays.
      for (int i = 0; i < 9; i++) {
        boolean diagonal = i % 4 == 0;
        boolean still =
            group.rotations() == Rotations.NONE
                || (group.rotations() == Rotations.VERTICAL && i == 8);
        assertThat(sum[i])
            .as(group.name() + ", entry " + i)
            .isEqualTo(still && diagonal ? 1 : 0, within(0.06));
      }
    }
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

  @Test
  void elementsAreEqualWhenAllTheirPartsAre() {
    double[] turn = {0, -1, 1, 0};
    Similarity g = new Similarity(2, turn, new double[] {1, 5});
    Similarity same = new Similarity(2, turn.clone(), new double[] {1, 5});
    assertThat(g).isEqualTo(same).hasSameHashCodeAs(same);
    assertThat(g).isNotEqualTo(new Similarity(3, turn, new double[] {1, 5}));
    assertThat(g).isNotEqualTo(new Similarity(2, new double[] {1, 0, 0, 1}, new double[] {1, 5}));
    assertThat(g).isNotEqualTo(new Similarity(2, turn, new double[] {1, 6}));
    assertThat((Object) g).isNotEqualTo("g");
    assertThat(g.hashCode()).isNotEqualTo(new Similarity(2, turn, new double[] {1, 6}).hashCode());
    assertThat(g.toString()).contains("2.0").contains("1.0").contains("5.0");
  }
}
