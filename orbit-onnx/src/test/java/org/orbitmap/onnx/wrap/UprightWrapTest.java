package org.orbitmap.onnx.wrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.orbitmap.eval.Classifier;
import org.orbitmap.image.Fill;
import org.orbitmap.image.Image;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.mapping.Frames.Pool;
import org.orbitmap.model.Layout;
import org.orbitmap.model.ModelInput;
import org.orbitmap.model.Preprocessing;
import org.orbitmap.network.FloatTensor;
import org.orbitmap.onnx.graph.Graph;
import org.orbitmap.onnx.graph.Graph.Value;
import org.orbitmap.onnx.graph.OnnxFile;
import org.orbitmap.onnx.run.OnnxModel;
import org.orbitmap.upright.FittedUpright;
import org.orbitmap.upright.UprightFrames;
import org.orbitmap.upright.UprightMapping;
import org.orbitmap.upright.UprightSettings;

/** An upright mapping in a graph gives what it gives in Java, with numbers that nobody fitted. */
class UprightWrapTest {
  private static final int SIDE = 14;
  private static final int CLASSES = 5;
  static final Preprocessing NORMAL =
      new Preprocessing(255, new double[] {120, 110, 100}, new double[] {60, 50, 70});

  /** A predictor that is sure of what it says. */
  static FittedUpright sure(UprightSettings settings, long seed) {
    FittedUpright random = FittedUpright.random(settings, seed);
    Map<String, FloatTensor> sure = new LinkedHashMap<>(random.predictor());
    String last = sure.containsKey("head.weight") ? "head.weight" : "scores.weight";
    float[] head = sure.get(last).values().clone();
    for (int i = 0; i < head.length; i++) {
      head[i] *= 12;
    }
    sure.put(last, new FloatTensor(sure.get(last).shape(), head));
    return new FittedUpright(settings, sure, random.restorer(), Map.of());
  }

  /** A model whose class scores are sums over rows of pixels: they tell one pose from another. */
  static OnnxFile model(int opset, Layout layout, Object batch, int channels) throws IOException {
    Object[] shape =
        layout == Layout.NCHW
            ? new Object[] {batch, channels, SIDE, SIDE}
            : new Object[] {batch, SIDE, SIDE, channels};
    Graph g = new Graph(opset, "net/");
    int n = channels * SIDE * SIDE;
    float[] weights = new float[n * CLASSES];
    Random random = new Random(5);
    for (int i = 0; i < weights.length; i++) {
      weights[i] = (float) random.nextGaussian() / 10;
    }
    Value x = g.value("x", Graph.FLOAT).reshape(0, n);
    g.name(x.matmul(g.floats(weights, n, CLASSES)), "scores");
    return OnnxFile.of(
        "rows",
        ModelProto.newBuilder()
            .setIrVersion(opset < 9 ? 3 : opset < 20 ? 7 : 9)
            .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(opset))
            .setGraph(
                GraphProto.newBuilder()
                    .setName("rows")
                    .addInput(Graph.info("x", Graph.tensorType(Graph.FLOAT, List.of(shape))))
                    .addOutput(
                        Graph.info(
                            "scores", Graph.tensorType(Graph.FLOAT, List.of(batch, CLASSES))))
                    .addAllNode(g.nodes()))
            .build());
  }

  static List<Image> images(int n, int channels) {
    Random random = new Random(7);
    List<Image> all = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      Image u = Image.black(channels, SIDE, SIDE);
      for (int k = 0; k < u.data().length; k++) {
        u.data()[k] = random.nextFloat();
      }
      all.add(u);
    }
    return all;
  }

  static void check(
      OnnxFile file,
      UprightMapping<?> mapping,
      Integer frames,
      Pool pool,
      Preprocessing p,
      List<Image> images)
      throws IOException {
    Wrap wrap = Wrap.of(file).mapping(mapping).preprocessing(p);
    wrap = frames == null ? wrap : wrap.frames(frames);
    OnnxFile wrapped = (pool == null ? wrap : wrap.select(pool)).build();
    int m = frames == null ? UprightFrames.USUAL : frames;
    assertThat(wrapped.cost()).isEqualTo(m);
    ModelInput.Images input = (ModelInput.Images) file.input(ModelInput.Hints.NONE);
    try (OnnxModel bare = OnnxModel.open(file);
        OnnxModel ours = OnnxModel.open(wrapped)) {
      Classifier<Image> net = bare.classifier(input, p, "scores");
      // where two modes are as good as equal, rounding decides
      List<Image> clear = images.stream().filter(u -> clear(mapping, u, m)).toList();
      assertThat(clear).hasSizeGreaterThan(images.size() / 2);
      float[][] expected =
          m == 1
              ? net.scores(clear.stream().map(mapping::shown).toList())
              : new UprightFrames(mapping, m)
                  .invariant(net, pool == null ? UprightFrames.USUAL_POOL : pool)
                  .scores(clear);
      float[][] found = ours.classifier(input, p, "scores").scores(clear);
      assertThat(WrapTest.distance(expected, found)).isLessThan(2e-4);
    }
  }

  /** A pose and its mirror image: the mean of what the model says of both. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void mirrorImagesAreAskedAsWell(int frames) throws IOException {
    UprightSettings settings = UprightSettings.of("convnet", 0.1, 12, 36);
    UprightMapping<?> mapping = UprightMapping.of(sure(settings, 1), UprightFrames.RESAMPLING);
    OnnxFile file = model(11, Layout.NCHW, "N", 3);
    List<Image> images =
        images(20, 3).stream().filter(u -> clear(mapping.onBothSides(), u, frames)).toList();
    OnnxFile wrapped =
        Wrap.of(file).mapping(mapping).preprocessing(NORMAL).frames(frames).mirrors(true).build();
    assertThat(wrapped.cost()).isEqualTo(2 * frames);
    ModelInput.Images input = (ModelInput.Images) file.input(ModelInput.Hints.NONE);
    try (OnnxModel bare = OnnxModel.open(file);
        OnnxModel ours = OnnxModel.open(wrapped)) {
      Classifier<Image> net = bare.classifier(input, NORMAL, "scores");
      Classifier<Image> found = ours.classifier(input, NORMAL, "scores");
      float[][] expected =
          new UprightFrames(mapping, frames, true).invariant(net, Pool.MEAN).scores(images);
      float[][] alone = new UprightFrames(mapping, frames).invariant(net, Pool.MEAN).scores(images);
      assertThat(WrapTest.distance(expected, found.scores(images))).isLessThan(2e-4);
      assertThat(WrapTest.distance(expected, alone)).isGreaterThan(1e-3);
    }
  }

  private static <G> boolean clear(UprightMapping<G> mapping, Image u, int m) {
    UprightMapping.Found<G> found = mapping.poses(u, m + 1);
    boolean clear = found.margin() > 1e-3;
    for (int k = 0; k < m; k++) {
      clear &= found.weights().get(k) - found.weights().get(k + 1) > 1e-3;
    }
    return clear;
  }

  @ParameterizedTest
  @ValueSource(ints = {7, 8, 9, 11, 13, 16, 18, 20})
  void everyOpset(int opset) throws IOException {
    UprightSettings settings = UprightSettings.of("convnet", 0.1, 12, 36);
    Resampling how = Resampling.of(Interpolation.BICUBIC).with(Fill.EDGE);
    UprightMapping<?> mapping =
        UprightMapping.of(sure(settings.withViews(4).withRestorer("fine-2x3"), 1), how);
    List<Image> images = images(20, 3);
    check(model(opset, Layout.NCHW, "N", 3), mapping, null, null, NORMAL, images);
    check(model(opset, Layout.NHWC, 1L, 3), mapping, 1, null, Preprocessing.NONE, images);
    check(model(opset, Layout.NHWC, 5L, 3), mapping, 3, Pool.CONFIDENCE, NORMAL, images);
    UprightMapping<?> mirrors = UprightMapping.of(sure(settings.withGroup("o2"), 2), how);
    check(model(opset, Layout.NCHW, "N", 3), mirrors, 3, Pool.MEAN, NORMAL, images);
    check(model(opset, Layout.NCHW, 1L, 3), mirrors, 1, null, NORMAL, images);
    check(model(opset, Layout.NCHW, "N", 1), mapping, 2, null, Preprocessing.BYTES, images(20, 1));
    // so small a predictor sees a reduced copy
    UprightSettings small = UprightSettings.of("linear", 1, 5, 36);
    UprightMapping<?> reduced = UprightMapping.of(sure(small, 3), how);
    check(model(opset, Layout.NHWC, "N", 3), reduced, 2, null, NORMAL, images);
    check(model(opset, Layout.NCHW, "N", 1), reduced, 1, null, Preprocessing.NONE, images(20, 1));
    UprightMapping<?> both = UprightMapping.of(sure(small.withGroup("o2"), 4), how);
    check(model(opset, Layout.NCHW, 1L, 3), both, 1, null, NORMAL, images);
    // the network that orbit fit trains
    UprightSettings fitted = UprightSettings.of("upright-p4", 0.25, 8, 36).withViews(2);
    UprightMapping<?> usual = UprightMapping.of(sure(fitted.withRestorer("residual-2x3"), 5), how);
    check(model(opset, Layout.NHWC, "N", 3), usual, 2, null, NORMAL, images);
  }

  /** Real models and images. */
  @ParameterizedTest
  @ValueSource(strings = {"MNIST", "RESNET", "SQUEEZENET"})
  void realModels(String name) throws IOException {
    Zoo zoo = Zoo.valueOf(name);
    OnnxFile file = zoo.read();
    UprightMapping<?> mapping =
        UprightMapping.of(
            sure(UprightSettings.of("convnet", 0.2, 32, 72), 1), UprightFrames.RESAMPLING);
    OnnxFile wrapped = Wrap.of(file).mapping(mapping).preprocessing(zoo.preprocessing()).build();
    ModelInput.Images input = (ModelInput.Images) file.input(ModelInput.Hints.NONE);
    try (OnnxModel bare = OnnxModel.open(file);
        OnnxModel ours = OnnxModel.open(wrapped)) {
      Classifier<Image> net = bare.classifier(input, zoo.preprocessing(), bare.scoreOutput());
      List<Image> images =
          zoo.images(60).stream().filter(u -> clear(mapping, u, UprightFrames.USUAL)).toList();
      float[][] expected =
          new UprightFrames(mapping, UprightFrames.USUAL)
              .invariant(net, UprightFrames.USUAL_POOL)
              .scores(images);
      float[][] found =
          ours.classifier(input, zoo.preprocessing(), bare.scoreOutput()).scores(images);
      assertThat(WrapTest.distance(expected, found)).isLessThan(2e-4);
    }
  }

  @Test
  void refusesWhatDoesNotGoTogether() throws IOException {
    UprightMapping<?> mapping =
        UprightMapping.of(
            FittedUpright.random(UprightSettings.of("convnet", 0.1, 12, 36), 1),
            Resampling.BILINEAR);
    OnnxFile file = model(13, Layout.NCHW, "N", 3);
    assertThatThrownBy(() -> Wrap.of(file).mapping(mapping).select(Pool.MAX).build())
        .hasMessageContaining("select: expected the poses of an upright mapping");
  }
}
