package org.orbitmap.io.cloud.codec;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.orbitmap.cloud.PointFeature;
import org.orbitmap.io.ByteCursor;
import org.orbitmap.io.Floats;
import org.orbitmap.io.FormatException;

/** The scene of a glTF document: walks its nodes and gathers what can be seen. */
final class GltfScene {
  /** Nodes in nodes, and how often meshes may be shown: more is no scene but a trap. */
  private static final int DEEPEST = 64;

  private static final int MOST_NODES = 100_000;

  private final ByteCursor in;
  private final JsonNode root;
  private final ByteBuffer bin;
  private final ByteBuffer[] buffers;
  private final Floats.Doubles places = new Floats.Doubles();
  private final Floats normals = new Floats();
  private final Floats colours = new Floats();
  private final Floats.Ints triangles = new Floats.Ints();
  private int nodes;

  GltfScene(ByteCursor in, JsonNode root, ByteBuffer bin) throws IOException {
    this.in = in;
    this.root = root;
    this.bin = bin;
    if (!root.path("asset").path("version").asText("").startsWith("2")) {
      throw in.error("glTF 2.0", "another document");
    }
    JsonNode required = root.path("extensionsRequired");
    for (JsonNode name : required) {
      if (!name.asText().startsWith("KHR_materials")
          && !name.asText().equals("KHR_texture_transform")) {
        throw in.error("plain glTF", "the extension " + name.asText() + ". Convert it first");
      }
    }
    this.buffers = new ByteBuffer[root.path("buffers").size()];
  }

  PlacedMesh mesh() throws IOException {
    JsonNode scenes = root.path("scenes");
    JsonNode scene = scenes.path(root.path("scene").asInt(0));
    double[] identity = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    if (scene.isMissingNode()) {
      for (JsonNode mesh : root.path("meshes")) {
        show(mesh, identity);
      }
    } else {
      for (JsonNode index : scene.path("nodes")) {
        walk(index.asInt(-1), identity, 0);
      }
    }
    List<PointFeature> features = new ArrayList<>();
    if (normals.size() > 0 && normals.size() == places.size()) {
      features.add(PointFeature.normals(3, normals.toArray()));
    }
    if (colours.size() > 0 && colours.size() == places.size()) {
      features.add(PointFeature.colours(colours.toArray()));
    }
    return MeshText.mesh(in, places.toArray(), features, triangles);
  }

  private void walk(int index, double[] above, int depth) throws IOException {
    JsonNode node = root.path("nodes").path(index);
    if (node.isMissingNode() || depth > DEEPEST || ++nodes > MOST_NODES) {
      throw in.error("a tree of nodes", "node " + index);
    }
    double[] here = product(above, transform(node));
    if (node.has("mesh")) {
      JsonNode mesh = root.path("meshes").path(node.path("mesh").asInt(-1));
      show(mesh, here);
    }
    for (JsonNode child : node.path("children")) {
      walk(child.asInt(-1), here, depth + 1);
    }
  }

  private double[] numbers(JsonNode array, double... otherwise) throws FormatException {
    if (array.isMissingNode()) {
      return otherwise;
    }
    if (array.size() != otherwise.length) {
      throw in.error(otherwise.length + " numbers", array.size());
    }
    double[] out = new double[otherwise.length];
    for (int i = 0; i < out.length; i++) {
      out[i] = in.exact(array.get(i).asDouble(Double.NaN));
    }
    return out;
  }

  /** A node's matrix, column by column: given, or T R S. */
  private double[] transform(JsonNode node) throws FormatException {
    if (node.has("matrix")) {
      return numbers(node.path("matrix"), new double[16]);
    }
    double[] t = numbers(node.path("translation"), 0, 0, 0);
    double[] q = numbers(node.path("rotation"), 0, 0, 0, 1);
    double[] s = numbers(node.path("scale"), 1, 1, 1);
    double x = q[0];
    double y = q[1];
    double z = q[2];
    double w = q[3];
    double[] r = {
      1 - 2 * (y * y + z * z),
      2 * (x * y + z * w),
      2 * (x * z - y * w),
      2 * (x * y - z * w),
      1 - 2 * (x * x + z * z),
      2 * (y * z + x * w),
      2 * (x * z + y * w),
      2 * (y * z - x * w),
      1 - 2 * (x * x + y * y)
    };
    double[] m = new double[16];
    for (int column = 0; column < 3; column++) {
      for (int row = 0; row < 3; row++) {
        m[4 * column + row] = r[3 * column + row] * s[column];
      }
      m[12 + column] = t[column];
    }
    m[15] = 1;
    return m;
  }

  private static double[] product(double[] a, double[] b) {
    double[] c = new double[16];
    for (int column = 0; column < 4; column++) {
      for (int row = 0; row < 4; row++) {
        for (int k = 0; k < 4; k++) {
          c[4 * column + row] += a[4 * k + row] * b[4 * column + k];
        }
      }
    }
    return c;
  }

  private void show(JsonNode mesh, double[] m) throws IOException {
    for (JsonNode primitive : mesh.path("primitives")) {
      int mode = primitive.path("mode").asInt(4);
      JsonNode attributes = primitive.path("attributes");
      if (mode >= 1 && mode <= 3) {
        continue; // lines
      }
      float[] p = accessor(attributes.path("POSITION").asInt(-1), 3);
      int first = places.size() / 3;
      if (places.size() + (long) p.length > Codec.MAX_BYTES / 16) {
        throw Codec.tooLarge(in.file());
      }
      int n = p.length / 3;
      for (int i = 0; i < n; i++) {
        for (int row = 0; row < 3; row++) {
          places.add(
              in.exact(
                  m[row] * p[3 * i]
                      + m[4 + row] * p[3 * i + 1]
                      + m[8 + row] * p[3 * i + 2]
                      + m[12 + row]));
        }
      }
      if (attributes.has("NORMAL")) {
        normals(accessor(attributes.path("NORMAL").asInt(-1), 3), n, m);
      }
      if (attributes.has("COLOR_0")) {
        JsonNode colour = root.path("accessors").path(attributes.path("COLOR_0").asInt(-1));
        int width = colour.path("type").asText().equals("VEC4") ? 4 : 3;
        float[] c = accessor(attributes.path("COLOR_0").asInt(-1), width);
        for (int i = 0; i < c.length; i++) {
          if (i % width < 3) {
            colours.add(c[i]);
          }
        }
      }
      faces(primitive, mode, first, n);
    }
  }

  /** Normals go by the inverse transpose, here the cofactors, and keep their length. */
  private void normals(float[] values, int n, double[] m) throws FormatException {
    if (values.length != 3 * n) {
      throw in.error(n + " normals", values.length / 3);
    }
    for (int i = 0; i < n; i++) {
      double[] out = new double[3];
      double square = 0;
      for (int row = 0; row < 3; row++) {
        int a = (row + 1) % 3;
        int b = (row + 2) % 3;
        for (int column = 0; column < 3; column++) {
          int c = (column + 1) % 3;
          int d = (column + 2) % 3;
          out[row] +=
              (m[4 * c + a] * m[4 * d + b] - m[4 * c + b] * m[4 * d + a]) * values[3 * i + column];
        }
        square += out[row] * out[row];
      }
      double scale = square > 0 ? 1 / Math.sqrt(square) : 0;
      for (double v : out) {
        normals.add(in.coordinate(v * scale));
      }
    }
  }

  private void faces(JsonNode primitive, int mode, int first, int n) throws IOException {
    if (mode == 0) {
      return;
    }
    int[] corners;
    if (primitive.has("indices")) {
      float[] raw = accessor(primitive.path("indices").asInt(-1), 1);
      corners = new int[raw.length];
      ByteBuffer exact = integers(primitive.path("indices").asInt(-1));
      for (int i = 0; i < corners.length; i++) {
        corners[i] = MeshText.corner(in, exact == null ? (long) raw[i] : exact.getInt(), n);
      }
    } else {
      corners = new int[n];
      for (int i = 0; i < n; i++) {
        corners[i] = i;
      }
    }
    int step = mode == 4 ? 3 : 1;
    for (int i = 0; i + 2 < corners.length; i += step) {
      boolean swap = mode == 5 && i % 2 == 1;
      triangles.add(first + corners[mode == 6 ? 0 : i]);
      triangles.add(first + corners[swap ? i + 2 : i + 1]);
      triangles.add(first + corners[swap ? i + 1 : i + 2]);
    }
  }

  /** Whole numbers of 32 bits, which floats cannot hold, in their order; null for smaller ones. */
  private ByteBuffer integers(int index) throws IOException {
    JsonNode accessor = root.path("accessors").path(index);
    if (accessor.path("componentType").asInt() != 5125) {
      return null;
    }
    JsonNode view = root.path("bufferViews").path(accessor.path("bufferView").asInt(-1));
    ByteBuffer all =
        buffer(view.path("buffer").asInt(-1)).duplicate().order(ByteOrder.LITTLE_ENDIAN);
    all.position(view.path("byteOffset").asInt(0) + accessor.path("byteOffset").asInt(0));
    return all;
  }

  private float[] accessor(int index, int width) throws IOException {
    JsonNode accessor = root.path("accessors").path(index);
    JsonNode view = root.path("bufferViews").path(accessor.path("bufferView").asInt(-1));
    if (accessor.isMissingNode() || view.isMissingNode() || accessor.has("sparse")) {
      throw in.error(
          "plain accessors", accessor.has("sparse") ? "a sparse one" : "number " + index);
    }
    int type = accessor.path("componentType").asInt();
    int bytes =
        switch (type) {
          case 5120, 5121 -> 1;
          case 5122, 5123 -> 2;
          case 5125, 5126 -> 4;
          default -> throw in.error("numbers", "component type " + type);
        };
    String shape = width == 1 ? "SCALAR" : "VEC" + width;
    if (!accessor.path("type").asText().equals(shape)) {
      throw in.error(shape, accessor.path("type").asText());
    }
    ByteBuffer data = buffer(view.path("buffer").asInt(-1));
    long stride = view.path("byteStride").asLong((long) bytes * width);
    long start = view.path("byteOffset").asLong(0) + accessor.path("byteOffset").asLong(0);
    long count = accessor.path("count").asLong(-1);
    if (count < 0
        || start < 0
        || start > data.limit() // before sums, which wrap around
        || stride < (long) bytes * width
        || stride > 252
        || count > data.limit()
        || (count > 0 && start + (count - 1) * stride + (long) bytes * width > data.limit())) {
      throw in.error("room for %d values".formatted(count), data.limit() + " bytes");
    }
    boolean normalised = accessor.path("normalized").asBoolean(false);
    float[] out = new float[(int) count * width];
    for (int i = 0; i < out.length; i++) {
      int at = (int) (start + i / width * stride + (long) (i % width) * bytes);
      double v =
          switch (type) {
            case 5120 -> normalised ? Math.max(data.get(at) / 127.0, -1) : data.get(at);
            case 5121 -> (data.get(at) & 0xff) / (normalised ? 255.0 : 1);
            case 5122 -> normalised ? Math.max(data.getShort(at) / 32767.0, -1) : data.getShort(at);
            case 5123 -> (data.getShort(at) & 0xffff) / (normalised ? 65535.0 : 1);
            case 5125 -> Integer.toUnsignedLong(data.getInt(at));
            default -> data.getFloat(at);
          };
      out[i] = in.coordinate(v);
    }
    return out;
  }

  private ByteBuffer buffer(int index) throws IOException {
    if (index < 0 || index >= buffers.length) {
      throw in.error("a buffer", "number " + index);
    }
    if (buffers[index] == null) {
      String uri = root.path("buffers").path(index).path("uri").asText("");
      buffers[index] = (uri.isEmpty() ? inside() : load(uri)).order(ByteOrder.LITTLE_ENDIAN);
    }
    return buffers[index];
  }

  private ByteBuffer inside() throws FormatException {
    if (bin == null) {
      throw in.error("data in the file", "none");
    }
    return bin;
  }

  /** Data in the document, or a file in the same folder or below. */
  private ByteBuffer load(String uri) throws IOException {
    int comma = uri.indexOf(";base64,");
    if (uri.startsWith("data:") && comma > 0) {
      try {
        return ByteBuffer.wrap(Base64.getDecoder().decode(uri.substring(comma + 8)));
      } catch (IllegalArgumentException e) {
        throw in.error("data in base 64", "something else");
      }
    }
    Path folder = in.file().toAbsolutePath().getParent();
    Path file;
    try {
      file = folder.resolve(uri).normalize();
    } catch (IllegalArgumentException e) {
      throw in.error("a file beside it", uri);
    }
    if (!file.startsWith(folder)
        || !Files.isRegularFile(file)
        || Files.size(file) > Codec.MAX_BYTES) {
      throw in.error("a file of data beside it", "'" + uri + "'");
    }
    return ByteBuffer.wrap(Files.readAllBytes(file));
  }
}
