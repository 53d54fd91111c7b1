package org.orbitmap.onnx.wrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.orbitmap.eval.Classifier;
import org.orbitmap.eval.Scores;
import org.orbitmap.image.Image;
import org.orbitmap.image.mapping.Frames;
import org.orbitmap.image.mapping.Frames.Pool;
import org.orbitmap.image.mapping.RotationMapping;
import org.orbitmap.model.Layout;
import org.orbitmap.model.ModelInput;
import org.orbitmap.model.Preprocessing;
import org.orbitmap.onnx.graph.Graph;
import org.orbitmap.onnx.graph.Graph.Value;
import org.orbitmap.onnx.graph.OnnxFile;
import org.orbitmap.onnx.run.OnnxModel;

/** Shapes that users' models have: each gives what the core gives with the same network. */
class UserModelsTest {
  private static final int H = 10;
  private static final int W = 14;

  /** How the answer of a small network is shaped. */
  private enum Answer {
    ROWS,
    DEEP_ROWS,
    LAST_ROWS,
    SIGMOID,
    LOGIT,
    LOGITS_ALONE
  }

  /**
   * A linear network on H x W colour images: weights that no rotation leaves as they are.
   *
   * @param batch a number, a name, or null for no such axis
   */
  private static OnnxFile network(int opset, int type, Object batch, Answer answer)
      throws IOException {
    Graph g = new Graph(opset, "net/");
    Value x = g.value("x", type);
    boolean binary = Set.of(Answer.SIGMOID, Answer.LOGIT, Answer.LOGITS_ALONE).contains(answer);
    int classes = binary ? 1 : 4;
    int n = 3 * H * W;
    Random random = new Random(4);
    float[] weights = new float[n * classes];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = (float) random.nextGaussian() / 4;
    }
    Value flat = batch == null ? x.reshape(1, n) : x.reshape(0, n);
    Value y = flat.cast(Graph.FLOAT).matmul(g.floats(weights, n, classes));
    Object rows = batch;
    List<Object> shape =
        switch (answer) {
          case ROWS, LOGIT, SIGMOID -> batch == null ? List.of(classes) : List.of(rows, classes);
          case DEEP_ROWS -> List.of(rows, classes, 1, 1);
          case LAST_ROWS -> List.of(rows, 1, 1, classes);
          case LOGITS_ALONE -> List.of(rows);
        };
    y =
        switch (answer) {
          case ROWS, LOGIT -> batch == null ? y.reshape(classes) : y;
          case SIGMOID -> batch == null ? y.sigmoid().reshape(1) : y.sigmoid();
          case DEEP_ROWS -> y.reshape(0, classes, 1, 1);
          case LAST_ROWS -> y.reshape(0, 1, 1, classes);
          case LOGITS_ALONE -> y.reshape(-1);
        };
    g.name(y, "y");
    List<Object> taken = batch == null ? List.of(3, H, W) : List.of(batch, 3, H, W);
    GraphProto.Builder graph =
        GraphProto.newBuilder()
            .setName("users")
            .addInput(Graph.info("x", Graph.tensorType(type, taken)))
            .addOutput(Graph.info("y", Graph.tensorType(Graph.FLOAT, shape)))
            .addAllNode(g.nodes());
    return file(opset, graph);
  }

  private static OnnxFile file(int opset, GraphProto.Builder graph) throws IOException {
    return OnnxFile.of(
        "users",
        ModelProto.newBuilder()
            .setIrVersion(opset < 9 ? 3 : 7)
            .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(opset))
            .setGraph(graph)
            .build());
  }

  private static List<Image> images() {
    Random random = new Random(8);
    return random
        .ints(3)
        .mapToObj(
            k -> {
              Image u = Image.black(3, H, W);
              for (int i = 0; i < u.data().length; i++) {
                u.data()[i] = random.nextInt(256) / 255f;
              }
              return u;
            })
        .toList();
  }

  private static float[][] scores(OnnxFile file, List<Image> images) throws IOException {
    ModelInput.Images input = (ModelInput.Images) file.input(ModelInput.Hints.NONE);
    try (OnnxModel model = OnnxModel.open(file)) {
      return model
          .classifier(input, Preprocessing.usual(input), model.scoreOutput())
          .scores(images);
    }
  }

  /** The wrapped file says what the core says with the bare one, for every shape and batch. */
  @ParameterizedTest
  @ValueSource(ints = {8, 18})
  void everyShapeOfScores(int opset) throws IOException {
    List<Image> images = images();
    RotationMapping mapping = RotationMapping.disc();
    for (Answer answer : Answer.values()) {
      for (Object batch : new Object[] {"N", 1, 2}) {
        OnnxFile bare = network(opset, Graph.FLOAT, batch, answer);
        compare(bare, images, mapping, answer + ", batch " + batch);
      }
    }
    for (Answer answer : new Answer[] {Answer.ROWS, Answer.LOGIT, Answer.SIGMOID}) {
      compare(network(opset, Graph.FLOAT, null, answer), images, mapping, answer + " alone");
    }
  }

  private static void compare(
      OnnxFile bare, List<Image> images, RotationMapping mapping, String what) throws IOException {
    boolean two = scores(bare, images)[0].length == 2;
    Classifier<Image> net =
        batch -> {
          try {
            return scores(bare, List.copyOf(batch));
          } catch (IOException e) {
            throw new IllegalStateException(e);
          }
        };
    for (Pool pool : Pool.values()) {
      for (int k : new int[] {1, 4, -4}) { // with mirrors if negative
        if ((two && pool == Pool.MAX) || (k < 4 && pool == Pool.MAX)) {
          continue; // one number for two classes has no largest score of each
        }
        Frames core = new Frames(mapping, Math.abs(k), k < 0);
        OnnxFile wrapped =
            Wrap.of(bare).mapping(mapping).frames(core.count(), pool).mirrors(k < 0).build();
        float[][] expected = core.invariant(net, pool).scores(images);
        float[][] found = scores(wrapped, images);
        for (int i = 0; i < found.length; i++) {
          double[] p = Scores.probabilities(expected[i]);
          double[] q = Scores.probabilities(found[i]);
          assertThat(q).as("%s, %s, %s", what, core, pool).containsExactly(p, within(1e-4));
        }
      }
    }
  }

  @Test
  void theLargestScoreOfOneNumberIsRefused() throws IOException {
    OnnxFile bare = network(13, Graph.FLOAT, "N", Answer.LOGIT);
    assertThatThrownBy(() -> Wrap.of(bare).frames(4, Pool.MAX).build())
        .hasMessageContaining("a score for each class");
  }

  /** A network that is sure of everything: its probabilities are all 1, its scores still differ. */
  @Test
  void theMostConfidentFrameIsChosenWhereProbabilitiesAreRoundedToOne() throws IOException {
    OnnxFile bare = network(18, Graph.FLOAT, "N", Answer.ROWS);
    Preprocessing sure = new Preprocessing(2000, new double[] {0}, new double[] {1});
    ModelInput.Images input = (ModelInput.Images) bare.input(ModelInput.Hints.NONE);
    RotationMapping mapping = RotationMapping.disc();
    OnnxFile wrapped = Wrap.of(bare).mapping(mapping).preprocessing(sure).frames(8).build();
    try (OnnxModel model = OnnxModel.open(bare);
        OnnxModel mapped = OnnxModel.open(wrapped)) {
      Classifier<Image> net = model.classifier(input, sure, "y");
      for (Image u : images()) {
        double most = 0;
        float[] best = null;
        for (float[] row : net.scores(new Frames(mapping, 8).of(u))) {
          float[] sorted = row.clone();
          java.util.Arrays.sort(sorted);
          double gap = sorted[3] - sorted[2]; // far above 36: p/(1 - p) is exp of it
          best = gap > most ? row : best;
          most = Math.max(most, gap);
        }
        assertThat(most).isGreaterThan(100);
        assertThat(new Frames(mapping, 8).invariant(net, Pool.CONFIDENCE).scores(List.of(u))[0])
            .isEqualTo(best);
        assertThat(mapped.classifier(input, sure, "y").scores(List.of(u))[0])
            .containsExactly(best, within(1f));
      }
    }
  }

  /** σ(z) and z mean the same two classes. */
  @Test
  void oneNumberIsTwoClasses() throws IOException {
    float[][] logit = scores(network(13, Graph.FLOAT, "N", Answer.LOGIT), images());
    float[][] sigmoid = scores(network(13, Graph.FLOAT, "N", Answer.SIGMOID), images());
    for (int i = 0; i < logit.length; i++) {
      assertThat(Scores.probabilities(logit[i])[1]).isCloseTo(sigmoid[i][1], within(1e-5));
      assertThat(sigmoid[i][0] + sigmoid[i][1]).isCloseTo(1, within(1e-6f));
    }
  }

  @ParameterizedTest
  @ValueSource(
      ints = {TensorProto.DataType.FLOAT16_VALUE, TensorProto.DataType.UINT8_VALUE, Graph.DOUBLE})
  void everyTypeOfInput(int type) throws IOException {
    List<Image> images = images();
    boolean bytes = type == TensorProto.DataType.UINT8_VALUE;
    Preprocessing scale = new Preprocessing(bytes ? 255 : 1, new double[] {0}, new double[] {1});
    OnnxFile floats = network(13, Graph.FLOAT, "N", Answer.ROWS);
    ModelInput.Images input = (ModelInput.Images) floats.input(ModelInput.Hints.NONE);
    float[][] expected;
    try (OnnxModel model =
        OnnxModel.open(
            Wrap.of(floats)
                .mapping(RotationMapping.disc())
                .preprocessing(scale)
                .frames(4, Pool.MAX)
                .build())) {
      expected = model.classifier(input, scale, "y").scores(images);
    }
    float[][] found =
        scores(
            Wrap.of(network(13, type, "N", Answer.ROWS))
                .mapping(RotationMapping.disc())
                .frames(4, Pool.MAX)
                .build(),
            images);
    for (int i = 0; i < found.length; i++) {
      for (int c = 0; c < found[i].length; c++) {
        // bytes are rounded: half a level, times weights of 1/4, at 420 places
        assertThat(found[i][c]).isCloseTo(expected[i][c], within(bytes ? 10f : 0.06f));
      }
    }
  }

  /** Images without an axis for the batch; clouds keep theirs. */
  @Test
  void threeAxesAreOneImageOrClouds() {
    assertThat(input(3, 48, 80))
        .isEqualTo("images NCHW, 3 channels, 48 x 80 pixels, one at a time");
    assertThat(input(1, 28, 28)).startsWith("images NCHW, 1 channel, 28 x 28");
    assertThat(input(224, 224, 3)).startsWith("images NHWC, 3 channels, 224 x 224");
    assertThat(input(1, 3, 1024)).startsWith("point clouds N x 3 x P, 1024 points, batch 1");
    assertThat(input(32, 1024, 3)).startsWith("point clouds N x P x 3, 1024 points, batch 32");
    assertThat(input(-1, 1024, 3)).startsWith("point clouds N x P x 3, 1024 points, any batch");
    ModelInput.Hints said = new ModelInput.Hints(null, Layout.NHWC, -1, -1);
    assertThat(input(said, 48, 80, 3)).startsWith("images NHWC, 3 channels, 48 x 80");
  }

  private static String input(long... shape) {
    return input(ModelInput.Hints.NONE, shape);
  }

  private static String input(ModelInput.Hints hints, long... shape) {
    var spec =
        new org.orbitmap.model.TensorSpec("x", "float", org.orbitmap.model.TensorSpec.sizes(shape));
    return ModelInput.of("m", List.of(spec), hints).toString().replaceFirst("^x: ", "");
  }

  /** y = k·(largest of each channel), with k an input that has to be fed, or has a default. */
  private static OnnxFile scaled(int type, boolean withDefault) throws IOException {
    Graph g = new Graph(13, "net/");
    Value largest = g.value("x", Graph.FLOAT).reshape(0, 3, -1).reduce("ReduceMax", 2);
    g.name(largest.reshape(0, 3).times(g.value("k", type).cast(Graph.FLOAT)), "y");
    GraphProto.Builder graph =
        GraphProto.newBuilder()
            .setName("scaled")
            .addInput(Graph.info("x", Graph.tensorType(Graph.FLOAT, List.of("N", 3, H, W))))
            .addInput(Graph.info("k", Graph.tensorType(type, List.of())))
            .addOutput(Graph.info("y", Graph.tensorType(Graph.FLOAT, List.of("N", 3))))
            .addAllNode(g.nodes());
    if (withDefault) {
      graph.addInitializer(
          TensorProto.newBuilder().setName("k").setDataType(Graph.FLOAT).addFloatData(5));
    }
    return file(13, graph);
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        Graph.FLOAT,
        Graph.DOUBLE,
        Graph.INT64,
        Graph.BOOL,
        TensorProto.DataType.FLOAT16_VALUE,
        TensorProto.DataType.INT32_VALUE,
        TensorProto.DataType.UINT8_VALUE
      })
  void furtherInputsNeedAConstant(int type) throws IOException {
    List<Image> images = images();
    float[][] five = scores(scaled(Graph.FLOAT, true), images);
    OnnxFile open = scaled(type, false);
    assertThatThrownBy(() -> scores(open, images))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 more that have to be fed: [k: ")
        .hasMessageContaining("give each of them a constant");
    OnnxFile given = open.with("k", 5);
    float factor = type == Graph.BOOL ? 5 : 1;
    float[][] found = scores(given, images);
    for (int i = 0; i < found.length; i++) {
      for (int c = 0; c < 3; c++) {
        assertThat(factor * found[i][c]).isCloseTo(five[i][c], within(1e-4f));
      }
    }
    assertThat(scores(Wrap.of(given).frames(4).build(), images)).hasDimensions(3, 3);
    assertThatThrownBy(() -> open.with("k", 1, 2)).hasMessageContaining("expected 1 or 1 numbers");
    assertThatThrownBy(() -> open.with("z", 1)).hasMessageContaining("found \"z\"");
  }

  /** Two inputs that could be images: which one is not guessed, and the other has to be fed. */
  @Test
  void severalImagesAreRefusedWithTheReason() throws IOException {
    Graph g = new Graph(13, "net/");
    Value sum = g.value("a", Graph.FLOAT).plus(g.value("b", Graph.FLOAT));
    g.name(sum.reshape(0, 3, -1).reduce("ReduceMax", 2).reshape(0, 3), "y");
    var image = Graph.tensorType(Graph.FLOAT, List.of("N", 3, H, W));
    OnnxFile two =
        file(
            13,
            GraphProto.newBuilder()
                .setName("two")
                .addInput(Graph.info("a", image))
                .addInput(Graph.info("b", image))
                .addOutput(Graph.info("y", Graph.tensorType(Graph.FLOAT, List.of("N", 3))))
                .addAllNode(g.nodes()));
    assertThatThrownBy(() -> two.input(ModelInput.Hints.NONE))
        .hasMessageContaining("found [a, b]; name the one that is meant");
    ModelInput.Hints a = new ModelInput.Hints("a", null, -1, -1);
    assertThatThrownBy(() -> two.requireOnly(two.input(a))).hasMessageContaining("[b: float N x 3");
  }

  /** What a plain call does is said in one place, and does not need class scores. */
  @Test
  void theDefaultServesUprightModels() throws IOException {
    OnnxFile bare = network(16, Graph.FLOAT, "N", Answer.ROWS);
    var metadata = Wrap.of(bare).build().metadata();
    assertThat(metadata.get("orbit.mapping")).isEqualTo(Frames.UPRIGHT.mapping().toString());
    assertThat(metadata.get("orbit.frames"))
        .isEqualTo(Frames.UPRIGHT.count() + ", select confidence");
    assertThat(metadata.get("orbit.cost")).isEqualTo(Integer.toString(Frames.UPRIGHT.cost()));
    assertThat(Wrap.of(bare).build().cost()).isEqualTo(Frames.UPRIGHT.cost());
    assertThat(Wrap.of(bare).canonicalOutputs()).isEmpty();

    Graph g = new Graph(16, "net/");
    g.name(g.value("x", Graph.FLOAT).times(2), "mask");
    var image = Graph.tensorType(Graph.FLOAT, List.of("N", 3, H, W));
    OnnxFile dense =
        file(
            16,
            GraphProto.newBuilder()
                .setName("dense")
                .addInput(Graph.info("x", image))
                .addOutput(Graph.info("mask", image))
                .addAllNode(g.nodes()));
    assertThat(Wrap.of(dense).build().cost()).isEqualTo(1);
    assertThat(Wrap.of(dense).canonicalOutputs()).extracting(p -> p.name()).containsExactly("mask");
    assertThat(Wrap.of(dense).equivariant(List.of("mask")).canonicalOutputs()).isEmpty();
    try (OnnxModel model = OnnxModel.open(dense)) {
      assertThatThrownBy(model::scoreOutput).hasMessageContaining("class scores");
    }
  }

  @Test
  void predictorsTakeImagesOfAnySize() throws IOException {
    OnnxFile bare = network(13, Graph.FLOAT, "N", Answer.ROWS);
    Image large = Image.black(1, 3 * H, 2 * W);
    for (int i = 0; i < large.data().length; i++) {
      large.data()[i] = i % 97 / 96f;
    }
    try (Predictor fit = Wrap.of(bare).open();
        Predictor crop = Wrap.of(bare).sizing(Predictor.Sizing.CROP).open();
        Predictor exact = Wrap.of(bare).sizing(Predictor.Sizing.EXACT).open()) {
      Image fitted = org.orbitmap.io.image.ImageFit.fit(large, H, W);
      Image middle = Image.black(1, H, W);
      for (int i = 0; i < H; i++) {
        for (int j = 0; j < W; j++) {
          middle.data()[i * W + j] = large.at(0, H + i, W / 2 + j);
        }
      }
      assertThat(fit.predict(large).scores()).isEqualTo(exact.predict(fitted).scores());
      assertThat(crop.predict(large).scores()).isEqualTo(exact.predict(middle).scores());
      assertThatThrownBy(() -> exact.predict(large)).hasMessageContaining("expected images of");
      assertThatThrownBy(() -> crop.predict(Image.black(1, H - 1, W)))
          .hasMessageContaining("at least 10 x 14");
    }
  }

  /** Seven inputs through a model of two at a time, and of one at a time. */
  @Test
  void anyNumberOfRowsGoesThroughAFixedBatch() throws IOException {
    int n = 3 * H * W;
    float[] data = new float[7 * n];
    Random random = new Random(2);
    for (int i = 0; i < data.length; i++) {
      data[i] = random.nextFloat();
    }
    var feed = java.util.Map.of("x", new OnnxModel.Feed(new long[] {7, 3, H, W}, data));
    try (OnnxModel free = OnnxModel.open(network(13, Graph.FLOAT, "N", Answer.ROWS))) {
      float[] expected = free.runRows(feed, -1).get("y").data();
      for (int batch : new int[] {1, 2, 7, 9}) {
        try (OnnxModel fixed = OnnxModel.open(network(13, Graph.FLOAT, batch, Answer.ROWS))) {
          OnnxModel.Output found = fixed.runRows(feed, batch).get("y");
          assertThat(found.shape()).containsExactly(7, 4);
          for (int i = 0; i < expected.length; i++) {
            assertThat(found.data()[i]).isCloseTo(expected[i], within(1e-4f));
          }
        }
      }
    }
  }
}
