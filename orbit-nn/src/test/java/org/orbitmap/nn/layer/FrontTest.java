package org.orbitmap.nn.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.orbitmap.group.Rotation2;
import org.orbitmap.image.Image;
import org.orbitmap.image.ImageRotation;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampling;
import org.orbitmap.model.InputShape;
import org.orbitmap.network.Architecture;
import org.orbitmap.network.FloatTensor;
import org.orbitmap.network.front.EquivariantTransformer;
import org.orbitmap.network.zoo.Networks;
import org.orbitmap.nn.tensor.Engine;
import org.orbitmap.nn.tensor.NativeScope;
import org.orbitmap.nn.tensor.Tensors;

/** What stands in front of networks: corrections of the pose, sampled images. */
class FrontTest {
  private static final InputShape.Images SHAPE = new InputShape.Images(2, 17, 17);

  @BeforeAll
  static void oneThread() {
    Engine.threads(1); // so small a network: more threads only wait for each other
  }

  @AfterAll
  static void asBefore() {
    Engine.threads(0);
  }

  private static Architecture architecture(String name, Map<String, String> options) {
    return new Architecture(Networks.named(name), 0.125, false, options, SHAPE, 4);
  }

  private static Weights weights(Architecture a) {
    return new Weights(a.declare().parameters(), 3);
  }

  /** What the network sees of a batch. */
  private static List<float[]> views(Architecture a, Weights w, float[] x, int n) {
    return NativeScope.inference(
        () ->
            a
                .network()
                .views(TorchOperations.inference(w), Tensors.of(x, SHAPE.batch(n)), a)
                .stream()
                .map(Tensors::toArray)
                .toList());
  }

  /** A few wide spots of different colour: smooth, so that rotating it loses little. */
  private static Image spots(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Image u = Image.black(SHAPE.channels(), SHAPE.height(), SHAPE.width());
    for (int spot = 0; spot < 6; spot++) {
      double x = 8 + random.nextDouble(-3.5, 3.5);
      double y = 8 + random.nextDouble(-3.5, 3.5);
      int channel = random.nextInt(2);
      double height = random.nextDouble(0.5, 1);
      for (int p = 0; p < u.plane(); p++) {
        int row = p / 17;
        double d = Math.hypot(p % 17 - x, row - y);
        u.data()[channel * u.plane() + p] += (float) (height * Math.exp(-d * d / 5));
      }
    }
    return u;
  }

  @ParameterizedTest
  @CsvSource({"affine", "rotation"})
  void aSpatialTransformerStartsAsTheIdentity(String pose) {
    Architecture a = architecture("stn+convnet", Map.of("pose", pose));
    Weights w = weights(a);
    float[] x = NetworkTest.noise(3 * SHAPE.length(), 1);
    assertThat(views(a, w, x, 3).get(0)).containsExactly(x, Offset.offset(1e-5f));
    // and no longer, once its last layer has learned something
    Tensor bias = w.get("pose.fc2.bias");
    float[] values = new float[pose.equals("affine") ? 6 : 2];
    values[1] = 0.5f;
    Tensors.overwrite(bias, new FloatTensor(Tensors.shape(bias), values));
    float[] moved = views(a, w, x, 3).get(0);
    assertThat(moved).isNotEqualTo(x);
    if (pose.equals("rotation")) { // (1, 1/2) normalised: the core rotates alike
      Image expected =
          new ImageRotation(Resampling.BILINEAR)
              .act(Rotation2.ofRadians(Math.atan2(0.5, 1)), SHAPE.input(x, 0));
      assertThat(SHAPE.input(moved, 0).data())
          .containsExactly(expected.data(), Offset.offset(1e-4f));
    }
  }

  private static double poseOf(Architecture a, Weights w, Image u) {
    float[] d =
        NativeScope.inference(
            () ->
                Tensors.toArray(
                    EquivariantTransformer.pose(
                        TorchOperations.inference(w), Tensors.of(u.data(), SHAPE.batch(1)), a)));
    assertThat(Math.hypot(d[0], d[1])).isCloseTo(1, Offset.offset(1e-4));
    return Math.toDegrees(Math.atan2(d[1], d[0]));
  }

  /** act(α, u) has the pose of u less α: to rounding for quarter turns, else up to resampling. */
  @Test
  void theEquivariantTransformersPoseRotatesWithTheImage() {
    Architecture a = architecture("etn+convnet", Map.of());
    Weights w = weights(a);
    // A sharper softmax than that of random weights: a centroid far from 0 has a clear direction.
    Tensor last = w.get("pose.fc2.weight");
    FloatTensor start = Tensors.copyOf(last);
    float[] sharp = start.values().clone();
    for (int i = 0; i < sharp.length; i++) {
      sharp[i] *= 16;
    }
    Tensors.overwrite(last, new FloatTensor(start.shape(), sharp));
    for (int seed = 0; seed < 5; seed++) {
      Image u = spots(seed);
      double before = poseOf(a, w, u);
      for (int step : new int[] {16, 32, 48, 1, 7, 21, 40}) {
        double angle = step * 360.0 / 64;
        Image rotated =
            new ImageRotation(Resampling.of(Interpolation.BICUBIC))
                .act(Rotation2.ofDegrees(angle), u);
        double change = before - angle - poseOf(a, w, rotated);
        double error = Math.abs(Math.IEEEremainder(change, 360));
        assertThat(error).as("seed %d, %s°", seed, angle).isLessThan(step % 16 == 0 ? 0.01 : 4);
      }
    }
  }

  /** Two images, two places each: derivatives by the image and by the places. */
  @ParameterizedTest
  @CsvSource({"BILINEAR", "BICUBIC"})
  void gradientsOfSamplingAreDifferences(Interpolation how) {
    int n = 2;
    float[] x = NetworkTest.noise(n * SHAPE.length(), 2);
    // between pixels, where bilinear interpolation is smooth; one place half outside
    float[] places = {1.3f, -2.4f, 0.6f, 8.3f, -7.6f, -0.3f, 4.4f, 3.2f};
    float[] weight = NetworkTest.noise(n * SHAPE.channels() * 2, 6);
    float[][] gradients =
        NativeScope.scoped(
            () -> {
              Tensor u = Tensors.of(x, SHAPE.batch(n)).set_requires_grad(true);
              Tensor p = Tensors.of(places, n, 1, 2, 2).set_requires_grad(true);
              sampled(u, p, weight, how).backward();
              return new float[][] {Tensors.toArray(u.grad()), Tensors.toArray(p.grad())};
            });
    double h = 1e-2;
    for (int which = 0; which < 2; which++) {
      float[] values = which == 0 ? x : places;
      int[] tried =
          which == 0 ? new int[] {5 * 17 + 9, 6 * 17 + 9, 8 * 17} : new int[] {0, 1, 3, 6};
      for (int i : tried) {
        double[] at = new double[2];
        for (int side = 0; side < 2; side++) {
          float[] moved = values.clone();
          moved[i] += (float) (side == 0 ? -h : h);
          float[] u = which == 0 ? moved : x;
          float[] p = which == 0 ? places : moved;
          at[side] =
              NativeScope.scoped(
                  () ->
                      (double)
                          sampled(
                                  Tensors.of(u, SHAPE.batch(n)),
                                  Tensors.of(p, n, 1, 2, 2),
                                  weight,
                                  how)
                              .item_float());
        }
        assertThat((double) gradients[which][i])
            .as("%s, number %d of the %s", how, i, which == 0 ? "image" : "places")
            .isCloseTo((at[1] - at[0]) / (2 * h), Offset.offset(2e-3));
      }
    }
    float[] byPlaces = gradients[1];
    assertThat(byPlaces).doesNotContain(0f);
  }

  private static Tensor sampled(Tensor x, Tensor places, float[] weight, Interpolation how) {
    Tensor y = TorchOperations.withoutWeights().sample(x, places, how);
    return y.mul(Tensors.of(weight, Tensors.shape(y))).sum();
  }

  /** With all widths at 0 every sample is the image; in evaluation an answer is always the same. */
  @Test
  void augerinoSamplesAffineMaps() {
    Architecture a = architecture("augerino+convnet", Map.of("samples", "3"));
    Weights w = weights(a);
    assertThat(w.decays("augerino.widths")).isFalse();
    float[] x = NetworkTest.noise(2 * SHAPE.length(), 1);
    List<float[]> views = views(a, w, x, 2);
    assertThat(views).hasSize(3);
    assertThat(views.get(0)).isNotEqualTo(views.get(1)).isNotEqualTo(x);
    assertThat(views(a, w, x, 2).get(0)).isEqualTo(views.get(0));
    float[] alone =
        views(a, w, Arrays.copyOfRange(x, SHAPE.length(), 2 * SHAPE.length()), 1).get(0);
    assertThat(Arrays.copyOfRange(views.get(0), SHAPE.length(), 2 * SHAPE.length()))
        .isEqualTo(alone);
    Tensor widths = w.get("augerino.widths");
    float[] none = new float[6];
    Arrays.fill(none, -60);
    Tensors.overwrite(widths, new FloatTensor(Tensors.shape(widths), none));
    assertThat(views(a, w, x, 2).get(0)).containsExactly(x, Offset.offset(1e-5f));
    // Rotations alone: exp is the rotation by w·ε, as the core has it.
    float[] wide = none.clone();
    wide[2] = 2;
    Tensors.overwrite(widths, new FloatTensor(Tensors.shape(widths), wide));
    float[] rotated = views(a, w, x, 2).get(0);
    double epsilon = FloatTensor.uniform(new SplittableRandom(20_200_610), 6).values()[2];
    double angle = Math.log1p(Math.exp(2)) * epsilon;
    Image expected =
        new ImageRotation(Resampling.BILINEAR).act(Rotation2.ofRadians(angle), SHAPE.input(x, 0));
    assertThat(SHAPE.input(rotated, 0).data())
        .containsExactly(expected.data(), Offset.offset(1e-3f));
    assertThat(Math.abs(angle)).isGreaterThan(0.05);
  }

  /** In training every image has its own samples, the same from the same generator. */
  @Test
  void augerinoDrawsInTraining() {
    Architecture a = architecture("augerino+convnet", Map.of());
    Weights w = weights(a);
    float[] one = NetworkTest.noise(SHAPE.length(), 1);
    float[] twice = Arrays.copyOf(one, 2 * one.length);
    System.arraycopy(one, 0, twice, one.length, one.length);
    float[][] drawn = new float[3][];
    for (int k = 0; k < 3; k++) {
      int seed = k == 2 ? 8 : 7;
      drawn[k] =
          NativeScope.scoped(
              () -> {
                TorchOperations ops = TorchOperations.training(w, new SplittableRandom(seed));
                List<Tensor> views = a.network().views(ops, Tensors.of(twice, SHAPE.batch(2)), a);
                assertThat(views).hasSize(4);
                assertThat(ops.penalties()).hasSize(1);
                // -0.01·‖w‖, six widths of log 2
                assertThat((double) ops.penalties().get(0).item_float())
                    .isCloseTo(-0.01 * Math.sqrt(6) * Math.log(2), Offset.offset(1e-6));
                return Tensors.toArray(views.get(0));
              });
    }
    assertThat(drawn[1]).isEqualTo(drawn[0]);
    assertThat(drawn[2]).isNotEqualTo(drawn[0]);
    assertThat(Arrays.copyOfRange(drawn[0], 0, one.length))
        .isNotEqualTo(Arrays.copyOfRange(drawn[0], one.length, 2 * one.length));
  }

  /** The scores of several views are the mean of their log-probabilities. */
  @Test
  void viewsAreAveraged() {
    Architecture a = architecture("augerino+convnet", Map.of());
    Architecture plain = architecture("convnet", Map.of());
    Weights w = weights(a);
    float[] x = NetworkTest.noise(2 * SHAPE.length(), 1);
    List<float[]> views = views(a, w, x, 2);
    float[][] both =
        NativeScope.inference(
            () -> {
              TorchOperations ops = TorchOperations.inference(w);
              Tensor sum = null;
              for (float[] view : views) {
                Tensor share =
                    torch.log_softmax(plain.scores(ops, Tensors.of(view, SHAPE.batch(2))), 1);
                sum = sum == null ? share : sum.add(share);
              }
              Tensor found = a.scores(ops, Tensors.of(x, SHAPE.batch(2)));
              return new float[][] {
                Tensors.toArray(found.mul(new org.bytedeco.pytorch.Scalar(4f))),
                Tensors.toArray(sum)
              };
            });
    assertThat(both[0]).containsExactly(both[1], Offset.offset(1e-4f));
  }

  @Test
  void frontsSayWhatTheyTake() {
    assertThat(Networks.named("stn+resnet18").name()).isEqualTo("stn+resnet18");
    assertThat(Networks.named("ETN+ConvNet").name()).isEqualTo("etn+convnet");
    assertThatThrownBy(() -> Networks.named("nope+convnet"))
        .hasMessageContaining("front: expected one of stn, etn, canonicaliser, augerino, farthest");
    assertThatThrownBy(() -> Networks.named("stn+pointnet"))
        .hasMessageContaining("stn: expected a network of images, found pointnet");
    assertThatThrownBy(() -> architecture("stn+convnet", Map.of("pose", "x")).declare())
        .hasMessageContaining("network.options.pose: expected affine or rotation, found x");
    assertThatThrownBy(() -> architecture("etn+convnet", Map.of("pose-layers", "0")).declare())
        .hasMessageContaining("network.options.pose-layers: expected a whole number from 1 on");
    // the names of the network behind it stay, so that its weights can be taken over
    assertThat(architecture("stn+convnet", Map.of()).declare().parameters().toString())
        .contains("conv1.weight", "pose.conv1.weight", "head.bias");
  }
}
