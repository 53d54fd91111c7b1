package org.orbitmap.mesh;

import java.io.Serializable;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.cloud.PointFeature;

/**
 * Points and the triangles between them; a bare cloud is a mesh without triangles.
 *
 * <p>The array is not copied: treat it as immutable once it is inside a mesh.
 *
 * @param vertices the points
 * @param triangles three indices of vertices for each triangle; may be empty
 */
public record Mesh(PointCloud vertices, int[] triangles) implements Serializable {
  public Mesh {
    Objects.requireNonNull(vertices, "vertices");
    Objects.requireNonNull(triangles, "triangles");
    if (triangles.length % 3 != 0) {
      throw new IllegalArgumentException(
          "mesh: expected three indices a triangle, found %d in all".formatted(triangles.length));
    }
    for (int v : triangles) {
      if (v < 0 || v >= vertices.size()) {
        throw new IllegalArgumentException(
            "mesh: expected vertices 0 … %d, found %d".formatted(vertices.size() - 1, v));
      }
    }
  }

  /** A mesh without triangles. */
  public static Mesh of(PointCloud cloud) {
    return new Mesh(cloud, new int[0]);
  }

  /**
   * The unit sphere: an icosahedron whose triangles are cut in four, 10·4ᶜ + 2 vertices.
   *
   * @param cuts how often, at most 8
   */
  public static Mesh sphere(int cuts) {
    if (cuts < 0 || cuts > 8) {
      throw new IllegalArgumentException("sphere: expected 0 … 8 cuts, found " + cuts);
    }
    return Icosphere.of(cuts);
  }

  /**
   * Points drawn from the surface uniformly by area; a triangle without area is never hit. The
   * normals of the triangles come along, features of the vertices do not. The same seed gives the
   * same points.
   *
   * @param points how many
   * @throws IllegalArgumentException if the mesh has no area
   */
  public PointCloud sample(int points, long seed) {
    if (points < 1) {
      throw new IllegalArgumentException("sample: expected at least 1 point, found " + points);
    }
    if (vertices.dimension() != 3) {
      throw new IllegalArgumentException(
          "sample: expected a mesh in space, found one in the plane");
    }
    int faces = triangles.length / 3;
    double[] cumulated = new double[faces];
    double area = 0;
    double[] n = new double[3];
    for (int f = 0; f < faces; f++) {
      area += normal(f, n) / 2;
      cumulated[f] = area;
    }
    if (!(area > 0) || Double.isInfinite(area)) {
      throw new IllegalArgumentException(
          "sample: expected triangles with a finite area, found %d with area %s in all"
              .formatted(faces, area));
    }
    SplittableRandom random = new SplittableRandom(seed);
    float[] c = new float[3 * points];
    float[] normals = new float[3 * points];
    for (int p = 0; p < points; p++) {
      double at = random.nextDouble() * area;
      int f = Arrays.binarySearch(cumulated, at);
      f = Math.min(f < 0 ? -f - 1 : f + 1, faces - 1);
      while (f > 0 && cumulated[f] == cumulated[f - 1]) {
        f--; // beyond the last triangle that has an area
      }
      // The square root makes the distance from the first corner uniform by area.
      double r = Math.sqrt(random.nextDouble());
      double s = random.nextDouble();
      double length = normal(f, n);
      for (int j = 0; j < 3; j++) {
        c[3 * p + j] =
            (float) ((1 - r) * at(f, 0, j) + r * (1 - s) * at(f, 1, j) + r * s * at(f, 2, j));
        normals[3 * p + j] = (float) (n[j] / length);
      }
    }
    return new PointCloud(3, c, List.of(PointFeature.normals(3, normals)));
  }

  /** Whether every edge is between two triangles, so that the surface has no border. */
  public boolean isClosed() {
    return edges().values().stream().allMatch(n -> n == 2);
  }

  /** V - E + F: 2 for a sphere, whatever its shape. */
  public int eulerCharacteristic() {
    return vertices.size() - edges().size() + triangles.length / 3;
  }

  /** How many triangles meet at each edge; the smaller vertex is in the upper bits. */
  private Map<Long, Integer> edges() {
    Map<Long, Integer> edges = new HashMap<>();
    for (int i = 0; i < triangles.length; i++) {
      int a = triangles[i];
      int b = triangles[i % 3 == 2 ? i - 2 : i + 1];
      edges.merge((long) Math.min(a, b) << 32 | Math.max(a, b), 1, Integer::sum);
    }
    return edges;
  }

  private double at(int face, int corner, int axis) {
    return vertices.coordinates()[3 * triangles[3 * face + corner] + axis];
  }

  /** The cross product of two edges; returns its length, twice the area. */
  private double normal(int f, double[] n) {
    double[] a = new double[3];
    double[] b = new double[3];
    for (int j = 0; j < 3; j++) {
      a[j] = at(f, 1, j) - at(f, 0, j);
      b[j] = at(f, 2, j) - at(f, 0, j);
    }
    n[0] = a[1] * b[2] - a[2] * b[1];
    n[1] = a[2] * b[0] - a[0] * b[2];
    n[2] = a[0] * b[1] - a[1] * b[0];
    return Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  }

  /**
   * The same triangles between other points, such as the canonical ones.
   *
   * @param moved as many points as before
   * @param mirrored whether the points were mirrored: the triangles are then rotated over, so that
   *     outside stays outside
   */
  public Mesh with(PointCloud moved, boolean mirrored) {
    if (moved.size() != vertices.size()) {
      throw new IllegalArgumentException(
          "mesh: expected %d vertices, found %d".formatted(vertices.size(), moved.size()));
    }
    if (!mirrored) {
      return new Mesh(moved, triangles);
    }
    int[] rotated = triangles.clone();
    for (int i = 0; i < rotated.length; i += 3) {
      rotated[i + 1] = triangles[i + 2];
      rotated[i + 2] = triangles[i + 1];
    }
    return new Mesh(moved, rotated);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Mesh m
        && vertices.equals(m.vertices)
        && Arrays.equals(triangles, m.triangles);
  }

  @Override
  public int hashCode() {
    return 31 * vertices.hashCode() + Arrays.hashCode(triangles);
  }

  @Override
  public String toString() {
    return "Mesh[%s, %d triangles]".formatted(vertices, triangles.length / 3);
  }
}
