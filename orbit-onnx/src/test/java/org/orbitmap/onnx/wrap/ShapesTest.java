package org.orbitmap.onnx.wrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnxruntime.platform.Fp16Conversions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.orbitmap.group.Rotation2;
import org.orbitmap.image.Fill;
import org.orbitmap.image.Image;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.mapping.Frames.Pool;
import org.orbitmap.image.mapping.OrthogonalMapping;
import org.orbitmap.image.mapping.PoseRule;
import org.orbitmap.image.mapping.RotationMapping;
import org.orbitmap.model.Layout;
import org.orbitmap.model.ModelInput;
import org.orbitmap.model.Preprocessing;
import org.orbitmap.onnx.graph.Graph;
import org.orbitmap.onnx.graph.Graph.Value;
import org.orbitmap.onnx.graph.OnnxFile;
import org.orbitmap.onnx.run.OnnxModel;
import org.orbitmap.orbit.OrbitMapping;

/** Every opset, layout, batch and element type, with models whose answer is their input. */
class ShapesTest {
  private static final int CHANNELS = 3;
  private static final int HEIGHT = 11;
  private static final int WIDTH = 14;

  /** How a small model is built. */
  private record Small(int opset, Layout layout, Object batch, int type) {
    Object[] shape() {
      return layout == Layout.NCHW
          ? new Object[] {batch, CHANNELS, HEIGHT, WIDTH}
          : new Object[] {batch, HEIGHT, WIDTH, CHANNELS};
    }

    /** image = x, and scores = the largest value of each channel if wanted. */
    OnnxFile build(boolean scores) throws IOException {
      Graph g = new Graph(opset, "net/");
      Value x = g.value("x", type);
      g.name(x, "image");
      GraphProto.Builder graph =
          GraphProto.newBuilder()
              .setName("small")
              .addInput(Graph.info("x", Graph.tensorType(type, List.of(shape()))))
              .addOutput(Graph.info("image", Graph.tensorType(type, List.of(shape()))));
      if (scores) {
        int n = HEIGHT * WIDTH;
        boolean first = layout == Layout.NCHW;
        Value flat = first ? x.reshape(0, CHANNELS, n) : x.reshape(0, n, CHANNELS);
        Value largest = flat.reduce("ReduceMax", first ? 2 : 1).reshape(0, CHANNELS);
        g.name(largest.times(20), "scores");
        graph.addOutput(Graph.info("scores", Graph.tensorType(type, List.of(batch, CHANNELS))));
      }
      return OnnxFile.of(
          toString(),
          ModelProto.newBuilder()
              .setIrVersion(opset < 9 ? 3 : opset < 20 ? 7 : 9)
              .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(opset))
              .setGraph(graph.addAllNode(g.nodes()))
              .build());
    }
  }

  private static List<Image> images(int n) {
    Random random = new Random(7);
    List<Image> all = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      Image u = Image.black(CHANNELS, HEIGHT, WIDTH);
      for (int k = 0; k < u.data().length; k++) {
        u.data()[k] = random.nextFloat();
      }
      all.add(u);
    }
    return all;
  }

  /** The output "image" for each image. */
  private static List<Image> run(OnnxFile file, List<Image> images, Preprocessing p)
      throws IOException {
    ModelInput.Images input = (ModelInput.Images) file.input(ModelInput.Hints.NONE);
    try (OnnxModel model = OnnxModel.open(file)) {
      float[][] rows = model.classifier(input, p, "image").scores(images);
      List<Image> all = new ArrayList<>();
      for (float[] row : rows) {
        Image u = Image.black(CHANNELS, HEIGHT, WIDTH);
        for (int k = 0; k < row.length; k++) {
          int plane = u.plane();
          int to = input.layout() == Layout.NCHW ? k : k % CHANNELS * plane + k / CHANNELS;
          int c = to / plane;
          Preprocessing each = p.forChannels(CHANNELS);
          u.data()[to] = (float) ((row[k] - each.black(c)) / each.gain(c));
        }
        all.add(u);
      }
      return all;
    }
  }

  private static double distance(List<Image> a, List<Image> b) {
    assertThat(b).hasSameSizeAs(a);
    double worst = 0;
    for (int i = 0; i < a.size(); i++) {
      double d = a.get(i).distance(b.get(i));
      worst = d <= worst ? worst : d;
    }
    return worst;
  }

  @ParameterizedTest
  @ValueSource(ints = {7, 8, 9, 10, 11, 12, 13, 15, 16, 17, 18, 19, 20, 21})
  void everyOpsetLayoutBatchAndMapping(int opset) throws Exception {
    for (Layout layout : Layout.values()) {
      for (Object batch : new Object[] {1, 2, "N"}) {
        for (Resampling how :
            List.of(
                Resampling.BILINEAR,
                Resampling.BILINEAR.with(Fill.REFLECT),
                Resampling.of(Interpolation.BICUBIC).with(Fill.EDGE),
                Resampling.of(Interpolation.BICUBIC).with(Fill.constant(0.3f)),
                Resampling.BILINEAR.withMask(true))) {
          for (OrbitMapping<?, Image> mapping :
              List.of(
                  new RotationMapping(PoseRule.DISC, how),
                  new OrthogonalMapping(PoseRule.DISC, how))) {
            mapsAsJavaDoes(opset, layout, batch, mapping);
          }
        }
      }
    }
  }

  /** The wrapped model sees what the mapping gives. */
  static void mapsAsJavaDoes(int opset, Layout layout, Object batch, OrbitMapping<?, Image> mapping)
      throws IOException {
    Preprocessing normal =
        new Preprocessing(255, new double[] {120, 110, 90}, new double[] {60, 50, 70});
    List<Image> images = images(4);
    OnnxFile file = new Small(opset, layout, batch, Graph.FLOAT).build(false);
    OnnxFile wrapped = Wrap.of(file).mapping(mapping).preprocessing(normal).build();
    assertThat(wrapped.opset()).isEqualTo(opset);
    assertThat(wrapped.operators().containsKey("GridSample")).isEqualTo(opset >= 16);
    List<Image> expected = images.stream().map(u -> mapping.map(u).point()).toList();
    assertThat(distance(expected, run(wrapped, images, normal)))
        .as("%s, %s", file, mapping)
        .isLessThan(1e-5);
  }

  @ParameterizedTest
  @ValueSource(ints = {9, 16, 21})
  void everyElementType(int opset) throws Exception {
    RotationMapping mapping = RotationMapping.disc();
    Map<Integer, Double> tolerances =
        Map.of(
            Graph.FLOAT, 1e-5,
            Graph.DOUBLE, 1e-5,
            TensorProto.DataType.FLOAT16_VALUE, 0x1p-11,
            TensorProto.DataType.UINT8_VALUE, 0.501 / 255);
    for (Map.Entry<Integer, Double> e : tolerances.entrySet()) {
      int type = e.getKey();
      boolean bytes = type == TensorProto.DataType.UINT8_VALUE;
      List<Image> images = images(3);
      for (Image u : images) {
        for (int i = 0; i < u.data().length; i++) {
          float v = u.data()[i];
          u.data()[i] =
              bytes
                  ? Math.round(v * 255) / 255f
                  : type == TensorProto.DataType.FLOAT16_VALUE
                      ? Fp16Conversions.fp16ToFloat(Fp16Conversions.floatToFp16(v))
                      : v;
        }
      }
      List<Image> expected = images.stream().map(u -> mapping.map(u).point()).toList();
      OnnxFile file = new Small(opset, Layout.NCHW, "N", type).build(false);
      Preprocessing p = new Preprocessing(bytes ? 255 : 1, new double[] {0}, new double[] {1});
      OnnxFile wrapped = Wrap.of(file).mapping(mapping).preprocessing(p).build();
      assertThat(distance(expected, run(wrapped, images, p)))
          .as(file.source())
          .isLessThanOrEqualTo(e.getValue());
    }
  }

  @Test
  void aConstantImageKeepsItsPose() throws Exception {
    Image grey = Image.black(CHANNELS, HEIGHT, WIDTH);
    java.util.Arrays.fill(grey.data(), 0.37f);
    for (int opset : new int[] {8, 17}) {
      OnnxFile file = new Small(opset, Layout.NHWC, "N", Graph.FLOAT).build(false);
      assertThat(
              distance(
                  List.of(grey),
                  run(
                      Wrap.of(file).mapping(RotationMapping.disc()).build(),
                      List.of(grey),
                      Preprocessing.NONE)))
          .isLessThan(1e-6);
    }
  }

  @ParameterizedTest
  @EnumSource(Pool.class)
  void denseOutputsAreMappedBackAndJoined(Pool pool) throws Exception {
    for (int frames : new int[] {1, 5}) {
      for (int opset : new int[] {8, 11, 17}) {
        for (Object batch : new Object[] {1, "N"}) {
          for (Layout layout : Layout.values()) {
            mapsBack(opset, layout, batch, frames, pool);
          }
        }
      }
    }
  }

  /** What a model says of each frame is rotated back and joined. */
  static void mapsBack(int opset, Layout layout, Object batch, int frames, Pool pool)
      throws IOException {
    RotationMapping mapping = RotationMapping.disc();
    List<Image> images = images(4);
    OnnxFile file = new Small(opset, layout, batch, Graph.FLOAT).build(true);
    OnnxFile wrapped =
        Wrap.of(file).mapping(mapping).frames(frames, pool).equivariant(List.of("image")).build();
    List<Image> expected =
        images.stream().map(u -> thereAndBack(mapping, u, frames, pool)).toList();
    assertThat(distance(expected, run(wrapped, images, Preprocessing.NONE)))
        .as("%s, %d frames", file, frames)
        .isLessThan(1e-5);
  }

  /** The definition in plain Java. */
  private static Image thereAndBack(RotationMapping mapping, Image u, int frames, Pool pool) {
    Image joined = null;
    double best = -1;
    for (int k = 0; k < frames; k++) {
      Rotation2 turn = mapping.pose(u).rotation().times(Rotation2.ofDegrees(360.0 * k / frames));
      Image there = mapping.action().act(turn, u);
      Image back = mapping.action().act(turn.inverse(), there);
      double confidence = confidence(there);
      if (joined == null) {
        joined = Image.black(CHANNELS, HEIGHT, WIDTH);
        if (pool == Pool.MAX) {
          java.util.Arrays.fill(joined.data(), Float.NEGATIVE_INFINITY);
        }
      }
      for (int i = 0; i < back.data().length; i++) {
        float v = back.data()[i];
        joined.data()[i] =
            switch (pool) {
              case MEAN -> joined.data()[i] + v / frames;
              case MAX -> Math.max(joined.data()[i], v);
              case CONFIDENCE -> confidence > best ? v : joined.data()[i];
            };
      }
      best = Math.max(best, confidence);
    }
    return joined;
  }

  private static double confidence(Image u) {
    double[] score = new double[CHANNELS];
    for (int i = 0; i < u.data().length; i++) {
      score[i / u.plane()] = Math.max(score[i / u.plane()], 20 * u.data()[i]);
    }
    double sum = 0;
    double most = 0;
    for (double s : score) {
      sum += Math.exp(s);
      most = Math.max(most, Math.exp(s));
    }
    return most / sum;
  }

  @Test
  void otherInputsPassThrough() throws Exception {
    for (int opset : new int[] {9, 17}) {
      Small small = new Small(opset, Layout.NCHW, "N", Graph.FLOAT);
      ModelProto.Builder m = small.build(true).model().toBuilder();
      Graph g = new Graph(opset, "more/");
      g.name(g.value("net/image", Graph.FLOAT).times(g.value("gain", Graph.FLOAT)), "image");
      m.getGraphBuilder().addInput(Graph.info("gain", Graph.tensorType(Graph.FLOAT, List.of(1))));
      m.getGraphBuilder().getNodeBuilder(0).setOutput(0, "net/image");
      g.nodes().forEach(n -> m.getGraphBuilder().addNode(n));
      OnnxFile file = OnnxFile.of("two inputs", m.build());
      RotationMapping mapping = RotationMapping.disc();
      List<Image> images = images(2);
      for (int frames : new int[] {1, 3}) {
        OnnxFile wrapped =
            Wrap.of(file).mapping(mapping).frames(frames).equivariant(List.of("image")).build();
        assertThat(wrapped.operators().containsKey("Loop")).isEqualTo(frames > 1);
        float[] x = new float[2 * images.get(0).data().length];
        for (int i = 0; i < 2; i++) {
          System.arraycopy(images.get(i).data(), 0, x, i * x.length / 2, x.length / 2);
        }
        try (OnnxModel model = OnnxModel.open(wrapped)) {
          float[] y =
              model
                  .run(
                      Map.of(
                          "x",
                          new OnnxModel.Feed(new long[] {2, CHANNELS, HEIGHT, WIDTH}, x),
                          "gain",
                          new OnnxModel.Feed(new long[] {1}, new float[] {3})))
                  .get("image")
                  .data();
          Image expected = thereAndBack(mapping, images.get(1), frames, Pool.CONFIDENCE);
          for (int i = 0; i < x.length / 2; i++) {
            assertThat(y[x.length / 2 + i])
                .isCloseTo(3 * expected.data()[i], org.assertj.core.data.Offset.offset(1e-5f));
          }
        }
      }
    }
  }

  @Test
  void wrappingTwiceIsWrappingOnceUpToInterpolation() throws Exception {
    OnnxFile file = new Small(17, Layout.NCHW, "N", Graph.FLOAT).build(false);
    RotationMapping mapping = RotationMapping.disc();
    OnnxFile once = Wrap.of(file).mapping(mapping).build();
    OnnxFile twice = Wrap.of(once).mapping(mapping).build();
    List<Image> images = images(3);
    List<Image> expected =
        images.stream().map(u -> mapping.map(mapping.map(u).point()).point()).toList();
    assertThat(distance(expected, run(twice, images, Preprocessing.NONE))).isLessThan(1e-5);
  }

  @Test
  void oldOpsetsAndWrongOutputsAreRefused() throws Exception {
    ModelProto.Builder m =
        new Small(9, Layout.NCHW, "N", Graph.FLOAT).build(false).model().toBuilder();
    m.getOpsetImportBuilder(0).setVersion(6);
    OnnxFile old = OnnxFile.of("old", m.build());
    assertThatThrownBy(() -> Wrap.of(old).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("found 6");
    OnnxFile file = new Small(9, Layout.NCHW, "N", Graph.FLOAT).build(true);
    assertThatThrownBy(() -> Wrap.of(file).equivariant(List.of("scores")).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("4 axes");
    OnnxFile dense = new Small(9, Layout.NCHW, "N", Graph.FLOAT).build(false);
    assertThatThrownBy(() -> Wrap.of(dense).mirrors(true).equivariant(List.of("image")).build())
        .hasMessageContaining("mirrors: expected no output that moves with the input");
    assertThatThrownBy(() -> Wrap.of(dense).frames(4).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("class scores");
  }
}
