package org.orbitmap.mesh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.group.SimilarityGroup;

class MeshTest {
  private static Mesh mesh(int vertices, int... triangles) {
    return new Mesh(new PointCloud(3, new float[3 * vertices]), triangles);
  }

  @Test
  void topologyOfATetrahedron() {
    Mesh whole = mesh(4, 0, 1, 2, 0, 3, 1, 1, 3, 2, 2, 3, 0);
    assertThat(whole.isClosed()).isTrue();
    assertThat(whole.eulerCharacteristic()).isEqualTo(2);
    Mesh open = mesh(4, 0, 1, 2, 0, 3, 1, 1, 3, 2);
    assertThat(open.isClosed()).isFalse();
    assertThat(open.eulerCharacteristic()).isEqualTo(1);
  }

  /** Seven vertices, every two of them joined: the smallest torus. */
  @Test
  void topologyOfATorus() {
    int[] triangles = new int[42];
    for (int i = 0; i < 7; i++) {
      int[] two = {i, (i + 1) % 7, (i + 3) % 7, i, (i + 3) % 7, (i + 2) % 7};
      System.arraycopy(two, 0, triangles, 6 * i, 6);
    }
    assertThat(mesh(7, triangles).isClosed()).isTrue();
    assertThat(mesh(7, triangles).eulerCharacteristic()).isZero();
  }

  @Test
  void indicesMustFit() {
    assertThatThrownBy(() -> mesh(3, 0, 1))
        .hasMessage("mesh: expected three indices a triangle, found 2 in all");
    for (int bad : new int[] {-1, 3}) {
      assertThatThrownBy(() -> mesh(3, 0, 1, bad))
          .hasMessage("mesh: expected vertices 0 … 2, found " + bad);
    }
    assertThat(Mesh.of(new PointCloud(3, new float[9])).triangles()).isEmpty();
    Mesh m = mesh(3, 0, 1, 2);
    assertThat(m).isEqualTo(mesh(3, 0, 1, 2)).hasSameHashCodeAs(mesh(3, 0, 1, 2));
    assertThat(m)
        .isNotEqualTo(mesh(3, 0, 2, 1))
        .isNotEqualTo(mesh(4, 0, 1, 2))
        .doesNotHaveSameHashCodeAs(mesh(3, 0, 2, 1));
    assertThat(m.toString()).endsWith(", 1 triangles]");
  }

  /** 10·4ᶜ + 2 vertices on the unit sphere, closed, all triangles outwards, the area near 4π. */
  @Test
  void theSphere() {
    for (int cuts = 0; cuts < 4; cuts++) {
      Mesh sphere = Mesh.sphere(cuts);
      float[] c = sphere.vertices().coordinates();
      assertThat(sphere.vertices().size()).isEqualTo(10 * (1 << (2 * cuts)) + 2);
      assertThat(sphere.triangles()).hasSize(3 * 20 * (1 << (2 * cuts)));
      assertThat(sphere.isClosed()).isTrue();
      assertThat(sphere.eulerCharacteristic()).isEqualTo(2);
      for (int i = 0; i < c.length; i += 3) {
        assertThat(c[i] * c[i] + c[i + 1] * c[i + 1] + c[i + 2] * c[i + 2])
            .isCloseTo(1, within(1e-6f));
      }
      int[] t = sphere.triangles();
      double six = 0;
      for (int f = 0; f < t.length; f += 3) {
        double volume = determinant(c, t[f], t[f + 1], t[f + 2]);
        assertThat(volume).isPositive();
        six += volume;
      }
      assertThat(six / 6).isCloseTo(4 * Math.PI / 3, within(2.4 / (1 << (2 * cuts))));
    }
    assertThatThrownBy(() -> Mesh.sphere(-1)).hasMessageContaining("0 … 8 cuts, found -1");
    assertThatThrownBy(() -> Mesh.sphere(9)).hasMessageContaining("0 … 8 cuts, found 9");
  }

  private static double determinant(float[] c, int i, int j, int k) {
    return c[3 * i] * ((double) c[3 * j + 1] * c[3 * k + 2] - c[3 * j + 2] * c[3 * k + 1])
        + c[3 * i + 1] * ((double) c[3 * j + 2] * c[3 * k] - c[3 * j] * c[3 * k + 2])
        + c[3 * i + 2] * ((double) c[3 * j] * c[3 * k + 1] - c[3 * j + 1] * c[3 * k]);
  }

  /** Two triangles of area 3/2 and 1/2, and one of none, which is never hit. */
  @Test
  void pointsAreDrawnByArea() {
    float[] c = {0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 0, 5, 0, 1, 5, 0, 0, 6, 9, 9, 9};
    Mesh m = new Mesh(new PointCloud(3, c), new int[] {0, 1, 2, 3, 5, 4, 6, 6, 6});
    PointCloud x = m.sample(4000, 1);
    assertThat(x.size()).isEqualTo(4000);
    float[] normals = x.feature("normal").orElseThrow().values();
    int flat = 0;
    double[] mean = new double[3];
    for (int i = 0; i < 4000; i++) {
      float u = x.coordinates()[3 * i];
      float v = x.coordinates()[3 * i + 1];
      float w = x.coordinates()[3 * i + 2];
      if (w == 0) {
        flat++;
        assertThat(u / 3 + v).isBetween(0f, 1.000001f);
        assertThat(u).isGreaterThanOrEqualTo(0);
        assertThat(v).isGreaterThanOrEqualTo(0);
        assertThat(normals[3 * i + 2]).isEqualTo(1);
        mean[0] += u;
        mean[1] += v;
      } else {
        assertThat(u).isZero();
        assertThat(v + w - 5).isBetween(-0.000001f, 1.000001f);
        assertThat(normals[3 * i]).isEqualTo(-1);
      }
    }
    assertThat(flat / 4000.0).isCloseTo(0.75, within(0.03));
    assertThat(mean[0] / flat).isCloseTo(1, within(0.05)); // the centre of the triangle
    assertThat(mean[1] / flat).isCloseTo(1 / 3.0, within(0.02));
    assertThat(m.sample(10, 1)).isEqualTo(m.sample(10, 1)).isNotEqualTo(m.sample(10, 2));
    assertThatThrownBy(() -> m.sample(0, 1)).hasMessageContaining("at least 1 point");
    assertThatThrownBy(() -> mesh(3, 0, 1, 2).sample(1, 1))
        .hasMessageContaining("triangles with a finite area, found 1 with area 0.0");
    assertThatThrownBy(
            () -> new Mesh(new PointCloud(2, new float[6]), new int[] {0, 1, 2}).sample(1, 1))
        .hasMessageContaining("expected a mesh in space");
  }

  /** Points that were mirrored turn the triangles over, so that outside stays outside. */
  @Test
  void movingAndRenumbering() {
    Mesh sphere = Mesh.sphere(0);
    MeshAction action = new MeshAction(SimilarityGroup.o(3), 12);
    Random random = new Random(1);
    for (int k = 0; k < 20; k++) {
      var g = action.group().sample(random);
      Mesh moved = action.act(g, sphere);
      for (int v = 0; v < 12; v++) {
        double[] p = new double[3];
        for (int j = 0; j < 3; j++) {
          p[j] = sphere.vertices().coordinates()[3 * v + j];
        }
        double[] q = g.first().apply(p);
        int to = g.second().image(v);
        for (int j = 0; j < 3; j++) {
          assertThat((double) moved.vertices().coordinates()[3 * to + j])
              .isCloseTo(q[j], within(1e-6));
        }
      }
      int[] t = moved.triangles();
      for (int f = 0; f < t.length; f += 3) {
        assertThat(determinant(moved.vertices().coordinates(), t[f], t[f + 1], t[f + 2]))
            .isPositive();
      }
      assertThat(moved.isClosed()).isTrue();
    }
    assertThatThrownBy(() -> action.act(action.group().identity(), mesh(3, 0, 1, 2)))
        .hasMessage("mesh: expected 12 vertices, found 3");
    assertThatThrownBy(() -> sphere.with(new PointCloud(3, new float[9]), false))
        .hasMessage("mesh: expected 12 vertices, found 3");
    Mesh one = mesh(3, 0, 1, 2);
    assertThat(one.with(one.vertices(), true).triangles()).containsExactly(0, 2, 1);
    assertThat(one.with(one.vertices(), false).triangles()).containsExactly(0, 1, 2);
  }

  /** A triangle that no axis lies in: its points are in its plane, their normals are its own. */
  @Test
  void samplesOfATiltedTriangleHaveItsNormal() {
    float[] corners = {1, 2, 3, 2, 5, 1, 4, 3, 8}; // edges (1, 3, -2) and (3, 1, 5)
    double[] n = {17, -11, -8}; // their cross product
    double length = Math.sqrt(17 * 17 + 11 * 11 + 8 * 8);
    PointCloud x = new Mesh(new PointCloud(3, corners), new int[] {0, 1, 2}).sample(50, 3);
    float[] normals = x.features().get(0).values();
    for (int p = 0; p < 50; p++) {
      double height = 0;
      for (int j = 0; j < 3; j++) {
        assertThat((double) normals[3 * p + j]).isEqualTo(n[j] / length, within(1e-6));
        height += n[j] * (x.coordinates()[3 * p + j] - corners[j]);
      }
      assertThat(height).isEqualTo(0, within(1e-4));
    }
  }
}
