package org.orbitmap.mesh.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.orbitmap.group.Permutation;
import org.orbitmap.group.Product;
import org.orbitmap.group.Similarity;
import org.orbitmap.mesh.Mesh;
import org.orbitmap.mesh.TestMeshes;
import org.orbitmap.mesh.spectral.CanonicalBasis;
import org.orbitmap.orbit.RepresentationMapping.Represented;

class SpectralMappingTest {
  private static final int FUNCTIONS = 6;

  private static Represented<SpectralEmbedding> map(Mesh mesh) {
    return new SpectralMapping(mesh.vertices().size(), FUNCTIONS).map(mesh);
  }

  /** The largest difference of two embeddings of the same vertices. */
  private static double difference(Mesh a, Mesh b) {
    double[][] x = map(a).point().coordinates();
    double[][] y = map(b).point().coordinates();
    double worst = 0;
    for (int i = 0; i < FUNCTIONS; i++) {
      for (int v = 0; v < x[i].length; v++) {
        worst = Math.max(worst, Math.abs(x[i][v] - y[i][v]));
      }
    }
    return worst;
  }

  /** A sheet of four unequal sides' lengths, rolled up: an isometry, but for the triangles. */
  @Test
  void bendingChangesLittle() {
    Mesh flat =
        TestMeshes.moved(
            TestMeshes.sheet(24, 15), x -> new double[] {x[0] + 0.35 * x[0] * x[1], x[1], 0});
    Mesh rolled =
        TestMeshes.moved(
            flat, x -> new double[] {Math.sin(2 * x[0]) / 2, x[1], Math.cos(2 * x[0]) / 2});
    assertThat(map(flat).margin()).isGreaterThan(1e-3);
    assertThat(difference(flat, rolled)).isLessThan(0.02);
  }

  /**
   * A body that is its own mirror image: the odd functions have no third moment, and the outside
   * directs them. In a mirror they change their signs.
   */
  @Test
  void leftAndRightAreToldApart() {
    Mesh body =
        TestMeshes.moved(
            TestMeshes.sphere(3),
            x -> {
              double r = 1 + 0.4 * Math.exp(-3 * ((x[0] - 1) * (x[0] - 1) + x[1] * x[1]));
              double s = 1 + 0.3 * Math.exp(-4 * ((x[2] - 1) * (x[2] - 1) + x[0] * x[0]));
              return new double[] {2.1 * r * s * x[0], 1.5 * r * s * x[1], r * s * x[2]};
            });
    assertThat(map(body).margin()).isGreaterThan(1e-4);
    Mesh turned = TestMeshes.moved(body, x -> new double[] {-x[0], -x[1], x[2]});
    assertThat(difference(body, turned)).isLessThan(1e-3);
    Mesh mirrored =
        body.with(TestMeshes.moved(body, x -> new double[] {x[0], -x[1], x[2]}).vertices(), true);
    assertThat(difference(body, mirrored)).isGreaterThan(0.1);
  }

  @Test
  void symmetryIsAmbiguous() {
    assertThat(map(TestMeshes.sphere(2)).margin()).isLessThan(1e-3);
    Mesh two = TestMeshes.both(TestMeshes.body(2), TestMeshes.body(2));
    assertThat(map(two).margin()).isLessThan(1e-3);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SpectralMapping(12, 12).map(TestMeshes.sphere(0)))
        .withMessageContaining("1 … 11 functions of 12 vertices");
  }

  /** Functions over the roots of their values, a row of coordinates for each vertex. */
  @Test
  void coordinatesAreFunctionsOverRoots() {
    double[][] functions = {{1, 2, 3}, {4, 5, 6}};
    SpectralEmbedding e =
        SpectralMapping.embedding(new CanonicalBasis(new double[] {4, 9}, functions, 1, 1));
    assertThat(e.coordinates())
        .isDeepEqualTo(new double[][] {{0.5, 1, 1.5}, {4 / 3.0, 5 / 3.0, 2}});
    assertThat(e.points()).isDeepEqualTo(new double[][] {{0.5, 4 / 3.0}, {1, 5 / 3.0}, {1.5, 2}});
    assertThat(e.size()).isEqualTo(2);
    assertThat(e.vertices()).isEqualTo(3);
    assertThat(e).hasToString("SpectralEmbedding[3 vertices, 2 functions]");
    assertThat(functions[0]).as("the basis stays as it is").containsExactly(1, 2, 3);
    SpectralEmbedding same = new SpectralEmbedding(new double[] {4, 9}, e.coordinates().clone());
    assertThat(e).isEqualTo(same).hasSameHashCodeAs(same);
    assertThat(e).isNotEqualTo(new SpectralEmbedding(new double[] {4, 8}, e.coordinates()));
    assertThat(e).isNotEqualTo(new SpectralEmbedding(new double[] {4, 9}, functions));
  }

  @Test
  void permutationsRenumberAnEmbedding() {
    SpectralMapping mapping = new SpectralMapping(3, 2);
    assertThat(mapping.name()).isEqualTo("spectral");
    assertThat(mapping.action().group()).isEqualTo(mapping.onRepresentations().group());
    SpectralEmbedding e =
        new SpectralEmbedding(new double[] {4, 9}, new double[][] {{1, 2, 3}, {4, 5, 6}});
    var g =
        new Product.Pair<>(Similarity.translation(1, 2, 3), new Permutation(new int[] {2, 0, 1}));
    assertThat(mapping.onRepresentations().act(g, e))
        .isEqualTo(
            new SpectralEmbedding(new double[] {4, 9}, new double[][] {{2, 3, 1}, {5, 6, 4}}));
  }
}
