package org.orbitmap.mesh.spectral;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.orbitmap.mesh.TestMeshes;

/** Sparse and dense symmetric matrices. */
class LinearAlgebraTest {
  /** The second difference on a path: 2 on the diagonal, -1 beside it. */
  private static SparseMatrix path(int n) {
    SparseMatrix.Builder b = new SparseMatrix.Builder(n);
    for (int i = 0; i < n; i++) {
      b.add(i, i, 2);
      if (i + 1 < n) {
        b.add(i, i + 1, -0.5);
        b.add(i + 1, i, -0.5); // at the same place: both are added
      }
    }
    return b.build();
  }

  @Test
  void entriesAtOnePlaceAreAdded() {
    SparseMatrix m = path(4);
    assertThat(m.start()).containsExactly(0, 2, 5, 8, 10);
    assertThat(m.column()).containsExactly(0, 1, 0, 1, 2, 1, 2, 3, 2, 3);
    assertThat(m.value()).containsExactly(2, -1, -1, 2, -1, -1, 2, -1, -1, 2);
    assertThat(m.size()).isEqualTo(4);
    assertThat(m.times(new double[] {1, 2, 3, 5})).containsExactly(0, 0, -1, 7);
    assertThat(m.plusDiagonal(new double[] {1, 2, 3, 4}).times(new double[] {1, 1, 1, 1}))
        .containsExactly(2, 2, 3, 5);
    assertThat(m).isEqualTo(path(4)).hasSameHashCodeAs(path(4)).isNotEqualTo(path(5));
    assertThat(m).isNotEqualTo(m.plusDiagonal(new double[] {1, 0, 0, 0}));
    assertThat(m).hasToString("SparseMatrix[4 rows, 10 entries]");
  }

  @Test
  void emptyRowsStayEmpty() {
    SparseMatrix.Builder b = new SparseMatrix.Builder(4);
    b.add(1, 1, 7);
    SparseMatrix m = b.build();
    assertThat(m.start()).containsExactly(0, 0, 1, 1, 1);
    assertThatThrownBy(() -> m.plusDiagonal(new double[] {1, 0, 0, 0}))
        .hasMessageContaining("diagonal of row 0");
  }

  /**
   * A path of n has the eigenvalues 2 - 2cos(kπ/(n + 1)): the factor counts those below a shift.
   */
  @Test
  void factorsSolveAndCount() {
    int n = 101;
    SparseMatrix m = path(n);
    int[] order = Dissection.order(m);
    assertThat(Arrays.stream(order).sorted().toArray())
        .containsExactly(IntStream.range(0, n).toArray());
    SparseFactor factor = SparseFactor.of(m, order);
    Random random = new Random(1);
    double[] x = random.doubles(n).toArray();
    double[] y = random.doubles(n).toArray();
    double[] b = m.times(x);
    double[] c = m.times(y);
    factor.solve(b, c);
    assertThat(b).containsExactly(x, within(1e-9));
    assertThat(c).containsExactly(y, within(1e-9));
    assertThat(factor.negative()).isZero();
    for (double shift : new double[] {0.1, 1.3, 2.7, 3.99}) {
      double[] less = new double[n];
      Arrays.fill(less, -shift);
      int below = 0;
      for (int k = 1; k <= n; k++) {
        below += 2 - 2 * Math.cos(k * Math.PI / (n + 1)) < shift ? 1 : 0;
      }
      assertThat(SparseFactor.of(m.plusDiagonal(less), order).negative()).isEqualTo(below);
    }
    SparseMatrix.Builder zero = new SparseMatrix.Builder(1);
    zero.add(0, 0, 0);
    assertThatThrownBy(() -> SparseFactor.of(zero.build(), new int[] {0}))
        .isInstanceOf(ArithmeticException.class)
        .hasMessageContaining("expected a regular matrix");
  }

  /** Nested dissection keeps the factor of a grid sparse; the order of the grid does not. */
  @Test
  void dissectionKeepsFactorsSparse() {
    Laplacian grid = Laplacian.of(Surface.of(TestMeshes.sheet(40, 40)));
    double[] ones = new double[41 * 41];
    Arrays.fill(ones, 1);
    SparseMatrix m = grid.stiffness().plusDiagonal(ones);
    int[] own = new int[ones.length];
    Arrays.setAll(own, i -> i);
    int dissected = SparseFactor.of(m, Dissection.order(m)).entries();
    int plain = SparseFactor.of(m, own).entries();
    assertThat(plain).isGreaterThan(40 * 41 * 41 - 41 * 41);
    assertThat(dissected).isLessThan(plain * 2 / 3);
  }

  /** Of parts that do not touch each other every row comes once. */
  @Test
  void dissectionOfSeveralParts() {
    SparseMatrix.Builder b = new SparseMatrix.Builder(200);
    for (int i = 0; i < 200; i++) {
      b.add(i, i, 2);
      if (i % 50 != 49) {
        b.add(i, i + 1, -1);
      }
    }
    SparseMatrix m = b.build();
    int[] order = Dissection.order(m);
    assertThat(Arrays.stream(order).distinct().count()).isEqualTo(200);
    double[] x = new Random(1).doubles(200).toArray();
    double[] solved = m.times(x);
    SparseFactor.of(m, order).solve(solved, new double[200]);
    assertThat(solved).containsExactly(x, within(1e-9));
  }

  /** A = Σ λ v vᵀ with orthonormal v, ascending λ; and the known ones of a path. */
  @Test
  void denseEigenvaluesAreThoseOfAPath() {
    for (int n : new int[] {1, 2, 3, 8, 31}) {
      double[][] a = new double[n][n];
      for (int i = 0; i < n; i++) {
        a[i][i] = 2;
        if (i > 0) {
          a[i][i - 1] = -1;
        }
      }
      DenseEigen found = DenseEigen.of(a);
      for (int k = 1; k <= n; k++) {
        double value = 2 - 2 * Math.cos(k * Math.PI / (n + 1));
        assertThat(found.values[k - 1]).isCloseTo(value, within(1e-12));
        double sign = Math.signum(found.vectors[k - 1][0]);
        for (int i = 0; i < n; i++) {
          double entry = Math.sqrt(2.0 / (n + 1)) * Math.sin((i + 1) * k * Math.PI / (n + 1));
          assertThat(sign * found.vectors[k - 1][i]).isCloseTo(entry, within(1e-12));
        }
      }
    }
  }

  @Test
  void denseMatricesAreDiagonalised() {
    Random random = new Random(2);
    for (int n : new int[] {4, 9, 20}) {
      double[][] a = new double[n][n];
      double[][] copy = new double[n][n];
      for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
          a[i][j] = random.nextGaussian();
          copy[i][j] = a[i][j];
          copy[j][i] = a[i][j];
        }
      }
      DenseEigen found = DenseEigen.of(a);
      for (int k = 0; k < n; k++) {
        double[] v = found.vectors[k];
        for (int i = 0; i < n; i++) {
          double sum = 0;
          for (int j = 0; j < n; j++) {
            sum += copy[i][j] * v[j];
          }
          assertThat(sum).isCloseTo(found.values[k] * v[i], within(1e-10));
        }
        for (int l = 0; l <= k; l++) {
          double dot = 0;
          for (int i = 0; i < n; i++) {
            dot += v[i] * found.vectors[l][i];
          }
          assertThat(dot).isCloseTo(k == l ? 1 : 0, within(1e-10));
        }
      }
      assertThat(found.values).isSorted();
    }
  }
}
