package org.orbitmap.onnx.wrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.orbitmap.cloud.mapping.CloudMapping;
import org.orbitmap.group.SimilarityGroup;
import org.orbitmap.image.Image;
import org.orbitmap.image.mapping.Frames.Pool;
import org.orbitmap.image.mapping.RotationMapping;
import org.orbitmap.model.ModelInput;
import org.orbitmap.onnx.graph.Graph;
import org.orbitmap.onnx.graph.Graph.Value;
import org.orbitmap.onnx.graph.OnnxFile;
import org.orbitmap.onnx.run.OnnxModel;

/** Models as others make them: several outputs, labels, bytes, free sizes, names in use. */
class OddModelsTest {
  private static final int SIDE = 12;

  /** A model of images x, whose nodes and outputs the caller adds. */
  private static final class Maker {
    final Graph g;
    final GraphProto.Builder graph = GraphProto.newBuilder().setName("odd");
    final Value x;
    final int opset;

    Maker(int opset, int type, Object... shape) {
      this.opset = opset;
      g = new Graph(opset, "net/");
      x = g.value("x", type);
      graph.addInput(Graph.info("x", Graph.tensorType(type, List.of(shape))));
    }

    Maker(int opset) {
      this(opset, Graph.FLOAT, "N", 3, SIDE, SIDE);
    }

    /** The sum of the upper left quarter of each channel, which no turn leaves as it is. */
    Value sums() {
      Value flat = x.cast(Graph.FLOAT).reshape(0, 3, SIDE * SIDE);
      float[] corner = new float[SIDE * SIDE];
      for (int i = 0; i < corner.length; i++) {
        corner[i] = i / SIDE < SIDE / 2 && i % SIDE < SIDE / 2 ? 1 : 0;
      }
      return flat.times(g.floats(corner, corner.length)).reduce("ReduceSum", 2).reshape(0, 3);
    }

    Maker output(Value v, String name, Object... shape) {
      g.name(v, name);
      return declare(name, v.type(), shape);
    }

    Maker declare(String name, int type, Object... shape) {
      graph.addOutput(Graph.info(name, Graph.tensorType(type, List.of(shape))));
      return this;
    }

    OnnxFile build() throws IOException {
      return build(m -> {});
    }

    OnnxFile build(Consumer<ModelProto.Builder> change) throws IOException {
      ModelProto.Builder m =
          ModelProto.newBuilder()
              .setIrVersion(opset < 9 ? 3 : 7)
              .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(opset))
              .setGraph(graph.addAllNode(g.nodes()));
      change.accept(m);
      return OnnxFile.of("odd", m.build());
    }
  }

  private static Image image() {
    Random random = new Random(3);
    Image u = Image.black(3, SIDE, SIDE);
    for (int i = 0; i < u.data().length; i++) {
      u.data()[i] = random.nextFloat();
    }
    return u;
  }

  private static Map<String, OnnxModel.Output> run(OnnxFile file, Image u) throws IOException {
    try (OnnxModel model = OnnxModel.open(file)) {
      return model.run(
          Map.of("x", new OnnxModel.Feed(new long[] {1, 3, SIDE, SIDE}, u.data().clone())));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void outputsThatNoNodeComputesStay(int frames) throws IOException {
    Maker m = new Maker(13);
    m.output(m.sums(), "y", "N", 3).declare("x", Graph.FLOAT, "N", 3, SIDE, SIDE);
    m.graph.addInitializer(
        TensorProto.newBuilder().setName("k").setDataType(Graph.FLOAT).addDims(1).addFloatData(7));
    m.declare("k", Graph.FLOAT, 1);
    OnnxFile file = m.build();
    OnnxFile wrapped = Wrap.of(file).mapping(RotationMapping.disc()).frames(frames).build();
    Image u = image();
    Map<String, OnnxModel.Output> found = run(wrapped, u);
    assertThat(found.get("x").data()).isEqualTo(u.data());
    assertThat(found.get("k").data()).containsExactly(7);
    if (frames == 1) {
      float[] expected = run(file, RotationMapping.disc().map(u).point()).get("y").data();
      assertThat(WrapTest.distance(new float[][] {expected}, new float[][] {found.get("y").data()}))
          .isLessThan(1e-4);
    }
  }

  /** A branch whose result is an initialiser of its own, named like the model's output. */
  @Test
  void namesInsideBranchesAreTheirOwn() throws IOException {
    Maker m = new Maker(13);
    Value s = m.sums();
    Value large = m.g.op("ReduceSum", Graph.FLOAT, List.of(s), Graph.integer("keepdims", 0));
    Value yes = m.g.op("Greater", Graph.BOOL, List.of(large, m.g.scalar(Graph.FLOAT, -1)));
    NodeProto same =
        NodeProto.newBuilder()
            .setOpType("Identity")
            .setName("same")
            .addInput(s.name())
            .addOutput("y_then")
            .build();
    GraphProto then =
        GraphProto.newBuilder()
            .setName("then")
            .addNode(same)
            .addOutput(Graph.info("y_then", Graph.tensorType(Graph.FLOAT, List.of("N", 3))))
            .build();
    GraphProto otherwise =
        GraphProto.newBuilder()
            .setName("else")
            .addInitializer(
                TensorProto.newBuilder()
                    .setName("y")
                    .setDataType(Graph.FLOAT)
                    .addDims(1)
                    .addDims(3)
                    .addAllFloatData(List.of(1f, 2f, 3f)))
            .addOutput(Graph.info("y", Graph.tensorType(Graph.FLOAT, List.of(1, 3))))
            .build();
    m.g
        .nodes()
        .add(
            NodeProto.newBuilder()
                .setOpType("If")
                .setName("if")
                .addInput(yes.name())
                .addOutput("z")
                .addAttribute(Graph.graph("then_branch", then))
                .addAttribute(Graph.graph("else_branch", otherwise))
                .build());
    OnnxFile file = m.output(m.g.value("z", Graph.FLOAT), "y", "N", 3).build();
    for (int frames : new int[] {1, 4}) {
      run(Wrap.of(file).frames(frames).build(), image());
    }
  }

  /** Labels are whole numbers, which are not taken for scores. */
  @Test
  void labelsAreNotScores() throws IOException {
    Maker m = new Maker(13);
    Value s = m.sums();
    Value label = m.g.op("ArgMax", Graph.INT64, List.of(s), Graph.integer("axis", 1));
    m.output(label, "label", "N", 1);
    OnnxFile labels = m.build();
    try (OnnxModel model = OnnxModel.open(labels)) {
      assertThatThrownBy(model::scoreOutput).hasMessageContaining("class scores");
    }
    assertThatThrownBy(() -> Wrap.of(labels).frames(4).build())
        .hasMessageContaining("class scores");
    Maker both = new Maker(13);
    Value t = both.sums();
    both.output(
        both.g.op("ArgMax", Graph.INT64, List.of(t), Graph.integer("axis", 1)), "label", "N", 1);
    both.output(t, "y", "N", 3);
    try (OnnxModel model = OnnxModel.open(both.build())) {
      assertThat(model.scoreOutput()).isEqualTo("y");
      assertThatThrownBy(() -> model.scoreOutput("none")).hasMessageContaining("found \"none\"");
      assertThatThrownBy(() -> model.scoreOutput("label")).hasMessageContaining("class scores");
    }
  }

  /** Only the scores become probabilities: the mean of boxes is the mean of boxes. */
  @Test
  void otherRowsKeepTheirNumbers() throws IOException {
    Maker m = new Maker(13);
    Value s = m.sums();
    m.output(s, "y", "N", 3).output(s.times(-2), "box", "N", 3);
    OnnxFile file = m.build();
    Map<String, OnnxModel.Output> found =
        run(Wrap.of(file).frames(4, Pool.MEAN).scores("y").build(), image());
    float[] y = found.get("y").data();
    assertThat(y[0] + y[1] + y[2]).isCloseTo(1, within(1e-5f));
    for (float v : found.get("box").data()) {
      assertThat(v).isLessThan(-5);
    }
  }

  @Test
  void bytesGoUpTo255() throws IOException {
    Maker m = new Maker(13, TensorProto.DataType.UINT8_VALUE, "N", 3, SIDE, SIDE);
    OnnxFile file = m.output(m.sums(), "y", "N", 3).build();
    Image white = Image.black(3, SIDE, SIDE);
    Arrays.fill(white.data(), 1);
    try (Predictor predictor = Wrap.of(file).open()) {
      // the corner of the square is outside the circle, most of the quarter is inside
      assertThat(predictor.predict(white).scores()[0]).isGreaterThan(255 * SIDE * SIDE / 8f);
    }
  }

  @Test
  void aSizeThatWasGivenStandsInTheShape() throws IOException {
    Maker m = new Maker(16, Graph.FLOAT, "N", 3, "H", "W");
    Value mean = m.x.reduce("ReduceMean", 3).reduce("ReduceMean", 2).reshape(0, 3);
    OnnxFile file = m.output(mean, "y", "N", 3).build();
    OnnxFile wrapped =
        Wrap.of(file).hints(new ModelInput.Hints(null, null, SIDE, SIDE + 1)).build();
    assertThat(wrapped.inputs().get(0).shapeText()).isEqualTo("N x 3 x 12 x 13");
  }

  @Test
  void aFileWrappedTwiceTellsBoth() throws IOException {
    Maker m = new Maker(13);
    OnnxFile file = m.output(m.sums(), "y", "N", 3).build();
    OnnxFile once = Wrap.of(file).frames(4).build();
    Map<String, String> twice = Wrap.of(once).frames(1).build().metadata();
    assertThat(twice).doesNotContainKey("orbit.frames").containsKey("orbit.mapping");
    assertThat(twice.get("orbit.inner.frames")).isEqualTo(once.metadata().get("orbit.frames"));
  }

  /** One row without an axis for the batch gives what the same row with one gives. */
  @ParameterizedTest
  @EnumSource(Pool.class)
  void rowsNeedNoAxisForTheBatch(Pool pool) throws IOException {
    Maker m = new Maker(13, Graph.FLOAT, 1, 3, SIDE, SIDE);
    OnnxFile file = m.output(m.sums().reshape(3), "y", 3).build();
    Maker with = new Maker(13, Graph.FLOAT, 1, 3, SIDE, SIDE);
    OnnxFile usual = with.output(with.sums(), "y", 1, 3).build();
    for (int frames : new int[] {1, 4}) {
      OnnxModel.Output found = run(Wrap.of(file).frames(frames, pool).build(), image()).get("y");
      OnnxModel.Output same = run(Wrap.of(usual).frames(frames, pool).build(), image()).get("y");
      assertThat(found.shape()).containsExactly(3);
      assertThat(found.data()).isEqualTo(same.data());
    }
  }

  /** Shapes that the file does not say are taken from the runtime. */
  @Test
  void undeclaredShapesAreFound() throws IOException {
    Maker m = new Maker(13);
    OnnxFile file =
        m.output(m.sums(), "y", "N", 3)
            .build(
                b ->
                    b.getGraphBuilder()
                        .getOutputBuilder(0)
                        .getTypeBuilder()
                        .getTensorTypeBuilder()
                        .clearShape());
    assertThat(run(Wrap.of(file).frames(4).build(), image()).get("y").shape())
        .containsExactly(1, 3);
  }

  /** Constants of whole numbers are standard from opset 9 on. */
  @ParameterizedTest
  @ValueSource(ints = {7, 8})
  void oldOpsetsHaveRealConstantsOnly(int opset) throws IOException {
    Maker m = new Maker(opset);
    OnnxFile file = m.output(m.sums(), "y", "N", 3).build();
    for (int frames : new int[] {1, 4}) {
      assertThat(Wrap.of(file).frames(frames).build().model().getGraph().getNodeList())
          .filteredOn(n -> n.getOpType().equals("Constant"))
          .isNotEmpty()
          .allMatch(n -> n.getAttribute(0).getT().getDataType() != Graph.INT64);
    }
  }

  /** A model of few points can take all frames at once. */
  @Test
  void fewPointsAreOneBatch() throws IOException {
    Maker m = new Maker(13, Graph.FLOAT, "N", 40, 3);
    OnnxFile file = m.output(m.x.reduce("ReduceMax", 1).reshape(0, 3), "y", "N", 3).build();
    OnnxFile wrapped =
        Wrap.of(file).mapping(CloudMapping.of(SimilarityGroup.similarities(3))).frames(4).build();
    assertThat(wrapped.operators()).doesNotContainKey("Loop");
  }
}
