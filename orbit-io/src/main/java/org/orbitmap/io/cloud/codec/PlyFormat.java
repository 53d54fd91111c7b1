package org.orbitmap.io.cloud.codec;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.cloud.PointFeature;
import org.orbitmap.io.ByteCursor;
import org.orbitmap.io.Floats;
import org.orbitmap.io.FormatException;
import org.orbitmap.io.cloud.codec.PlyHeader.Element;
import org.orbitmap.io.cloud.codec.PlyHeader.Encoding;
import org.orbitmap.io.cloud.codec.PlyHeader.Property;
import org.orbitmap.mesh.Mesh;

/**
 * PLY, as text and in both byte orders. Of the vertices x y z, nx ny nz and red green blue get
 * their meaning, every other number becomes a feature of its name; of the faces the vertex lists
 * are read; other elements are skipped.
 */
public record PlyFormat(Encoding encoding) implements Codec {
  /** The properties that say where a vertex is. */
  private static final List<String> PLACE = List.of("x", "y", "z");

  /** Numbers in the order of the file, whatever the encoding. */
  private interface Numbers {
    double next(PlyHeader.Type type) throws FormatException;
  }

  @Override
  public boolean faces() {
    return true;
  }

  @Override
  public List<PlacedMesh> read(ByteCursor in) throws IOException {
    PlyHeader header = PlyHeader.read(in);
    Encoding stored = header.encoding();
    ByteBuffer buffer =
        in.rest(stored == Encoding.BIG ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
    Numbers numbers =
        stored == Encoding.ASCII
            ? type -> in.nextNumber()
            : type -> {
              if (buffer.remaining() < type.bytes) {
                throw in.error("more numbers", "the end of the file");
              }
              double v = type.get(buffer, buffer.position());
              buffer.position(buffer.position() + type.bytes);
              return v;
            };
    Map<String, float[]> columns = new LinkedHashMap<>();
    Map<String, double[]> exact = new LinkedHashMap<>();
    Floats.Ints triangles = new Floats.Ints();
    int vertices = -1;
    for (Element e : header.elements()) {
      int left = stored == Encoding.ASCII ? in.remaining() + 1 : buffer.remaining();
      long least = stored == Encoding.ASCII ? 2L * e.properties().size() : e.bytes();
      if (e.count() > (least == 0 ? Long.MAX_VALUE : left / least)) {
        throw in.error(
            "room for %d %s elements".formatted(e.count(), e.name()), left + " bytes left");
      }
      if (e.name().equals("vertex") && vertices < 0) {
        vertices = (int) Math.min(e.count(), Integer.MAX_VALUE);
        readVertices(in, e, stored == Encoding.ASCII ? null : buffer, numbers, columns, exact);
      } else if (e.name().equals("face")) {
        readFaces(in, e, numbers, triangles);
      } else if (stored != Encoding.ASCII && !e.lists()) {
        buffer.position(buffer.position() + (int) (e.count() * e.bytes()));
      } else if (!e.properties().isEmpty()) {
        for (long i = 0; i < e.count(); i++) {
          skip(in, e, numbers);
        }
      }
    }
    return List.of(assemble(in, columns, exact, vertices, triangles));
  }

  private static void readVertices(
      ByteCursor in,
      Element e,
      ByteBuffer binary,
      Numbers numbers,
      Map<String, float[]> columns,
      Map<String, double[]> exact)
      throws FormatException {
    int n = (int) e.count();
    for (Property p : e.properties()) {
      if (p.count() == null) {
        if (columns.put(p.name(), new float[n]) != null) {
          throw in.error("each property once", "two called '" + p.name() + "'");
        }
        boolean finer = binary == null || p.type() != PlyHeader.Type.FLOAT;
        if (finer && PLACE.contains(p.name())) {
          exact.put(p.name(), new double[n]);
        }
      }
    }
    if (binary != null && !e.lists()) {
      int offset = binary.position();
      int stride = e.bytes();
      int from = offset;
      for (Property p : e.properties()) {
        float[] column = columns.get(p.name());
        if (p.type() == PlyHeader.Type.FLOAT) {
          for (int i = 0, at = from; i < n; i++, at += stride) {
            column[i] = binary.getFloat(at);
          }
        } else {
          double[] finer = exact.get(p.name());
          for (int i = 0, at = from; i < n; i++, at += stride) {
            double v = p.type().get(binary, at);
            column[i] = (float) v;
            if (finer != null) {
              finer[i] = v;
            }
          }
        }
        from += p.type().bytes;
      }
      binary.position(offset + n * stride);
      return;
    }
    for (int i = 0; i < n; i++) {
      for (Property p : e.properties()) {
        if (p.count() == null) {
          double v = numbers.next(p.type());
          columns.get(p.name())[i] = (float) v;
          if (exact.containsKey(p.name())) {
            exact.get(p.name())[i] = v;
          }
        } else {
          skipList(in, p, numbers);
        }
      }
    }
  }

  private static void readFaces(ByteCursor in, Element e, Numbers numbers, Floats.Ints triangles)
      throws FormatException {
    for (long i = 0; i < e.count() && !e.properties().isEmpty(); i++) {
      for (Property p : e.properties()) {
        if (p.count() == null) {
          numbers.next(p.type());
        } else if (p.name().equals("vertex_indices") || p.name().equals("vertex_index")) {
          Floats.Ints polygon = new Floats.Ints();
          long corners = length(in, numbers.next(p.count()));
          for (long k = 0; k < corners; k++) {
            double v = numbers.next(p.type());
            if (v < 0 || v != Math.rint(v) || v > Integer.MAX_VALUE) {
              throw in.error("a vertex number", v);
            }
            polygon.add((int) v);
          }
          MeshText.polygon(polygon, triangles);
        } else {
          skipList(in, p, numbers);
        }
      }
    }
  }

  private static void skip(ByteCursor in, Element e, Numbers numbers) throws FormatException {
    for (Property p : e.properties()) {
      if (p.count() == null) {
        numbers.next(p.type());
      } else {
        skipList(in, p, numbers);
      }
    }
  }

  private static void skipList(ByteCursor in, Property p, Numbers numbers) throws FormatException {
    long length = length(in, numbers.next(p.count()));
    for (long k = 0; k < length; k++) {
      numbers.next(p.type());
    }
  }

  private static long length(ByteCursor in, double count) throws FormatException {
    if (!(count >= 0) || count != Math.rint(count) || count > Integer.MAX_VALUE) {
      throw in.error("the length of a list", count);
    }
    return (long) count;
  }

  private static PlacedMesh assemble(
      ByteCursor in,
      Map<String, float[]> columns,
      Map<String, double[]> exact,
      int n,
      Floats.Ints triangles)
      throws FormatException {
    if (n < 1 || !columns.containsKey("x") || !columns.containsKey("y")) {
      throw in.error("a vertex element with x and y", n < 1 ? "no vertices" : columns.keySet());
    }
    boolean space = columns.containsKey("z");
    float[] c = space ? take(columns, "x", "y", "z") : take(columns, "x", "y");
    for (float v : c) {
      in.coordinate(v);
    }
    List<PointFeature> features = new ArrayList<>();
    float[] normals = space ? take(columns, "nx", "ny", "nz") : take(columns, "nx", "ny");
    if (normals != null) {
      features.add(PointFeature.normals(space ? 3 : 2, normals));
    }
    float[] colours = take(columns, "red", "green", "blue");
    if (colours != null) {
      boolean bytes = false;
      for (float v : colours) {
        bytes |= v > 1;
      }
      for (int i = 0; bytes && i < colours.length; i++) {
        colours[i] /= 255;
      }
      features.add(PointFeature.colours(colours));
    }
    columns.forEach(
        (name, values) ->
            features.add(new PointFeature(name, PointFeature.Kind.SCALAR, 1, values)));
    for (PointFeature f : features) {
      for (float v : f.values()) {
        in.coordinate(v);
      }
    }
    for (int i = 0; i < triangles.size(); i++) {
      MeshText.corner(in, triangles.get(i), n);
    }
    int d = space ? 3 : 2;
    if (exact.size() < d) {
      return PlacedMesh.of(new Mesh(new PointCloud(d, c, features), triangles.toArray()));
    }
    double[] finer = new double[d * n];
    for (int i = 0; i < finer.length; i++) {
      finer[i] = exact.get(PLACE.get(i % d))[i / d];
    }
    return PlacedMesh.of(d, finer, features, triangles.toArray());
  }

  /** Takes some columns out of the map, side by side; null if one is missing. */
  private static float[] take(Map<String, float[]> columns, String... names) {
    for (String name : names) {
      if (!columns.containsKey(name)) {
        return null;
      }
    }
    int k = names.length;
    float[] out = new float[k * columns.get(names[0]).length];
    for (int j = 0; j < k; j++) {
      float[] column = columns.remove(names[j]);
      for (int i = 0; i < column.length; i++) {
        out[i * k + j] = column[i];
      }
    }
    return out;
  }

  @Override
  public void write(Path target, List<PlacedMesh> meshes, OutputStream out) throws IOException {
    PlacedMesh placed = meshes.get(0);
    Mesh mesh = placed.mesh();
    PointCloud x = mesh.vertices();
    int[] t = mesh.triangles();
    StringBuilder head = new StringBuilder("ply\nformat " + encoding.word + " 1.0\n");
    head.append("element vertex ").append(x.size()).append('\n');
    for (int j = 0; j < x.dimension(); j++) {
      head.append(placed.far() ? "property double " : "property float ")
          .append(PLACE.get(j))
          .append('\n');
    }
    for (PointFeature f : x.features()) {
      for (int j = 0; j < f.width(); j++) {
        head.append(isColour(f) ? "property uchar " : "property float ");
        head.append(column(f, j)).append('\n');
      }
    }
    if (t.length > 0) {
      head.append("element face ").append(t.length / 3).append('\n');
      head.append("property list uchar int vertex_indices\n");
    }
    head.append("end_header\n");
    out.write(head.toString().getBytes(StandardCharsets.ISO_8859_1));
    if (encoding == Encoding.ASCII) {
      writeText(placed, out);
    } else {
      writeBinary(placed, out);
    }
  }

  private static boolean isColour(PointFeature f) {
    return f.name().equals(PointFeature.COLOUR) && f.width() == 3;
  }

  private static String column(PointFeature f, int j) {
    if (f.name().equals(PointFeature.NORMAL)) {
      return "n" + "xyz".charAt(j);
    }
    if (isColour(f)) {
      return List.of("red", "green", "blue").get(j);
    }
    String name = f.name().replaceAll("[^A-Za-z0-9_]", "_");
    return f.width() == 1 ? name : name + "_" + j;
  }

  private static void writeText(PlacedMesh placed, OutputStream out) throws IOException {
    int[] t = placed.mesh().triangles();
    MeshText.Writer writer = new MeshText.Writer(out);
    int columns = MeshText.columns(placed.mesh().vertices());
    double[] rows = MeshText.rows(placed);
    for (int i = 0; i < rows.length; i += columns) {
      writer.numbers(rows, i, columns, ' ').add("\n");
    }
    for (int i = 0; i < t.length; i += 3) {
      writer.add("3 " + t[i] + " " + t[i + 1] + " " + t[i + 2] + "\n");
    }
    writer.flush();
  }

  private void writeBinary(PlacedMesh placed, OutputStream out) throws IOException {
    PointCloud x = placed.mesh().vertices();
    int[] t = placed.mesh().triangles();
    int d = x.dimension();
    boolean wide = placed.far();
    int bytes =
        (wide ? 8 : 4) * d
            + x.features().stream().mapToInt(f -> isColour(f) ? 3 : 4 * f.width()).sum();
    ByteBuffer buffer =
        ByteBuffer.allocate(Math.max(bytes, 13) * 1024)
            .order(encoding == Encoding.BIG ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < x.size(); i++) {
      room(buffer, bytes, out);
      for (int j = 0; j < d; j++) {
        if (wide) {
          buffer.putDouble(placed.at(i * d + j));
        } else {
          buffer.putFloat(x.coordinates()[i * d + j]);
        }
      }
      for (PointFeature f : x.features()) {
        for (int j = 0; j < f.width(); j++) {
          float v = f.values()[i * f.width() + j];
          if (isColour(f)) {
            buffer.put((byte) Math.max(0, Math.min(255, Math.round(255 * v))));
          } else {
            buffer.putFloat(v);
          }
        }
      }
    }
    for (int i = 0; i < t.length; i += 3) {
      room(buffer, 13, out);
      buffer.put((byte) 3).putInt(t[i]).putInt(t[i + 1]).putInt(t[i + 2]);
    }
    room(buffer, buffer.capacity(), out);
  }

  private static void room(ByteBuffer buffer, int bytes, OutputStream out) throws IOException {
    if (buffer.remaining() < bytes) {
      out.write(buffer.array(), buffer.arrayOffset(), buffer.position());
      buffer.clear();
    }
  }
}
