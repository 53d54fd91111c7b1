package org.orbitmap.io.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.io.cloud.CloudFiles;
import org.orbitmap.io.cloud.CloudFormat;
import org.orbitmap.mesh.Mesh;

/** Labelled clouds in folders. */
class CloudSetsTest {
  private static final CloudSets.Choice ALL = new CloudSets.Choice(0, Integer.MAX_VALUE, 1);

  @TempDir Path folder;

  private static PointCloud line(int points, float height) {
    float[] x = new float[3 * points];
    for (int i = 0; i < points; i++) {
      x[3 * i] = i / 100f;
      x[3 * i + 2] = height;
    }
    return new PointCloud(3, x);
  }

  private void labels(String name, int... labels) throws IOException {
    ByteBuffer b = ByteBuffer.allocate(8 + labels.length).putInt(0x801).putInt(labels.length);
    IntStream.of(labels).forEach(l -> b.put((byte) l));
    Files.write(folder.resolve(name), b.array());
  }

  @Test
  void readsTheTestPartOfIdx() throws IOException {
    List<Mesh> clouds = IntStream.range(0, 5).mapToObj(i -> Mesh.of(line(4, 0.1f * i))).toList();
    CloudFormat idx = CloudFormat.named("idx-int16");
    CloudFiles.write(folder.resolve("a-test-points-idx3-int16.gz"), idx, clouds);
    CloudFiles.write(folder.resolve("a-train-points-idx3-int16.gz"), idx, clouds.subList(0, 2));
    labels("a-test-labels-idx1-ubyte", 0, 0, 0, 1, 1);
    Files.writeString(folder.resolve("classes.txt"), "cup\nhat\n");
    CloudSet set = CloudSets.read(folder, ALL);
    assertThat(set.classes()).containsExactly("cup", "hat");
    assertThat(set.labels()).containsExactly(0, 0, 0, 1, 1);
    assertThat(set.clouds().get(4).relativeDistance(line(4, 0.4f))).isLessThan(1e-4);
    CloudSet two = CloudSets.read(folder, new CloudSets.Choice(3, 2, 1));
    assertThat(two.labels()).containsExactly(0, 1);
    assertThat(two.points()).isEqualTo(3);
    assertThat(two.digest()).isEqualTo(CloudSets.read(folder, two(3)).digest());
    assertThatThrownBy(() -> CloudSets.read(folder, two(5)))
        .hasMessageContaining("expected at least 5 points, found 4");
    labels("a-test-labels-idx1-ubyte", 0, 0, 0, 2, 1);
    assertThatThrownBy(() -> CloudSets.read(folder, ALL)).hasMessageContaining("classes.txt");
    labels("a-test-labels-idx1-ubyte", 0, 0);
    assertThatThrownBy(() -> CloudSets.read(folder, ALL)).hasMessageContaining("5 labels");
  }

  private static CloudSets.Choice two(int points) {
    return new CloudSets.Choice(points, 2, 1);
  }

  @Test
  void readsFoldersOfClasses() throws IOException {
    for (String c : List.of("cup", "hat")) {
      Files.createDirectories(folder.resolve(c).resolve("test"));
      CloudFiles.write(folder.resolve(c).resolve("train.ply"), line(3, 0));
      CloudFiles.write(folder.resolve(c).resolve("test/1.ply"), line(50, 1));
      CloudFiles.write(folder.resolve(c).resolve("test/2.xyz"), line(60, 2));
    }
    assertThatThrownBy(() -> CloudSets.read(folder, ALL)).hasMessageContaining("--points");
    CloudSet set = CloudSets.read(folder, new CloudSets.Choice(40, 100, 1));
    assertThat(set.labels()).containsExactly(0, 0, 1, 1);
    assertThat(set.points()).isEqualTo(40);
    float[] chosen = set.clouds().get(3).coordinates();
    assertThat(IntStream.range(0, 40).mapToObj(i -> chosen[3 * i]).distinct()).hasSize(40);
    assertThatThrownBy(() -> CloudSets.read(folder.resolve("cup"), ALL))
        .hasMessageContaining("one sub-folder of clouds");
    assertThatThrownBy(() -> CloudSets.read(folder.resolve("none"), ALL))
        .hasMessageContaining("a folder of labelled clouds");
  }

  @Test
  void readsModelNet() throws IOException {
    Path modelnet = Path.of(System.getProperty("orbit.data", ""), "modelnet40");
    assumeTrue(Files.isDirectory(modelnet), "needs -Dorbit.data with modelnet40");
    CloudSet set = CloudSets.read(modelnet, new CloudSets.Choice(0, 80, 1));
    assertThat(set.points()).isEqualTo(1024);
    assertThat(set.classes()).hasSize(40).startsWith("airplane", "bathtub");
    assertThat(IntStream.of(set.labels()).distinct().count()).isEqualTo(40);
  }
}
