package org.orbitmap.network.front;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.orbitmap.cloud.FarthestPoints;
import org.orbitmap.group.Rotation2;
import org.orbitmap.image.Fill;
import org.orbitmap.image.Image;
import org.orbitmap.image.ImageRotation;
import org.orbitmap.image.Images;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.SamplingGrid;
import org.orbitmap.model.InputShape;
import org.orbitmap.network.Architecture;
import org.orbitmap.network.FloatTensor;
import org.orbitmap.network.Front;
import org.orbitmap.network.Parameter;
import org.orbitmap.network.run.ArrayOperations;
import org.orbitmap.network.run.ArrayOperations.Batch;
import org.orbitmap.network.run.ArrayWeights;
import org.orbitmap.network.zoo.Networks;

/** What a network sees through each front, in plain Java. */
class FrontsTest {
  private static final int SIDE = 17;
  private static final Image IMAGE = Images.blobs(2, SIDE, SIDE, 3);

  /** A network with its numbers. */
  private static final class Net {
    private final Architecture settings;
    private final Map<String, FloatTensor> weights = new HashMap<>();

    Net(String name, Map<String, String> options) {
      settings =
          new Architecture(
              Networks.named(name), 0.1, false, options, new InputShape.Images(2, SIDE, SIDE), 3);
      Random random = new Random(5);
      for (Parameter p : settings.declare().parameters()) {
        weights.put(p.name(), p.start(random));
      }
    }

    void set(String name, float... values) {
      weights.put(name, new FloatTensor(weights.get(name).shape(), values));
    }

    ArrayOperations ops() {
      return new ArrayOperations(new ArrayWeights(weights));
    }

    List<Image> views(Image u) {
      Batch x = Batch.of(u.data(), 2, SIDE, SIDE);
      return settings.network().views(ops(), x, settings).stream()
          .map(v -> new Image(2, SIDE, SIDE, v.values()))
          .toList();
    }
  }

  private static Image turned(Image u, double degrees) {
    return new ImageRotation(Resampling.BILINEAR).act(Rotation2.ofDegrees(degrees), u);
  }

  /** At the start the image itself; then what the last layer says. */
  @Test
  void aSpatialTransformerReadsThroughAnAffineMap() {
    Net net = new Net("stn+linear", Map.of());
    assertThat(net.views(IMAGE)).hasSize(1);
    assertThat(net.views(IMAGE).get(0).distance(IMAGE)).isLessThan(1e-6);
    // Aᵀ = r(90°)ᵀ, t = 0: the turned image. The rows start at the identity.
    net.set("pose.fc2.bias", -1, 1, -1, -1, 0, 0);
    assertThat(net.views(IMAGE).get(0).distance(turned(IMAGE, 90))).isLessThan(1e-5);
    // t in half sides: three pixels of eight to the right are read
    net.set("pose.fc2.bias", 0, 0, 0, 0, 3 / 8f, -2 / 8f);
    Image shifted = net.views(IMAGE).get(0);
    assertThat(shifted.at(1, 9, 5)).isCloseTo(IMAGE.at(1, 7, 8), within(1e-5f));
    assertThat(shifted.at(0, 0, 16)).isZero();
  }

  @Test
  void aSpatialTransformerOfRotations() {
    Net net = new Net("stn+linear", Map.of("pose", "rotation", "pose-channels", "2"));
    assertThat(net.views(IMAGE).get(0).distance(IMAGE)).isLessThan(1e-6);
    net.set("pose.fc2.bias", -1, 7); // (0, 7) is the direction of 90°
    assertThat(net.views(IMAGE).get(0).distance(turned(IMAGE, 90))).isLessThan(1e-5);
    // the weights count, too: two images get two directions
    float[] w = new float[2 * 64];
    Arrays.fill(w, 1);
    net.set("pose.fc2.weight", w);
    assertThat(net.views(IMAGE).get(0).distance(turned(IMAGE, 90))).isGreaterThan(1e-3);
    assertThatThrownBy(() -> new Net("stn+linear", Map.of("pose", "shift")))
        .hasMessage("network.options.pose: expected affine or rotation, found shift");
  }

  /** The pose of the image rotated by a quarter turn is a quarter turn less; a view is upright. */
  @Test
  void anEquivariantTransformerFollowsQuarterTurns() {
    Net net = new Net("etn+linear", Map.of("pose-channels", "4", "pose-layers", "2"));
    float[] sharp = net.weights.get("pose.fc2.weight").values().clone();
    for (int i = 0; i < sharp.length; i++) {
      sharp[i] *= 30;
    }
    net.set("pose.fc2.weight", sharp);
    Rotation2 first = pose(net, IMAGE);
    for (int k = 1; k < 4; k++) {
      Rotation2 g = Rotation2.ofDegrees(90 * k);
      Rotation2 found = pose(net, turned(IMAGE, 90 * k));
      assertThat(found.times(g).times(first.inverse()).degrees()).isCloseTo(0, within(0.01));
    }
    Image smooth = turned(IMAGE, 45 * 360 / 64.0);
    Rotation2 g = Rotation2.ofDegrees(45 * 360 / 64.0);
    assertThat(pose(net, smooth).times(g).times(first.inverse()).degrees())
        .isCloseTo(0, within(6.0));
    assertThat(net.views(IMAGE).get(0).distance(turned(IMAGE, first.degrees()))).isLessThan(1e-4);
  }

  private static Rotation2 pose(Net net, Image u) {
    Batch x = Batch.of(u.data(), 2, SIDE, SIDE);
    float[] d = EquivariantTransformer.pose(net.ops(), x, net.settings).values();
    assertThat(Math.hypot(d[0], d[1])).isCloseTo(1, within(1e-4));
    return Rotation2.towards(d[0], d[1]);
  }

  /** It sees the inscribed circle alone, and rotates the whole image. */
  @Test
  void aCanonicaliserSeesTheCircle() {
    Net net = new Net("canonicaliser+linear", Map.of("pose-channels", "2"));
    Image seen = net.views(IMAGE).get(0);
    assertThat(seen.distance(IMAGE)).isGreaterThan(1e-2);
    Image other = new Image(2, SIDE, SIDE, IMAGE.data().clone());
    float[] inside = SamplingGrid.of(SIDE, SIDE, Fill.ZERO).inside();
    for (int i = 0; i < other.data().length; i++) {
      other.data()[i] = inside[i % inside.length] == 0 ? 9 : other.data()[i];
    }
    net.set("pose.fc2.weight", new float[2 * 64]);
    net.set("pose.fc2.bias", 0, 3);
    assertThat(net.views(other).get(0).distance(turned(other, 90))).isLessThan(1e-4);
    // the same pose with other corners
    Net free = new Net("canonicaliser+linear", Map.of("pose-channels", "2"));
    float middle = free.views(IMAGE).get(0).at(0, 6, 9);
    assertThat(free.views(other).get(0).at(0, 6, 9)).isCloseTo(middle, within(1e-5f));
    assertThat(free.weights.get("pose.conv1.weight").shape()).containsExactly(2, 2, 3, 3);
    assertThat(free.weights.get("pose.conv2.weight").shape()).containsExactly(4, 2, 3, 3);
    assertThat(free.weights.get("pose.conv3.weight").shape()).containsExactly(4, 4, 3, 3);
  }

  private static final float NONE = -100; // softplus makes 0 of it

  private static Image sample(int generator, float width) {
    Net net = new Net("augerino+linear", Map.of("samples", "1"));
    float[] theta = new float[6];
    Arrays.fill(theta, NONE);
    theta[generator] = (float) Math.log(Math.expm1(width));
    net.set("augerino.widths", theta);
    List<Image> views = net.views(IMAGE);
    assertThat(views).hasSize(1);
    return views.get(0);
  }

  /** The number that the seed gives a generator in the first sample. */
  private static double drawn(int generator) {
    ArrayOperations ops = ArrayOperations.withoutWeights();
    return ops.uniform(Batch.of(new float[1], 1), 20_200_610, 1, 6).values()[generator];
  }

  /** Alone, each generator moves the image by its one-parameter group. */
  @Test
  void augerinoDrawsFromTheGroupsOfItsGenerators() {
    double angle = Math.toDegrees(2 * drawn(2));
    assertThat(sample(2, 2).distance(turned(IMAGE, angle))).isLessThan(1e-3);
    read(sample(0, 20), 1, 0, 0, 1, 8 * 0.1 * 20 * drawn(0), 0);
    read(sample(1, 20), 1, 0, 0, 1, 0, 8 * 0.1 * 20 * drawn(1));
    double scale = Math.exp(2 * drawn(3));
    read(sample(3, 2), scale, 0, 0, scale, 0, 0);
    double stretch = Math.exp(2 * drawn(4));
    read(sample(4, 2), stretch, 0, 0, 1 / stretch, 0, 0);
    double cosh = Math.cosh(2 * drawn(5));
    double sinh = Math.sinh(2 * drawn(5));
    read(sample(5, 2), cosh, sinh, sinh, cosh, 0, 0);
  }

  /** Whether an image is the other one read at (a x + b y + s, c x + d y + t). */
  private static void read(
      Image found, double a, double b, double c, double d, double s, double t) {
    int middle = SIDE / 2;
    for (int i = 5; i < 12; i++) {
      for (int j = 5; j < 12; j++) {
        double x = a * (j - middle) + b * (i - middle) + s + middle;
        double y = c * (j - middle) + d * (i - middle) + t + middle;
        int left = (int) Math.floor(x);
        int top = (int) Math.floor(y);
        if (left < 0 || top < 0 || left > SIDE - 2 || top > SIDE - 2) {
          continue;
        }
        double u = x - left;
        double v = y - top;
        double expected =
            (1 - v) * ((1 - u) * IMAGE.at(0, top, left) + u * IMAGE.at(0, top, left + 1))
                + v * ((1 - u) * IMAGE.at(0, top + 1, left) + u * IMAGE.at(0, top + 1, left + 1));
        assertThat((double) found.at(0, i, j)).isCloseTo(expected, within(2e-3));
      }
    }
  }

  @Test
  void augerinoSamplesAreTheSameAtAllTimes() {
    Net net = new Net("augerino+linear", Map.of());
    List<Image> four = net.views(IMAGE);
    assertThat(four).hasSize(4).doesNotHaveDuplicates();
    assertThat(net.views(IMAGE)).isEqualTo(four);
    float[] theta = new float[6];
    Arrays.fill(theta, NONE);
    net.set("augerino.widths", theta);
    for (Image view : net.views(IMAGE)) {
      assertThat(view.distance(IMAGE)).isLessThan(1e-5);
    }
    // the mean of the log-probabilities of four samples that are one image: those of the image
    Batch x = Batch.of(IMAGE.data(), 2, SIDE, SIDE);
    ArrayOperations ops = net.ops();
    float[] scores = net.settings.scores(ops, x).values();
    Architecture plain =
        Architecture.of(Networks.named("linear"), new InputShape.Images(2, SIDE, SIDE), 3);
    assertThat(scores)
        .containsExactly(ops.logSoftmax(plain.scores(ops, x)).values(), within(1e-4f));
  }

  /** The network sees the same points in any order; without a few points it is another one. */
  @Test
  void farthestShowsPointsThatCoverTheCloud() {
    Random random = new Random(3);
    float[] x = new float[3 * 60];
    for (int i = 0; i < x.length; i++) {
      x[i] = (float) random.nextGaussian();
    }
    Architecture a =
        new Architecture(
            Networks.named("farthest+pointnet"),
            0.1,
            false,
            Map.of("points", "10"),
            new InputShape.Clouds(60),
            3);
    Map<String, FloatTensor> weights = new HashMap<>();
    for (Parameter p : a.declare().parameters()) {
      weights.put(p.name(), p.start(random));
    }
    ArrayOperations ops = new ArrayOperations(new ArrayWeights(weights));
    float[] twice = Arrays.copyOf(x, 2 * x.length);
    for (int i = 0; i < 60; i++) { // the second cloud from back to front
      System.arraycopy(x, 3 * (59 - i), twice, x.length + 3 * i, 3);
    }
    Batch seen = a.network().views(ops, Batch.of(twice, 60, 3), a).get(0);
    assertThat(seen.shape().axes()).containsExactly(10, 3);
    float[] first = Arrays.copyOf(seen.values(), 30);
    assertThat(Arrays.copyOfRange(seen.values(), 30, 60)).containsExactly(first);
    int start = FarthestPoints.of(x, 0, 60, 3, 1)[0];
    assertThat(Arrays.copyOf(first, 3))
        .containsExactly(x[3 * start], x[3 * start + 1], x[3 * start + 2]);
    float[] scores = a.scores(ops, Batch.of(twice, 60, 3)).values();
    assertThat(Arrays.copyOf(scores, 3)).containsExactly(Arrays.copyOfRange(scores, 3, 6));
    Architecture whole = Architecture.of(Networks.named("pointnet"), new InputShape.Clouds(60), 3);
    Architecture plain = new Architecture(whole.network(), 0.1, false, Map.of(), whole.input(), 3);
    assertThat(plain.scores(ops, Batch.of(twice, 60, 3)).values()).isNotEqualTo(scores);
    assertThatThrownBy(
            () ->
                new Architecture(
                        a.network(), 1, false, Map.of("points", "61"), new InputShape.Clouds(60), 3)
                    .declare())
        .hasMessage("network.options.points: expected at most the 60 points of a cloud, found 61");
    assertThatThrownBy(() -> Networks.named("farthest+convnet"))
        .hasMessage("farthest: expected a network of clouds, found convnet, which takes images");
  }

  @Test
  void frontsAreNetworksWithANameInFront() {
    assertThat(Fronts.all())
        .extracting(Front::name)
        .containsExactly("stn", "etn", "canonicaliser", "augerino", "farthest");
    assertThat(Fronts.named("ETN")).isInstanceOf(EquivariantTransformer.class);
    FrontedNetwork both = new FrontedNetwork(new SpatialTransformer(), Networks.named("resnet18"));
    assertThat(both.name()).isEqualTo("stn+resnet18");
    assertThat(both.takes()).isEqualTo("images");
    assertThat(both.leastSide()).isEqualTo(8);
    assertThat(new FrontedNetwork(new Augerino(), Networks.named("linear")).leastSide())
        .isEqualTo(8);
    assertThat(both.own("fc.weight")).isEqualTo("head.weight");
    assertThatThrownBy(() -> Networks.named("stn+pointnet"))
        .hasMessage("stn: expected a network of images, found pointnet, which takes clouds");
    InputShape.Images digits = new InputShape.Images(1, 32, 32);
    long plain = Architecture.of(Networks.named("linear"), digits, 10).declare().count();
    long stn = Architecture.of(Networks.named("stn+linear"), digits, 10).declare().count();
    long layers = 32 * 9 + 32 + 2 * (32 * 32 * 9 + 32) + 32 * 4 * 4 * 64 + 64 + 64 * 6 + 6;
    assertThat(stn - plain).isEqualTo(layers);
    long rotation =
        new Architecture(
                Networks.named("stn+linear"), 1, false, Map.of("pose", "rotation"), digits, 10)
            .declare()
            .count();
    assertThat(stn - rotation).isEqualTo(4 * 65);
    long etn = Architecture.of(Networks.named("etn+linear"), digits, 10).declare().count();
    assertThat(etn - plain).isEqualTo(32 * 9 + 2 * 32 * 32 * 9 + 3 * 64 + 32 * 32 + 32 + 32);
    long augerino =
        Architecture.of(Networks.named("augerino+linear"), digits, 10).declare().count();
    assertThat(augerino - plain).isEqualTo(6);
  }
}
