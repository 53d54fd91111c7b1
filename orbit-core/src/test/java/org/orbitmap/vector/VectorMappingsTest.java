package org.orbitmap.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.orbitmap.group.Permutation;
import org.orbitmap.group.Permutations;
import org.orbitmap.group.ScaleShift;
import org.orbitmap.orbit.Canonical;
import org.orbitmap.orbit.GroupAction;
import org.orbitmap.orbit.Guarantee;
import org.orbitmap.orbit.OrbitMapping;
import org.orbitmap.orbit.OrbitPooling;

class VectorMappingsTest {
  @Test
  void meanIsSubtracted() {
    Canonical<Double, double[]> c = VectorMappings.mean().map(new double[] {1, 2, 6});
    assertThat(c.point()).containsExactly(new double[] {-2, -1, 3}, within(1e-15));
    assertThat(c.element()).isCloseTo(-3, within(1e-15));
    assertThat(c.margin()).isInfinite();
  }

  @Test
  void normBecomesOne() {
    Canonical<Double, double[]> c = VectorMappings.norm().map(new double[] {3, -4});
    assertThat(c.point()).containsExactly(new double[] {0.6, -0.8}, within(1e-15));
    assertThat(c.margin()).isEqualTo(5);
    double[] huge = VectorMappings.norm().map(new double[] {1e308, 1e308}).point();
    assertThat(huge[0]).isCloseTo(Math.sqrt(0.5), within(1e-15));
  }

  @Test
  void zeroKeepsItsPlaceWithMarginZero() {
    for (double[] zero : new double[][] {{0, 0}, {Double.MIN_VALUE, 0}}) {
      Canonical<Double, double[]> c = VectorMappings.norm().map(zero);
      assertThat(c.point()).isEqualTo(zero);
      assertThat(c.element()).isEqualTo(1);
      assertThat(c.margin()).isZero();
    }
    for (double t : new double[] {7, 5.7, 1e-300 / 3, -1.7e308}) {
      double[] x = {t, t, t, t, t};
      Canonical<ScaleShift, double[]> constant = VectorMappings.meanAndNorm().map(x);
      assertThat(constant.point()).as("five times %s", t).containsExactly(0, 0, 0, 0, 0);
      assertThat(constant.margin()).isZero();
    }
    double[] far = {-1.7e308, 1.7e308};
    assertThat(VectorMappings.mean().map(far).point()).isEqualTo(far);
  }

  @Test
  void meanAndNormTogetherAreStandardisation() {
    Canonical<ScaleShift, double[]> c = VectorMappings.meanAndNorm().map(new double[] {5, 9});
    assertThat(c.point())
        .containsExactly(new double[] {-Math.sqrt(0.5), Math.sqrt(0.5)}, within(1e-15));
    assertThat(VectorActions.SCALE_SHIFT.act(c.element(), new double[] {5, 9}))
        .containsExactly(c.point(), within(1e-12));
    assertThat(c.margin()).isCloseTo(Math.sqrt(8), within(1e-12));
  }

  @Test
  void theWrongOrderIsRefusedWithTheReason() {
    OrbitMapping<ScaleShift, double[]> mean =
        VectorMappings.mean().within(ScaleShift::shift, VectorActions.SCALE_SHIFT);
    OrbitMapping<ScaleShift, double[]> norm =
        VectorMappings.norm().within(ScaleShift::scale, VectorActions.SCALE_SHIFT);
    assertThatThrownBy(() -> norm.then(mean, VectorActions.SCALE_SHIFT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("norm, then mean is not invariant")
        .hasMessageContaining("does not carry orbits of shifts")
        .hasMessageContaining("Try the other order");
  }

  @Test
  void sortingIsStableAndSaysHowFarTheNextChoiceIs() {
    OrbitMapping<Permutation, double[]> sorting = VectorMappings.sorting(4);
    Canonical<Permutation, double[]> c = sorting.map(new double[] {3, -1, 2.5, 9});
    assertThat(c.point()).containsExactly(-1, 2.5, 3, 9);
    assertThat(c.element()).isEqualTo(new Permutation(new int[] {2, 0, 1, 3}));
    assertThat(c.margin()).isEqualTo(0.5);
    assertThat(sorting.guarantee()).isEqualTo(Guarantee.EXACT);
    Canonical<Permutation, double[]> tied = sorting.map(new double[] {1, 0, 1, 0});
    assertThat(tied.element()).isEqualTo(new Permutation(new int[] {2, 0, 3, 1}));
    assertThat(tied.margin()).isZero();
    assertThat(VectorMappings.sorting(1).map(new double[] {5}).margin()).isInfinite();
  }

  @Test
  void sortingAgreesWithTheLibraryOnEverySize() {
    SplittableRandom random = new SplittableRandom(1);
    for (int n = 1; n < 200; n++) {
      double[] x = random.doubles(n).map(t -> Math.round(t * 50) / 50.0).toArray();
      double[] sorted = x.clone();
      Arrays.sort(sorted);
      assertThat(VectorMappings.sorting(n).map(x).point()).isEqualTo(sorted);
    }
  }

  /** The paper's example: sort, run a network that depends on the order, undo the sort. */
  @Test
  void sortingMakesAnyNetworkEquivariant() {
    int n = 7;
    GroupAction<Permutation, double[]> permute = VectorActions.permute(new Permutations(n));
    Function<double[], double[]> running =
        x -> {
          double[] y = x.clone();
          for (int i = 1; i < n; i++) {
            y[i] += 0.5 * Math.tanh(y[i - 1]);
          }
          return y;
        };
    Function<double[], double[]> equivariant =
        VectorMappings.sorting(n).equivariant(running, permute);
    SplittableRandom random = new SplittableRandom(2);
    boolean plainFails = false;
    for (int i = 0; i < 100; i++) {
      double[] x = random.doubles(n).toArray();
      Permutation p = permute.group().sample(random);
      double[] moved = permute.act(p, x);
      assertThat(equivariant.apply(moved)).isEqualTo(permute.act(p, equivariant.apply(x)));
      plainFails |= !Arrays.equals(running.apply(moved), permute.act(p, running.apply(x)));
    }
    assertThat(plainFails).isTrue();
  }

  /** Pooling over all n! permutations gives an invariant network too, at n! times the price. */
  @Test
  void poolingAgreesForEveryPermutation() {
    Permutations group = new Permutations(4);
    GroupAction<Permutation, double[]> permute = VectorActions.permute(group);
    Function<double[], Double> net = x -> x[0] + 2 * x[1] * x[2] - x[3];
    Function<double[], Double> pooled =
        OrbitPooling.invariant(
            group, permute, net, all -> all.stream().mapToDouble(d -> d).max().orElseThrow());
    double[] x = {0.3, -2, 1.5, 0.7};
    assertThat(group.elements()).hasSize(24).doesNotHaveDuplicates();
    assertThat(group.elements().get(0)).isEqualTo(group.identity());
    for (Permutation p : group.elements()) {
      assertThat(pooled.apply(permute.act(p, x))).isEqualTo(pooled.apply(x));
    }
    assertThatThrownBy(() -> new Permutations(9).elements()).hasMessageContaining("found n = 9");
  }

  @Test
  void badVectorsAreRefused() {
    for (OrbitMapping<?, double[]> mapping :
        Arrays.asList(
            VectorMappings.mean(),
            VectorMappings.norm(),
            VectorMappings.meanAndNorm(),
            VectorMappings.sorting(2))) {
      assertThatThrownBy(() -> mapping.map(new double[0])).hasMessageContaining("at least 1 entry");
      assertThatThrownBy(() -> mapping.map(new double[] {0, Double.NaN}))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("found NaN at 1");
    }
    assertThatThrownBy(() -> VectorMappings.sorting(2).map(new double[3]))
        .hasMessageContaining("expected 2 entries, found 3");
    assertThatThrownBy(() -> VectorMappings.norm().map(new double[] {1.7e308, 1.7e308}))
        .hasMessageContaining("Euclidean norm");
    assertThatThrownBy(() -> VectorMappings.mean().map(new double[] {1.7e308, -1.7e308, 1.7e308}))
        .hasMessageContaining("finite");
    assertThatThrownBy(() -> new Permutation(new int[] {0, 0})).hasMessageContaining("once");
    assertThatThrownBy(() -> new ScaleShift(0, 1)).hasMessageContaining("positive");
  }
}
