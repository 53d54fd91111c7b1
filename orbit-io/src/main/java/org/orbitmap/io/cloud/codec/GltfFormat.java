package org.orbitmap.io.cloud.codec;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.cloud.PointFeature;
import org.orbitmap.io.ByteCursor;
import org.orbitmap.mesh.Mesh;

/**
 * glTF 2.0: one JSON document with buffers, in one binary file (GLB) or as text with the data
 * inside it or in files beside it. All triangles and points of the scene become one mesh; lines,
 * materials and animations are left out. What is written has one node, whose translation holds the
 * origin of a mesh that is far away: numbers of JSON are doubles.
 *
 * @param binary whether it is written as GLB
 */
public record GltfFormat(boolean binary) implements Codec {
  static final ObjectMapper JSON = new ObjectMapper();
  private static final int MAGIC = 0x46546c67;
  private static final int CHUNK_JSON = 0x4e4f534a;
  private static final int CHUNK_BIN = 0x004e4942;

  @Override
  public boolean faces() {
    return true;
  }

  @Override
  public List<PlacedMesh> read(ByteCursor in) throws IOException {
    ByteBuffer bytes = in.rest(ByteOrder.LITTLE_ENDIAN);
    byte[] document;
    ByteBuffer bin = null;
    if (bytes.limit() >= 12 && bytes.getInt(0) == MAGIC) {
      if (bytes.getInt(4) != 2 || Integer.toUnsignedLong(bytes.getInt(8)) != bytes.limit()) {
        throw in.error(
            "glTF 2.0 of %d bytes".formatted(bytes.limit()), "another version or length");
      }
      bytes.position(12);
      document = chunk(in, bytes, CHUNK_JSON);
      if (bytes.remaining() >= 8) {
        bin = ByteBuffer.wrap(chunk(in, bytes, CHUNK_BIN)).order(ByteOrder.LITTLE_ENDIAN);
      }
    } else {
      document = new byte[bytes.limit()];
      bytes.get(document);
    }
    JsonNode root;
    try {
      root = JSON.readTree(document);
    } catch (IOException | StackOverflowError e) {
      throw in.error("a glTF file", "something else");
    }
    return List.of(new GltfScene(in, root, bin).mesh());
  }

  private static byte[] chunk(ByteCursor in, ByteBuffer bytes, int type) throws IOException {
    int length = bytes.remaining() < 8 ? -1 : bytes.getInt();
    if (length < 0 || bytes.getInt() != type || length > bytes.remaining()) {
      throw in.error("a whole glTF file", "a damaged one");
    }
    byte[] content = new byte[length];
    bytes.get(content);
    return content;
  }

  @Override
  public void write(Path target, List<PlacedMesh> meshes, OutputStream out) throws IOException {
    Mesh mesh = meshes.get(0).mesh();
    double[] origin = meshes.get(0).origin();
    PointCloud x = mesh.vertices();
    int n = x.size();
    PointFeature normal = x.feature(PointFeature.NORMAL).orElse(null);
    PointFeature colour = x.feature(PointFeature.COLOUR).orElse(null);
    int[] corners = mesh.triangles();
    int size =
        12 * n * (1 + (normal == null ? 0 : 1) + (colour == null ? 0 : 1)) + 4 * corners.length;
    ByteBuffer data = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);

    ObjectNode root = JSON.createObjectNode();
    root.putObject("asset").put("version", "2.0").put("generator", "Orbit");
    root.put("scene", 0).putArray("scenes").addObject().putArray("nodes").add(0);
    ObjectNode node = root.putArray("nodes").addObject().put("mesh", 0);
    if (meshes.get(0).far()) {
      ArrayNode translation = node.putArray("translation");
      for (int j = 0; j < 3; j++) {
        translation.add(j < origin.length ? origin[j] : 0);
      }
    }
    ObjectNode primitive = root.putArray("meshes").addObject().putArray("primitives").addObject();
    ArrayNode views = root.putArray("bufferViews");
    ArrayNode accessors = root.putArray("accessors");
    ObjectNode attributes = primitive.putObject("attributes");
    ObjectNode position = vectors(x.coordinates(), x.dimension(), data, views, accessors);
    ArrayNode low = position.putArray("min");
    ArrayNode high = position.putArray("max");
    for (int j = 0; j < 3; j++) {
      float least = j < x.dimension() ? Float.POSITIVE_INFINITY : 0;
      float most = j < x.dimension() ? Float.NEGATIVE_INFINITY : 0;
      for (int i = j; j < x.dimension() && i < n * x.dimension(); i += x.dimension()) {
        least = Math.min(least, x.coordinates()[i]);
        most = Math.max(most, x.coordinates()[i]);
      }
      low.add(least);
      high.add(most);
    }
    attributes.put("POSITION", 0);
    if (normal != null) {
      vectors(normal.values(), normal.width(), data, views, accessors);
      attributes.put("NORMAL", accessors.size() - 1);
    }
    if (colour != null) {
      vectors(colour.values(), 3, data, views, accessors);
      attributes.put("COLOR_0", accessors.size() - 1);
    }
    if (corners.length == 0) {
      primitive.put("mode", 0);
    } else {
      view(views, data.position(), 4 * corners.length);
      accessors
          .addObject()
          .put("bufferView", views.size() - 1)
          .put("componentType", 5125)
          .put("count", corners.length)
          .put("type", "SCALAR");
      for (int corner : corners) {
        data.putInt(corner);
      }
      primitive.put("mode", 4).put("indices", accessors.size() - 1);
    }
    ObjectNode buffer = root.putArray("buffers").addObject().put("byteLength", size);
    if (!binary) {
      buffer.put(
          "uri",
          "data:application/octet-stream;base64,"
              + Base64.getEncoder().encodeToString(data.array()));
      out.write(JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(root));
      return;
    }
    byte[] text = JSON.writeValueAsString(root).getBytes(StandardCharsets.UTF_8);
    int padded = (text.length + 3) / 4 * 4;
    ByteBuffer head = ByteBuffer.allocate(20).order(ByteOrder.LITTLE_ENDIAN);
    head.putInt(MAGIC).putInt(2).putInt(20 + padded + 8 + size).putInt(padded).putInt(CHUNK_JSON);
    out.write(head.array());
    out.write(text);
    out.write("   ".substring(0, padded - text.length).getBytes(StandardCharsets.US_ASCII));
    out.write(
        ByteBuffer.allocate(8)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(size)
            .putInt(CHUNK_BIN)
            .array());
    out.write(data.array());
  }

  private static void view(ArrayNode views, int offset, int length) {
    views.addObject().put("buffer", 0).put("byteOffset", offset).put("byteLength", length);
  }

  /** Writes vectors of 2 or 3 numbers as vectors of 3; returns their accessor. */
  private static ObjectNode vectors(
      float[] values, int width, ByteBuffer data, ArrayNode views, ArrayNode accessors) {
    int n = values.length / width;
    view(views, data.position(), 12 * n);
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < 3; j++) {
        data.putFloat(j < width ? values[i * width + j] : 0);
      }
    }
    return accessors
        .addObject()
        .put("bufferView", views.size() - 1)
        .put("componentType", 5126)
        .put("count", n)
        .put("type", "VEC3");
  }
}
