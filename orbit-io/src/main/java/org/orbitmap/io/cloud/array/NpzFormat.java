package org.orbitmap.io.cloud.array;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.cloud.PointFeature;
import org.orbitmap.io.ByteCursor;
import org.orbitmap.io.FormatException;
import org.orbitmap.io.cloud.codec.Codec;
import org.orbitmap.io.cloud.codec.MeshText;
import org.orbitmap.io.cloud.codec.PlacedMesh;
import org.orbitmap.mesh.Mesh;

/**
 * A zip file of NumPy arrays. The points are the array called points, xyz, data, pos, coordinates
 * or arr_0, or the only one there is; of the same number of rows, normals (or normal) and colours
 * (or colors, rgb) belong to them.
 */
public record NpzFormat() implements Codec {
  private static final List<String> POINTS =
      List.of("points", "xyz", "data", "pos", "coordinates", "arr_0");

  @Override
  public boolean several() {
    return true;
  }

  @Override
  public List<PlacedMesh> read(ByteCursor in) throws IOException {
    byte[] content = new byte[in.remaining()];
    in.rest(ByteOrder.LITTLE_ENDIAN).get(content);
    Map<String, byte[]> arrays = new LinkedHashMap<>();
    // Deflate makes at most 1032 bytes of one; a whole file may have no more than the limit.
    int room = (int) Math.min(Codec.MAX_BYTES, 1100L * content.length);
    try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(content))) {
      for (ZipEntry e; (e = zip.getNextEntry()) != null; ) {
        if (!e.isDirectory()) {
          byte[] array = Codec.inflate(in.file(), zip, room);
          room -= array.length;
          arrays.put(e.getName().replaceFirst("\\.npy$", ""), array);
        }
      }
    } catch (ZipException | EOFException | IllegalArgumentException e) {
      throw in.error("a whole zip file", "a damaged one (" + e.getMessage() + ")");
    }
    String name =
        POINTS.stream()
            .filter(arrays::containsKey)
            .findFirst()
            .orElse(arrays.size() == 1 ? arrays.keySet().iterator().next() : null);
    if (name == null) {
      throw in.error("an array called one of " + POINTS, arrays.keySet());
    }
    List<PlacedMesh> all = NpyFormat.clouds(in, array(in, arrays.get(name)));
    if (all.size() != 1 || all.get(0).origin().length != 3) {
      return all;
    }
    PointCloud x = all.get(0).mesh().vertices();
    for (String key : List.of("normals", "normal", "colours", "colors", "rgb")) {
      if (arrays.containsKey(key)) {
        NpyFormat.Array a = array(in, arrays.get(key));
        if (a.shape().length == 2 && a.shape()[0] == x.size() && a.shape()[1] == 3) {
          for (float v : a.values()) {
            in.coordinate(v);
          }
          List<PointFeature> features = new ArrayList<>(x.features());
          features.add(
              key.startsWith("normal")
                  ? PointFeature.normals(3, a.values())
                  : PointFeature.colours(a.values()));
          x = new PointCloud(3, x.coordinates(), features);
        }
      }
    }
    return List.of(new PlacedMesh(Mesh.of(x), all.get(0).origin()));
  }

  private static NpyFormat.Array array(ByteCursor in, byte[] content) throws FormatException {
    return NpyFormat.array(new ByteCursor(in.file(), content));
  }

  @Override
  public void write(Path target, List<PlacedMesh> meshes, OutputStream out) throws IOException {
    PointCloud first = meshes.get(0).mesh().vertices();
    ZipOutputStream zip = new ZipOutputStream(out);
    boolean one = meshes.size() == 1;
    int d = first.dimension();
    entry(
        zip,
        "points",
        one ? new int[] {first.size(), d} : new int[] {meshes.size(), first.size(), d},
        MeshText.stacked(target, meshes, false),
        MeshText.far(meshes));
    for (PointFeature f : one ? first.features() : List.<PointFeature>of()) {
      String name = f.name().equals(PointFeature.NORMAL) ? "normals" : f.name();
      entry(
          zip,
          name.equals(PointFeature.COLOUR) ? "colours" : name,
          new int[] {f.size(), f.width()},
          IntStream.range(0, f.values().length).mapToDouble(i -> f.values()[i]).toArray(),
          false);
    }
    zip.finish();
  }

  private static void entry(
      ZipOutputStream zip, String name, int[] shape, double[] values, boolean wide)
      throws IOException {
    ByteArrayOutputStream array = new ByteArrayOutputStream();
    NpyFormat.write(shape, values, wide, array);
    ZipEntry entry = new ZipEntry(name + ".npy");
    entry.setTime(0);
    zip.putNextEntry(entry);
    array.writeTo(zip);
    zip.closeEntry();
  }
}
