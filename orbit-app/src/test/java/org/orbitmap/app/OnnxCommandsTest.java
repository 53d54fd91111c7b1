package org.orbitmap.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.app.option.Json;
import org.orbitmap.io.Version;

/** inspect, wrap and audit, on models and data that others made. */
class OnnxCommandsTest {
  @TempDir Path folder;

  private static Path data() {
    String data = System.getProperty("orbit.data", "");
    assumeTrue(!data.isBlank() && Files.isDirectory(Path.of(data)), "no -Dorbit.data");
    return Path.of(data);
  }

  private static String squeezenet() {
    return data().resolve("models/cifar10_squeezenet_nhwc.onnx").toString();
  }

  private static JsonNode json(Run run) throws Exception {
    assertThat(run.code()).as(run.err()).isLessThan(2);
    return Json.mapper().readTree(run.out());
  }

  @Test
  void wrappedModelsSayWhatTheyAre() throws Exception {
    String out = folder.resolve("invariant.onnx").toString();
    Run wrap = Run.orbit("wrap", squeezenet(), "--out", out, "--frames", "8", "--fill", "reflect");
    assertThat(wrap.code()).as(wrap.err()).isZero();
    JsonNode inspected = json(Run.orbit("inspect", out, "--json"));
    assertThat(inspected.at("/opsets/ai.onnx").asInt()).isEqualTo(16);
    assertThat(inspected.at("/inputs/0/name").asText()).isEqualTo("input_1");
    assertThat(inspected.at("/outputs/0/name").asText()).isEqualTo("loss");
    JsonNode metadata = inspected.get("metadata");
    assertThat(metadata.get("orbit.mapping").asText())
        .isEqualTo("disc, bicubic, reflected corners");
    assertThat(metadata.get("orbit.version").asText()).isEqualTo(Version.current());
    assertThat(metadata.get("orbit.guarantee").asText()).startsWith("approximate: ");
    assertThat(metadata.get("orbit.frames").asText()).isEqualTo("8, select confidence");
    assertThat(Run.orbit("inspect", out).out()).contains("yes, wrapped").contains("SO(2)");
    assertThat(Run.orbit("inspect", squeezenet()).out()).contains("not wrapped");

    Run mirrors =
        Run.orbit(
            "wrap",
            squeezenet(),
            "--out",
            out,
            "--frames",
            "4",
            "--mirrors",
            "--fill",
            "edge",
            "--no-raise-opset");
    assertThat(mirrors.code()).as(mirrors.err()).isZero();
    inspected = json(Run.orbit("inspect", out, "--json"));
    assertThat(inspected.at("/opsets/ai.onnx").asInt()).isEqualTo(9);
    metadata = inspected.get("metadata");
    assertThat(metadata.get("orbit.frames").asText())
        .isEqualTo("4 with mirror images, select confidence");
    assertThat(metadata.get("orbit.mapping").asText())
        .isEqualTo("disc, bicubic, corners continued from the edge");
  }

  @Test
  void auditsCompareAndGate() throws Exception {
    String out = folder.resolve("invariant.onnx").toString();
    Run.orbit("wrap", squeezenet(), "--out", out, "--frames", "8", "--fill", "reflect");
    String[] command = {
      "audit",
      out,
      "--data",
      data().resolve("cifar10").toString(),
      "--limit",
      "60",
      "--step",
      "45",
      "--against",
      squeezenet(),
      "--interpolation",
      "bilinear,bicubic",
      "--min-worst",
      "0.2",
      "--out",
      folder.resolve("report").toString(),
      "--json"
    };
    Run run = Run.orbit(command);
    JsonNode answer = json(run);
    assertThat(run.code()).isZero();
    assertThat(answer.get("items").asInt()).isEqualTo(60);
    for (String how : new String[] {"bilinear", "bicubic"}) {
      JsonNode mine = answer.at("/sweeps/" + how);
      JsonNode bare = answer.at("/against/sweeps/" + how);
      assertThat(mine.get("perPose")).hasSize(8);
      assertThat(mine.at("/perPose/3/angleDegrees").asDouble()).isEqualTo(135);
      assertThat(mine.at("/perPose/0/accuracy").asDouble())
          .isEqualTo(answer.get("clean").asDouble());
      assertThat(mine.get("worst").asDouble())
          .isGreaterThan(0.2 + bare.get("worst").asDouble())
          .isLessThanOrEqualTo(mine.get("average").asDouble());
    }
    String page =
        Page.assertWhole(
            folder.resolve("report/audit.html"),
            "Accuracy by angle",
            "Probability of the true class",
            "Margins",
            "What it took");
    assertThat(page)
        .contains("orbit audit " + out, "sha-256", "cifar10_squeezenet_nhwc.onnx, bicubic")
        .contains("Worst items, ", "Confusion, ");

    Run gate =
        Run.orbit(
            Arrays.stream(command).map(a -> a.equals("0.2") ? "0.99" : a).toArray(String[]::new));
    assertThat(gate.code()).isEqualTo(1);
    assertThat(json(gate).get("passed").asBoolean()).isFalse();
  }

  @Test
  void badInputIsExplained() throws Exception {
    String cifar = data().resolve("cifar10").toString();
    Path text = Files.writeString(folder.resolve("text.onnx"), "this is no model");
    byte[] whole = Files.readAllBytes(Path.of(squeezenet()));
    Path half = Files.write(folder.resolve("half.onnx"), Arrays.copyOf(whole, 150_000));
    Path out = folder.resolve("out.onnx");
    bad("expected an ONNX model", "inspect", text.toString());
    bad("expected an ONNX model", "wrap", half.toString(), "--out", out.toString());
    bad("found nothing there", "audit", folder.resolve("absent").toString(), "--data", cifar);
    bad("found nothing there", "inspect", folder.resolve("absent").toString());
    bad(
        "group: expected one of so2",
        "wrap",
        squeezenet(),
        "--out",
        out.toString(),
        "--group",
        "bogus");
    bad("frames", "wrap", squeezenet(), "--out", out.toString(), "--frames", "0");
    bad("equivariant", "wrap", squeezenet(), "--out", out.toString(), "--equivariant", "mask");
    Path own = Files.write(folder.resolve("own.onnx"), whole);
    bad("another file than the model", "wrap", own.toString(), "--out", own.toString());
    bad("--out", "audit", squeezenet(), "--data", cifar, "--out", text.toString());
    bad("--out", "stability", "--data", cifar, "--out", text.resolve("deeper").toString());
    bad("--out", "reproduce", "rotmnist", "--out", text.toString());
    bad(
        "scores: expected one of the outputs",
        "audit",
        squeezenet(),
        "--data",
        cifar,
        "--scores",
        "none");
    bad("step: expected", "audit", squeezenet(), "--data", cifar, "--step", "7");
    bad("--min-worst", "audit", squeezenet(), "--data", cifar, "--min-worst", "60");
    bad(
        "expected data of images of 1 x 28 x 28",
        "audit",
        data().resolve("models/mnist-8.onnx").toString(),
        "--data",
        cifar);
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactlyInAnyOrder(text, half, own); // nothing half-written
    }
  }

  private static void bad(String message, String... args) {
    Run run = Run.orbit(args);
    assertThat(run.code()).as(run.err()).isEqualTo(2);
    assertThat(run.err()).contains(message).doesNotContain("\tat ");
    assertThat(run.out()).isEmpty();
  }
}
