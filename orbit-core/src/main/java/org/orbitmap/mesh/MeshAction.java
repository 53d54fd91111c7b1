package org.orbitmap.mesh;

import org.orbitmap.cloud.CloudAction;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.group.Group;
import org.orbitmap.group.Permutation;
import org.orbitmap.group.Permutations;
import org.orbitmap.group.Product;
import org.orbitmap.group.Similarity;
import org.orbitmap.group.SimilarityGroup;
import org.orbitmap.orbit.GroupAction;

/**
 * Similarities move the vertices of a mesh, permutations renumber them: vertex i becomes vertex
 * π(i), and the triangles name it so. Features of the vertices do not come along.
 *
 * @param similarities those that move it
 * @param vertices how many vertices the meshes have
 */
public record MeshAction(SimilarityGroup similarities, int vertices)
    implements GroupAction<Product.Pair<Similarity, Permutation>, Mesh> {
  @Override
  public Group<Product.Pair<Similarity, Permutation>> group() {
    return new Product<>(similarities, new Permutations(vertices));
  }

  @Override
  public Mesh act(Product.Pair<Similarity, Permutation> g, Mesh x) {
    if (x.vertices().size() != vertices) {
      throw new IllegalArgumentException(
          "mesh: expected %d vertices, found %d".formatted(vertices, x.vertices().size()));
    }
    int d = x.vertices().dimension();
    float[] c = x.vertices().coordinates();
    PointCloud moved = new CloudAction(similarities).act(g.first(), new PointCloud(d, c));
    float[] renumbered = new float[c.length];
    for (int v = 0; v < vertices; v++) {
      System.arraycopy(moved.coordinates(), d * v, renumbered, d * g.second().image(v), d);
    }
    int[] triangles = x.triangles().clone();
    for (int i = 0; i < triangles.length; i++) {
      triangles[i] = g.second().image(triangles[i]);
    }
    return new Mesh(x.vertices(), triangles)
        .with(new PointCloud(d, renumbered), g.first().handedness() < 0);
  }
}
