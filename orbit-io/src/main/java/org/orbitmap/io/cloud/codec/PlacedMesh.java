package org.orbitmap.io.cloud.codec;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.cloud.PointFeature;
import org.orbitmap.mesh.Mesh;

/**
 * A mesh as a file holds it: vertex i lies at origin + vertices[i]. A survey in UTM coordinates is
 * some hundred metres wide and some thousand kilometres away from 0, where floats are half a metre
 * apart; near an origin of its own, floats hold it as finely as the file does.
 *
 * <p>The array is not copied: treat it as immutable once it is inside.
 *
 * @param mesh the vertices relative to the origin, and the triangles
 * @param origin one number for each dimension; all 0 for a cloud that is not far away, and for one
 *     whose file holds floats
 */
public record PlacedMesh(Mesh mesh, double[] origin) {
  /** A cloud is far away if its distance to 0 is more than so many times its size. */
  private static final double FAR = 64;

  public PlacedMesh {
    Objects.requireNonNull(mesh, "mesh");
    if (origin.length != mesh.vertices().dimension()) {
      throw new IllegalArgumentException(
          "origin: expected %d numbers, found %d"
              .formatted(mesh.vertices().dimension(), origin.length));
    }
  }

  /** A mesh that lies where its vertices say. */
  public static PlacedMesh of(Mesh mesh) {
    return new PlacedMesh(mesh, new double[mesh.vertices().dimension()]);
  }

  /**
   * A mesh from coordinates in double. If it is far away its origin is near its middle, a multiple
   * of a power of 2 below its size, so that the differences are exact in double.
   */
  public static PlacedMesh of(
      int dimension, double[] coordinates, List<PointFeature> features, int[] triangles) {
    double[] origin = origin(dimension, coordinates);
    float[] near = new float[coordinates.length];
    for (int i = 0; i < near.length; i++) {
      near[i] = (float) (coordinates[i] - origin[i % dimension]);
    }
    return new PlacedMesh(new Mesh(new PointCloud(dimension, near, features), triangles), origin);
  }

  private static double[] origin(int d, double[] coordinates) {
    double[] origin = new double[d];
    double size = 0;
    double far = 0;
    for (int j = 0; j < d; j++) {
      double low = Double.POSITIVE_INFINITY;
      double high = Double.NEGATIVE_INFINITY;
      for (int i = j; i < coordinates.length; i += d) {
        low = Math.min(low, coordinates[i]);
        high = Math.max(high, coordinates[i]);
      }
      origin[j] = low / 2 + high / 2;
      size = Math.max(size, high - low);
      far = Math.max(far, Math.abs(origin[j]));
    }
    if (!(size > 0) || far <= FAR * size) {
      return new double[d];
    }
    double unit = Math.scalb(1.0, Math.getExponent(size));
    for (int j = 0; j < d; j++) {
      origin[j] = Math.rint(origin[j] / unit) * unit;
    }
    return origin;
  }

  /** Whether the origin is another point than 0. */
  public boolean far() {
    for (double v : origin) {
      if (v != 0) {
        return true;
      }
    }
    return false;
  }

  /** A coordinate of the file: number i of x y z x y z … */
  public double at(int i) {
    return origin[i % origin.length] + mesh.vertices().coordinates()[i];
  }

  /** All coordinates of the file, x y z x y z … */
  public double[] coordinates() {
    double[] c = new double[mesh.vertices().coordinates().length];
    Arrays.setAll(c, this::at);
    return c;
  }

  /** The mesh in the coordinates of the file, as finely as floats hold it there. */
  public Mesh absolute() {
    if (!far()) {
      return mesh;
    }
    PointCloud x = mesh.vertices();
    float[] c = new float[x.coordinates().length];
    for (int i = 0; i < c.length; i++) {
      c[i] = (float) at(i);
    }
    return new Mesh(new PointCloud(x.dimension(), c, x.features()), mesh.triangles());
  }
}
