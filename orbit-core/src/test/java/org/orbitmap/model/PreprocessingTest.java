package org.orbitmap.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

/** (scale · u - mean) / std. */
class PreprocessingTest {
  private static double of(Preprocessing p, int channel, double u) {
    return p.gain(channel) * u + p.black(channel);
  }

  @Test
  void blackAndWhite() {
    assertThat(of(Preprocessing.NONE, 0, 0)).isZero();
    assertThat(of(Preprocessing.NONE, 0, 1)).isEqualTo(1);
    assertThat(of(Preprocessing.BYTES, 0, 1)).isEqualTo(255);
    assertThat(of(Preprocessing.CENTRED, 0, 0)).isEqualTo(-1);
    assertThat(of(Preprocessing.CENTRED, 0, 1)).isEqualTo(1);
    assertThat(of(Preprocessing.IMAGENET, 1, 0.456)).isCloseTo(0, within(1e-12));
    assertThat(of(Preprocessing.IMAGENET, 2, 0.406 + 0.225)).isCloseTo(1, within(1e-12));
  }

  @Test
  void oneNumberIsForEveryChannel() {
    Preprocessing three = Preprocessing.CENTRED.forChannels(3);
    assertThat(three.mean()).containsExactly(0.5, 0.5, 0.5);
    assertThat(three.std()).containsExactly(0.5, 0.5, 0.5);
    assertThat(Preprocessing.IMAGENET.forChannels(3)).isEqualTo(Preprocessing.IMAGENET);
    assertThatThrownBy(() -> Preprocessing.IMAGENET.forChannels(1))
        .hasMessage("mean: expected 1 or 1 numbers (the model's channels), found 3");
  }

  @Test
  void whatDividesByNothingIsRefused() {
    double[] one = {1};
    for (double bad : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatThrownBy(() -> new Preprocessing(bad, one, one)).hasMessageContaining("scale");
      assertThatThrownBy(() -> new Preprocessing(1, one, new double[] {1, bad}))
          .hasMessageContaining("std: expected positive numbers");
    }
    assertThatThrownBy(() -> new Preprocessing(1, new double[] {Double.NaN}, one))
        .hasMessageContaining("mean: expected numbers");
    assertThatThrownBy(() -> new Preprocessing(1, new double[0], one))
        .hasMessageContaining("at least one");
    assertThatThrownBy(() -> new Preprocessing(1, one, new double[0]))
        .hasMessageContaining("at least one");
  }

  @Test
  void equalByNumbersAndNotTouchedFromOutside() {
    double[] mean = {0.1, 0.2};
    double[] std = {1, 2};
    Preprocessing p = new Preprocessing(3, mean, std);
    mean[0] = 9;
    std[0] = 9;
    Preprocessing same = new Preprocessing(3, new double[] {0.1, 0.2}, new double[] {1, 2});
    assertThat(p).isEqualTo(same).hasSameHashCodeAs(same);
    for (Preprocessing other :
        List.of(
            new Preprocessing(2, same.mean(), same.std()),
            new Preprocessing(3, new double[] {0.1, 0.3}, same.std()),
            new Preprocessing(3, same.mean(), new double[] {1, 3}))) {
      assertThat(p).isNotEqualTo(other).doesNotHaveSameHashCodeAs(other);
    }
    assertThat(p).hasToString("(3.0 u - [0.1, 0.2]) / [1.0, 2.0]");
    assertThat(p.isNone()).isFalse();
    assertThat(new Preprocessing(1, new double[] {0}, new double[] {1}).isNone()).isTrue();
  }

  @Test
  void bytesGoUpTo255() {
    TensorSpec bytes = new TensorSpec("x", "uint8", TensorSpec.sizes(-1, 3, 8, 8));
    ModelInput<?> input = new ModelInput.Images(bytes, Layout.NCHW, 3, 8, 8);
    assertThat(Preprocessing.usual(input)).isSameAs(Preprocessing.BYTES);
    assertThat(Preprocessing.usual(ModelInput.Clouds.free(true))).isSameAs(Preprocessing.NONE);
  }
}
