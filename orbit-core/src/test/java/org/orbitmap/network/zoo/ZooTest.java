package org.orbitmap.network.zoo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.orbitmap.cloud.CloudAction;
import org.orbitmap.cloud.PermutationAction;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.cloud.Solids;
import org.orbitmap.group.Similarity;
import org.orbitmap.group.SimilarityGroup;
import org.orbitmap.model.InputShape;
import org.orbitmap.network.Architecture;
import org.orbitmap.network.Declaration;
import org.orbitmap.network.FloatTensor;
import org.orbitmap.network.Network;
import org.orbitmap.network.Operations;
import org.orbitmap.network.Parameter;
import org.orbitmap.network.run.ArrayOperations;
import org.orbitmap.network.run.ArrayOperations.Batch;
import org.orbitmap.network.run.ArrayWeights;

/** What networks promise, seen in narrow ones that run in plain Java. */
class ZooTest {
  private static final Random RANDOM = new Random(7);

  /** A narrow network with random numbers; running variances stay positive. */
  private record Net(Architecture settings, ArrayOperations ops) {
    static Net of(String name, double width, InputShape<?> input, int classes) {
      return of(new Architecture(Networks.named(name), width, false, Map.of(), input, classes));
    }

    static Net of(Architecture settings) {
      Map<String, FloatTensor> weights = new HashMap<>();
      Random random = new Random(1);
      for (Parameter p : settings.declare().parameters()) {
        float[] values = p.start(random).values();
        for (int i = 0; p.initial().bound() == 0 && i < values.length; i++) {
          values[i] += (float) (0.4 * random.nextDouble() - 0.2);
        }
        weights.put(p.name(), new FloatTensor(p.shape(), values));
      }
      return new Net(settings, new ArrayOperations(new ArrayWeights(weights)));
    }

    float[] scores(float[] x) {
      return settings.scores(ops, Batch.of(x, settings.input().axes())).values();
    }

    float[] features(float[] x) {
      Batch batch = Batch.of(x, settings.input().axes());
      return settings.network().features(ops, batch, settings).values();
    }
  }

  private static float[] noise(int n) {
    float[] x = new float[n];
    for (int i = 0; i < n; i++) {
      x[i] = RANDOM.nextFloat();
    }
    return x;
  }

  /** The length of the features is that of the last stage. */
  @ParameterizedTest
  @CsvSource({
    "linear, 5, 75",
    "convnet, 32, 1152",
    "convnet, 9, 128",
    "resnet18, 8, 512",
    "resnet18, 32, 512",
    "resnet18-imagenet, 64, 512",
    "resnet34, 32, 512",
    "resnet50, 32, 2048",
    "nfnet-f0, 32, 3072",
    "e2cnn, 28, 96"
  })
  void features(String name, int side, int length) {
    Network network = Networks.named(name);
    Architecture settings = Architecture.of(network, new InputShape.Images(3, side, side), 10);
    Map<String, long[]> shapes = new HashMap<>();
    settings.declare().parameters().forEach(p -> shapes.put(p.name(), p.shape()));
    assertThat(shapes.get("head.weight")).containsExactly(10, length);
  }

  /** The numbers of parameters that docs/networks.md has; torchvision's networks have as many. */
  @ParameterizedTest
  @CsvSource({
    "linear, 32, 10, 30730",
    "convnet, 32, 10, 289290",
    "resnet18, 32, 10, 11173962",
    "resnet18-imagenet, 224, 1000, 11689512",
    "resnet34, 224, 1000, 21797672",
    "resnet50, 224, 1000, 25557032",
    "resnet101, 224, 1000, 44549160",
    "nfnet-f0, 192, 1000, 71489284",
    "pointnet, 0, 40, 811048",
    "pointnet-stn, 0, 40, 3471473"
  })
  void parametersAreAsMany(String name, int side, int classes, long count) {
    InputShape<?> input =
        side == 0 ? new InputShape.Clouds(1024) : new InputShape.Images(3, side, side);
    assertThat(Architecture.of(Networks.named(name), input, classes).declare().count())
        .isEqualTo(count);
    assertThat(Networks.all()).extracting(Network::name).contains(name);
    assertThat(Networks.named(name).name()).isEqualTo(name);
  }

  /** Operations whose calls somebody listens to. */
  @SuppressWarnings("unchecked")
  private static <T> Operations<T> heard(Operations<T> ops, BiConsumer<String, Object[]> listener) {
    return (Operations<T>)
        Proxy.newProxyInstance(
            Operations.class.getClassLoader(),
            new Class<?>[] {Operations.class},
            (proxy, method, arguments) -> {
              listener.accept(method.getName(), arguments);
              return method.invoke(ops, arguments);
            });
  }

  /**
   * Of an NFNet each block divides by the deviation that the blocks before it gave the signal: its
   * variance grows by 1/25 from block to block, and begins again with every stage.
   */
  @Test
  void blocksOfAnNfNetDivideByTheExpectedDeviation() {
    Architecture settings =
        Architecture.of(Networks.named("nfnet-f0"), new InputShape.Images(3, 32, 32), 10);
    List<Double> factors = new ArrayList<>();
    Operations<Declaration.Shape> ops =
        heard(
            new Declaration(),
            (name, arguments) -> {
              if (name.equals("constant")) {
                factors.add((double) ((float[]) arguments[0])[0]);
              }
            });
    settings.network().features(ops, Declaration.Shape.of(3, 32, 32), settings);
    double gamma = 1.7015043497085571;
    List<Double> expected = new ArrayList<>(List.of(gamma, gamma, gamma)); // between convolutions
    double variance = 1;
    for (int blocks : new int[] {1, 2, 6, 3}) {
      for (int b = 0; b < blocks; b++) {
        expected.addAll(List.of(gamma / Math.sqrt(variance), gamma, gamma, gamma, 0.4));
        variance = b == 0 ? 1.04 : variance + 0.04;
      }
    }
    expected.add(gamma);
    assertThat(factors).hasSameSizeAs(expected);
    for (int i = 0; i < expected.size(); i++) {
      assertThat(factors.get(i)).as("factor %d", i).isCloseTo(expected.get(i), within(1e-6));
    }
  }

  /** With A = I + J/10 for a matrix J of ones, AAᵀ - I = (1/5 + k/100)·J. */
  @Test
  void tNetsArePenalisedByHowFarTheyAreFromOrthogonal() {
    Architecture settings =
        new Architecture(
            Networks.named("pointnet-stn"), 0.0625, false, Map.of(), new InputShape.Clouds(5), 3);
    Map<String, FloatTensor> weights = new HashMap<>();
    for (Parameter p : settings.declare().parameters()) {
      float[] values = new float[(int) p.count()];
      Arrays.fill(values, p.name().equals("fstn.fc3.bias") ? 0.1f : 0);
      weights.put(p.name(), new FloatTensor(p.shape(), values));
    }
    ArrayOperations arrays = new ArrayOperations(new ArrayWeights(weights));
    List<Batch> penalties = new ArrayList<>();
    Operations<Batch> ops =
        heard(
            arrays,
            (name, arguments) -> {
              if (name.equals("penalty")) {
                penalties.add((Batch) arguments[0]);
              }
            });
    settings.network().features(ops, Batch.of(noise(15), 5, 3), settings);
    int k = 4;
    assertThat(penalties).hasSize(1);
    assertThat((double) penalties.get(0).values()[0])
        .isCloseTo(0.001 * (0.2 + 0.01 * k) * k, within(1e-7));
  }

  @ParameterizedTest
  @CsvSource({"convnet, 9", "resnet18, 8", "resnet50, 32", "nfnet-f0, 32", "e2cnn, 28"})
  void smallerImagesAreRefused(String name, int least) {
    Network network = Networks.named(name);
    assertThat(network.leastSide()).isEqualTo(least);
    Architecture.of(network, new InputShape.Images(1, least, least), 10).declare();
    InputShape.Images small = new InputShape.Images(1, least - 1, least);
    assertThatThrownBy(() -> Architecture.of(network, small, 10))
        .hasMessageContaining("at least %d x %d".formatted(least, least));
  }

  /** torchvision's names of a residual network are exactly those of its parameters here. */
  @ParameterizedTest
  @CsvSource({"resnet34, 2, '3,4,6,3'", "resnet101, 3, '3,4,23,3'"})
  void namesOfTorchvision(String name, int convolutions, String depth) {
    Network network = Networks.named(name);
    Set<String> theirs = new TreeSet<>();
    addNorm(theirs, "bn1");
    theirs.addAll(Set.of("conv1.weight", "fc.weight", "fc.bias"));
    String[] blocks = depth.split(",", -1);
    for (int s = 1; s <= 4; s++) {
      for (int b = 0; b < Integer.parseInt(blocks[s - 1]); b++) {
        String block = "layer%d.%d".formatted(s, b);
        for (int c = 1; c <= convolutions; c++) {
          theirs.add(block + ".conv" + c + ".weight");
          addNorm(theirs, block + ".bn" + c);
        }
        if (b == 0 && (s > 1 || convolutions == 3)) {
          theirs.add(block + ".downsample.0.weight");
          addNorm(theirs, block + ".downsample.1");
        }
      }
    }
    Set<String> own = new TreeSet<>();
    Architecture.of(network, new InputShape.Images(3, 64, 64), 1000)
        .declare()
        .parameters()
        .forEach(p -> own.add(p.name()));
    Set<String> translated = new TreeSet<>();
    theirs.forEach(n -> translated.add(network.own(n)));
    assertThat(translated).isEqualTo(own);
  }

  private static void addNorm(Set<String> names, String norm) {
    for (String part : new String[] {"weight", "bias", "running_mean", "running_var"}) {
      names.add(norm + "." + part);
    }
  }

  /** timm's names of NFNet-F0 are those of its parameters here. */
  @Test
  void namesOfTimm() {
    Network network = Networks.named("nfnet-f0");
    Set<String> theirs = new TreeSet<>(Set.of("head.fc.weight", "head.fc.bias"));
    for (int i = 1; i <= 4; i++) {
      addKernel(theirs, "stem.conv" + i);
    }
    int[] depth = {1, 2, 6, 3};
    for (int s = 0; s < 4; s++) {
      for (int b = 0; b < depth[s]; b++) {
        String block = "stages.%d.%d.".formatted(s, b);
        for (String c : new String[] {"conv1", "conv2", "conv2b", "conv3"}) {
          addKernel(theirs, block + c);
        }
        if (b == 0) {
          addKernel(theirs, block + "downsample.conv");
        }
        for (String fc : new String[] {"fc1", "fc2"}) {
          theirs.add(block + "attn_last." + fc + ".weight");
          theirs.add(block + "attn_last." + fc + ".bias");
        }
        theirs.add(block + "skipinit_gain");
      }
    }
    addKernel(theirs, "final_conv");
    Set<String> own = new TreeSet<>();
    Architecture.of(network, new InputShape.Images(3, 64, 64), 1000)
        .declare()
        .parameters()
        .forEach(p -> own.add(p.name()));
    Set<String> translated = new TreeSet<>();
    theirs.forEach(n -> translated.add(network.own(n)));
    assertThat(translated).isEqualTo(own);
  }

  private static void addKernel(Set<String> names, String convolution) {
    for (String part : new String[] {"weight", "bias", "gain"}) {
      names.add(convolution + "." + part);
    }
  }

  /** The order of the points is of no effect, with T-nets and without. */
  @ParameterizedTest
  @CsvSource({"pointnet", "pointnet-stn"})
  void pointNetIgnoresTheOrder(String name) {
    Net net = Net.of(name, 0.125, new InputShape.Clouds(20), 4);
    PointCloud x = Solids.blob(3, 20, RANDOM);
    PermutationAction action = new PermutationAction(20);
    PointCloud y = action.act(action.group().sample(RANDOM), x);
    float[] scores = net.scores(x.coordinates());
    assertThat(net.scores(y.coordinates())).containsExactly(scores, within(1e-5f));
    assertThat(scores).hasSize(4);
    float[] other = net.scores(Solids.blob(3, 20, RANDOM).coordinates());
    assertThat(other[0]).isNotCloseTo(scores[0], within(1e-4f));
  }

  /** Of a cloud F_j·x the cube says of F_k what it said of F_k·F_j of x. */
  @Test
  void theCubeFollowsItsRotations() {
    Net net = Net.of("upright-cube", 0.125, new InputShape.Clouds(30), 2 * UprightCube.COUNT);
    PointCloud x = Solids.blob(3, 30, RANDOM);
    float[] scores = net.scores(x.coordinates());
    assertThat(UprightCube.COUNT).isEqualTo(24);
    assertThat(UprightCube.HEADINGS).isEqualTo(4);
    assertThat(UprightCube.rotation(0)).containsExactly(1, 0, 0, 0, 1, 0, 0, 0, 1);
    Set<Float> distinct = new TreeSet<>();
    for (int j = 0; j < UprightCube.COUNT; j++) {
      Similarity f = new Similarity(1, UprightCube.rotation(j), new double[3]);
      PointCloud moved = new CloudAction(SimilarityGroup.so(3)).act(f, x);
      float[] found = net.scores(moved.coordinates());
      for (int k = 0; k < UprightCube.COUNT; k++) {
        int both = place(times(UprightCube.rotation(k), UprightCube.rotation(j)));
        assertThat(found[2 * k]).isCloseTo(scores[2 * both], within(1e-4f));
        assertThat(found[2 * k + 1]).isCloseTo(scores[2 * both + 1], within(1e-4f));
      }
      distinct.add(scores[2 * j]);
      // those that make one axis vertical follow one another
      double[] first = UprightCube.rotation(j / 4 * 4);
      for (int c = 6; c < 9; c++) {
        assertThat(UprightCube.rotation(j)[c]).isEqualTo(first[c]);
      }
    }
    assertThat(distinct).hasSize(24);
    InputShape.Clouds clouds = new InputShape.Clouds(30);
    Architecture odd = Architecture.of(Networks.named("upright-cube"), clouds, 25);
    assertThatThrownBy(odd::declare).hasMessageContaining("that 24 divides, found 25");
  }

  /** Points move between bins without jumps, and points far out count as those at ±2. */
  @Test
  void theCubeCutsAndSpreads() {
    Net net = Net.of("upright-cube", 0.125, new InputShape.Clouds(1), 24);
    assertThat(net.scores(new float[] {2, -2, 0}))
        .containsExactly(net.scores(new float[] {9, -70, 0}), within(1e-4f));
    float[] a = net.scores(new float[] {0.3f, -1.2f, 0.7f});
    float[] b = net.scores(new float[] {0.3001f, -1.2001f, 0.7001f});
    assertThat(b).containsExactly(a, within(0.05f));
    assertThat(net.scores(new float[] {0.6f, -1.2f, 0.7f})[0]).isNotCloseTo(a[0], within(1e-3f));
  }

  private static double[] times(double[] a, double[] b) {
    double[] c = new double[9];
    for (int i = 0; i < 9; i++) {
      for (int k = 0; k < 3; k++) {
        c[i] += a[i / 3 * 3 + k] * b[3 * k + i % 3];
      }
    }
    return c;
  }

  private static int place(double[] rotation) {
    for (int k = 0; k < UprightCube.COUNT; k++) {
      double[] own = UprightCube.rotation(k);
      double difference = 0;
      for (int i = 0; i < 9; i++) {
        difference += Math.abs(own[i] - rotation[i]);
      }
      if (difference < 1e-9) {
        return k;
      }
    }
    throw new AssertionError("not a rotation of axes to axes");
  }

  /** The scores of a turned image are those of the image, a quarter of the bins further. */
  @ParameterizedTest
  @CsvSource({"1, false", "3, false", "3, true"})
  void theUprightNetworkFollowsQuarterTurns(int channels, boolean mirrors) {
    int bins = 8;
    String name = mirrors ? "upright-p4-o2" : "upright-p4";
    InputShape.Images shape = new InputShape.Images(channels, 16, 16);
    Net net = Net.of(name, 0.25, shape, mirrors ? 2 * bins : bins);
    Batch x = Batch.of(noise(channels * 256), channels, 16, 16);
    float[] scores = net.scores(x.values());
    for (int k = 0; k < 4; k++) {
      float[] found = net.scores(net.ops.quarterTurns(x, k).values());
      for (int b = 0; b < scores.length; b++) {
        int half = b / bins * bins;
        int step = half == 0 ? k * bins / 4 : -k * bins / 4;
        int from = half + Math.floorMod(b - half + step, bins);
        assertThat(found[b]).as("%d turns, bin %d", k, b).isCloseTo(scores[from], within(1e-4f));
      }
    }
    // what lies outside the circle is of no effect
    float[] corners = x.values().clone();
    corners[0] = 1 - corners[0];
    assertThat(net.scores(corners)).containsExactly(scores);
    Network network = Networks.named(name);
    assertThatThrownBy(() -> Architecture.of(network, shape, mirrors ? 12 : 6).declare())
        .hasMessageContaining("that %d divides".formatted(mirrors ? 8 : 4));
    assertThatThrownBy(
            () -> Architecture.of(network, new InputShape.Images(3, 16, 24), 8).declare())
        .hasMessageContaining("square images with a side that 8 divides, found 16 x 24");
    assertThatThrownBy(
            () -> Architecture.of(network, new InputShape.Images(3, 20, 20), 8).declare())
        .hasMessageContaining("found 20 x 20");
  }

  /**
   * A kernel stands in its four orientations: first as it is, and each further one is that before
   * it, turned by a quarter, with the channels of each field rolled by one.
   */
  @Test
  void kernelsOfTheUprightNetworkAreTurnedAndRolled() {
    int side = 3;
    int[] image = UprightNet.places(2, 3, 1, side);
    int[] fields = UprightNet.places(2, 3, 4, side);
    assertThat(image).hasSize(8 * 3 * 9);
    assertThat(fields).hasSize(8 * 12 * 9);
    for (int f = 0; f < 2; f++) {
      for (int k = 0; k < 27; k++) {
        assertThat(image[4 * f * 27 + k]).isEqualTo(f * 27 + k);
      }
      for (int k = 0; k < 108; k++) {
        assertThat(fields[4 * f * 108 + k]).isEqualTo(f * 108 + k);
      }
      for (int r = 1; r < 4; r++) {
        for (int row = 0; row < side; row++) {
          for (int column = 0; column < side; column++) {
            int pixel = side * row + column;
            int before = side * column + side - 1 - row;
            for (int i = 0; i < 3; i++) {
              int at = 27 * (4 * f + r) + 9 * i;
              assertThat(image[at + pixel]).isEqualTo(image[at - 27 + before]);
              for (int c = 0; c < 4; c++) {
                int here = 108 * (4 * f + r) + 9 * (4 * i + c) + pixel;
                int there = 108 * (4 * f + r - 1) + 9 * (4 * i + (c + 3) % 4) + before;
                assertThat(fields[here]).isEqualTo(fields[there]);
              }
            }
          }
        }
      }
    }
  }

  /** The next quarter of the bins has the numbers of that before it, rolled; mirrored, back. */
  @Test
  void scoresOfTheUprightNetworkAreRolled() {
    int bins = 8;
    int in = 3;
    int width = 4 * in;
    int[] places = UprightNet.findScorePlaces(2 * bins, bins, in);
    int[] bias = UprightNet.findScorePlaces(2 * bins, bins, 0);
    assertThat(places).hasSize(2 * bins * width);
    assertThat(bias).containsExactly(0, 1, 0, 1, 0, 1, 0, 1, 2, 3, 2, 3, 2, 3, 2, 3);
    for (int b = 0; b < 2 * bins; b++) {
      boolean mirrored = b >= bins;
      for (int i = 0; i < width; i++) {
        if (b % bins < 2) {
          assertThat(places[b * width + i]).isEqualTo((b % bins + (mirrored ? 2 : 0)) * width + i);
        } else {
          int rolled = i / 4 * 4 + (i + (mirrored ? 3 : 1)) % 4;
          assertThat(places[b * width + i]).isEqualTo(places[(b - 2) * width + rolled]);
        }
      }
    }
  }

  /** An E2CNN does not see quarter turns, for odd and even sides. */
  @ParameterizedTest
  @CsvSource({"28, 0", "29, 1"})
  void steerableNetworksIgnoreQuarterTurns(int side, int restriction) {
    Map<String, String> options =
        Map.of("rotations", "4", "restriction", "" + restriction, "channels", "1,1,1,1,1,2");
    InputShape.Images shape = new InputShape.Images(1, side, side);
    Net net = Net.of(new Architecture(Networks.named("e2cnn"), 1, false, options, shape, 3));
    Batch x = Batch.of(noise(side * side), 1, side, side);
    float[] features = net.features(x.values());
    float[] turned = net.features(net.ops.quarterTurns(x, 1).values());
    assertThat(turned).containsExactly(features, within(1e-3f));
    assertThat(net.settings.ignoresQuarterTurns()).isTrue();
    Architecture oblong =
        new Architecture(
            Networks.named("e2cnn"), 1, false, options, new InputShape.Images(1, 28, 30), 3);
    assertThatThrownBy(oblong::declare).hasMessageContaining("expected square images");
  }

  /** A block whose gain is 0, as it starts, adds nothing to its shortcut; with a gain it does. */
  @Test
  void blocksOfAnNfNetBeginAsTheirShortcut() {
    Architecture settings =
        new Architecture(
            Networks.named("nfnet-f0"),
            0.125,
            false,
            Map.of(),
            new InputShape.Images(3, 32, 32),
            4);
    Map<String, FloatTensor> weights = new HashMap<>();
    Random random = new Random(2);
    for (Parameter p : settings.declare().parameters()) {
      weights.put(p.name(), p.start(random));
    }
    float[] x = noise(3 * 32 * 32);
    float[] first = features(settings, weights, x);
    assertThat(first).hasSize(384);
    String block = "stage3.block2";
    weights.put(block + ".conv4.bias", constant(weights.get(block + ".conv4.bias"), 1));
    assertThat(features(settings, weights, x)).containsExactly(first);
    weights.put(block + ".gain", constant(weights.get(block + ".gain"), 1));
    assertThat(features(settings, weights, x)).isNotEqualTo(first);
    // a block that is shut adds nothing whatever its gain: σ(-100) = 0
    weights.put(block + ".excite.bias", constant(weights.get(block + ".excite.bias"), -100));
    assertThat(features(settings, weights, x)).containsExactly(first, within(1e-6f));
  }

  private static FloatTensor constant(FloatTensor like, float value) {
    float[] values = new float[like.values().length];
    Arrays.fill(values, value);
    return new FloatTensor(like.shape(), values);
  }

  private static float[] features(
      Architecture settings, Map<String, FloatTensor> weights, float[] x) {
    ArrayOperations ops = new ArrayOperations(new ArrayWeights(weights));
    return settings.network().features(ops, Batch.of(x, 3, 32, 32), settings).values();
  }
}
