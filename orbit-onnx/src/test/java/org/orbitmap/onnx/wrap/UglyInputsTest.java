package org.orbitmap.onnx.wrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.cloud.mapping.CloudMapping;
import org.orbitmap.group.SimilarityGroup;
import org.orbitmap.image.Image;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.mapping.OrthogonalMapping;
import org.orbitmap.image.mapping.PoseRule;
import org.orbitmap.image.mapping.RotationMapping;
import org.orbitmap.onnx.graph.Graph;
import org.orbitmap.onnx.graph.Graph.Value;
import org.orbitmap.onnx.graph.OnnxFile;
import org.orbitmap.onnx.run.OnnxModel;
import org.orbitmap.orbit.OrbitMapping;

/** Inputs that are tiny, huge, constant or no numbers: the graph does what the core does. */
class UglyInputsTest {
  private static final int SIDE = 9;

  /** y = the samples of the image one after another. */
  private static OnnxFile identity(int opset) throws IOException {
    Graph g = new Graph(opset, "net/");
    Value x = g.value("x", Graph.FLOAT);
    g.name(x.reshape(0, 3 * SIDE * SIDE), "y");
    return OnnxFile.of(
        "identity",
        ModelProto.newBuilder()
            .setIrVersion(8)
            .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(opset))
            .setGraph(
                GraphProto.newBuilder()
                    .setName("identity")
                    .addInput(
                        Graph.info("x", Graph.tensorType(Graph.FLOAT, List.of("N", 3, SIDE, SIDE))))
                    .addOutput(
                        Graph.info(
                            "y", Graph.tensorType(Graph.FLOAT, List.of("N", 3 * SIDE * SIDE))))
                    .addAllNode(g.nodes()))
            .build());
  }

  private static Image noise() {
    Random random = new Random(3);
    Image u = Image.black(3, SIDE, SIDE);
    for (int i = 0; i < u.data().length; i++) {
      u.data()[i] = random.nextFloat();
    }
    return u;
  }

  private static Image with(Image u, int place, float value) {
    float[] data = u.data().clone();
    data[place] = value;
    return new Image(3, SIDE, SIDE, data);
  }

  private static Image times(Image u, float by) {
    float[] data = u.data().clone();
    for (int i = 0; i < data.length; i++) {
      data[i] *= by;
    }
    return new Image(3, SIDE, SIDE, data);
  }

  private static float[][] run(OnnxFile file, List<Image> images) throws IOException {
    int n = 3 * SIDE * SIDE;
    float[] all = new float[images.size() * n];
    for (int k = 0; k < images.size(); k++) {
      System.arraycopy(images.get(k).data(), 0, all, k * n, n);
    }
    try (OnnxModel model = OnnxModel.open(file)) {
      float[] y =
          model
              .run(Map.of("x", new OnnxModel.Feed(new long[] {images.size(), 3, SIDE, SIDE}, all)))
              .get("y")
              .data();
      float[][] rows = new float[images.size()][];
      for (int k = 0; k < rows.length; k++) {
        rows[k] =
            Arrays.copyOfRange(y, k * y.length / rows.length, (k + 1) * y.length / rows.length);
      }
      return rows;
    }
  }

  private static Stream<Arguments> mappings() {
    List<Arguments> all = new ArrayList<>();
    for (int opset : new int[] {11, 20}) {
      for (Interpolation i : Interpolation.values()) {
        all.add(Arguments.of(opset, RotationMapping.disc().with(Resampling.of(i))));
      }
      all.add(Arguments.of(opset, RotationMapping.named("forward")));
      all.add(Arguments.of(opset, new OrthogonalMapping(PoseRule.DISC, Resampling.BILINEAR)));
    }
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("mappings")
  void tinyHugeAndConstantImagesAreMappedAsInTheCore(int opset, OrbitMapping<?, Image> mapping)
      throws IOException {
    OnnxFile wrapped = Wrap.of(identity(opset)).mapping(mapping).frames(1).build();
    List<Image> images = new ArrayList<>();
    for (float scale : new float[] {1, 1e-12f, 1e12f, 1e-30f, 1e30f}) {
      images.add(times(noise(), scale));
      Image constant = Image.black(3, SIDE, SIDE);
      Arrays.fill(constant.data(), 0.7f * scale);
      images.add(constant);
    }
    float[][] found = run(wrapped, images);
    for (int k = 0; k < found.length; k++) {
      float[] expected = mapping.map(images.get(k)).point().data();
      double largest = 0;
      double worst = 0;
      for (int i = 0; i < expected.length; i++) {
        largest = Math.max(largest, Math.abs(expected[i]));
        worst = Math.max(worst, Math.abs((double) expected[i] - found[k][i]));
      }
      assertThat(worst / largest).as("image %d", k).isLessThan(2e-5);
    }
  }

  @ParameterizedTest
  @MethodSource("mappings")
  void whatTheCoreRefusesHasNoScores(int opset, OrbitMapping<?, Image> mapping) throws IOException {
    Image good = noise();
    List<Image> images = new ArrayList<>(List.of(good));
    for (float bad : new float[] {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY}) {
      for (int place : new int[] {0, 5 * SIDE + 2, 3 * SIDE * SIDE - 1}) {
        Image u = with(good, place, bad);
        images.add(u);
        assertThatThrownBy(() -> mapping.map(u)).hasMessageContaining("expected finite samples");
      }
    }
    for (int frames : new int[] {1, 4}) {
      OnnxFile wrapped = Wrap.of(identity(opset)).mapping(mapping).frames(frames).build();
      float[][] found = run(wrapped, images);
      for (float y : found[0]) {
        assertThat(y).as("the good one beside them").isFinite();
      }
      for (int k = 1; k < found.length; k++) {
        for (float y : found[k]) {
          assertThat(y).as("image %d, %d frames", k, frames).isNaN();
        }
      }
    }
  }

  private static List<CloudMapping> cloudMappings() {
    return SimilarityGroup.all(3).stream().map(CloudMapping::of).toList();
  }

  @ParameterizedTest
  @MethodSource("cloudMappings")
  void cloudsThatAreNotFiniteHaveNoScores(CloudMapping mapping) throws IOException {
    Random random = new Random(4);
    float[] good = new float[60];
    for (int i = 0; i < good.length; i++) {
      good[i] = random.nextFloat() * random.nextFloat() * (1 + i % 3);
    }
    List<float[]> clouds = new ArrayList<>(List.of(good));
    for (float bad : new float[] {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY}) {
      float[] cloud = good.clone();
      cloud[31] = bad;
      clouds.add(cloud);
      assertThatThrownBy(() -> mapping.map(new PointCloud(3, cloud)))
          .hasMessageContaining("expected finite coordinates");
    }
    float[] all = new float[clouds.size() * good.length];
    for (int k = 0; k < clouds.size(); k++) {
      System.arraycopy(clouds.get(k), 0, all, k * good.length, good.length);
    }
    OnnxFile file = CloudWrapTest.model(13, true, "N", 20);
    OnnxFile wrapped = Wrap.of(file).mapping(mapping).frames(1).scores("scores").build();
    try (OnnxModel model = OnnxModel.open(wrapped)) {
      float[] y =
          model
              .run(Map.of("x", new OnnxModel.Feed(new long[] {clouds.size(), 20, 3}, all)))
              .get("scores")
              .data();
      for (int i = 0; i < y.length; i++) {
        assertThat(Float.isNaN(y[i])).as("cloud %d", i / 3).isEqualTo(i >= 3);
      }
    }
  }
}
