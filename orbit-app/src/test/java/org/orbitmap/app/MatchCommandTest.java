package org.orbitmap.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.app.option.Errors;
import org.orbitmap.app.option.Json;
import org.orbitmap.app.sample.SampleAnimal;
import org.orbitmap.cloud.PointFeature;
import org.orbitmap.io.FolderLock;
import org.orbitmap.io.cloud.CloudFiles;
import org.orbitmap.mesh.Mesh;

class MatchCommandTest {
  @TempDir static Path folder;
  private static Mesh standing;
  private static Mesh walking;

  @BeforeAll
  static void animals() throws IOException {
    standing = SampleAnimal.pose("standing");
    walking = SampleAnimal.pose("walking");
    assertThat(List.of(standing, walking))
        .allSatisfy(
            m -> {
              assertThat(m.isClosed()).isTrue();
              assertThat(m.eulerCharacteristic()).isEqualTo(2);
            });
    CloudFiles.write(file("standing.off"), standing);
    CloudFiles.write(file("walking.ply"), walking);
  }

  private static Path file(String name) {
    return folder.resolve(name);
  }

  private static JsonNode json(String... args) throws IOException {
    Run run = Run.orbit(args);
    assertThat(run.code()).as(run.err()).isEqualTo(Errors.OK);
    return Json.mapper().readTree(run.out());
  }

  private static void refused(String part, String... args) {
    Run run = Run.orbit(args);
    assertThat(run.code()).as(run.err()).isEqualTo(Errors.BAD_INPUT);
    assertThat(run.err()).contains(part);
    assertThat(run.err().lines().filter(l -> !l.isBlank())).hasSize(1);
  }

  @Test
  void aFolderThatIsWrittenToIsRefusedBeforeAnythingIsDone() throws IOException {
    Path out = file("taken");
    try (FolderLock lock = FolderLock.take(out)) {
      lock.removeLeftovers();
      String a = file("standing.off").toString();
      String b = file("walking.ply").toString();
      String held = "taken: expected a folder that no other process writes to, found process";
      refused(held, "match", a, b, "--out", out.toString());
      refused(held, "reproduce", "cost", "--out", out.toString());
    }
    assertThat(out).doesNotExist();
  }

  /** Noses, tails and feet find each other, left ones left ones. */
  @Test
  void matchesTwoPosesOfAnAnimal() throws IOException {
    Path out = file("out");
    JsonNode result =
        json(
            "match",
            file("standing.off").toString(),
            file("walking.ply").toString(),
            "--out",
            out.toString(),
            "--eigen",
            "60",
            "--json");
    assertThat(result.get("seconds").doubleValue()).isPositive();
    assertThat(result.get("bijectivity").doubleValue()).isBetween(0.95, 1.0);
    assertThat(result.get("margin").doubleValue()).isGreaterThan(0.1);
    List<String> map = Files.readAllLines(out.resolve("map.txt"));
    assertThat(map).hasSize(walking.vertices().size());
    assertThat(Files.readAllLines(out.resolve("inverse.txt"))).hasSize(standing.vertices().size());
    assertThat(out.resolve("C.npy")).exists();
    assertThat(out.resolve("report.html")).content().contains("standing.off", "data:image/png");
    // The tip of the nose and of the tail, and the left front foot.
    float[] x = standing.vertices().coordinates();
    int nose = extreme(walking, 1, 0, 0);
    assertThat(x[3 * found(map, nose)]).isGreaterThan(1.1f);
    int tail = extreme(walking, -1, 0.2, 0);
    assertThat(x[3 * found(map, tail)]).isLessThan(-1.0f);
    int left = extreme(walking, 0.8, -1, 0.6);
    int foot = found(map, left);
    assertThat(x[3 * foot + 1]).as("low").isLessThan(-0.7f);
    assertThat(x[3 * foot + 2]).as("left").isPositive();
    assertThat(x[3 * foot]).as("in front").isPositive();
    float[] a = colours(out.resolve("a.ply"));
    float[] b = colours(out.resolve("b.ply"));
    assertThat(b[3 * nose]).isEqualTo(a[3 * found(map, nose)]);
  }

  private static int found(List<String> map, int vertex) {
    return Integer.parseInt(map.get(vertex));
  }

  private static float[] colours(Path ply) throws IOException {
    return CloudFiles.read(ply).feature(PointFeature.COLOUR).orElseThrow().values();
  }

  private static int extreme(Mesh mesh, double a, double b, double c) {
    float[] x = mesh.vertices().coordinates();
    int best = 0;
    double most = Double.NEGATIVE_INFINITY;
    for (int v = 0; v < x.length / 3; v++) {
      double s = a * x[3 * v] + b * x[3 * v + 1] + c * x[3 * v + 2];
      if (s > most) {
        most = s;
        best = v;
      }
    }
    return best;
  }

  @Test
  void refusesWhatCannotBeMatched() throws IOException {
    String good = file("standing.off").toString();
    Files.writeString(file("points.xyz"), "0 0 0\n1 0 0\n0 1 0\n0 0 1\n");
    refused("expected triangles", "match", good, file("points.xyz").toString());
    Files.writeString(file("out.off"), "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 7\n");
    refused("7", "match", good, file("out.off").toString());
    Files.writeString(file("small.off"), "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
    refused("1 … 3", "match", good, file("small.off").toString());
    refused("wks or hks", "match", good, good, "--descriptors", "shot");
    refused("zoomout or none", "match", good, good, "--refine", "icp");
    refused("4 to 500", "match", good, good, "--eigen", "3");
    Files.writeString(file("pairs.txt"), "1 2\n3\n");
    refused("line 2", "match", good, good, "--landmarks", file("pairs.txt").toString());
    Files.writeString(file("far.txt"), "1 99999\n");
    refused(
        "99999", "match", good, good, "--eigen", "8", "--landmarks", file("far.txt").toString());
    refused("nowhere.off", "match", good, file("nowhere.off").toString());
    refused("--maps", "reproduce", "rotmnist", "--maps", folder.toString());
    refused("--seeds", "reproduce", "isometry", "--seeds", "2");
    refused("--rows", "reproduce", "isometry", "--rows", "list");
  }

  /** The canonical embedding of a moved, grown mesh is that of the mesh. */
  @Test
  void embedsMeshes() throws IOException {
    float[] moved = standing.vertices().coordinates().clone();
    for (int i = 0; i < moved.length; i += 3) {
      float x = moved[i];
      moved[i] = 3 - 2 * moved[i + 1];
      moved[i + 1] = 2 * x;
      moved[i + 2] = 2 * moved[i + 2] - 1;
    }
    CloudFiles.write(
        file("moved.off"), standing.with(new org.orbitmap.cloud.PointCloud(3, moved), false));
    JsonNode both =
        json(
            "map",
            file("standing.off").toString(),
            file("moved.off").toString(),
            "--group",
            "isometry",
            "--eigen",
            "5",
            "--out",
            file("embedded").toString(),
            "--json");
    assertThat(both.get("mapped").intValue()).isEqualTo(2);
    JsonNode first = both.get("files").get(0);
    assertThat(first.get("margin").doubleValue()).isGreaterThan(1e-3);
    assertThat(first.get("eigenvalues")).hasSize(5);
    float[] a = embedding("standing");
    float[] b = embedding("moved");
    assertThat(a).hasSize(5 * standing.vertices().size());
    double worst = 0;
    for (int i = 0; i < a.length; i++) {
      worst = Math.max(worst, Math.abs(a[i] - b[i]));
    }
    assertThat(worst).isLessThan(1e-2);
    refused(
        "--mapping",
        "map",
        file("moved.off").toString(),
        "--group",
        "isometry",
        "--mapping",
        "skewness",
        "--out",
        file("x").toString());
  }

  private static float[] embedding(String name) throws IOException {
    Path file = file("embedded").resolve(name + ".npy");
    byte[] all = Files.readAllBytes(file);
    java.nio.ByteBuffer b = java.nio.ByteBuffer.wrap(all).order(java.nio.ByteOrder.LITTLE_ENDIAN);
    int start = 10 + b.getShort(8);
    float[] x = new float[(all.length - start) / 8];
    for (int i = 0; i < x.length; i++) {
      x[i] = (float) b.getDouble(start + 8 * i);
    }
    return x;
  }

  /** Two pairs of the real data, where it is there; what is finished is kept. */
  @Test
  void reproducesTheStudy() throws IOException {
    String data = System.getProperty("orbit.data", "");
    assumeTrue(
        !data.isEmpty() && Files.isDirectory(Path.of(data, "meshes")), "no meshes of TOSCA here");
    assumeTrue(Boolean.getBoolean("orbit.long"), "a minute: -Dorbit.long=true");
    Path out = file("study");
    JsonNode table =
        json("reproduce", "isometry", "--limit", "2", "--out", out.toString(), "--json");
    assertThat(table.get("pairs").intValue()).isEqualTo(2);
    assertThat(table.at("/classes/0/meanError").doubleValue()).isBetween(0.001, 0.05);
    for (JsonNode kind : table.at("/retrieval/cases")) {
      assertThat(kind.get("spectral").doubleValue()).as(kind.toString()).isEqualTo(1);
    }
    assertThat(table.at("/retrieval/cases/1/plain").doubleValue()).isLessThan(0.9);
    assertThat(table.at("/retrieval/cases/2/plain").doubleValue()).isLessThan(0.6);
    assertThat(out.resolve("table.html")).exists();
    JsonNode again =
        json("reproduce", "isometry", "--limit", "2", "--out", out.toString(), "--json");
    assertThat(again.get("results")).isEqualTo(table.get("results"));
  }
}
