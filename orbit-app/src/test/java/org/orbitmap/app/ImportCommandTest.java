package org.orbitmap.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.app.option.Json;
import org.orbitmap.image.Image;
import org.orbitmap.io.image.ImageFiles;

/** {@code orbit import}, {@code train --weights}, and {@code inspect} of weights. */
class ImportCommandTest {
  @TempDir Path folder;

  private String weights;

  @BeforeEach
  void weights() throws Exception {
    Path file = folder.resolve("w.pth");
    try (InputStream in =
        ImportCommandTest.class.getResourceAsStream("/foreign/resnet18-imagenet.pth")) {
      Files.copy(in, file);
    }
    weights = file.toString();
  }

  private String path(String name) {
    return folder.resolve(name).toString();
  }

  private static JsonNode json(Run run) throws Exception {
    assertThat(run.code()).as(run.err()).isZero();
    return Json.mapper().readTree(run.out());
  }

  /** Two classes of images: bright left, bright right. */
  private String photos() throws Exception {
    Random random = new Random(1);
    for (int i = 0; i < 24; i++) {
      Image u = Image.black(3, 40 + i % 5, 40);
      for (int k = 0; k < u.data().length; k++) {
        boolean bright = k % 40 < 20 == (i % 2 == 0);
        u.data()[k] = random.nextFloat() * (bright ? 1 : 0.3f);
      }
      String name = "photos/%s/%d.png".formatted(i % 2 == 0 ? "left" : "right", i);
      ImageFiles.writePng(folder.resolve(name), u);
    }
    return path("photos");
  }

  private Run imported(String... more) {
    String[] args = {
      "import",
      weights,
      "--network",
      "resnet18-imagenet",
      "--width-factor",
      "0.0625",
      "--size",
      "32",
      "--out",
      path("model.safetensors"),
      "--json"
    };
    String[] all = java.util.Arrays.copyOf(args, args.length + more.length);
    System.arraycopy(more, 0, all, args.length, more.length);
    return Run.orbit(all);
  }

  @Test
  void importedModelsAreModels() throws Exception {
    JsonNode said = json(imported());
    assertThat(said.get("parameters").asLong()).isEqualTo(45_003);
    assertThat(said.get("classes").asInt()).isEqualTo(7);
    assertThat(said.get("newHead").asBoolean()).isFalse();
    String model = path("model.safetensors");
    JsonNode inspected = json(Run.orbit("inspect", model, "--json"));
    assertThat(inspected.get("network").asText()).isEqualTo("resnet18-imagenet");
    Run exported = Run.orbit("export", model, "--out", path("model.onnx"));
    assertThat(exported.code()).as(exported.err()).isZero();

    // A few of the classes, told by a file: in the run's own model and in the exported one.
    String photos = photos();
    Files.writeString(folder.resolve("map.csv"), "folder,output\nleft,3\nright,5\n");
    for (String file : new String[] {model, path("model.onnx")}) {
      JsonNode audit = measured("audit", file, photos);
      assertThat(audit.get("items").asInt()).isEqualTo(24);
      JsonNode predicted =
          json(
              Run.orbit(
                  "predict", file, photos + "/left/0.png", "--labels", path("map.csv"), "--json"));
      assertThat(predicted.at("/predictions/0/classes").has("left")).isTrue();
      assertThat(predicted.at("/predictions/0/classes").has("class 0")).isTrue();
    }
    JsonNode evaluated = measured("evaluate", model, photos, "--interpolation", "bilinear");
    assertThat(evaluated.get("items").asInt()).isEqualTo(24);
    Run nowhere = Run.orbit("evaluate", model, "--step", "180");
    assertThat(nowhere.code()).isEqualTo(2);
    assertThat(nowhere.err()).contains("--data");
  }

  /** What a command says of photographs whose labels are in {@code map.csv}. */
  private JsonNode measured(String command, String model, String photos, String... more)
      throws Exception {
    List<String> all = new ArrayList<>(List.of(command, model, "--data", photos));
    all.addAll(List.of("--labels", path("map.csv"), "--step", "180", "--json"));
    all.addAll(List.of(more));
    return json(Run.orbit(all.toArray(String[]::new)));
  }

  /** Outputs by number and by the names of the model's own classes, in one file. */
  @Test
  void namesAndNumbersOfOutputsMix() throws Exception {
    Files.writeString(folder.resolve("classes.txt"), "ant\nbee\ncat\ndog\neel\nfox\ngnu\n");
    json(imported("--classes", path("classes.txt")));
    String photos = photos();
    Files.writeString(folder.resolve("map.csv"), "left,3\nright,fox\n");
    for (String command : new String[] {"audit", "evaluate"}) {
      JsonNode measured = measured(command, path("model.safetensors"), photos);
      assertThat(measured.get("items").asInt()).isEqualTo(24);
    }
    JsonNode predicted =
        json(
            Run.orbit(
                "predict",
                path("model.safetensors"),
                photos + "/left/0.png",
                "--labels",
                path("map.csv"),
                "--top",
                "7",
                "--json"));
    assertThat(predicted.at("/predictions/0/classes").fieldNames())
        .toIterable()
        .containsExactlyInAnyOrder("ant", "bee", "cat", "left", "eel", "right", "gnu");
  }

  @Test
  void newClassesGetANewLastLayer() throws Exception {
    Files.writeString(folder.resolve("classes.txt"), "cat\ndog\n");
    Run run = imported("--classes", path("classes.txt"));
    assertThat(json(run).get("newHead").asBoolean()).isTrue();
    assertThat(run.err()).contains("the last layer is new");

    Run trained =
        Run.orbit(
            "train",
            "--preset",
            "glyphs-convnet",
            "--set",
            "network.name=resnet18-imagenet",
            "--set",
            "network.width-factor=0.0625",
            "--set",
            "size=32",
            "--set",
            "epochs=1",
            "--set",
            "batch=8",
            "--set",
            "fine-tuning.frozen=stem,stage1",
            "--set",
            "fine-tuning.rates.head=10",
            "--set",
            "threads=1",
            "--data",
            photos(),
            "--weights",
            weights,
            "--out",
            path("run"),
            "--no-progress");
    assertThat(trained.code()).as(trained.err()).isZero();
    assertThat(Files.readString(folder.resolve("run/config.yaml")))
        .contains("normalise: imagenet")
        .containsPattern("frozen: \"?stage1,stem")
        .contains("w.pth");
    assertThat(Files.readString(folder.resolve("run/provenance.json"))).contains("weights-sha256");
  }

  @Test
  void weightsAreInspected() throws Exception {
    JsonNode said = json(Run.orbit("inspect", weights, "--json"));
    assertThat(said.get("format").asText()).contains("PyTorch");
    assertThat(said.at("/tensors/layer1.0.conv1.weight/0").asInt()).isEqualTo(4);
    assertThat(said.at("/numbers/F16").asLong()).isEqualTo(45_003 + 2 * 300);
    Run text = Run.orbit("inspect", weights);
    assertThat(text.out()).contains("tensors    122");
  }

  @Test
  void whatCannotBeUsedIsSaidInOneLine() throws Exception {
    Run wrong =
        Run.orbit("import", weights, "--network", "resnet50", "--out", path("m.safetensors"));
    assertThat(wrong.code()).isEqualTo(2);
    assertThat(wrong.err()).contains("expected the weights of resnet50").contains("missing (");
    Run audited = Run.orbit("audit", weights, "--data", photos());
    assertThat(audited.code()).isEqualTo(2);
    assertThat(audited.err()).contains("orbit import");
    byte[] cut = Files.readAllBytes(Path.of(weights));
    Files.write(folder.resolve("cut.pth"), java.util.Arrays.copyOf(cut, cut.length / 2));
    Run damaged =
        Run.orbit(
            "import",
            path("cut.pth"),
            "--network",
            "resnet18-imagenet",
            "--out",
            path("m.safetensors"));
    assertThat(damaged.code()).isEqualTo(2);
    assertThat(damaged.err().lines()).hasSize(1);
    assertThat(folder.resolve("m.safetensors")).doesNotExist();
    assertThat(Run.orbit("inspect", path("cut.pth")).err())
        .contains("expected a whole zip archive, found a damaged one");
    Run missing =
        Run.orbit(
            "train", "--preset", "glyphs-convnet", "--weights", path("no.pth"), "--out", path("r"));
    assertThat(missing.code()).isEqualTo(2);
    assertThat(missing.err()).contains("no.pth");
  }
}
