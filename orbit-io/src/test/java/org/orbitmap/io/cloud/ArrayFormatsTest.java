package org.orbitmap.io.cloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jhdf.HdfFile;
import io.jhdf.WritableHdfFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.cloud.PointFeature;
import org.orbitmap.io.FormatException;
import org.orbitmap.io.UserError;
import org.orbitmap.io.cloud.array.NpyFormat;
import org.orbitmap.io.cloud.codec.PlacedMesh;
import org.orbitmap.mesh.Mesh;

/** Arrays of every type of number, and what belongs to the points beside them. */
class ArrayFormatsTest {
  private static final Path NAME = Path.of("x");
  private static final float[] POINTS = {1, 2, 3, 4, 5, 6};
  private static final float[] UP = {0, 0, 1, 0, 1, 0};

  @TempDir Path folder;

  private static List<Mesh> decode(CloudFormat format, byte[] content) throws IOException {
    return CloudFiles.decode(format, NAME, content);
  }

  private static byte[] encode(CloudFormat format, List<Mesh> meshes) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    CloudFiles.content(NAME, format, meshes.stream().map(PlacedMesh::of).toList()).writeTo(out);
    return out.toByteArray();
  }

  private static float[] npy(String type, String shape, byte[] data) throws IOException {
    byte[] file = CloudSamples.npy("'" + type + "', 'fortran_order': False", shape, data);
    return decode(CloudFormat.NPY, file).get(0).vertices().coordinates();
  }

  private static Mesh cloud(PointFeature... features) {
    return Mesh.of(new PointCloud(3, POINTS, List.of(features)));
  }

  private static Mesh shifted(float by) {
    float[] moved = POINTS.clone();
    for (int i = 0; i < moved.length; i++) {
      moved[i] += by;
    }
    return Mesh.of(new PointCloud(3, moved));
  }

  @ParameterizedTest
  @CsvSource({
    "|i1, 02ff7f80, 2 -1 127 -128",
    "|u1, 02ff7f80, 2 255 127 128",
    "<i2, 0200ffff00800100, 2 -1 -32768 1",
    "<u2, 0200ffff00800100, 2 65535 32768 1",
    ">u2, 0200ffff00800100, 512 65535 128 256",
    "<i4, 02000000ffffffff0000008001000000, 2 -1 -2147483648 1",
    "<u4, 02000000ffffffff0000008001000000, 2 4294967296 2147483648 1",
    "<i8, 0200000000000000ffffffffffffffff07000000000000000100000000000000, 2 -1 7 1",
    "<f2, 003e00c00100ff7b, 1.5 -2 5.9604645e-8 65504",
    "<f2, ff0355350024008c, 6.097555e-5 0.33325195 0.015625 -0.00024414062",
    ">f4, 3fc00000c000000040400000bf000000, 1.5 -2 3 -0.5",
    "=f4, 0000c03f000000c000004040000000bf, 1.5 -2 3 -0.5"
  })
  void numbersOfEveryType(String type, String bytes, String expected) throws IOException {
    byte[] data = new byte[bytes.length() / 2];
    for (int i = 0; i < data.length; i++) {
      data[i] = (byte) Integer.parseInt(bytes.substring(2 * i, 2 * i + 2), 16);
    }
    List<String> numbers = List.of(expected.split(" ", -1));
    float[] found = npy(type, "(2, 2)", data);
    for (int i = 0; i < 4; i++) {
      assertThat(found[i]).isEqualTo(Float.parseFloat(numbers.get(i)));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"007c", "00fc", "017c"})
  void infiniteHalvesAreRefused(String bits) {
    byte[] data = new byte[8];
    data[0] = (byte) Integer.parseInt(bits.substring(0, 2), 16);
    data[1] = (byte) Integer.parseInt(bits.substring(2), 16);
    assertThatThrownBy(() -> npy("<f2", "(2, 2)", data))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("a finite coordinate");
  }

  /** Format 2 has four bytes for the length of its header. */
  @Test
  void longerHeadersAreRead() throws IOException {
    byte[] first =
        CloudSamples.npy("'|u1', 'fortran_order': False", "(1, 2, 2)", new byte[] {5, 6, 7, 8});
    ByteBuffer second = ByteBuffer.allocate(first.length + 2).order(ByteOrder.LITTLE_ENDIAN);
    second.put(first, 0, 6).put((byte) 2).put((byte) 0);
    second.putInt(ByteBuffer.wrap(first).order(ByteOrder.LITTLE_ENDIAN).getShort(8));
    second.put(first, 10, first.length - 10);
    assertThat(decode(CloudFormat.NPY, second.array()).get(0).vertices().coordinates())
        .containsExactly(5, 6, 7, 8);
    byte[] later = first.clone();
    later[6] = 4;
    assertThatThrownBy(() -> decode(CloudFormat.NPY, later)).hasMessageContaining("format 4");
    byte[] none = first.clone();
    none[6] = 0;
    assertThatThrownBy(() -> decode(CloudFormat.NPY, none)).hasMessageContaining("1 to 3");
  }

  @Test
  void arraysThatAreNoCloudsAreRefused() throws IOException {
    for (String shape : List.of("(4,)", "(4, 1)", "(1, 1, 2, 2)", "(0, 2)")) {
      assertThatThrownBy(() -> npy("|u1", shape, new byte[4]))
          .as(shape)
          .hasMessageContaining("an array of points x columns or clouds x points x columns");
    }
    for (String shape : List.of("(-2, -2)", "(a, 2)")) {
      assertThatThrownBy(() -> npy("|u1", shape, new byte[4])).hasMessageContaining("a shape");
    }
    for (String shape : List.of("(3, 2)", "(2147483647, 2147483647, 4)")) {
      assertThatThrownBy(() -> npy("|u1", shape, new byte[4]))
          .hasMessageContaining("room for an array of shape " + shape + ", found 4 bytes");
    }
    assertThatThrownBy(() -> npy("<f1", "(2, 2)", new byte[4])).hasMessageContaining("2, 4 or 8");
  }

  /** As NumPy writes it: the numbers begin at a multiple of 64 bytes. */
  @Test
  void writtenHeadersAreNumPys() throws IOException {
    byte[] one = encode(CloudFormat.NPY, List.of(cloud()));
    byte[] two = encode(CloudFormat.NPY, List.of(cloud(), shifted(1)));
    assertThat(header(one))
        .startsWith("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }");
    assertThat(header(two))
        .startsWith("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2, 3), }");
    for (byte[] file : List.of(one, two)) {
      assertThat((10 + header(file).length()) % 64).isZero();
      assertThat(header(file)).endsWith("\n");
    }
    assertThat(one).hasSize(10 + header(one).length() + 24);
    assertThat(decode(CloudFormat.NPY, two)).containsExactly(cloud(), shifted(1));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    NpyFormat.matrix(new double[][] {{0.1, 2}, {3, 4}, {5, 6}}).writeTo(out);
    assertThat(header(out.toByteArray())).contains("'<f8'").contains("(3, 2)");
    ByteBuffer numbers = ByteBuffer.wrap(out.toByteArray()).order(ByteOrder.LITTLE_ENDIAN);
    assertThat(numbers.getDouble(128)).isEqualTo(0.1);
    assertThat(numbers.getDouble(168)).isEqualTo(6);
    out.reset();
    NpyFormat.matrix(new double[0][]).writeTo(out);
    assertThat(header(out.toByteArray())).contains("(0, 0)");
  }

  private static String header(byte[] file) {
    int length = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getShort(8);
    return new String(file, 10, length, StandardCharsets.ISO_8859_1);
  }

  /** More numbers than are written at a time. */
  @Test
  void largeArraysAreWhole() throws IOException {
    float[] many = new float[3 * 3000];
    for (int i = 0; i < many.length; i++) {
      many[i] = i;
    }
    Mesh mesh = Mesh.of(new PointCloud(3, many));
    assertThat(decode(CloudFormat.NPY, encode(CloudFormat.NPY, List.of(mesh))))
        .containsExactly(mesh);
  }

  private static byte[] zip(Map<String, byte[]> entries) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream out = new ZipOutputStream(bytes)) {
      for (Map.Entry<String, byte[]> e : entries.entrySet()) {
        out.putNextEntry(new ZipEntry(e.getKey()));
        out.write(e.getValue());
      }
    }
    return bytes.toByteArray();
  }

  private static byte[] bytes(int... values) {
    byte[] out = new byte[values.length];
    for (int i = 0; i < out.length; i++) {
      out[i] = (byte) values[i];
    }
    return CloudSamples.npy("'|u1', 'fortran_order': False", "(2, 3)", out);
  }

  @Test
  void arraysOfAZipFileGoByTheirNames() throws IOException {
    Map<String, byte[]> entries = new LinkedHashMap<>();
    entries.put("folder/", new byte[0]);
    entries.put("anything.npy", bytes(1, 2, 3, 4, 5, 6));
    assertThat(decode(CloudFormat.NPZ, zip(entries))).containsExactly(cloud());
    entries.put("other", bytes(9, 9, 9, 9, 9, 9));
    assertThatThrownBy(() -> decode(CloudFormat.NPZ, zip(entries)))
        .hasMessageContaining("an array called one of [points,")
        .hasMessageContaining("found [anything, other]");
    entries.put("xyz.npy", bytes(1, 2, 3, 4, 5, 6));
    entries.put("normal", bytes(0, 0, 1, 0, 1, 0));
    entries.put("rgb.npy", bytes(10, 20, 30, 40, 50, 60));
    PointCloud read = decode(CloudFormat.NPZ, zip(entries)).get(0).vertices();
    assertThat(read.coordinates()).isEqualTo(POINTS);
    assertThat(read.feature(PointFeature.NORMAL).orElseThrow().values()).isEqualTo(UP);
    assertThat(read.feature(PointFeature.COLOUR).orElseThrow().values())
        .containsExactly(10, 20, 30, 40, 50, 60);
    // what does not fit the points is none of theirs
    entries.remove("rgb.npy");
    for (String shape : List.of("(3, 2)", "(1, 3)", "(6,)", "(1, 2, 3)")) {
      entries.put("normal", CloudSamples.npy("'|u1', 'fortran_order': False", shape, new byte[6]));
      assertThat(decode(CloudFormat.NPZ, zip(entries))).as(shape).containsExactly(cloud());
    }
  }

  @Test
  void aZipFileKeepsFeaturesOfOneCloud() throws IOException {
    PointFeature normals = PointFeature.normals(3, UP);
    PointFeature colours = PointFeature.colours(new float[] {1, 0, 0, 0.5f, 0.25f, 1});
    byte[] file = encode(CloudFormat.NPZ, List.of(cloud(normals, colours)));
    assertThat(decode(CloudFormat.NPZ, file)).containsExactly(cloud(normals, colours));
    Path written = Files.write(folder.resolve("x.npz"), file);
    try (ZipFile zip = new ZipFile(written.toFile())) { // by its directory, as NumPy does
      assertThat(zip.stream().map(ZipEntry::getName))
          .containsExactly("points.npy", "normals.npy", "colours.npy");
      assertThat(zip.stream().map(ZipEntry::getTimeLocal))
          .as("nothing of the clock")
          .allMatch(t -> t.getYear() <= 1980);
    }
    List<Mesh> several = List.of(cloud(), shifted(1));
    assertThat(decode(CloudFormat.NPZ, encode(CloudFormat.NPZ, several))).isEqualTo(several);
  }

  private byte[] hdf(Object data) throws IOException {
    Path file = folder.resolve("x.h5");
    try (WritableHdfFile out = HdfFile.write(file)) {
      out.putDataset("data", data);
    }
    return Files.readAllBytes(file);
  }

  @Test
  void hdfKeepsSeveralCloudsWithNormals() throws IOException {
    Mesh first = cloud(PointFeature.normals(3, UP));
    Mesh second =
        Mesh.of(
            new PointCloud(
                3,
                shifted(10).vertices().coordinates(),
                List.of(PointFeature.normals(3, new float[] {1, 0, 0, 0, 0, -1}))));
    assertThat(decode(CloudFormat.HDF5, encode(CloudFormat.HDF5, List.of(first, second))))
        .containsExactly(first, second);
    List<Mesh> mixed =
        decode(CloudFormat.HDF5, encode(CloudFormat.HDF5, List.of(first, shifted(1))));
    assertThat(mixed).as("normals of some are none").containsExactly(cloud(), shifted(1));
  }

  @Test
  void hdfHoldsNumbersOfOtherTypes() throws IOException {
    Mesh expected = cloud();
    assertThat(decode(CloudFormat.HDF5, hdf(new int[][][] {{{1, 2, 3}, {4, 5, 6}}})))
        .containsExactly(expected);
    assertThat(decode(CloudFormat.HDF5, hdf(new double[][] {{1, 2, 3}, {4, 5, 6}})))
        .containsExactly(expected);
    assertThatThrownBy(() -> decode(CloudFormat.HDF5, hdf(new String[][] {{"a", "b"}})))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("a data set of numbers");
  }

  @Test
  void idxHasDoublesAndShorts() throws IOException {
    ByteBuffer doubles = ByteBuffer.allocate(12 + 32);
    doubles.putInt(0x0e02).putInt(2).putInt(2);
    doubles.putDouble(1).putDouble(2).putDouble(3).putDouble(4.5);
    assertThat(decode(CloudFormat.IDX, doubles.array()).get(0).vertices().coordinates())
        .containsExactly(1, 2, 3, 4.5f);
    assertThatThrownBy(() -> decode(CloudFormat.IDX, new byte[] {0, 0, 0x0e}))
        .hasMessageContaining("an IDX header");
    for (int magic : new int[] {0x0e01, 0x0e04, 0x0802}) {
      assertThatThrownBy(() -> decode(CloudFormat.IDX, doubles.putInt(0, magic).array()))
          .hasMessageContaining("found %#010x".formatted(magic));
    }
    Mesh unit = Mesh.of(new PointCloud(3, new float[] {1, -1, 0}));
    assertThat(decode(CloudFormat.IDX, encode(CloudFormat.IDX_INT16, List.of(unit))))
        .containsExactly(unit);
    assertThatThrownBy(() -> encode(CloudFormat.IDX_INT16, List.of(cloud())))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("from -1 to 1");
    Mesh coloured = cloud(PointFeature.colours(new float[] {1, 0, 0, 0.5f, 0.25f, 1}));
    assertThat(encode(CloudFormat.IDX, List.of(coloured))).hasSize(16 + 2 * 6 * 4);
  }

  @Test
  void formatsHaveNamesAndEndings() {
    assertThat(CloudFormat.named("Ply-ASCII")).isEqualTo(CloudFormat.PLY_ASCII);
    assertThatThrownBy(() -> CloudFormat.named("nothing"))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("expected one of off, ply, ")
        .hasMessageContaining("found 'nothing'");
    assertThat(CloudFormat.IDX.endings()).contains(".idx", "-idx3-float");
    assertThat(CloudFormat.PLY_BIG.endings()).isEmpty();
    for (CloudFormat format : CloudFormat.values()) {
      assertThat(format.several())
          .isEqualTo(List.of("npy", "npz", "idx", "idx-int16", "hdf5").contains(format.label()));
    }
    assertThat(CloudFormat.OBJ.faces()).isTrue();
    assertThat(CloudFormat.NPY.faces()).isFalse();
    assertThatThrownBy(() -> CloudFiles.readPlaced(Path.of("x.jpg")))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("another ending");
    assertThatThrownBy(() -> CloudFiles.write(Path.of("x.jpg"), cloud()))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("an ending such as .ply");
    assertThatThrownBy(() -> encode(CloudFormat.PLY, List.of()))
        .hasMessageContaining("one cloud in a ply file");
    assertThatThrownBy(() -> encode(CloudFormat.PLY, List.of(cloud(), cloud())))
        .hasMessageContaining("Formats for several");
  }
}
