package org.orbitmap.nn.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.orbitmap.cloud.CloudAction;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.cloud.mapping.AxisSignRule;
import org.orbitmap.cloud.mapping.CloudMapping;
import org.orbitmap.cloud.mapping.ScaleRule;
import org.orbitmap.group.O2;
import org.orbitmap.group.Rotation2;
import org.orbitmap.group.SO2;
import org.orbitmap.group.Sim2;
import org.orbitmap.group.Similarity;
import org.orbitmap.group.SimilarityGroup;
import org.orbitmap.image.Fill;
import org.orbitmap.image.Image;
import org.orbitmap.image.ImageOrthogonal;
import org.orbitmap.image.ImageRotation;
import org.orbitmap.image.ImageSimilarity;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampler.Affine;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.mapping.PoseRule;
import org.orbitmap.image.mapping.RotationMapping;
import org.orbitmap.model.InputShape;
import org.orbitmap.nn.tensor.NativeScope;
import org.orbitmap.nn.tensor.Tensors;
import org.orbitmap.upright.CloudUprightMapping;
import org.orbitmap.upright.CloudUprightSettings;
import org.orbitmap.upright.FittedCloudUpright;
import org.orbitmap.upright.FittedUpright;
import org.orbitmap.upright.UprightMapping;
import org.orbitmap.upright.UprightSettings;

/** Mappings and actions in the engine and those of the core are the same. */
class BatchMappingTest {
  static List<RotationMapping> mappings() {
    List<RotationMapping> all = new ArrayList<>();
    for (PoseRule rule : PoseRule.all()) {
      for (Interpolation i : Interpolation.values()) {
        for (Fill fill : new Fill[] {Fill.ZERO, Fill.REFLECT, Fill.EDGE, Fill.constant(0.3f)}) {
          for (boolean mask : new boolean[] {false, true}) {
            all.add(new RotationMapping(rule, new Resampling(i, fill, mask)));
          }
        }
      }
    }
    return all;
  }

  private static float[] mapped(BatchMapping mapping, InputShape<?> shape, float[] x, int n) {
    return NativeScope.inference(() -> Tensors.toArray(mapping.map(Tensors.of(x, shape.batch(n)))));
  }

  @ParameterizedTest
  @MethodSource("mappings")
  void imagesAreMappedAsInTheCore(RotationMapping mapping) {
    // A pixel whose place falls on the border between two pixels may go either way with nearest.
    boolean nearest = mapping.resampling().interpolation() == Interpolation.NEAREST;
    for (int[] size : new int[][] {{3, 32, 32}, {1, 28, 28}, {3, 20, 27}}) {
      int n = 4;
      InputShape.Images shape = new InputShape.Images(size[0], size[1], size[2]);
      float[] pixels = NetworkTest.noise(n * shape.length(), shape.length());
      float[] found = mapped(BatchMapping.of(mapping, shape), shape, pixels, n);
      float[] expected = mapped(BatchMapping.inJava(mapping, shape), shape, pixels, n);
      int off = 0;
      for (int k = 0; k < found.length; k++) {
        off += Math.abs(expected[k] - found[k]) > 1e-4 ? 1 : 0;
      }
      assertThat(off).isLessThanOrEqualTo(nearest ? found.length / 500 : 0);
      assertThat(found).isNotEqualTo(pixels);
    }
  }

  /** With numbers that nobody fitted; images whose two best modes are as good are left out. */
  @Test
  void uprightImagesAreThoseOfTheCore() {
    UprightSettings plain = UprightSettings.of("convnet", 0.1, 16, 36);
    for (UprightSettings settings :
        List.of(
            plain.withViews(8).withRestorer("residual-2x3"),
            plain.withViews(2).withRestorer("fine-2x3"),
            // so small a predictor sees a reduced copy
            UprightSettings.of("linear", 1, 6, 36).withRestorer("fine-2x3"),
            plain.withViews(4).withGroup("o2").withRestorer("residual-2x3"))) {
      UprightMapping<?> mapping =
          UprightMapping.of(
              FittedUpright.random(settings, 3),
              Resampling.of(Interpolation.BICUBIC).with(Fill.EDGE));
      for (int[] size : new int[][] {{3, 16, 16}, {1, 20, 27}}) {
        InputShape.Images shape = new InputShape.Images(size[0], size[1], size[2]);
        int n = 12;
        float[] pixels = NetworkTest.noise(n * shape.length(), shape.length());
        float[] found = mapped(BatchMapping.of(mapping, shape), shape, pixels, n);
        float[] expected = mapped(BatchMapping.inJava(mapping, shape), shape, pixels, n);
        int clear = 0;
        for (int i = 0; i < n; i++) {
          Image image = shape.input(pixels, i * shape.length());
          if (mapping.map(image).margin() > 1e-4) {
            clear++;
            Image one = shape.input(found, i * shape.length());
            assertThat(one.distance(shape.input(expected, i * shape.length()))).isLessThan(2e-4);
            Image restored = mapping.shown(image);
            assertThat(one.distance(restored)).isLessThan(2e-4);
            assertThat(restored.distance(mapping.map(image).point())).isGreaterThan(1e-3);
          }
        }
        assertThat(clear).isGreaterThan(n / 2);
      }
    }
  }

  @Test
  void aConstantImageKeepsItsPose() {
    InputShape.Images shape = new InputShape.Images(3, 16, 16);
    float[] pixels = new float[3 * 256];
    Arrays.fill(pixels, 0.7f);
    float[] found = mapped(BatchMapping.of(RotationMapping.disc(), shape), shape, pixels, 1);
    for (float v : found) {
      assertThat(v).isCloseTo(0.7f, Offset.offset(1e-6f));
    }
  }

  static List<CloudMapping> cloudMappings() {
    List<CloudMapping> all = new ArrayList<>();
    for (SimilarityGroup group : SimilarityGroup.all(3)) {
      for (AxisSignRule signs : AxisSignRule.values()) {
        for (ScaleRule size : ScaleRule.values()) {
          all.add(new CloudMapping(group, signs, size));
        }
      }
    }
    return all;
  }

  @ParameterizedTest
  @MethodSource("cloudMappings")
  void cloudsAreMappedAsInTheCore(CloudMapping mapping) {
    InputShape.Clouds shape = new InputShape.Clouds(40);
    SimilarityGroup poses = SimilarityGroup.similarities(3);
    SplittableRandom random = new SplittableRandom(5);
    int n = 12;
    float[] x = new float[n * shape.length()];
    for (int i = 0; i < n; i++) {
      float[] points = new float[shape.length()];
      for (int k = 0; k < points.length; k++) {
        double u = random.nextDouble();
        points[k] = (float) (u * u * (k % 3 + 1));
      }
      PointCloud posed =
          new CloudAction(poses).act(poses.sample(random), new PointCloud(3, points));
      shape.copy(posed, x, i * shape.length());
    }
    // one cloud begins again after 13 points, one repeats its first point only
    for (int k = 3 * 13; k < shape.length(); k++) {
      x[2 * shape.length() + k] = x[2 * shape.length() + k % 39];
    }
    System.arraycopy(x, 3 * shape.length(), x, 3 * shape.length() + 30, 3);
    float[] found = mapped(BatchMapping.of(mapping, shape), shape, x, n);
    float[] expected = mapped(BatchMapping.inJava(mapping, shape), shape, x, n);
    for (int i = 0; i < n; i++) {
      PointCloud a = shape.input(expected, i * shape.length());
      PointCloud b = shape.input(found, i * shape.length());
      assertThat(a.relativeDistance(b)).as("cloud %d", i).isLessThan(1e-4);
    }
  }

  /** With numbers that nobody fitted; clouds whose two best answers are as good are left out. */
  @Test
  void uprightCloudsAreThoseOfTheCore() {
    InputShape.Clouds shape = new InputShape.Clouds(40);
    int n = 12;
    float[] x = NetworkTest.noise(n * shape.length(), 6);
    for (int k = 0; k < x.length; k++) {
      x[k] *= x[k] * (k % 3 + 1);
    }
    for (String group : CloudUprightSettings.GROUPS) {
      CloudUprightMapping mapping =
          new CloudUprightMapping(
              FittedCloudUpright.random(
                  new CloudUprightSettings(group, "skewness", "upright-cube", 0.125, 40), 2));
      float[] found = mapped(BatchMapping.of(mapping, shape), shape, x, n);
      float[] expected = mapped(BatchMapping.inJava(mapping, shape), shape, x, n);
      int clear = 0;
      for (int i = 0; i < n; i++) {
        PointCloud a = shape.input(expected, i * shape.length());
        if (mapping.map(shape.input(x, i * shape.length())).margin() > 1e-4) {
          clear++;
          assertThat(a.relativeDistance(shape.input(found, i * shape.length()))).isLessThan(1e-3);
        }
      }
      assertThat(clear).isGreaterThan(n / 2);
    }
  }

  /** Points that coincide, lie on a line, or on a plane: a pose like any other, never NaN. */
  @Test
  void degenerateCloudsGetFiniteNumbers() {
    InputShape.Clouds shape = new InputShape.Clouds(4);
    float[] x = {
      1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, //
      0, 0, 0, 1, 1, 1, 2, 2, 2, 5, 5, 5, //
      0, 0, 1, 1, 0, 1, 0, 1, 1, 4, 7, 1
    };
    CloudMapping mapping = CloudMapping.of(SimilarityGroup.similarities(3));
    for (float v : mapped(BatchMapping.of(mapping, shape), shape, x, 3)) {
      assertThat(v).isFinite();
    }
  }

  @Test
  void imagesAreRotatedAsInTheCore() {
    InputShape.Images shape = new InputShape.Images(2, 21, 21);
    int n = 3;
    float[] x = NetworkTest.noise(n * shape.length(), 4);
    BatchAction action = BatchAction.of(shape, BatchAction.ROTATIONS, Interpolation.BILINEAR);
    Rotation2 g = Rotation2.ofDegrees(33);
    float[] found =
        NativeScope.inference(
            () -> {
              double[] elements = new double[6 * n];
              BatchAction.OfImages.write(Affine.of(g), elements, 0);
              BatchAction.OfImages.write(Affine.of(Rotation2.IDENTITY), elements, 6);
              BatchAction.OfImages.write(Affine.of(Rotation2.ofDegrees(90)), elements, 12);
              Tensor t = Tensors.of(elements, n, 3, 2);
              return Tensors.toArray(action.act(t, Tensors.of(x, shape.batch(n))));
            });
    Rotation2[] elements = {g, Rotation2.IDENTITY, Rotation2.ofDegrees(90)};
    for (int i = 0; i < n; i++) {
      Image expected =
          new ImageRotation(Resampling.BILINEAR)
              .act(elements[i], shape.input(x, i * shape.length()));
      assertThat(shape.input(found, i * shape.length()).data())
          .containsExactly(expected.data(), Offset.offset(1e-4f));
    }
  }

  /** The same draws from a generator, so the same elements: every group moves as in the core. */
  @Test
  void imagesAreMovedByEveryGroupAsInTheCore() {
    InputShape.Images shape = new InputShape.Images(1, 17, 14);
    float[] x = NetworkTest.noise(shape.length(), 4);
    Image u = shape.input(x, 0);
    Resampling how = Resampling.BILINEAR;
    for (int seed = 0; seed < 4; seed++) {
      int s = seed;
      Map<String, Image> expected =
          Map.of(
              "so2",
              new ImageRotation(how).act(new SO2().sample(new SplittableRandom(s)), u),
              "o2",
              new ImageOrthogonal(how).act(new O2().sample(new SplittableRandom(s)), u),
              "sim2",
              new ImageSimilarity(how).act(new Sim2().sample(new SplittableRandom(s)), u));
      expected.forEach(
          (group, image) -> {
            BatchAction action = BatchAction.of(shape, group, Interpolation.BILINEAR);
            float[] found =
                NativeScope.inference(
                    () ->
                        Tensors.toArray(
                            action.act(
                                action.sample(1, new SplittableRandom(s)),
                                Tensors.of(x, shape.batch(1)))));
            assertThat(found).as(group).containsExactly(image.data(), Offset.offset(1e-4f));
          });
    }
    assertThatThrownBy(() -> BatchAction.of(shape, "so3", Interpolation.BILINEAR))
        .hasMessageContaining("expected one of [so2, c4, o2, sim2] for images, found so3");
  }

  @Test
  void cloudsAreMovedAsInTheCore() {
    InputShape.Clouds shape = new InputShape.Clouds(5);
    float[] x = NetworkTest.noise(shape.length(), 4);
    for (String name : new String[] {"so3", "sim3-mirrored", "se3-upright"}) {
      SimilarityGroup group = SimilarityGroup.named(name, 3);
      Similarity g = group.sample(new SplittableRandom(9));
      BatchAction action = BatchAction.of(shape, name, Interpolation.BILINEAR);
      float[] found =
          NativeScope.inference(
              () -> {
                Tensor drawn = action.sample(1, new SplittableRandom(9));
                return Tensors.toArray(action.act(drawn, Tensors.of(x, shape.batch(1))));
              });
      PointCloud expected = new CloudAction(group).act(g, shape.input(x, 0));
      assertThat(found).as(name).containsExactly(expected.coordinates(), Offset.offset(1e-5f));
    }
  }
}
