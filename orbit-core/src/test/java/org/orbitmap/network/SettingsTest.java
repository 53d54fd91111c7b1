package org.orbitmap.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.orbitmap.model.InputShape;
import org.orbitmap.network.run.ArrayOperations;
import org.orbitmap.network.run.ArrayOperations.Batch;
import org.orbitmap.network.zoo.Networks;

/** What a network is told, and the numbers that it starts with. */
class SettingsTest {
  private static final InputShape.Images SQUARE = new InputShape.Images(1, 4, 4);

  /** The largest pixel of a square image, and its sum: two features, which are the scores. */
  private record Largest() implements Network {
    @Override
    public String name() {
      return "largest";
    }

    @Override
    public String takes() {
      return "images";
    }

    @Override
    public int leastSide() {
      return 2;
    }

    @Override
    public <T> T features(Operations<T> ops, T x, Architecture settings) {
      return ops.select(ops.flatten(x), new int[] {0, 1});
    }

    @Override
    public <T> T scores(Operations<T> ops, T features, Architecture settings) {
      return features;
    }
  }

  @Test
  void whatDoesNotFitIsRefused() {
    Network net = new Largest();
    Architecture.of(net, new InputShape.Images(1, 2, 2), 2);
    assertThatThrownBy(() -> Architecture.of(net, SQUARE, 1))
        .hasMessage("network: expected at least 2 classes, found 1");
    for (double bad : new double[] {0, -1, 16.1, Double.NaN}) {
      assertThatThrownBy(() -> new Architecture(net, bad, false, Map.of(), SQUARE, 2))
          .hasMessageContaining("width factor in (0, 16]");
    }
    assertThat(new Architecture(net, 16, false, Map.of(), SQUARE, 2).channels(3)).isEqualTo(48);
    assertThatThrownBy(() -> Architecture.of(net, new InputShape.Clouds(4), 2))
        .hasMessageContaining("largest: expected images, found clouds");
    InputShape.Images wide = new InputShape.Images(1, 4, 5);
    assertThatThrownBy(() -> new Architecture(net, 1, true, Map.of(), wide, 2))
        .hasMessageContaining("TI-pooling: expected square images");
    Architecture.of(net, wide, 2);
    assertThatThrownBy(() -> Architecture.of(net, new InputShape.Images(1, 4, 1), 2))
        .hasMessage("largest: expected images of at least 2 x 2, found 4 x 1");
    assertThatThrownBy(
            () ->
                new Architecture(
                    Networks.named("pointnet"), 1, true, Map.of(), new InputShape.Clouds(4), 2))
        .hasMessageContaining("TI-pooling: expected images");
    assertThatThrownBy(() -> Architecture.of(net, SQUARE, 3).declare())
        .hasMessage("largest: expected 3 scores for each input, found [2]");
  }

  @Test
  void widthsAndOptions() {
    Architecture half =
        new Architecture(new Largest(), 0.5, true, Map.of("b", " 7 ", "a", "x"), SQUARE, 2);
    assertThat(half.channels(64)).isEqualTo(32);
    assertThat(half.channels(1)).isEqualTo(1);
    assertThat(half.option("b", 3)).isEqualTo(7);
    assertThat(half.option("c", 3)).isEqualTo(3);
    assertThat(half.option("c", 1)).isEqualTo(1);
    assertThatThrownBy(() -> half.option("a", 3))
        .hasMessage("network.options.a: expected a whole number from 1 on, found x");
    Architecture none = new Architecture(new Largest(), 1, false, Map.of("b", "0"), SQUARE, 2);
    assertThatThrownBy(() -> none.option("b", 3)).hasMessageEndingWith("found 0");
    assertThat(half).hasToString("largest, width factor 0.5, TI-pooling, {a=x, b= 7 }");
    assertThat(Architecture.of(new Largest(), SQUARE, 2)).hasToString("largest");
    assertThat(half.ignoresQuarterTurns()).isTrue();
    assertThat(none.ignoresQuarterTurns()).isFalse();
  }

  /** TI-pooling takes the largest of each feature over the four quarter turns. */
  @Test
  void tiPooling() {
    InputShape.Images two = new InputShape.Images(1, 2, 2);
    Batch x = Batch.of(new float[] {1, 2, 3, 9}, 1, 2, 2);
    ArrayOperations ops = ArrayOperations.withoutWeights();
    Architecture plain = Architecture.of(new Largest(), two, 2);
    assertThat(plain.scores(ops, x).values()).containsExactly(1, 2);
    Architecture pooled = new Architecture(new Largest(), 1, true, Map.of(), two, 2);
    for (int k = 0; k < 4; k++) {
      assertThat(pooled.scores(ops, ops.quarterTurns(x, k)).values()).containsExactly(9, 9);
    }
  }

  @Test
  void convolutions() {
    Convolution how = Convolution.of(6, 3);
    assertThat(how).isEqualTo(new Convolution(6, 3, 1, 0, 1, true));
    assertThat(how.stride(2).padding(1).groups(3).withoutBias())
        .isEqualTo(new Convolution(6, 3, 2, 1, 3, false));
    int[][] bad = {{0, 3, 1, 0, 1}, {6, 0, 1, 0, 1}, {6, 3, 0, 0, 1}, {6, 3, 1, -1, 1}};
    for (int[] b : bad) {
      assertThatThrownBy(() -> new Convolution(b[0], b[1], b[2], b[3], b[4], true))
          .hasMessageContaining("convolution: expected out, side, stride, groups >= 1");
    }
    assertThatThrownBy(() -> how.groups(0)).hasMessageContaining("groups");
    assertThatThrownBy(() -> how.groups(4)).hasMessageContaining("groups that divide out");
    assertThat(new Convolution(1, 1, 1, 0, 1, true).out()).isEqualTo(1);
  }

  /** He's rule has the variance 2/fan-in: that of a uniform in ±b is b²/3. */
  @Test
  void startingNumbers() {
    assertThat(Initial.he(24)).isEqualTo(new Initial(0, 0.5, true));
    assertThat(Initial.constant(3).withoutDecay()).isEqualTo(new Initial(3, 0, false));
    assertThatThrownBy(() -> new Initial(Double.NaN, 0, true)).hasMessageContaining("initial");
    assertThatThrownBy(() -> new Initial(0, -1, true)).hasMessageContaining("bound >= 0");
    assertThatThrownBy(() -> Initial.uniform(Double.POSITIVE_INFINITY))
        .hasMessageContaining("bound >= 0");
    long[] shape = {50, 40};
    Parameter p = new Parameter("w", shape, new Initial(10, 2, true), true);
    assertThat(p.count()).isEqualTo(2000);
    float[] drawn = p.start(new Random(1)).values();
    double least = 20;
    double most = 0;
    for (float v : drawn) {
      least = Math.min(least, v);
      most = Math.max(most, v);
    }
    assertThat(least).isCloseTo(8, within(0.02));
    assertThat(most).isCloseTo(12, within(0.02));
    Parameter constant = new Parameter("w", shape, Initial.constant(7), true);
    assertThat(constant.start(new Random(1)).values()).containsOnly(7);
    assertThat(constant.start(new Random(1)).shape()).containsExactly(50, 40);
  }

  @Test
  void parametersAreEqualByAllTheyAre() {
    Initial zero = Initial.constant(0);
    Parameter p = new Parameter("w", new long[] {2, 3}, zero, true);
    Parameter same = new Parameter("w", new long[] {2, 3}, Initial.constant(0), true);
    assertThat(p).isEqualTo(same).hasSameHashCodeAs(same).hasToString("w [2, 3]");
    assertThat(p)
        .isNotEqualTo(new Parameter("v", new long[] {2, 3}, zero, true))
        .isNotEqualTo(new Parameter("w", new long[] {3, 2}, zero, true))
        .isNotEqualTo(new Parameter("w", new long[] {2, 3}, Initial.constant(1), true))
        .isNotEqualTo(new Parameter("w", new long[] {2, 3}, zero, false))
        .doesNotHaveSameHashCodeAs(new Parameter("v", new long[] {2, 3}, zero, true));
  }

  @Test
  void tensors() {
    FloatTensor t = new FloatTensor(new long[] {1, 2}, new float[] {3, 4});
    FloatTensor same = new FloatTensor(new long[] {1, 2}, new float[] {3, 4});
    assertThat(t).isEqualTo(same).hasSameHashCodeAs(same).hasToString("FloatTensor[1, 2]");
    assertThat(t)
        .isNotEqualTo(new FloatTensor(new long[] {2, 1}, new float[] {3, 4}))
        .isNotEqualTo(new FloatTensor(new long[] {1, 2}, new float[] {3, 5}));
    assertThatThrownBy(() -> new FloatTensor(new long[] {2, 2}, new float[3]))
        .hasMessage("tensor: expected 4 elements for shape [2, 2], found 3");
    float[] drawn = FloatTensor.uniform(new Random(1), 100, 20).values();
    double sum = 0;
    float most = 0;
    for (float v : drawn) {
      assertThat(v).isBetween(-0.5f, 0.5f);
      sum += v;
      most = Math.max(most, v);
    }
    assertThat(most).isGreaterThan(0.49f);
    assertThat(drawn).hasSize(2000);
    assertThat(sum / 2000).isCloseTo(0, within(0.03));
  }
}
