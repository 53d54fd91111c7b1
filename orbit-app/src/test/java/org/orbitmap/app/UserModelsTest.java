package org.orbitmap.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.onnx.proto.OnnxMl.ModelProto;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.app.option.Json;
import org.orbitmap.image.Image;
import org.orbitmap.image.mapping.Frames;
import org.orbitmap.io.image.ImageFiles;

/** Models of the shapes that users have, through every command that takes models. */
class UserModelsTest {
  private static final int H = 12;
  private static final int W = 20;

  @TempDir Path folder;
  private Path data;
  private Path photo;

  /** Colour images in folders for three classes, the brightest channel of each. */
  @BeforeEach
  void writeImages() throws IOException {
    data = folder.resolve("data");
    Random random = new Random(3);
    for (int i = 0; i < 9; i++) {
      Image u = Image.black(3, 30, 30);
      for (int k = 0; k < u.data().length; k++) {
        u.data()[k] = random.nextFloat() * (k / u.plane() == i % 3 ? 0.9f : 0.6f);
      }
      Path file = data.resolve("class" + i % 3).resolve(i + ".png");
      Files.createDirectories(file.getParent());
      Files.write(file, ImageFiles.png(u));
    }
    photo = data.resolve("class1/1.png");
  }

  private String write(String name, ModelProto model) throws IOException {
    return Files.write(folder.resolve(name + ".onnx"), model.toByteArray()).toString();
  }

  private static String[] with(String[] args, String... more) {
    return Stream.of(args, more).flatMap(Stream::of).toArray(String[]::new);
  }

  private static JsonNode json(String... args) throws Exception {
    Run run = Run.orbit(with(args, "--json"));
    assertThat(run.code()).as("%s: %s", Arrays.toString(args), run.err()).isZero();
    return Json.mapper().readTree(run.out());
  }

  private static void bad(String message, String... args) {
    Run run = Run.orbit(args);
    assertThat(run.code()).as(run.out() + run.err()).isEqualTo(2);
    assertThat(run.err()).contains(message).doesNotContain("\tat ");
  }

  private String out() {
    return folder.resolve("out.onnx").toString();
  }

  /** inspect, predict, wrap, predict and audit take the model and agree on what it is. */
  private void everyCommandTakes(String model, String takes, int classes, String... options)
      throws Exception {
    assertThat(json("inspect", model).get("takes").textValue()).contains(takes);
    JsonNode bare =
        json(with(new String[] {"predict", model, photo.toString()}, options)).at("/predictions/0");
    assertThat(bare.get("classes")).hasSize(classes);
    JsonNode wrapped = json(with(new String[] {"wrap", model, "--out", out()}, options));
    assertThat(wrapped.at("/cost/calls").intValue()).isEqualTo(Frames.UPRIGHT.cost());
    assertThat(wrapped.at("/cost/millisecondsAfter").doubleValue()).isPositive();
    JsonNode after = json("predict", out(), photo.toString()).at("/predictions/0");
    assertThat(after.get("label").textValue()).isEqualTo(bare.get("label").textValue());
  }

  @Test
  void shapesThatUsersHave() throws Exception {
    everyCommandTakes(write("rows", UserModels.colours(-1, H, W)), "12 x 20 pixels, any batch", 3);
    everyCommandTakes(write("one", UserModels.colours(1, H, W)), "12 x 20 pixels, batch 1", 3);
    everyCommandTakes(write("deep", UserModels.deep(H, W)), "any batch", 3);
    everyCommandTakes(write("alone", UserModels.alone(H, W)), "one at a time", 3);
    everyCommandTakes(write("bright", UserModels.bright(H, W)), "1 channel", 2);
  }

  @Test
  void furtherInputsGetConstants() throws Exception {
    String model = write("scaled", UserModels.scaled(H, W));
    String reason = "1 more that have to be fed: [k: float 1]";
    bad(reason, "predict", model, photo.toString());
    bad(reason, "audit", model, "--data", data.toString());
    bad(reason, "serve", "--model", model, "--port", "0");
    everyCommandTakes(model, "12 x 20 pixels", 3, "--feed", "k=2");
    bad("--feed: expected NAME=NUMBERS", "predict", model, photo.toString(), "--feed", "k=two");
    bad("found \"z\"", "predict", model, photo.toString(), "--feed", "z=2");
  }

  @Test
  void severalImagesAreRefused() throws Exception {
    String model = write("two", UserModels.two(H, W));
    String reason = "found [x, z]; name the one that is meant";
    bad(reason, "predict", model, photo.toString());
    bad(reason, "audit", model, "--data", data.toString());
    bad(reason, "wrap", model, "--out", out());
    bad(reason, "serve", "--model", model, "--port", "0");
    String named = "1 more that have to be fed: [z: float N x 3 x 12 x 20]";
    bad(named, "predict", model, photo.toString(), "--input", "x");
    assertThat(json("inspect", model).get("takes").textValue()).contains("found [x, z]");
  }

  /** Masks have no classes, and stay in the canonical pose unless they are mapped back. */
  @Test
  void denseOutputsAreWarnedAbout() throws Exception {
    String model = write("mask", UserModels.mask(H, W));
    Run plain = Run.orbit("wrap", model, "--out", out());
    assertThat(plain.code()).as(plain.err()).isZero();
    assertThat(plain.err())
        .contains("output mask: float N x 1 x 12 x 20 stays in the canonical pose")
        .contains("--equivariant");
    assertThat(plain.out()).contains("the model is asked once for one input");
    Run back = Run.orbit("wrap", model, "--out", out(), "--equivariant", "mask");
    assertThat(back.err()).doesNotContain("canonical pose");
    bad("class scores", "predict", model, photo.toString());
    bad("class scores", "wrap", model, "--out", out(), "--data", data.toString());
  }

  /** A model of any size gets the size that is said, square or not. */
  @Test
  void sizesNeedNotBeSquare() throws Exception {
    String model = write("any", UserModels.colours(-1, -1, -1));
    bad("give the size", "wrap", model, "--out", out());
    JsonNode wrapped = json("wrap", model, "--out", out(), "--size", "12x20");
    assertThat(wrapped.get("takes").textValue()).contains("12 x 20 pixels");
    assertThat(json("predict", model, photo.toString(), "--size", "12x20").get("predictions"))
        .hasSize(1);
    JsonNode audit =
        json("audit", model, "--data", data.toString(), "--size", "12x20", "--step", "90");
    assertThat(audit.get("items").intValue()).isEqualTo(9);
  }

  /** What is measured on the data is told for each setting, and the best one is written. */
  @Test
  void settingsAreTriedOnTheUsersData() throws Exception {
    String model = write("tried", UserModels.colours(-1, H, W));
    String[] command = {
      "wrap", model, "--out", out(), "--data", data.toString(), "--max-cost", "8", "--step", "90"
    };
    JsonNode trials = json(command).get("trials");
    assertThat(trials.get("items").intValue()).isEqualTo(9);
    assertThat(trials.get("poses").intValue()).isEqualTo(4);
    assertThat(trials.get("labelled").booleanValue()).isTrue();
    assertThat(trials.at("/bare/calls").intValue()).isEqualTo(1);
    assertThat(trials.get("settings")).hasSize(8); // 1, 4, 8 frames, 4 with mirrors; two corners
    double best = 0;
    JsonNode chosen = null;
    for (JsonNode s : trials.get("settings")) {
      assertThat(s.get("calls").intValue()).isLessThanOrEqualTo(8);
      assertThat(s.get("milliseconds").doubleValue()).isPositive();
      best = Math.max(best, s.get("average").doubleValue() + s.get("worst").doubleValue());
      chosen = s.get("chosen").booleanValue() ? s : chosen;
    }
    assertThat(chosen.get("average").doubleValue() + chosen.get("worst").doubleValue())
        .isCloseTo(best, within(1e-12));
    assertThat(json("inspect", out()).at("/metadata/orbit.cost").asInt())
        .isEqualTo(chosen.get("calls").intValue());
    String again = untimed(json(command).get("trials"));
    assertThat(again).isEqualTo(untimed(trials));
    assertThat(Run.orbit(command).out()).contains("as it is").contains("→").contains("all kept");
    bad(
        "--max-cost, --limit, --step, --labels: expected with --data",
        "wrap",
        model,
        "--out",
        out(),
        "--max-cost",
        "4");
    bad(
        "--max-cost: expected at least that of --frames",
        "wrap",
        model,
        "--out",
        out(),
        "--data",
        data.toString(),
        "--frames",
        "12",
        "--max-cost",
        "8");
  }

  private static String untimed(JsonNode trials) {
    return trials.toString().replaceAll("\"milliseconds\":[0-9.E-]+", "");
  }

  /** Labels of other classes than the model's say nothing of it: its own answers stand for them. */
  @Test
  void otherLabelsAreNotTakenForTheModels() throws Exception {
    String model = write("two-classes", UserModels.bright(H, W));
    JsonNode trials =
        json(
                "wrap",
                model,
                "--out",
                out(),
                "--data",
                data.toString(),
                "--step",
                "90",
                "--max-cost",
                "4")
            .get("trials");
    assertThat(trials.get("labelled").booleanValue()).isFalse();
    assertThat(trials.at("/bare/clean").doubleValue()).isEqualTo(1);
  }
}
