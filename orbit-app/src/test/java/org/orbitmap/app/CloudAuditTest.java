package org.orbitmap.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.bytedeco.pytorch.JitModule;
import org.bytedeco.pytorch.QualifiedName;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.app.option.Json;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.cloud.mapping.CloudMapping;
import org.orbitmap.group.SimilarityGroup;
import org.orbitmap.io.cloud.CloudFiles;
import org.orbitmap.nn.tensor.Engine;

/**
 * Audits of models of clouds: a classifier by the mean of |x|, |y| and |z| that knows sticks,
 * plates and lumps in their canonical pose, and nothing else.
 */
class CloudAuditTest {
  private static final int POINTS = 96;
  private static final int EACH = 10;
  private static final String[] CLASSES = {"lump", "plate", "stick"};
  private static final double[][] EXTENTS = {{1, 0.8, 0.65}, {1, 0.8, 0.15}, {1, 0.25, 0.15}};

  @TempDir Path folder;
  private Path data;
  private Path bare;
  private double[][] centres;

  @BeforeEach
  void writeModelAndData() throws IOException {
    data = folder.resolve("shapes");
    centres = new double[3][3];
    Random random = new Random(5);
    for (int c = 0; c < 3; c++) {
      Files.createDirectories(data.resolve(CLASSES[c]));
      for (int i = 0; i < EACH; i++) {
        float[] x = new float[3 * POINTS];
        for (int k = 0; k < x.length; k++) {
          double u = random.nextDouble();
          x[k] = (float) (u * u * EXTENTS[c][k % 3]); // skewed, so that the pose is clear
        }
        PointCloud canonical =
            CloudMapping.of(SimilarityGroup.similarities(3)).map(new PointCloud(3, x)).point();
        for (int k = 0; k < x.length; k++) {
          centres[c][k % 3] += Math.abs(canonical.coordinates()[k]) / POINTS / EACH;
        }
        CloudFiles.write(data.resolve(CLASSES[c]).resolve(i + ".ply"), canonical);
      }
    }
    bare = Files.write(folder.resolve("bare.onnx"), nearest(centres).toByteArray());
  }

  /** scores_c = 2 f·μ_c - |μ_c|² for f = the mean of the absolute coordinates: the nearest μ. */
  private static ModelProto nearest(double[][] centres) {
    TensorProto.Builder weights =
        TensorProto.newBuilder().setName("w").setDataType(1).addDims(3).addDims(3);
    TensorProto.Builder bias = TensorProto.newBuilder().setName("b").setDataType(1).addDims(3);
    for (int d = 0; d < 3; d++) {
      for (int c = 0; c < 3; c++) {
        weights.addFloatData((float) (2 * centres[c][d]));
      }
    }
    for (double[] centre : centres) {
      bias.addFloatData((float) -Arrays.stream(centre).map(v -> v * v).sum());
    }
    return OnnxParts.model(
        GraphProto.newBuilder()
            .setName("nearest")
            .addInput(OnnxParts.tensor("x", -1, POINTS, 3))
            .addOutput(OnnxParts.tensor("scores", -1, 3))
            .addInitializer(weights)
            .addInitializer(bias)
            .addNode(OnnxParts.node("Abs", "abs", "x"))
            .addNode(OnnxParts.overPoints("ReduceMean", "f", "abs"))
            .addNode(OnnxParts.node("MatMul", "m", "f", "w"))
            .addNode(OnnxParts.node("Add", "scores", "m", "b")));
  }

  private Run audit(Path model, String... more) {
    List<String> args =
        new ArrayList<>(List.of("audit", model.toString(), "--data", data.toString()));
    args.addAll(List.of(more));
    return Run.orbit(args.toArray(String[]::new));
  }

  private static JsonNode json(Run run) throws IOException {
    assertThat(run.code()).as(run.err()).isLessThan(2);
    return Json.mapper().readTree(run.out());
  }

  @Test
  void theBareModelFallsAndTheWrappedOneDoesNot() throws Exception {
    Path invariant = folder.resolve("invariant.onnx");
    assertThat(Run.orbit("wrap", bare.toString(), "--out", invariant.toString()).code()).isZero();
    Path report = folder.resolve("report");
    Run run =
        audit(
            invariant,
            "--against",
            bare.toString(),
            "--out",
            report.toString(),
            "--min-worst",
            "0.9",
            "--json");
    JsonNode answer = json(run);
    assertThat(run.code()).isZero();
    assertThat(answer.get("group").asText()).isEqualTo("sim3");
    assertThat(answer.get("items").asInt()).isEqualTo(3 * EACH);
    double clean = answer.get("clean").asDouble();
    assertThat(clean).isGreaterThan(0.95);
    assertThat(answer.at("/against/clean").asDouble()).isEqualTo(clean);
    assertThat(answer.get("sweeps").fieldNames())
        .toIterable()
        .containsExactly("rotation", "scale", "shift", "random");
    int[] poses = {256, 9, 24, 65};
    int k = 0;
    for (String sweep : List.of("rotation", "scale", "shift", "random")) {
      JsonNode mine = answer.at("/sweeps/" + sweep);
      JsonNode other = answer.at("/against/sweeps/" + sweep);
      assertThat(mine.get("perPose")).hasSize(poses[k++]);
      assertThat(mine.get("worst").asDouble()).as(sweep).isGreaterThanOrEqualTo(clean - 0.07);
      assertThat(other.get("worst").asDouble()).as(sweep).isLessThan(clean - 0.3);
      assertThat(mine.get("labelKept").asDouble()).as(sweep).isGreaterThanOrEqualTo(0.99);
      assertThat(other.get("labelKept").asDouble()).as(sweep).isLessThan(0.95);
      assertThat(other.get("average").asDouble())
          .isGreaterThanOrEqualTo(other.get("worst").asDouble());
    }
    assertThat(answer.at("/against/sweeps/rotation/perPose/0/accuracy").asDouble())
        .isEqualTo(clean);
    assertThat(answer.at("/against/sweeps/rotation/labelKept").asDouble()).isLessThan(0.7);
    assertThat(
            Page.assertWhole(
                report.resolve("audit.html"),
                "Accuracy by pose, shift",
                "Where it fails",
                "Margins"))
        .contains("sim3", ">seed<");

    Run gate = audit(bare, "--min-worst", "0.9", "--step", "90");
    assertThat(gate.code()).isEqualTo(1);
    assertThat(gate.out()).contains("failed: worst accuracy below 90.0 %").contains("rotation");
  }

  @Test
  void aGroupDecidesOnTheSweeps() throws Exception {
    JsonNode scale = json(audit(bare, "--group", "scale", "--json"));
    assertThat(scale.get("sweeps").fieldNames()).toIterable().containsExactly("scale", "random");
    JsonNode rotated =
        json(audit(bare, "--group", "so3", "--step", "45", "--limit", "6", "--json"));
    assertThat(rotated.get("items").asInt()).isEqualTo(6);
    assertThat(rotated.at("/sweeps/rotation/perPose")).hasSize(64);
    // nor does the order of the points
    JsonNode ordered =
        json(audit(bare, "--group", "translation", "--orders", "3", "--limit", "6", "--json"));
    assertThat(ordered.get("sweeps").fieldNames())
        .toIterable()
        .containsExactly("shift", "random", "order");
    assertThat(ordered.at("/sweeps/order/perPose")).hasSize(4);
    assertThat(ordered.at("/sweeps/order/worst").asDouble())
        .isEqualTo(ordered.get("clean").asDouble());
    assertThat(audit(bare, "--orders", "-1").err()).contains("--orders: expected 0 or more");
    // signs do not matter to this model: mirror images change nothing, but the axes do
    JsonNode mirrored = json(audit(bare, "--group", "o3", "--step", "180", "--json"));
    assertThat(mirrored.at("/sweeps/rotation/worst").asDouble())
        .isEqualTo(mirrored.get("clean").asDouble());
  }

  /** The same classifier in TorchScript, which does not tell how its input lies: it is tried. */
  @Test
  void torchScriptOfCloudsIsAuditedInEitherLayout() throws Exception {
    JsonNode expected = json(audit(bare, "--group", "so3", "--step", "45", "--json"));
    for (int pointAxis : new int[] {1, 2}) {
      Path file = folder.resolve("net%d.pt".formatted(pointAxis));
      StringBuilder code = new StringBuilder("def forward(self, x):\n");
      code.append("    f = x.abs().mean(dim=[%d])\n    rows = []\n".formatted(pointAxis));
      for (double[] centre : centres) {
        code.append(
            "    rows.append(torch.matmul(2 * f, torch.tensor(%s)) - %s)\n"
                .formatted(Arrays.toString(centre), Arrays.stream(centre).map(v -> v * v).sum()));
      }
      code.append("    return torch.stack(rows, dim=1)\n");
      Engine.load();
      try (JitModule module = new JitModule(new QualifiedName("__torch__.Net"))) {
        module.define(code.toString());
        module.save(file.toString());
      }
      JsonNode answer = json(audit(file, "--group", "so3", "--step", "45", "--json"));
      assertThat(answer.get("clean")).isEqualTo(expected.get("clean"));
      // Every answer is the same; probabilities of two engines are so up to rounding.
      for (String sweep : new String[] {"rotation", "random"}) {
        ObjectNode mine = answer.at("/sweeps/" + sweep).deepCopy();
        ObjectNode theirs = expected.at("/sweeps/" + sweep).deepCopy();
        assertThat(mine.remove("probabilityChange").asDouble())
            .isCloseTo(theirs.remove("probabilityChange").asDouble(), within(1e-6));
        assertThat(mine).isEqualTo(theirs);
      }
      assertThat(answer.get("sweeps")).hasSameSizeAs(expected.get("sweeps"));
    }
    Path neither = folder.resolve("neither.pt");
    try (JitModule module = new JitModule(new QualifiedName("__torch__.Net"))) {
      module.define("def forward(self, x):\n    return x.view(7, 11)\n");
      module.save(neither.toString());
    }
    bad("N x 3 x P or N x P x 3", audit(neither, "--group", "so3"));
  }

  @Test
  void whatOnlyImagesHaveIsRefused() throws Exception {
    bad("group: expected one of sim3, se3", audit(bare, "--group", "o2"));
    bad("--interpolation", audit(bare, "--interpolation", "bilinear"));
    bad("--mean", audit(bare, "--mean", "0.5"));
    bad("--fill", audit(bare, "--fill", "edge"));
    bad("--points: expected 96", audit(bare, "--points", "64"));
    bad("step: expected at most 36,000 rotations", audit(bare, "--step", "1"));
  }

  @Test
  void unreadableFilesAreCountedAndNamed() throws Exception {
    Files.write(data.resolve("plate/3.ply"), new byte[] {1, 2, 3});
    Files.write(data.resolve("stick/4.ply"), new byte[0]);
    Path report = folder.resolve("report");
    Run run = audit(bare, "--out", report.toString());
    bad("2 of 30 files cannot be read", run);
    assertThat(run.err()).contains("3.ply").contains("4.ply");
    assertThat(report).doesNotExist();
  }

  private static void bad(String message, Run run) {
    assertThat(run.code()).as(run.err()).isEqualTo(2);
    assertThat(run.err()).contains(message).doesNotContain("\tat ");
    assertThat(run.out()).isEmpty();
  }
}
