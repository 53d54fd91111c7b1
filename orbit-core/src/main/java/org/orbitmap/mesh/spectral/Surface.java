package org.orbitmap.mesh.spectral;

import java.io.Serializable;
import java.util.Arrays;
import org.orbitmap.mesh.Mesh;

/**
 * A surface as its inhabitants know it: triangles and the lengths of their sides, nothing of the
 * space around. Whatever is computed from it is the same for every isometric bending that keeps the
 * triangles, and for every rigid motion.
 *
 * <p>Half-edge h = 3f + i runs from corner i of triangle f to the next one.
 *
 * <p>The arrays are not copied: treat them as immutable once they are inside.
 *
 * @param vertices how many vertices there are
 * @param triangles three vertices for each triangle, all triangles turning the same way round where
 *     the surface can be oriented
 * @param lengths the length of each half-edge
 * @param twins the half-edge on the other side of each, or -1 at a border
 * @param oriented whether the triangles turn the same way round
 */
public record Surface(
    int vertices, int[] triangles, double[] lengths, int[] twins, boolean oriented)
    implements Serializable {
  /** How much longer two sides must be than the third, in units of the mean side. */
  private static final double SLACK = 1e-5;

  /**
   * The surface of a mesh.
   *
   * <p>Triangles that name a vertex twice are passed over. Triangles are turned so that neighbours
   * agree and, where the surface is closed, so that the outside is in front. Where a triangle is as
   * flat as a line, all sides become longer by the same small length, until all are proper (the
   * intrinsic mollification of Sharp and Crane).
   *
   * @throws IllegalArgumentException if there is no triangle, if a vertex is in none, or if more
   *     than two triangles meet at an edge
   */
  public static Surface of(Mesh mesh) {
    mesh.vertices().requireFinite();
    int n = mesh.vertices().size();
    int[] t = proper(mesh.triangles());
    if (t.length == 0) {
      throw new IllegalArgumentException(
          "surface: expected triangles, found %d points without any".formatted(n));
    }
    requireUsed(n, t);
    int[] twins = twins(n, t);
    boolean oriented = orient(mesh, t, twins);
    if (oriented) {
      twins = twins(n, t);
    }
    double[] lengths = new double[t.length];
    for (int h = 0; h < t.length; h++) {
      lengths[h] = distance(mesh, t[h], t[next(h)]);
    }
    mollify(lengths);
    return new Surface(n, t, lengths, twins, oriented);
  }

  /** The half-edge after h in its triangle. */
  public static int next(int h) {
    return h % 3 == 2 ? h - 2 : h + 1;
  }

  private static int[] proper(int[] all) {
    int[] kept = new int[all.length];
    int count = 0;
    for (int i = 0; i < all.length; i += 3) {
      if (all[i] != all[i + 1] && all[i + 1] != all[i + 2] && all[i + 2] != all[i]) {
        System.arraycopy(all, i, kept, count, 3);
        count += 3;
      }
    }
    return Arrays.copyOf(kept, count);
  }

  private static void requireUsed(int n, int[] t) {
    boolean[] used = new boolean[n];
    for (int v : t) {
      used[v] = true;
    }
    int first = -1;
    int count = 0;
    for (int v = n - 1; v >= 0; v--) {
      if (!used[v]) {
        first = v;
        count++;
      }
    }
    if (count > 0) {
      throw new IllegalArgumentException(
          "surface: expected every vertex in a triangle, found %d of %d in none, such as %d: remove"
                  .formatted(count, n, first)
              + " them");
    }
  }

  /** The half-edges on the other sides, whichever way round their triangles turn. */
  private static int[] twins(int vertices, int[] t) {
    int[] low = new int[t.length];
    int[] high = new int[t.length];
    for (int h = 0; h < t.length; h++) {
      low[h] = Math.min(t[h], t[next(h)]);
      high[h] = Math.max(t[h], t[next(h)]);
    }
    // Those between the same vertices become neighbours.
    int[] byHigh = SparseMatrix.sorted(vertices, high, t.length, null);
    int[] order = SparseMatrix.sorted(vertices, low, t.length, byHigh);
    int[] twins = new int[t.length];
    Arrays.fill(twins, -1);
    for (int i = 1; i < order.length; i++) {
      int h = order[i - 1];
      int o = order[i];
      if (low[h] != low[o] || high[h] != high[o]) {
        continue;
      }
      if (twins[h] >= 0) {
        throw new IllegalArgumentException(
            "surface: expected at most two triangles at an edge, found more between the vertices %d"
                    .formatted(low[h])
                + " and %d: the mesh is not manifold".formatted(high[h]));
      }
      twins[h] = o;
      twins[o] = h;
    }
    return twins;
  }

  /** Turns triangles until neighbours agree and, if closed, the outside is in front. */
  private static boolean orient(Mesh mesh, int[] t, int[] twins) {
    int faces = t.length / 3;
    int[] side = new int[faces]; // 1: as it is, -1: over, 0: not seen
    int[] queue = new int[faces];
    boolean consistent = true;
    for (int seed = 0; seed < faces; seed++) {
      if (side[seed] != 0) {
        continue;
      }
      int count = 1;
      queue[0] = seed;
      side[seed] = 1;
      boolean closed = true;
      for (int head = 0; head < count; head++) {
        int f = queue[head];
        for (int h = 3 * f; h < 3 * f + 3; h++) {
          if (twins[h] < 0) {
            closed = false;
            continue;
          }
          int g = twins[h] / 3;
          int agreeing = t[h] == t[twins[h]] ? -side[f] : side[f];
          if (side[g] == 0) {
            side[g] = agreeing;
            queue[count++] = g;
          } else {
            consistent &= side[g] == agreeing;
          }
        }
      }
      double volume = 0;
      for (int i = 0; i < count; i++) {
        volume += side[queue[i]] * volume(mesh, t, 3 * queue[i]);
      }
      if (closed && volume < 0) {
        for (int i = 0; i < count; i++) {
          side[queue[i]] = -side[queue[i]];
        }
      }
    }
    if (consistent) {
      for (int f = 0; f < faces; f++) {
        if (side[f] < 0) {
          int swap = t[3 * f + 1];
          t[3 * f + 1] = t[3 * f + 2];
          t[3 * f + 2] = swap;
        }
      }
    }
    return consistent;
  }

  /** Six times the volume between a triangle and the first vertex. */
  private static double volume(Mesh mesh, int[] t, int i) {
    double[][] p = new double[3][3];
    for (int corner = 0; corner < 3; corner++) {
      for (int axis = 0; axis < 3; axis++) {
        p[corner][axis] = at(mesh, t[i + corner], axis) - at(mesh, 0, axis);
      }
    }
    return p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1])
        + p[0][1] * (p[1][2] * p[2][0] - p[1][0] * p[2][2])
        + p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0]);
  }

  private static double at(Mesh mesh, int v, int axis) {
    int d = mesh.vertices().dimension();
    return axis < d ? mesh.vertices().coordinates()[d * v + axis] : 0;
  }

  private static double distance(Mesh mesh, int v, int w) {
    double sum = 0;
    for (int axis = 0; axis < 3; axis++) {
      double d = at(mesh, v, axis) - at(mesh, w, axis);
      sum += d * d;
    }
    return Math.sqrt(sum);
  }

  private static void mollify(double[] lengths) {
    double mean = Arrays.stream(lengths).average().orElse(0);
    if (!(mean > 0)) {
      throw new IllegalArgumentException(
          "surface: expected triangles with an area, found all vertices at one place");
    }
    double more = 0;
    for (int i = 0; i < lengths.length; i++) {
      int j = next(i);
      more = Math.max(more, SLACK * mean - (lengths[j] + lengths[next(j)] - lengths[i]));
    }
    for (int i = 0; i < lengths.length && more > 0; i++) {
      lengths[i] += more;
    }
  }

  /** The area of a triangle, by Heron's formula in Kahan's stable form. */
  public double area(int face) {
    return heron(lengths[3 * face], lengths[3 * face + 1], lengths[3 * face + 2]);
  }

  static double heron(double x, double y, double z) {
    double a = Math.max(x, Math.max(y, z));
    double c = Math.min(x, Math.min(y, z));
    double b = Math.max(Math.min(x, y), Math.min(Math.max(x, y), z));
    return Math.sqrt(Math.max(0, (a + (b + c)) * (c - (a - b)) * (c + (a - b)) * (a + (b - c))))
        / 4;
  }

  /** The area of the whole surface. */
  public double area() {
    double sum = 0;
    for (int f = 0; f < triangles.length / 3; f++) {
      sum += area(f);
    }
    return sum;
  }

  /** The cotangent of the angle that looks at a half-edge. */
  double cotangent(int h) {
    double a = lengths[h];
    double b = lengths[next(h)];
    double c = lengths[next(next(h))];
    return (b * b + c * c - a * a) / (4 * area(h / 3));
  }

  /** How many edges have a triangle on one side alone. */
  public int borderEdges() {
    return (int) Arrays.stream(twins).filter(t -> t < 0).count();
  }

  /** The component of each vertex, numbered from 0 in the order of their first vertices. */
  public int[] components() {
    int[] up = new int[vertices];
    Arrays.setAll(up, v -> v);
    for (int h = 0; h < triangles.length; h++) {
      int a = root(up, triangles[h]);
      int b = root(up, triangles[next(h)]);
      up[Math.max(a, b)] = Math.min(a, b);
    }
    int[] number = new int[vertices];
    int count = 0;
    for (int v = 0; v < vertices; v++) {
      int r = root(up, v);
      number[v] = r == v ? count++ : number[r];
    }
    return number;
  }

  private static int root(int[] up, int v) {
    while (up[v] != v) {
      up[v] = up[up[v]];
      v = up[v];
    }
    return v;
  }

  /**
   * The same surface between the same vertices with other triangles: the intrinsic Delaunay
   * triangulation, in which no angle that looks at an edge is too blunt, so that all cotangent
   * weights are at least 0. Edges are flipped on the surface itself, which keeps its shape.
   *
   * @throws IllegalArgumentException if the surface cannot be oriented
   */
  public Surface delaunay() {
    if (!oriented) {
      throw new IllegalArgumentException(
          "delaunay: expected a surface with two sides, found one that cannot be oriented");
    }
    return DelaunayFlips.of(this);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Surface s
        && vertices == s.vertices
        && Arrays.equals(triangles, s.triangles)
        && Arrays.equals(lengths, s.lengths);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(triangles) + Arrays.hashCode(lengths);
  }

  @Override
  public String toString() {
    return "Surface[%d vertices, %d triangles]".formatted(vertices, triangles.length / 3);
  }
}
