package org.orbitmap.app.serve.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.TensorProto.DataType;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import com.fasterxml.jackson.databind.JsonNode;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.app.OnnxParts;
import org.orbitmap.app.UserModels;
import org.orbitmap.app.command.ServeCommand;
import org.orbitmap.app.option.Json;
import org.orbitmap.app.serve.http.Limits;
import org.orbitmap.group.Rotation2;
import org.orbitmap.image.Image;
import org.orbitmap.image.ImageRotation;
import org.orbitmap.image.Resampling;
import org.orbitmap.io.UserError;
import org.orbitmap.io.data.ImageSet;
import org.orbitmap.io.data.source.Glyphs;
import org.orbitmap.nn.model.MappingConfig;
import org.orbitmap.nn.model.MappingConfig.Use;
import org.orbitmap.nn.train.RunFolder;
import org.orbitmap.nn.train.TrainConfig;
import org.orbitmap.nn.train.Trainer;
import picocli.CommandLine;

/** {@code orbit serve --model}: training runs and models of clouds. */
class ServeModelsTest {
  @TempDir Path folder;

  private static Studio serve(String... args) throws Exception {
    ServeCommand command = new ServeCommand();
    new CommandLine(command).parseArgs(args);
    Studio studio = new Studio("127.0.0.1", 0, Limits.DEFAULT, command.load(), "test");
    studio.server().start();
    return studio;
  }

  private static JsonNode ask(Studio studio, String path, Object body) throws Exception {
    HttpRequest.Builder to =
        HttpRequest.newBuilder(
            URI.create("http://127.0.0.1:%d%s".formatted(studio.server().port(), path)));
    if (body != null) {
      to.header("Content-Type", "application/json")
          .POST(HttpRequest.BodyPublishers.ofString(Json.mapper().writeValueAsString(body)));
    }
    var answer = HttpClient.newHttpClient().send(to.build(), BodyHandlers.ofString());
    return Json.mapper().readTree(answer.body());
  }

  private static float[] infer(Studio studio, String model, String input, int[] shape, float[] data)
      throws Exception {
    JsonNode answer =
        ask(
            studio,
            "/v2/models/" + model + "/infer",
            Map.of(
                "inputs",
                List.of(Map.of("name", input, "shape", shape, "datatype", "FP32", "data", data))));
    JsonNode values = answer.at("/outputs/0/data");
    assertThat(values.isArray()).as(answer.toString()).isTrue();
    float[] row = new float[values.size()];
    for (int i = 0; i < row.length; i++) {
      row[i] = values.get(i).floatValue();
    }
    return row;
  }

  @Test
  void aTrainingRunIsServedBareAndMapped() throws Exception {
    ImageSet data = Glyphs.generate(64, 3);
    Path run = folder.resolve("signs");
    TrainConfig config =
        TrainConfig.glyphs()
            .with(
                c ->
                    c.limit(64)
                        .network(n -> n.widthFactor(0.125))
                        .epochs(1)
                        .threads(1)
                        .mapping(m -> m.when(Use.TRAIN_AND_TEST)));
    Trainer.of(config, data).start(run);
    Image u = data.image(0);
    int[] shape = {1, 1, u.height(), u.width()};
    try (Studio studio = serve("--model", run.toString())) {
      JsonNode about = ask(studio, "/api/studio", null).at("/models/0");
      assertThat(about.get("name").textValue()).isEqualTo("signs");
      assertThat(about.get("classes")).hasSize(Glyphs.CLASSES.size());
      assertThat(about.get("frames").intValue()).isEqualTo(1);
      String input = ask(studio, "/v2/models/signs", null).at("/inputs/0/name").textValue();
      float[] served = infer(studio, "signs", input, shape, u.data());
      float[] own =
          RunFolder.model(run).taking(data.shape()).with(MappingConfig.NONE).scores(List.of(u))[0];
      assertThat(served).containsExactly(own, within(1e-4f));
      Image rotated = new ImageRotation(Resampling.BILINEAR).act(Rotation2.ofDegrees(90), u);
      float[] mapped = infer(studio, "signs.mapped", input, shape, u.data());
      assertThat(infer(studio, "signs.mapped", input, shape, rotated.data()))
          .containsExactly(mapped, within(1e-4f));
      assertThat(infer(studio, "signs", input, shape, rotated.data())).isNotEqualTo(served);
    }
  }

  /** Batches go one by one through a model that takes one, and both forms are listed. */
  @Test
  void aFixedBatchIsNoLimitForClients() throws Exception {
    Path file = Files.write(folder.resolve("one.onnx"), UserModels.colours(1, 6, 8).toByteArray());
    float[] x = new float[3 * 3 * 6 * 8];
    for (int i = 0; i < x.length; i++) {
      x[i] = i * 37 % 101 / 101f;
    }
    try (Studio studio = serve("--model", file.toString())) {
      assertThat(ask(studio, "/v2/models", null).get("models"))
          .extracting(JsonNode::textValue)
          .containsExactly("one", "one.mapped");
      JsonNode index = ask(studio, "/v2/repository/index", Map.of());
      assertThat(index).hasSize(2);
      assertThat(index.at("/1/name").textValue()).isEqualTo("one.mapped");
      assertThat(index.at("/1/state").textValue()).isEqualTo("READY");
      for (String model : new String[] {"one", "one.mapped"}) {
        JsonNode about = ask(studio, "/v2/models/" + model, null);
        assertThat(about.at("/inputs/0/shape/0").intValue()).isEqualTo(-1);
        assertThat(about.at("/outputs/0/shape/0").intValue()).isEqualTo(-1);
        float[] all = infer(studio, model, "x", new int[] {3, 3, 6, 8}, x);
        assertThat(all).hasSize(9);
        for (int i = 0; i < 3; i++) {
          float[] part = Arrays.copyOfRange(x, i * 144, (i + 1) * 144);
          assertThat(infer(studio, model, "x", new int[] {1, 3, 6, 8}, part))
              .containsExactly(Arrays.copyOfRange(all, 3 * i, 3 * i + 3));
        }
      }
      JsonNode wrong =
          ask(
              studio,
              "/v2/models/one/infer",
              Map.of(
                  "inputs",
                  List.of(
                      Map.of(
                          "name",
                          "x",
                          "shape",
                          new int[] {2, 3, 6, 7},
                          "datatype",
                          "FP32",
                          "data",
                          new float[252]))));
      assertThat(wrong.get("error").textValue()).contains("expected shape 1 x 3 x 6 x 8");
    }
  }

  /** What each model expects stands in a file beside it. */
  @Test
  void everyModelHasItsOwnPreprocessing() throws Exception {
    byte[] model = UserModels.colours(-1, 6, 8).toByteArray();
    Path bytes = Files.write(folder.resolve("bytes.onnx"), model);
    Path plain = Files.write(folder.resolve("plain.onnx"), model);
    Files.writeString(
        folder.resolve("bytes.yaml"),
        """
        scale: 255
        mean: [100, 0, 0]
        classes: [red, green, blue]
        frames: 4
        """);
    Image u = Image.black(3, 6, 8);
    Arrays.fill(u.data(), 0, 48, 0.5f); // red
    Arrays.fill(u.data(), 48, 96, 0.4f);
    byte[] png = org.orbitmap.io.image.ImageFiles.png(u);
    try (Studio studio = serve("--model", bytes.toString(), "--model", plain.toString())) {
      JsonNode models = ask(studio, "/api/studio", null).get("models");
      assertThat(models.at("/0/classes/1").textValue()).isEqualTo("green");
      assertThat(models.at("/0/frames").intValue()).isEqualTo(4);
      assertThat(models.at("/1/classes/1").textValue()).isEqualTo("class 1");
      assertThat(models.at("/1/frames").intValue())
          .isEqualTo(org.orbitmap.image.mapping.Frames.UPRIGHT.count());
      // 127 - 100 < 102: with the mean of the file it is green, without it red
      assertThat(view(studio, "bytes", png).get("label").intValue()).isEqualTo(1);
      assertThat(view(studio, "plain", png).get("label").intValue()).isZero();
    }
    Files.writeString(folder.resolve("bytes.yaml"), "mena: 3\n");
    refused("bytes.yaml: expected YAML with mean", "--model", bytes.toString());
    Files.writeString(folder.resolve("bytes.yaml"), "mean: [1, 2]\n");
    assertThatThrownBy(() -> serve("--model", bytes.toString()))
        .hasMessageContaining("mean: expected 1 or 3 numbers");
  }

  private static JsonNode view(Studio studio, String model, byte[] png) throws Exception {
    HttpRequest to =
        HttpRequest.newBuilder(
                URI.create(
                    "http://127.0.0.1:%d/api/image?model=%s&angle=0"
                        .formatted(studio.server().port(), model)))
            .header("Content-Type", "image/png")
            .POST(HttpRequest.BodyPublishers.ofByteArray(png))
            .build();
    var answer = HttpClient.newHttpClient().send(to, BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return Json.mapper().readTree(answer.body());
  }

  private static JsonNode solid(Studio studio, float[] points) throws Exception {
    HttpRequest to =
        HttpRequest.newBuilder(
                URI.create(
                    "http://127.0.0.1:%d/api/solid?model=solids".formatted(studio.server().port())))
            .header("Content-Type", "application/octet-stream")
            .POST(HttpRequest.BodyPublishers.ofByteArray(CanonicalApi.bytes(points)))
            .build();
    var answer = HttpClient.newHttpClient().send(to, BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return Json.mapper().readTree(answer.body());
  }

  @Test
  void aModelOfCloudsIsServedBareAndMapped() throws Exception {
    Path file = Files.write(folder.resolve("solids.onnx"), largest().toByteArray());
    float[] x = new float[120];
    float[] y = new float[120];
    for (int i = 0; i < 120; i += 3) {
      x[i] = (float) Math.pow(i / 120.0, 2) * 3;
      x[i + 1] = (float) Math.pow(i * 7 % 120 / 120.0, 3) * 2;
      x[i + 2] = (float) Math.pow(i * 11 % 120 / 120.0, 2);
      y[i] = -2 * x[i + 1] + 5; // a quarter turn, twice the size, moved
      y[i + 1] = 2 * x[i] - 1;
      y[i + 2] = 2 * x[i + 2];
    }
    int[] shape = {1, 40, 3};
    try (Studio studio = serve("--model", file.toString())) {
      float[] bare = infer(studio, "solids", "x", shape, x);
      assertThat(bare[0]).isCloseTo(2.85f, within(0.1f));
      assertThat(infer(studio, "solids", "x", shape, y)).isNotEqualTo(bare);
      assertThat(infer(studio, "solids.mapped", "x", shape, y))
          .containsExactly(infer(studio, "solids.mapped", "x", shape, x), within(1e-4f));
      // The page turns a solid and asks this model: the mapped answer stays, the bare one does not.
      assertThat(ask(studio, "/api/studio", null).at("/cloudModels/0").textValue())
          .isEqualTo("solids");
      JsonNode one = solid(studio, x);
      JsonNode two = solid(studio, y);
      for (int c = 0; c < 3; c++) {
        assertThat(two.at("/mapped/" + c).doubleValue())
            .isCloseTo(one.at("/mapped/" + c).doubleValue(), within(1e-4));
      }
      assertThat(two.at("/plain/0").doubleValue())
          .isNotCloseTo(one.at("/plain/0").doubleValue(), within(0.01));
      assertThat(one.at("/classes/2").textValue()).isEqualTo("class 2");
      // The page still has an image to rotate, and does not give images to this model.
      assertThat(ask(studio, "/api/studio", null).at("/models/0/name").textValue())
          .isEqualTo("drawings");
      assertThat(ask(studio, "/api/fit?model=solids", Map.of()).get("error").textValue())
          .contains("expected one that takes images");
    }
  }

  @Test
  void outputsHaveTheTypesThatWereAnnounced() throws Exception {
    GraphProto.Builder graph = largest().getGraph().toBuilder();
    for (DataType type :
        List.of(DataType.DOUBLE, DataType.FLOAT16, DataType.INT64, DataType.INT32)) {
      ValueInfoProto.Builder output = OnnxParts.tensor(type.name(), -1, 3).toBuilder();
      output.getTypeBuilder().getTensorTypeBuilder().setElemType(type.getNumber());
      graph.addOutput(output);
      graph.addNode(
          OnnxParts.node("Cast", type.name(), "scores").toBuilder()
              .addAttribute(
                  AttributeProto.newBuilder()
                      .setName("to")
                      .setType(AttributeProto.AttributeType.INT)
                      .setI(type.getNumber())));
    }
    Path file = Files.write(folder.resolve("many.onnx"), OnnxParts.model(graph).toByteArray());
    Object input =
        Map.of("name", "x", "shape", List.of(1, 40, 3), "datatype", "FP32", "data", ones());
    try (Studio studio = serve("--model", file.toString())) {
      for (String name : List.of("many", "many.mapped")) {
        JsonNode announced = ask(studio, "/v2/models/" + name, null).get("outputs");
        JsonNode answered =
            ask(studio, "/v2/models/" + name + "/infer", Map.of("inputs", List.of(input)))
                .get("outputs");
        assertThat(announced).hasSize(5);
        for (int i = 0; i < 5; i++) {
          assertThat(answered.get(i).get("name")).isEqualTo(announced.get(i).get("name"));
          assertThat(answered.get(i).get("datatype")).isEqualTo(announced.get(i).get("datatype"));
          assertThat(answered.get(i).get("data").get(0).isIntegralNumber())
              .isEqualTo(announced.get(i).get("datatype").textValue().equals("INT64"));
        }
      }
    }
  }

  private static float[] ones() {
    float[] x = new float[120];
    Arrays.fill(x, 1);
    return x;
  }

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES) // a server that starts does not end by itself
  void whatCannotBeServedIsRefusedAtTheStart() throws Exception {
    refused("--port: expected a number from 0 to 65535, found 70000", "--port", "70000");
    refused("--frames: expected a number from 1 to 360, found 0", "--frames", "0");
    refused("--host: expected a name or address of this machine", "--host", "no.such.invalid");
    Path one = Files.write(folder.resolve("one.onnx"), largest().toByteArray());
    Path same = Files.createDirectory(folder.resolve("more")).resolve("one.onnx");
    Files.copy(one, same);
    refused(
        "--model: expected a name for each, found two called one",
        "--model",
        one.toString(),
        "--model",
        same.toString());
    Path mapped = Files.copy(one, folder.resolve("one.mapped.onnx"));
    refused("--model: expected a name without .mapped", "--model", mapped.toString());
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = Integer.toString(taken.getLocalPort());
      refused("expected an address of this machine with a free port", "--port", port);
    }
  }

  /** The command throws what ends it with exit code 2. */
  private static void refused(String message, String... args) {
    ServeCommand command = new ServeCommand();
    new CommandLine(command).parseArgs(args);
    assertThatThrownBy(command::call).isInstanceOf(UserError.class).hasMessageContaining(message);
  }

  /** scores = the largest coordinate along each axis. */
  private static ModelProto largest() {
    return OnnxParts.model(
        GraphProto.newBuilder()
            .setName("largest")
            .addInput(OnnxParts.tensor("x", -1, 40, 3))
            .addOutput(OnnxParts.tensor("scores", -1, 3))
            .addNode(OnnxParts.overPoints("ReduceMax", "scores", "x")));
  }
}
