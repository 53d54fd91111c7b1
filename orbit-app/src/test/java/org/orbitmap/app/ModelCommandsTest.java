package org.orbitmap.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.app.option.Json;
import org.orbitmap.io.data.ImageSet;
import org.orbitmap.io.data.source.Glyphs;
import org.orbitmap.io.image.ImageFiles;

/** Commands take a training run and an ONNX file alike. */
class ModelCommandsTest {
  @TempDir static Path folder;

  private static String run;
  private static String onnx;
  private static String data;

  @BeforeAll
  static void trainAndExport() throws IOException {
    ImageSet glyphs = Glyphs.generate(64, 5);
    for (int i = 0; i < glyphs.size(); i++) {
      String name = glyphs.classes().get(glyphs.labels()[i]);
      ImageFiles.writePng(folder.resolve("signs/%s/%03d.png".formatted(name, i)), glyphs.image(i));
    }
    run = folder.resolve("run").toString();
    onnx = folder.resolve("run.onnx").toString();
    data = folder.resolve("signs").toString();
    Run trained =
        Run.orbit(
            "train",
            "--preset",
            "glyphs-convnet",
            "--data",
            data,
            "--out",
            run,
            "-q", //
            "--set",
            "network.width-factor=0.125",
            "--set",
            "epochs=1",
            "--set",
            "threads=1");
    assertThat(trained.code()).as(trained.err()).isZero();
    Run exported = Run.orbit("export", run, "--out", onnx);
    assertThat(exported.code()).as(exported.err()).isZero();
  }

  private static JsonNode json(String... args) throws IOException {
    Run answered = Run.orbit(args);
    assertThat(answered.code()).as(answered.err()).isZero();
    return Json.mapper().readTree(answered.out());
  }

  @Test
  void aRunAndItsOnnxFileAreAuditedAlike() throws IOException {
    Path report = folder.resolve("report");
    JsonNode audit =
        json(
            "audit",
            run,
            "--data",
            data,
            "--step",
            "90",
            "--against",
            onnx, //
            "--out",
            report.toString(),
            "--json");
    assertThat(audit.get("group").textValue()).isEqualTo("so2");
    assertThat(audit.get("fill").textValue()).isEqualTo("zero");
    assertThat(audit.get("items").intValue()).isEqualTo(64);
    assertThat(audit.at("/sweeps/bilinear/perPose")).hasSize(4);
    assertThat(audit.at("/sweeps/bilinear/perPose/1/angleDegrees").doubleValue()).isEqualTo(90);
    // Every answer is the same; probabilities of two engines are so up to rounding.
    ObjectNode mine = audit.at("/sweeps/bilinear").deepCopy();
    ObjectNode theirs = audit.at("/against/sweeps/bilinear").deepCopy();
    assertThat(mine.remove("probabilityChange").doubleValue())
        .isCloseTo(theirs.remove("probabilityChange").doubleValue(), within(1e-4));
    assertThat(theirs).isEqualTo(mine);
    assertThat(audit.at("/against/model").textValue()).isEqualTo(onnx);
    Page.assertWhole(report.resolve("audit.html"), "Accuracy by angle", "Margins");
  }

  @Test
  void aRunIsAuditedWithoutLabels() throws IOException {
    JsonNode with = json("audit", run, "--data", data, "--step", "90", "--json");
    JsonNode without =
        json("audit", run, "--data", data, "--step", "90", "--labels", "none", "--json");
    assertThat(without.has("clean")).isFalse();
    for (String figure : new String[] {"labelKept", "allKept", "probabilityChange"}) {
      assertThat(without.at("/sweeps/bilinear/" + figure))
          .isEqualTo(with.at("/sweeps/bilinear/" + figure));
    }
  }

  @Test
  void anEvaluationIsTheAuditOfTheTestPart() throws IOException {
    JsonNode evaluation = json("evaluate", run, "--step", "120", "--json");
    assertThat(evaluation.get("sweeps").fieldNames())
        .toIterable()
        .containsExactly("nearest", "bilinear", "bicubic");
    assertThat(evaluation.get("items").intValue()).isBetween(1, 63);
    JsonNode mean =
        json("evaluate", run, "--step", "120", "--fill", "mean", "--group", "o2", "--json");
    assertThat(mean.get("fill").textValue()).isEqualTo("mean");
    assertThat(mean.at("/sweeps/bicubic/perPose")).hasSize(6);
    Run gate = Run.orbit("evaluate", run, "--step", "120", "--min-worst", "1");
    assertThat(gate.code()).isEqualTo(1);
    Run black = Run.orbit("audit", onnx, "--data", data, "--fill", "mean");
    assertThat(black.code()).isEqualTo(2);
    assertThat(black.err()).contains("--fill: expected mean only with a training run");
    Run known = Run.orbit("audit", run, "--data", data, "--mean", "0.5");
    assertThat(known.code()).isEqualTo(2);
    assertThat(known.err()).contains("found a training run, which knows them");
  }

  @Test
  void bothPredict() throws IOException {
    Path image = folder.resolve("sign.png");
    ImageFiles.writePng(image, Glyphs.generate(1, 9).image(0));
    JsonNode own = json("predict", run, image.toString(), "--json").at("/predictions/0");
    JsonNode other = json("predict", onnx, image.toString(), "--json").at("/predictions/0");
    assertThat(other.get("probability").doubleValue())
        .isCloseTo(own.get("probability").doubleValue(), within(1e-4));
    int place = 0;
    for (var names = own.get("classes").fieldNames(); names.hasNext(); place++) {
      if (names.next().equals(own.get("label").textValue())) {
        break;
      }
    }
    assertThat(other.get("label").textValue()).isEqualTo("class " + place);
  }

  @Test
  void runsAreInspected() throws IOException {
    for (String model : new String[] {run, run + "/model.safetensors"}) {
      JsonNode said = json("inspect", model, "--json");
      assertThat(said.get("network").textValue()).isEqualTo("convnet");
      assertThat(said.get("trainableParameters").longValue()).isPositive();
      assertThat(said.get("mapping").textValue()).isEqualTo("none");
      assertThat(said.get("classes").size()).isEqualTo(Glyphs.CLASSES.size());
    }
    assertThat(Run.orbit("inspect", run).out()).contains("trainable parameters", "16: ");
  }
}
