package org.orbitmap.io.cloud.codec;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.cloud.PointFeature;
import org.orbitmap.io.ByteCursor;
import org.orbitmap.io.Floats;
import org.orbitmap.io.FormatException;
import org.orbitmap.io.UserError;

/** What the text formats share: polygons to triangles, columns to features, lines of numbers. */
public final class MeshText {
  private MeshText() {}

  /**
   * Adds a polygon as a fan of triangles; one or two corners are a point or a line and add none.
   */
  public static void polygon(Floats.Ints corners, Floats.Ints triangles) {
    for (int k = 2; k < corners.size(); k++) {
      triangles.add(corners.get(0));
      triangles.add(corners.get(k - 1));
      triangles.add(corners.get(k));
    }
  }

  /** The index of a corner, checked. */
  public static int corner(ByteCursor in, long index, int vertices) throws FormatException {
    if (index < 0 || index >= vertices) {
      throw in.error("a vertex from 0 to " + (vertices - 1), index);
    }
    return (int) index;
  }

  /** The cloud with its features and triangles. */
  public static PlacedMesh mesh(
      ByteCursor in, double[] coordinates, List<PointFeature> features, Floats.Ints triangles)
      throws FormatException {
    if (coordinates.length == 0) {
      throw in.error("at least one point", "none");
    }
    return PlacedMesh.of(3, coordinates, features, triangles.toArray());
  }

  /**
   * The cloud of a table with a row for each point: 2 or 3 coordinates, then features. Six columns
   * are coordinates and normals if the last three have length 1, coordinates and colours if they
   * lie in 0 … 255 and some are above 1; anything else after the coordinates is kept as {@code
   * values}.
   */
  public static PlacedMesh table(double[] rows, int columns) {
    int d = columns == 2 ? 2 : 3;
    int n = rows.length / columns;
    double[] c = new double[n * d];
    float[] rest = new float[n * (columns - d)];
    for (int i = 0; i < rows.length; i++) {
      int column = i % columns;
      if (column < d) {
        c[i / columns * d + column] = rows[i];
      } else {
        rest[i / columns * (columns - d) + column - d] = (float) rows[i];
      }
    }
    List<PointFeature> features = columns == d ? List.of() : List.of(feature(rest, columns - d, n));
    return PlacedMesh.of(d, c, features, new int[0]);
  }

  /** The same for a table of floats. */
  public static PointCloud table(float[] rows, int columns) {
    int n = rows.length / columns;
    int d = columns == 2 ? 2 : 3;
    float[] c = part(rows, columns, 0, d);
    if (columns == d) {
      return new PointCloud(d, c);
    }
    float[] rest = part(rows, columns, d, columns);
    return new PointCloud(d, c, List.of(feature(rest, columns - d, n)));
  }

  private static PointFeature feature(float[] rest, int width, int n) {
    boolean unit = width == 3;
    boolean bytes = width == 3;
    float largest = 0;
    for (int i = 0; width == 3 && i < n; i++) {
      double square = 0;
      for (int j = 0; j < 3; j++) {
        float v = rest[3 * i + j];
        square += (double) v * v;
        bytes &= v >= 0 && v <= 255;
        largest = Math.max(largest, v);
      }
      unit &= Math.abs(square - 1) < 0.02 || square == 0;
    }
    if (unit && largest > 0) {
      return PointFeature.normals(3, rest);
    }
    if (bytes && largest > 1) {
      float[] scaled = rest.clone();
      for (int i = 0; i < scaled.length; i++) {
        scaled[i] /= 255;
      }
      return PointFeature.colours(scaled);
    }
    return new PointFeature("values", PointFeature.Kind.SCALAR, width, rest);
  }

  private static float[] part(float[] rows, int columns, int from, int to) {
    int n = rows.length / columns;
    float[] out = new float[n * (to - from)];
    for (int i = 0; i < n; i++) {
      System.arraycopy(rows, i * columns + from, out, i * (to - from), to - from);
    }
    return out;
  }

  /** The table of a cloud: coordinates, then features (colours as 0 … 255). */
  public static double[] rows(PlacedMesh placed) {
    PointCloud cloud = placed.mesh().vertices();
    int columns = columns(cloud);
    double[] rows = new double[cloud.size() * columns];
    int at = cloud.dimension();
    for (int i = 0; i < cloud.coordinates().length; i++) {
      rows[i / at * columns + i % at] = placed.at(i);
    }
    for (PointFeature f : cloud.features()) {
      boolean colour = f.name().equals(PointFeature.COLOUR);
      for (int i = 0; i < cloud.size(); i++) {
        for (int j = 0; j < f.width(); j++) {
          float v = f.values()[i * f.width() + j];
          rows[i * columns + at + j] = colour ? Math.round(v * 255) : v;
        }
      }
      at += f.width();
    }
    return rows;
  }

  public static int columns(PointCloud cloud) {
    return cloud.dimension() + cloud.features().stream().mapToInt(PointFeature::width).sum();
  }

  /** Joins several clouds of one shape into one array; all must have the same size. */
  public static double[] stacked(Path target, List<PlacedMesh> meshes, boolean features) {
    PointCloud first = meshes.get(0).mesh().vertices();
    int width = features ? columns(first) : first.dimension();
    long length = (long) meshes.size() * first.size() * width;
    if (length > Integer.MAX_VALUE - 8) {
      throw UserError.expected(target.toString(), "fewer than 2^31 numbers", length, "");
    }
    double[] all = new double[(int) length];
    int at = 0;
    for (PlacedMesh mesh : meshes) {
      PointCloud cloud = mesh.mesh().vertices();
      double[] part = features ? rows(mesh) : mesh.coordinates();
      if (cloud.size() != first.size() || part.length * (long) meshes.size() != length) {
        throw UserError.expected(
            target.toString(),
            "clouds of one size to store together: " + first,
            cloud,
            "Write one file for each");
      }
      System.arraycopy(part, 0, all, at, part.length);
      at += part.length;
    }
    return all;
  }

  /** Whether floats are too coarse for one of the clouds. */
  public static boolean far(List<PlacedMesh> meshes) {
    return meshes.stream().anyMatch(PlacedMesh::far);
  }

  /** Text for a stream, number by number. */
  public static final class Writer {
    private final OutputStream out;
    private final StringBuilder text = new StringBuilder();

    Writer(OutputStream out) {
      this.out = out;
    }

    Writer add(String s) throws IOException {
      text.append(s);
      if (text.length() > 1 << 15) {
        flush();
      }
      return this;
    }

    Writer number(double v) throws IOException {
      return add(
          v == (int) v
              ? Integer.toString((int) v)
              : v == (float) v ? Float.toString((float) v) : Double.toString(v));
    }

    /** A point, with blanks between its coordinates. */
    Writer point(PlacedMesh mesh, int i) throws IOException {
      int d = mesh.origin().length;
      for (int j = 0; j < d; j++) {
        add(j > 0 ? " " : "").number(mesh.at(i * d + j));
      }
      return this;
    }

    /** Numbers with a separator in between. */
    Writer numbers(double[] values, int from, int count, char separator) throws IOException {
      for (int i = 0; i < count; i++) {
        if (i > 0) {
          text.append(separator);
        }
        number(values[from + i]);
      }
      return this;
    }

    /** The same for floats. */
    Writer numbers(float[] values, int from, int count, char separator) throws IOException {
      for (int i = 0; i < count; i++) {
        if (i > 0) {
          text.append(separator);
        }
        number(values[from + i]);
      }
      return this;
    }

    void flush() throws IOException {
      out.write(text.toString().getBytes(StandardCharsets.ISO_8859_1));
      text.setLength(0);
    }
  }
}
