package org.orbitmap.mesh.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.orbitmap.mesh.Mesh;
import org.orbitmap.mesh.TestMeshes;
import org.orbitmap.mesh.spectral.Surface;

/** What maps of functions are made of, on numbers and on a small body. */
class FunctionalMapTest {
  private static final int EIGEN = 12;
  private static final Mesh BODY = TestMeshes.body(2);
  private static final SampledSurface SURFACE = new SampledSurface(Surface.of(BODY), EIGEN);

  /** The same in a mirror, with its triangles the right way round. */
  private static final SampledSurface MIRRORED =
      new SampledSurface(
          Surface.of(turned(TestMeshes.moved(BODY, x -> new double[] {x[0], x[1], -x[2]}))), EIGEN);

  private static Mesh turned(Mesh mesh) {
    int[] t = mesh.triangles().clone();
    for (int i = 0; i < t.length; i += 3) {
      t[i] = mesh.triangles()[i + 1];
      t[i + 1] = mesh.triangles()[i];
    }
    return new Mesh(mesh.vertices(), t);
  }

  private static double[][] random(long seed, int rows, int columns) {
    SplittableRandom random = new SplittableRandom(seed);
    double[][] x = new double[rows][columns];
    for (double[] row : x) {
      Arrays.setAll(row, i -> random.nextDouble(-1, 1));
    }
    return x;
  }

  private static int[] identity(int n) {
    return IntStream.range(0, n).toArray();
  }

  @Test
  void sumsOfRowsAreSums() {
    for (int n = 0; n <= 7; n++) {
      double[][] x = random(n, 9, n);
      double[][] c = random(n + 50, 1, 9);
      for (int rows = 1; rows <= 9; rows++) {
        double[] y = new double[n];
        Arrays.fill(y, 0.5);
        Rows.add(y, Arrays.copyOf(c[0], rows), x, n);
        double[] dots = new double[rows];
        if (rows > 1) {
          Rows.dots(x[0], Arrays.copyOf(x, rows), dots);
        } else {
          dots[0] = Rows.dot(x[0], x[0]);
        }
        for (int j = 0; j < n; j++) {
          double sum = 0.5;
          for (int l = 0; l < rows; l++) {
            sum += c[0][l] * x[l][j];
          }
          assertThat(y[j]).isEqualTo(sum, within(1e-14));
        }
        for (int l = 0; l < rows; l++) {
          double dot = 0;
          for (int j = 0; j < n; j++) {
            dot += x[0][j] * x[l][j];
          }
          assertThat(dots[l]).isEqualTo(dot, within(1e-14));
        }
      }
    }
    assertThat(Rows.transposed(new double[][] {{1, 2, 3}, {4, 5, 6}}))
        .isDeepEqualTo(new double[][] {{1, 4}, {2, 5}, {3, 6}});
    assertThat(Rows.floats(new double[] {0.1, -2})).containsExactly(0.1f, -2);
  }

  @Test
  void aSolutionSolves() {
    int n = 6;
    double[][] r = random(1, n, n);
    double[][] a = new double[n][n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        a[i][j] = Rows.dot(r[i], r[j]) + (i == j ? 0.1 : 0);
      }
    }
    double[][] factor = Arrays.stream(a).map(double[]::clone).toArray(double[][]::new);
    DenseSolver.factor(factor);
    double[][] b = random(2, n, 3);
    double[][] x = Arrays.stream(b).map(double[]::clone).toArray(double[][]::new);
    DenseSolver.solve(factor, x);
    for (int i = 0; i < n; i++) {
      double[] row = new double[3];
      Rows.add(row, a[i], x, 3);
      assertThat(row).containsExactly(b[i], within(1e-12));
    }
  }

  @Test
  void aMatrixWithoutFullRankIsStillFactored() {
    double[][] a = {{1}, {1, 1}};
    DenseSolver.factor(a);
    assertThat(a[1][1]).isEqualTo(1e-7, within(1e-12));
  }

  /** Whole numbers, so that equal distances are equal; the first of equals is nearest. */
  @Test
  void theNearestIsTheFirstOfTheNearest() {
    SplittableRandom random = new SplittableRandom(5);
    for (int dimensions : new int[] {1, 2, 3, 5, 7}) {
      for (int n : new int[] {3, 512, 513, 1030}) {
        float[][] x = whole(random, dimensions, n);
        float[][] y = whole(random, dimensions, n == 513 ? 330 : 65);
        Nearest both = Nearest.both(x, y);
        assertThat(both.point()).isEqualTo(nearest(x, y));
        assertThat(both.query()).isEqualTo(nearest(y, x));
        Nearest one = new Nearest(Nearest.of(x, y), new int[0]);
        assertThat(one).isNotEqualTo(both);
        assertThat(one.point()).isEqualTo(both.point());
        assertThat(Nearest.both(x, y)).isEqualTo(both);
      }
    }
  }

  private static float[][] whole(SplittableRandom random, int rows, int columns) {
    float[][] x = new float[rows][columns];
    for (float[] row : x) {
      for (int i = 0; i < columns; i++) {
        row[i] = random.nextInt(-9, 10);
      }
    }
    return x;
  }

  private static int[] nearest(float[][] points, float[][] queries) {
    int[] nearest = new int[queries[0].length];
    for (int q = 0; q < nearest.length; q++) {
      double least = Double.POSITIVE_INFINITY;
      for (int p = 0; p < points[0].length; p++) {
        double sum = 0;
        for (int k = 0; k < points.length; k++) {
          sum += Math.pow(points[k][p] - queries[k][q], 2);
        }
        if (sum < least) {
          least = sum;
          nearest[q] = p;
        }
      }
    }
    return nearest;
  }

  @Test
  void figuresOfAMatrixAreTheirFormulas() {
    FunctionalMap map = new FunctionalMap(new double[][] {{1, 2}, {0, -3}});
    assertThat(map.times(new double[] {5, 7})).containsExactly(19, -21);
    // CᵀC - I = {{0, 2}, {2, 12}}
    assertThat(map.orthogonality()).isEqualTo(1 - Math.sqrt(152 / 2.0), within(1e-12));
    // CΛ_A = {{2, 6}, {0, -9}}, Λ_B C = {{5, 10}, {0, -21}}
    assertThat(map.commutation(new double[] {2, 3}, new double[] {5, 7}))
        .isEqualTo(1 - Math.sqrt((9 + 16 + 144) / (4.0 + 36 + 81)), within(1e-12));
    assertThat(map.commutation(new double[2], new double[2])).isZero();
    assertThat(map.extended(-1))
        .isEqualTo(new FunctionalMap(new double[][] {{1, 2, 0}, {0, -3, 0}, {0, 0, -1}}))
        .isNotEqualTo(map);
    assertThat(map).hasToString("FunctionalMap[2 × 2]");
    // C φ at the points of A is (1, 0), (2, -3), those of B lie nearer to one of the two
    assertThat(map.points(new double[][] {{1, 0}, {0, 1}}, new double[][] {{2, 0}, {-2, 0}}))
        .containsExactly(1, 0);
    Nearest both =
        map.bothPoints(new double[][] {{1, 0}, {0, 1}}, new double[][] {{2, 0}, {-2, 0}});
    assertThat(both.point()).containsExactly(1, 0);
    assertThat(both.query()).containsExactly(1, 0);
  }

  /** Points far apart stand for all: their shares are the area, their functions the first ones. */
  @Test
  void samplesStandForTheSurface() {
    SampledSurface s = new SampledSurface(Surface.of(BODY), EIGEN);
    assertThat(s.vertices()).isEqualTo(162);
    assertThat(s.spectrum()).isSameAs(s.spectrum);
    assertThat(s.fine.size()).isEqualTo(162);
    assertThat(Arrays.stream(s.fine.weight()).sum()).isEqualTo(1, within(1e-12));
    double unit = Math.sqrt(s.surface.area());
    for (int p = 0; p < s.fine.size(); p++) {
      int v = s.fine.vertices()[p];
      assertThat(s.fine.weight()[p]).isEqualTo(s.spectrum.mass()[v], within(1e-15));
      assertThat(s.owner[v]).isEqualTo(p);
      assertThat((double) s.distance[0][p])
          .isEqualTo(s.geodesics.from(s.coarse.vertices()[0])[v] / unit, within(1e-6));
      for (int i = 0; i < EIGEN; i++) {
        assertThat(s.fine.basis()[i][p]).isEqualTo(s.spectrum.functions()[i][v]);
        assertThat(s.fine.weighted()[i][p]).isEqualTo(s.fine.weight()[p] * s.fine.basis()[i][p]);
      }
    }
    // all vertices are there: the functions are orthonormal, and so is their factor
    for (int i = 0; i < EIGEN; i++) {
      for (int j = 0; j <= i; j++) {
        assertThat(s.fine.factor()[i][j]).isEqualTo(i == j ? 1 : 0, within(1e-8));
      }
    }
  }

  /** In the largest triangle at a point, its slope along two sides is the difference of values. */
  @Test
  void gradientsAreThoseOfTheLargestTriangle() {
    SampledSurface s = new SampledSurface(Surface.of(BODY), EIGEN);
    int[] t = s.surface.triangles();
    double unit = Math.sqrt(s.surface.area());
    assertThat(s.gradient).hasDimensions(EIGEN, 2 * s.fine.size());
    for (int p = 0; p < s.fine.size(); p++) {
      int v = s.fine.vertices()[p];
      int largest =
          IntStream.range(0, t.length)
              .filter(h -> t[h] == v)
              .map(h -> h / 3)
              .boxed()
              .max((f, g) -> Double.compare(s.surface.area(f), s.surface.area(g)))
              .orElseThrow();
      double l0 = s.surface.lengths()[3 * largest] / unit;
      double l2 = s.surface.lengths()[3 * largest + 2] / unit;
      double height = 2 * s.surface.area(largest) / unit / unit / l0;
      double along = along(s, largest, unit);
      assertThat(along * along + height * height).isEqualTo(l2 * l2, within(1e-9));
      for (int i = 0; i < EIGEN; i++) {
        double[] f = s.spectrum.functions()[i];
        double gx = s.gradient[i][2 * p];
        double gy = s.gradient[i][2 * p + 1];
        assertThat(gx * l0).isEqualTo(f[t[3 * largest + 1]] - f[t[3 * largest]], within(1e-6));
        assertThat(gx * along + gy * height)
            .isEqualTo(f[t[3 * largest + 2]] - f[t[3 * largest]], within(1e-6));
      }
    }
  }

  /** Where the third corner lies along the first side, by the products of the sides in space. */
  private static double along(SampledSurface s, int face, double unit) {
    float[] x = BODY.vertices().coordinates();
    int[] t = s.surface.triangles();
    double dot = 0;
    double length = 0;
    for (int k = 0; k < 3; k++) {
      double first = x[3 * t[3 * face + 1] + k] - x[3 * t[3 * face] + k];
      dot += first * (x[3 * t[3 * face + 2] + k] - x[3 * t[3 * face] + k]);
      length += first * first;
    }
    return dot / Math.sqrt(length) / unit;
  }

  @Test
  void theMapOfNoMotionIsTheIdentity() {
    int n = SURFACE.coarse.size();
    FunctionalMap map = FunctionalMap.of(EIGEN, SURFACE.coarse, SURFACE.coarse, identity(n));
    for (int i = 0; i < EIGEN; i++) {
      for (int j = 0; j < EIGEN; j++) {
        assertThat(map.c()[i][j]).isEqualTo(i == j ? 1 : 0, within(1e-8));
      }
    }
    assertThat(map.orthogonality()).isEqualTo(1, within(1e-6));
    Candidate c = Candidate.of(SURFACE, SURFACE, Landmarks.NONE, map, identity(n));
    assertThat(c.distortion()).isZero();
    assertThat(c.orientation()).isEqualTo(1, within(1e-6));
    assertThat(c.energy()).isZero();
    assertThat(c.apart(c, SURFACE, SURFACE)).isZero();
  }

  /** E = d (1 + (1 - o) / 2) + l, of a map that takes two points to one another. */
  @Test
  void anEnergyIsItsFormula() {
    SampledSurface s = SURFACE;
    int n = s.coarse.size();
    int[] t = identity(n);
    t[0] = 1;
    t[1] = 0;
    FunctionalMap map = FunctionalMap.of(EIGEN, s.coarse, s.coarse, t);
    Landmarks two =
        new Landmarks(
            new int[] {s.coarse.vertices()[0], s.coarse.vertices()[3]},
            new int[] {s.coarse.vertices()[0], s.coarse.vertices()[2]});
    double misfit = (s.distance[0][1] + s.distance[3][2]) / 2;
    assertThat(two.misfit(s, s, t)).isEqualTo(misfit, within(1e-6));
    Candidate c = Candidate.of(s, s, two, map, t);
    double sum = 0;
    for (int q = 2; q < 160; q++) {
      sum += 2 * Math.abs(s.distance[0][q] - s.distance[1][q]);
    }
    assertThat(c.distortion()).isEqualTo(sum / (160 * 159 / 2), within(1e-7));
    assertThat(c.orientation()).isBetween(0.5, 0.9999);
    assertThat(c.energy())
        .isEqualTo(c.distortion() * (1 + (1 - c.orientation()) / 2) + misfit, within(1e-6));
    Candidate still = Candidate.of(s, s, Landmarks.NONE, map, identity(n));
    assertThat(c.apart(still, s, s))
        .isEqualTo(s.distance[0][1] * (s.coarse.weight()[0] + s.coarse.weight()[1]), within(1e-9));
  }

  /** The mirror image keeps all distances and turns every sense of rotation round. */
  @Test
  void aMirrorReversesTheOrientation() {
    int n = SURFACE.coarse.size();
    int[] toMirror = new int[n];
    for (int p = 0; p < n; p++) {
      toMirror[p] = SURFACE.owner[MIRRORED.coarse.vertices()[p]];
    }
    FunctionalMap map = FunctionalMap.of(EIGEN, SURFACE.coarse, MIRRORED.coarse, toMirror);
    Candidate c = Candidate.of(SURFACE, MIRRORED, Landmarks.NONE, map, toMirror);
    assertThat(c.distortion()).isLessThan(1e-6);
    assertThat(c.orientation()).isLessThan(-0.8);
    assertThat(c.energy()).isEqualTo(c.distortion() * (1 + (1 - c.orientation()) / 2));
  }

  @Test
  void aSurfaceMatchesItself() {
    SampledSurface s = new SampledSurface(Surface.of(TestMeshes.body(1)), EIGEN);
    for (SurfaceMatcher.Descriptors kind : SurfaceMatcher.Descriptors.values()) {
      for (boolean refined : new boolean[] {false, true}) {
        SurfaceMatch found = new SurfaceMatcher(EIGEN, kind, Landmarks.NONE, refined).match(s, s);
        assertThat(found.toA()).isEqualTo(identity(42));
        assertThat(found.toB()).isEqualTo(identity(42));
        assertThat(found.map().c()).hasDimensions(EIGEN, EIGEN);
        assertThat(found.quality().bijectivity()).isEqualTo(1, within(1e-9));
        assertThat(found.quality().orthogonality()).isEqualTo(1, within(1e-6));
        assertThat(found.quality().commutation()).isEqualTo(1, within(1e-6));
        assertThat(found.quality().gap()).isEqualTo(1, within(1e-6));
      }
    }
  }

  @Test
  void valuesAreAskedForInWholeRows() {
    SurfaceMatch m =
        new SurfaceMatch(
            new int[] {0, 1},
            new int[] {0, 1},
            new FunctionalMap(new double[][] {{1}}),
            new SurfaceMatch.Quality(0.9, 0.8, -0.1, 0.5));
    assertThat(m.quality().margin()).isZero();
    assertThatIllegalArgumentException().isThrownBy(() -> m.transfer(new float[0]));
    assertThat(m.transfer(new float[] {1, 2})).containsExactly(1, 2);
    SurfaceMatch same = new SurfaceMatch(m.toA().clone(), m.toB().clone(), m.map(), m.quality());
    assertThat(m).isEqualTo(same).hasSameHashCodeAs(same);
    for (SurfaceMatch other :
        List.of(
            new SurfaceMatch(new int[] {0, 0}, m.toB(), m.map(), m.quality()),
            new SurfaceMatch(m.toA(), new int[] {0, 0}, m.map(), m.quality()),
            new SurfaceMatch(m.toA(), m.toB(), m.map().extended(1), m.quality()),
            new SurfaceMatch(m.toA(), m.toB(), m.map(), new SurfaceMatch.Quality(0, 0, 0, 0)))) {
      assertThat(m).isNotEqualTo(other);
    }
    assertThat(m).hasToString("SurfaceMatch[2 to 2 vertices, " + m.quality() + "]");
  }

  @Test
  void landmarksAreVertices() {
    Landmarks l = new Landmarks(new int[] {0, 9}, new int[] {4, 0});
    assertThat(l.checked(10, 5)).isSameAs(l);
    assertThat(l.size()).isEqualTo(2);
    assertThat(l)
        .isEqualTo(new Landmarks(new int[] {0, 9}, new int[] {4, 0}))
        .isNotEqualTo(new Landmarks(new int[] {0, 9}, new int[] {4, 1}))
        .isNotEqualTo(new Landmarks(new int[] {1, 9}, new int[] {4, 0}))
        .hasToString("Landmarks[2]");
    assertThatIllegalArgumentException().isThrownBy(() -> l.checked(9, 5));
    assertThatIllegalArgumentException().isThrownBy(() -> l.checked(10, 4));
    for (int[] v : new int[][] {{-1, 0}, {0, -1}}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new Landmarks(new int[] {v[0]}, new int[] {v[1]}).checked(10, 10));
    }
  }
}
