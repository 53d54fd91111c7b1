package org.orbitmap.onnx.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import ai.onnx.proto.OnnxMl.SparseTensorProto;
import ai.onnx.proto.OnnxMl.StringStringEntryProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.TypeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.model.ModelInput;
import org.orbitmap.model.TensorSpec;

/** What a file says of itself, and which names its nodes may use. */
class OnnxFileFactsTest {
  /** y = x + w. */
  private static ModelProto.Builder model() {
    return OnnxFileTest.adding(13, OnnxFileTest.number(1), 1, 3, 8, 8).toBuilder();
  }

  private static OnnxFile file(ModelProto.Builder model) throws IOException {
    return OnnxFile.of("facts", model.build());
  }

  private static NodeProto.Builder node(String type, String output, String... inputs) {
    return NodeProto.newBuilder().setOpType(type).addAllInput(List.of(inputs)).addOutput(output);
  }

  private static StringStringEntryProto entry(String key, String value) {
    return StringStringEntryProto.newBuilder().setKey(key).setValue(value).build();
  }

  private static void refused(ModelProto.Builder model, String... message) {
    assertThatThrownBy(() -> file(model))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(message);
  }

  @Test
  void aFileTellsWhatIsInIt() throws IOException {
    ModelProto.Builder m =
        model()
            .setIrVersion(7)
            .setProducerName("pytorch")
            .setProducerVersion("2.1")
            .addOpsetImport(OperatorSetIdProto.newBuilder().setDomain("com.other").setVersion(3))
            .addMetadataProps(entry("a", "1"))
            .addMetadataProps(entry("b", "2"));
    m.getGraphBuilder()
        .addInitializer(
            TensorProto.newBuilder().setName("v").setDataType(Graph.DOUBLE).addDims(4).addDims(5))
        .addInitializer(
            TensorProto.newBuilder().setName("shape").setDataType(Graph.INT64).addDims(100))
        .addInput(Graph.info("w", Graph.tensorType(Graph.FLOAT, List.of(1L))))
        .addNode(node("Add", "z", "y", "w"));
    OnnxFile file = file(m);
    assertThat(file.source()).isEqualTo("facts");
    assertThat(file).hasToString("facts");
    assertThat(file.irVersion()).isEqualTo(7);
    assertThat(file.producer()).isEqualTo("pytorch 2.1");
    assertThat(file.opset()).isEqualTo(13);
    assertThat(file.opsets()).isEqualTo(Map.of("ai.onnx", 13L, "com.other", 3L));
    assertThat(file.operators()).isEqualTo(Map.of("Add", 2L));
    assertThat(file.parameters()).as("1 and 4 x 5, no whole numbers").isEqualTo(21);
    assertThat(file.metadata()).containsExactly(Map.entry("a", "1"), Map.entry("b", "2"));
    assertThat(file.inputs()).extracting(TensorSpec::name).containsExactly("x");
    assertThat(file.outputs()).extracting(TensorSpec::name).containsExactly("y");
    assertThat(file.cost()).isEqualTo(1);
    assertThat(file(m.addMetadataProps(entry("orbit.cost", "16"))).cost()).isEqualTo(16);
    assertThat(
            file(m.setOpsetImport(0, m.getOpsetImport(0).toBuilder().setDomain("ai.onnx"))).opset())
        .isEqualTo(13);
  }

  @Test
  void whatIsMissingIsNamed() {
    refused(model().clearGraph(), "found one without a graph");
    refused(model().setIrVersion(0), "found one without a version of the format");
    ModelProto.Builder silent = model();
    silent.getGraphBuilder().clearOutput();
    refused(silent, "found one without outputs");
    refused(
        model().setOpsetImport(0, OperatorSetIdProto.newBuilder().setDomain("com.other")),
        "names its opset of standard operators, found none");
    ModelProto.Builder unknown = model();
    unknown.getGraphBuilder().addOutput(Graph.info("q", Graph.tensorType(Graph.FLOAT, List.of())));
    refused(unknown, "expected a node that gives output \"q\"");
  }

  /** A value that is no tensor, and axes of unknown length. */
  @Test
  void otherTypesAreNamed() throws IOException {
    ModelProto.Builder m = model();
    m.getGraphBuilder()
        .addInput(
            ValueInfoProto.newBuilder()
                .setName("list")
                .setType(TypeProto.newBuilder().setSequenceType(TypeProto.Sequence.newBuilder())))
        .addInput(Graph.info("free", Graph.tensorType(Graph.FLOAT, List.of("N", 0L))));
    List<TensorSpec> inputs = file(m).inputs();
    assertThat(inputs.get(1)).isEqualTo(new TensorSpec("list", "other", List.of()));
    assertThat(inputs.get(2).shape())
        .containsExactly(new TensorSpec.Dimension(-1, "N"), new TensorSpec.Dimension(0, ""));
  }

  @Test
  void furtherInputsGetConstants() throws IOException {
    ModelProto.Builder m = model();
    m.getGraphBuilder()
        .addInput(Graph.info("t", Graph.tensorType(Graph.FLOAT, List.of(2L))))
        .addNode(node("Identity", "u", "t"));
    OnnxFile file = file(m);
    ModelInput<?> images = file(model()).input(ModelInput.Hints.NONE);
    file(model()).requireOnly(images);
    assertThatThrownBy(() -> file.requireOnly(images))
        .hasMessageContaining("expected one input, \"x\", found 1 more that have to be fed");
    OnnxFile given = file.with("t", 3, 4);
    given.requireOnly(images);
    assertThat(given.inputs()).extracting(TensorSpec::name).containsExactly("x");
    assertThat(given.model().getGraph().getNode(0).getOutput(0)).isEqualTo("t");
    assertThat(given.source()).isEqualTo("facts");
    assertThatThrownBy(() -> file.with("other", 1))
        .hasMessageContaining("expected an input among")
        .hasMessageContaining("found \"other\"");
  }

  @Test
  void probabilitiesAreSeenThroughNodesThatChangeNothing() throws IOException {
    ModelProto.Builder m = model();
    m.getGraphBuilder()
        .addNode(node("Softmax", "p", "y"))
        .addNode(node("Reshape", "q", "p", "w"))
        .addNode(node("Identity", "r", "q"))
        .addNode(node("Relu", "s", "p"))
        .addNode(node("Sigmoid", "t", "y"))
        .addNode(node("Identity", "none"));
    OnnxFile file = file(m);
    for (String output : List.of("p", "q", "r", "t")) {
      assertThat(file.givesProbabilities(output)).as(output).isTrue();
    }
    for (String output : List.of("y", "s", "x", "none", "unheard")) {
      assertThat(file.givesProbabilities(output)).as(output).isFalse();
    }
  }

  private static NodeProto.Builder branching(String inside) {
    GraphProto.Builder branch =
        GraphProto.newBuilder().setName("branch").addNode(node("Identity", "local", inside));
    return node("If", "chosen", "y")
        .addAttribute(AttributeProto.newBuilder().setName("then_branch").setG(branch))
        .addAttribute(AttributeProto.newBuilder().setName("more").addGraphs(branch));
  }

  /** Graphs inside see the names outside; what they define themselves stays inside. */
  @Test
  void namesOfBranchesStayInside() throws IOException {
    ModelProto.Builder good = model();
    good.getGraphBuilder().addNode(branching("y")).addNode(node("Identity", "z", "chosen"));
    assertThat(file(good).operators()).containsKey("If");
    ModelProto.Builder outside = model();
    outside.getGraphBuilder().addNode(branching("y")).addNode(node("Identity", "z", "local"));
    refused(outside, "expected a value \"local\" before node");
    for (int other = 0; other < 2; other++) { // a graph alone, then one in a list of them
      ModelProto.Builder unknown = model();
      unknown.getGraphBuilder().addNode(branching("nowhere").removeAttribute(1 - other));
      refused(unknown, "expected a value \"nowhere\" before node");
    }
    ModelProto.Builder again = model();
    again.getGraphBuilder().addNode(branching("y")).addNode(branching("y").setOutput(0, "second"));
    file(again);
    ModelProto.Builder sparse = model();
    sparse
        .getGraphBuilder()
        .addSparseInitializer(
            SparseTensorProto.newBuilder().setValues(TensorProto.newBuilder().setName("few")))
        .addNode(node("Identity", "z", "few"));
    file(sparse);
  }

  /** A place beside numbers that are inside is forgotten with a file, and refused in an upload. */
  @Test
  void placesOfNumbersThatAreInsideMeanNothing(@TempDir Path folder) throws IOException {
    ModelProto.Builder m = model();
    m.getGraphBuilder().getInitializerBuilder(0).addExternalData(entry("location", "elsewhere"));
    byte[] bytes = m.build().toByteArray();
    OnnxFile read = OnnxFile.read(Files.write(folder.resolve("m.onnx"), bytes));
    assertThat(read.model().getGraph()).isEqualTo(model().getGraph());
    assertThatThrownBy(() -> OnnxFile.decode("upload", bytes))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("upload: expected a model that is whole in itself");
  }
}
