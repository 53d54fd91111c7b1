package org.orbitmap.app.match;

import java.util.Arrays;
import org.orbitmap.group.Similarity;
import org.orbitmap.image.Image;
import org.orbitmap.mesh.Mesh;

/** Draws a coloured mesh: shaded triangles, the nearer one in front, on white. */
public final class MeshPicture {
  private static final double[] LIGHT = {0.35, 0.5, 0.79};

  /** Samples along each axis of a pixel. */
  private static final int FINE = 2;

  private MeshPicture() {}

  /** From the front and from behind. */
  public enum Side {
    FRONT(0.6),
    BACK(0.6 + Math.PI);

    private final double angle;

    Side(double angle) {
      this.angle = angle;
    }
  }

  /**
   * Colours that tell places apart: x, y and z inside the box around the mesh as red, green and
   * blue.
   */
  public static float[] places(Mesh mesh) {
    float[] x = mesh.vertices().coordinates();
    float[] colour = new float[x.length];
    for (int axis = 0; axis < 3; axis++) {
      float low = Float.POSITIVE_INFINITY;
      float high = Float.NEGATIVE_INFINITY;
      for (int i = axis; i < x.length; i += 3) {
        low = Math.min(low, x[i]);
        high = Math.max(high, x[i]);
      }
      for (int i = axis; i < x.length; i += 3) {
        colour[i] = high > low ? 0.1f + 0.85f * (x[i] - low) / (high - low) : 0.5f;
      }
    }
    return colour;
  }

  /**
   * The picture of a mesh.
   *
   * @param colour red, green and blue for each vertex
   * @param size of the picture, in pixels
   */
  public static Image of(Mesh mesh, float[] colour, Side side, int size) {
    int n = FINE * size;
    double[][] p = placed(mesh, side, n);
    float[] rgb = new float[3 * n * n];
    Arrays.fill(rgb, 1);
    double[] depth = new double[n * n];
    Arrays.fill(depth, Double.NEGATIVE_INFINITY);
    int[] t = mesh.triangles();
    for (int f = 0; f < t.length; f += 3) {
      triangle(p, t, f, colour, n, rgb, depth);
    }
    float[] small = new float[3 * size * size];
    for (int c = 0; c < 3; c++) {
      for (int y = 0; y < n; y++) {
        for (int x = 0; x < n; x++) {
          small[(c * size + y / FINE) * size + x / FINE] +=
              rgb[(c * n + y) * n + x] / (FINE * FINE);
        }
      }
    }
    return new Image(3, size, size, small);
  }

  /** The vertices in pixels, with the depth as third coordinate; y goes down. */
  private static double[][] placed(Mesh mesh, Side side, int n) {
    Similarity camera = Similarity.rotation(0, 0.25).after(Similarity.rotation(1, side.angle));
    float[] c = mesh.vertices().coordinates();
    double[][] p = new double[mesh.vertices().size()][];
    double[] low = {Double.MAX_VALUE, Double.MAX_VALUE};
    double[] high = {-Double.MAX_VALUE, -Double.MAX_VALUE};
    for (int i = 0; i < p.length; i++) {
      p[i] = camera.apply(c[3 * i], c[3 * i + 1], c[3 * i + 2]);
      for (int axis = 0; axis < 2; axis++) {
        low[axis] = Math.min(low[axis], p[i][axis]);
        high[axis] = Math.max(high[axis], p[i][axis]);
      }
    }
    double unit = 0.94 * n / Math.max(1e-30, Math.max(high[0] - low[0], high[1] - low[1]));
    for (double[] x : p) {
      x[0] = n / 2.0 + unit * (x[0] - (low[0] + high[0]) / 2);
      x[1] = n / 2.0 - unit * (x[1] - (low[1] + high[1]) / 2);
      x[2] *= unit;
    }
    return p;
  }

  private static void triangle(
      double[][] p, int[] t, int f, float[] colour, int n, float[] rgb, double[] depth) {
    double[] a = p[t[f]];
    double[] b = p[t[f + 1]];
    double[] c = p[t[f + 2]];
    double area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
    if (area == 0) {
      return;
    }
    double light = light(a, b, c);
    int fromX = (int) Math.max(0, Math.floor(Math.min(a[0], Math.min(b[0], c[0]))));
    int toX = (int) Math.min(n - 1, Math.ceil(Math.max(a[0], Math.max(b[0], c[0]))));
    int fromY = (int) Math.max(0, Math.floor(Math.min(a[1], Math.min(b[1], c[1]))));
    int toY = (int) Math.min(n - 1, Math.ceil(Math.max(a[1], Math.max(b[1], c[1]))));
    for (int y = fromY; y <= toY; y++) {
      for (int x = fromX; x <= toX; x++) {
        double px = x + 0.5;
        double py = y + 0.5;
        double u = ((b[0] - px) * (c[1] - py) - (c[0] - px) * (b[1] - py)) / area;
        double v = ((c[0] - px) * (a[1] - py) - (a[0] - px) * (c[1] - py)) / area;
        double w = 1 - u - v;
        double z = u * a[2] + v * b[2] + w * c[2];
        if (u >= 0 && v >= 0 && w >= 0 && z > depth[y * n + x]) {
          depth[y * n + x] = z;
          for (int k = 0; k < 3; k++) {
            double value =
                u * colour[3 * t[f] + k]
                    + v * colour[3 * t[f + 1] + k]
                    + w * colour[3 * t[f + 2] + k];
            rgb[(k * n + y) * n + x] = (float) (light * value);
          }
        }
      }
    }
  }

  /** How bright a triangle is; y goes down in pixels. */
  private static double light(double[] a, double[] b, double[] c) {
    double[] u = {b[0] - a[0], a[1] - b[1], b[2] - a[2]};
    double[] v = {c[0] - a[0], a[1] - c[1], c[2] - a[2]};
    double[] normal = {
      u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]
    };
    double length = Math.sqrt(Arrays.stream(normal).map(x -> x * x).sum());
    double dot = 0;
    for (int i = 0; i < 3; i++) {
      dot += LIGHT[i] * normal[i];
    }
    return 0.45 + 0.55 * Math.abs(dot) / Math.max(length, 1e-300);
  }
}
