package org.orbitmap.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.app.option.Json;
import org.orbitmap.app.report.CloudFigure;
import org.orbitmap.image.Image;
import org.orbitmap.io.Digests;
import org.orbitmap.io.cloud.CloudFiles;
import org.orbitmap.io.data.source.Glyphs;
import org.orbitmap.io.image.ImageFiles;

/**
 * A cluster gives what this machine gives, also when it loses results, and what it left when it
 * went away is finished by the next call.
 */
class ClusterCommandsTest {
  @TempDir private static Path shared;
  private static Path run;

  @TempDir private Path folder;

  @BeforeAll
  static void train() throws IOException {
    run = shared.resolve("run");
    Run trained =
        Run.orbit(
            "train",
            "--preset",
            "glyphs-convnet",
            "--out",
            run.toString(),
            "-q",
            "--set",
            "network.width-factor=0.125",
            "--set",
            "epochs=1",
            "--set",
            "threads=1",
            "--set",
            "limit=200");
    assertThat(trained.code()).as(trained.err()).isZero();
  }

  /** Every file below a folder and its digest; of the manifest, its lines in any order. */
  private static Map<String, Object> contents(Path root) throws IOException {
    Map<String, Object> all = new TreeMap<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String name = root.relativize(file).toString();
        if (name.equals("manifest.jsonl")) {
          List<String> lines = Files.readAllLines(file);
          assertThat(lines).doesNotHaveDuplicates();
          all.put(name, new TreeSet<>(lines));
        } else {
          all.put(name, Digests.sha256(file));
        }
      }
    }
    return all;
  }

  private Path inputs(int images) throws IOException {
    for (int k = 0; k < images; k++) {
      Image image = Glyphs.generate(1, k).image(0);
      ImageFiles.writePng(folder.resolve("in/sub/%02d.png".formatted(k)), image);
    }
    CloudFiles.write(folder.resolve("in/chair.ply"), CloudFigure.chair());
    Files.writeString(folder.resolve("in/bad.png"), "no image");
    return folder.resolve("in");
  }

  private Run map(String out, String... more) {
    return Run.orbit(
        Stream.concat(
                Stream.of(
                    "map",
                    folder.resolve("in").toString(),
                    "--out",
                    folder.resolve(out).toString(),
                    "--json"),
                Stream.of(more))
            .toArray(String[]::new));
  }

  private static String same(Run run, String out) {
    return run.out().replace("/" + out + "/", "/OUT/");
  }

  @Test
  void mapWritesTheSameFiles() throws IOException {
    inputs(40);
    for (List<String> options : List.of(List.<String>of(), List.of("--ambiguous", "frames"))) {
      String[] plain = options.toArray(String[]::new);
      String here = "here" + options.size();
      String there = "there" + options.size();
      Run expected = map(here, plain);
      Run found =
          map(
              there,
              Stream.concat(options.stream(), Stream.of("--cluster", "forgetful[1]"))
                  .toArray(String[]::new));
      assertThat(found.code()).as(found.err()).isEqualTo(expected.code()).isEqualTo(2);
      assertThat(same(found, there)).isEqualTo(same(expected, here));
      assertThat(contents(folder.resolve(there))).isEqualTo(contents(folder.resolve(here)));
      assertThat(found.err()).contains("done on a forgetful cluster");
    }
  }

  /** Frames are files beside a result: those that a lost machine wrote are not in the way. */
  @Test
  void framesThatALostMachineWroteAreNotInTheWay() throws IOException {
    CloudFiles.write(folder.resolve("in/chair.ply"), CloudFigure.chair());
    String[] frames = {"--mapping", "frames"};
    Run expected = map("here", frames);
    Run found = map("there", "--mapping", "frames", "--cluster", "forgetful[1]");
    assertThat(found.code()).as(found.out()).isZero();
    assertThat(same(found, "there")).isEqualTo(same(expected, "here"));
    assertThat(contents(folder.resolve("there")))
        .hasSizeGreaterThan(3)
        .isEqualTo(contents(folder.resolve("here")));
  }

  @Test
  void aMapThatIsKilledEndsWithTheSameFilesWhenRepeated() throws IOException {
    inputs(40);
    map("here");
    Run killed = map("there", "--cluster", "forgetful[2,5]");
    assertThat(killed.code()).isEqualTo(2);
    assertThat(killed.err()).contains("found it gone");
    // As if the asking process had been killed, too, and a writer on another machine.
    Path left = folder.resolve("there/.manifest/part.jsonl");
    Files.createDirectories(left.getParent());
    Path manifest = folder.resolve("there/manifest.jsonl");
    List<String> lines = Files.readAllLines(manifest);
    assertThat(lines.size()).isBetween(5, 30);
    Files.writeString(left, String.join("\n", lines.subList(2, lines.size())) + "\n{\"file\":\"x");
    Files.writeString(manifest, String.join("\n", lines.subList(0, 3)) + "\n");
    Files.writeString(folder.resolve("there/sub/.abc_other_1.tmp.39.png"), "half");

    Run again = map("there", "--cluster", "forgetful[3]");
    assertThat(Json.mapper().readTree(again.out()).get("kept").asInt()).isEqualTo(lines.size());
    assertThat(contents(folder.resolve("there"))).isEqualTo(contents(folder.resolve("here")));
    assertThat(folder.resolve("there/.manifest")).doesNotExist();
  }

  @Test
  void whatIsInTheWayIsRefusedAsHere() throws IOException {
    inputs(3);
    Files.createDirectories(folder.resolve("out/sub"));
    Files.writeString(folder.resolve("out/sub/01.png"), "mine");
    Run refused = map("out", "--cluster", "forgetful[1]");
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err()).contains("01.png: expected nothing there");
    assertThat(folder.resolve("out/sub/01.png")).hasContent("mine");
  }

  private static JsonNode figures(Run run) throws IOException {
    assertThat(run.code()).as(run.err()).isZero();
    ObjectNode document = (ObjectNode) Json.mapper().readTree(run.out());
    assertThat(document.remove("modelShare").asDouble()).isBetween(0.0, 1.0);
    return document;
  }

  private static void assertSame(String... command) throws IOException {
    String[] there =
        Stream.concat(Stream.of(command), Stream.of("--cluster", "forgetful[1]"))
            .toArray(String[]::new);
    assertThat(figures(Run.orbit(there))).isEqualTo(figures(Run.orbit(command)));
  }

  @Test
  void anEvaluationAndAnAuditGiveTheSameFigures() throws IOException {
    assertSame("evaluate", run.toString(), "--limit", "100", "--step", "60", "--json");
    assertSame(
        "evaluate", run.toString(), "--limit", "70", "--step", "90", "--mapping", "disc", "--json");
    Path onnx = folder.resolve("model.onnx");
    Run exported = Run.orbit("export", run.toString(), "--out", onnx.toString(), "-q");
    assertThat(exported.code()).as(exported.err()).isZero();
    Path data = folder.resolve("data");
    for (int k = 0; k < 50; k++) {
      ImageFiles.writePng(data.resolve("%02d.png".formatted(k)), Glyphs.generate(1, k).image(0));
    }
    assertSame(
        "audit",
        onnx.toString(),
        "--data",
        data.toString(),
        "--step",
        "45",
        "--batch",
        "7",
        "--mapping",
        "disc",
        "--frames",
        "2",
        "--json");
    Path report = folder.resolve("report");
    Run page =
        Run.orbit(
            "audit",
            onnx.toString(),
            "--data",
            data.toString(),
            "--step",
            "90",
            "--out",
            report.toString(),
            "--cluster",
            "forgetful[1]");
    assertThat(page.code()).as(page.err()).isZero();
    assertThat(Files.readString(report.resolve("audit.html"))).contains("a forgetful cluster");
  }

  @Test
  void whatCannotBeIsSaid() {
    Run unknown = Run.orbit("evaluate", run.toString(), "--cluster", "mesos://x");
    assertThat(unknown.code()).isEqualTo(2);
    assertThat(unknown.err()).contains("--cluster: expected local[N]", "found mesos://x");
    Run alone = Run.orbit("evaluate", run.toString(), "--conf", "a=b");
    assertThat(alone.code()).isEqualTo(2);
    assertThat(alone.err()).contains("--conf: expected with --cluster");
    Run sandbox =
        Run.orbit("audit", "x.onnx", "--data", "y", "--sandbox", "--cluster", "forgetful[1]");
    assertThat(sandbox.code()).isEqualTo(2);
    assertThat(sandbox.err()).contains("--cluster: expected a model that is trusted");
  }
}
