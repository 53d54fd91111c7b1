package org.orbitmap.io.cloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.cloud.PointFeature;
import org.orbitmap.io.AtomicFiles;
import org.orbitmap.io.FormatException;
import org.orbitmap.io.UserError;
import org.orbitmap.io.cloud.codec.PlacedMesh;
import org.orbitmap.mesh.Mesh;

@SuppressWarnings("StringConcatToTextBlock") // files, line by line
class CloudFilesTest {
  private static final List<PlacedMesh> ONE =
      List.of(PlacedMesh.of(3, new double[] {1, 2, 3}, List.of(), new int[0]));

  @TempDir private Path folder;

  private static byte[] bytes(AtomicFiles.Body body) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    body.writeTo(out);
    return out.toByteArray();
  }

  @ParameterizedTest
  @EnumSource(CloudFormat.class)
  void whatIsWrittenIsReadBack(CloudFormat format) throws IOException {
    if (!format.writable()) {
      return;
    }
    float tolerance =
        switch (format) {
          case IDX_INT16 -> 0.51f / 32767;
          case LAS -> 1e-9f;
          default -> 0;
        };
    PointCloud x = CloudSamples.cloud(257, 5);
    PointCloud y = decode(format, CloudSamples.encode(format, Mesh.of(x))).get(0).vertices();
    assertThat(y.features()).isEmpty();
    for (int i = 0; i < x.coordinates().length; i++) {
      assertThat(y.coordinates()[i]).isCloseTo(x.coordinates()[i], within(tolerance));
    }
    if (format.faces()) {
      Mesh mesh = CloudSamples.tetrahedron();
      assertThat(decode(format, CloudSamples.encode(format, mesh)).get(0)).isEqualTo(mesh);
      PointCloud all = CloudSamples.featured(50, 6);
      PointCloud back = decode(format, CloudSamples.encode(format, Mesh.of(all))).get(0).vertices();
      assertThat(back.coordinates()).isEqualTo(all.coordinates());
      for (PointFeature f : all.features()) {
        PointFeature found = back.feature(f.name()).orElseThrow();
        for (int i = 0; i < f.values().length; i++) {
          assertThat(found.values()[i]).isCloseTo(f.values()[i], within(1e-6f));
        }
      }
    }
    if (format.several()) {
      List<Mesh> two =
          List.of(Mesh.of(CloudSamples.cloud(9, 1)), Mesh.of(CloudSamples.cloud(9, 2)));
      assertThat(decode(format, CloudSamples.encode(format, two.toArray(new Mesh[0])))).hasSize(2);
      Mesh other = Mesh.of(CloudSamples.cloud(8, 2));
      assertThatThrownBy(() -> CloudSamples.encode(format, two.get(0), other))
          .isInstanceOf(UserError.class)
          .hasMessageContaining("clouds of one size");
    }
  }

  @ParameterizedTest
  @EnumSource(CloudFormat.class)
  void everySampleIsValid(CloudFormat format) throws IOException {
    for (byte[] file : CloudSamples.files(format)) {
      assertThat(decode(format, file)).isNotEmpty();
    }
  }

  /** A survey far away keeps every digit of its LAS file; colour and intensity stay. */
  @Test
  void lasIsExactFarAway() throws IOException {
    double[] c = {500000.125, 5400000.25, 312.5, 500100.5, 5400090.75, 320.001};
    List<PointFeature> features =
        List.of(
            PointFeature.colours(new float[] {1, 0, 0.5f, 0, 1, 0}),
            new PointFeature("intensity", PointFeature.Kind.SCALAR, 1, new float[] {7, 65535}));
    PlacedMesh placed = PlacedMesh.of(3, c, features, new int[0]);
    Path las = folder.resolve("a.las");
    Files.write(las, bytes(CloudFiles.content(las, CloudFormat.LAS, List.of(placed))));
    PlacedMesh back = CloudFiles.readPlaced(las).get(0);
    for (int i = 0; i < c.length; i++) {
      assertThat(back.at(i)).isCloseTo(c[i], within(1e-6));
    }
    PointCloud cloud = back.mesh().vertices();
    assertThat(cloud.feature("intensity").orElseThrow().values()).containsExactly(7, 65535);
    assertThat(cloud.feature(PointFeature.COLOUR).orElseThrow().values()[2])
        .isCloseTo(0.5f, within(1e-5f));

    PlacedMesh one =
        PlacedMesh.of(
            3,
            new double[] {500000.125, 5400000.25, 312.5},
            List.of(PointFeature.colours(new float[] {1, 0, 0.25f})),
            new int[0]);
    Path laz = folder.resolve("a.laz");
    Files.write(
        laz, CloudSamples.laz(bytes(CloudFiles.content(las, CloudFormat.LAS, List.of(one)))));
    PlacedMesh unpacked = CloudFiles.readPlaced(laz).get(0);
    assertThat(unpacked.at(0)).isCloseTo(500000.125, within(1e-6));
    assertThat(unpacked.mesh().vertices().feature(PointFeature.COLOUR).orElseThrow().values()[2])
        .isCloseTo(0.25f, within(1e-5f));
    Files.copy(laz, folder.resolve("wrong.las"));
    assertThatThrownBy(() -> CloudFiles.read(folder.resolve("wrong.las")))
        .hasMessageContaining("Is it LAZ?");
  }

  /** A small file that claims much makes nobody take memory for it. */
  @Test
  void countsOfPackedPointsNeedRoomInTheFile() throws IOException {
    byte[] right =
        CloudSamples.laz(bytes(CloudFiles.content(Path.of("a.las"), CloudFormat.LAS, ONE)));
    ByteBuffer b = ByteBuffer.wrap(right).order(ByteOrder.LITTLE_ENDIAN);
    int chunks = (int) b.getLong(b.getInt(96)) + 4;
    assertThat(b.getInt(chunks)).as("the table of chunks").isEqualTo(1);
    for (Map.Entry<Integer, String> count : Map.of(100, "records", chunks, "chunks").entrySet()) {
      byte[] wrong = right.clone();
      ByteBuffer.wrap(wrong).order(ByteOrder.LITTLE_ENDIAN).putInt(count.getKey(), 0x10000000);
      assertThatThrownBy(() -> CloudFiles.decode(CloudFormat.LAZ, Path.of("a.laz"), wrong))
          .isInstanceOf(FormatException.class)
          .hasMessageContaining("room for 268435456 " + count.getValue());
    }
    byte[] longer =
        right.clone(); // the library would look for the table of chunks behind the points
    ByteBuffer.wrap(longer).order(ByteOrder.LITTLE_ENDIAN).putShort(94, (short) (b.getInt(96) + 1));
    assertThatThrownBy(() -> CloudFiles.decode(CloudFormat.LAZ, Path.of("a.laz"), longer))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("before the points");
    byte[] elsewhere = right.clone(); // of this place the library takes the lower half
    ByteBuffer.wrap(elsewhere).order(ByteOrder.LITTLE_ENDIAN).putInt(b.getInt(96) + 4, -1);
    assertThatThrownBy(() -> CloudFiles.decode(CloudFormat.LAZ, Path.of("a.laz"), elsewhere))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("a table of chunks in the file");
  }

  /** Products of sizes that wrap around are none that a file of their size could have. */
  @Test
  void sizesOfAnIdxFileDoNotOverflow() {
    ByteBuffer file = ByteBuffer.allocate(20);
    file.putInt(0x0d03).putInt(1 << 16).putInt(1 << 16).putInt(3).putInt(0);
    assertThatThrownBy(() -> CloudFiles.decode(CloudFormat.IDX, Path.of("a.idx"), file.array()))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("51539607552 bytes for the shape [65536, 65536, 3], found 4");
    file.putInt(4, Integer.MAX_VALUE).putInt(8, Integer.MAX_VALUE).putInt(12, Integer.MAX_VALUE);
    assertThatThrownBy(() -> CloudFiles.decode(CloudFormat.IDX, Path.of("a.idx"), file.array()))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("found 4");
  }

  /** Offsets so large that sums with them wrap around are outside, too. */
  @Test
  void offsetsOfAGltfFileStayInside() {
    String scene = new String(CloudSamples.scene(), StandardCharsets.UTF_8);
    for (String offset : List.of("1e39", "49", "-1", "9223372036854775807")) {
      byte[] wrong =
          scene
              .replace("\"count\"", "\"byteOffset\":" + offset + ",\"count\"")
              .getBytes(StandardCharsets.UTF_8);
      assertThatThrownBy(() -> CloudFiles.decode(CloudFormat.GLTF, Path.of("s.gltf"), wrong))
          .isInstanceOf(FormatException.class)
          .hasMessageContaining("room for 4 values");
    }
  }

  /**
   * Nodes move what they hold, one in another; strips and fans are triangles; bytes are colours.
   */
  @Test
  void theSceneOfAGltfFileIsOneMesh() throws IOException {
    Mesh mesh = CloudFiles.readMesh(Files.write(folder.resolve("s.gltf"), CloudSamples.scene()));
    float[] c = mesh.vertices().coordinates();
    assertThat(mesh.vertices().size()).isEqualTo(8);
    // The first: shifted by 10 along x. The second: scaled by 2, turned by 90° about z, then
    // shifted.
    assertThat(new float[] {c[3], c[4], c[5]}).containsExactly(11, 0, 0);
    assertThat(c[12 + 3]).isCloseTo(10, within(1e-6f));
    assertThat(c[12 + 4]).isCloseTo(2, within(1e-6f));
    assertThat(mesh.triangles()).containsExactly(0, 1, 2, 1, 3, 2, 4, 5, 6, 5, 7, 6);
  }

  @Test
  void theEndingTells() throws IOException {
    for (String name :
        List.of(
            "a.off",
            "b.PLY",
            "c.obj",
            "d.xyz",
            "e.pcd",
            "f.npy",
            "g.npz",
            "h.idx",
            "i.h5",
            "j.txt",
            "k-idx3-float",
            "k-idx3-double",
            "l.ply.gz",
            "m.xyz.gz")) {
      Path file = folder.resolve(name);
      PointCloud x = CloudSamples.cloud(20, 3);
      CloudFiles.write(file, x);
      assertThat(CloudFiles.isCloud(file)).isTrue();
      assertThat(CloudFiles.read(file)).as(name).isEqualTo(x);
    }
    assertThat(Files.readAllBytes(folder.resolve("l.ply.gz"))[0]).isEqualTo((byte) 0x1f);
    assertThat(CloudFiles.isCloud(Path.of("x.png"))).isFalse();
    assertThatThrownBy(() -> CloudFiles.write(folder.resolve("a.stl"), CloudSamples.tetrahedron()))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("only read");
    assertThatThrownBy(() -> CloudFiles.read(folder.resolve("none.ply")))
        .isInstanceOf(java.nio.file.NoSuchFileException.class);
  }

  @Test
  void theFormatsMeanWhatTheyMean() throws IOException {
    assertThat(
            one(CloudFormat.OFF, "OFF4 1 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n").triangles())
        .containsExactly(0, 1, 2, 0, 2, 3);
    Mesh obj = one(CloudFormat.OBJ, "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf -4/1/1 -3 -2// -1\n");
    assertThat(obj.triangles()).containsExactly(0, 1, 2, 0, 2, 3);
    PointCloud resampled =
        one(CloudFormat.XYZ, "0.5,0.25,-1,0,0,1\n-0.5,1e-3,2,0.6,0.8,0\n").vertices();
    assertThat(resampled.feature(PointFeature.NORMAL).orElseThrow().values())
        .containsExactly(0, 0, 1, 0.6f, 0.8f, 0);
    assertThat(resampled.coordinates()).containsExactly(0.5f, 0.25f, -1, -0.5f, 1e-3f, 2);
    PointCloud coloured = one(CloudFormat.XYZ, "0 0 0 255 0 51\n1 1 1 0 0 0\n").vertices();
    assertThat(coloured.feature(PointFeature.COLOUR).orElseThrow().values())
        .containsExactly(1, 0, 0.2f, 0, 0, 0);
    assertThat(one(CloudFormat.XYZ, "1 2\n3 4\n").vertices().dimension()).isEqualTo(2);
    PointCloud packed = decode(CloudFormat.PCD, CloudSamples.compressedPcd()).get(0).vertices();
    assertThat(packed.coordinates()).containsExactly(1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3);
    PointCloud pcd =
        one(
                CloudFormat.PCD,
                "FIELDS x y z rgb\nSIZE 4 4 4 4\nTYPE F F F U\nPOINTS 2\nDATA ascii\n"
                    + "0 1 2 16711935\nnan nan nan 0\n")
            .vertices();
    assertThat(pcd.size()).isEqualTo(1);
    assertThat(pcd.features().get(0).values()).containsExactly(1, 0, 1);
    Mesh ply = decode(CloudFormat.PLY, CloudSamples.files(CloudFormat.PLY).get(2)).get(0);
    assertThat(ply.vertices().coordinates()).containsExactly(0.5f, 1, 2, 1, 2, 3);
    Mesh stl = decode(CloudFormat.STL, CloudSamples.files(CloudFormat.STL).get(0)).get(0);
    assertThat(stl.vertices().size()).as("shared corners are one vertex").isEqualTo(4);
    byte[] column = new byte[48];
    java.nio.ByteBuffer.wrap(column).putDouble(0, 1).putDouble(8, 2).putDouble(16, 3);
    PointCloud fortran =
        decode(CloudFormat.NPY, CloudSamples.npy("'>f8', 'fortran_order': True", "(2, 3)", column))
            .get(0)
            .vertices();
    assertThat(fortran.coordinates()).containsExactly(1, 3, 0, 2, 0, 0);
  }

  @Test
  void errorsNameTheFileWhatWasExpectedAndWhatCame() {
    assertThatThrownBy(() -> one(CloudFormat.OFF, "OFF\n1000000000 0 0\n0 0 0\n"))
        .hasMessageContaining("sample: expected room for 1000000000 vertices")
        .hasMessageContaining("found 6 bytes left");
    assertThatThrownBy(() -> one(CloudFormat.XYZ, "0 0 0\n1 1\n"))
        .hasMessageContaining("expected 3 numbers");
    assertThatThrownBy(() -> one(CloudFormat.XYZ, "0 0 0\n1 1 nan\n"))
        .hasMessageContaining("a finite number in line 2, found NaN");
    assertThatThrownBy(() -> one(CloudFormat.PLY, "plz\n")).hasMessageContaining("the word ply");
    assertThatThrownBy(() -> one(CloudFormat.OBJ, "v 0 0 0\nf 1 2 3\n"))
        .hasMessageContaining("a vertex from 0 to 0");
    assertThatThrownBy(
            () ->
                one(
                    CloudFormat.PLY,
                    "ply\nformat binary_little_endian 1.0\nelement vertex 99999999999\n"
                        + "property float x\nproperty float y\nend_header\n"))
        .hasMessageContaining("room for 99999999999 vertex elements");
  }

  @Test
  void samplingAMeshIsUniformByAreaAndSeeded() throws IOException {
    // Two squares, one three times as large; and a triangle without area.
    Mesh mesh =
        one(
            CloudFormat.OFF,
            "OFF\n9 4 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n0 0 5\n3 0 5\n3 1 5\n0 1 5\n9 9 9\n"
                + "4 0 1 2 3\n3 4 5 6\n3 4 6 7\n3 8 8 8\n");
    PointCloud x = mesh.sample(40000, 7);
    assertThat(mesh.sample(40000, 7)).isEqualTo(x);
    assertThat(mesh.sample(40000, 8)).isNotEqualTo(x);
    double upper = 0;
    double mean = 0;
    for (int i = 0; i < x.size(); i++) {
      upper += x.coordinates()[3 * i + 2] == 5 ? 1.0 / x.size() : 0;
      mean += x.coordinates()[3 * i + 1] / (double) x.size();
      assertThat(x.coordinates()[3 * i + 2]).isIn(0f, 5f);
    }
    assertThat(upper).isCloseTo(0.75, within(0.01));
    assertThat(mean).isCloseTo(0.5, within(0.01));
    assertThat(x.feature(PointFeature.NORMAL).orElseThrow().values()[2]).isEqualTo(1);
    assertThatThrownBy(() -> Mesh.of(x).sample(5, 1)).hasMessageContaining("with a finite area");
  }

  private Mesh one(CloudFormat format, String text) throws IOException {
    return decode(format, text.getBytes(StandardCharsets.ISO_8859_1)).get(0);
  }

  private static List<Mesh> decode(CloudFormat format, byte[] content) throws IOException {
    return CloudFiles.decode(format, Path.of("sample"), content);
  }

  /** A first line of words is a heading; one of NaN is a point that is not there. */
  @Test
  void aFirstPointThatIsNotFiniteIsNoHeading() throws IOException {
    Path file = folder.resolve("a.xyz");
    Files.writeString(file, "x y z\n1 2 3\n4 5 6\n");
    assertThat(CloudFiles.readMesh(file).vertices().size()).isEqualTo(2);
    for (String first : new String[] {"nan nan nan", "NaN 1 2", "1 inf 2"}) {
      Files.writeString(file, first + "\n1 2 3\n");
      assertThatThrownBy(() -> CloudFiles.readMesh(file))
          .as(first)
          .hasMessageContaining("expected a finite number");
    }
  }
}
