package org.orbitmap.nn.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.cloud.mapping.CloudFrames;
import org.orbitmap.cloud.mapping.CloudMapping;
import org.orbitmap.group.SimilarityGroup;
import org.orbitmap.image.Image;
import org.orbitmap.image.mapping.Frames.Pool;
import org.orbitmap.model.InputShape;
import org.orbitmap.network.Architecture;
import org.orbitmap.network.FloatTensor;
import org.orbitmap.network.zoo.Networks;
import org.orbitmap.nn.layer.BatchFrames;
import org.orbitmap.nn.model.MappingConfig.Use;
import org.orbitmap.nn.tensor.NativeScope;
import org.orbitmap.nn.tensor.Tensors;
import org.orbitmap.upright.CloudUprightFrames;
import org.orbitmap.upright.CloudUprightMapping;
import org.orbitmap.upright.CloudUprightSettings;
import org.orbitmap.upright.FittedCloudUpright;
import org.orbitmap.upright.FittedUpright;
import org.orbitmap.upright.UprightFrames;
import org.orbitmap.upright.UprightSettings;

/** A network that is asked about several poses of an input, in the engine and in plain Java. */
class FramesTest {
  private static final InputShape.Clouds SHAPE = new InputShape.Clouds(40);

  private static List<PointCloud> clouds(int n) {
    SplittableRandom random = new SplittableRandom(7);
    List<PointCloud> all = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      float[] x = new float[120];
      for (int k = 0; k < x.length; k++) {
        x[k] = (float) (Math.pow(random.nextDouble(), 1 + k % 3) * (1 + k % 3));
      }
      all.add(new PointCloud(3, x));
    }
    return all;
  }

  private static Model<PointCloud> model(MappingConfig mapping, FittedCloudUpright fitted) {
    Architecture net =
        new Architecture(Networks.named("pointnet"), 0.125, false, Map.of(), SHAPE, 3);
    Model<PointCloud> model =
        Model.of(
                new Model.Description(
                    net, List.of("a", "b", "c"), new float[0], new float[0], mapping),
                1,
                fitted)
            .taking(SHAPE);
    FloatTensor head = model.tensors().get("head.weight");
    model.weights().restoreSome(Map.of("head.weight", times(head, head.values().length, 30)));
    return model;
  }

  /** The first numbers times a factor: so that answers differ from pose to pose, or less so. */
  private static FloatTensor times(FloatTensor t, int first, float factor) {
    float[] values = t.values().clone();
    for (int i = 0; i < first; i++) {
      values[i] *= factor;
    }
    return new FloatTensor(t.shape(), values);
  }

  /** A predictor that nobody fitted and that is not too sure: several poses count. */
  private static FittedCloudUpright unsure() {
    FittedCloudUpright sure =
        FittedCloudUpright.random(
            new CloudUprightSettings("sim3", "skewness", "upright-cube", 0.125, 40), 2);
    Map<String, FloatTensor> numbers = new LinkedHashMap<>(sure.predictor());
    numbers.computeIfPresent(
        "scores.weight",
        (name, t) -> times(t, t.values().length / CloudUprightSettings.EACH, 0.1f));
    return new FittedCloudUpright(sure.settings(), numbers, Map.of());
  }

  @Test
  void uprightFramesAreThoseOfTheCore() {
    List<PointCloud> clouds = clouds(8);
    FittedCloudUpright fitted = unsure();
    MappingConfig upright =
        MappingConfig.NONE.rule("upright:given").group("sim3").when(Use.TRAIN_AND_TEST);
    Model<PointCloud> bare = model(MappingConfig.NONE, null);
    float[][] single = model(upright, fitted).scores(clouds);
    for (int m : new int[] {2, 6, 24}) {
      Model<PointCloud> model = model(upright.frames(m), fitted);
      float[][] found = model.scores(clouds);
      float[][] expected =
          new CloudUprightFrames(new CloudUprightMapping(fitted), m)
              .invariant(bare, Pool.MEAN)
              .scores(clouds);
      double most = 0;
      for (int i = 0; i < found.length; i++) {
        assertThat(found[i]).containsExactly(expected[i], Offset.offset(1e-4f));
        most = Math.max(most, Math.abs(found[i][0] - single[i][0]));
      }
      assertThat(most).as("other poses count").isGreaterThan(1e-3);
    }
  }

  /** A step of training sees one pose of each cloud, as often as its weight says. */
  @Test
  void trainingDrawsAPose() {
    int copies = 2000;
    PointCloud cloud = clouds(1).get(0);
    CloudUprightMapping mapping = new CloudUprightMapping(unsure());
    CloudUprightMapping.Found found = mapping.poses(cloud, 3);
    BatchFrames frames = BatchFrames.of(mapping, SHAPE, 3);
    float[] drawn =
        NativeScope.inference(
            () -> {
              Tensor x =
                  Tensors.of(
                      SHAPE.pack("test", Collections.nCopies(copies, cloud)), SHAPE.batch(copies));
              BatchFrames.Framed framed = frames.inTraining(x, new SplittableRandom(1));
              assertThat(framed.count()).isEqualTo(1);
              return Tensors.toArray(framed.inputs());
            });
    for (int k = 0; k < 3; k++) {
      float[] pose = mapping.action().act(found.elements().get(k), cloud).coordinates();
      int count = 0;
      for (int i = 0; i < copies; i++) {
        int at = i * pose.length;
        boolean same = true;
        for (int j = 0; j < pose.length; j++) {
          same &= Math.abs(drawn[at + j] - pose[j]) < 1e-3;
        }
        count += same ? 1 : 0;
      }
      assertThat((double) count / copies).isCloseTo(found.weights().get(k), Offset.offset(0.05));
    }
  }

  @Test
  void uprightFramesOfImagesAreThoseOfTheCore() {
    InputShape.Images shape = new InputShape.Images(3, 16, 16);
    SplittableRandom random = new SplittableRandom(5);
    List<Image> images = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      float[] x = new float[shape.length()];
      for (int k = 0; k < x.length; k++) {
        x[k] = (float) random.nextDouble();
      }
      images.add(new Image(3, 16, 16, x));
    }
    FittedUpright fitted =
        FittedUpright.random(
            UprightSettings.of("upright-p4", 0.25, 16, 36).withRestorer("residual-3x8"), 2);
    MappingConfig upright = MappingConfig.NONE.rule("upright:given").when(Use.TRAIN_AND_TEST);
    Model<Image> bare = model(shape, MappingConfig.NONE, null);
    float[][] single = model(shape, upright, fitted).scores(images);
    for (int m : new int[] {2, 5}) {
      Model<Image> model = model(shape, upright.frames(m), fitted);
      float[][] found = model.scores(images);
      float[][] expected =
          new UprightFrames(fitted.mapping(upright.resampling()), m)
              .invariant(bare, Pool.MEAN)
              .scores(images);
      double most = 0;
      for (int i = 0; i < found.length; i++) {
        assertThat(found[i]).containsExactly(expected[i], Offset.offset(1e-4f));
        most = Math.max(most, Math.abs(found[i][0] - single[i][0]));
      }
      assertThat(most).as("other poses count").isGreaterThan(1e-3);
      float[] logs =
          NativeScope.inference(
              () ->
                  Tensors.toArray(
                      model
                          .train(
                              Tensors.of(shape.pack("test", images), shape.batch(6)),
                              new SplittableRandom(1))
                          .logits()));
      assertThat(logs).hasSize(18);
      assertThat(Math.exp(logs[0])).isCloseTo(found[0][0], Offset.offset(1e-4));
    }
  }

  private static Model<Image> model(
      InputShape.Images shape, MappingConfig mapping, FittedUpright fitted) {
    Architecture net = new Architecture(Networks.named("linear"), 1, false, Map.of(), shape, 3);
    return Model.of(
            new Model.Description(
                net, List.of("a", "b", "c"), new float[3], new float[] {0.2f, 0.2f, 0.2f}, mapping),
            1,
            fitted)
        .taking(shape);
  }

  @Test
  void directionsOfTheAxesAreThoseOfTheCore() {
    List<PointCloud> clouds = clouds(8);
    MappingConfig skewness =
        MappingConfig.NONE.rule("skewness").group("sim3").when(Use.TRAIN_AND_TEST);
    Model<PointCloud> bare = model(MappingConfig.NONE, null);
    CloudMapping mapping = CloudMapping.of(SimilarityGroup.similarities(3));
    for (int m : new int[] {4, 24}) {
      float[][] found = model(skewness.frames(m), null).scores(clouds);
      for (int i = 0; i < found.length; i++) {
        float[] expected =
            new CloudFrames(mapping, m)
                .pooled(x -> bare.scores(List.of(x))[0])
                .apply(clouds.get(i));
        assertThat(found[i]).containsExactly(expected, Offset.offset(1e-4f));
      }
    }
  }

  @Test
  void framesThatThereAreNotAreRefused() {
    MappingConfig upright = MappingConfig.NONE.rule("upright:given").when(Use.TEST);
    assertThatThrownBy(() -> model(upright.frames(25), unsure()))
        .hasMessageContaining("expected 1 to 24 for a fitted mapping of clouds, found 25");
    assertThatThrownBy(
            () -> model(MappingConfig.NONE.rule("skewness").when(Use.TEST).frames(5), null))
        .hasMessageContaining("expected one of [1, 4, 24]");
  }
}
