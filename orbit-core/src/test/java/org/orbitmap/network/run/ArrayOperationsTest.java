package org.orbitmap.network.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.orbitmap.group.Rotation2;
import org.orbitmap.image.Image;
import org.orbitmap.image.ImageRotation;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampling;
import org.orbitmap.network.Convolution;
import org.orbitmap.network.Declaration.Shape;
import org.orbitmap.network.FloatTensor;
import org.orbitmap.network.Initial;
import org.orbitmap.network.Operations;
import org.orbitmap.network.run.ArrayOperations.Batch;

/** Each operation against its definition, on numbers that can be checked by hand. */
class ArrayOperationsTest {
  private final ArrayOperations ops = ArrayOperations.withoutWeights();

  private static ArrayOperations with(Map<String, float[]> weights) {
    Map<String, FloatTensor> tensors = new HashMap<>();
    weights.forEach((k, v) -> tensors.put(k, new FloatTensor(new long[] {v.length}, v)));
    return new ArrayOperations(new ArrayWeights(tensors));
  }

  private static float[] random(int n, long seed) {
    return FloatTensor.uniform(new SplittableRandom(seed), n).values();
  }

  private static float[] count(int n) {
    float[] values = new float[n];
    for (int i = 0; i < n; i++) {
      values[i] = i;
    }
    return values;
  }

  /** y[o, i, j] = b[o] + Σ w[o, c, r, s]·x[c, i·stride + r - padding, j·stride + s - padding]. */
  private static float[] convolved(
      Batch x, Convolution how, float[] w, float[] b, int high, int wide) {
    int[] axes = x.shape().axes();
    int in = axes[0] / how.groups();
    int each = how.out() / how.groups();
    float[] y = new float[x.size() * how.out() * high * wide];
    for (int n = 0; n < x.size(); n++) {
      for (int o = 0; o < how.out(); o++) {
        for (int i = 0; i < high; i++) {
          for (int j = 0; j < wide; j++) {
            double sum = b[o];
            for (int c = 0; c < in; c++) {
              for (int r = 0; r < how.side(); r++) {
                for (int s = 0; s < how.side(); s++) {
                  int row = i * how.stride() + r - how.padding();
                  int column = j * how.stride() + s - how.padding();
                  if (row >= 0 && row < axes[1] && column >= 0 && column < axes[2]) {
                    int channel = n * axes[0] + o / each * in + c;
                    sum +=
                        w[((o * in + c) * how.side() + r) * how.side() + s]
                            * x.values()[(channel * axes[1] + row) * axes[2] + column];
                  }
                }
              }
            }
            y[((n * how.out() + o) * high + i) * wide + j] = (float) sum;
          }
        }
      }
    }
    return y;
  }

  /** Few and many pixels, strides, paddings wider than the image, groups, blocks of rows. */
  @ParameterizedTest
  @CsvSource({
    "3, 7, 6, 5, 3, 1, 0, 1",
    "3, 7, 6, 5, 3, 1, 1, 1",
    "3, 8, 9, 5, 3, 2, 1, 1",
    "4, 3, 4, 40, 3, 1, 1, 1",
    "4, 3, 4, 40, 3, 2, 1, 2",
    "4, 5, 5, 40, 2, 2, 0, 4",
    "6, 8, 8, 4, 3, 1, 1, 2",
    "2, 2, 2, 3, 3, 1, 3, 1",
    "2, 1, 3, 3, 3, 3, 2, 1",
    "1, 1, 1, 9, 1, 1, 0, 1",
    "1, 3, 700, 2, 3, 1, 1, 1",
    "1, 40, 40, 2, 5, 1, 2, 1",
    "13, 6, 7, 3, 1, 1, 0, 1"
  })
  void convolution(
      int in, int height, int width, int out, int side, int stride, int padding, int groups) {
    Convolution how = new Convolution(out, side, stride, padding, groups, true);
    float[] w = random(out * in / groups * side * side, 1);
    float[] b = random(out, 2);
    Batch x = Batch.of(random(2 * in * height * width, 3), in, height, width);
    ArrayOperations own = with(Map.of("c.weight", w, "c.bias", b));
    // working memory is used again: what an earlier convolution left must not shine through
    Batch bright = ops.constant(random(9 * in * side * side, 4), 9, in, side, side);
    Batch earlier =
        Batch.of(random(in * (height + side) * (width + side), 5), in, height + side, width + side);
    ops.convolution(earlier, bright, Convolution.of(9, side).withoutBias());
    Batch y = own.convolution(x, "c", how);
    int high = (height + 2 * padding - side) / stride + 1;
    int wide = (width + 2 * padding - side) / stride + 1;
    assertThat(y.shape()).isEqualTo(Shape.of(out, high, wide));
    float[] expected = convolved(x, how, w, b, high, wide);
    assertThat(y.values()).containsExactly(expected, within(1e-5f));
    // once more, with what was kept; and with the kernel as numbers, without a bias
    assertThat(own.convolution(x, "c", how).values()).containsExactly(y.values());
    Batch kernel = ops.constant(w, out, in / groups, side, side);
    assertThat(ops.convolution(x, kernel, how.withoutBias()).values())
        .containsExactly(convolved(x, how, w, new float[out], high, wide), within(1e-5f));
    ArrayOperations bare = with(Map.of("c.weight", w));
    assertThat(bare.convolution(x, "c", how.withoutBias()).values())
        .containsExactly(convolved(x, how, w, new float[out], high, wide), within(1e-5f));
  }

  /** x·Wᵀ + b along the last axis, for any number of columns. */
  @ParameterizedTest
  @CsvSource({"1", "3", "4", "7", "8", "21"})
  void linear(int in) {
    float[] w = random(5 * in, 1);
    float[] b = random(5, 2);
    Batch x = Batch.of(random(2 * 3 * in, 3), 3, in);
    Batch y = with(Map.of("f.weight", w, "f.bias", b)).linear(x, "f", 5);
    assertThat(y.shape()).isEqualTo(Shape.of(3, 5));
    for (int row = 0; row < 6; row++) {
      for (int o = 0; o < 5; o++) {
        float sum = b[o];
        for (int k = 0; k < in; k++) {
          sum += w[o * in + k] * x.values()[row * in + k];
        }
        assertThat(y.values()[row * 5 + o]).isCloseTo(sum, within(1e-5f));
      }
    }
  }

  @Test
  void aMissingWeightIsNamed() {
    assertThatThrownBy(() -> ops.linear(Batch.of(new float[2], 2), "f", 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("weights: expected f.");
  }

  /** (x - mean)/√(variance + 10⁻⁵)·weight + bias, channel by channel or field by field. */
  @Test
  void batchNorm() {
    ArrayOperations own =
        with(
            Map.of(
                "n.weight", new float[] {2, 1},
                "n.bias", new float[] {10, 0},
                "n.running_mean", new float[] {1, -1},
                "n.running_var", new float[] {4, 0.25f}));
    float[] image = {1, 3, 0, 1, 5, -1, 1, 0};
    assertThat(own.batchNorm(Batch.of(image, 2, 1, 2), "n").values())
        .containsExactly(new float[] {10, 12, 2, 4, 14, 8, 4, 2}, within(1e-3f));
    assertThat(own.batchNorm(Batch.of(image, 2, 1, 4), "n").values())
        .containsExactly(new float[] {10, 12, 9, 10, 12, 0, 4, 2}, within(1e-3f));
    assertThat(own.batchNorm(Batch.of(image, 4, 1, 2), "n", 2).values())
        .containsExactly(new float[] {10, 12, 9, 10, 12, 0, 4, 2}, within(1e-3f));
    ArrayOperations still =
        with(
            Map.of(
                "n.weight", new float[] {1},
                "n.bias", new float[] {0},
                "n.running_mean", new float[] {0},
                "n.running_var", new float[] {0}));
    assertThat(still.batchNorm(Batch.of(new float[] {1}, 1), "n").values()[0])
        .isCloseTo((float) Math.sqrt(1e5), within(1e-2f));
    assertThat(own.batchNorm(Batch.of(image, 2), "n").values())
        .containsExactly(new float[] {10, 8, 9, 4, 14, 0, 10, 2}, within(1e-3f));
    assertThat(own.batchNorm(Batch.of(image, 4, 1, 1), "n", 2).values())
        .containsExactly(new float[] {10, 12, 2, 4, 14, 8, 4, 2}, within(1e-3f));
    assertThat(own.normRelu(Batch.of(new float[] {-99, -99}, 2), "n").values())
        .containsExactly(0, 0);
  }

  @Test
  void functionsOfOneNumber() {
    Batch x = Batch.of(new float[] {-2, 0, 1}, 3);
    assertThat(ops.relu(x).values()).containsExactly(0, 0, 1);
    assertThat(ops.elu(x).values())
        .containsExactly(new float[] {(float) Math.exp(-2) - 1, 0, 1}, within(1e-6f));
    // Φ(-2) = 0.0227501, Φ(1) = 0.8413447
    assertThat(ops.gelu(x).values())
        .containsExactly(new float[] {-0.0455003f, 0, 0.8413447f}, within(1e-6f));
    assertThat(ops.sigmoid(x).values())
        .containsExactly(new float[] {0.1192029f, 0.5f, 0.7310586f}, within(1e-6f));
    assertThat(ops.softplus(x).values())
        .containsExactly(new float[] {0.126928f, 0.6931472f, 1.3132617f}, within(1e-6f));
    assertThat(ops.sqrt(Batch.of(new float[] {4, 9}, 2)).values()).containsExactly(2, 3);
    assertThat(ops.addRelu(x, Batch.of(new float[] {1, 1, 1}, 3)).values())
        .containsExactly(0, 1, 2);
    for (Batch y : new Batch[] {ops.relu(x), ops.elu(x), ops.gelu(x), ops.sigmoid(x)}) {
      assertThat(y.shape()).isEqualTo(Shape.of(3));
    }
    assertThat(ops.dropout(x, 0.5)).isSameAs(x);
  }

  @Test
  void pools() {
    // 0 1 2 / 3 4 5 / 6 7 8, and the same negative
    float[] two = count(18);
    for (int i = 0; i < 9; i++) {
      two[9 + i] = -i;
    }
    Batch x = Batch.of(two, 2, 3, 3);
    assertThat(ops.maxPool(x, 2, 1, 0).values()).containsExactly(4, 5, 7, 8, 0, -1, -3, -4);
    assertThat(ops.maxPool(x, 2, 2, 1).values()).containsExactly(0, 2, 6, 8, 0, -1, -3, -4);
    assertThat(ops.maxPool(x, 3, 2, 1).shape()).isEqualTo(Shape.of(2, 2, 2));
    assertThat(ops.averagePool(x, 2).values()).containsExactly(2, -2);
    assertThat(ops.averagePool(x, 2, true).values())
        .containsExactly(2, 3.5f, 6.5f, 8, -2, -3.5f, -6.5f, -8);
    assertThat(ops.globalAverage(x).values()).containsExactly(4, -4);
    assertThat(ops.globalAverage(x).shape()).isEqualTo(Shape.of(2));
    assertThat(ops.pad(Batch.of(new float[] {1, 2, 3, 4}, 2, 1, 2), 1, 2, 0, 1).values())
        .containsExactly(0, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 3, 4, 0);
    assertThat(ops.pad(Batch.of(count(8), 2, 2, 2), 0, 0, 1, 0).values())
        .containsExactly(0, 1, 2, 3, 0, 0, 4, 5, 6, 7, 0, 0);
  }

  @Test
  void alongAnAxis() {
    Batch x = Batch.of(new float[] {1, 5, 3, 4, 2, 0, -1, -5, -3, -4, -2, 0}, 2, 3);
    assertThat(ops.max(x, 0).values()).containsExactly(4, 5, 3, -1, -2, 0);
    assertThat(ops.max(x, 1).values()).containsExactly(5, 4, -1, 0);
    assertThat(ops.mean(x, 0).values()).containsExactly(2.5f, 3.5f, 1.5f, -2.5f, -3.5f, -1.5f);
    assertThat(ops.mean(x, 1).values()).containsExactly(3, 2, -3, -2);
    assertThat(ops.mean(x, 1).shape()).isEqualTo(Shape.of(2));
  }

  @Test
  void pairsOfNumbers() {
    Batch x = Batch.of(new float[] {1, 2, 3, 4}, 2);
    Batch y = Batch.of(new float[] {4, 2, 1, 2}, 2);
    assertThat(ops.add(x, y).values()).containsExactly(5, 4, 4, 6);
    assertThat(ops.subtract(x, y).values()).containsExactly(-3, 0, 2, 2);
    assertThat(ops.multiply(x, y).values()).containsExactly(4, 4, 3, 8);
    assertThat(ops.divide(x, y).values()).containsExactly(0.25f, 1, 3, 2);
    assertThat(ops.maximum(x, y).values()).containsExactly(4, 2, 3, 4);
  }

  /** What has length 1, fewer axes or no batch is the same everywhere. */
  @Test
  void pairsOfDifferentShapes() {
    Batch x = Batch.of(count(12), 2, 3); // two inputs
    Batch row = ops.constant(new float[] {10, 20, 30}, 3);
    assertThat(ops.add(x, row).values())
        .containsExactly(10, 21, 32, 13, 24, 35, 16, 27, 38, 19, 30, 41);
    assertThat(ops.add(row, x).values()).containsExactly(ops.add(x, row).values());
    Batch column = Batch.of(new float[] {100, 200, 300, 400}, 2, 1);
    assertThat(ops.add(x, column).values())
        .containsExactly(100, 101, 102, 203, 204, 205, 306, 307, 308, 409, 410, 411);
    Batch single = ops.constant(new float[] {1}, 1);
    assertThat(ops.subtract(single, x).values())
        .containsExactly(1, 0, -1, -2, -3, -4, -5, -6, -7, -8, -9, -10);
    Batch all = ops.constant(new float[] {1, 2, 3, 4, 5, 6}, 2, 3);
    assertThat(ops.subtract(x, all).values())
        .containsExactly(-1, -1, -1, -1, -1, -1, 5, 5, 5, 5, 5, 5);
    Batch deep = ops.add(Batch.of(count(4), 2, 1, 2), ops.constant(new float[] {0, 10}, 1, 2, 1));
    assertThat(deep.values()).containsExactly(0, 1, 10, 11, 2, 3, 12, 13);
    assertThat(deep.shape()).isEqualTo(Shape.of(2, 2, 2));
  }

  @Test
  void matrices() {
    Batch a = Batch.of(new float[] {1, 2, 3, 4, 5, 6, 1, 0, 0, 0, 1, 0}, 2, 3);
    Batch b = ops.constant(new float[] {1, 0, 0, 1, 1, 1}, 3, 2);
    assertThat(ops.matmul(a, b).values()).containsExactly(4, 5, 10, 11, 1, 0, 0, 1);
    Batch c = Batch.of(new float[] {1, 2, 3, 10, 20, 30}, 3, 1);
    assertThat(ops.matmul(a, c).values()).containsExactly(14, 32, 10, 20);
    Batch d = ops.constant(new float[] {1, 1}, 1, 2);
    assertThat(ops.matmul(d, a).values()).containsExactly(5, 7, 9, 1, 1, 0);
    assertThat(ops.matmul(d, ops.constant(new float[] {2, 3}, 2, 1)).values()).containsExactly(5);
  }

  @Test
  void axesChangePlaces() {
    Batch x = Batch.of(count(12), 2, 3);
    assertThat(ops.transpose(x, 0, 1).values())
        .containsExactly(0, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8, 11);
    assertThat(ops.transpose(x, 1, 0).values()).containsExactly(ops.transpose(x, 0, 1).values());
    Batch deep = Batch.of(count(12), 2, 3, 2);
    assertThat(ops.transpose(deep, 0, 2).values())
        .containsExactly(0, 6, 2, 8, 4, 10, 1, 7, 3, 9, 5, 11);
    assertThat(ops.transpose(deep, 0, 1).values())
        .containsExactly(0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11);
    assertThat(ops.transpose(deep, 1, 2).values())
        .containsExactly(0, 2, 4, 1, 3, 5, 6, 8, 10, 7, 9, 11);
    assertThat(ops.reshape(x, 3, 2).values()).isSameAs(x.values());
    assertThat(ops.reshape(x, 3, 2).shape()).isEqualTo(Shape.of(3, 2));
    assertThat(ops.flatten(x).shape()).isEqualTo(Shape.of(6));
    assertThat(ops.length(x, 1)).isEqualTo(3);
    assertThat(x.size()).isEqualTo(2);
    assertThat(Batch.of(new float[0], 0).size()).isZero();
  }

  @Test
  void entriesByNumber() {
    Batch x = Batch.of(count(12), 2, 3);
    assertThat(ops.select(x, 1, new int[] {2, 0, 0, 1}).values())
        .containsExactly(2, 0, 0, 1, 5, 3, 3, 4, 8, 6, 6, 7, 11, 9, 9, 10);
    assertThat(ops.select(x, new int[] {1}).values()).containsExactly(3, 4, 5, 9, 10, 11);
    assertThat(ops.select(x, new int[] {1}).shape()).isEqualTo(Shape.of(1, 3));
  }

  /** Counter-clockwise, as images are turned; four turns are none. */
  @Test
  void quarterTurns() {
    Batch x = Batch.of(count(8), 2, 2, 2);
    assertThat(ops.quarterTurns(x, 1).values()).containsExactly(1, 3, 0, 2, 5, 7, 4, 6);
    assertThat(ops.quarterTurns(x, 2).values()).containsExactly(3, 2, 1, 0, 7, 6, 5, 4);
    assertThat(ops.quarterTurns(x, 3).values()).containsExactly(2, 0, 3, 1, 6, 4, 7, 5);
    assertThat(ops.quarterTurns(x, -1).values()).containsExactly(2, 0, 3, 1, 6, 4, 7, 5);
    assertThat(ops.quarterTurns(x, 4).values()).containsExactly(count(8));
    assertThat(ops.quarterTurns(x, 5).shape()).isEqualTo(x.shape());
  }

  @Test
  void imagesAreReadElsewhere() {
    float[] pixels = random(2 * 2 * 3 * 5, 4);
    Batch x = Batch.of(pixels, 2, 3, 5);
    double[] degrees = {30, 200};
    float[] directions = new float[4];
    for (int i = 0; i < 2; i++) {
      directions[2 * i] = (float) Math.cos(Math.toRadians(degrees[i]));
      directions[2 * i + 1] = (float) Math.sin(Math.toRadians(degrees[i]));
    }
    float[] turned = ops.rotate(x, Batch.of(directions, 2), Resampling.BILINEAR).values();
    float[] alike =
        ops.rotate(x, ops.constant(new float[] {0, 1}, 2), Resampling.BILINEAR).values();
    ImageRotation action = new ImageRotation(Resampling.BILINEAR);
    for (int i = 0; i < 2; i++) {
      Image u = new Image(2, 3, 5, Arrays.copyOfRange(pixels, 30 * i, 30 * i + 30));
      float[] expected = action.act(Rotation2.ofDegrees(degrees[i]), u).data();
      float[] quarter = action.act(Rotation2.ofDegrees(90), u).data();
      for (int k = 0; k < 30; k++) {
        assertThat(turned[30 * i + k]).isCloseTo(expected[k], within(1e-5f));
        assertThat(alike[30 * i + k]).isCloseTo(quarter[k], within(1e-5f));
      }
    }
    // the pixel right of the centre, the one below it, and nothing, for all; then for each
    Batch places = ops.constant(new float[] {1, 0, 0, 1, 9, 9}, 1, 3, 2);
    Batch read = ops.sample(x, places, Interpolation.BILINEAR);
    assertThat(read.shape()).isEqualTo(Shape.of(2, 1, 3));
    for (int plane = 0; plane < 4; plane++) {
      assertThat(read.values()[3 * plane]).isEqualTo(pixels[15 * plane + 8]);
      assertThat(read.values()[3 * plane + 1]).isEqualTo(pixels[15 * plane + 12]);
      assertThat(read.values()[3 * plane + 2]).isZero();
    }
    Batch each = Batch.of(new float[] {1, 0, 0, 1}, 1, 1, 2);
    assertThat(ops.sample(x, each, Interpolation.NEAREST).values())
        .containsExactly(pixels[8], pixels[23], pixels[42], pixels[57]);
    Batch pairs = Batch.of(new float[] {1, 0, 0, 1, 0, 0, -1, 0}, 1, 2, 2);
    assertThat(ops.sample(x, pairs, Interpolation.NEAREST).values())
        .containsExactly(
            pixels[8],
            pixels[12],
            pixels[23],
            pixels[27],
            pixels[37],
            pixels[36],
            pixels[52],
            pixels[51]);
  }

  /** Softmax of numbers that are far from 0 is that of their differences. */
  @Test
  void softmax() {
    float l2 = (float) Math.log(2);
    Batch x = Batch.of(new float[] {0, l2, 0, 1000, 1000, 1000 + l2}, 3);
    assertThat(ops.softmax(x).values())
        .containsExactly(new float[] {0.25f, 0.5f, 0.25f, 0.25f, 0.25f, 0.5f}, within(1e-4f));
    float quarter = (float) Math.log(0.25);
    float half = (float) Math.log(0.5);
    assertThat(ops.logSoftmax(x).values())
        .containsExactly(
            new float[] {quarter, half, quarter, quarter, quarter, half}, within(1e-4f));
    assertThat(ops.softmax(Batch.of(new float[] {1000, 0}, 2)).values()).containsExactly(1, 0);
    assertThat(ops.softmax(Batch.of(new float[] {0, 1000}, 2)).values()).containsExactly(0, 1);
    assertThat(ops.logSoftmax(Batch.of(new float[] {0, 1000}, 2)).values())
        .containsExactly(-1000, 0);
  }

  @Test
  void randomNumbersAreTheSameForAll() {
    Batch x = Batch.of(new float[6], 3);
    Batch drawn = ops.uniform(x, 5, 1, 4);
    assertThat(drawn.shape().batched()).isFalse();
    assertThat(drawn.values()).hasSize(4).containsExactly(ops.uniform(x, 5, 4, 1).values());
    assertThat(drawn.values()).isNotEqualTo(ops.uniform(x, 6, 1, 4).values());
  }

  @Test
  void numbersFromParameters() {
    ArrayOperations own = with(Map.of("p", new float[] {1, 2, 3, 4}));
    Batch p = own.parameter("p", Initial.constant(0), 4);
    assertThat(p.values()).containsExactly(1, 2, 3, 4);
    assertThat(p.shape().batched()).isFalse();
    int[] places = {3, 3, 0};
    assertThat(own.shared("p", Initial.constant(0), 4, places, 3).values())
        .containsExactly(4, 4, 1);
    Batch twice = own.derived("twice", new Doubled());
    assertThat(twice.values()).containsExactly(2, 4, 6, 8);
    assertThat(own.derived("twice", new Doubled())).isSameAs(twice);
  }

  private record Doubled() implements Operations.Derivation {
    @Override
    public <T> T of(Operations<T> ops) {
      T p = ops.parameter("p", Initial.constant(0), 4);
      return ops.add(p, p);
    }
  }

  /** A mean of 0 and a variance of gain² in every output channel. */
  @Test
  void standardised() {
    Batch kernel = ops.constant(new float[] {1, 3, 1, 3, 10, 10, 10, 50}, 2, 1, 2, 2);
    Batch y = ops.standardised(kernel, ops.constant(new float[] {2, 3}, 2), 0);
    float a = (float) (-3 / Math.sqrt(3));
    assertThat(y.values())
        .containsExactly(new float[] {-2, 2, -2, 2, a, a, a, -3 * a}, within(1e-5f));
    Batch flat = ops.constant(new float[] {5, 5}, 1, 2, 1, 1);
    assertThat(ops.standardised(flat, ops.constant(new float[] {1}, 1), 1e-5).values())
        .containsExactly(0, 0);
    Batch soft = ops.constant(new float[] {-1, 1}, 1, 2, 1, 1);
    assertThat(ops.standardised(soft, ops.constant(new float[] {1}, 1), 3).values())
        .containsExactly(-0.5f, 0.5f);
  }
}
