package org.orbitmap.network.steerable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.orbitmap.model.InputShape;
import org.orbitmap.network.Architecture;
import org.orbitmap.network.FloatTensor;
import org.orbitmap.network.run.ArrayOperations;
import org.orbitmap.network.run.ArrayWeights;
import org.orbitmap.network.steerable.Harmonics.Ring;
import org.orbitmap.network.zoo.Networks;

class SteerableConvolutionTest {
  /** The fast expansion gives what the projection onto the intertwiner condition gives. */
  @ParameterizedTest
  @CsvSource({
    "4, false, true, 3",
    "4, true, true, 5",
    "5, true, true, 5",
    "6, false, true, 4",
    "8, true, false, 7",
    "16, false, true, 3",
    "3, true, true, 9"
  })
  void expandedKernelsAreProjections(int rotations, boolean mirrors, boolean regular, int side) {
    PlaneGroup group = new PlaneGroup(rotations, mirrors);
    FieldType in = new FieldType(group, regular, 2);
    FieldType out = FieldType.regular(group, 2);
    Harmonics basis = Harmonics.published(side);
    SteerableConvolution c = new SteerableConvolution("c", in, out, basis);
    int count = basis.count();
    float[] w = new float[out.count() * in.channels() * count];
    assertThat(c.parameters()).isEqualTo(w.length);
    Random random = new Random(3);
    for (int i = 0; i < w.length; i++) {
      w[i] = (float) random.nextGaussian();
    }
    FloatTensor weights = new FloatTensor(new long[] {w.length / count, count}, w);
    float[] kernels =
        c.of(new ArrayOperations(new ArrayWeights(Map.of("c.weight", weights)))).values();
    KernelSpace space = new KernelSpace(in, out, basis);
    int area = side * side;
    for (int o = 0; o < out.count(); o++) {
      for (int i = 0; i < in.count(); i++) {
        // all that goes to channel 0, each time as often as the group has elements
        double[] base = new double[space.length()];
        for (int k = 0; k < in.size() * count; k++) {
          base[k] = group.order() * w[(o * in.count() + i) * in.size() * count + k];
        }
        double[] projected = space.projection(base);
        for (int a = 0; a < out.size(); a++) {
          for (int b = 0; b < in.size(); b++) {
            for (int pixel = 0; pixel < area; pixel++) {
              double expected = 0;
              for (int m = 0; m < count; m++) {
                expected += projected[(a * in.size() + b) * count + m] * basis.sampled(m)[pixel];
              }
              int row = (o * out.size() + a) * in.channels() + i * in.size() + b;
              assertThat((double) kernels[row * area + pixel]).isCloseTo(expected, within(1e-5));
            }
          }
        }
        assertThat(space.projection(projected)).containsExactly(projected, within(1e-12));
      }
    }
  }

  /** b_m(g⁻¹x) is the sum that D(g) says, and D(gh) = D(g)·D(h) up to the order of its factors. */
  @Test
  void harmonicsAreSteered() {
    PlaneGroup group = PlaneGroup.dihedral(12);
    Harmonics basis = Harmonics.published(9);
    int count = basis.count();
    assertThat(count).isEqualTo(31);
    for (int g = 0; g < group.order(); g++) {
      for (int h = 0; h < group.order(); h++) {
        double[][] first = basis.steering(group, g);
        double[][] second = basis.steering(group, h);
        double[][] both = basis.steering(group, group.product(g, h));
        for (int m = 0; m < count; m++) {
          for (int n = 0; n < count; n++) {
            double sum = 0;
            for (int k = 0; k < count; k++) {
              // b_m((gh)⁻¹x) = b_m(h⁻¹(g⁻¹x)): h is expanded first
              sum += second[m][k] * first[k][n];
            }
            assertThat(both[m][n]).isCloseTo(sum, within(1e-12));
          }
        }
      }
    }
    for (int m = 0; m < count; m++) {
      double energy = 0;
      for (double v : basis.sampled(m)) {
        energy += v * v;
      }
      assertThat(energy).isBetween(0.7, 1.3);
    }
  }

  /** exp(-(r - R)²/2σ²)·cos kθ and ·sin kθ, divided by the root of the mean of their squares. */
  @Test
  void harmonicsAreTheirFormula() {
    Harmonics basis = new Harmonics(4, List.of(new Ring(0.5, 0.7, 0), new Ring(1.5, 0.4, 2)));
    assertThat(basis.side()).isEqualTo(4);
    assertThat(basis.count()).isEqualTo(6);
    int[] frequency = {0, 0, 1, 1, 2, 2};
    for (int m = 0; m < 6; m++) {
      double radius = m == 0 ? 0.5 : 1.5;
      double width = m == 0 ? 0.7 : 0.4;
      double[] expected = new double[16];
      double energy = 0;
      for (int i = 0; i < 16; i++) {
        double x = i % 4 - 1.5;
        double y = Math.floorDiv(i, 4) - 1.5;
        double radial = Math.exp(-Math.pow((Math.hypot(x, y) - radius) / width, 2) / 2);
        double angle = frequency[m] * Math.atan2(y, x);
        expected[i] = radial * (m == 3 || m == 5 ? Math.sin(angle) : Math.cos(angle));
        energy += radial * radial / (frequency[m] == 0 ? 1 : 2);
      }
      for (int i = 0; i < 16; i++) {
        expected[i] /= Math.sqrt(energy);
      }
      assertThat(basis.sampled(m)).containsExactly(expected, within(1e-12));
    }
    assertThat(new Harmonics(3, List.of(new Ring(1, 0.6, 1))).sampled(1)[4])
        .as("the centre has no angle")
        .isZero();
    assertThat(basis)
        .isEqualTo(new Harmonics(4, basis.rings()))
        .isNotEqualTo(new Harmonics(5, basis.rings()))
        .isNotEqualTo(Harmonics.published(4));
  }

  @Test
  void ringsAreAsPublished() {
    assertThat(Harmonics.published(7).rings())
        .containsExactly(
            new Ring(0, 0.005, 0), new Ring(1, 0.6, 2), new Ring(2, 0.6, 3), new Ring(3, 0.4, 2));
    assertThat(Harmonics.published(4).rings())
        .containsExactly(new Ring(0.5, 0.6, 1), new Ring(1.5, 0.4, 2));
    assertThatThrownBy(() -> new Harmonics(3, List.of(new Ring(0.5, 0.005, 0))))
        .hasMessageContaining("touches a pixel of a 3 x 3");
    assertThatThrownBy(() -> new Ring(0, 1, 1)).hasMessageContaining("0 at the centre");
    assertThatThrownBy(() -> new PlaneGroup(0, true)).hasMessageContaining("1 to 64, found 0");
  }

  @Test
  void theFreeFormTakesItsOptions() {
    InputShape<?> digits = new InputShape.Images(1, 29, 29);
    long published = Architecture.of(Networks.named("e2cnn-d4c4"), digits, 10).declare().count();
    assertThat(published).isEqualTo(2_832_493);
    assertThat(free(digits, Map.of("rotations", "4")).declare().count()).isEqualTo(published);
    long rotationsAlone =
        free(digits, Map.of("rotations", "6", "restriction", "0", "channels", "2,3,4,4,5,6"))
            .declare()
            .count();
    // fields ⌊c/√(6/16)⌋: 3, 4, 6, 6, 8, 9
    long convolutions = 3 * 31 + 6 * (18 * (12 + 24 + 36 + 48) + 11 * 72);
    long rest = 2 * (3 + 4 + 6 + 6 + 8 + 9) + 9 * 96 + 96 + 96 * 96 + 96 + 4 * 96 + 970;
    assertThat(rotationsAlone).isEqualTo(convolutions + rest);
    assertThat(free(digits, Map.of("rotations", "6")).ignoresQuarterTurns()).isFalse();
    assertThat(free(digits, Map.of("rotations", "12")).ignoresQuarterTurns()).isTrue();
    assertThatThrownBy(() -> free(digits, Map.of("rotations", "four")).declare())
        .hasMessageContaining("option rotations: expected a whole number from 1 to 64, found four");
    assertThatThrownBy(() -> free(digits, Map.of("channels", "1,2")).declare())
        .hasMessageContaining("option channels: expected 6 numbers");
    assertThatThrownBy(() -> free(digits, Map.of("order", "8")).declare())
        .hasMessageContaining("expected options of [channels, restriction, rotations]");
    Architecture fixed =
        new Architecture(
            Networks.named("e2cnn-d4c4"), 1, false, Map.of("rotations", "8"), digits, 10);
    assertThatThrownBy(fixed::declare).hasMessageContaining("no options");
  }

  private static Architecture free(InputShape<?> input, Map<String, String> options) {
    return new Architecture(Networks.named("e2cnn"), 1, false, options, input, 10);
  }
}
