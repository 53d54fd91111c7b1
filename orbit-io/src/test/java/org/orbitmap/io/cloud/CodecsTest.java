package org.orbitmap.io.cloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.cloud.PointFeature;
import org.orbitmap.io.ByteCursor;
import org.orbitmap.io.FormatException;
import org.orbitmap.io.cloud.codec.PlacedMesh;
import org.orbitmap.mesh.Mesh;

/** Files written by hand, number by number: what they mean, and which are refused. */
@SuppressWarnings("StringConcatToTextBlock") // files, line by line
class CodecsTest {
  private static Mesh read(CloudFormat format, byte[] content) throws IOException {
    return CloudFiles.decode(format, Path.of("sample"), content).get(0);
  }

  private static Mesh read(CloudFormat format, String text) throws IOException {
    return read(format, text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static String written(CloudFormat format, PointCloud x) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    format.codec().write(Path.of("sample"), List.of(PlacedMesh.of(Mesh.of(x))), out);
    return out.toString(StandardCharsets.ISO_8859_1);
  }

  private static void refused(CloudFormat format, String text, String expected) {
    assertThatThrownBy(() -> read(format, text))
        .as(text)
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("sample: expected " + expected);
  }

  private static float[] feature(Mesh mesh, String name) {
    return mesh.vertices().feature(name).orElseThrow().values();
  }

  /** Every type of number in PLY, in both byte orders, signed and not. */
  @ParameterizedTest
  @CsvSource({
    "char, 1, -2", "int8, 1, -2", "uchar, 1, 254", "uint8, 1, 254",
    "short, 2, -2", "int16, 2, -2", "ushort, 2, 65534", "uint16, 2, 65534",
    "int, 4, -2", "int32, 4, -2", "uint, 4, 4294967294", "uint32, 4, 4294967294",
    "float, 4, 0.1", "float32, 4, 0.1", "double, 8, 0.1", "float64, 8, 0.1"
  })
  void numbersOfPly(String type, int bytes, double value) throws IOException {
    for (ByteOrder order : List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
      String word = order == ByteOrder.LITTLE_ENDIAN ? "little" : "big";
      byte[] head =
          ("ply\nformat binary_%s_endian 1.0\nelement vertex 2\nproperty float x\n"
                  + "property %s y\nproperty uchar label\nend_header\n")
              .formatted(word, type)
              .getBytes(StandardCharsets.ISO_8859_1);
      ByteBuffer b = ByteBuffer.allocate(head.length + 2 * (5 + bytes)).order(order).put(head);
      for (int i = 0; i < 2; i++) {
        b.putFloat(i + 1.5f);
        double v = i == 0 ? 1 : value;
        switch (bytes) {
          case 1 -> b.put((byte) (long) v);
          case 2 -> b.putShort((short) (long) v);
          case 4 -> {
            if (type.startsWith("float")) {
              b.putFloat((float) v);
            } else {
              b.putInt((int) (long) v);
            }
          }
          default -> b.putDouble(v);
        }
        b.put((byte) (7 + i));
      }
      Mesh mesh = read(CloudFormat.PLY, b.array());
      assertThat(mesh.vertices().dimension()).isEqualTo(2);
      assertThat(mesh.vertices().coordinates()).containsExactly(1.5f, 1, 2.5f, (float) value);
      assertThat(feature(mesh, "label")).containsExactly(7, 8);
    }
  }

  /** Elements and lists that are not asked for are skipped, as text and as bytes. */
  @Test
  void whatPlyHoldsBesides() throws IOException {
    String body =
        "element camera 2\nproperty float f\n"
            + "element note 1\nproperty list uchar short ids\n"
            + "element vertex 3\nproperty float x\nproperty list uchar uchar tags\n"
            + "property float y\nproperty float z\nproperty float nx\nproperty float ny\n"
            + "property float nz\n"
            + "element face 2\nproperty uchar flag\nproperty list uchar int other\n"
            + "property list uchar int vertex_index\nend_header\n";
    String text =
        "ply\nformat ascii 1.0\nobj_info x\n"
            + body
            + "1\n2\n2 5 6\n0 2 9 9 0 0 1 0 0\n1 0 0 0 0 1 0\n0 1 4 1 0 0 0 1\n"
            + "7 1 8 3 0 1 2\n7 0 4 0 1 2 0\n";
    byte[] head =
        ("ply\nformat binary_little_endian 1.0\n" + body).getBytes(StandardCharsets.ISO_8859_1);
    ByteBuffer b = ByteBuffer.allocate(1000).order(ByteOrder.LITTLE_ENDIAN).put(head);
    b.putFloat(1).putFloat(2).put((byte) 2).putShort((short) 5).putShort((short) 6);
    float[][] points = {{0, 0, 0, 1, 0, 0}, {1, 0, 0, 0, 1, 0}, {0, 1, 0, 0, 0, 1}};
    int[] tags = {2, 0, 1};
    for (int i = 0; i < 3; i++) {
      b.putFloat(points[i][0]).put((byte) tags[i]).put(new byte[tags[i]]);
      for (int j = 1; j < 6; j++) {
        b.putFloat(points[i][j]);
      }
    }
    b.put((byte) 7).put((byte) 1).putInt(8).put((byte) 3).putInt(0).putInt(1).putInt(2);
    b.put((byte) 7).put((byte) 0).put((byte) 4).putInt(0).putInt(1).putInt(2).putInt(0);
    byte[] binary = Arrays.copyOf(b.array(), b.position());
    for (Mesh mesh : List.of(read(CloudFormat.PLY, text), read(CloudFormat.PLY, binary))) {
      assertThat(mesh.vertices().coordinates()).containsExactly(0, 0, 0, 1, 0, 0, 0, 1, 0);
      assertThat(feature(mesh, "normal")).containsExactly(1, 0, 0, 0, 1, 0, 0, 0, 1);
      assertThat(mesh.triangles()).containsExactly(0, 1, 2, 0, 1, 2, 0, 2, 0);
      assertThat(mesh.vertices().features()).hasSize(1);
    }
    for (int less = 1; less < 60; less++) {
      byte[] cut = Arrays.copyOf(binary, binary.length - less);
      assertThatThrownBy(() -> read(CloudFormat.PLY, cut)).isInstanceOf(FormatException.class);
    }
  }

  @Test
  void badHeadersOfPly() {
    String vertex = "element vertex 1\nproperty float x\nproperty float y\n";
    String ascii = "ply\nformat ascii 1.0\n";
    refused(CloudFormat.PLY, "", "the word ply");
    refused(CloudFormat.PLY, ascii + vertex, "end_header");
    refused(CloudFormat.PLY, "ply\n" + vertex + "end_header\n0 0\n", "a line such as 'format");
    refused(CloudFormat.PLY, "ply\nformat text 1.0\n", "ascii, binary_little_endian");
    refused(CloudFormat.PLY, "ply\nformat\n", "ascii, binary_little_endian");
    refused(CloudFormat.PLY, ascii + "element vertex\n", "an element's name and count");
    refused(CloudFormat.PLY, ascii + "element vertex -1\n", "an element's name and count");
    refused(CloudFormat.PLY, ascii + "element vertex x\n", "an element's name and count");
    refused(CloudFormat.PLY, ascii + "property float x\n", "a property of an element");
    refused(CloudFormat.PLY, ascii + vertex + "property float\n", "a property of an element");
    refused(CloudFormat.PLY, ascii + vertex + "property lists a b c\n", "a property of an");
    refused(CloudFormat.PLY, ascii + vertex + "property half z\n", "a property type such as");
    refused(CloudFormat.PLY, ascii + "points 3\n", "a header line of PLY");
    refused(CloudFormat.PLY, ascii + vertex + "property float x\nend_header\n0 0 0\n", "each pro");
    refused(CloudFormat.PLY, ascii + vertex + "end_header\n", "room for 1 vertex elements");
    refused(CloudFormat.PLY, ascii + "element vertex 0\nend_header\n", "a vertex element with x");
    refused(
        CloudFormat.PLY,
        ascii + "element vertex 1\nproperty float x\nproperty float z\nend_header\n0 0\n",
        "a vertex element with x and y");
    refused(CloudFormat.PLY, ascii + vertex + "end_header\n0 nan\n", "a finite number");
    refused(CloudFormat.PLY, ascii + vertex + "end_header\n0 1e39\n", "a finite coordinate");
    String face =
        vertex + "element face 1\nproperty list char int vertex_indices\nend_header\n0 0\n";
    for (String bad : List.of("3 0 0 1\n", "3 0 0 -1\n", "3 0 0 0.5\n")) {
      refused(CloudFormat.PLY, ascii + face + bad, "a vertex");
    }
    refused(CloudFormat.PLY, ascii + face + "-1 0 0 0\n", "the length of a list");
    refused(CloudFormat.PLY, ascii + face + "1.5 0 0 0\n", "the length of a list");
    refused(CloudFormat.PLY, ascii + face + "3 0 0\n", "more numbers");
  }

  /** Colours up to 1 stay, bytes are divided by 255. */
  @Test
  void coloursOfPly() throws IOException {
    String head =
        "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\n"
            + "property float red\nproperty float green\nproperty float blue\nend_header\n";
    assertThat(feature(read(CloudFormat.PLY, head + "0 0 1 0.5 0\n"), "colour"))
        .containsExactly(1, 0.5f, 0);
    assertThat(feature(read(CloudFormat.PLY, head + "0 0 51 0 255\n"), "colour"))
        .containsExactly(0.2f, 0, 1);
    PointCloud x =
        new PointCloud(
            2,
            new float[] {1, 2},
            List.of(
                PointFeature.normals(2, new float[] {0, 1}),
                PointFeature.colours(new float[] {1, 0.2f, 0}),
                new PointFeature("a b", PointFeature.Kind.SCALAR, 1, new float[] {0.25f}),
                new PointFeature("w", PointFeature.Kind.SCALAR, 2, new float[] {3, 4})));
    assertThat(written(CloudFormat.PLY_ASCII, x))
        .isEqualTo(
            "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\n"
                + "property float nx\nproperty float ny\nproperty uchar red\n"
                + "property uchar green\nproperty uchar blue\nproperty float a_b\n"
                + "property float w_0\nproperty float w_1\nend_header\n"
                + "1 2 0 1 255 51 0 0.25 3 4\n");
    for (CloudFormat format : List.of(CloudFormat.PLY, CloudFormat.PLY_BIG)) {
      byte[] bytes = written(format, x).getBytes(StandardCharsets.ISO_8859_1);
      Mesh back = read(format, bytes);
      assertThat(feature(back, "normal")).containsExactly(0, 1);
      assertThat(feature(back, "colour")).containsExactly(1, 0.2f, 0);
      assertThat(feature(back, "w_1")).containsExactly(4);
    }
  }

  /** Every type of number in PCD, as bytes. */
  @ParameterizedTest
  @CsvSource({
    "I, 1, -2",
    "U, 1, 254",
    "I, 2, -2",
    "U, 2, 65534",
    "I, 4, -2",
    "U, 4, 4294967294",
    "F, 4, 0.1",
    "F, 8, 0.1",
    "I, 8, -2"
  })
  void numbersOfPcd(char type, int size, double value) throws IOException {
    String head =
        "VERSION .7\n# a comment\nFIELDS x y label\nSIZE 4 %d 4\nTYPE F %s F\nCOUNT 1 1 2\n"
                .formatted(size, type)
            + "WIDTH 1\nHEIGHT 2\nVIEWPOINT 0 0 0 1 0 0 0\nDATA binary\n";
    ByteBuffer b = ByteBuffer.allocate(head.length() + 2 * (12 + size));
    b.order(ByteOrder.LITTLE_ENDIAN).put(head.getBytes(StandardCharsets.ISO_8859_1));
    for (int i = 0; i < 2; i++) {
      b.putFloat(i + 1.5f);
      double v = i == 0 ? 1 : value;
      switch (size) {
        case 1 -> b.put((byte) (long) v);
        case 2 -> b.putShort((short) (long) v);
        case 4 -> {
          if (type == 'F') {
            b.putFloat((float) v);
          } else {
            b.putInt((int) (long) v);
          }
        }
        default -> {
          if (type == 'F') {
            b.putDouble(v);
          } else {
            b.putLong((long) v);
          }
        }
      }
      b.putFloat(10 + i).putFloat(Float.NaN);
    }
    Mesh mesh = read(CloudFormat.PCD, b.array());
    assertThat(mesh.vertices().coordinates()).containsExactly(1.5f, 1, 2.5f, (float) value);
    assertThat(feature(mesh, "label_0")).containsExactly(10, 11);
    assertThat(feature(mesh, "label_1")).as("what is missing is 0").containsExactly(0, 0);
  }

  @Test
  void badHeadersOfPcd() {
    String fields = "FIELDS x y\nSIZE 4 4\nTYPE F F\n";
    refused(CloudFormat.PCD, fields + "POINTS 1\n", "a line such as 'DATA binary'");
    refused(CloudFormat.PCD, fields + "POINTS 1\nDATA text\n", "DATA ascii, binary or");
    refused(CloudFormat.PCD, fields + "POINTS 1\nDATA\n", "DATA ascii, binary or");
    refused(CloudFormat.PCD, fields + "POINTS one\nDATA ascii\n", "a whole number");
    refused(CloudFormat.PCD, fields + "POINTS 1 2\nDATA ascii\n", "a whole number");
    refused(CloudFormat.PCD, fields + "POINTS 0\nDATA ascii\n", "at least one point");
    refused(CloudFormat.PCD, fields + "HEIGHT 1\nDATA ascii\n0 0\n", "at least one point");
    refused(CloudFormat.PCD, fields + "WIDTH 9999999999\nDATA ascii\n0 0\n", "at least one");
    refused(CloudFormat.PCD, fields + "POINT 1\n", "a header line of PCD");
    refused(CloudFormat.PCD, "FIELDS x y\nSIZE 4\nTYPE F F\nPOINTS 1\nDATA ascii\n", "FIELDS, SI");
    refused(CloudFormat.PCD, "FIELDS x y\nSIZE 4 4\nTYPE F\nPOINTS 1\nDATA ascii\n", "FIELDS, SI");
    refused(CloudFormat.PCD, fields + "COUNT 1\nPOINTS 1\nDATA ascii\n", "FIELDS, SIZE");
    refused(CloudFormat.PCD, "POINTS 1\nDATA ascii\n", "FIELDS, SIZE");
    for (String bad : List.of("F 2", "F 1", "I 3", "U 5", "X 4")) {
      String type = bad.substring(0, 1);
      String size = bad.substring(2);
      refused(
          CloudFormat.PCD,
          "FIELDS x y\nSIZE 4 %s\nTYPE F %s\nPOINTS 1\nDATA ascii\n0 0\n".formatted(size, type),
          "fields of type F, I or U");
    }
    refused(CloudFormat.PCD, fields + "COUNT 1 0\nPOINTS 1\nDATA ascii\n0 0\n", "fields of type");
    refused(
        CloudFormat.PCD,
        "FIELDS x z\nSIZE 4 4\nTYPE F F\nPOINTS 1\nDATA ascii\n0 0\n",
        "fields x and y");
    refused(CloudFormat.PCD, fields + "POINTS 1\nDATA ascii\nnan 0\n", "at least one point with");
    refused(CloudFormat.PCD, fields + "POINTS 2\nDATA ascii\n0 0      \n", "2 points");
    refused(CloudFormat.PCD, fields + "POINTS 2\nDATA ascii\n0 0\n", "room for 2 points");
    refused(CloudFormat.PCD, fields + "POINTS 2\nDATA binary\n0123456", "room for 2 points");
    refused(CloudFormat.PCD, fields + "POINTS 1\nDATA binary_compressed\n0123", "the sizes of");
    refused(
        CloudFormat.PCD,
        fields + "POINTS 1\nDATA binary_compressed\n\1\0\0\0\7\0\0\0\0",
        "1 compressed bytes for 1 points");
  }

  /** Normals and colours of PCD; what is packed into floats or whole numbers. */
  @Test
  void featuresOfPcd() throws IOException {
    Mesh mesh =
        read(
            CloudFormat.PCD,
            "FIELDS x y z normal_x normal_y normal_z rgb _ i\nSIZE 4 4 4 4 4 4 4 4 4\n"
                + "TYPE F F F F F F U F F\nPOINTS 2\nDATA ascii\n"
                + "0 1 2 0 0 1 16712448 9 3.5\n3 inf 5 1 0 0 0 9 0\n");
    assertThat(mesh.vertices().coordinates()).containsExactly(0, 1, 2);
    assertThat(feature(mesh, "normal")).containsExactly(0, 0, 1);
    assertThat(feature(mesh, "colour")).containsExactly(1, 3 / 255f, 0);
    assertThat(feature(mesh, "i")).containsExactly(3.5f);
    assertThat(mesh.vertices().features()).hasSize(3);
    PointCloud x =
        new PointCloud(
            3,
            new float[] {1, 2.5f, 3},
            List.of(
                PointFeature.normals(3, new float[] {0, 0, 1}),
                PointFeature.colours(new float[] {1, 2, -1}),
                new PointFeature("a b", PointFeature.Kind.SCALAR, 1, new float[] {0.25f}),
                new PointFeature("w", PointFeature.Kind.SCALAR, 2, new float[] {3, 4})));
    assertThat(written(CloudFormat.PCD_ASCII, x))
        .isEqualTo(
            "# .PCD v0.7 - Point Cloud Data file format\nVERSION 0.7\n"
                + "FIELDS x y z normal_x normal_y normal_z rgb a_b w_0 w_1\n"
                + "SIZE 4 4 4 4 4 4 4 4 4 4\nTYPE F F F F F F U F F F\nCOUNT 1 1 1 1 1 1 1 1 1 1\n"
                + "WIDTH 1\nHEIGHT 1\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS 1\nDATA ascii\n"
                + "1 2.5 3 0 0 1 16776960 0.25 3 4\n");
  }

  /** Far away, coordinates are written in double and come back to the last digit. */
  @ParameterizedTest
  @ValueSource(strings = {"PCD", "PCD_ASCII", "PLY", "PLY_ASCII", "PLY_BIG", "OFF", "OBJ", "XYZ"})
  void farAwayIsWrittenInDouble(String name) throws IOException {
    CloudFormat format = CloudFormat.valueOf(name);
    double[] c = {1e7 + 0.125, 2e7, 3, 1e7 + 1, 2e7 + 1, 4.0625};
    PlacedMesh placed = PlacedMesh.of(3, c, List.of(), new int[0]);
    assertThat(placed.far()).isTrue();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    format.codec().write(Path.of("sample"), List.of(placed), out);
    PlacedMesh back =
        format.codec().read(new ByteCursor(Path.of("sample"), out.toByteArray())).get(0);
    assertThat(back.coordinates()).containsExactly(c, within(1e-6));
  }

  @Test
  void off() throws IOException {
    Mesh mesh =
        read(
            CloudFormat.OFF,
            "# c\ncnOFF\n\n2 1 0\n0 0 0 1 0 0 255 51 0 255\n1 2 3 0 1 0 0 0 0\n" + "2 0 1\n");
    assertThat(feature(mesh, "normal")).containsExactly(1, 0, 0, 0, 1, 0);
    assertThat(feature(mesh, "colour")).containsExactly(1, 0.2f, 0, 0, 0, 0);
    assertThat(mesh.triangles()).isEmpty();
    assertThat(feature(read(CloudFormat.OFF, "COFF 1 0 0\n0 0 0 1 0.5 0\n"), "colour"))
        .containsExactly(1, 0.5f, 0);
    assertThat(read(CloudFormat.OFF, "NOFF 1 0 0\n0 0 0 1 0 0\n").vertices().features()).hasSize(1);
    refused(CloudFormat.OFF, "", "the word OFF");
    refused(CloudFormat.OFF, "XOFF\n1 0 0\n0 0 0\n", "the word OFF, COFF, NOFF or CNOFF");
    refused(CloudFormat.OFF, "ON\n", "the word OFF, COFF");
    refused(CloudFormat.OFF, "OFFx 0 0\n", "the word OFF and counts");
    refused(CloudFormat.OFF, "OFF\n", "counts");
    refused(CloudFormat.OFF, "OFF\n0 0 0\n", "at least one point");
    refused(CloudFormat.OFF, "OFF\n2 0 0\n0 0 0         \n", "2 vertices");
    refused(CloudFormat.OFF, "OFF\n1 2 0\n0 0 0\n1 0     \n", "2 faces");
    refused(CloudFormat.OFF, "OFF\n1 1 0\n0 0 0\n1 1\n", "a vertex from 0 to 0");
    refused(CloudFormat.OFF, "OFF\n1 1 0\n0 0 0\n1 -1\n", "a vertex from 0 to 0");
    refused(CloudFormat.OFF, "OFF\n1 1 0\n0 0 0\n-1\n", "room for -1 corners");
    refused(CloudFormat.OFF, "OFF\n1 0 0\n0 0    \n", "another word");
    PointCloud flat =
        new PointCloud(
            2,
            new float[] {1, 2},
            List.of(
                PointFeature.normals(2, new float[] {0, 1}),
                PointFeature.colours(new float[] {1, 0.2f, 0})));
    assertThat(written(CloudFormat.OFF, flat))
        .isEqualTo("CNOFF\n1 0 0\n1 2 0 0 1 0 255 51 0 255\n");
  }

  @Test
  void obj() throws IOException {
    Mesh mesh =
        read(
            CloudFormat.OBJ,
            "v 0 0 0 1 0.5 0\nv 1 0 0 1 0 0.5 1 # w first\nvn 1 0 0\nvn 0 1 0\nvt 0 0\n"
                + "v 0 1 0 0 0 0\nvn 0 0 1\nf 1 2//2 3/1/1\nf -3 -2 -1\n");
    assertThat(feature(mesh, "colour")).containsExactly(1, 0.5f, 0, 0, 0.5f, 1, 0, 0, 0);
    assertThat(feature(mesh, "normal")).containsExactly(1, 0, 0, 0, 1, 0, 0, 0, 1);
    assertThat(mesh.triangles()).containsExactly(0, 1, 2, 0, 1, 2);
    Mesh partly = read(CloudFormat.OBJ, "v 0 0 0 1 1 1\nv 1 0 0\nvn 0 0 1\n");
    assertThat(partly.vertices().features()).isEmpty();
    refused(CloudFormat.OBJ, "v 0 0 0\nf 0 1 1\n", "a vertex number from 1 on");
    refused(CloudFormat.OBJ, "v 0 0 0\nf -2 1 1\n", "a vertex number from 1 on");
    refused(CloudFormat.OBJ, "v 0 0 0\nf a 1 1\n", "a vertex number");
    refused(CloudFormat.OBJ, "v 0 0 0\nf 1 1 2\n", "a vertex from 0 to 0");
    refused(CloudFormat.OBJ, "vt 0 0\n", "at least one point");
    refused(CloudFormat.OBJ, "v 0 0\n", "another word");
    PointCloud flat =
        new PointCloud(
            2,
            new float[] {1, 2, 3, 4, 5, 6},
            List.of(
                PointFeature.normals(2, new float[] {0, 1, 1, 0, 0, 1}),
                PointFeature.colours(new float[] {1, 0.2f, 0, 0, 0, 0, 1, 1, 1})));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    CloudFormat.OBJ
        .codec()
        .write(Path.of("a"), List.of(PlacedMesh.of(new Mesh(flat, new int[] {0, 1, 2}))), out);
    assertThat(out.toString(StandardCharsets.ISO_8859_1))
        .isEqualTo(
            "v 1 2 0 1 0.2 0\nv 3 4 0 0 0 0\nv 5 6 0 1 1 1\nvn 0 1 0\nvn 1 0 0\nvn 0 1 0\n"
                + "f 1//1 2//2 3//3\n");
  }

  @Test
  void stl() throws IOException {
    String loop = "vertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n";
    Mesh mesh = read(CloudFormat.STL, "solid\n" + loop + "endloop\n" + loop + "endloop\nendsolid");
    assertThat(mesh.triangles()).containsExactly(0, 1, 2, 0, 1, 2);
    assertThat(mesh.vertices().coordinates()).containsExactly(0, 0, 0, 1, 0, 0, 0, 1, 0);
    Mesh signed =
        read(CloudFormat.STL, "solid\nvertex 0 0 0\nvertex -0 0 -0\nvertex 1 0 0\nendloop");
    assertThat(signed.vertices().size()).isEqualTo(2);
    refused(CloudFormat.STL, "solid\n" + loop + "vertex 1 1 1\nendloop\n", "three corners in a");
    refused(CloudFormat.STL, "solid\nvertex 0 0 0\nendloop\n", "three corners in a loop");
    refused(CloudFormat.STL, "solid\n" + loop, "endloop");
    refused(CloudFormat.STL, "solid\nface 1\n", "a line of STL");
    refused(CloudFormat.STL, "solid", "at least one point");
    refused(CloudFormat.STL, "soli", "a header of 84 bytes");
    ByteBuffer b = ByteBuffer.allocate(84 + 50).order(ByteOrder.LITTLE_ENDIAN);
    b.put("solid".getBytes(StandardCharsets.ISO_8859_1)).putInt(80, 1);
    b.putFloat(84 + 12, 7).putFloat(84 + 28, 8).putFloat(84 + 44, 9);
    assertThat(read(CloudFormat.STL, b.array()).vertices().coordinates())
        .as("binary, whatever its header says")
        .containsExactly(7, 0, 0, 0, 8, 0, 0, 0, 9);
    b.putInt(80, 2);
    b.put(0, (byte) 'x');
    assertThatThrownBy(() -> read(CloudFormat.STL, b.array()))
        .hasMessageContaining("134 bytes for 2 triangles");
    b.putInt(80, 0);
    assertThatThrownBy(() -> read(CloudFormat.STL, b.array()))
        .hasMessageContaining("134 bytes for 0 triangles");
  }

  /** Tables: a heading is skipped, more columns are normals, colours or values. */
  @Test
  void tables() throws IOException {
    assertThat(read(CloudFormat.XYZ, "2\n1 2 3\n4 5 6\n").vertices().size()).isEqualTo(2);
    assertThat(read(CloudFormat.XYZ, "1 2 3 # first\n\n# none\n4;5\t6\r\n7,8,9").vertices().size())
        .isEqualTo(3);
    assertThat(feature(read(CloudFormat.XYZ, "0 0 0 1 0.2 0.3\n"), "values"))
        .containsExactly(1, 0.2f, 0.3f);
    assertThat(feature(read(CloudFormat.XYZ, "0 0 0 1 0 256\n"), "values"))
        .containsExactly(1, 0, 256);
    assertThat(feature(read(CloudFormat.XYZ, "0 0 0 -1 0 2\n"), "values"))
        .containsExactly(-1, 0, 2);
    assertThat(feature(read(CloudFormat.XYZ, "0 0 0 0 0 0\n"), "values")).containsExactly(0, 0, 0);
    assertThat(feature(read(CloudFormat.XYZ, "0 0 0 0 0 0\n0 0 0 1 0 0\n"), "normal"))
        .containsExactly(0, 0, 0, 1, 0, 0);
    assertThat(feature(read(CloudFormat.XYZ, "0 0 0 255 0 0\n0 0 0 1 0 0\n"), "colour"))
        .containsExactly(1, 0, 0, 1 / 255f, 0, 0);
    assertThat(feature(read(CloudFormat.XYZ, "0 0 0 7\n0 0 0 8\n"), "values"))
        .containsExactly(7, 8);
    refused(CloudFormat.XYZ, "", "at least one point");
    refused(CloudFormat.XYZ, "x y\n", "at least one point");
    refused(CloudFormat.XYZ, "x\ny\n1 2\n", "a number");
    refused(CloudFormat.XYZ, "5\n6\n", "2 or more numbers");
    refused(CloudFormat.XYZ, "1 2 x\n", "a number");
    refused(CloudFormat.XYZ, "1 2 3\n1 2 3 4\n", "3 numbers in line");
    refused(CloudFormat.XYZ, "1 2 1e39\n", "a finite coordinate");
    PointCloud x =
        new PointCloud(
            3, new float[] {1, 0.1f, 1e20f}, List.of(PointFeature.colours(new float[] {1, 0, 0})));
    assertThat(written(CloudFormat.XYZ, x)).isEqualTo("1 0.1 1.0E20 255 0 0\n");
    assertThat(written(CloudFormat.RESAMPLED, x)).isEqualTo("1,0.1,1.0E20,255,0,0\n");
  }

  /** Numbers as text: short ones are exact, long ones go through the JDK, words are refused. */
  @Test
  void numbersAsText() throws IOException {
    String[] words = {
      "0",
      "-0.5",
      "+7",
      "12345.678",
      ".5",
      "5.",
      "1e3",
      "1E-3",
      "1.5e+2",
      "123456789012345678",
      "0.1234567890123456789",
      "1e-30",
      "2.5e22",
      "00012",
      "-1e-22"
    };
    for (String word : words) {
      double found = read(CloudFormat.XYZ, "0 " + word + "\n").vertices().coordinates()[1];
      assertThat(found).as(word).isEqualTo((double) (float) Double.parseDouble(word));
    }
    for (String bad : List.of("1f", "1d", "0x1", "1e", "e5", ".", "-", "1.2.3", "--1", "1e5e5")) {
      refused(CloudFormat.XYZ, "0 0\n0 " + bad + "\n", "a number in line 2");
    }
    for (String bad : List.of("inf", "-inf", "NaN", "-nan", "1e999")) {
      refused(CloudFormat.XYZ, "0 0\n0 " + bad + "\n", "a finite number in line 2");
    }
  }

  private static byte[] las(int format, int length, int points) {
    ByteBuffer b = ByteBuffer.allocate(375 + length * points).order(ByteOrder.LITTLE_ENDIAN);
    b.putInt(0, 0x4653414c).put(24, (byte) 1).put(25, (byte) 4);
    b.putInt(96, 375).put(104, (byte) format).putShort(105, (short) length).putInt(107, points);
    for (int j = 0; j < 3; j++) {
      b.putDouble(131 + 8 * j, 0.5).putDouble(155 + 8 * j, 10 * (j + 1));
    }
    for (int i = 0; i < points; i++) {
      int at = 375 + length * i;
      b.putInt(at, 2).putInt(at + 4, -4).putInt(at + 8, 6 + i).putShort(at + 12, (short) -1);
    }
    return b.array();
  }

  private static ByteBuffer open(byte[] file) {
    return ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** scale · integer + offset; colours where each format has them. */
  @ParameterizedTest
  @CsvSource({
    "0, 20, -1",
    "1, 28, -1",
    "2, 26, 20",
    "3, 34, 28",
    "4, 57, -1",
    "5, 63, 28",
    "6, 30, -1",
    "7, 36, 30",
    "8, 38, 30",
    "9, 59, -1",
    "10, 67, 30"
  })
  void lasOfEveryFormat(int format, int length, int colour) throws IOException {
    byte[] file = las(format, length, 2);
    if (colour >= 0) {
      open(file)
          .putShort(375 + colour, (short) -1)
          .putShort(375 + length + colour + 4, (short) 13107);
    }
    Mesh mesh = read(CloudFormat.LAS, file);
    assertThat(mesh.vertices().coordinates()).containsExactly(11, 18, 33, 11, 18, 33.5f);
    assertThat(feature(mesh, "intensity")).containsExactly(65535, 65535);
    assertThat(mesh.vertices().feature("colour").isPresent()).isEqualTo(colour >= 0);
    if (colour >= 0) {
      assertThat(feature(mesh, "colour")).containsExactly(1, 0, 0, 0, 0, 0.2f);
    }
    assertThatThrownBy(() -> read(CloudFormat.LAS, las(format, length - 1, 2)))
        .hasMessageContaining("at least one point, and room for all");
  }

  @Test
  void lasLimits() throws IOException {
    byte[] bytes = las(2, 26, 1);
    open(bytes).putShort(375 + 20, (short) 51);
    assertThat(feature(read(CloudFormat.LAS, bytes), "colour"))
        .as("bytes in 16 bits")
        .containsExactly(0.2f, 0, 0);
    byte[] dark = las(0, 20, 1);
    open(dark).putShort(375 + 12, (short) 0);
    assertThat(read(CloudFormat.LAS, dark).vertices().features()).isEmpty();
    byte[] more = las(0, 20, 1);
    open(more).putInt(107, 0).putLong(247, 1);
    assertThat(read(CloudFormat.LAS, more).vertices().size()).isEqualTo(1);
    lasRefused("at least one point", b -> b.putInt(107, 3));
    lasRefused("at least one point", b -> b.putInt(107, 0));
    lasRefused("at least one point", b -> b.putInt(96, 226));
    lasRefused("at least one point", b -> b.putInt(96, 1 << 20));
    lasRefused("a LAS file", b -> b.putInt(0, 7));
    lasRefused("LAS 1.0 to 1.4", b -> b.put(24, (byte) 2));
    lasRefused("LAS 1.0 to 1.4", b -> b.put(25, (byte) 5));
    lasRefused("LAS 1.0 to 1.4", b -> b.put(25, (byte) -1));
    lasRefused("points of a LAS file", b -> b.put(104, (byte) 11));
    assertThatThrownBy(() -> read(CloudFormat.LAS, new byte[226]))
        .hasMessageContaining("a LAS file");
    assertThatThrownBy(() -> read(CloudFormat.LAZ, las(0, 20, 1)))
        .hasMessageContaining("points of a LAZ file");
  }

  private static void lasRefused(String expected, Consumer<ByteBuffer> change) {
    byte[] file = las(0, 20, 2);
    change.accept(open(file));
    assertThatThrownBy(() -> read(CloudFormat.LAS, file))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining(expected);
  }

  /** Runs beyond the end, cut copies and copies from before the beginning are refused. */
  @Test
  void damagedLzf() {
    String head = "FIELDS x y\nSIZE 4 4\nTYPE F F\nPOINTS 1\nDATA binary_compressed\n";
    String eight = "\10\0\0\0";
    lzf(head + "\2\0\0\0" + eight + "\7a", "a run beyond the end");
    lzf(head + "\12\0\0\0" + eight + "\10aaaaaaaaa", "a run beyond the end");
    lzf(head + "\3\0\0\0" + eight + "\0a\40", "a cut copy");
    lzf(head + "\4\0\0\0" + eight + "\0a\340\0", "a cut copy");
    lzf(head + "\4\0\0\0" + eight + "\0a\40\1", "a copy from outside");
    lzf(head + "\5\0\0\0" + eight + "\0a\340\7\0", "a copy from outside");
    lzf(head + "\4\0\0\0" + eight + "\0a\40\0", "found 4");
  }

  private static void lzf(String file, String found) {
    assertThatThrownBy(() -> read(CloudFormat.PCD, file))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining(found);
  }
}
