package org.orbitmap.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.JitModule;
import org.bytedeco.pytorch.QualifiedName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.orbitmap.app.model.ModelExport;
import org.orbitmap.app.option.Json;
import org.orbitmap.cloud.CloudAction;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.cloud.mapping.CloudFrames;
import org.orbitmap.eval.Scores;
import org.orbitmap.group.SimilarityGroup;
import org.orbitmap.image.Fill;
import org.orbitmap.image.Image;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampling;
import org.orbitmap.io.data.Choice;
import org.orbitmap.io.data.CloudSet;
import org.orbitmap.io.data.ImageSet;
import org.orbitmap.io.data.Split;
import org.orbitmap.io.data.source.DataSets;
import org.orbitmap.io.image.ImageFiles;
import org.orbitmap.model.InputShape;
import org.orbitmap.model.ModelInput;
import org.orbitmap.model.Preprocessing;
import org.orbitmap.network.Architecture;
import org.orbitmap.network.Convolution;
import org.orbitmap.network.FloatTensor;
import org.orbitmap.network.Initial;
import org.orbitmap.network.Network;
import org.orbitmap.network.Operations;
import org.orbitmap.network.Parameter;
import org.orbitmap.network.front.FrontedNetwork;
import org.orbitmap.network.front.Fronts;
import org.orbitmap.network.run.ArrayOperations;
import org.orbitmap.network.run.ArrayOperations.Batch;
import org.orbitmap.network.run.ArrayWeights;
import org.orbitmap.network.zoo.Networks;
import org.orbitmap.nn.model.MappingConfig;
import org.orbitmap.nn.model.MappingConfig.Use;
import org.orbitmap.nn.model.Model;
import org.orbitmap.nn.tensor.Engine;
import org.orbitmap.nn.train.RunFolder;
import org.orbitmap.onnx.graph.OnnxFile;
import org.orbitmap.onnx.run.OnnxModel;

/**
 * Exported networks, and those in plain Java, give what the engine gives; TorchScript files can be
 * audited.
 */
class ExportTest {
  /** The gain of a block stands in the file; those of kernels go into them. */
  private static final String BLOCK_GAIN = ".*block\\d+\\.gain";

  /** Predictors of poses give some for each of 4, 8 or 24 rotations. */
  private static final int CLASSES = 24;

  @TempDir Path folder;

  private static List<Image> images(int n, int channels, int side) {
    Random random = new Random(4);
    List<Image> all = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      Image u = Image.black(channels, side, side);
      for (int k = 0; k < u.data().length; k++) {
        u.data()[k] = random.nextFloat();
      }
      all.add(u);
    }
    return all;
  }

  /**
   * Images without sharp edges: whoever rotates noise by a learned angle rotates its rounding, too.
   */
  private static List<Image> smooth(List<Image> noise) {
    return noise.stream()
        .map(
            u -> {
              Image v = Image.black(u.channels(), u.height(), u.width());
              int w = u.width();
              for (int p = 0; p < u.data().length; p++) {
                int row = p / w % u.height();
                int column = p % w;
                float sum = 0;
                for (int k = 0; k < 49; k++) {
                  int r = Math.floorMod(row + k / 7 - 3, u.height());
                  int c = Math.floorMod(column + k % 7 - 3, w);
                  sum += u.data()[p - row * w - column + r * w + c];
                }
                v.data()[p] = sum / 49;
              }
              return v;
            })
        .toList();
  }

  static List<Network> networks() {
    List<Network> all = new ArrayList<>(Networks.all());
    Fronts.all()
        .forEach(
            f -> {
              String behind = f.takes().equals("images") ? "convnet" : "pointnet";
              all.add(Networks.named(f.name() + "+" + behind));
            });
    all.add(new Everything());
    return all;
  }

  /** Kernels that are computed: w + w with its channels exchanged and reversed, in halves. */
  private record Turned(int channels) implements Operations.Derivation {
    @Override
    public <T> T of(Operations<T> ops) {
      int c = channels;
      T w = ops.parameter("turned", Initial.he(9L * c), c, c, 9);
      T half = ops.divide(w, ops.constant(new float[] {2}, 1));
      int[] back = IntStream.range(0, c).map(i -> c - 1 - i).toArray();
      T turned = ops.select(ops.transpose(half, 0, 1), back);
      return ops.reshape(ops.add(half, turned), c, c, 3, 3);
    }
  }

  /** Every operation that no built-in network uses. */
  private static final class Everything implements Network {
    private static final int[] SOME = {3, 0, 4, 4};
    private static final int[] FEW = {2, 1};

    @Override
    public String name() {
      return "everything";
    }

    @Override
    public String takes() {
      return "images";
    }

    @Override
    public <T> T features(Operations<T> ops, T x, Architecture settings) {
      T y = ops.elu(ops.convolution(x, "c", Convolution.of(6, 3).padding(1)));
      y = ops.convolution(y, "g", Convolution.of(6, 3).groups(3).stride(2).withoutBias());
      y = ops.convolution(y, ops.derived("d", new Turned(6)), Convolution.of(6, 3).withoutBias());
      y = ops.select(ops.batchNorm(y, "fields", 3), new int[] {5, 0, 1, 1});
      T pose = ops.linear(ops.globalAverage(y), "pose", 2);
      pose =
          ops.add(
              ops.multiply(pose, ops.constant(new float[] {0.1f, 0.1f}, 2)),
              ops.constant(new float[] {0.8f, 0.6f}, 2));
      Resampling how = new Resampling(Interpolation.BICUBIC, Fill.constant(0.3f), true);
      T rotated = ops.rotate(x, pose, how);
      T edge = ops.rotate(rotated, pose, Resampling.BILINEAR.with(Fill.EDGE));
      T pixels = ops.reshape(edge, ops.length(x, 0), ops.length(x, 1) * ops.length(x, 2));
      T columns = ops.transpose(pixels, 0, 1);
      T moments = ops.matmul(pixels, columns);
      T gain = ops.parameter("gain", Initial.uniform(1), 3, 3);
      T mixed = ops.matmul(gain, ops.divide(moments, ops.constant(new float[] {99f}, 1)));
      ops.penalty(ops.mean(ops.flatten(mixed), 0));
      T normal = ops.softmax(ops.batchNorm(ops.linear(mixed, "rows", 5), "norm"));
      T features = ops.flatten(ops.subtract(normal, ops.constant(new float[] {0.2f}, 1)));
      T most = ops.sqrt(ops.relu(ops.maximum(ops.max(mixed, 0), ops.mean(mixed, 1))));
      T all = ops.add(features, ops.linear(most, "most", 15));
      return ops.dropout(ops.add(all, ops.linear(sampled(ops, x), "sampled", 15)), 0.5);
    }

    /** Images read through an affine map of their own, and through one that is the same for all. */
    private static <T> T sampled(Operations<T> ops, T x) {
      int side = ops.length(x, 1);
      float[] places = new float[3 * side * side];
      for (int p = 0; p < side * side; p++) {
        places[3 * p] = p % side - (side - 1) / 2f;
        int row = p / side;
        places[3 * p + 1] = row - (side - 1) / 2f;
        places[3 * p + 2] = 1;
      }
      T grid = ops.constant(places, side * side, 3);
      T own = ops.linear(ops.globalAverage(x), "affine", 6);
      float[] some = {0.9f, 0.2f, -0.1f, 1.1f, 1.5f, -2};
      T map = ops.reshape(ops.add(own, ops.constant(some, 6)), 3, 2);
      T one = ops.reshape(ops.matmul(grid, map), side, side, 2);
      T noise = ops.softplus(ops.uniform(x, 5, 3, 2));
      T other = ops.reshape(ops.matmul(grid, noise), side, side, 2);
      T first = ops.sample(x, one, Interpolation.BILINEAR);
      T second = ops.sample(x, other, Interpolation.BICUBIC);
      T rows = ops.select(ops.select(ops.maximum(first, second), 1, SOME), FEW);
      return ops.logSoftmax(ops.globalAverage(rows));
    }
  }

  /** One test for all networks: with and without TI-pooling, with and without a mapping. */
  @ParameterizedTest
  @MethodSource("networks")
  void exportedEqualsTheEngine(Network network) throws Exception {
    if (network.takes().equals("images")) {
      InputShape.Images shape = new InputShape.Images(3, 32, 32);
      List<Image> noise = images(5, 3, 32);
      List<Image> images = network instanceof FrontedNetwork ? smooth(noise) : noise;
      MappingConfig paper =
          new MappingConfig(
              Use.TRAIN_AND_TEST, "paper", "o2", Interpolation.BILINEAR, Fill.REFLECT, 1);
      // what takes long is made narrow
      double width =
          network.name().matches("resnet101|nfnet.*")
              ? 0.0625
              : network.name().startsWith("e2cnn") ? 0.04 : 0.25;
      for (boolean pooled : new boolean[] {false, true}) {
        for (MappingConfig mapping :
            List.of(MappingConfig.NONE, MappingConfig.NONE.when(Use.TEST), paper)) {
          check(
              new Architecture(network, width, pooled, Map.of(), shape, CLASSES), mapping, images);
        }
      }
    } else {
      InputShape.Clouds shape = new InputShape.Clouds(40);
      List<PointCloud> clouds = clouds(5, 40);
      Map<String, String> options =
          network instanceof FrontedNetwork ? Map.of("points", "12") : Map.of();
      for (String group : new String[] {"sim3", "sim3-upright"}) {
        for (int frames : CloudFrames.counts(SimilarityGroup.named(group, 3))) {
          MappingConfig pooled =
              MappingConfig.NONE.rule("skewness").group(group).frames(frames).when(Use.TEST);
          check(new Architecture(network, 0.25, false, options, shape, CLASSES), pooled, clouds);
        }
      }
      for (String rule : new String[] {"skewness", "first-point"}) {
        for (Use use : Use.values()) {
          MappingConfig mapping = MappingConfig.NONE.rule(rule).when(use);
          check(new Architecture(network, 0.25, false, options, shape, CLASSES), mapping, clouds);
        }
      }
    }
  }

  /** 500 real clouds as they are, and 1,000 copies moved by any similarity. */
  @Test
  void realCloudsAndMovedCopiesGiveTheSameInEngineAndFile() throws Exception {
    Path data = Path.of(System.getProperty("orbit.data", ""), "modelnet40");
    assumeTrue(Files.isDirectory(data), "no ModelNet40");
    CloudSet set = DataSets.clouds(data.toString(), null, Split.TEST, Choice.ALL.withLimit(500));
    SimilarityGroup group = SimilarityGroup.similarities(3);
    Random random = new Random(4);
    List<PointCloud> all = new ArrayList<>(set.clouds());
    for (int k = 0; k < 1000; k++) {
      PointCloud cloud = set.clouds().get(k % 500);
      all.add(new CloudAction(group).act(group.sample(random, 10, 10), cloud));
    }
    MappingConfig mapping = MappingConfig.NONE.rule("skewness").group("sim3").when(Use.TEST);
    Architecture small =
        new Architecture(Networks.named("pointnet"), 0.25, false, Map.of(), set.shape(), CLASSES);
    check(small, mapping, all);
  }

  private static List<PointCloud> clouds(int n, int points) {
    Random random = new Random(3);
    List<PointCloud> all = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      float[] x = new float[3 * points];
      for (int k = 0; k < x.length; k++) {
        x[k] = (float) Math.pow(random.nextDouble(), 1 + k % 3) * (1 + k % 3);
      }
      all.add(new PointCloud(3, x));
    }
    return all;
  }

  private <X> void check(Architecture a, MappingConfig mapping, List<X> inputs) throws Exception {
    boolean images = a.input() instanceof InputShape.Images;
    Model<?> random =
        Model.of(
            new Model.Description(
                a,
                IntStream.range(0, CLASSES).mapToObj(i -> "class " + i).toList(),
                images ? new float[] {.5f, .4f, .3f} : new float[0],
                images ? new float[] {.2f, .25f, .3f} : new float[0],
                mapping),
            11);
    @SuppressWarnings("unchecked") // the inputs are of the shape
    Model<X> model = (Model<X>) random;
    model.weights().restore(settled(model.tensors()));
    Path written = folder.resolve("model.onnx");
    ModelExport.export(model).write(written);
    OnnxFile read = OnnxFile.read(written);
    assertThat(read.metadata().containsKey("orbit.mapping")).isEqualTo(mapping.used());
    // The gains of standardised kernels go into the kernels, which the file has as they are used.
    long gains =
        a.declare().parameters().stream()
            .filter(p -> p.name().endsWith(".gain") && !p.name().matches(BLOCK_GAIN))
            .mapToLong(Parameter::count)
            .sum();
    assertThat(read.parameters()).isGreaterThanOrEqualTo(model.parameters() - gains);
    @SuppressWarnings("unchecked") // the file takes what the model takes
    ModelInput<X> input = (ModelInput<X>) read.input(ModelInput.Hints.NONE);
    try (OnnxModel opened = OnnxModel.open(read)) {
      float[][] expected = model.scores(inputs);
      float[][] found =
          opened.classifier(input, Preprocessing.NONE, "probabilities").scores(inputs);
      for (int i = 0; i < expected.length; i++) {
        assertThat(found[i]).as("%s, %s", a, mapping).containsExactly(expected[i], offset(1e-4f));
      }
      assertThat(expected[0]).isNotEqualTo(expected[1]);
      if (!mapping.used()) {
        inPlainJava(model, inputs, expected);
      }
    }
  }

  /** So that the signal neither grows from block to block nor skips those that start at 0. */
  private static Map<String, FloatTensor> settled(Map<String, FloatTensor> tensors) {
    Map<String, FloatTensor> all = new LinkedHashMap<>(tensors);
    tensors.forEach(
        (name, t) -> {
          float[] values = t.values().clone();
          for (int i = 0; i < values.length; i++) {
            if (name.matches(".*norm\\d?\\.weight")) {
              values[i] *= 0.5f;
            } else if (name.matches(BLOCK_GAIN)) {
              values[i] += 0.7f;
            }
          }
          all.put(name, new FloatTensor(t.shape(), values));
        });
    return all;
  }

  /** The third way to run the same definition. */
  private static <X> void inPlainJava(Model<X> model, List<X> inputs, float[][] expected) {
    ArrayOperations ops = new ArrayOperations(new ArrayWeights(model.tensors()));
    float[] numbers = model.input().pack("inputs", inputs);
    float[] found =
        ops.softmax(model.afterMapping(ops, Batch.of(numbers, model.input().axes()))).values();
    for (int i = 0; i < expected.length; i++) {
      assertThat(Arrays.copyOfRange(found, CLASSES * i, CLASSES * (i + 1)))
          .as("%s in plain Java", model.description().architecture())
          .containsExactly(expected[i], offset(1e-4f));
    }
  }

  /** In the file are ordinary convolutions with constant weights, and no trace of the basis. */
  @Test
  void anExportedSteerableNetworkIsAnOrdinaryOne() throws Exception {
    Architecture a =
        new Architecture(
            Networks.named("e2cnn-d4c4"),
            0.04,
            false,
            Map.of(),
            new InputShape.Images(1, 28, 28),
            10);
    Model<?> model =
        Model.of(
            new Model.Description(
                a,
                IntStream.range(0, 10).mapToObj(Integer::toString).toList(),
                new float[] {.1f},
                new float[] {.3f},
                MappingConfig.NONE),
            1);
    OnnxFile file = ModelExport.export(model);
    assertThat(file.operators())
        .containsEntry("Conv", 6L)
        .containsEntry("BatchNormalization", 8L)
        .containsEntry("MaxPool", 2L)
        .containsEntry("Elu", 8L)
        .containsEntry("Gemm", 3L);
    assertThat(file.operators().keySet())
        .isSubsetOf(
            "Conv",
            "BatchNormalization",
            "MaxPool",
            "Elu",
            "Gemm",
            "Identity",
            "Reshape",
            "ReduceMax",
            "Softmax",
            "Sub",
            "Div",
            "Constant");
    List<String> weights =
        file.model().getGraph().getInitializerList().stream().map(t -> t.getName()).toList();
    file.model().getGraph().getNodeList().stream()
        .filter(n -> n.getOpType().equals("Conv"))
        .forEach(n -> assertThat(weights).contains(n.getInput(1)));
    assertThat(weights).contains("layer2.kernel").doesNotContain("layer2.weight");
  }

  @Test
  void exportedEqualsTheEngineAfterTraining() throws Exception {
    String run = folder.resolve("run").toString();
    Run trained =
        Run.orbit(
            "train",
            "--preset",
            "glyphs-convnet",
            "--out",
            run,
            "--no-progress",
            "--set",
            "network.width-factor=0.25",
            "--set",
            "limit=1600",
            "--set",
            "epochs=1",
            "--set",
            "mapping.when=train+test",
            "--set",
            "threads=1");
    assertThat(trained.code()).as(trained.err()).isZero();
    Path file = folder.resolve("trained.onnx");
    Run exported = Run.orbit("export", run, "--out", file.toString(), "--json");
    assertThat(exported.code()).as(exported.err()).isZero();
    assertThat(Json.mapper().readTree(exported.out()).at("/metadata/orbit.mapping").asText())
        .isEqualTo("disc, bicubic, black outside");
    ImageSet glyphs = DataSets.images("glyphs", null, Split.TEST, Choice.ALL.withLimit(200));
    List<Image> images = IntStream.range(0, glyphs.size()).mapToObj(glyphs::image).toList();
    OnnxFile read = OnnxFile.read(file);
    ModelInput.Images input = (ModelInput.Images) read.input(ModelInput.Hints.NONE);
    float[][] expected = RunFolder.model(Path.of(run)).taking(glyphs.shape()).scores(images);
    try (OnnxModel opened = OnnxModel.open(read)) {
      float[][] found =
          opened.classifier(input, Preprocessing.NONE, "probabilities").scores(images);
      int right = 0;
      for (int i = 0; i < expected.length; i++) {
        assertThat(found[i]).as("image %d", i).containsExactly(expected[i], offset(1e-4f));
        right += Scores.argmax(found[i]) == glyphs.labels()[i] ? 1 : 0;
      }
      // it has learnt something: answers differ from image to image, and more are right than
      // by chance
      assertThat(right).isGreaterThan(2 * images.size() / glyphs.classes().size());
    }
  }

  @Test
  void torchScriptIsAudited() throws Exception {
    Engine.load();
    Path file = folder.resolve("net.pt");
    try (JitModule module = new JitModule(new QualifiedName("__torch__.Net"))) {
      // class 0 if the upper half is brighter: turns upside down with the image
      module.define(
          """
          def forward(self, x):
              h = x.size(2) // 2
              upper = x[:, :, :h].mean(dim=[1, 2, 3])
              lower = x[:, :, h:].mean(dim=[1, 2, 3])
              return torch.stack([upper, lower], dim=1)
          """);
      module.save(file.toString());
    }
    for (int i = 0; i < 4; i++) {
      Image u = Image.black(3, 10, 10);
      for (int k = 0; k < u.data().length; k++) {
        boolean upper = k % 100 < 50;
        u.data()[k] = upper == (i % 2 == 0) ? 1 : 0.2f;
      }
      ImageFiles.writePng(folder.resolve("data/%s/%d.png".formatted(i % 2 == 0 ? "a" : "b", i)), u);
    }
    String data = folder.resolve("data").toString();
    Run run =
        Run.orbit(
            "audit", file.toString(), "--data", data, "--step", "90", "--size", "10x10", "--json");
    assertThat(run.code()).as(run.err()).isZero();
    var answer = Json.mapper().readTree(run.out());
    assertThat(answer.get("items").asInt()).isEqualTo(4);
    assertThat(answer.get("clean").asDouble()).isEqualTo(1);
    assertThat(answer.at("/sweeps/bilinear/perPose/2/accuracy").doubleValue()).isZero();
    assertThat(answer.at("/sweeps/bilinear/worst").isNumber()).isTrue();
    assertThat(answer.at("/sweeps/bilinear/worst").doubleValue()).isZero();

    // mirrored first: an image upside down is wrong, and rotated by half a circle right again
    Path report = folder.resolve("report");
    Run both =
        Run.orbit(
            "audit",
            file.toString(),
            "--data",
            data,
            "--group",
            "o2",
            "--step",
            "90",
            "--size",
            "10x10",
            "--out",
            report.toString(),
            "--json");
    assertThat(both.code()).as(both.err()).isZero();
    var poses = Json.mapper().readTree(both.out()).at("/sweeps/bilinear/perPose");
    assertThat(poses.findValuesAsText("pose"))
        .containsExactly(
            "0°",
            "90°",
            "180°",
            "270°",
            "0°, mirrored",
            "90°, mirrored",
            "180°, mirrored",
            "270°, mirrored");
    assertThat(poses.at("/4/accuracy").asDouble()).isZero();
    assertThat(poses.at("/6/accuracy").asDouble()).isEqualTo(1);
    Page.assertWhole(report.resolve("audit.html"), "Accuracy by pose, bilinear", "Where it fails");

    java.nio.file.Files.writeString(folder.resolve("bad.pt"), "no archive");
    Run bad = Run.orbit("audit", folder.resolve("bad.pt").toString(), "--data", data);
    assertThat(bad.code()).isEqualTo(2);
    assertThat(bad.err()).contains("TorchScript");
  }
}
