package org.orbitmap.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.app.option.Json;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.image.Image;
import org.orbitmap.io.cloud.CloudFiles;
import org.orbitmap.io.image.ImageFiles;

/**
 * Audits without labels, and with labels that must be brought to the outputs of a model. The model
 * takes 8 x 8 grey pixels and says which quarter is the brightest: 0 and 1 above, 2 and 3 below.
 */
class AgreementTest {
  private static final String[] PLACES = {"top left", "top right", "bottom left", "bottom right"};

  /** The mean of each quarter. */
  private static final NodeProto QUARTERS =
      OnnxParts.node("AveragePool", "q", "x").toBuilder()
          .addAttribute(ints("kernel_shape"))
          .addAttribute(ints("strides"))
          .build();

  private static AttributeProto ints(String name) {
    return AttributeProto.newBuilder()
        .setName(name)
        .setType(AttributeProto.AttributeType.INTS)
        .addInts(4)
        .addInts(4)
        .build();
  }

  @TempDir Path folder;
  private Path model;

  @BeforeEach
  void writeModel() throws IOException {
    model =
        Files.write(
            folder.resolve("brightest.onnx"),
            OnnxParts.model(
                    GraphProto.newBuilder()
                        .setName("brightest")
                        .addInput(OnnxParts.tensor("x", -1, 1, 8, 8))
                        .addOutput(OnnxParts.tensor("scores", -1, 4))
                        .addNode(QUARTERS)
                        .addNode(OnnxParts.node("Flatten", "scores", "q")))
                .toByteArray());
  }

  /** An image of any size, colour or grey, that is bright in one quarter. */
  private static Image bright(int place, int side, int channels) {
    Image image = Image.black(channels, side, side);
    for (int k = 0; k < image.data().length; k++) {
      int y = k / side % side;
      int x = k % side;
      boolean here = (y >= side / 2 ? 2 : 0) + (x >= side / 2 ? 1 : 0) == place;
      image.data()[k] = here ? 1 : 0;
    }
    return image;
  }

  /** A folder for each of some places, under names of its own. */
  private Path data(String name, String[] folders, int... places) throws IOException {
    Path data = folder.resolve(name);
    for (int k = 0; k < places.length; k++) {
      for (int i = 0; i < 3; i++) {
        ImageFiles.writePng(data.resolve(folders[k]).resolve(i + ".png"), bright(places[k], 8, 1));
      }
    }
    return data;
  }

  private Run audit(Path data, String... more) {
    List<String> args =
        new ArrayList<>(
            List.of("audit", model.toString(), "--data", data.toString(), "--step", "90"));
    args.addAll(List.of(more));
    return Run.orbit(args.toArray(String[]::new));
  }

  private static JsonNode json(Run run) throws IOException {
    assertThat(run.code()).as(run.err()).isLessThan(2);
    return Json.mapper().readTree(run.out());
  }

  @Test
  void plainImagesOfAnySizeHaveAnAgreement() throws Exception {
    Path data = folder.resolve("plain");
    ImageFiles.writePng(data.resolve("a.png"), bright(0, 8, 1));
    ImageFiles.writePng(data.resolve("b.png"), bright(3, 12, 3));
    ImageFiles.writePng(data.resolve("c.png"), Image.black(3, 7, 9));
    Files.writeString(data.resolve("notes.txt"), "no image");
    Path out = folder.resolve("report");
    JsonNode found = json(audit(data, "--json", "--out", out.toString()));
    assertThat(found.get("items").asInt()).isEqualTo(3);
    assertThat(found.has("clean")).isFalse();
    JsonNode sweep = found.at("/sweeps/bilinear");
    assertThat(sweep.has("average") || sweep.has("worst")).isFalse();
    assertThat(sweep.at("/perPose/1").has("accuracy")).isFalse();
    assertThat(sweep.at("/perPose/1/kept").asDouble()).isCloseTo(1 / 3.0, within(1e-9));
    // black stays, the others stay at 0° only
    assertThat(sweep.get("labelKept").asDouble()).isCloseTo(6 / 12.0, within(1e-9));
    assertThat(sweep.get("allKept").asDouble()).isCloseTo(1 / 3.0, within(1e-9));
    // scores such as (1, 0, 0, 0) are probabilities, and all of it goes elsewhere
    assertThat(sweep.get("probabilityChange").asDouble()).isCloseTo(6 / 12.0, within(1e-6));
    Page.assertWhole(
        out.resolve("audit.html"),
        "Agreement in %",
        "Agreement by angle",
        "Probability of the first answer",
        "Least steady items, bilinear");
    assertThat(Files.readString(out.resolve("audit.html"))).doesNotContain("Accuracy by class");
    Run text = audit(data);
    assertThat(text.out()).contains("label kept all kept prob. change").doesNotContain("clean");
    assertThat(json(audit(data.resolve("a.png"), "--json")).get("items").asInt()).isEqualTo(1);
  }

  @Test
  void theShareOfKeptLabelsIsAGate() throws Exception {
    Path data = data("labelled", PLACES, 0, 1, 2, 3);
    // The classes stand in the order of their names, which is not that of the outputs.
    String labels =
        Files.writeString(folder.resolve("names.txt"), String.join("\n", PLACES)).toString();
    Run failed = audit(data, "--labels", labels, "--min-kept", "0.3");
    assertThat(failed.code()).isEqualTo(1);
    assertThat(failed.out()).contains("failed: label kept below 30.0 %");
    Run passed = audit(data, "--labels", labels, "--min-kept", "0.2", "--json");
    assertThat(passed.code()).isZero();
    JsonNode found = json(passed);
    assertThat(found.get("clean").asDouble()).isEqualTo(1);
    assertThat(found.at("/sweeps/bilinear/average").asDouble()).isEqualTo(0.25);
    assertThat(found.at("/sweeps/bilinear/labelKept").asDouble()).isEqualTo(0.25);
    assertThat(found.get("minKept").asDouble()).isEqualTo(0.2);
    assertThat(audit(data, "--min-kept", "2").err()).contains("--min-kept: expected a share");
    Run both = audit(data, "--labels", "none", "--min-worst", "0.5");
    assertThat(both.code()).isEqualTo(2);
    assertThat(both.err()).contains("--min-worst: expected labelled data");
  }

  @Test
  void classesThatDoNotFitTheOutputsAreRefused() throws Exception {
    Path data = data("three", PLACES, 0, 1, 2);
    Run refused = audit(data);
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err())
        .contains("expected data with the 4 classes of the model, found 3")
        .contains("--labels FILE")
        .contains("--labels none");
    JsonNode agreement = json(audit(data, "--labels", "none", "--json"));
    assertThat(agreement.has("clean")).isFalse();
    assertThat(agreement.at("/sweeps/bilinear/labelKept").asDouble()).isEqualTo(0.25);
  }

  /** A data set that has only some of the classes, under other names. */
  @Test
  void labelFilesNameTheOutputs() throws Exception {
    Path data = data("two", new String[] {"sun", "moon"}, 3, 1);
    String[] files = {
      "sun,3\nmoon,1\n",
      "folder;output\nsun;3\nmoon;1",
      "0 star\n1 moon\n3 sun, sol",
      "star\nmoon\ncomet\nsun\n",
      "n00000001 star\nn00000002 moon, luna\nn00000003 comet\nn00000004 Sun, sol",
      "{\"sun\": 3, \"moon\": 1}",
      "{\"0\": [\"n00000001\", \"star\"], \"1\": [\"n00000002\", \"moon\"], \"3\": [\"n4\", \"sun\"]}",
      "{\"1\": \"moon\", \"3\": \"sun\"}",
      "[\"star\", \"moon\", \"comet\", \"sun\"]"
    };
    for (String text : files) {
      Path file = Files.writeString(folder.resolve("labels"), text);
      JsonNode found = json(audit(data, "--labels", file.toString(), "--json"));
      assertThat(found.get("clean").asDouble()).as(text).isEqualTo(1);
    }
    Path names = Files.writeString(folder.resolve("names"), files[4]);
    Path wordNet = data("ids", new String[] {"n00000002", "n00000004"}, 1, 3);
    assertThat(json(audit(wordNet, "--labels", names.toString(), "--json")).get("clean").asDouble())
        .isEqualTo(1);
    Path mine = Files.writeString(folder.resolve("mine"), "big,sol\nsmall,luna");
    Path own = data("own", new String[] {"big", "small"}, 3, 1);
    JsonNode twice =
        json(audit(own, "--labels", names.toString(), "--labels", mine.toString(), "--json"));
    assertThat(twice.get("clean").asDouble()).isEqualTo(1);
  }

  @Test
  void labelFilesThatDoNotFitAreRefused() throws Exception {
    Path data = data("two", new String[] {"sun", "moon"}, 3, 1);
    String[][] bad = {
      {"sun,4\nmoon,1", "expected outputs of the model, 0 to 3"},
      {"sun,3", "expected an output for every class of the data, found none for moon"},
      {"sun\nmoon", "expected names for the 4 outputs of the model, found 2"},
      {"", "expected a name on each line, found an empty file"},
      {"{\"sun\": [", "expected JSON"},
      {"{\"sun\": 1.5}", "expected the number or the name of an output"},
      {"sun,3\nsun,2\nmoon,1", "found none or several for sun"}
    };
    for (String[] each : bad) {
      Path file = Files.writeString(folder.resolve("labels"), each[0]);
      Run refused = audit(data, "--labels", file.toString());
      assertThat(refused.code()).as(each[0]).isEqualTo(2);
      assertThat(refused.err()).contains(each[1]).doesNotContain("inside orbit");
    }
    assertThat(audit(data, "--labels", folder.resolve("nothing").toString()).code()).isEqualTo(2);
  }

  /** A model with as many outputs as ImageNet has classes, and one with the background first. */
  @Test
  void theClassesOfImageNetAreKnown() throws Exception {
    String[] places = {"tabby", "n03126707", "Tinca tinca", "toilet_paper"};
    Path data = data("photographs", places, 0, 1, 2, 3);
    Path own = data("own", new String[] {"garfield", "lift"}, 0, 1);
    Path mine = Files.writeString(folder.resolve("mine"), "garfield,tabby\nlift,n03126707");
    for (int background = 0; background < 2; background++) {
      int outputs = 1000 + background;
      float[] weights = new float[4 * outputs];
      int[] meant = {281, 517, 0, 999};
      for (int q = 0; q < 4; q++) {
        weights[q * outputs + meant[q] + background] = 1;
      }
      TensorProto.Builder w =
          TensorProto.newBuilder().setName("w").setDataType(1).addDims(4).addDims(outputs);
      for (float weight : weights) {
        w.addFloatData(weight);
      }
      Files.write(
          model,
          OnnxParts.model(
                  GraphProto.newBuilder()
                      .setName("photographs")
                      .addInput(OnnxParts.tensor("x", -1, 1, 8, 8))
                      .addOutput(OnnxParts.tensor("scores", -1, outputs))
                      .addInitializer(w)
                      .addNode(QUARTERS)
                      .addNode(OnnxParts.node("Flatten", "f", "q"))
                      .addNode(OnnxParts.node("MatMul", "scores", "f", "w")))
              .toByteArray());
      assertThat(json(audit(data, "--json")).get("clean").asDouble()).isEqualTo(1);
      assertThat(json(audit(data, "--labels", "imagenet", "--json")).get("clean").asDouble())
          .isEqualTo(1);
      assertThat(json(audit(own, "--labels", mine.toString(), "--json")).get("clean").asDouble())
          .isEqualTo(1);
      Run two = audit(data("birds", new String[] {"crane", "tench"}, 1, 2), "--labels", "imagenet");
      assertThat(two.err()).contains("found none or several for crane");
    }
    writeModel();
    Run four = audit(data("four", PLACES, 0, 1, 2, 3), "--labels", "imagenet");
    assertThat(four.code()).isEqualTo(2);
    assertThat(four.err()).contains("expected a model of 1,000 outputs").contains("found 4");
  }

  /** Numbers are outputs, also where their names sort otherwise. */
  @Test
  void foldersWithNumbersAreOutputs() throws Exception {
    Path data = data("numbers", new String[] {"3", "1"}, 3, 1);
    assertThat(json(audit(data, "--json")).get("clean").asDouble()).isEqualTo(1);
  }

  @Test
  void figuresNearChanceAreDoubted() throws Exception {
    // "bottom left" is the first folder, and not the first output.
    Run run = audit(data("order", PLACES, 0, 1, 2, 3), "--json");
    assertThat(run.err()).contains("warning: 0 % of 12 images").contains("near chance");
    assertThat(json(run).at("/warnings/0").asText()).contains("--labels");
    Path right = data("right", new String[] {"a", "b", "c", "d"}, 0, 1, 2, 3);
    Run fine = audit(right, "--json");
    assertThat(fine.err()).doesNotContain("warning");
    assertThat(json(fine).has("warnings")).isFalse();
  }

  /** A model of bytes that is given pixels up to 1 is told apart from a bad model. */
  @Test
  void otherPreprocessingIsNamed() throws Exception {
    TensorProto.Builder weights =
        TensorProto.newBuilder().setName("w").setDataType(1).addDims(4).addDims(2);
    for (int k = 0; k < 4; k++) {
      weights.addFloatData(0).addFloatData(1);
    }
    TensorProto.Builder bias = TensorProto.newBuilder().setName("b").setDataType(1).addDims(2);
    bias.addFloatData(0).addFloatData(-100);
    Path bytes =
        Files.write(
            folder.resolve("bytes.onnx"),
            OnnxParts.model(
                    GraphProto.newBuilder()
                        .setName("bright")
                        .addInput(OnnxParts.tensor("x", -1, 1, 8, 8))
                        .addOutput(OnnxParts.tensor("scores", -1, 2))
                        .addInitializer(weights)
                        .addInitializer(bias)
                        .addNode(QUARTERS)
                        .addNode(OnnxParts.node("Flatten", "f", "q"))
                        .addNode(OnnxParts.node("MatMul", "m", "f", "w"))
                        .addNode(OnnxParts.node("Add", "scores", "m", "b")))
                .toByteArray());
    Path data = folder.resolve("light");
    for (int i = 0; i < 4; i++) {
      ImageFiles.writePng(data.resolve("dark").resolve(i + ".png"), Image.black(1, 8, 8));
      ImageFiles.writePng(data.resolve("light").resolve(i + ".png"), bright(i, 8, 1));
    }
    String[] command = {"audit", bytes.toString(), "--data", data.toString(), "--step", "90"};
    assertThat(Run.orbit(command).err())
        .contains("50 % of 8 images as they are have the right answer, but 100 % with pixels from")
        .contains("0 to 255: give --scale 255 --mean 0 --std 1");
    List<String> with = new ArrayList<>(List.of(command));
    with.addAll(List.of("--scale", "255"));
    assertThat(Run.orbit(with.toArray(String[]::new)).err()).doesNotContain("warning");
  }

  @Test
  void plainCloudsHaveAnAgreement() throws Exception {
    Path axis =
        Files.write(
            folder.resolve("axis.onnx"),
            OnnxParts.model(
                    GraphProto.newBuilder()
                        .setName("longest axis")
                        .addInput(OnnxParts.tensor("x", -1, 20, 3))
                        .addOutput(OnnxParts.tensor("scores", -1, 3))
                        .addNode(OnnxParts.overPoints("ReduceMax", "scores", "x")))
                .toByteArray());
    Path clouds = Files.createDirectories(folder.resolve("clouds"));
    Random random = new Random(3);
    for (int i = 0; i < 4; i++) {
      float[] x = new float[3 * (20 + 10 * i)];
      for (int k = 0; k < x.length; k++) {
        x[k] = random.nextFloat() * (k % 3 == i % 3 ? 3 : 1);
      }
      CloudFiles.write(clouds.resolve(i + ".ply"), new PointCloud(3, x));
    }
    JsonNode found =
        json(
            Run.orbit(
                "audit",
                axis.toString(),
                "--data",
                clouds.toString(),
                "--group",
                "so3",
                "--step",
                "90",
                "--json"));
    assertThat(found.get("items").asInt()).isEqualTo(4);
    assertThat(found.has("clean")).isFalse();
    assertThat(found.at("/sweeps/rotation/labelKept").asDouble()).isBetween(0.05, 0.95);
  }
}
