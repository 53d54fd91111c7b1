package org.orbitmap.mesh;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.orbitmap.cloud.PointCloud;

/** The unit sphere as an icosahedron whose triangles are cut in four again and again. */
final class Icosphere {
  private static final double GOLDEN = (1 + Math.sqrt(5)) / 2;

  private final List<double[]> points = new ArrayList<>();
  private List<int[]> triangles = new ArrayList<>();

  private Icosphere() {
    for (int a = -1; a <= 1; a += 2) {
      for (int b = -1; b <= 1; b += 2) {
        add(0, a, b * GOLDEN);
        add(a, b * GOLDEN, 0);
        add(b * GOLDEN, 0, a);
      }
    }
    double edge = 2 / Math.sqrt(1 + GOLDEN * GOLDEN);
    for (int i = 0; i < points.size(); i++) {
      for (int j = i + 1; j < points.size(); j++) {
        for (int k = j + 1; k < points.size(); k++) {
          if (near(i, j, edge) && near(j, k, edge) && near(i, k, edge)) {
            triangles.add(volume(i, j, k) > 0 ? new int[] {i, j, k} : new int[] {i, k, j});
          }
        }
      }
    }
  }

  static Mesh of(int cuts) {
    Icosphere sphere = new Icosphere();
    for (int c = 0; c < cuts; c++) {
      sphere.cut();
    }
    return sphere.mesh();
  }

  private int add(double x, double y, double z) {
    double r = Math.sqrt(x * x + y * y + z * z);
    points.add(new double[] {x / r, y / r, z / r});
    return points.size() - 1;
  }

  private boolean near(int i, int j, double edge) {
    double[] p = points.get(i);
    double[] q = points.get(j);
    double sum = 0;
    for (int axis = 0; axis < 3; axis++) {
      sum += (p[axis] - q[axis]) * (p[axis] - q[axis]);
    }
    return Math.abs(Math.sqrt(sum) - edge) < 1e-6;
  }

  private double volume(int i, int j, int k) {
    double[] a = points.get(i);
    double[] b = points.get(j);
    double[] c = points.get(k);
    return a[0] * (b[1] * c[2] - b[2] * c[1])
        + a[1] * (b[2] * c[0] - b[0] * c[2])
        + a[2] * (b[0] * c[1] - b[1] * c[0]);
  }

  private void cut() {
    Map<Long, Integer> middles = new HashMap<>();
    List<int[]> finer = new ArrayList<>();
    for (int[] f : triangles) {
      int[] m = new int[3];
      for (int e = 0; e < 3; e++) {
        int v = f[e];
        int w = f[(e + 1) % 3];
        m[e] =
            middles.computeIfAbsent(
                (long) Math.min(v, w) << 32 | Math.max(v, w),
                key -> {
                  double[] x = points.get(v);
                  double[] y = points.get(w);
                  return add(x[0] + y[0], x[1] + y[1], x[2] + y[2]);
                });
      }
      finer.add(new int[] {f[0], m[0], m[2]});
      finer.add(new int[] {f[1], m[1], m[0]});
      finer.add(new int[] {f[2], m[2], m[1]});
      finer.add(m);
    }
    triangles = finer;
  }

  private Mesh mesh() {
    float[] c = new float[3 * points.size()];
    for (int i = 0; i < c.length; i++) {
      c[i] = (float) points.get(i / 3)[i % 3];
    }
    int[] t = triangles.stream().flatMapToInt(Arrays::stream).toArray();
    return new Mesh(new PointCloud(3, c), t);
  }
}
