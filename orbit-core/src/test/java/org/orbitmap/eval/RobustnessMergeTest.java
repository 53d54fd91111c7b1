package org.orbitmap.eval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.orbitmap.eval.Robustness.Settings;
import org.orbitmap.eval.Robustness.TrueClass;
import org.orbitmap.group.Shifts;
import org.orbitmap.orbit.GroupAction;

class RobustnessMergeTest {
  private static final Settings SETTINGS = new Settings(1, 4, TrueClass.SOFTMAX);

  private static final Classifier<Double> WAVES =
      batch -> {
        float[][] scores = new float[batch.size()][];
        for (int i = 0; i < scores.length; i++) {
          double x = batch.get(i);
          scores[i] = new float[] {(float) Math.sin(x), (float) Math.cos(x), (float) Math.tanh(x)};
        }
        return scores;
      };

  private static Sweep<Double> shifts(String name, String unit, double... values) {
    return Sweep.of(name, unit, GroupAction.of(new Shifts(), (a, x) -> x + a), values, a -> a);
  }

  private static Robustness measure(
      List<Labelled<Double>> data, Sweep<Double> sweep, TrueClass kept) {
    return Robustness.measure(WAVES, data, sweep, SETTINGS.withTrueClass(kept), Progress.OFF);
  }

  private static List<Labelled<Double>> data(SplittableRandom random, int items) {
    List<Labelled<Double>> data = new ArrayList<>();
    for (int i = 0; i < items; i++) {
      data.add(new Labelled<>(random.nextDouble(-4, 4), random.nextInt(3)));
    }
    return data;
  }

  /** Cut anywhere, measured part by part and merged from either end: the same, bit for bit. */
  @ParameterizedTest
  @EnumSource(TrueClass.class)
  void partsMakeTheWhole(TrueClass kept) {
    SplittableRandom random = new SplittableRandom(31);
    for (int round = 0; round < 20; round++) {
      List<Labelled<Double>> data = data(random, random.nextInt(5, 80));
      // with and without a pose that is the clean one
      double[] values = random.doubles(7, -3, 3).toArray();
      values[0] = round % 2 == 0 ? 0 : 1;
      Sweep<Double> sweep = shifts("shift", "", values);
      Robustness whole = measure(data, sweep, kept);
      TreeSet<Integer> cuts = new TreeSet<>(List.of(0, data.size()));
      for (int k = random.nextInt(6); k > 0; k--) {
        cuts.add(random.nextInt(1, data.size()));
      }
      List<Integer> at = List.copyOf(cuts);
      List<Robustness> parts = new ArrayList<>();
      for (int k = 0; k + 1 < at.size(); k++) {
        parts.add(measure(data.subList(at.get(k), at.get(k + 1)), sweep, kept));
      }
      Robustness left = parts.get(0);
      Robustness right = parts.get(parts.size() - 1);
      for (int k = 1; k < parts.size(); k++) {
        left = left.merge(parts.get(k));
        right = parts.get(parts.size() - 1 - k).merge(right);
      }
      for (Robustness merged : List.of(left, right)) {
        assertThat(merged).isEqualTo(whole);
        assertThat(merged.hashCode()).isEqualTo(whole.hashCode());
        assertThat(merged.accuracy()).isEqualTo(whole.accuracy());
        assertThat(merged.agreement()).isEqualTo(whole.agreement());
        assertThat(merged.classAccuracy()).isEqualTo(whole.classAccuracy());
        assertThat(merged.perClass()).isEqualTo(whole.perClass());
        assertThat(merged.confusion()).isDeepEqualTo(whole.confusion());
        assertThat(merged.misses(data.size() - 1)).isEqualTo(whole.misses(data.size() - 1));
        assertThat(merged.cost().seconds())
            .isCloseTo(parts.stream().mapToDouble(r -> r.cost().seconds()).sum(), within(1e-12));
      }
    }
  }

  @Test
  void theOrderOfTheItemsCounts() {
    SplittableRandom random = new SplittableRandom(5);
    Sweep<Double> sweep = shifts("shift", "", 0, 1);
    Robustness a = measure(data(random, 9), sweep, TrueClass.NONE);
    Robustness b = measure(data(random, 4), sweep, TrueClass.NONE);
    assertThat(a.merge(b).items()).isEqualTo(13);
    assertThat(a.merge(b).label(9)).isEqualTo(b.label(0));
    assertThat(a.merge(b)).isNotEqualTo(b.merge(a));
    assertThat(a.merge(b).accuracy()).isEqualTo(b.merge(a).accuracy());
    assertThat(a.items()).isEqualTo(9);
  }

  @Test
  void partsOfOtherMeasurementsAreRefused() {
    List<Labelled<Double>> data = data(new SplittableRandom(1), 6);
    Robustness a = measure(data, shifts("shift", "", 0, 1), TrueClass.SCORE);
    assertThatThrownBy(() -> a.merge(measure(data, shifts("turn", "", 0, 1), TrueClass.SCORE)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "merge: expected parts of one measurement, with the same sweep, found shift and turn");
    assertThatThrownBy(() -> a.merge(measure(data, shifts("shift", "m", 0, 1), TrueClass.SCORE)))
        .hasMessageContaining("same unit, found  and m");
    assertThatThrownBy(() -> a.merge(measure(data, shifts("shift", "", 0), TrueClass.SCORE)))
        .hasMessageContaining("same number of poses, found 2 and 1");
    assertThatThrownBy(() -> a.merge(measure(data, shifts("shift", "", 0, 2), TrueClass.SCORE)))
        .hasMessageContaining("same pose 1, found 1 at 1.0 and 2 at 2.0");
    assertThatThrownBy(() -> a.merge(measure(data, shifts("shift", "", 0, 1), TrueClass.SOFTMAX)))
        .hasMessageContaining("same choice of kept scores, found SCORE and SOFTMAX");
    assertThatThrownBy(() -> a.merge(measure(data, shifts("shift", "", 0, 1), TrueClass.NONE)))
        .hasMessageContaining("found SCORE and NONE");
    List<Labelled<Double>> unknown = Labelled.unknown(List.of(1.0));
    Robustness without = measure(unknown, shifts("shift", "", 0, 1), TrueClass.SCORE);
    assertThat(without.merge(without).agreement()).isEqualTo(without.agreement());
    assertThatThrownBy(() -> a.merge(without))
        .hasMessageContaining("same knowledge of labels, found true and false");
    Classifier<Double> four = b -> b.stream().map(x -> new float[4]).toArray(float[][]::new);
    Robustness other =
        Robustness.measure(
            four,
            data,
            shifts("shift", "", 0, 1),
            SETTINGS.withTrueClass(TrueClass.SCORE),
            Progress.OFF);
    assertThatThrownBy(() -> a.merge(other))
        .hasMessageContaining("same number of classes, found 3 and 4");
  }
}
