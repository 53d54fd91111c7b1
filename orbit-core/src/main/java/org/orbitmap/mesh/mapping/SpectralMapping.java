package org.orbitmap.mesh.mapping;

import org.orbitmap.group.Group;
import org.orbitmap.group.Permutation;
import org.orbitmap.group.Product;
import org.orbitmap.group.Similarity;
import org.orbitmap.group.SimilarityGroup;
import org.orbitmap.mesh.Mesh;
import org.orbitmap.mesh.MeshAction;
import org.orbitmap.mesh.spectral.CanonicalBasis;
import org.orbitmap.mesh.spectral.Surface;
import org.orbitmap.orbit.GroupAction;
import org.orbitmap.orbit.RepresentationMapping;

/**
 * Identifies a mesh with the eigenfunctions of its Laplace–Beltrami operator (paper, last remark of
 * section 3, and the appendix on isometry): the canonical spectral embedding.
 *
 * <p>Rotations, translations and scalings of the mesh leave it as it is, up to rounding; numbers of
 * vertices are carried along. It also is the same for every isometric bending, up to the error of
 * the triangles: for a bending that stretches a little, or other triangles on the same surface,
 * approximately. A mirror image is another shape.
 *
 * <p>The margin is the smaller of a relative gap and a moment, see {@link CanonicalBasis}; it is 0
 * for a surface whose symmetry leaves the choice open, such as a sphere.
 *
 * @param vertices how many vertices the meshes have
 * @param functions how many eigenfunctions are taken
 */
public record SpectralMapping(int vertices, int functions)
    implements RepresentationMapping<
        Product.Pair<Similarity, Permutation>, Mesh, SpectralEmbedding> {
  @Override
  public String name() {
    return "spectral";
  }

  @Override
  public GroupAction<Product.Pair<Similarity, Permutation>, Mesh> action() {
    return new MeshAction(SimilarityGroup.similarities(3), vertices);
  }

  @Override
  public GroupAction<Product.Pair<Similarity, Permutation>, SpectralEmbedding> onRepresentations() {
    return new Renumbering(action().group());
  }

  @Override
  public Represented<SpectralEmbedding> map(Mesh x) {
    CanonicalBasis basis = CanonicalBasis.of(Surface.of(x), functions);
    return new Represented<>(embedding(basis), basis.margin());
  }

  /** The coordinates φ/√λ of a basis. */
  public static SpectralEmbedding embedding(CanonicalBasis basis) {
    double[][] c = new double[basis.values().length][];
    for (int i = 0; i < c.length; i++) {
      double root = Math.sqrt(basis.values()[i]);
      c[i] = basis.functions()[i].clone();
      for (int v = 0; v < c[i].length; v++) {
        c[i][v] /= root;
      }
    }
    return new SpectralEmbedding(basis.values(), c);
  }

  /** Similarities leave an embedding alone, permutations renumber its vertices. */
  private record Renumbering(Group<Product.Pair<Similarity, Permutation>> group)
      implements GroupAction<Product.Pair<Similarity, Permutation>, SpectralEmbedding> {
    @Override
    public SpectralEmbedding act(Product.Pair<Similarity, Permutation> g, SpectralEmbedding x) {
      double[][] c = new double[x.size()][x.vertices()];
      for (int i = 0; i < c.length; i++) {
        for (int v = 0; v < c[i].length; v++) {
          c[i][g.second().image(v)] = x.coordinates()[i][v];
        }
      }
      return new SpectralEmbedding(x.eigenvalues(), c);
    }
  }
}
