package org.orbitmap.onnx.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.FunctionProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import ai.onnx.proto.OnnxMl.SparseTensorProto;
import ai.onnx.proto.OnnxMl.StringStringEntryProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.TrainingInfoProto;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.model.Layout;
import org.orbitmap.model.ModelInput;
import org.orbitmap.onnx.run.OnnxModel;
import org.orbitmap.onnx.wrap.Wrap;

/** Files that are no models, and models of every kind. */
public class OnnxFileTest {
  @TempDir Path folder;

  /** y = x + w for images of the given shape; w has one number. */
  public static ModelProto adding(int opset, TensorProto w, Object... shape) {
    return ModelProto.newBuilder()
        .setIrVersion(8)
        .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(opset))
        .setGraph(
            GraphProto.newBuilder()
                .setName("adding")
                .addInput(Graph.info("x", Graph.tensorType(Graph.FLOAT, List.of(shape))))
                .addOutput(Graph.info("y", Graph.tensorType(Graph.FLOAT, List.of(shape))))
                .addInitializer(w)
                .addNode(
                    NodeProto.newBuilder()
                        .setOpType("Add")
                        .addInput("x")
                        .addInput(w.getName())
                        .addOutput("y")))
        .build();
  }

  public static TensorProto number(float x) {
    return TensorProto.newBuilder()
        .setName("w")
        .setDataType(Graph.FLOAT)
        .addDims(1)
        .addFloatData(x)
        .build();
  }

  private Path write(byte[] bytes) throws IOException {
    return Files.write(folder.resolve("model.onnx"), bytes);
  }

  @Test
  void noFileNoModel() {
    assertThatThrownBy(() -> OnnxFile.read(folder.resolve("absent.onnx")))
        .hasMessageContaining("expected an ONNX model, found nothing there");
    assertThatThrownBy(() -> OnnxFile.read(folder))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("found a folder");
  }

  @Test
  void somethingElseIsRefused() throws Exception {
    byte[] noise = new byte[5000];
    new Random(1).nextBytes(noise);
    byte[] png = {(byte) 0x89, 'P', 'N', 'G', 13, 10, 26, 10, 0, 0};
    for (byte[] bytes :
        List.of(new byte[0], noise, png, "a text, not a model".getBytes(StandardCharsets.UTF_8))) {
      Path file = write(bytes);
      assertThatThrownBy(() -> OnnxFile.read(file))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("expected an ONNX model");
    }
  }

  @Test
  void everyTruncationIsRefused() throws Exception {
    byte[] whole = adding(13, number(1), 1, 3, 8, 8).toByteArray();
    assertThat(OnnxFile.read(write(whole)).opset()).isEqualTo(13);
    for (int n = 0; n < whole.length; n++) {
      Path file = write(Arrays.copyOf(whole, n));
      assertThatThrownBy(() -> OnnxFile.read(file)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void unknownOperatorsAreRefusedWhenOpened() throws Exception {
    ModelProto.Builder m = adding(13, number(1), 1, 3, 8, 8).toBuilder();
    m.getGraphBuilder().getNodeBuilder(0).setOpType("Frobnicate");
    OnnxFile file = OnnxFile.of("odd", m.build());
    assertThatThrownBy(() -> OnnxModel.open(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Frobnicate");
    assertThatThrownBy(() -> Wrap.of(file).build())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Frobnicate");
  }

  @Test
  void initialisersOutsideTheFileAreReadIn() throws Exception {
    ByteBuffer data = ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN);
    data.putFloat(4, 2.5f);
    Files.write(folder.resolve("weights.bin"), data.array());
    ModelProto m = adding(13, external("weights.bin", "4", "4"), 1, 3, 2, 2);
    OnnxFile file = OnnxFile.read(write(m.toByteArray()));
    assertThat(file.parts()).hasSize(2).contains(folder.resolve("weights.bin"));
    Path other = Files.createDirectory(folder.resolve("elsewhere")).resolve("whole.onnx");
    file.write(other);
    try (OnnxModel model = OnnxModel.open(OnnxFile.read(other))) {
      float[] y =
          model
              .run(Map.of("x", new OnnxModel.Feed(new long[] {1, 3, 2, 2}, new float[12])))
              .get("y")
              .data();
      assertThat(y).containsOnly(2.5f);
    }
  }

  @Test
  void initialisersOutsideMustBeThere() throws Exception {
    Files.write(folder.resolve("weights.bin"), new byte[6]);
    for (TensorProto w :
        List.of(
            external("absent.bin", "0", "4"),
            external("weights.bin", "4", "4"),
            external("weights.bin", "-4", "4"),
            external("weights.bin", "x", "4"),
            external("../weights.bin", "0", "4"))) {
      Path file = write(adding(13, w, 1, 3, 2, 2).toByteArray());
      assertThatThrownBy(() -> OnnxFile.read(file))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("\"w\"");
    }
  }

  @Test
  void modelsAbove2GbAreRefused() throws Exception {
    Path big = folder.resolve("big.bin");
    try (RandomAccessFile sparse = new RandomAccessFile(big.toFile(), "rw")) {
      sparse.setLength(3_000_000_000L);
    }
    assertThatThrownBy(() -> OnnxFile.read(big))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("2 GB")
        .hasMessageContaining("3.00 GB");
    Path file = write(adding(13, external("big.bin", "0", "2999999999"), 1, 3, 2, 2).toByteArray());
    assertThatThrownBy(() -> OnnxFile.read(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("2 GB");
  }

  /** Models with one tensor in another file, each at another place of the format. */
  private static Map<String, ModelProto> everyPlace(TensorProto w) {
    ModelProto plain = adding(18, number(1), 1, 3, 2, 2);
    GraphProto inner =
        GraphProto.newBuilder()
            .setName("inner")
            .addInitializer(w)
            .addOutput(Graph.info("w", Graph.tensorType(Graph.FLOAT, List.of(1))))
            .build();
    SparseTensorProto sparse =
        SparseTensorProto.newBuilder()
            .setValues(number(1))
            .setIndices(w.toBuilder().setDataType(Graph.INT64))
            .addDims(1)
            .build();
    Map<String, ModelProto> all = new LinkedHashMap<>();
    all.put("initialiser", adding(18, w, 1, 3, 2, 2));
    all.put("attribute", with(plain, attribute().setT(w)));
    all.put("attribute of tensors", with(plain, attribute().addTensors(w)));
    all.put("attribute of a sparse tensor", with(plain, attribute().setSparseTensor(sparse)));
    all.put("attribute of sparse tensors", with(plain, attribute().addSparseTensors(sparse)));
    all.put("graph inside", with(plain, attribute().setG(inner)));
    all.put("graphs inside", with(plain, attribute().addGraphs(inner)));
    ModelProto.Builder initialiser = plain.toBuilder();
    initialiser.getGraphBuilder().addSparseInitializer(sparse);
    all.put("sparse initialiser", initialiser.build());
    NodeProto constant =
        NodeProto.newBuilder()
            .setOpType("Constant")
            .addOutput("c")
            .addAttribute(attribute().setName("value").setT(w))
            .build();
    FunctionProto function =
        FunctionProto.newBuilder()
            .setName("F")
            .setDomain("own")
            .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(18))
            .addInput("a")
            .addOutput("b")
            .addNode(constant)
            .addNode(
                NodeProto.newBuilder().setOpType("Add").addInput("a").addInput("c").addOutput("b"))
            .build();
    ModelProto.Builder calling =
        plain.toBuilder()
            .addOpsetImport(OperatorSetIdProto.newBuilder().setDomain("own").setVersion(1))
            .addFunctions(function);
    calling.getGraphBuilder().getNodeBuilder(0).setOpType("F").setDomain("own").clearInput();
    calling.getGraphBuilder().getNodeBuilder(0).addInput("x");
    all.put("function", calling.build());
    all.put(
        "training",
        plain.toBuilder()
            .addTrainingInfo(
                TrainingInfoProto.newBuilder().setInitialization(inner).setAlgorithm(inner))
            .build());
    return all;
  }

  private static AttributeProto.Builder attribute() {
    return AttributeProto.newBuilder().setName("extra");
  }

  private static ModelProto with(ModelProto model, AttributeProto.Builder attribute) {
    ModelProto.Builder b = model.toBuilder();
    b.getGraphBuilder().getNodeBuilder(0).addAttribute(attribute);
    return b.build();
  }

  @Test
  void aModelInMemoryNeverNamesAFile() {
    everyPlace(external("/etc/passwd", "0", "4"))
        .forEach(
            (place, model) ->
                assertThatThrownBy(() -> OnnxFile.decode("the model", model.toByteArray()))
                    .as(place)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("whole in itself"));
  }

  @Test
  void whatIsReadFromAFileIsWholeAndStaysInItsFolder() throws Exception {
    Files.write(folder.resolve("w.bin"), new byte[4]);
    for (var place : everyPlace(external("w.bin", "0", "4")).entrySet()) {
      OnnxFile file = OnnxFile.read(write(place.getValue().toByteArray()));
      assertThat(file.parts()).as(place.getKey()).contains(folder.resolve("w.bin"));
      assertThat(file.model().toString())
          .as(place.getKey())
          .doesNotContain("w.bin")
          .doesNotContain("EXTERNAL");
      OnnxFile.decode("written", file.bytes());
    }
    for (var place : everyPlace(external("../w.bin", "0", "4")).entrySet()) {
      Path file = write(place.getValue().toByteArray());
      assertThatThrownBy(() -> OnnxFile.read(file))
          .as(place.getKey())
          .isInstanceOf(IOException.class)
          .hasMessageContaining("files elsewhere are not read");
    }
  }

  /** Many nodes, each with a graph inside: the names outside are known in all of them. */
  private static byte[] branches(int n) {
    GraphProto.Builder graph = GraphProto.newBuilder().setName("many");
    graph.addInput(Graph.info("x0", Graph.tensorType(Graph.FLOAT, List.of(1))));
    for (int i = 0; i < n; i++) {
      NodeProto use =
          NodeProto.newBuilder().setOpType("Neg").addInput("x" + i).addOutput("in").build();
      graph.addNode(
          NodeProto.newBuilder()
              .setOpType("If")
              .addInput("x" + i)
              .addOutput("x" + (i + 1))
              .addAttribute(attribute().setG(GraphProto.newBuilder().addNode(use))));
    }
    graph.addOutput(Graph.info("x" + n, Graph.tensorType(Graph.FLOAT, List.of(1))));
    return ModelProto.newBuilder()
        .setIrVersion(8)
        .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(18))
        .setGraph(graph)
        .build()
        .toByteArray();
  }

  /** Four times the bytes may take a little more than four times as long; sixteen is quadratic. */
  @Test
  void readingIsLinear() throws Exception {
    byte[] small = branches(4_000);
    byte[] large = branches(16_000);
    assertThat(large.length).isBetween(4 * small.length, 5 * small.length);
    double ratio = Double.POSITIVE_INFINITY;
    for (int trial = 0; trial < 5 && ratio > 8; trial++) {
      ratio = Math.min(ratio, seconds(large) / seconds(small));
    }
    assertThat(ratio).isLessThan(8);
  }

  private static double seconds(byte[] model) throws IOException {
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < 3; i++) {
      long begun = System.nanoTime();
      OnnxFile.decode("the model", model).givesProbabilities("none");
      least = Math.min(least, (System.nanoTime() - begun) / 1e9);
    }
    return least;
  }

  @Test
  void aGraphInsideKnowsItsOwnNamesOnly() {
    ModelProto plain = adding(18, number(1), 1, 3, 2, 2);
    NodeProto own = NodeProto.newBuilder().setOpType("Neg").addInput("x").addOutput("z").build();
    ModelProto.Builder leaking =
        with(plain, attribute().setG(GraphProto.newBuilder().addNode(own))).toBuilder();
    leaking
        .getGraphBuilder()
        .addNode(NodeProto.newBuilder().setOpType("Neg").addInput("z").addOutput("q"));
    assertThatThrownBy(() -> OnnxFile.of("test", leaking.build()))
        .hasMessageContaining("expected a value \"z\"");
  }

  @Test
  void valuesThatGoInCirclesAreNoProbabilities() throws Exception {
    ModelProto.Builder circle = adding(18, number(1), 1, 3, 2, 2).toBuilder();
    circle
        .getGraphBuilder()
        .addNode(NodeProto.newBuilder().setOpType("Identity").addInput("y").addOutput("y"));
    assertThat(OnnxFile.of("test", circle.build()).givesProbabilities("y")).isFalse();
  }

  private static TensorProto external(String location, String offset, String length) {
    return TensorProto.newBuilder()
        .setName("w")
        .setDataType(Graph.FLOAT)
        .addDims(1)
        .setDataLocation(TensorProto.DataLocation.EXTERNAL)
        .addExternalData(entry("location", location))
        .addExternalData(entry("offset", offset))
        .addExternalData(entry("length", length))
        .build();
  }

  private static StringStringEntryProto entry(String key, String value) {
    return StringStringEntryProto.newBuilder().setKey(key).setValue(value).build();
  }

  @Test
  void theKindOfInputIsSeenFromItsShape() throws Exception {
    assertThat(input("N", 3, 32, 32))
        .isInstanceOfSatisfying(
            ModelInput.Images.class,
            p -> {
              assertThat(p.layout()).isEqualTo(Layout.NCHW);
              assertThat(p.batch()).isEqualTo(-1);
            });
    assertThat(input(1, 28, 30, 1))
        .isInstanceOfSatisfying(
            ModelInput.Images.class,
            p -> {
              assertThat(p.layout()).isEqualTo(Layout.NHWC);
              assertThat(List.of(p.batch(), p.channels(), p.height(), p.width()))
                  .containsExactly(1, 1, 28, 30);
            });
    assertThat(input("N", 3, 1024))
        .isInstanceOfSatisfying(
            ModelInput.Clouds.class, c -> assertThat(c.pointsFirst()).isFalse());
    assertThat(input("N", "P", 3))
        .isInstanceOfSatisfying(ModelInput.Clouds.class, c -> assertThat(c.pointsFirst()).isTrue());
  }

  @Test
  void whatIsNoImageAndNoCloudIsRefused() {
    assertThatThrownBy(() -> input("N", 784))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("N x 784");
    assertThatThrownBy(() -> input(1, 64, 64, 64)).hasMessageContaining("the layout");
    assertThatThrownBy(() -> input(1, 3, "h", "w")).hasMessageContaining("the size");
  }

  private static ModelInput<?> input(Object... shape) throws IOException {
    return OnnxFile.of("test", adding(13, number(1), shape)).input(ModelInput.Hints.NONE);
  }
}
