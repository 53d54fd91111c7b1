package org.orbitmap.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.JitModule;
import org.bytedeco.pytorch.QualifiedName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.orbitmap.app.command.ExportCommand;
import org.orbitmap.app.model.RunModel;
import org.orbitmap.app.option.Json;
import org.orbitmap.eval.Scores;
import org.orbitmap.image.Image;
import org.orbitmap.io.data.Choice;
import org.orbitmap.io.data.ImageSet;
import org.orbitmap.io.data.Split;
import org.orbitmap.io.data.source.DataSets;
import org.orbitmap.io.image.ImageFiles;
import org.orbitmap.model.ModelInput;
import org.orbitmap.model.Preprocessing;
import org.orbitmap.nn.network.Architecture;
import org.orbitmap.nn.network.MappingConfig;
import org.orbitmap.nn.network.Model;
import org.orbitmap.nn.tensor.Engine;
import org.orbitmap.onnx.graph.OnnxFile;
import org.orbitmap.onnx.run.OnnxModel;

/** Exported networks give what the engine gives; TorchScript files can be audited. */
class ExportTest {
  @TempDir Path folder;

  private static List<Image> images(int n, int channels, int side) {
    Random random = new Random(4);
    List<Image> all = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      Image u = Image.black(channels, side, side);
      for (int k = 0; k < u.data().length; k++) {
        u.data()[k] = random.nextFloat();
      }
      all.add(u);
    }
    return all;
  }

  @ParameterizedTest
  @EnumSource(Architecture.Kind.class)
  void exportedEqualsTheEngine(Architecture.Kind kind) throws Exception {
    int side = 32;
    List<Image> images = images(5, 3, side);
    for (boolean pooled : new boolean[] {false, true}) {
      for (MappingConfig mapping :
          List.of(
              MappingConfig.NONE,
              MappingConfig.NONE.when("test"),
              new MappingConfig("train+test", "paper", "bilinear", "reflect", "data"))) {
        Model model =
            new Model(
                new Model.Description(
                    new Architecture(kind, 0.25, pooled, 3, side, side, 7),
                    IntStream.range(0, 7).mapToObj(i -> "class " + i).toList(),
                    new float[] {.5f, .4f, .3f},
                    new float[] {.2f, .25f, .3f},
                    mapping),
                11);
        OnnxFile file = ExportCommand.file(model);
        Path written = folder.resolve("model.onnx");
        file.write(written);
        OnnxFile read = OnnxFile.read(written);
        assertThat(read.metadata().containsKey("orbit.mapping"))
            .isEqualTo(!mapping.when().equals("none"));
        ModelInput.Images input = (ModelInput.Images) read.input(ModelInput.Hints.NONE);
        try (OnnxModel opened = OnnxModel.open(read)) {
          float[][] expected = model.scores(images);
          float[][] found =
              opened.classifier(input, Preprocessing.NONE, "probabilities").scores(images);
          for (int i = 0; i < expected.length; i++) {
            assertThat(found[i])
                .as("%s, pooled %s, %s", kind, pooled, mapping)
                .containsExactly(expected[i], offset(1e-4f));
          }
        }
      }
    }
  }

  @Test
  void exportedEqualsTheEngineAfterTraining() throws Exception {
    String run = folder.resolve("run").toString();
    Run trained =
        Run.orbit(
            "train",
            "--preset",
            "glyphs-convnet",
            "--out",
            run,
            "--no-progress",
            "--set",
            "network.width=0.25",
            "--set",
            "limit=1600",
            "--set",
            "epochs=1",
            "--set",
            "mapping.when=train+test",
            "--set",
            "threads=1");
    assertThat(trained.code()).as(trained.err()).isZero();
    Path file = folder.resolve("trained.onnx");
    Run exported = Run.orbit("export", run, "--out", file.toString(), "--json");
    assertThat(exported.code()).as(exported.err()).isZero();
    assertThat(Json.mapper().readTree(exported.out()).at("/metadata/orbit.mapping").asText())
        .isEqualTo("disc, bicubic, black outside");
    ImageSet glyphs = DataSets.images("glyphs", null, Split.TEST, Choice.ALL.withLimit(200));
    List<Image> images = IntStream.range(0, glyphs.size()).mapToObj(glyphs::image).toList();
    OnnxFile read = OnnxFile.read(file);
    ModelInput.Images input = (ModelInput.Images) read.input(ModelInput.Hints.NONE);
    float[][] expected = RunModel.load(Path.of(run)).scores(images);
    try (OnnxModel opened = OnnxModel.open(read)) {
      float[][] found =
          opened.classifier(input, Preprocessing.NONE, "probabilities").scores(images);
      int right = 0;
      for (int i = 0; i < expected.length; i++) {
        assertThat(found[i]).as("image %d", i).containsExactly(expected[i], offset(1e-4f));
        right += Scores.argmax(found[i]) == glyphs.labels()[i] ? 1 : 0;
      }
      // it has learnt something: answers differ from image to image, and more are right than
      // by chance
      assertThat(right).isGreaterThan(2 * images.size() / glyphs.classes().size());
    }
  }

  @Test
  void torchScriptIsAudited() throws Exception {
    Engine.load();
    Path file = folder.resolve("net.pt");
    try (JitModule module = new JitModule(new QualifiedName("__torch__.Net"))) {
      // class 0 if the upper half is brighter: turns upside down with the image
      module.define(
          """
          def forward(self, x):
              h = x.size(2) // 2
              upper = x[:, :, :h].mean(dim=[1, 2, 3])
              lower = x[:, :, h:].mean(dim=[1, 2, 3])
              return torch.stack([upper, lower], dim=1)
          """);
      module.save(file.toString());
    }
    for (int i = 0; i < 4; i++) {
      Image u = Image.black(3, 10, 10);
      for (int k = 0; k < u.data().length; k++) {
        boolean upper = k % 100 < 50;
        u.data()[k] = upper == (i % 2 == 0) ? 1 : 0.2f;
      }
      ImageFiles.writePng(folder.resolve("data/%s/%d.png".formatted(i % 2 == 0 ? "a" : "b", i)), u);
    }
    String data = folder.resolve("data").toString();
    Run run =
        Run.orbit(
            "audit", file.toString(), "--data", data, "--step", "90", "--size", "10x10", "--json");
    assertThat(run.code()).as(run.err()).isZero();
    var answer = Json.mapper().readTree(run.out());
    assertThat(answer.get("items").asInt()).isEqualTo(4);
    assertThat(answer.get("clean").asDouble()).isEqualTo(1);
    assertThat(answer.at("/sweeps/bilinear/perPose/2/accuracy").doubleValue()).isZero();
    assertThat(answer.at("/sweeps/bilinear/worst").isNumber()).isTrue();
    assertThat(answer.at("/sweeps/bilinear/worst").doubleValue()).isZero();

    // mirrored first: an image upside down is wrong, and rotated by half a circle right again
    Path report = folder.resolve("report");
    Run both =
        Run.orbit(
            "audit",
            file.toString(),
            "--data",
            data,
            "--group",
            "o2",
            "--step",
            "90",
            "--size",
            "10x10",
            "--out",
            report.toString(),
            "--json");
    assertThat(both.code()).as(both.err()).isZero();
    var poses = Json.mapper().readTree(both.out()).at("/sweeps/bilinear/perPose");
    assertThat(poses.findValuesAsText("pose"))
        .containsExactly(
            "0°",
            "90°",
            "180°",
            "270°",
            "0°, mirrored",
            "90°, mirrored",
            "180°, mirrored",
            "270°, mirrored");
    assertThat(poses.at("/4/accuracy").asDouble()).isZero();
    assertThat(poses.at("/6/accuracy").asDouble()).isEqualTo(1);
    Page.assertWhole(report.resolve("audit.html"), "Accuracy by pose, bilinear", "Where it fails");

    java.nio.file.Files.writeString(folder.resolve("bad.pt"), "no archive");
    Run bad = Run.orbit("audit", folder.resolve("bad.pt").toString(), "--data", data);
    assertThat(bad.code()).isEqualTo(2);
    assertThat(bad.err()).contains("TorchScript");
  }
}
