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

class SurfaceMatcherTest {
  private static final int EIGEN = 40;
  private static final SurfaceMatcher MATCHER =
      new SurfaceMatcher(EIGEN, SurfaceMatcher.Descriptors.WKS, Landmarks.NONE, true);

  /** Two triangulations of the sphere that have no vertex in common. */
  private static final Mesh SPHERE = TestMeshes.sphere(4);

  private static final Mesh TURNED =
      TestMeshes.moved(
          SPHERE,
          x -> {
            double c = Math.cos(0.7);
            double s = Math.sin(0.7);
            double y = c * x[1] - s * x[2];
            double z = s * x[1] + c * x[2];
            return new double[] {c * x[0] + s * z, y, -s * x[0] + c * z};
          });

  private static SampledSurface prepared(Mesh mesh) {
    return new SampledSurface(Surface.of(mesh), EIGEN);
  }

  /** For each vertex of the second sphere the nearest one of the first. */
  private static int[] truth(Mesh first, Mesh second) {
    return Nearest.of(rows(first), rows(second));
  }

  private static float[][] rows(Mesh mesh) {
    float[] x = mesh.vertices().coordinates();
    float[][] rows = new float[3][x.length / 3];
    for (int i = 0; i < x.length; i++) {
      rows[i % 3][i / 3] = x[i];
    }
    return rows;
  }

  private static double error(Mesh a, int[] found, int[] truth) {
    Surface s = Surface.of(a);
    Geodesics g = new Geodesics(s);
    double unit = Math.sqrt(s.area());
    return IntStream.range(0, found.length)
        .filter(i -> i % 7 == 0)
        .mapToDouble(i -> g.between(found[i], truth[i]) / unit)
        .average()
        .orElseThrow();
  }

  private static Mesh bent(Mesh mesh) {
    return TestMeshes.moved(
        mesh, x -> new double[] {3 * x[0], 3 * x[1] + 0.12 * x[0] * x[0], -2 + 3 * x[2]});
  }

  @Test
  void findsABentBodyWithOtherTriangles() {
    Mesh a = TestMeshes.body(SPHERE);
    Mesh b = bent(TestMeshes.body(TURNED));
    SurfaceMatch found = MATCHER.match(prepared(a), prepared(b));
    assertThat(error(a, found.toA(), truth(SPHERE, TURNED))).isLessThan(0.03);
    assertThat(error(b, found.toB(), truth(TURNED, SPHERE))).isLessThan(0.03);
    assertThat(found.quality().bijectivity()).isGreaterThan(0.9);
    assertThat(found.quality().margin()).isGreaterThan(0.1);
    assertThat(found.map().c()).hasDimensions(EIGEN, EIGEN);
    assertThat(MATCHER.match(prepared(a), prepared(b))).as("the same again").isEqualTo(found);
  }

  @Test
  void theFitOfDescriptorsIsAMapByItself() {
    Mesh a = TestMeshes.body(SPHERE);
    Mesh b = bent(TestMeshes.body(TURNED));
    SampledSurface x = prepared(a);
    SampledSurface y = prepared(b);
    for (SurfaceMatcher.Descriptors kind : SurfaceMatcher.Descriptors.values()) {
      FunctionalMap c = new SurfaceMatcher(EIGEN, kind, Landmarks.NONE, false).fit(x, y);
      int[] t = c.points(x.spectrum.functions(), y.spectrum.functions());
      assertThat(error(a, t, truth(SPHERE, TURNED))).as(kind.name()).isLessThan(0.1);
    }
  }

  /**
   * Three different axes: half turns about them take an ellipsoid to itself, and nothing but
   * landmarks can tell which one is meant.
   */
  @Test
  void landmarksDecideWhereTheShapeDoesNot() {
    Mesh a = TestMeshes.moved(SPHERE, x -> new double[] {2 * x[0], 1.4 * x[1], x[2]});
    Mesh b = TestMeshes.moved(TURNED, x -> new double[] {2 * x[0], 1.4 * x[1], x[2]});
    SampledSurface x = prepared(a);
    SampledSurface y = prepared(b);
    SurfaceMatch blind = MATCHER.match(x, y);
    assertThat(blind.quality().gap()).isLessThan(0.1);
    int[] truth = truth(SPHERE, TURNED);
    int[] onB = {10, 500, 1200, 2000};
    int[] onA = Arrays.stream(onB).map(v -> truth[v]).toArray();
    SurfaceMatch led =
        new SurfaceMatcher(EIGEN, SurfaceMatcher.Descriptors.WKS, new Landmarks(onA, onB), true)
            .match(x, y);
    assertThat(error(a, led.toA(), truth)).isLessThan(0.03);
    assertThat(led.quality().gap()).isGreaterThan(0.5);
  }

  @Test
  void takesValuesAlong() {
    SurfaceMatch m =
        new SurfaceMatch(
            new int[] {1, 0, 1},
            new int[] {1, 0},
            new FunctionalMap(new double[][] {{1}}),
            new SurfaceMatch.Quality(1, 1, 1, 0.5));
    assertThat(m.transfer(new float[] {1, 2, 3, 4})).containsExactly(3, 4, 1, 2, 3, 4);
    assertThat(m.quality().margin()).isEqualTo(0.5);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> m.transfer(new float[3]))
        .withMessageContaining("a multiple of 2");
  }

  @Test
  void refusesWhatCannotBeMatched() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> prepared(TestMeshes.both(TestMeshes.sphere(2), TestMeshes.sphere(2))))
        .withMessageContaining("connected surface, found 2 parts");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Landmarks(new int[] {5000}, new int[] {1}).checked(100, 100))
        .withMessageContaining("0 … 99");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Landmarks(new int[2], new int[1]))
        .withMessageContaining("2 and 1");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new SurfaceMatcher(2, SurfaceMatcher.Descriptors.WKS, Landmarks.NONE, true))
        .withMessageContaining("at least 4");
  }

  /** Never shorter than the straight line, and a few per cent longer at most. */
  @Test
  void distancesOnAFlatSheetAreNearlyStraight() {
    Surface s = Surface.of(TestMeshes.sheet(30, 30));
    float[] d = new Geodesics(s).from(0);
    double sum = 0;
    for (int v = 1; v < d.length; v++) {
      int row = v / 31;
      double straight = Math.hypot(row, v % 31) / 30;
      assertThat((double) d[v]).isGreaterThan(straight * 0.99999);
      sum += d[v] / straight;
    }
    assertThat(sum / (d.length - 1)).isEqualTo(1.04, within(0.04));
    assertThat(new Geodesics(s).between(0, 500)).isEqualTo(d[500]);
  }

  @Test
  void bothDirectionsAgreeWithOneByOne() {
    float[][] x = rows(SPHERE);
    float[][] y = rows(TURNED);
    Nearest both = Nearest.both(x, y);
    assertThat(both.point()).isEqualTo(Nearest.of(x, y));
    int differ = 0;
    int[] inverse = Nearest.of(y, x);
    for (int i = 0; i < inverse.length; i++) {
      differ += inverse[i] == both.query()[i] ? 0 : 1;
    }
    assertThat(differ).as("ties within rounding").isLessThan(inverse.length / 100);
  }

  /** Each vertex belongs to the nearest point, and fewer points are the first of more. */
  @Test
  void cellsAreNearestToTheirPoints() {
    Surface s = Surface.of(bent(TestMeshes.body(TURNED)));
    Geodesics g = new Geodesics(s);
    List<Geodesics.Cells> cells = g.farthest(5, 40);
    assertThat(cells.get(1).points()).hasSize(40).startsWith(cells.get(0).points());
    for (Geodesics.Cells c : cells) {
      float[][] d = Arrays.stream(c.points()).mapToObj(g::from).toArray(float[][]::new);
      for (int v = 0; v < s.vertices(); v++) {
        int at = v;
        float least = (float) Arrays.stream(d).mapToDouble(row -> row[at]).min().orElseThrow();
        assertThat(d[c.owner()[v]][v]).isEqualTo(least);
        if (v % 50 == 0) {
          assertThat(g.between(c.points()[0], v)).isEqualTo(d[0][v]);
        }
      }
    }
    assertThat(g.farthest(10 * s.vertices()).get(0).points()).hasSize(s.vertices());
  }

  @Test
  void theNearestPointIsNearest() {
    SplittableRandom random = new SplittableRandom(3);
    for (int dimensions : new int[] {1, 3, 6, 8}) {
      float[][] x = random(random, dimensions, 1100);
      float[][] y = random(random, dimensions, 70);
      int[] found = Nearest.of(x, y);
      for (int q = 0; q < found.length; q++) {
        double least = Double.POSITIVE_INFINITY;
        for (int p = 0; p < x[0].length; p++) {
          least = Math.min(least, squared(x, p, y, q));
        }
        assertThat(squared(x, found[q], y, q)).isEqualTo(least, within(1e-5));
      }
    }
  }

  private static float[][] random(SplittableRandom random, int rows, int columns) {
    float[][] x = new float[rows][columns];
    for (float[] row : x) {
      for (int i = 0; i < columns; i++) {
        row[i] = random.nextFloat();
      }
    }
    return x;
  }

  private static double squared(float[][] x, int p, float[][] y, int q) {
    double sum = 0;
    for (int k = 0; k < x.length; k++) {
      double d = x[k][p] - y[k][q];
      sum += d * d;
    }
    return sum;
  }

  /** A factor serves all matrices that its own begins with. */
  @Test
  void aFactorSolvesWhatItsMatrixBeginsWith() {
    double[][] a = {{4}, {1, 3}, {0.5, -1, 5}};
    DenseSolver.factor(a);
    double[][] b = {{9}, {8}};
    DenseSolver.solve(a, b);
    assertThat(4 * b[0][0] + b[1][0]).isEqualTo(9, within(1e-12));
    assertThat(b[0][0] + 3 * b[1][0]).isEqualTo(8, within(1e-12));
  }
}
