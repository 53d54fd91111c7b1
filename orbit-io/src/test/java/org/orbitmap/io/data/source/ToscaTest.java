package org.orbitmap.io.data.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.io.cloud.CloudFiles;
import org.orbitmap.io.data.Choice;
import org.orbitmap.io.data.CloudSet;
import org.orbitmap.io.data.DataSource;
import org.orbitmap.io.data.Inventory;
import org.orbitmap.io.data.LabelledFiles;
import org.orbitmap.io.data.Split;
import org.orbitmap.mesh.Mesh;

class ToscaTest {
  @TempDir Path folder;

  private final DataSource tosca = new Tosca();

  /** A pyramid over n corners, closed below: n + 2 vertices, Euler characteristic 2. */
  private static Mesh pyramid(int n) {
    float[] x = new float[3 * (n + 2)];
    int[] triangles = new int[6 * n];
    for (int i = 0; i < n; i++) {
      x[3 * i] = (float) Math.cos(2 * Math.PI * i / n);
      x[3 * i + 1] = (float) Math.sin(2 * Math.PI * i / n);
      int[] sides = {i, (i + 1) % n, n, (i + 1) % n, i, n + 1};
      System.arraycopy(sides, 0, triangles, 6 * i, 6);
    }
    x[3 * n + 2] = 1;
    return new Mesh(new PointCloud(3, x), triangles);
  }

  @BeforeEach
  void write() throws IOException {
    for (Map.Entry<String, Integer> animal : Map.of("wolf", 3, "gorilla", 4).entrySet()) {
      for (int pose = 0; pose < animal.getValue(); pose++) {
        String name = animal.getKey() + pose;
        CloudFiles.write(folder.resolve(name + ".off"), pyramid(4 + pose));
        Files.createDirectories(folder.resolve("corres"));
        for (String kind : List.of(".vts", ".sym.vts")) {
          Files.writeString(folder.resolve("corres").resolve(name + kind), "1\n6\n2\n");
        }
      }
    }
  }

  private Inventory inventory() throws IOException {
    return tosca.inventory(folder, Split.ALL);
  }

  @Test
  void meshesDifferInSizeAndAreCounted() throws IOException {
    assertThat(DataSets.at(folder)).map(DataSource::name).contains("tosca");
    assertThat(tosca.parts(folder)).containsExactly(Split.ALL);
    Inventory all = inventory();
    assertThat(all.shape()).isEqualTo("clouds of 6 to 9 points in 3-D");
    assertThat(all.classes()).containsEntry("wolf", 3).containsEntry("gorilla", 4).hasSize(2);
    CloudSet drawn = (CloudSet) tosca.read(folder, Split.ALL, Choice.ALL.withPoints(20));
    assertThat(drawn.size()).isEqualTo(7);
    assertThat(drawn.points()).isEqualTo(20);
    assertThat(drawn.classes()).containsExactly("gorilla", "wolf");
    assertThatThrownBy(() -> tosca.read(folder, Split.ALL, Choice.ALL))
        .hasMessageContaining("Give the number of points");
  }

  @Test
  void anArchiveIsTheSame() throws IOException {
    Inventory plain = inventory();
    Path archive = Files.createDirectories(folder.resolve("zipped")).resolve("tosca_5k.zip");
    try (OutputStream out = Files.newOutputStream(archive);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      for (Path file : LabelledFiles.below(folder, f -> !f.startsWith(folder.resolve("zipped")))) {
        zip.putNextEntry(new ZipEntry(folder.relativize(file).toString()));
        Files.copy(file, zip);
      }
    }
    assertThat(tosca.holds(archive.getParent())).isTrue();
    assertThat(tosca.inventory(archive.getParent(), Split.ALL)).isEqualTo(plain);
    Files.write(archive, new byte[] {'P', 'K', 1, 2});
    assertThatThrownBy(() -> tosca.inventory(archive.getParent(), Split.ALL))
        .hasMessageContaining("tosca_5k.zip: expected a ZIP archive");
  }

  @Test
  void whatIsDamagedIsSaid() throws IOException {
    Path wolf = folder.resolve("wolf1.off");
    Mesh whole = pyramid(5);
    int[] open = IntStream.of(whole.triangles()).limit(27).toArray();
    CloudFiles.write(wolf, new Mesh(whole.vertices(), open));
    assertThatThrownBy(this::inventory)
        .hasMessageContaining("wolf1.off: expected a closed surface")
        .hasMessageContaining("an open one");
    CloudFiles.write(wolf, whole);
    Path vertices = folder.resolve("corres/wolf1.sym.vts");
    for (String wrong : List.of("1\n8\n2\n", "0\n1\n2\n", "1\nx\n2\n", "1\n2\n", "")) {
      Files.writeString(vertices, wrong);
      assertThatThrownBy(this::inventory).hasMessageContaining("wolf1.sym.vts: expected");
    }
    Files.delete(vertices);
    assertThatThrownBy(this::inventory).hasMessageContaining("wolf1.sym.vts: expected");
    Files.delete(wolf);
    assertThatThrownBy(this::inventory).hasMessageContaining("expected 3 poses of wolf, found 2");
  }

  /** The counts that its description gives. */
  @Test
  void theRealMeshes() throws IOException {
    Path real = Path.of(System.getProperty("orbit.data", ""), "meshes");
    assumeTrue(Files.isDirectory(real), "no -Dorbit.data");
    Inventory all = tosca.inventory(real, Split.ALL);
    assertThat(all.classes().toString()).isEqualTo("{cat=11, centaur=6, horse=8}");
    assertThat(all.items()).isEqualTo(25);
    assertThat(tosca.parts(real).stream().map(Split::id).collect(Collectors.joining(" ")))
        .isEqualTo("all");
  }
}
