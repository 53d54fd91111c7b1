package org.orbitmap.onnx.wrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.cloud.mapping.AxisSignRule;
import org.orbitmap.cloud.mapping.CloudMapping;
import org.orbitmap.cloud.mapping.ScaleRule;
import org.orbitmap.group.Similarity;
import org.orbitmap.group.SimilarityGroup;
import org.orbitmap.group.SimilarityGroup.Rotations;
import org.orbitmap.image.mapping.Frames.Pool;
import org.orbitmap.model.ModelInput;
import org.orbitmap.model.Preprocessing;
import org.orbitmap.network.FloatTensor;
import org.orbitmap.onnx.graph.Graph;
import org.orbitmap.onnx.graph.Graph.Value;
import org.orbitmap.onnx.graph.OnnxFile;
import org.orbitmap.onnx.run.OnnxModel;
import org.orbitmap.orbit.Canonical;
import org.orbitmap.upright.CloudUprightMapping;
import org.orbitmap.upright.CloudUprightSettings;
import org.orbitmap.upright.FittedCloudUpright;

/** Wrapped models of clouds against the mappings of the core. */
class CloudWrapTest {
  /** cloud = x, and scores = the largest coordinate along each axis. */
  static OnnxFile model(int opset, boolean pointsFirst, Object batch, Object points)
      throws IOException {
    Graph g = new Graph(opset, "net/");
    Value x = g.value("x", Graph.FLOAT);
    g.name(x, "cloud");
    Value largest = x.reduce("ReduceMax", pointsFirst ? 1 : 2);
    g.name(largest.reshape(0, 3), "scores");
    List<Object> shape = pointsFirst ? List.of(batch, points, 3) : List.of(batch, 3, points);
    return OnnxFile.of(
        "opset %d, %s".formatted(opset, shape),
        ModelProto.newBuilder()
            .setIrVersion(opset < 9 ? 3 : 8)
            .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(opset))
            .setGraph(
                GraphProto.newBuilder()
                    .setName("cloud")
                    .addInput(Graph.info("x", Graph.tensorType(Graph.FLOAT, shape)))
                    .addOutput(Graph.info("cloud", Graph.tensorType(Graph.FLOAT, shape)))
                    .addOutput(
                        Graph.info("scores", Graph.tensorType(Graph.FLOAT, List.of(batch, 3))))
                    .addAllNode(g.nodes()))
            .build());
  }

  static List<PointCloud> clouds(int n, int points) {
    Random random = new Random(3);
    List<PointCloud> all = new ArrayList<>();
    for (int k = 0; k < n; k++) {
      float[] x = new float[3 * points];
      for (int i = 0; i < points; i++) {
        double a = random.nextDouble();
        double b = random.nextDouble();
        x[3 * i] = (float) (3 * a * a + 5);
        x[3 * i + 1] = (float) (2 * b * b * b + a - 1);
        x[3 * i + 2] = (float) (random.nextDouble() * random.nextDouble() + 0.3 * b);
      }
      PointCloud cloud = new PointCloud(3, x);
      Similarity g = SimilarityGroup.similarities(3).sample(random, 3, 5);
      all.add(new org.orbitmap.cloud.CloudAction(SimilarityGroup.similarities(3)).act(g, cloud));
    }
    return all;
  }

  /** The first n points, again and again. */
  private static PointCloud repeated(PointCloud x, int n) {
    float[] all = x.coordinates().clone();
    for (int i = 3 * n; i < all.length; i++) {
      all[i] = all[i - 3 * n];
    }
    return new PointCloud(3, all);
  }

  static List<float[]> run(OnnxFile file, List<PointCloud> clouds) throws IOException {
    ModelInput.Clouds input = (ModelInput.Clouds) file.input(ModelInput.Hints.NONE);
    try (OnnxModel model = OnnxModel.open(file)) {
      float[][] rows = model.classifier(input, Preprocessing.NONE, "cloud").scores(clouds);
      return Arrays.stream(rows)
          .map(
              row -> {
                float[] x = new float[row.length];
                int points = row.length / 3;
                for (int i = 0; i < row.length; i++) {
                  x[i] = input.pointsFirst() ? row[i] : row[i % 3 * points + i / 3];
                }
                return x;
              })
          .toList();
    }
  }

  static double distance(float[] a, float[] b) {
    assertThat(b).hasSameSizeAs(a);
    double worst = 0;
    for (int i = 0; i < a.length; i++) {
      double d = Math.abs(a[i] - b[i]) / Math.max(1, Math.abs(a[i]));
      worst = d <= worst ? worst : d;
    }
    return worst;
  }

  private static List<CloudMapping> mappings() {
    List<CloudMapping> all = new ArrayList<>();
    for (Rotations rotations : Rotations.values()) {
      all.add(CloudMapping.of(new SimilarityGroup(3, rotations, true, true)));
      all.add(CloudMapping.of(new SimilarityGroup(3, rotations, false, true)));
      all.add(
          new CloudMapping(
              new SimilarityGroup(3, rotations, true, false),
              AxisSignRule.FIRST_POINT,
              ScaleRule.MAX_NORM));
    }
    return all;
  }

  @ParameterizedTest
  @ValueSource(ints = {7, 11, 13, 18})
  void everyOpsetShapeAndGroup(int opset) throws Exception {
    List<PointCloud> clouds = new ArrayList<>(clouds(3, 40));
    clouds.add(repeated(clouds.get(0), 17));
    clouds.add(repeated(clouds.get(1), 38));
    boolean pointsFirst = opset % 2 == 0;
    for (CloudMapping mapping : mappings()) {
      pointsFirst = !pointsFirst; // each mapping both ways, over the opsets
      OnnxFile file = pointsFirst ? model(opset, true, "N", 40) : model(opset, false, 1, "P");
      OnnxFile wrapped = Wrap.of(file).mapping(mapping).frames(1).build();
      List<float[]> found = run(wrapped, clouds);
      for (int i = 0; i < clouds.size(); i++) {
        float[] expected = mapping.map(clouds.get(i)).point().coordinates();
        assertThat(distance(expected, found.get(i))).as("%s, %s", file, mapping).isLessThan(1e-5);
      }
    }
  }

  static CloudUprightMapping upright(String group) {
    CloudUprightSettings settings =
        new CloudUprightSettings(group, "skewness", "upright-cube", 0.125, 40);
    return new CloudUprightMapping(FittedCloudUpright.random(settings, 2));
  }

  /** With a predictor that nobody fitted: one graph, the same pose for all, the same as in Java. */
  @ParameterizedTest
  @ValueSource(ints = {7, 11, 13, 18})
  void fittedMappingsAreOneGraph(int opset) throws Exception {
    List<PointCloud> clouds = new ArrayList<>(clouds(6, 40));
    clouds.add(repeated(clouds.get(0), 17));
    boolean pointsFirst = opset % 2 == 0;
    for (String group : CloudUprightSettings.GROUPS) {
      pointsFirst = !pointsFirst; // each group both ways, over the opsets
      CloudUprightMapping mapping = upright(group);
      OnnxFile file = pointsFirst ? model(opset, true, "N", 40) : model(opset, false, 1, "P");
      List<float[]> found = run(Wrap.of(file).mapping(mapping).build(), clouds);
      int clear = 0;
      for (int i = 0; i < clouds.size(); i++) {
        Canonical<Similarity, PointCloud> c = mapping.map(clouds.get(i));
        if (c.margin() > 1e-4) { // rounding does not decide
          clear++;
          assertThat(distance(c.point().coordinates(), found.get(i)))
              .as("%s, %s, cloud %d", file, mapping, i)
              .isLessThan(1e-4);
        }
      }
      assertThat(clear).isGreaterThan(clouds.size() / 2);
      if (group.equals("so3")) { // there and back is the identity
        OnnxFile both = Wrap.of(file).mapping(mapping).equivariant(List.of("cloud")).build();
        List<float[]> back = run(both, clouds.subList(0, 1));
        assertThat(distance(clouds.get(0).coordinates(), back.get(0))).isLessThan(1e-5);
      }
    }
  }

  /** The poses and their shares are those of the core: the weighted mean of the posed clouds. */
  @ParameterizedTest
  @ValueSource(ints = {7, 13})
  void fittedFramesAreThoseOfTheCore(int opset) throws Exception {
    List<PointCloud> clouds = new ArrayList<>(clouds(6, 40));
    clouds.add(repeated(clouds.get(0), 17));
    CloudUprightMapping mapping = unsure();
    for (int frames : new int[] {2, 6, 24}) {
      for (boolean pointsFirst : new boolean[] {true, false}) {
        OnnxFile file = pointsFirst ? model(opset, true, "N", 40) : model(opset, false, 1, "P");
        meanOfPoses(file, mapping, frames, clouds);
      }
    }
  }

  /** A wrapped model that gives its input gives the weighted mean of the poses. */
  static void meanOfPoses(
      OnnxFile file, CloudUprightMapping mapping, int frames, List<PointCloud> clouds)
      throws IOException {
    List<float[]> found = run(Wrap.of(file).mapping(mapping).frames(frames).build(), clouds);
    for (int i = 0; i < clouds.size(); i++) {
      CloudUprightMapping.Found poses = mapping.poses(clouds.get(i), frames);
      float[] expected = new float[120];
      for (int k = 0; k < frames; k++) {
        PointCloud pose = mapping.action().act(poses.elements().get(k), clouds.get(i));
        for (int j = 0; j < expected.length; j++) {
          expected[j] += (float) (poses.weights().get(k) * pose.coordinates()[j]);
        }
      }
      assertThat(distance(expected, found.get(i)))
          .as("%s, %d frames, cloud %d", file, frames, i)
          .isLessThan(1e-4);
    }
  }

  /** A predictor that nobody fitted and that is not sure, so that many poses have weights. */
  static CloudUprightMapping unsure() {
    FittedCloudUpright sure = upright("sim3").fitted();
    Map<String, FloatTensor> numbers = new LinkedHashMap<>(sure.predictor());
    numbers.computeIfPresent(
        "scores.weight",
        (name, t) -> {
          float[] values = t.values().clone();
          for (int i = 0; i < values.length / CloudUprightSettings.EACH; i++) {
            values[i] *= 0.1f;
          }
          return new FloatTensor(t.shape(), values);
        });
    return new CloudUprightMapping(new FittedCloudUpright(sure.settings(), numbers, Map.of()));
  }

  @Test
  void degenerateCloudsGiveNumbers() throws Exception {
    float[] line = new float[30];
    float[] flat = new float[30];
    for (int i = 0; i < 10; i++) {
      line[3 * i] = i;
      flat[3 * i] = i * i;
      flat[3 * i + 1] = i;
    }
    float[] one = new float[30];
    Arrays.fill(one, 2);
    CloudMapping mapping = CloudMapping.of(SimilarityGroup.similarities(3));
    OnnxFile wrapped = Wrap.of(model(13, true, "N", "P")).frames(1).build();
    for (float[] x : List.of(line, flat, one, new float[30])) {
      PointCloud cloud = new PointCloud(3, x);
      assertThat(
              distance(
                  mapping.map(cloud).point().coordinates(), run(wrapped, List.of(cloud)).get(0)))
          .isLessThan(1e-5);
    }
  }

  @Test
  void vectorsAreMappedBack() throws Exception {
    List<PointCloud> clouds = clouds(2, 30);
    CloudMapping rigid = CloudMapping.of(SimilarityGroup.so(3));
    for (boolean pointsFirst : new boolean[] {true, false}) {
      for (int frames : new int[] {1, 4, 24}) {
        for (Pool pool : frames == 1 ? List.of(Pool.MEAN) : List.of(Pool.values())) {
          OnnxFile wrapped =
              Wrap.of(model(11, pointsFirst, "N", "P"))
                  .mapping(rigid)
                  .frames(frames, pool)
                  .equivariant(List.of("cloud"))
                  .build();
          List<float[]> found = run(wrapped, clouds);
          for (int i = 0; i < 2; i++) {
            // there and back is the identity, in every frame
            assertThat(distance(clouds.get(i).coordinates(), found.get(i))).isLessThan(1e-5);
          }
        }
      }
    }
  }

  @Test
  void otherFramesAndGroupsAreRefused() throws Exception {
    OnnxFile file = model(11, true, "N", "P");
    assertThatThrownBy(() -> Wrap.of(file).mirrors(true).build())
        .hasMessageContaining("mirrors: expected a model of images");
    assertThatThrownBy(() -> Wrap.of(file).frames(5).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected one of [1, 4, 24]");
    assertThatThrownBy(
            () -> Wrap.of(file).mapping(org.orbitmap.image.mapping.RotationMapping.disc()).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("fits the input");
    assertThatThrownBy(() -> Wrap.of(file).mapping(upright("sim3")).frames(25).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected 1 to 24 for a fitted mapping of clouds, found 25");
    assertThatThrownBy(() -> Wrap.of(file).mapping(upright("sim3")).frames(2, Pool.MAX).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("by confidence or mean");
    assertThatThrownBy(() -> Wrap.of(file).mapping(CloudMapping.of(SimilarityGroup.se(2))).build())
        .isInstanceOf(IllegalArgumentException.class);
  }
}
