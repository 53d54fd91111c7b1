package org.orbitmap.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.app.option.Json;
import org.orbitmap.app.report.CloudFigure;
import org.orbitmap.cloud.CloudAction;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.group.Similarity;
import org.orbitmap.group.SimilarityGroup;
import org.orbitmap.io.cloud.CloudFiles;
import org.orbitmap.io.cloud.CloudFormat;
import org.orbitmap.mesh.Mesh;

class CloudCommandsTest {
  private static final SimilarityGroup SIM3 = SimilarityGroup.similarities(3);

  @TempDir private Path folder;
  private Path chair;

  @BeforeEach
  void aChair() throws IOException {
    chair = folder.resolve("chair.ply");
    CloudFiles.write(chair, CloudFigure.chair());
  }

  @Test
  void mapsMeshesAndReportsThePose() throws IOException {
    Random random = new Random(1);
    Similarity g = SIM3.sample(random);
    Mesh mesh = CloudFiles.readMesh(chair);
    Path moved = folder.resolve("moved.off");
    CloudFiles.write(moved, mesh.with(new CloudAction(SIM3).act(g, mesh.vertices()), false));
    Path out = folder.resolve("out");
    Run run =
        Run.orbit("map", chair.toString(), moved.toString(), "--out", out.toString(), "--json");
    assertThat(run.code()).as(run.err()).isZero();
    JsonNode files = Json.mapper().readTree(run.out()).get("files");
    JsonNode first = files.get(0);
    assertThat(first.get("scale").asDouble()).isPositive();
    assertThat(first.get("rotation").get(0)).hasSize(3);
    assertThat(first.get("translation")).hasSize(3);
    assertThat(first.get("eigenGap").asDouble()).isBetween(0.001, 1.0);
    assertThat(first.get("signMargin").asDouble()).isBetween(0.0001, 1.0);
    assertThat(files.get(1).get("scale").asDouble() * g.scale())
        .isCloseTo(first.get("scale").asDouble(), within(1e-4));
    Mesh a = CloudFiles.readMesh(out.resolve("chair.ply"));
    Mesh b = CloudFiles.readMesh(out.resolve("moved.off"));
    assertThat(a.triangles()).isEqualTo(b.triangles()).isEqualTo(mesh.triangles());
    assertThat(a.vertices().relativeDistance(b.vertices())).isLessThan(1e-4);
    // The reported element leads from the file to the result.
    JsonNode rows = first.get("rotation");
    double[] r = new double[9];
    for (int i = 0; i < 9; i++) {
      r[i] = rows.get(i / 3).get(i % 3).asDouble();
    }
    double[] t = new double[3];
    for (int i = 0; i < 3; i++) {
      t[i] = first.get("translation").get(i).asDouble();
    }
    Similarity found = new Similarity(first.get("scale").asDouble(), r, t);
    assertThat(new CloudAction(SIM3).act(found, mesh.vertices()).relativeDistance(a.vertices()))
        .isLessThan(1e-5);
  }

  @Test
  void everyGroupSignRuleAndFormat() throws IOException {
    for (String group : SimilarityGroup.names(3)) {
      for (String signs : List.of("skewness", "first-point")) {
        Path out = folder.resolve(group + signs);
        Run run =
            Run.orbit(
                "map",
                chair.toString(),
                "--out",
                out.toString(),
                "--group",
                group,
                "--mapping",
                signs);
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(out.resolve("chair.ply")).exists();
      }
    }
    for (CloudFormat format : CloudFormat.values()) {
      if (format.writable() && format != CloudFormat.IDX_INT16) {
        Path out = folder.resolve(format.label());
        Run run =
            Run.orbit(
                "map",
                chair.toString(),
                "--out",
                out.toString(),
                "--format",
                format.label(),
                "--points",
                "200");
        assertThat(run.code()).as(run.err()).isZero();
        try (var files = Files.list(out)) {
          Path only = files.filter(f -> !f.endsWith("manifest.jsonl")).findFirst().orElseThrow();
          assertThat(CloudFiles.read(only).size()).isEqualTo(200);
        }
      }
    }
  }

  @Test
  void everyGroupExistsInThePlaneToo() throws IOException {
    Path flat = folder.resolve("flat.npy");
    CloudFiles.write(flat, new PointCloud(2, new float[] {0, 0, 4, 0, 0, 2, 5, 1, 7, 3}));
    Path out = folder.resolve("plane");
    for (String group : SimilarityGroup.names(2)) {
      Run run =
          Run.orbit(
              "map", flat.toString(), "--out", out.resolve(group).toString(), "--group", group);
      assertThat(run.code()).as(group + run.err() + run.out()).isZero();
      assertThat(run.out()).doesNotContain("Infinity", "NaN");
    }
    for (String group : List.of("e3", "sim3-mirrored")) {
      Run run = Run.orbit("map", flat.toString(), "--out", out.toString(), "--group", group);
      assertThat(run.code()).as(group).isEqualTo(2);
      assertThat(run.out()).contains("acts on, found one in 2 dimensions");
    }
  }

  @Test
  void namesMeanTheirGroups() {
    assertThat(SimilarityGroup.names(3).stream().map(n -> SimilarityGroup.named(n, 3).name()))
        .containsExactly(
            "Sim(3)",
            "SE(3)",
            "SO(3)",
            "scalings of R^3",
            "translations of R^3",
            "O(3)",
            "E(3)",
            "Sim±(3)",
            "Sim(3) about the vertical",
            "SE(3) about the vertical",
            "SO(2) about the vertical");
    assertThat(SimilarityGroup.named("E2", 2).name()).isEqualTo("E(2)");
  }

  @Test
  void ambiguousCloudsFollowThePolicy() throws IOException {
    Path cube = folder.resolve("cube.xyz");
    CloudFiles.write(
        cube,
        new PointCloud(
            3,
            new float[] {
              1, 1, 1, 1, 1, -1, 1, -1, 1, 1, -1, -1, -1, 1, 1, -1, 1, -1, -1, -1, 1, -1, -1, -1
            }));
    Path out = folder.resolve("o");
    Run warned = Run.orbit("map", cube.toString(), "--out", out.toString());
    assertThat(warned.code()).isZero();
    assertThat(warned.out()).contains("the pose is ambiguous");
    Run abstained =
        Run.orbit(
            "map",
            cube.toString(),
            "--out",
            folder.resolve("p").toString(),
            "--ambiguous",
            "abstain");
    assertThat(abstained.code()).isEqualTo(2);
    assertThat(folder.resolve("p").resolve("cube.xyz")).doesNotExist();
    Path frames = folder.resolve("f");
    Run all =
        Run.orbit(
            "map", cube.toString(), "--out", frames.toString(), "--ambiguous", "frames", "--json");
    assertThat(all.code()).isZero();
    assertThat(Json.mapper().readTree(all.out()).get("files").get(0).get("frames")).hasSize(24);
    try (var files = Files.list(frames)) {
      assertThat(files.filter(f -> !f.endsWith("manifest.jsonl"))).hasSize(24);
    }
    Run four =
        Run.orbit(
            "map",
            chair.toString(),
            "--out",
            folder.resolve("g").toString(),
            "--mapping",
            "frames",
            "--points",
            "500",
            "--json");
    assertThat(Json.mapper().readTree(four.out()).get("files").get(0).get("frames")).hasSize(4);
  }

  @Test
  void badInputIsNamed() throws IOException {
    Path bad = folder.resolve("bad.off");
    Files.writeString(bad, "OFF\n99999999 1 0\n0 0 0\n");
    Run run = Run.orbit("map", bad.toString(), "--out", folder.resolve("x").toString());
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.out()).contains("bad.off: expected room for 99999999 vertices");
    assertThat(folder.resolve("x").resolve("bad.off")).doesNotExist();
    Run group = Run.orbit("map", chair.toString(), "--out", "x", "--group", "su3");
    assertThat(group.code()).isEqualTo(2);
    assertThat(group.err()).contains("sim3", "found su3");
    Run signs = Run.orbit("map", chair.toString(), "--out", "x", "--mapping", "odd");
    assertThat(signs.code()).isEqualTo(2);
    assertThat(signs.err()).contains("first-point, frames] for clouds, or isometry", "found odd");
    Run size = Run.orbit("map", chair.toString(), "--out", "x", "--size", "odd");
    assertThat(size.code()).isEqualTo(2);
    assertThat(size.err()).contains("size: expected mean-distance or max-norm, found odd");
  }

  @Test
  void theSolidOfTheDemoStandsStill() {
    CloudFigure figure = CloudFigure.of(4);
    assertThat(figure.worst()).isLessThan(1e-5);
    assertThat(figure.sheet().width()).isGreaterThan(figure.sheet().height());
    int[] ink = new int[4];
    for (int k = 0; k < 4; k++) {
      var image = CloudFigure.draw(figure.rows().get(k).canonical(), 2.2);
      for (int p = 0; p < image.getWidth() * image.getHeight(); p++) {
        int rgb = image.getRGB(p % image.getWidth(), p / image.getWidth());
        ink[k] += (rgb & 0xff) < 200 ? 1 : 0;
      }
    }
    assertThat(ink[0]).isGreaterThan(1000);
    assertThat(ink[3]).isCloseTo(ink[0], within(200));
  }

  @Test
  void theBenchmarkKnowsClouds() throws IOException {
    Run run = Run.orbit("bench", "--only", "cloud-1024", "--seconds", "0.2", "--json");
    assertThat(run.code()).as(run.err()).isZero();
    JsonNode result = Json.mapper().readTree(run.out()).get("benchmarks").get(0);
    assertThat(result.get("name").asText()).isEqualTo("cloud-1024");
    assertThat(result.get("microsecondsPerItem").asDouble()).isPositive();
  }
}
