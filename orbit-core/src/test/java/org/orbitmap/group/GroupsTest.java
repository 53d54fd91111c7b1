package org.orbitmap.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.orbitmap.group.O2.Orthogonal2;
import org.orbitmap.group.Sim2.Similarity2;

/**
 * Elements, products and distances by hand, and how samples spread. That the laws hold says little
 * if all distances were 0 or all samples alike.
 */
class GroupsTest {
  private static final double TINY = 1e-12;

  /** Products with an inverse are the identity, and distances tell elements apart. */
  private static <G> void laws(Group<G> group) {
    RandomGenerator random = new SplittableRandom(5);
    for (int k = 0; k < 30; k++) {
      G g = group.sample(random);
      G h = group.sample(random);
      assertThat(group.distance(group.compose(g, group.inverse(g)), group.identity()))
          .as(group.name())
          .isLessThan(1e-9);
      assertThat(group.distance(group.compose(g, group.identity()), g)).isLessThan(TINY);
      assertThat(group.distance(g, h)).isEqualTo(group.distance(h, g), within(TINY));
      if (!g.equals(h)) {
        assertThat(group.distance(g, h)).as(group.name()).isPositive();
      }
    }
  }

  private static <G> void spreads(Group<G> group, ToDoubleFunction<G> of, double mean, double sd) {
    RandomGenerator random = new SplittableRandom(6);
    double[] x = new double[4000];
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < x.length; i++) {
      x[i] = of.applyAsDouble(group.sample(random));
      sum += x[i];
      squares += x[i] * x[i];
    }
    double m = sum / x.length;
    assertThat(m).as(group.name() + ": mean").isEqualTo(mean, within(0.08 * sd));
    assertThat(Math.sqrt(squares / x.length - m * m))
        .as(group.name() + ": deviation")
        .isEqualTo(sd, within(0.06 * sd));
  }

  @Test
  void allOfThemAreGroups() {
    laws(new C4());
    laws(new O2());
    laws(new SO2());
    laws(new Sim2());
    laws(new Scalings());
    laws(new Shifts());
    laws(new ScaleShifts());
    laws(new Permutations(5));
    laws(new Product<>(new SO2(), new Shifts()));
  }

  @Test
  void namesAreTheUsualOnes() {
    assertThat(
            List.of(
                new C4().name(),
                new O2().name(),
                new SO2().name(),
                new Sim2().name(),
                new Scalings().name(),
                new Shifts().name(),
                new ScaleShifts().name(),
                new Permutations(5).name(),
                new Product<>(new SO2(), new C4()).name()))
        .containsExactly(
            "C4",
            "O(2)",
            "SO(2)",
            "Sim(2)",
            "scalings",
            "shifts",
            "scale-shifts",
            "S(5)",
            "SO(2) x C4");
  }

  @Test
  void quarterTurns() {
    C4 c4 = new C4();
    assertThat(c4.elements()).extracting(C4.QuarterTurn::turns).containsExactly(0, 1, 2, 3);
    assertThat(c4.compose(C4.turn(3), C4.turn(2))).isEqualTo(C4.turn(1));
    assertThat(c4.inverse(C4.turn(1))).isEqualTo(C4.turn(3));
    assertThat(C4.turn(-1)).isEqualTo(C4.turn(3));
    assertThat(c4.distance(C4.turn(1), C4.turn(1))).isZero();
    assertThat(c4.distance(C4.turn(1), C4.turn(2))).isEqualTo(1);
    assertThat(C4.turn(1).rotation()).isEqualTo(new Rotation2(0, 1));
    assertThat(C4.turn(2).rotation()).isEqualTo(new Rotation2(-1, 0));
    assertThatThrownBy(() -> new C4.QuarterTurn(4)).hasMessageContaining("0 to 3, found 4");
    assertThatThrownBy(() -> new C4.QuarterTurn(-1)).hasMessageContaining("found -1");
    assertThat(new C4.QuarterTurn(3).turns()).isEqualTo(3);
  }

  @Test
  void rotationsOfThePlane() {
    Rotation2 thirty = Rotation2.ofDegrees(30);
    assertThat(thirty.cos()).isEqualTo(Math.sqrt(3) / 2, within(TINY));
    assertThat(thirty.sin()).isEqualTo(0.5, within(TINY));
    assertThat(thirty.degrees()).isEqualTo(30, within(1e-12));
    assertThat(thirty.radians()).isEqualTo(Math.PI / 6, within(TINY));
    assertThat(thirty.times(Rotation2.ofDegrees(45)).degrees()).isEqualTo(75, within(1e-12));
    assertThat(thirty.inverse().degrees()).isEqualTo(-30, within(1e-12));
    assertThat(Rotation2.ofDegrees(270)).isEqualTo(new Rotation2(0, -1));
    assertThat(Rotation2.ofDegrees(-90)).isEqualTo(new Rotation2(0, -1));
    assertThat(Rotation2.towards(-3, 4)).isEqualTo(new Rotation2(-0.6, 0.8));
    assertThat(new SO2().distance(Rotation2.IDENTITY, Rotation2.ofDegrees(90)))
        .isEqualTo(Math.sqrt(2), within(TINY));
    assertThat(new SO2().distance(Rotation2.ofDegrees(90), Rotation2.ofDegrees(180)))
        .isEqualTo(Math.sqrt(2), within(TINY));
    assertThatThrownBy(() -> new Rotation2(1, 0.1)).hasMessageContaining("cos² + sin² = 1");
    assertThatThrownBy(() -> new Rotation2(Double.NaN, 0)).hasMessageContaining("NaN");
    // A million steps of one degree stay on the circle.
    Rotation2 r = Rotation2.IDENTITY;
    Rotation2 step = Rotation2.ofDegrees(1);
    for (int i = 0; i < 1_000_000; i++) {
      r = r.times(step);
    }
    assertThat(r.cos() * r.cos() + r.sin() * r.sin()).isEqualTo(1, within(1e-14));
    spreads(new SO2(), Rotation2::radians, 0, 2 * Math.PI / Math.sqrt(12));
  }

  @Test
  void mirrors() {
    O2 o2 = new O2();
    Rotation2 r = Rotation2.ofDegrees(40);
    Orthogonal2 mirror = new Orthogonal2(Rotation2.IDENTITY, true);
    Orthogonal2 turn = new Orthogonal2(r, false);
    // A mirror in front turns the other way round.
    assertThat(o2.compose(mirror, turn).rotation().degrees()).isEqualTo(-40, within(TINY));
    assertThat(o2.compose(mirror, turn).mirrored()).isTrue();
    assertThat(o2.compose(turn, mirror).rotation().degrees()).isEqualTo(40, within(1e-12));
    assertThat(o2.compose(mirror, mirror)).isEqualTo(o2.identity());
    assertThat(o2.inverse(turn).rotation().degrees()).isEqualTo(-40, within(TINY));
    assertThat(o2.inverse(new Orthogonal2(r, true))).isEqualTo(new Orthogonal2(r, true));
    assertThat(o2.distance(mirror, o2.identity())).isEqualTo(2);
    assertThat(o2.distance(turn, turn)).isZero();
    spreads(o2, g -> g.mirrored() ? 1 : 0, 0.5, 0.5);
  }

  @Test
  void similaritiesOfThePlane() {
    Sim2 sim2 = new Sim2();
    Similarity2 g = new Similarity2(Rotation2.ofDegrees(90), 2, 5, 7);
    assertThat(g.moveX(1, 3)).isEqualTo(2 * 3 + 5);
    assertThat(g.moveY(1, 3)).isEqualTo(-2 + 7);
    Similarity2 h = new Similarity2(Rotation2.ofDegrees(30), 3, -1, 4);
    Similarity2 both = sim2.compose(g, h);
    double x = h.moveX(0.3, -0.8);
    double y = h.moveY(0.3, -0.8);
    assertThat(both.moveX(0.3, -0.8)).isEqualTo(g.moveX(x, y), within(1e-12));
    assertThat(both.moveY(0.3, -0.8)).isEqualTo(g.moveY(x, y), within(1e-12));
    assertThat(both.scale()).isEqualTo(6);
    assertThat(sim2.distance(g, sim2.identity()))
        .isEqualTo(Math.sqrt(2) + Math.log(2) + Math.hypot(5, 7), within(1e-12));
    assertThat(sim2.distance(g, new Similarity2(g.rotation(), 2, 2, 3)))
        .isEqualTo(5, within(1e-12));
    for (double bad : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatThrownBy(() -> new Similarity2(Rotation2.IDENTITY, bad, 0, 0))
          .hasMessageContaining("expected a finite scale > 0");
    }
    assertThatThrownBy(() -> new Similarity2(Rotation2.IDENTITY, 1, Double.NaN, 0))
        .hasMessageContaining("NaN");
    assertThatThrownBy(() -> new Similarity2(Rotation2.IDENTITY, 1, 0, Double.NaN))
        .hasMessageContaining("NaN");
    spreads(sim2, s -> Math.log(s.scale()), 0, 2 * Math.log(2) / Math.sqrt(12));
    spreads(sim2, Similarity2::x, 0, 3);
    spreads(sim2, Similarity2::y, 0, 3);
  }

  @Test
  void scalesAndShifts() {
    assertThat(new Scalings().compose(2.0, 3.0)).isEqualTo(6);
    assertThat(new Scalings().inverse(4.0)).isEqualTo(0.25);
    assertThat(new Scalings().distance(2.0, 1.0)).isEqualTo(Math.log(2), within(TINY));
    assertThat(new Scalings().distance(2.0, 4.0)).isEqualTo(Math.log(2), within(TINY));
    spreads(new Scalings(), Math::log, 0, 2);
    assertThat(new Shifts().compose(2.0, 3.0)).isEqualTo(5);
    assertThat(new Shifts().inverse(4.0)).isEqualTo(-4);
    assertThat(new Shifts().distance(2.0, 5.0)).isEqualTo(3);
    spreads(new Shifts(), x -> x, 0, 10);
    ScaleShifts both = new ScaleShifts();
    ScaleShift g = new ScaleShift(2, 3);
    assertThat(both.compose(g, new ScaleShift(5, 7))).isEqualTo(new ScaleShift(10, 17));
    assertThat(both.inverse(g)).isEqualTo(new ScaleShift(0.5, -1.5));
    assertThat(both.distance(g, ScaleShift.shift(3))).isEqualTo(Math.log(2), within(TINY));
    assertThat(both.distance(g, ScaleShift.scale(2))).isEqualTo(3, within(TINY));
    assertThat(ScaleShift.scale(2)).isEqualTo(new ScaleShift(2, 0));
    assertThat(ScaleShift.shift(2)).isEqualTo(new ScaleShift(1, 2));
    spreads(both, s -> Math.log(s.scale()), 0, 1);
    spreads(both, ScaleShift::shift, 0, 1);
    assertThatThrownBy(() -> ScaleShift.scale(0)).hasMessageContaining("found 0.0");
    assertThatThrownBy(() -> ScaleShift.scale(Double.POSITIVE_INFINITY))
        .hasMessageContaining("Infinity");
    assertThatThrownBy(() -> ScaleShift.shift(Double.NaN)).hasMessageContaining("NaN");
  }

  @Test
  void permutations() {
    Permutations s3 = new Permutations(3);
    Permutation cycle = new Permutation(new int[] {1, 2, 0});
    Permutation swap = new Permutation(new int[] {1, 0, 2});
    assertThat(s3.compose(cycle, swap)).isEqualTo(new Permutation(new int[] {2, 1, 0}));
    assertThat(s3.compose(swap, cycle)).isEqualTo(new Permutation(new int[] {0, 2, 1}));
    assertThat(cycle.inverse()).isEqualTo(new Permutation(new int[] {2, 0, 1}));
    assertThat(cycle).isNotEqualTo(swap).hasToString("[1, 2, 0]");
    assertThat(cycle.hashCode()).isEqualTo(cycle.inverse().inverse().hashCode()).isNotZero();
    assertThat(cycle.size()).isEqualTo(3);
    assertThat(s3.distance(cycle, swap)).isEqualTo(2.0 / 3);
    assertThat(s3.distance(swap, s3.identity())).isEqualTo(2.0 / 3);
    assertThat(s3.elements()).hasSize(6).doesNotHaveDuplicates();
    assertThat(new Permutations(8).elements()).hasSize(40_320);
    assertThatThrownBy(() -> new Permutations(9).elements()).hasMessageContaining("n = 9");
    assertThatThrownBy(() -> new Permutations(0)).hasMessageContaining("found 0");
    for (int[] bad : new int[][] {{0, 0}, {0, 2}, {-1, 0}}) {
      assertThatThrownBy(() -> new Permutation(bad)).hasMessageContaining("each of 0 … 1 once");
    }
    // Each place is equally likely for each number.
    int[][] seen = new int[3][3];
    RandomGenerator random = new SplittableRandom(1);
    for (int k = 0; k < 3000; k++) {
      Permutation p = s3.sample(random);
      for (int i = 0; i < 3; i++) {
        seen[i][p.image(i)]++;
      }
    }
    for (int[] row : seen) {
      for (int count : row) {
        assertThat(count).isBetween(900, 1100);
      }
    }
  }

  @Test
  void productsTakeTheLargerDistance() {
    Product<Double, Double> product = new Product<>(new Shifts(), new Shifts());
    var g = new Product.Pair<>(1.0, 2.0);
    var h = new Product.Pair<>(4.0, 8.0);
    assertThat(product.compose(g, h)).isEqualTo(new Product.Pair<>(5.0, 10.0));
    assertThat(product.inverse(g)).isEqualTo(new Product.Pair<>(-1.0, -2.0));
    assertThat(product.distance(g, h)).isEqualTo(6);
    assertThat(product.distance(g, new Product.Pair<>(4.0, 2.0))).isEqualTo(3);
    assertThatThrownBy(() -> new Product.Pair<>(null, 1.0))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> new Product.Pair<>(1.0, null))
        .isInstanceOf(NullPointerException.class);
  }
}
