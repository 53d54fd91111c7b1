package org.orbitmap.mesh.spectral;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.mesh.Mesh;
import org.orbitmap.mesh.TestMeshes;

/** Single triangles and small spectra, whose numbers can be computed by hand. */
class SurfaceTest {
  /** A triangle with its right angle at vertex 0, sides 3 and 4. */
  private static final Surface RIGHT = surface(new float[] {0, 0, 0, 3, 0, 0, 0, 4, 0}, 0, 1, 2);

  private static Surface surface(float[] c, int... triangles) {
    return Surface.of(new Mesh(new PointCloud(3, c), triangles));
  }

  private static double[] row(SparseMatrix k, int i) {
    double[] unit = new double[k.size()];
    unit[i] = 1;
    return k.times(unit);
  }

  @Test
  void sidesAndAreasAreThoseOfATriangle() {
    assertThat(RIGHT.lengths()).containsExactly(3, 5, 4);
    assertThat(RIGHT.area(0)).isEqualTo(6, within(1e-12));
    assertThat(RIGHT.cotangent(1)).as("a right angle").isEqualTo(0, within(1e-12));
    assertThat(RIGHT.cotangent(0)).isEqualTo(4 / 3.0, within(1e-12));
    assertThat(RIGHT.cotangent(2)).isEqualTo(3 / 4.0, within(1e-12));
    assertThat(RIGHT.borderEdges()).isEqualTo(3);
    assertThat(RIGHT).hasToString("Surface[3 vertices, 1 triangles]");
    for (double[] s : new double[][] {{13, 14, 15}, {14, 13, 15}, {15, 14, 13}, {13, 15, 14}}) {
      assertThat(Surface.heron(s[0], s[1], s[2])).isEqualTo(84, within(1e-9));
    }
    assertThat(Surface.heron(1, 2, 3)).isZero();
  }

  /** Off the diagonal -cot/2 of the angle that looks at an edge; rows sum up to 0. */
  @Test
  void weightsAreCotangents() {
    Laplacian l = Laplacian.of(RIGHT);
    assertThat(row(l.stiffness(), 0))
        .containsExactly(new double[] {25 / 24.0, -2 / 3.0, -3 / 8.0}, within(1e-12));
    assertThat(row(l.stiffness(), 1))
        .containsExactly(new double[] {-2 / 3.0, 2 / 3.0, 0}, within(1e-12));
    assertThat(row(l.stiffness(), 2))
        .containsExactly(new double[] {-3 / 8.0, 0, 3 / 8.0}, within(1e-12));
    assertThat(l.mass()).containsExactly(new double[] {2, 2, 2}, within(1e-12));
    assertThat(l.area()).isEqualTo(6, within(1e-12));
    assertThat(l).hasToString("Laplacian[3 vertices]").isEqualTo(Laplacian.of(RIGHT));
    assertThat(l).isNotEqualTo(Laplacian.of(RIGHT, Laplacian.Mass.VORONOI));
    assertThatThrownBy(() -> new Laplacian(l.stiffness(), new double[2]))
        .hasMessage("laplacian: expected 3 masses, found 2");
  }

  @Test
  void areasNearestToTheCorners() {
    assertThat(Laplacian.of(RIGHT, Laplacian.Mass.VORONOI).mass())
        .containsExactly(new double[] {3, 1.5, 1.5}, within(1e-9));
    // obtuse at vertex 2, with an area of 1: a half for it and a quarter each
    Surface obtuse = surface(new float[] {0, 0, 0, 4, 0, 0, 2, 0.5f, 0}, 0, 1, 2);
    assertThat(Laplacian.of(obtuse, Laplacian.Mass.VORONOI).mass())
        .containsExactly(new double[] {0.25, 0.25, 0.5}, within(1e-9));
  }

  @Test
  void neighboursAreTurnedAlike() {
    float[] square = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
    Surface s = surface(square, 0, 1, 2, 0, 3, 2, 1, 1, 2);
    assertThat(s.oriented()).isTrue();
    assertThat(s.triangles()).containsExactly(0, 1, 2, 0, 2, 3);
    assertThat(s.twins()).containsExactly(-1, -1, 3, 2, -1, -1);
    assertThat(s.borderEdges()).isEqualTo(4);
    assertThat(s.components()).containsExactly(0, 0, 0, 0);
    assertThat(s.area()).isEqualTo(1, within(1e-12));
    assertThat(s).isEqualTo(surface(square, 0, 1, 2, 0, 2, 3)).isNotEqualTo(RIGHT);
    assertThat(s).isNotEqualTo(surface(square, 1, 2, 0, 0, 2, 3));
    float[] larger = square.clone();
    larger[3] = 1.5f;
    assertThat(s).isNotEqualTo(surface(larger, 0, 1, 2, 0, 2, 3));
  }

  /** A band with half a turn in it: five triangles, one side. */
  @Test
  void aBandWithOneSideCannotBeOriented() {
    float[] c = new float[15];
    for (int i = 0; i < 5; i++) {
      c[3 * i] = (float) Math.cos(2 * Math.PI * i / 5);
      c[3 * i + 1] = (float) Math.sin(2 * Math.PI * i / 5);
      c[3 * i + 2] = i * i % 3;
    }
    Surface s = surface(c, 0, 1, 2, 1, 2, 3, 2, 3, 4, 3, 4, 0, 4, 0, 1);
    assertThat(s.oriented()).isFalse();
    assertThat(s.borderEdges()).isEqualTo(5);
    assertThatThrownBy(s::delaunay).hasMessageContaining("one that cannot be oriented");
    assertThat(Arrays.stream(Laplacian.of(s).mass()).sum()).isEqualTo(s.area(), within(1e-9));
  }

  /** Two parts whose vertices take turns; the outside of a closed one is in front. */
  @Test
  void partsAreCounted() {
    float[] c = new float[24];
    for (int v = 0; v < 8; v++) {
      c[3 * v] = (v % 2) * 5 + (v / 2 == 1 ? 1 : 0);
      c[3 * v + 1] = v / 2 == 2 ? 1 : 0;
      c[3 * v + 2] = v / 2 == 3 ? 1 : 0;
    }
    int[] inside = {0, 2, 4, 0, 6, 2, 2, 6, 4, 4, 6, 0}; // a tetrahedron seen from within
    int[] two = Arrays.copyOf(inside, 24);
    for (int i = 0; i < 12; i++) {
      two[12 + i] = inside[i] + 1;
    }
    Surface s = surface(c, two);
    assertThat(s.components()).containsExactly(0, 1, 0, 1, 0, 1, 0, 1);
    assertThat(s.borderEdges()).isZero();
    assertThat(Arrays.copyOf(s.triangles(), 3)).containsExactly(0, 4, 2);
    assertThat(s.area()).isEqualTo(3 + Math.sqrt(3), within(1e-6));
  }

  /** Area 2, so that for area 1 eigenvalues are twice as large and squares of functions, too. */
  private static final Spectrum SMALL =
      new Spectrum(
          new double[] {0, 1, 4, 25},
          new double[][] {{0.5, 0.5}, {1, 0.5}, {-0.5, 2}, {3, -1}},
          new double[] {0.5, 1.5});

  @Test
  void heatIsItsFormula() {
    double[][] found = Signatures.heatKernel(SMALL, 3);
    double least = 4 * Math.log(10) / 50;
    double most = 4 * Math.log(10) / 2;
    double[] times = {least, Math.sqrt(least * most), most};
    for (int j = 0; j < 3; j++) {
      double[] w = new double[4];
      for (int i = 0; i < 4; i++) {
        w[i] = Math.exp(-2 * SMALL.values()[i] * times[j]);
      }
      assertDensity(found[j], w);
    }
    assertThat(Signatures.heatKernel(SMALL, 1)[0]).containsExactly(found[0], within(1e-12));
  }

  @Test
  void wavesAreTheirFormula() {
    double first = Math.log(2);
    double last = Math.log(50);
    double[][] found = Signatures.waveKernel(SMALL, 100);
    double sigma = 7 * (last - first) / 100;
    for (int j = 0; j < 100; j += 11) {
      double e = first + 2 * sigma + (last - first - 4 * sigma) * j / 99;
      double[] w = new double[4];
      for (int i = 1; i < 4; i++) {
        double d = e - Math.log(2 * SMALL.values()[i]);
        w[i] = Math.exp(-d * d / 2 / sigma / sigma);
      }
      assertDensity(found[j], w);
    }
    // few energies, as wide as everything: all stand in the middle
    double[][] few = Signatures.waveKernel(SMALL, 2);
    assertThat(few[0]).containsExactly(few[1], within(1e-12));
    double wide = 7 * (last - first) / 2;
    double[] w = new double[4];
    for (int i = 1; i < 4; i++) {
      double d = (first + last) / 2 - Math.log(2 * SMALL.values()[i]);
      w[i] = Math.exp(-d * d / 2 / wide / wide);
    }
    assertDensity(few[0], w);
  }

  private static void assertDensity(double[] found, double[] weight) {
    double sum = Arrays.stream(weight).sum();
    for (int v = 0; v < 2; v++) {
      double expected = 0;
      for (int i = 0; i < 4; i++) {
        double phi = SMALL.functions()[i][v];
        expected += weight[i] / sum * 2 * phi * phi;
      }
      assertThat(found[v]).isEqualTo(expected, within(1e-9));
    }
  }

  @Test
  void pointsAndWholeShapes() {
    double root = Math.sqrt(2);
    double[][] points = Signatures.globalPoint(SMALL);
    assertThat(points).hasDimensions(3, 2);
    assertThat(points[0]).containsExactly(new double[] {1, 0.5}, within(1e-12));
    assertThat(points[2])
        .containsExactly(
            new double[] {3 * root / Math.sqrt(50), -root / Math.sqrt(50)}, within(1e-12));
    assertThat(Signatures.shapeDna(SMALL))
        .containsExactly(
            new double[] {2 / (4 * Math.PI), 8 / (8 * Math.PI), 50 / (12 * Math.PI)},
            within(1e-12));
    assertThat(Signatures.firstPositive(SMALL)).isEqualTo(1);
    assertThatThrownBy(() -> Signatures.firstPositive(SMALL.first(1)))
        .hasMessageContaining("found 1 that are 0");
    assertThat(SMALL.first(4)).isSameAs(SMALL);
    assertThat(SMALL.project(new double[] {2, 3})).containsExactly(2.75, 3.25, 8.5, -1.5);
    assertThat(SMALL.function(new double[] {2, 0, 1, 0})).containsExactly(0.5, 3);
    assertThat(SMALL).hasToString("Spectrum[4 pairs, 2 vertices]");
  }

  /** ‖Kφ - λMφ‖ in M⁻¹, relative to λ and Weyl's first eigenvalue, for a pair that is none. */
  @Test
  void residualsAreTheirFormula() {
    Laplacian l = Laplacian.of(RIGHT); // K has the rows (25, -16, -9)/24, (-16, 16, 0)/24, …
    double[][] functions = {{1, 1, 1}, {1, 0, -1}};
    Spectrum s = new Spectrum(new double[] {0, 3}, functions, l.mass());
    double[] d = {34 / 24.0 - 6, -16 / 24.0, -18 / 24.0 + 6};
    double norm = Math.sqrt((d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) / 2);
    assertThat(s.residuals(l)[0]).isEqualTo(0, within(1e-12));
    assertThat(s.residuals(l)[1]).isEqualTo(norm / (3 + Lanczos.unit(l)), within(1e-12));
    Spectrum same = new Spectrum(new double[] {0, 3}, functions.clone(), l.mass().clone());
    assertThat(s).isEqualTo(same).hasSameHashCodeAs(same);
    assertThat(s).isNotEqualTo(new Spectrum(new double[] {0, 2}, functions, l.mass()));
    assertThat(s).isNotEqualTo(new Spectrum(s.values(), functions, new double[3]));
    assertThat(s).isNotEqualTo(new Spectrum(s.values(), new double[2][3], l.mass()));
  }

  /** A body without symmetry: the gap is that of its eigenvalues, the first moments decide. */
  @Test
  void aBasisIsDirectedByItsMoments() {
    Surface s = Surface.of(TestMeshes.body(1));
    int k = 3;
    CanonicalBasis basis = CanonicalBasis.of(s, k);
    Spectrum unit = Laplacian.of(s).spectrum(k + 2).unitArea();
    double gap = 1;
    for (int i = 1; i <= k; i++) {
      assertThat(basis.values()[i - 1]).isEqualTo(unit.values()[i], within(1e-8));
      gap = Math.min(gap, (unit.values()[i + 1] - unit.values()[i]) / unit.values()[i + 1]);
    }
    assertThat(basis.gap()).isEqualTo(gap, within(1e-7));
    assertThat(basis.margin()).isEqualTo(Math.min(basis.gap(), basis.moment()));
    // of all signs, those by which the function that is told most about comes first
    double[][] phi = basis.functions();
    int[] sign = new int[k];
    double weakest = Double.POSITIVE_INFINITY;
    for (int step = 0; step < k; step++) {
      int next = -1;
      double strongest = 0;
      for (int i = 0; i < k; i++) {
        if (sign[i] == 0) {
          double told = 0;
          for (int a = 0; a < k; a++) {
            for (int b = 0; b <= a; b++) {
              boolean odd = a == b || (a != i && b != i);
              if (odd && (a == b || sign[a] * sign[b] != 0)) {
                told += square(moment(s, unit.mass(), phi[i], phi[a], phi[b]));
                told += a == b ? 0 : square(turning(s, basis, i, a, b));
              }
            }
          }
          if (next < 0 || Math.abs(told) > Math.abs(strongest)) {
            next = i;
            strongest = told;
          }
        }
      }
      assertThat(strongest).as("directed already").isPositive();
      sign[next] = 1;
      weakest = Math.min(weakest, Math.sqrt(strongest));
    }
    assertThat(basis.moment()).isEqualTo(weakest, within(1e-7));
    CanonicalBasis again = CanonicalBasis.of(s, k);
    assertThat(again).isEqualTo(basis).hasSameHashCodeAs(basis);
    assertThat(CanonicalBasis.of(s, 2)).isNotEqualTo(basis);
  }

  /**
   * On a sheet of 2 x 1 the second wave along is as long as the first across: of equal eigenvalues
   * the functions are those on which the heat w is diagonal, the hottest first.
   */
  @Test
  void equalEigenvaluesAreToldApartByHeat() {
    Surface s = Surface.of(TestMeshes.sheet(12, 6));
    int k = 3;
    CanonicalBasis basis = CanonicalBasis.of(s, k);
    Spectrum unit = Laplacian.of(s).spectrum(1 + k + 6).unitArea();
    double[] values = unit.values();
    assertThat(values[2]).isEqualTo(values[3], within(1e-3 * values[3]));
    int last = values.length; // the last eigenvalue and those equal to it may go on
    do {
      last--;
    } while (values[last] - values[last - 1] < 1e-3 * values[last]);
    double[] w = new double[s.vertices()];
    for (int i = 1; i < last; i++) {
      for (int v = 0; v < w.length; v++) {
        w[v] += Math.exp(-0.02 * values[i]) * unit.functions()[i][v] * unit.functions()[i][v];
      }
    }
    double[] a = basis.functions()[1];
    double[] b = basis.functions()[2];
    assertThat(moment(s, unit.mass(), a, b, w)).isEqualTo(0, within(1e-7));
    double hot = moment(s, unit.mass(), a, a, w);
    double cold = moment(s, unit.mass(), b, b, w);
    assertThat(hot).isGreaterThan(cold);
    double[] one = new double[s.vertices()];
    Arrays.fill(one, 1);
    assertThat(moment(s, unit.mass(), a, a, one)).isEqualTo(1, within(1e-7));
    assertThat(moment(s, unit.mass(), a, b, one)).isEqualTo(0, within(1e-7));
    double gap = (hot - cold) / hot;
    for (int i : new int[] {2, 4}) {
      gap = Math.min(gap, (values[i] - values[i - 1]) / values[i]);
    }
    assertThat(basis.gap()).isEqualTo(gap, within(1e-6));
  }

  private static double square(double x) {
    return x * Math.abs(x);
  }

  private static double moment(Surface s, double[] mass, double[] f, double[] g, double[] h) {
    double sum = 0;
    for (int v = 0; v < s.vertices(); v++) {
      sum += mass[v] * f[v] * g[v] * h[v];
    }
    return sum;
  }

  /** ∫ φᵢ n · (∇φⱼ × ∇φₖ) / √(λⱼ λₖ), triangle by triangle. */
  private static double turning(Surface s, CanonicalBasis basis, int i, int j, int k) {
    double sum = 0;
    int[] t = s.triangles();
    double[][] phi = basis.functions();
    for (int f = 0; f < t.length; f += 3) {
      double mean = (phi[i][t[f]] + phi[i][t[f + 1]] + phi[i][t[f + 2]]) / 3;
      double j1 = phi[j][t[f + 1]] - phi[j][t[f]];
      double j2 = phi[j][t[f + 2]] - phi[j][t[f]];
      double k1 = phi[k][t[f + 1]] - phi[k][t[f]];
      double k2 = phi[k][t[f + 2]] - phi[k][t[f]];
      sum += mean * (j1 * k2 - j2 * k1) / 2;
    }
    return sum / Math.sqrt(basis.values()[j] * basis.values()[k]);
  }
}
