package org.orbitmap.io.cloud.array;

import io.jhdf.HdfFile;
import io.jhdf.WritableHdfFile;
import io.jhdf.api.Dataset;
import io.jhdf.api.Node;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Array;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.cloud.PointFeature;
import org.orbitmap.io.ByteCursor;
import org.orbitmap.io.FormatException;
import org.orbitmap.io.cloud.codec.Codec;
import org.orbitmap.io.cloud.codec.MeshText;
import org.orbitmap.io.cloud.codec.PlacedMesh;
import org.orbitmap.mesh.Mesh;

/** HDF5 in ModelNet's layout, read with jhdf. */
public record HdfFormat() implements Codec {
  @Override
  public boolean several() {
    return true;
  }

  @Override
  public List<PlacedMesh> read(ByteCursor in) throws IOException {
    byte[] content = new byte[in.remaining()];
    in.rest(ByteOrder.LITTLE_ENDIAN).get(content);
    NpyFormat.Array data;
    NpyFormat.Array normal;
    try (HdfFile file = HdfFile.fromBytes(content)) {
      data = array(in, file.getChild("data"), content.length);
      normal =
          file.getChild("normal") == null
              ? null
              : array(in, file.getChild("normal"), content.length);
    } catch (RuntimeException | StackOverflowError e) {
      throw in.error("a whole HDF5 file", "a damaged one (" + message(e) + ")");
    }
    if (data == null) {
      throw in.error("a data set called data", "none");
    }
    List<PlacedMesh> clouds = NpyFormat.clouds(in, data);
    if (normal == null || !Arrays.equals(normal.shape(), data.shape())) {
      return clouds;
    }
    List<PlacedMesh> all = new ArrayList<>();
    for (int i = 0; i < clouds.size(); i++) {
      PointCloud x = clouds.get(i).mesh().vertices();
      int each = x.coordinates().length;
      float[] n = Arrays.copyOfRange(normal.values(), i * each, (i + 1) * each);
      for (float v : n) {
        in.coordinate(v);
      }
      all.add(
          new PlacedMesh(
              Mesh.of(
                  new PointCloud(
                      x.dimension(),
                      x.coordinates(),
                      List.of(PointFeature.normals(x.dimension(), n)))),
              clouds.get(i).origin()));
    }
    return all;
  }

  private static String message(Throwable e) {
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }

  /** A data set's numbers; its size is checked against the file's before they are unpacked. */
  private static NpyFormat.Array array(ByteCursor in, Node node, int bytes) throws FormatException {
    if (!(node instanceof Dataset set)) {
      return null;
    }
    int[] shape = set.getDimensions();
    long count = 1;
    for (int s : shape) {
      count = s < 0 || count > Integer.MAX_VALUE ? Long.MAX_VALUE / 2 : count * s;
    }
    // Deflate makes at most 1032 bytes of one.
    if (count * 4 > Math.min(Codec.MAX_BYTES, 1100L * bytes)) {
      throw in.error("a data set that fits its file", "shape " + Arrays.toString(shape));
    }
    double[] exact = new double[(int) count];
    if (count > 0 && copy(set.getData(), exact, 0) != count) {
      throw in.error("a data set of numbers", set.getJavaType());
    }
    float[] values = new float[exact.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) exact[i];
    }
    return new NpyFormat.Array(shape, values, set.getJavaType() == float.class ? null : exact);
  }

  /** Copies nested arrays of numbers; returns the place after the last, or -1. */
  private static int copy(Object from, double[] to, int at) {
    if (from instanceof float[] f) {
      if (f.length > to.length - at) {
        return -1;
      }
      for (int i = 0; i < f.length; i++) {
        to[at + i] = f[i];
      }
      return at + f.length;
    }
    if (from instanceof Object[] rows) {
      int next = at;
      for (Object row : rows) {
        next = next < 0 ? next : copy(row, to, next);
      }
      return next;
    }
    if (from == null || !from.getClass().isArray()) {
      return -1;
    }
    int n = Array.getLength(from);
    for (int i = 0; i < n; i++) {
      if (!(Array.get(from, i) instanceof Number v) || at + i >= to.length) {
        return -1;
      }
      to[at + i] = v.doubleValue();
    }
    return at + n;
  }

  @Override
  public void write(Path target, List<PlacedMesh> meshes, OutputStream out) throws IOException {
    int points = meshes.get(0).mesh().vertices().size();
    int d = meshes.get(0).mesh().vertices().dimension();
    double[] all = MeshText.stacked(target, meshes, false);
    boolean normals =
        meshes.stream().allMatch(m -> m.mesh().vertices().feature(PointFeature.NORMAL).isPresent());
    Path temporary = Files.createTempFile("orbit", ".h5");
    try {
      try (WritableHdfFile file = HdfFile.write(temporary)) {
        file.putDataset(
            "data",
            MeshText.far(meshes)
                ? nested(all, meshes.size(), points, d)
                : nested(floats(all), meshes.size(), points, d));
        if (normals) {
          float[][][] n = new float[meshes.size()][][];
          for (int i = 0; i < n.length; i++) {
            float[] values =
                meshes.get(i).mesh().vertices().feature(PointFeature.NORMAL).orElseThrow().values();
            n[i] = nested(values, 1, points, d)[0];
          }
          file.putDataset("normal", n);
        }
      }
      Files.copy(temporary, out);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  private static float[] floats(double[] values) {
    float[] out = new float[values.length];
    for (int i = 0; i < out.length; i++) {
      out[i] = (float) values[i];
    }
    return out;
  }

  private static double[][][] nested(double[] values, int clouds, int points, int columns) {
    double[][][] out = new double[clouds][points][];
    for (int i = 0; i < clouds * points; i++) {
      out[i / points][i % points] = Arrays.copyOfRange(values, i * columns, (i + 1) * columns);
    }
    return out;
  }

  private static float[][][] nested(float[] values, int clouds, int points, int columns) {
    float[][][] out = new float[clouds][points][];
    for (int i = 0; i < clouds * points; i++) {
      out[i / points][i % points] = Arrays.copyOfRange(values, i * columns, (i + 1) * columns);
    }
    return out;
  }
}
