package org.orbitmap.onnx.wrap;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.orbitmap.eval.Classifier;
import org.orbitmap.image.Fill;
import org.orbitmap.image.Image;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.mapping.Frames;
import org.orbitmap.image.mapping.Frames.Pool;
import org.orbitmap.image.mapping.OrthogonalMapping;
import org.orbitmap.image.mapping.PoseRule;
import org.orbitmap.image.mapping.RotationMapping;
import org.orbitmap.model.ModelInput;
import org.orbitmap.onnx.graph.OnnxFile;
import org.orbitmap.onnx.run.OnnxModel;
import org.orbitmap.orbit.OrbitMapping;

/** A wrapped model gives what the core's mapping and the bare model give, on real images. */
class WrapTest {
  private static Stream<Arguments> mappings() {
    List<Arguments> all = new ArrayList<>();
    for (Zoo zoo : Zoo.values()) {
      all.add(Arguments.of(zoo, RotationMapping.disc(), 1000));
      all.add(
          Arguments.of(
              zoo, RotationMapping.disc().with(Resampling.BILINEAR.with(Fill.REFLECT)), 200));
      all.add(
          Arguments.of(
              zoo, RotationMapping.disc().with(Resampling.of(Interpolation.BICUBIC)), 200));
      all.add(
          Arguments.of(
              zoo,
              RotationMapping.disc().with(Resampling.of(Interpolation.BICUBIC).with(Fill.EDGE)),
              200));
      all.add(
          Arguments.of(zoo, RotationMapping.disc().with(Resampling.BILINEAR.withMask(true)), 200));
      all.add(Arguments.of(zoo, RotationMapping.named("paper"), 200));
      all.add(Arguments.of(zoo, new OrthogonalMapping(PoseRule.DISC, Resampling.BILINEAR), 200));
    }
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("mappings")
  void wrappedIsMappingThenModel(Zoo zoo, OrbitMapping<?, Image> mapping, int n) throws Exception {
    OnnxFile file = zoo.read();
    ModelInput.Images input = (ModelInput.Images) file.input(ModelInput.Hints.NONE);
    OnnxFile wrapped =
        Wrap.of(file).mapping(mapping).frames(1).preprocessing(zoo.preprocessing()).build();
    List<Image> images = zoo.images(n);
    try (OnnxModel bare = OnnxModel.open(file, OnnxModel.Threads.ACROSS);
        OnnxModel ours = OnnxModel.open(wrapped, OnnxModel.Threads.ACROSS)) {
      Classifier<Image> net = bare.classifier(input, zoo.preprocessing(), bare.scoreOutput());
      Classifier<Image> invariant = ours.classifier(input, zoo.preprocessing(), bare.scoreOutput());
      float[][] expected = net.scores(images.stream().map(u -> mapping.map(u).point()).toList());
      float[][] found = invariant.scores(images);
      assertThat(distance(expected, found)).isLessThan(1e-4);
    }
  }

  private static Stream<Arguments> frames() {
    List<Arguments> all = new ArrayList<>();
    for (Pool select : Pool.values()) {
      for (Zoo zoo : Zoo.values()) {
        all.add(Arguments.of(zoo, select, false, false));
        all.add(Arguments.of(zoo, select, false, true));
      }
      all.add(Arguments.of(Zoo.MNIST, select, true, false));
      all.add(Arguments.of(Zoo.MNIST, select, true, true));
    }
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("frames")
  void framesAreJoined(Zoo zoo, Pool select, boolean stubborn, boolean mirrors) throws Exception {
    OnnxFile file = stubborn ? stubborn(zoo.read()) : zoo.read();
    ModelInput.Images input = (ModelInput.Images) file.input(ModelInput.Hints.NONE);
    RotationMapping mapping = RotationMapping.disc().with(Resampling.BILINEAR.with(Fill.REFLECT));
    int k = 6;
    OnnxFile wrapped =
        Wrap.of(file)
            .mapping(mapping)
            .frames(k, select)
            .mirrors(mirrors)
            .preprocessing(zoo.preprocessing())
            .build();
    assertThat(wrapped.operators().containsKey("Loop")).isEqualTo(stubborn);
    List<Image> images = zoo.images(50);
    try (OnnxModel bare = OnnxModel.open(file);
        OnnxModel ours = OnnxModel.open(wrapped)) {
      Classifier<Image> net = bare.classifier(input, zoo.preprocessing(), bare.scoreOutput());
      float[][] found =
          ours.classifier(input, zoo.preprocessing(), bare.scoreOutput()).scores(images);
      float[][] expected = new Frames(mapping, k, mirrors).invariant(net, select).scores(images);
      assertThat(distance(expected, found)).isLessThan(1e-4);
    }
  }

  /** The same model, but its batch cannot be set free: the reshape's target is computed. */
  private static OnnxFile stubborn(OnnxFile file) throws Exception {
    ModelProto.Builder m = file.model().toBuilder();
    GraphProto.Builder g = m.getGraphBuilder();
    for (int i = 0; i < g.getNodeCount(); i++) {
      NodeProto n = g.getNode(i);
      if (n.getOpType().equals("Reshape") && n.getInput(1).startsWith("Pooling")) {
        g.setNode(i, n.toBuilder().setInput(1, "target"));
        g.addNode(
            i,
            NodeProto.newBuilder()
                .setOpType("Identity")
                .addInput(n.getInput(1))
                .addOutput("target"));
        break;
      }
    }
    return OnnxFile.of("stubborn", m.build());
  }

  /**
   * The largest difference, in units of the largest score or 1, whichever is larger: one of the
   * models has logits of several thousands, where floats are 5e-4 apart.
   */
  static double distance(float[][] a, float[][] b) {
    assertThat(b.length).isEqualTo(a.length);
    double worst = 0;
    double scale = 1;
    for (int i = 0; i < a.length; i++) {
      assertThat(b[i]).hasSameSizeAs(a[i]);
      for (int j = 0; j < a[i].length; j++) {
        double d = Math.abs((double) a[i][j] - b[i][j]);
        worst = d <= worst ? worst : d; // NaN wins
        scale = Math.max(scale, Math.abs(a[i][j]));
      }
    }
    return worst / scale;
  }
}
