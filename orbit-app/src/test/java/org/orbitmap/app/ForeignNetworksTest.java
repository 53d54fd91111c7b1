package org.orbitmap.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.orbitmap.app.model.ModelExport;
import org.orbitmap.app.option.Json;
import org.orbitmap.image.Image;
import org.orbitmap.io.network.ImportedWeights;
import org.orbitmap.io.network.Safetensors;
import org.orbitmap.io.network.TensorFile;
import org.orbitmap.model.InputShape;
import org.orbitmap.model.ModelInput;
import org.orbitmap.model.Preprocessing;
import org.orbitmap.network.Architecture;
import org.orbitmap.network.FloatTensor;
import org.orbitmap.network.run.ArrayOperations;
import org.orbitmap.network.run.ArrayOperations.Batch;
import org.orbitmap.network.run.ArrayWeights;
import org.orbitmap.network.zoo.Networks;
import org.orbitmap.nn.model.MappingConfig;
import org.orbitmap.nn.model.Model;
import org.orbitmap.nn.tensor.NativeScope;
import org.orbitmap.nn.tensor.Tensors;
import org.orbitmap.onnx.graph.OnnxFile;
import org.orbitmap.onnx.run.OnnxModel;

/** Networks of others, with their weights, answer here what they answer there. */
class ForeignNetworksTest {
  private static final String SCRIPT = "foreign.py";
  private static final Path PYTHON = Path.of("/usr/bin/python3");

  @TempDir Path folder;

  /** Networks made narrow, in half precision, whose answers were written down. */
  @ParameterizedTest
  @ValueSource(strings = {"resnet18-imagenet", "resnet50", "nfnet-f0"})
  void answersAreThoseThatWereWrittenDown(String network) throws Exception {
    resource(network + ".pth");
    resource(network + ".json");
    check(network);
  }

  /** Torchvision's networks as they are, if Python has it. */
  @ParameterizedTest
  @ValueSource(strings = {"resnet18-imagenet", "resnet50"})
  void answersAreThoseOfPython(String network) throws Exception {
    checkBesidePython(network, 64, 20);
  }

  /** The same at the size of photographs, and the NFNet of timm, which is stated in Python. */
  @ParameterizedTest
  @EnabledIfSystemProperty(named = "orbit.long", matches = "true", disabledReason = "takes long")
  @CsvSource({
    "resnet18-imagenet, 224, 20",
    "resnet50, 224, 20",
    "nfnet-f0, 97, 4",
    "nfnet-f0, 256, 4"
  })
  void answersToPhotographsAreThoseOfPython(String network, int side, int images) throws Exception {
    checkBesidePython(network, side, images);
  }

  private void checkBesidePython(String network, int side, int images) throws Exception {
    assumeTrue(Files.isExecutable(PYTHON), "no Python");
    resource(SCRIPT);
    Process python =
        new ProcessBuilder(
                PYTHON.toString(),
                SCRIPT,
                network,
                "1",
                "1000",
                Integer.toString(side),
                Integer.toString(images),
                "single",
                ".")
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start();
    assertThat(python.waitFor(20, TimeUnit.MINUTES)).isTrue();
    String said = Files.readString(folder.resolve("log"));
    assumeTrue(!said.contains("ModuleNotFoundError"), "no torchvision");
    assertThat(python.exitValue()).as(said).isZero();
    check(network);
  }

  private void resource(String name) throws Exception {
    try (InputStream in = ForeignNetworksTest.class.getResourceAsStream("/foreign/" + name)) {
      Files.copy(in, folder.resolve(name));
    }
  }

  private void check(String network) throws Exception {
    JsonNode told = Json.mapper().readTree(folder.resolve(network + ".json").toFile());
    int side = told.get("side").asInt();
    int classes = told.get("classes").asInt();
    Architecture architecture =
        new Architecture(
            Networks.named(network),
            told.get("width").asDouble(),
            false,
            Map.of(),
            new InputShape.Images(3, side, side),
            classes);
    ImportedWeights weights = ImportedWeights.read(folder.resolve(network + ".pth"), architecture);
    assertThat(weights.newHead()).isFalse();
    Path second = folder.resolve(network + ".safetensors");
    if (Files.exists(second)) {
      assertThat(ImportedWeights.read(second, architecture)).isEqualTo(weights);
    }
    Model<?> made =
        Model.of(
            new Model.Description(
                architecture,
                IntStream.range(0, classes).mapToObj(k -> "class " + k).toList(),
                new float[3],
                new float[] {1, 1, 1},
                MappingConfig.NONE),
            0);
    made.weights().restore(weights.tensors());
    assertThat(made.parameters()).isEqualTo(told.get("parameters").asLong());
    Model<Image> model = made.taking(new InputShape.Images(3, side, side));
    List<Image> images = images(told.get("scores").size(), side);
    float[] numbers = model.input().pack("images", images);
    float[] engine =
        NativeScope.inference(
            () ->
                Tensors.toArray(
                    model.logits(Tensors.of(numbers, model.input().batch(images.size())))));
    float[][] likelihoods = new float[images.size()][];
    for (int i = 0; i < images.size(); i++) {
      float[] expected = new float[classes];
      for (int k = 0; k < classes; k++) {
        expected[k] = (float) told.at("/scores/%d/%d".formatted(i, k)).asDouble();
      }
      assertThat(Arrays.copyOfRange(engine, i * classes, (i + 1) * classes))
          .as("image %d in the engine", i)
          .containsExactly(expected, offset(1e-4f));
      likelihoods[i] = logSoftmax(expected);
    }
    Path file = folder.resolve("exported.onnx");
    ModelExport.export(model).write(file);
    OnnxFile read = OnnxFile.read(file);
    ModelInput.Images input = (ModelInput.Images) read.input(ModelInput.Hints.NONE);
    try (OnnxModel opened = OnnxModel.open(read)) {
      float[][] found =
          opened.classifier(input, Preprocessing.NONE, "probabilities").scores(images);
      for (int i = 0; i < images.size(); i++) {
        for (int k = 0; k < classes; k++) {
          found[i][k] = (float) Math.log(found[i][k]);
        }
        assertThat(found[i])
            .as("logarithms for image %d in the exported file", i)
            .containsExactly(likelihoods[i], offset(1e-4f));
      }
    }
    if (told.get("width").asDouble() < 1) {
      ArrayOperations ops = new ArrayOperations(new ArrayWeights(model.tensors()));
      float[] plain = model.afterMapping(ops, Batch.of(numbers, 3, side, side)).values();
      assertThat(plain).as("in plain Java").containsExactly(engine, offset(1e-4f));
    }
  }

  private static float[] logSoftmax(float[] scores) {
    double sum = 0;
    for (float score : scores) {
      sum += Math.exp(score);
    }
    float[] p = new float[scores.length];
    for (int k = 0; k < p.length; k++) {
      p[k] = (float) (scores[k] - Math.log(sum));
    }
    return p;
  }

  private static List<Image> images(int count, int side) {
    List<Image> all = new ArrayList<>();
    long i = 1;
    for (int k = 0; k < count; k++) {
      Image u = Image.black(3, side, side);
      float factor = (float) ((k + 1.0) / count);
      for (int p = 0; p < u.data().length; p++, i++) {
        long bits = i * 2654435761L & 0xffffffffL;
        u.data()[p] = (bits >> 8) / 16777216f * factor;
      }
      all.add(u);
    }
    return all;
  }

  private static Architecture narrow(int classes) {
    return new Architecture(
        Networks.named("resnet18-imagenet"),
        0.0625,
        false,
        Map.of(),
        new InputShape.Images(3, 64, 64),
        classes);
  }

  /** Names may be behind those of wrappers, one or several, if all of them are. */
  @ParameterizedTest
  @ValueSource(strings = {"module.", "_orig_mod.", "module._orig_mod.", "_orig_mod.module."})
  void namesAreUnwrapped(String wrapper) throws Exception {
    resource("resnet18-imagenet.pth");
    Architecture architecture = narrow(7);
    Path plain = folder.resolve("resnet18-imagenet.pth");
    Map<String, FloatTensor> tensors = new LinkedHashMap<>();
    try (TensorFile file = TensorFile.open(plain)) {
      for (String name : file.entries().keySet()) {
        tensors.put(wrapper + name, file.read(name));
      }
    }
    Path wrapped = folder.resolve("wrapped.safetensors");
    new Safetensors(Map.of(), tensors).write(wrapped);
    assertThat(ImportedWeights.read(wrapped, architecture))
        .isEqualTo(ImportedWeights.read(plain, architecture));
    tensors.put("other", new FloatTensor(new long[] {1}, new float[1]));
    new Safetensors(Map.of(), tensors).write(wrapped);
    assertThatThrownBy(() -> ImportedWeights.read(wrapped, architecture))
        .hasMessageContaining("left over");
  }

  /** What is missing, left over or of another shape is listed; only the head may differ. */
  @Test
  void everyTensorMustFindItsPlace() throws Exception {
    resource("resnet18-imagenet.pth");
    Path file = folder.resolve("resnet18-imagenet.pth");
    Architecture other = narrow(3);
    ImportedWeights weights = ImportedWeights.read(file, other);
    assertThat(weights.newHead()).isTrue();
    Map<String, FloatTensor> rest = new LinkedHashMap<>();
    other
        .declare()
        .parameters()
        .forEach(
            p -> {
              if (!p.name().startsWith("head.")) {
                rest.put(p.name(), null);
              }
            });
    assertThat(weights.tensors().keySet()).isEqualTo(rest.keySet());
    for (String network : List.of("resnet34", "resnet50", "convnet")) {
      Architecture wrong =
          new Architecture(
              Networks.named(network),
              0.0625,
              false,
              Map.of(),
              new InputShape.Images(3, 64, 64),
              7);
      assertThatThrownBy(() -> ImportedWeights.read(file, wrong))
          .hasMessageContaining("expected the weights of " + network)
          .hasMessageContaining("missing (")
          .message()
          .doesNotContain("\n");
    }
  }
}
