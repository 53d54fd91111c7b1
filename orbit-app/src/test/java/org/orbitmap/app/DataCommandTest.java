package org.orbitmap.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.app.option.Json;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.io.cloud.CloudFiles;
import org.orbitmap.io.data.source.DataSets;

class DataCommandTest {
  @TempDir Path folder;

  private void cloud(String file, int points) throws IOException {
    Path to = folder.resolve(file);
    Files.createDirectories(to.getParent());
    float[] x = new float[3 * points];
    x[0] = 1;
    CloudFiles.write(to, new PointCloud(3, x));
  }

  @Test
  void verifiesCloudsBesideImages() throws IOException {
    Path cifar = Files.createDirectories(folder.resolve("cifar10"));
    Files.write(cifar.resolve("test_batch.bin"), new byte[3073]);
    Files.write(cifar.resolve("data_batch_1.bin"), new byte[2 * 3073]);
    for (String c : new String[] {"cup", "hat"}) {
      cloud("shapes/train/%s/1.ply".formatted(c), 5);
      cloud("shapes/test/%s/1.ply".formatted(c), 6);
    }
    Run text = Run.orbit("data", "verify", folder.toString());
    assertThat(text.code()).as(text.out()).isZero();
    assertThat(text.out())
        .contains("cifar10 train: cifar10, 2 images of 3 x 32 x 32 in 10 classes")
        .contains("shapes train: shapes, 2 clouds of 5 points in 3-D in 2 classes")
        .contains("{cup=1, hat=1}");
    cloud("shapes/test/hat/2.ply", 9);
    Run differ = Run.orbit("data", "verify", folder.resolve("shapes").toString());
    assertThat(differ.code()).as(differ.out()).isZero();
    assertThat(differ.out()).contains("3 clouds of 6 to 9 points in 3-D");
    Files.createDirectories(folder.resolve("models"));
    assertThat(Run.orbit("data", "verify", folder.toString()).out())
        .contains(folder.resolve("models") + ": no data set");
    Files.writeString(folder.resolve("shapes/test/hat/3.ply"), "ply\n");
    Run damaged = Run.orbit("data", "verify", folder.resolve("shapes").toString());
    assertThat(damaged.code()).isEqualTo(1);
    assertThat(damaged.out()).contains("1 of 4 files cannot be read", "3.ply");
    Files.delete(folder.resolve("shapes/test/hat/3.ply"));
    Run drawn =
        Run.orbit("data", "verify", folder.resolve("shapes").toString(), "--points", "4", "--json");
    assertThat(drawn.code()).as(drawn.out()).isZero();
    JsonNode test = Json.mapper().readTree(drawn.out()).get("sets").get(1);
    assertThat(test.get("items").asInt()).isEqualTo(3);
    assertThat(test.get("shape").asText()).isEqualTo("clouds of 4 points in 3-D");
  }

  @Test
  void helpNamesEveryDataSet() {
    assertThat(Run.orbit("data", "--help").out()).contains(DataSets.names());
    assertThat(Run.orbit("stability", "--help").out().replaceAll("\\s+", " "))
        .contains(String.join(", ", DataSets.names()));
  }

  @Test
  void aNameIsEnough() {
    Run run = Run.orbit("data", "verify", "glyphs");
    assertThat(run.code()).isZero();
    assertThat(run.out()).contains("glyphs train: glyphs, 4,000 images of 1 x 28 x 28");
  }

  @Test
  void saysWhatCannotBeFetched() {
    for (String[] wrong :
        new String[][] {
          {"glyphs", "always there"}, {"modelnet40", "modelnet.cs.princeton.edu"}, {"x", "one of"}
        }) {
      Run run = Run.orbit("data", "get", wrong[0], "--out", folder.toString());
      assertThat(run.code()).isEqualTo(2);
      assertThat(run.err()).contains(wrong[1]).doesNotContain("\tat ");
    }
  }
}
