package org.orbitmap.onnx.wrap;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.mapping.RotationMapping;
import org.orbitmap.onnx.graph.Graph;
import org.orbitmap.onnx.graph.OnnxFile;
import org.orbitmap.onnx.graph.OnnxFileTest;
import org.orbitmap.onnx.run.OnnxModel;

/** Where the opset is raised, answers stay; where they might not, it stays. */
class OpsetTest {
  private static OnnxFile adding(int opset) throws IOException {
    return OnnxFile.of(
        "adding", OnnxFileTest.adding(opset, OnnxFileTest.number(0.5f), 2, 3, 20, 24));
  }

  private static boolean hasGridSample(OnnxFile file) {
    return file.model().getGraph().getNodeList().stream()
        .anyMatch(n -> n.getOpType().equals("GridSample"));
  }

  private static float[] answers(OnnxFile file, long... shape) throws IOException {
    int n = 1;
    for (long s : shape) {
      n = Math.toIntExact(n * s);
    }
    Random random = new Random(3);
    float[] x = new float[n];
    for (int i = 0; i < n; i++) {
      x[i] = random.nextFloat();
    }
    try (OnnxModel model = OnnxModel.open(file, OnnxModel.Threads.ACROSS)) {
      Map<String, OnnxModel.Feed> feed =
          Map.of(file.inputs().get(0).name(), new OnnxModel.Feed(shape, x));
      return model.run(feed).values().iterator().next().data();
    }
  }

  private static void requireClose(float[] a, float[] b) {
    assertThat(a).hasSameSizeAs(b);
    for (int i = 0; i < a.length; i++) {
      assertThat((double) Math.abs(a[i] - b[i])).isLessThan(1e-4 * (1 + Math.abs(a[i])));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {7, 9, 11, 13, 15})
  void aRaisedModelAnswersAsBefore(int opset) throws IOException {
    OnnxFile bare = adding(opset);
    for (Interpolation kind : List.of(Interpolation.BILINEAR, Interpolation.BICUBIC)) {
      Wrap wrap = Wrap.of(bare).mapping(RotationMapping.disc().with(Resampling.of(kind))).frames(1);
      OnnxFile kept = wrap.build();
      assertThat(kept.opset()).isEqualTo(opset);
      assertThat(hasGridSample(kept)).isFalse();
      OnnxFile raised = wrap.raiseOpset(true).build();
      assertThat(raised.opset()).isEqualTo(16);
      assertThat(raised.irVersion()).isGreaterThanOrEqualTo(8);
      assertThat(hasGridSample(raised)).isTrue();
      requireClose(answers(kept, 2, 3, 20, 24), answers(raised, 2, 3, 20, 24));
    }
  }

  @Test
  void whatChangedItsMeaningIsNotRaised() throws IOException {
    assertThat(Opset.raised(adding(17))).isEmpty();
    ModelProto model = adding(11).model();
    for (String name : List.of("Softmax", "Split", "ReduceSum", "Resize", "NoSuchOperator")) {
      ModelProto.Builder other = model.toBuilder();
      other.getGraphBuilder().addNode(NodeProto.newBuilder().setOpType(name).addOutput("z"));
      OnnxFile file = OnnxFile.of("x", other.build());
      assertThat(Opset.raised(file)).as(name).isEmpty();
      // Operators of others have versions of their own.
      other.getGraphBuilder().getNodeBuilderList().forEach(n -> n.setDomain("com.example"));
      assertThat(Opset.raised(OnnxFile.of("x", other.build()))).as(name).isPresent();
    }
  }

  /** Of a Softmax before opset 13 only that of rows, as models of classes end with, is raised. */
  @Test
  void aSoftmaxOfRowsIsRaised() throws IOException {
    for (int axes : new int[] {2, 3}) {
      for (long axis : new long[] {0, 1, -1}) {
        ModelProto.Builder model = adding(11).model().toBuilder();
        NodeProto softmax =
            NodeProto.newBuilder()
                .setOpType("Softmax")
                .addOutput("y")
                .addAttribute(Graph.integer("axis", axis))
                .build();
        ValueInfoProto.Builder y = ValueInfoProto.newBuilder().setName("y");
        for (int i = 0; i < axes; i++) {
          y.getTypeBuilder()
              .getTensorTypeBuilder()
              .getShapeBuilder()
              .addDimBuilder()
              .setDimValue(4);
        }
        model.getGraphBuilder().addNode(softmax).addValueInfo(y);
        assertThat(Opset.raised(OnnxFile.of("x", model.build())).isPresent())
            .as("%d axes, along %d", axes, axis)
            .isEqualTo(axes == 2 && axis != 0);
      }
    }
  }

  /** Models of others, of opset 8 and 9: all of them. */
  @ParameterizedTest
  @ValueSource(ints = {1, 6})
  void modelsOfOthers(int frames) throws IOException {
    for (Zoo zoo : Zoo.values()) {
      OnnxFile file = zoo.read();
      Wrap wrap = Wrap.of(file).mapping(RotationMapping.disc()).frames(frames);
      OnnxFile kept = wrap.build();
      OnnxFile raised = wrap.raiseOpset(true).build();
      assertThat(raised.opset()).as(zoo.name()).isEqualTo(16);
      long[] shape = file.inputs().get(0).lengths();
      shape[0] = 1;
      requireClose(answers(kept, shape), answers(raised, shape));
    }
  }

  /** Models whose convolutions work on bytes, which a step of a byte may change. */
  @Test
  void quantisedModels() throws IOException {
    for (Zoo zoo : Zoo.values()) {
      OnnxFile file = Quantised.of(zoo.read());
      Wrap wrap = Wrap.of(file).mapping(RotationMapping.disc()).frames(6);
      OnnxFile kept = wrap.build();
      OnnxFile raised = wrap.raiseOpset(true).build();
      assertThat(kept.opset()).as(zoo.name()).isEqualTo(11);
      assertThat(raised.opset()).as(zoo.name()).isEqualTo(16);
      assertThat(
              raised.model().getGraph().getNodeList().stream()
                  .filter(n -> n.getOpType().equals("QuantizeLinear")))
          .as(zoo.name())
          .isNotEmpty();
      long[] shape = file.inputs().get(0).lengths();
      shape[0] = 1;
      float[] a = answers(kept, shape);
      float[] b = answers(raised, shape);
      double most = 0;
      double difference = 0;
      for (int i = 0; i < a.length; i++) {
        most = Math.max(most, Math.abs(a[i]));
        difference = Math.max(difference, Math.abs(a[i] - b[i]));
      }
      assertThat(difference).as(zoo.name()).isLessThan(0.05 * most);
    }
  }
}
