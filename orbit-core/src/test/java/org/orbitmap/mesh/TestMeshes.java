package org.orbitmap.mesh;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.orbitmap.cloud.PointCloud;

/** Generated meshes whose geometry is known. */
public final class TestMeshes {
  private TestMeshes() {}

  /** The unit sphere. */
  public static Mesh sphere(int cuts) {
    return Mesh.sphere(cuts);
  }

  /** A lopsided body without any symmetry, of the topology of a sphere. */
  public static Mesh body(int cuts) {
    return body(sphere(cuts));
  }

  /** The same body with its vertices over those of a sphere. */
  public static Mesh body(Mesh sphere) {
    return moved(
        sphere,
        x -> {
          double r =
              1
                  + 0.45 * Math.exp(-4 * squared(x, 1, 0.1, 0))
                  + 0.6 * Math.exp(-5 * squared(x, -0.3, 0.9, 0.2))
                  + 0.35 * Math.exp(-6 * squared(x, -0.2, -0.4, 0.9));
          return new double[] {2.2 * r * x[0], 1.3 * r * x[1], r * x[2]};
        });
  }

  /** A sheet of w × h cells of size 1 / max, each two triangles; its border is free. */
  public static Mesh sheet(int w, int h) {
    List<double[]> p = new ArrayList<>();
    List<int[]> t = new ArrayList<>();
    double size = 1.0 / Math.max(w, h);
    for (int i = 0; i <= w; i++) {
      for (int j = 0; j <= h; j++) {
        p.add(new double[] {i * size, j * size, 0});
        if (i < w && j < h) {
          int v = i * (h + 1) + j;
          t.add(new int[] {v, v + h + 1, v + 1});
          t.add(new int[] {v + 1, v + h + 1, v + h + 2});
        }
      }
    }
    return mesh(p, t);
  }

  /** Where a point goes. */
  public interface Motion {
    double[] of(double[] x);
  }

  /** The same triangles between moved points. */
  public static Mesh moved(Mesh m, Motion motion) {
    List<double[]> p = new ArrayList<>();
    float[] c = m.vertices().coordinates();
    for (int i = 0; i < c.length; i += 3) {
      p.add(motion.of(new double[] {c[i], c[i + 1], c[i + 2]}));
    }
    return m.with(mesh(p, List.of()).vertices(), false);
  }

  /** Two meshes side by side. */
  public static Mesh both(Mesh a, Mesh b) {
    int n = a.vertices().size();
    float[] c = Arrays.copyOf(a.vertices().coordinates(), 3 * (n + b.vertices().size()));
    System.arraycopy(b.vertices().coordinates(), 0, c, 3 * n, 3 * b.vertices().size());
    int[] t = Arrays.copyOf(a.triangles(), a.triangles().length + b.triangles().length);
    for (int i = 0; i < b.triangles().length; i++) {
      t[a.triangles().length + i] = b.triangles()[i] + n;
    }
    return new Mesh(new PointCloud(3, c), t);
  }

  private static Mesh mesh(List<double[]> p, List<int[]> t) {
    float[] c = new float[3 * p.size()];
    for (int i = 0; i < c.length; i++) {
      c[i] = (float) p.get(i / 3)[i % 3];
    }
    return new Mesh(new PointCloud(3, c), t.stream().flatMapToInt(Arrays::stream).toArray());
  }

  private static double squared(double[] x, double a, double b, double c) {
    return (x[0] - a) * (x[0] - a) + (x[1] - b) * (x[1] - b) + (x[2] - c) * (x[2] - c);
  }
}
