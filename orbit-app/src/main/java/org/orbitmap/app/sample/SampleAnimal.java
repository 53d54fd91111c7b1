package org.orbitmap.app.sample;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.mesh.Mesh;

/**
 * An animal that can walk: limbs of a skeleton, blended into one closed surface.
 *
 * <p>Each pose gets triangles of its own, from a grid that knows nothing of the others: what two
 * poses have in common is their geometry alone.
 */
public final class SampleAnimal {
  private static final double CELL = 0.045;
  private static final double BLEND = 0.05;
  private static final double[] LOW = {-1.5, -1.15, -0.6};
  private static final int[] CELLS = {66, 48, 28};

  /** A limb: between two points, with a radius at each. */
  private record Limb(double[] a, double[] b, double radiusA, double radiusB) {
    double distance(double x, double y, double z) {
      double[] ab = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
      double[] ap = {x - a[0], y - a[1], z - a[2]};
      double t =
          (ap[0] * ab[0] + ap[1] * ab[1] + ap[2] * ab[2])
              / (ab[0] * ab[0] + ab[1] * ab[1] + ab[2] * ab[2]);
      t = Math.max(0, Math.min(1, t));
      double sum = 0;
      for (int i = 0; i < 3; i++) {
        double d = ap[i] - t * ab[i];
        sum += d * d;
      }
      return Math.sqrt(sum) - (radiusA + t * (radiusB - radiusA));
    }
  }

  private final List<Limb> limbs = new ArrayList<>();

  private SampleAnimal() {}

  /** The names of the poses. */
  public static final List<String> POSES = List.of("standing", "walking");

  /** The animal in a pose. */
  public static Mesh pose(String name) {
    boolean walks = name.equals("walking");
    SampleAnimal animal = new SampleAnimal();
    animal.body(walks ? 0.35 : 0, walks ? 0.5 : 0);
    double[] swing = walks ? new double[] {0.55, -0.5, -0.45, 0.5} : new double[4];
    double[] knee = walks ? new double[] {-0.25, -0.6, -0.15, -0.7} : new double[4];
    for (int leg = 0; leg < 4; leg++) {
      boolean front = leg < 2;
      animal.leg(front ? 0.52 : -0.52, leg % 2 == 0 ? 0.17 : -0.17, swing[leg], knee[leg]);
    }
    // Where the surface passes a cell of the grid twice, edges get too many triangles: then shift
    // it.
    for (double shift = 0.31; ; shift += 0.07) {
      Mesh mesh = animal.surface(shift);
      if (mesh.isClosed()) {
        return mesh;
      }
    }
  }

  /** Trunk, neck, head, ears and tail, which may turn to a side. */
  private void body(double head, double tail) {
    add(at(-0.55, 0, 0), at(0.1, -0.02, 0), 0.21, 0.2);
    add(at(0.1, -0.02, 0), at(0.55, 0.02, 0), 0.2, 0.24);
    double[] nape = at(0.82, 0.38, 0.1 * head);
    add(at(0.58, 0.08, 0), nape, 0.16, 0.12);
    double c = Math.cos(head);
    double s = Math.sin(head);
    double[] nose = at(nape[0] + 0.4 * c, nape[1] - 0.06, nape[2] + 0.4 * s);
    add(nape, at(nape[0] + 0.12 * c, nape[1] + 0.02, nape[2] + 0.12 * s), 0.15, 0.15);
    add(nape, nose, 0.13, 0.07);
    for (int side = -1; side <= 1; side += 2) {
      add(
          at(nape[0] - 0.09 * s * side, nape[1] + 0.1, nape[2] + 0.09 * c * side),
          at(nape[0] - 0.05 - 0.15 * s * side, nape[1] + 0.32, nape[2] + 0.15 * c * side),
          0.07,
          0.06);
    }
    double[] root = at(-0.78, 0.12, 0);
    double[] middle = at(-1.05, 0.3, 0.25 * Math.sin(tail));
    add(at(-0.6, 0.05, 0), root, 0.1, 0.07);
    add(root, middle, 0.07, 0.065);
    add(middle, at(-1.2, 0.58, 0.6 * Math.sin(tail)), 0.065, 0.06);
  }

  private void leg(double x, double z, double swing, double knee) {
    double[] hip = at(x, -0.12, z);
    double[] joint = at(hip[0] + 0.4 * Math.sin(swing), hip[1] - 0.4 * Math.cos(swing), z);
    double lower = swing + knee;
    double[] foot = at(joint[0] + 0.38 * Math.sin(lower), joint[1] - 0.38 * Math.cos(lower), z);
    add(hip, joint, 0.115, 0.075);
    add(joint, foot, 0.075, 0.06);
    add(foot, at(foot[0] + 0.1, foot[1] - 0.01, z), 0.06, 0.055);
  }

  private static double[] at(double x, double y, double z) {
    return new double[] {x, y, z};
  }

  private void add(double[] a, double[] b, double radiusA, double radiusB) {
    limbs.add(new Limb(a, b, radiusA, radiusB));
  }

  /** Below 0 inside; limbs that are near each other flow together. */
  private double field(double x, double y, double z) {
    double sum = 0;
    for (Limb limb : limbs) {
      sum += Math.exp(-limb.distance(x, y, z) / BLEND);
    }
    return -BLEND * Math.log(sum);
  }

  /** One vertex in each cell of the grid that the surface passes, one square at each edge. */
  private Mesh surface(double shift) {
    int[] n = {CELLS[0] + 1, CELLS[1] + 1, CELLS[2] + 1};
    double[] f = new double[n[0] * n[1] * n[2]];
    for (int i = 0; i < n[0]; i++) {
      for (int j = 0; j < n[1]; j++) {
        for (int k = 0; k < n[2]; k++) {
          f[(i * n[1] + j) * n[2] + k] =
              field(LOW[0] + CELL * i, LOW[1] + CELL * j, LOW[2] + CELL * (k + shift));
        }
      }
    }
    List<float[]> points = new ArrayList<>();
    Map<Integer, Integer> vertex = new HashMap<>();
    for (int i = 0; i < CELLS[0]; i++) {
      for (int j = 0; j < CELLS[1]; j++) {
        for (int k = 0; k < CELLS[2]; k++) {
          float[] p = crossing(f, n, i, j, k, shift);
          if (p != null) {
            vertex.put((i * n[1] + j) * n[2] + k, points.size());
            points.add(p);
          }
        }
      }
    }
    List<Integer> t = new ArrayList<>();
    int[] stride = {n[1] * n[2], n[2], 1};
    for (int i = 1; i < CELLS[0]; i++) {
      for (int j = 1; j < CELLS[1]; j++) {
        for (int k = 1; k < CELLS[2]; k++) {
          int at = (i * n[1] + j) * n[2] + k;
          for (int axis = 0; axis < 3; axis++) {
            boolean inside = f[at] < 0;
            if (inside != f[at + stride[axis]] < 0) {
              int u = stride[(axis + 1) % 3];
              int v = stride[(axis + 2) % 3];
              int a = vertex.get(at);
              int b = vertex.get(at - u);
              int c = vertex.get(at - u - v);
              int d = vertex.get(at - v);
              t.addAll(inside ? List.of(a, b, c, a, c, d) : List.of(a, c, b, a, d, c));
            }
          }
        }
      }
    }
    float[] c = new float[3 * points.size()];
    for (int i = 0; i < c.length; i++) {
      c[i] = points.get(i / 3)[i % 3];
    }
    return new Mesh(new PointCloud(3, c), t.stream().mapToInt(Integer::intValue).toArray());
  }

  /** The mean of the places where the surface crosses the edges of a cell, or null. */
  private static float[] crossing(double[] f, int[] n, int i, int j, int k, double shift) {
    double[] sum = new double[3];
    int count = 0;
    int[] corner = new int[3];
    for (int axis = 0; axis < 3; axis++) {
      for (int side = 0; side < 4; side++) {
        corner[axis] = 0;
        corner[(axis + 1) % 3] = side & 1;
        corner[(axis + 2) % 3] = side >> 1;
        double from = f[((i + corner[0]) * n[1] + j + corner[1]) * n[2] + k + corner[2]];
        corner[axis] = 1;
        double to = f[((i + corner[0]) * n[1] + j + corner[1]) * n[2] + k + corner[2]];
        if (from < 0 != to < 0) {
          corner[axis] = 0;
          for (int r = 0; r < 3; r++) {
            sum[r] += corner[r] + (r == axis ? from / (from - to) : 0);
          }
          count++;
        }
      }
    }
    if (count == 0) {
      return null;
    }
    double[] cell = {i, j, k + shift};
    float[] p = new float[3];
    for (int r = 0; r < 3; r++) {
      p[r] = (float) (LOW[r] + CELL * (cell[r] + sum[r] / count));
    }
    return p;
  }
}
