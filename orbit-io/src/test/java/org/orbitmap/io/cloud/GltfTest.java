package org.orbitmap.io.cloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.orbitmap.io.FormatException;
import org.orbitmap.mesh.Mesh;

/** Scenes of one node and one primitive, written by hand. */
class GltfTest {
  @TempDir Path folder;

  private static ByteBuffer bytes(int count) {
    return ByteBuffer.allocate(count).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static String accessor(int view, int type, int count, String shape, String more) {
    return "{\"bufferView\":%d,\"componentType\":%d,\"count\":%d,\"type\":\"%s\"%s}"
        .formatted(view, type, count, shape, more);
  }

  /**
   * A file with one buffer view for each accessor.
   *
   * @param node what the node has beside its mesh
   * @param primitive what the primitive has beside its positions
   */
  private static String scene(String node, String primitive, String uri, String... accessors) {
    StringBuilder views = new StringBuilder();
    for (int i = 0; i < accessors.length; i++) {
      views.append(i > 0 ? "," : "").append("{\"buffer\":0,\"byteOffset\":").append(64 * i);
      views.append("}");
    }
    return ("{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0%s}],"
            + "\"meshes\":[{\"primitives\":[{%s}]}],\"accessors\":[%s],\"bufferViews\":[%s],"
            + "\"buffers\":[{\"uri\":\"%s\"}]}")
        .formatted(node, primitive, String.join(",", accessors), views, uri);
  }

  private static String inside(ByteBuffer data) {
    byte[] all = new byte[data.limit()];
    data.get(0, all);
    return "data:application/octet-stream;base64," + Base64.getEncoder().encodeToString(all);
  }

  private static Mesh read(String scene) throws IOException {
    byte[] file = scene.getBytes(StandardCharsets.UTF_8);
    return CloudFiles.decode(CloudFormat.GLTF, Path.of("s.gltf"), file).get(0);
  }

  /** The point (1, 2, 4) with the normal (1, 0, 0), below a node. */
  private static Mesh moved(String node) throws IOException {
    ByteBuffer b = bytes(128);
    b.putFloat(0, 1).putFloat(4, 2).putFloat(8, 4).putFloat(64, 1);
    return read(
        scene(
            node,
            "\"mode\":0,\"attributes\":{\"POSITION\":0,\"NORMAL\":1}",
            inside(b),
            accessor(0, 5126, 1, "VEC3", ""),
            accessor(1, 5126, 1, "VEC3", "")));
  }

  /** Unit quaternions: thirds of a turn, quarter turns, and 36.87° about each axis. */
  @ParameterizedTest
  @CsvSource({
    "0.5, 0.5, 0.5, 0.5, 4, 1, 2",
    "-0.5, -0.5, -0.5, 0.5, 2, 4, 1",
    "0.6, 0, 0, 0.8, 1, -3.28, 3.04",
    "0, 0.6, 0, 0.8, 4.12, 2, 0.16",
    "0, 0, 0.6, 0.8, -1.64, 1.52, 4",
    "0.6, 0.8, 0, 0, 1.64, 1.52, -4",
    "0, 0.6, 0.8, 0, -1, 3.28, 3.04",
    "0.6, 0, 0.8, 0, 3.56, -2, 2.08"
  })
  void rotations(double x, double y, double z, double w, float a, float b, float c)
      throws IOException {
    Mesh mesh = moved(",\"rotation\":[%s,%s,%s,%s]".formatted(x, y, z, w));
    assertThat(mesh.vertices().coordinates()).containsExactly(new float[] {a, b, c}, within(1e-5f));
    assertThat(mesh.triangles()).isEmpty();
  }

  /** Column by column; normals go by the inverse transpose and keep their length. */
  @Test
  void matrices() throws IOException {
    Mesh sheared = moved(",\"matrix\":[1,0,0,0,3,1,0,0,0,0,2,0,5,6,7,1]");
    assertThat(sheared.vertices().coordinates()).containsExactly(12, 8, 15);
    // the plane x = const becomes x - 3y = const
    float s = (float) Math.sqrt(0.1);
    assertThat(sheared.vertices().feature("normal").orElseThrow().values())
        .containsExactly(new float[] {s, -3 * s, 0}, within(1e-6f));
    Mesh scaled = moved(",\"scale\":[2,3,4],\"translation\":[1,1,1]");
    assertThat(scaled.vertices().coordinates()).containsExactly(3, 7, 17);
    assertThat(scaled.vertices().feature("normal").orElseThrow().values()).containsExactly(1, 0, 0);
    assertThatThrownBy(() -> moved(",\"matrix\":[1,0]")).hasMessageContaining("16 numbers");
    assertThatThrownBy(() -> moved(",\"scale\":[1,2,\"x\"]")).hasMessageContaining("finite");
    assertThatThrownBy(() -> moved(",\"children\":[0]")).hasMessageContaining("a tree of nodes");
  }

  /** Numbers of one, two and four bytes, as they are and as shares of the largest. */
  @ParameterizedTest
  @CsvSource({
    "5120, false, -2",
    "5120, true, -0.015748032",
    "5121, false, 254",
    "5121, true, 0.99607843",
    "5122, false, -2",
    "5122, true, -0.00006103702",
    "5123, false, 65534",
    "5123, true, 0.99998474",
    "5126, false, 0.25"
  })
  void numbersOfEveryType(int type, boolean shares, float value) throws IOException {
    int size = type < 5122 ? 1 : type < 5124 ? 2 : 4;
    ByteBuffer b = bytes(64);
    for (int j = 0; j < 3; j++) {
      int at = j * size + 2 * size; // behind an offset of two numbers
      switch (size) {
        case 1 -> b.put(at, (byte) -2);
        case 2 -> b.putShort(at, (short) -2);
        default -> b.putFloat(at, 0.25f);
      }
    }
    String more = ",\"normalized\":%s,\"byteOffset\":%d".formatted(shares, 2 * size);
    Mesh mesh =
        read(
            scene(
                "",
                "\"mode\":0,\"attributes\":{\"POSITION\":0}",
                inside(b),
                accessor(0, type, 1, "VEC3", more)));
    assertThat(mesh.vertices().coordinates()).containsExactly(value, value, value);
  }

  /** Triangles, strips and fans of four points, by indices of each size; lines have none. */
  @ParameterizedTest
  @CsvSource({
    "4, 5121, '3,2,1'",
    "4, 5123, '3,2,1'",
    "4, 5125, '3,2,1'",
    "5, 5125, '3,2,1,2,0,1'",
    "6, 5123, '3,2,1,3,1,0'",
    "0, 5121, ''"
  })
  void faces(int mode, int type, String corners) throws IOException {
    ByteBuffer b = bytes(128);
    for (int i = 0; i < 12; i++) {
      b.putFloat(4 * i, i);
    }
    int size = type == 5121 ? 1 : type == 5123 ? 2 : 4;
    for (int i = 0; i < 4; i++) {
      switch (size) {
        case 1 -> b.put(64 + i, (byte) (3 - i));
        case 2 -> b.putShort(64 + 2 * i, (short) (3 - i));
        default -> b.putInt(64 + 4 * i, 3 - i);
      }
    }
    String scene =
        scene(
            "",
            "\"mode\":%d,\"indices\":1,\"attributes\":{\"POSITION\":0}".formatted(mode),
            inside(b),
            accessor(0, 5126, 4, "VEC3", ""),
            accessor(1, type, 4, "SCALAR", ""));
    StringBuilder found = new StringBuilder();
    for (int v : read(scene).triangles()) {
      found.append(found.length() > 0 ? "," : "").append(v);
    }
    assertThat(found).hasToString(corners);
    if (mode == 4) {
      b.put(64, (byte) 4);
      String wrong = scene.replaceAll("data:[^\"]*", inside(b));
      assertThatThrownBy(() -> read(wrong)).hasMessageContaining("a vertex from 0 to 3");
    }
    assertThatThrownBy(() -> read(scene.replace("\"mode\":" + mode, "\"mode\":1")))
        .hasMessageContaining("at least one point");
  }

  @Test
  void whatIsNotThere() {
    String plain = accessor(0, 5126, 1, "VEC3", "");
    String positions = "\"mode\":0,\"attributes\":{\"POSITION\":0}";
    String data = inside(bytes(64));
    refused(scene("", positions, data, accessor(7, 5126, 1, "VEC3", "")), "plain accessors");
    refused(
        scene("", positions, data, accessor(0, 5126, 1, "VEC3", ",\"sparse\":{}")),
        "plain accessors");
    refused(scene("", positions, data, accessor(0, 5124, 1, "VEC3", "")), "numbers");
    refused(scene("", positions, data, accessor(0, 5126, 1, "VEC2", "")), "VEC3");
    refused(scene("", positions, data, accessor(0, 5126, 6, "VEC3", "")), "room for 6 values");
    refused(scene("", positions, data, accessor(0, 5126, -1, "VEC3", "")), "room for -1 values");
    refused(scene("", positions, "", plain), "data in the file");
    refused(scene("", positions, "data:x;base64,?", plain), "data in base 64");
    refused(scene("", positions, "none.bin", plain), "a file of data beside it");
    refused(scene("", positions, "../x.bin", plain), "a file of data beside it");
    refused(scene("", positions, data, plain).replace("\"buffer\":0", "\"buffer\":1"), "a buffer");
  }

  private static void refused(String scene, String expected) {
    assertThatThrownBy(() -> read(scene))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("expected " + expected);
  }

  /** Data may stand in a file beside the scene, or below, and nowhere else. */
  @Test
  void dataBesideTheScene() throws IOException {
    ByteBuffer b = bytes(12);
    b.putFloat(0, 1).putFloat(4, 2).putFloat(8, 3);
    byte[] all = new byte[12];
    b.get(0, all);
    Files.createDirectory(folder.resolve("below"));
    Files.write(folder.resolve("below/x.bin"), all);
    String scene =
        scene(
            "",
            "\"mode\":0,\"attributes\":{\"POSITION\":0}",
            "below/x.bin",
            accessor(0, 5126, 1, "VEC3", ""));
    Path file = Files.writeString(folder.resolve("s.gltf"), scene);
    assertThat(CloudFiles.read(file).coordinates()).containsExactly(1, 2, 3);
    Path lower = Files.writeString(folder.resolve("below/s.gltf"), scene.replace("below", ".."));
    assertThatThrownBy(() -> CloudFiles.read(lower)).hasMessageContaining("beside it");
  }
}
