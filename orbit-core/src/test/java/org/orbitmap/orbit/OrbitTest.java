package org.orbitmap.orbit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.orbitmap.group.Permutation;
import org.orbitmap.group.Permutations;
import org.orbitmap.vector.VectorActions;
import org.orbitmap.vector.VectorMappings;

/** What mappings, actions and pooling promise beyond the laws. */
class OrbitTest {
  private static final Permutations TWO = new Permutations(2);

  /** The multiset of a vector's numbers, by its sum: the same for all orders. */
  private static final class Sum implements RepresentationMapping<Permutation, double[], Double> {
    @Override
    public String name() {
      return "sum";
    }

    @Override
    public GroupAction<Permutation, double[]> action() {
      return VectorActions.permute(TWO);
    }

    @Override
    public GroupAction<Permutation, Double> onRepresentations() {
      return GroupAction.trivial(TWO);
    }

    @Override
    public Represented<Double> map(double[] x) {
      return new Represented<>(Arrays.stream(x).sum(), 1);
    }
  }

  @Test
  void aChainPromisesNoMoreThanItsWeakestPart() {
    Guarantee resampled = Guarantee.approximate("interpolation");
    assertThat(Guarantee.EXACT.and(Guarantee.ROUNDING)).isEqualTo(Guarantee.ROUNDING);
    assertThat(Guarantee.ROUNDING.and(Guarantee.EXACT)).isEqualTo(Guarantee.ROUNDING);
    assertThat(Guarantee.ROUNDING.and(resampled)).isEqualTo(resampled);
    assertThat(resampled.and(Guarantee.EXACT).level()).isEqualTo(Guarantee.Level.APPROXIMATE);
    assertThat(resampled.and(Guarantee.EXACT).reason()).isEqualTo("interpolation");
  }

  @Test
  void theTrivialActionLeavesEveryValueAlone() {
    GroupAction<Permutation, String> trivial = GroupAction.trivial(TWO);
    assertThat(trivial.group()).isEqualTo(TWO);
    for (Permutation g : TWO.elements()) {
      assertThat(trivial.act(g, "cat")).isEqualTo("cat");
    }
  }

  @Test
  void networksBehindAMappingSeeTheCanonicalElement() {
    OrbitMapping<Permutation, double[]> sorting = VectorMappings.sorting(3);
    double[] x = {3, 1, 2};
    assertThat(sorting.invariant(p -> 100 * p[0] + 10 * p[1] + p[2]).apply(x))
        .isEqualTo(
            sorting.invariant(p -> 100 * p[0] + 10 * p[1] + p[2]).apply(new double[] {2, 3, 1}))
        .isIn(123.0, 321.0);
    List<double[]> many = List.of(x, new double[] {5, 4, 6}, new double[] {9, 8, 7});
    List<Canonical<Permutation, double[]>> all = sorting.mapAll(many);
    assertThat(all).hasSize(3);
    for (int i = 0; i < 3; i++) {
      assertThat(all.get(i).point()).isEqualTo(sorting.map(many.get(i)).point());
    }
  }

  @Test
  void representationsAreSeenByNetworksAndPromiseWhatTheActionDoes() {
    Sum sum = new Sum();
    assertThat(sum.invariant(s -> 2 * s).apply(new double[] {3, 4})).isEqualTo(14);
    assertThat(sum.guarantee()).isEqualTo(sum.action().guarantee()).isNotNull();
    assertThatThrownBy(() -> new RepresentationMapping.Represented<>(1.0, Double.NaN))
        .hasMessageContaining("margin");
    assertThatThrownBy(() -> new RepresentationMapping.Represented<>(1.0, -1))
        .hasMessageContaining("margin");
    assertThat(new RepresentationMapping.Represented<>(1.0, 0).margin()).isZero();
  }

  /** Proposition 1 for (x, y) → (x, 0): the mean over both orders is half of the input. */
  @Test
  void poolingOverTheGroupIsEquivariant() {
    GroupAction<Permutation, double[]> swap = VectorActions.permute(TWO);
    var pooled =
        OrbitPooling.equivariant(
            TWO,
            swap,
            (double[] x) -> new double[] {x[0], 0},
            swap,
            (List<double[]> orbit) ->
                new double[] {
                  orbit.stream().mapToDouble(v -> v[0]).average().orElseThrow(),
                  orbit.stream().mapToDouble(v -> v[1]).average().orElseThrow()
                });
    assertThat(pooled.apply(new double[] {3, 5})).containsExactly(1.5, 2.5);
    assertThat(
            OrbitPooling.invariant(TWO, swap, (double[] x) -> x[0], (List<Double> l) -> l.size())
                .apply(new double[] {3, 5}))
        .as("the whole orbit is pooled")
        .isEqualTo(2);
  }
}
