package org.orbitmap.mesh.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.orbitmap.mesh.Mesh;
import org.orbitmap.mesh.TestMeshes;
import org.orbitmap.mesh.spectral.Surface;

/** Distances on small sheets against those that follow from the definition, path by path. */
class GeodesicsTest {
  private static final int SIDE = 5;

  /** A sheet in the plane, sheared: the more, the more straight ways leave their triangles. */
  private static Mesh sheet(double shear, boolean turned) {
    Mesh flat =
        TestMeshes.moved(
            TestMeshes.sheet(SIDE, SIDE - 1),
            x -> new double[] {x[0] + shear * x[1], x[1] + 0.3 * x[0] * x[1], 0});
    int[] t = flat.triangles().clone();
    for (int i = 0; turned && i < t.length; i += 6) { // every second triangle the other way round
      int first = t[i];
      t[i] = t[i + 1];
      t[i + 1] = first;
    }
    return new Mesh(flat.vertices(), t);
  }

  /** All distances, by edges and by straight ways that cross the edge between two triangles. */
  private static double[][] defined(Mesh mesh) {
    int n = mesh.vertices().size();
    float[] x = mesh.vertices().coordinates();
    double[][] d = new double[n][n];
    for (int v = 0; v < n; v++) {
      Arrays.fill(d[v], Double.POSITIVE_INFINITY);
      d[v][v] = 0;
    }
    Map<String, Integer> opposite = new HashMap<>();
    int[] t = mesh.triangles();
    for (int h = 0; h < t.length; h++) {
      int a = t[h];
      int b = t[h / 3 * 3 + (h + 1) % 3];
      int c = t[h / 3 * 3 + (h + 2) % 3];
      step(d, x, a, b);
      Integer other = opposite.put(Math.min(a, b) + "-" + Math.max(a, b), c);
      if (other != null && side(x, c, other, a) * side(x, c, other, b) < 0) {
        step(d, x, c, other);
      }
    }
    for (int via = 0; via < n; via++) {
      for (int a = 0; a < n; a++) {
        for (int b = 0; b < n; b++) {
          d[a][b] = Math.min(d[a][b], d[a][via] + d[via][b]);
        }
      }
    }
    return d;
  }

  private static void step(double[][] d, float[] x, int a, int b) {
    double length = Math.hypot(x[3 * a] - x[3 * b], x[3 * a + 1] - x[3 * b + 1]);
    d[a][b] = length;
    d[b][a] = length;
  }

  /** On which side of the line from a to b a point lies. */
  private static double side(float[] x, int a, int b, int p) {
    double ux = x[3 * b] - x[3 * a];
    double uy = x[3 * b + 1] - x[3 * a + 1];
    return ux * (x[3 * p + 1] - x[3 * a + 1]) - uy * (x[3 * p] - x[3 * a]);
  }

  @Test
  void distancesAreThoseOfTheDefinition() {
    for (double shear : new double[] {0, 0.7, 2.5, -4}) {
      for (boolean turned : new boolean[] {false, true}) {
        Mesh mesh = sheet(shear, turned);
        Geodesics g = new Geodesics(Surface.of(mesh));
        double[][] expected = defined(mesh);
        for (int a = 0; a < expected.length; a++) {
          float[] from = g.from(a);
          for (int b = 0; b < expected.length; b++) {
            assertThat((double) from[b])
                .as("shear %s, %d to %d", shear, a, b)
                .isEqualTo(expected[a][b], within(1e-5));
            assertThat(g.between(a, b)).isEqualTo(from[b]);
          }
        }
      }
    }
  }

  @Test
  void otherPartsAreInfinitelyFar() {
    Geodesics g =
        new Geodesics(Surface.of(TestMeshes.both(TestMeshes.sphere(0), TestMeshes.sphere(0))));
    float[] d = g.from(13);
    for (int v = 0; v < d.length; v++) {
      assertThat(Float.isInfinite(d[v])).isEqualTo(v < 12);
    }
    assertThat(g.between(0, 20)).isInfinite();
  }

  /** One edge is far longer than the others, and a search uses its memory again. */
  @Test
  void farthestPointsFollowEachOther() {
    Mesh mesh =
        TestMeshes.moved(
            TestMeshes.sheet(SIDE, SIDE - 1),
            x -> new double[] {x[0] > 0.99 ? 40 : x[0], x[1] + 0.1 * x[0] * x[0], 0});
    Geodesics g = new Geodesics(Surface.of(mesh));
    int n = mesh.vertices().size();
    Geodesics.Cells cells = g.farthest(n).get(0);
    assertThat(cells.points()[0]).isEqualTo(last(g.from(0)));
    float[] nearest = g.from(cells.points()[0]);
    for (int i = 1; i < n; i++) {
      assertThat(cells.points()[i]).isEqualTo(last(nearest));
      float[] d = g.from(cells.points()[i]);
      for (int v = 0; v < n; v++) {
        nearest[v] = Math.min(nearest[v], d[v]);
      }
    }
    for (int i = 0; i < n; i++) {
      assertThat(cells.owner()[cells.points()[i]]).isEqualTo(i);
    }
    assertThat(g.farthest(2, 3).get(1).points()).startsWith(g.farthest(2).get(0).points());
  }

  private static int last(float[] d) {
    int last = 0;
    for (int v = 1; v < d.length; v++) {
      last = d[v] > d[last] ? v : last;
    }
    return last;
  }
}
