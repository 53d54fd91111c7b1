package org.orbitmap.io.data.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.cloud.mapping.CloudMapping;
import org.orbitmap.group.SimilarityGroup;
import org.orbitmap.io.cloud.CloudFiles;
import org.orbitmap.io.cloud.CloudFormat;
import org.orbitmap.io.data.Choice;
import org.orbitmap.io.data.CloudSet;
import org.orbitmap.io.data.Split;
import org.orbitmap.mesh.Mesh;

/** Labelled clouds in folders. */
class CloudSourcesTest {
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

  private CloudSet read(Split split, Choice choice) throws IOException {
    return DataSets.clouds(folder.toString(), null, split, choice);
  }

  private Split auditSplit() throws IOException {
    return new DataFinder(null).find(folder.toString()).auditSplit();
  }

  @Test
  void idxFilesHaveTwoParts() throws IOException {
    List<Mesh> clouds = IntStream.range(0, 5).mapToObj(i -> Mesh.of(line(4, 0.1f * i))).toList();
    CloudFormat idx = CloudFormat.named("idx-int16");
    CloudFiles.write(folder.resolve("a-test-points-idx3-int16.gz"), idx, clouds);
    CloudFiles.write(folder.resolve("a-train-points-idx3-int16.gz"), idx, clouds.subList(3, 5));
    labels("a-test-labels-idx1-ubyte", 0, 0, 0, 1, 1);
    labels("a-train-labels-idx1-ubyte", 1, 0);
    Files.writeString(folder.resolve("classes.txt"), "cup\nhat\n");
    CloudSet set = read(Split.TEST, Choice.ALL);
    assertThat(set.classes()).containsExactly("cup", "hat");
    assertThat(set.labels()).containsExactly(0, 0, 0, 1, 1);
    assertThat(set.clouds().get(4).relativeDistance(line(4, 0.4f))).isLessThan(1e-4);
    assertThat(auditSplit()).isEqualTo(Split.TEST);
    CloudSet train = read(Split.TRAIN, Choice.ALL);
    assertThat(train.labels()).containsExactly(1, 0);
    assertThat(train.clouds().get(1).relativeDistance(line(4, 0.4f))).isLessThan(1e-4);
    assertThat(read(Split.ALL, Choice.ALL).labels()).containsExactly(1, 0, 0, 0, 0, 1, 1);
    Choice two = Choice.ALL.withLimit(2);
    assertThat(read(Split.TEST, two.withPoints(3)).labels()).containsExactly(0, 1);
    assertThat(read(Split.TEST, two.withPoints(3)).points()).isEqualTo(3);
    assertThat(read(Split.TEST, two.withPoints(3)).digest())
        .isEqualTo(read(Split.TEST, two.withPoints(3)).digest())
        .isNotEqualTo(read(Split.TEST, two.withPoints(3).withSeed(2)).digest());
    // fewer points than asked for are drawn again: all of them, then the first ones once more
    float[] five = read(Split.TEST, two.withPoints(5)).clouds().get(0).coordinates();
    assertThat(Arrays.copyOfRange(five, 12, 15)).isEqualTo(Arrays.copyOf(five, 3));
    CloudMapping mapping = CloudMapping.of(SimilarityGroup.translations(3));
    PointCloud four = read(Split.TEST, two).clouds().get(0);
    assertThat(
            mapping
                .action()
                .group()
                .distance(
                    mapping.map(new PointCloud(3, five)).element(), mapping.map(four).element()))
        .isLessThan(1e-6);
    assertThatThrownBy(() -> DataSets.images(folder.toString(), null, Split.TEST, Choice.ALL))
        .hasMessageContaining("expected images, found clouds of 4 points");
    labels("a-test-labels-idx1-ubyte", 0, 0, 0, 2, 1);
    assertThatThrownBy(() -> read(Split.TEST, Choice.ALL)).hasMessageContaining("classes.txt");
    labels("a-test-labels-idx1-ubyte", 0, 0);
    assertThatThrownBy(() -> read(Split.TEST, Choice.ALL)).hasMessageContaining("5 labels");
  }

  @Test
  void idxFilesOfOnePart() throws IOException {
    CloudFormat idx = CloudFormat.named("idx-int16");
    List<Mesh> one = List.of(Mesh.of(line(4, 1)));
    Path plain = folder.resolve("points-idx3-int16");
    CloudFiles.write(plain, idx, one);
    labels("labels-idx1-ubyte", 1);
    assertThat(auditSplit()).isEqualTo(Split.TEST);
    assertThat(read(Split.TEST, Choice.ALL).labels()).containsExactly(1);
    assertThatThrownBy(() -> read(Split.TRAIN, Choice.ALL))
        .hasMessageContaining("one IDX file of points with train in its name, found none");
    Files.move(plain, folder.resolve("train-points-idx3-int16"));
    labels("train-labels-idx1-ubyte", 1);
    assertThat(auditSplit()).isEqualTo(Split.ALL);
    assertThat(read(Split.ALL, Choice.ALL).labels()).containsExactly(1);
    assertThatThrownBy(() -> read(Split.TEST, Choice.ALL))
        .hasMessageContaining("one IDX file of points with test in its name, found none");
  }

  private void cloud(String file, int points) throws IOException {
    Path to = folder.resolve(file);
    Files.createDirectories(to.getParent());
    CloudFiles.write(to, line(points, 1));
  }

  @Test
  void partsBelowTheClasses() throws IOException {
    for (String c : List.of("cup", "hat")) {
      cloud(c + "/own.ply", 70);
      cloud(c + "/test/1.ply", 50);
      cloud(c + "/test/2.xyz", 60);
    }
    assertThatThrownBy(() -> read(Split.TEST, Choice.ALL))
        .hasMessageContaining("expected 50 points")
        .hasMessageContaining("Give the number of points");
    Choice forty = Choice.ALL.withPoints(40);
    CloudSet set = read(Split.TEST, forty);
    assertThat(set.labels()).containsExactly(0, 0, 1, 1);
    assertThat(set.points()).isEqualTo(40);
    float[] chosen = set.clouds().get(3).coordinates();
    assertThat(IntStream.range(0, 40).mapToObj(i -> chosen[3 * i]).distinct()).hasSize(40);
    assertThat(read(Split.TRAIN, Choice.ALL).points()).isEqualTo(70);
    cloud("cup/train/1.ply", 30);
    cloud("hat/train/1.ply", 30);
    assertThat(read(Split.TRAIN, Choice.ALL).points()).isEqualTo(30);
    assertThat(read(Split.ALL, forty.withPoints(20)).labels()).containsExactly(0, 0, 0, 1, 1, 1);
    assertThat(auditSplit()).isEqualTo(Split.TEST);
    assertThatThrownBy(() -> DataSets.load(folder + "/none", null, Split.TEST, Choice.ALL))
        .hasMessageContaining("one of clouds, found nothing there");
    Files.createDirectories(folder.resolve("mug"));
    assertThatThrownBy(() -> read(Split.TEST, forty))
        .hasMessageContaining("mug: expected at least one cloud");
  }

  @Test
  void partsAboveTheClasses() throws IOException {
    for (String c : List.of("cup", "hat", "mug")) {
      cloud("train/%s/1.ply".formatted(c), 5);
    }
    assertThat(auditSplit()).isEqualTo(Split.ALL);
    assertThatThrownBy(() -> read(Split.TEST, Choice.ALL)).hasMessageContaining("the part test");
    cloud("test/hat/1.ply", 5);
    cloud("test/mug/1.ply", 5);
    assertThat(auditSplit()).isEqualTo(Split.TEST);
    // A label is the same class in both parts.
    assertThat(read(Split.TEST, Choice.ALL).labels()).containsExactly(1, 2);
    assertThat(read(Split.TRAIN, Choice.ALL).labels()).containsExactly(0, 1, 2);
    assertThat(read(Split.ALL, Choice.ALL).labels()).containsExactly(0, 1, 2, 1, 2);
    cloud("test/tub/1.ply", 5);
    assertThatThrownBy(() -> read(Split.TEST, Choice.ALL))
        .hasMessageContaining("tub: expected one of the classes [cup, hat, mug]");
  }

  @Test
  void withoutPartsOneInFiveIsForTesting() throws IOException {
    for (String c : List.of("cup", "hat")) {
      for (int i = 0; i < 20; i++) {
        cloud("%s/%d.ply".formatted(c, i), 4);
      }
    }
    assertThat(auditSplit()).isEqualTo(Split.ALL);
    assertThat(read(Split.ALL, Choice.ALL).size()).isEqualTo(40);
    int test = read(Split.TEST, Choice.ALL).size();
    assertThat(test).isBetween(2, 16);
    assertThat(read(Split.TRAIN, Choice.ALL).size()).isEqualTo(40 - test);
  }

  @Test
  void readsModelNet() throws IOException {
    Path root = Path.of(System.getProperty("orbit.data", ""));
    assumeTrue(Files.isDirectory(root.resolve("modelnet40")), "needs -Dorbit.data with modelnet40");
    CloudSet set = DataSets.clouds("modelnet40", root, Split.TEST, Choice.ALL.withLimit(80));
    assertThat(set.name()).isEqualTo("modelnet40");
    assertThat(set.points()).isEqualTo(1024);
    assertThat(set.classes()).hasSize(40).startsWith("airplane", "bathtub");
    assertThat(IntStream.of(set.labels()).distinct().count()).isEqualTo(40);
    CloudSet train = DataSets.clouds("modelnet40", root, Split.TRAIN, Choice.ALL);
    assertThat(train.classes()).isEqualTo(set.classes());
    assertThat(train.requireEveryClass().size()).isGreaterThanOrEqualTo(40);
  }
}
