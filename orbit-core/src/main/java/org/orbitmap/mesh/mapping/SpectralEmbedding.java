package org.orbitmap.mesh.mapping;

import java.io.Serializable;
import java.util.Arrays;

/**
 * A surface in spectral coordinates: vertex v is the point (φ₁(v)/√λ₁, …, φₖ(v)/√λₖ).
 *
 * @param eigenvalues λ, for area 1
 * @param coordinates one row of values at all vertices for each function
 */
public record SpectralEmbedding(double[] eigenvalues, double[][] coordinates)
    implements Serializable {
  /** The number of functions. */
  public int size() {
    return eigenvalues.length;
  }

  /** The number of vertices. */
  public int vertices() {
    return coordinates[0].length;
  }

  /** One row of k coordinates for each vertex. */
  public double[][] points() {
    double[][] points = new double[vertices()][size()];
    for (int i = 0; i < size(); i++) {
      for (int v = 0; v < points.length; v++) {
        points[v][i] = coordinates[i][v];
      }
    }
    return points;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof SpectralEmbedding e
        && Arrays.equals(eigenvalues, e.eigenvalues)
        && Arrays.deepEquals(coordinates, e.coordinates);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(eigenvalues) + Arrays.deepHashCode(coordinates);
  }

  @Override
  public String toString() {
    return "SpectralEmbedding[%d vertices, %d functions]".formatted(vertices(), size());
  }
}
