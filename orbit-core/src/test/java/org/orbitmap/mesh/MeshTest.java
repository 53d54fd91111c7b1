package org.orbitmap.mesh;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.orbitmap.cloud.PointCloud;

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
}
