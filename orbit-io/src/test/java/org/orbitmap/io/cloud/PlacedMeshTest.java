package org.orbitmap.io.cloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.io.cloud.codec.PlacedMesh;
import org.orbitmap.mesh.Mesh;

/** Clouds far away from 0 keep their shape. */
@SuppressWarnings("StringConcatToTextBlock") // files, line by line
class PlacedMeshTest {
  private static final double[] UTM = {500_000, 5_400_000, 300};

  @TempDir private Path folder;

  /** A survey of 100 x 50 x 10 metres, to a tenth of a millimetre. */
  private static double[] survey(int points) {
    SplittableRandom random = new SplittableRandom(1);
    double[] c = new double[3 * points];
    for (int i = 0; i < c.length; i++) {
      double size = new double[] {100, 50, 10}[i % 3];
      c[i] = UTM[i % 3] + Math.rint(1e4 * size * random.nextDouble()) / 1e4;
    }
    return c;
  }

  @Test
  void theOriginIsNearTheCloudOnlyIfThatHelps() {
    double[] far = survey(200);
    PlacedMesh placed = PlacedMesh.of(3, far, List.of(), new int[0]);
    assertThat(placed.far()).isTrue();
    for (int i = 0; i < far.length; i++) {
      assertThat(placed.at(i)).isCloseTo(far[i], within(1e-5));
      assertThat(Math.abs(placed.mesh().vertices().coordinates()[i])).isLessThan(200);
    }
    double[] near = {1, 2, 3, 4, 5, 60};
    assertThat(PlacedMesh.of(3, near, List.of(), new int[0]).far()).isFalse();
    double[] single = {1e6, 2e6, 3e6};
    PlacedMesh point = PlacedMesh.of(3, single, List.of(), new int[0]);
    assertThat(point.far()).isFalse();
    assertThat(point.absolute()).isSameAs(point.mesh());
    Mesh mesh = Mesh.of(new PointCloud(3, new float[] {1, 2, 3}));
    assertThatThrownBy(() -> new PlacedMesh(mesh, new double[2])).hasMessageContaining("found 2");
  }

  /** Every format that is written holds a far cloud to a hundredth of a millimetre. */
  @ParameterizedTest
  @EnumSource(CloudFormat.class)
  void whatIsWrittenInDoubleIsReadBack(CloudFormat format) throws IOException {
    if (!format.writable() || format == CloudFormat.IDX_INT16) {
      return;
    }
    double[] far = survey(120);
    PlacedMesh placed = PlacedMesh.of(3, far, List.of(), new int[0]);
    Path file = folder.resolve("x");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    CloudFiles.content(file, format, List.of(placed)).writeTo(out);
    Path named = folder.resolve("x" + ending(format));
    Files.write(named, out.toByteArray());
    PlacedMesh back = CloudFiles.readPlaced(named).get(0);
    for (int i = 0; i < far.length; i++) {
      assertThat(back.at(i)).as(format.label()).isCloseTo(far[i], within(2e-5));
    }
    // As floats the same cloud is half a metre coarse.
    PointCloud coarse = CloudFiles.readAll(named).get(0).vertices();
    assertThat(coarse.coordinates()[1]).isEqualTo((float) back.at(1));
  }

  private static String ending(CloudFormat format) {
    return "."
        + switch (format) {
          case PLY, PLY_ASCII, PLY_BIG -> "ply";
          case RESAMPLED -> "txt";
          case PCD, PCD_ASCII -> "pcd";
          case HDF5 -> "h5";
          default -> format.label();
        };
  }

  @Test
  void fromTextAlsoPlyPcdAndStl() throws IOException {
    StringBuilder points = new StringBuilder();
    double[] far = survey(3);
    for (int i = 0; i < far.length; i++) {
      points.append(far[i]).append(i % 3 == 2 ? "\n" : " ");
    }
    String ply =
        "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
            + "property float z\nend_header\n";
    String pcd =
        "FIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\nWIDTH 3\nHEIGHT 1\nPOINTS 3\n"
            + "DATA ascii\n";
    String stl =
        "solid\nfacet\nouter loop\nvertex "
            + points.toString().trim().replace("\n", "\nvertex ")
            + "\nendloop\nendfacet\nendsolid\n";
    List<String> names = List.of("a.ply", "a.pcd", "a.stl", "a.xyz");
    List<String> texts = List.of(ply + points, pcd + points, stl, points.toString());
    for (int k = 0; k < names.size(); k++) {
      Path file = folder.resolve(names.get(k));
      Files.write(file, texts.get(k).getBytes(StandardCharsets.US_ASCII));
      PlacedMesh read = CloudFiles.readPlaced(file).get(0);
      assertThat(read.far()).as(names.get(k)).isTrue();
      for (int i = 0; i < far.length; i++) {
        assertThat(read.at(i)).isCloseTo(far[i], within(1e-5));
      }
    }
  }

  /** What a file holds as floats cannot be made finer: no origin pretends so. */
  @Test
  void floatsStayWhereTheyAre() throws IOException {
    float[] c = new float[30];
    for (int i = 0; i < c.length; i++) {
      c[i] = (float) (UTM[i % 3] + i);
    }
    for (String name : List.of("f.ply", "f.npy", "f.pcd", "f.idx", "f.h5")) {
      Path file = folder.resolve(name);
      CloudFiles.write(file, new PointCloud(3, c));
      PlacedMesh read = CloudFiles.readPlaced(file).get(0);
      assertThat(read.far()).as(name).isFalse();
      assertThat(read.mesh().vertices().coordinates()).isEqualTo(c);
    }
  }
}
