package org.orbitmap.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.orbitmap.image.Interpolation;
import org.orbitmap.model.InputShape;
import org.orbitmap.network.Declaration.Shape;
import org.orbitmap.network.zoo.Networks;

class DeclarationTest {
  /** The counts of the published networks; TI-pooling shares the parameters. */
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
    "e2cnn-d4c4, 28, 10, 2834539",
    "e2cnn-d16c16, 28, 10, 2804882",
    "e2cnn, 28, 10, 2815320",
    "upright-p4, 32, 72, 328618",
    "upright-p4-o2, 32, 144, 333244",
    "upright-cube, 1024, 96, 215804",
    "pointnet, 1024, 40, 811048",
    "pointnet-stn, 1024, 40, 3471473"
  })
  void parametersAreAsPublished(String name, int side, int classes, long count) {
    Network network = Networks.named(name);
    boolean images = network.takes().equals("images");
    InputShape<?> input =
        images ? new InputShape.Images(3, side, side) : new InputShape.Clouds(side);
    assertThat(Architecture.of(network, input, classes).declare().count()).isEqualTo(count);
    if (images) {
      Architecture pooled = new Architecture(network, 1, true, Map.of(), input, classes);
      assertThat(pooled.declare().count()).isEqualTo(count);
    }
  }

  /** Whoever adds a network adds its published count above. */
  @Test
  void everyNetworkIsCounted() {
    Set<String> counted =
        Set.of(
            "linear",
            "convnet",
            "resnet18",
            "resnet18-imagenet",
            "resnet34",
            "resnet50",
            "resnet101",
            "nfnet-f0",
            "e2cnn-d4c4",
            "e2cnn-d16c16",
            "e2cnn",
            "upright-p4",
            "upright-p4-o2",
            "upright-cube",
            "pointnet",
            "pointnet-stn");
    assertThat(Networks.all().stream().map(Network::name))
        .containsExactlyInAnyOrderElementsOf(counted);
  }

  @Test
  void shapesThatDoNotFitAreRefused() {
    Declaration ops = new Declaration();
    Shape image = Shape.of(3, 8, 8);
    assertThat(ops.convolution(image, "c", Convolution.of(5, 3).stride(2)))
        .isEqualTo(Shape.of(5, 3, 3));
    assertThatThrownBy(() -> ops.convolution(image, "c", Convolution.of(6, 3).stride(2)))
        .hasMessageContaining("expected c.weight [5, 3, 3, 3] as it was declared first");
    assertThatThrownBy(() -> ops.convolution(image, "big", Convolution.of(5, 9)))
        .hasMessageContaining("at least 9 rows and columns");
    assertThatThrownBy(() -> ops.convolution(image, "g", Convolution.of(4, 3).groups(2)))
        .hasMessageContaining("2 groups");
    assertThatThrownBy(() -> ops.add(image, Shape.of(8, 8))).hasMessageContaining("add");
    assertThatThrownBy(() -> ops.add(Shape.of(4), Shape.of(5))).hasMessageContaining("add");
    assertThatThrownBy(() -> ops.matmul(Shape.of(2, 3), Shape.of(2, 3)))
        .hasMessageContaining("3 rows");
    assertThatThrownBy(() -> ops.reshape(image, 3, 8)).hasMessageContaining("192 elements");
    assertThatThrownBy(() -> ops.quarterTurns(Shape.of(3, 8, 9), 1)).hasMessageContaining("square");
    assertThatThrownBy(() -> ops.rotate(image, Shape.of(3), null))
        .hasMessageContaining("cosine and sine");
    assertThatThrownBy(() -> ops.constant(new float[3], 2)).hasMessageContaining("2 numbers");
    assertThatThrownBy(() -> ops.dropout(image, 1)).hasMessageContaining("[0, 1)");
    assertThatThrownBy(() -> ops.sample(image, Shape.of(4, 4), Interpolation.BILINEAR))
        .hasMessageContaining("rows, columns and 2");
    assertThat(ops.sample(image, Shape.of(4, 5, 2), Interpolation.BILINEAR))
        .isEqualTo(Shape.of(3, 4, 5));
    assertThatThrownBy(() -> ops.select(image, 0, new int[] {0, 3}))
        .hasMessageContaining("numbers below 3");
    assertThat(ops.select(image, 2, new int[] {7, 0, 0})).isEqualTo(Shape.of(3, 8, 3));
    assertThat(ops.add(Shape.of(4, 3, 3), ops.constant(new float[9], 3, 3)))
        .isEqualTo(Shape.of(4, 3, 3));
    assertThat(ops.averagePool(image, 3)).isEqualTo(Shape.of(3, 2, 2));
    assertThat(ops.averagePool(image, 3, true)).isEqualTo(Shape.of(3, 3, 3));
    assertThat(ops.pad(image, 1, 2, 3, 4)).isEqualTo(Shape.of(3, 12, 14));
    assertThatThrownBy(() -> ops.pad(image, 0, -1, 0, 0)).hasMessageContaining("0 or more pixels");
    Shape kernel = ops.parameter("k", Initial.constant(1), 4, 3, 1, 1);
    assertThatThrownBy(() -> ops.standardised(kernel, ops.constant(new float[3], 3), 1e-5))
        .hasMessageContaining("one gain for each");
    assertThat(ops.max(Shape.of(7, 5), 0)).isEqualTo(Shape.of(5));
    assertThat(ops.transpose(Shape.of(7, 5), 0, 1)).isEqualTo(Shape.of(5, 7));
  }

  private static Shape fixed(int... axes) {
    return new Shape(axes, false);
  }

  private static void refused(Runnable operation, String expected) {
    assertThatThrownBy(operation::run)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(expected);
  }

  /** Names, shapes and starting numbers of what the layers have. */
  @Test
  void layersDeclareTheirParameters() {
    Declaration ops = new Declaration();
    ops.convolution(Shape.of(4, 8, 8), "c", Convolution.of(6, 3).groups(2));
    ops.linear(Shape.of(5, 4), "f", 3);
    ops.batchNorm(Shape.of(7, 2, 2), "n");
    ops.batchNorm(Shape.of(2, 9), "m");
    ops.batchNorm(Shape.of(8, 3, 3), "g", 4);
    ops.convolution(Shape.of(4, 8, 8), "b", Convolution.of(6, 1).withoutBias());
    assertThat(ops.parameters())
        .startsWith(
            new Parameter("c.weight", new long[] {6, 2, 3, 3}, Initial.he(18), true),
            new Parameter("c.bias", new long[] {6}, Initial.constant(0), true),
            new Parameter("f.weight", new long[] {3, 4}, Initial.uniform(0.5), true),
            new Parameter("f.bias", new long[] {3}, Initial.uniform(0.5), true),
            new Parameter("n.weight", new long[] {7}, Initial.constant(1), true),
            new Parameter("n.bias", new long[] {7}, Initial.constant(0), true),
            new Parameter("n.running_mean", new long[] {7}, Initial.constant(0), false),
            new Parameter("n.running_var", new long[] {7}, Initial.constant(1), false));
    assertThat(ops.parameters())
        .contains(
            new Parameter("m.weight", new long[] {9}, Initial.constant(1), true),
            new Parameter("g.weight", new long[] {2}, Initial.constant(1), true))
        .noneMatch(p -> p.name().equals("b.bias"));
    // what is measured is not counted
    assertThat(ops.count()).isEqualTo(108 + 6 + 12 + 3 + 2 * 7 + 2 * 9 + 2 * 2 + 24);
  }

  @Test
  void shapesOfOperations() {
    Declaration ops = new Declaration();
    Shape image = Shape.of(3, 8, 6);
    for (Shape same :
        new Shape[] {
          ops.relu(image),
          ops.elu(image),
          ops.gelu(image),
          ops.sigmoid(image),
          ops.softplus(image),
          ops.sqrt(image),
          ops.softmax(image),
          ops.logSoftmax(image),
          ops.dropout(image, 0),
          ops.batchNorm(image, "n"),
          ops.batchNorm(image, "g", 3),
          ops.quarterTurns(Shape.of(3, 8, 8), 1),
          ops.rotate(image, Shape.of(2), null)
        }) {
      assertThat(same.axes()).hasSize(3).startsWith(3, 8);
    }
    assertThat(ops.linear(Shape.of(5, 4), "f", 7)).isEqualTo(Shape.of(5, 7));
    assertThat(ops.maxPool(image, 3, 2, 1)).isEqualTo(Shape.of(3, 4, 3));
    assertThat(ops.averagePool(image, 2)).isEqualTo(Shape.of(3, 4, 3));
    assertThat(ops.averagePool(Shape.of(3, 7, 5), 2, true)).isEqualTo(Shape.of(3, 4, 3));
    assertThat(ops.globalAverage(image)).isEqualTo(Shape.of(3));
    assertThat(ops.flatten(image)).isEqualTo(Shape.of(144));
    assertThat(ops.mean(image, 1)).isEqualTo(Shape.of(3, 6));
    assertThat(ops.max(image, 2)).isEqualTo(Shape.of(3, 8));
    assertThat(ops.reshape(image, 8, 18)).isEqualTo(Shape.of(8, 18));
    assertThat(ops.transpose(image, 2, 0)).isEqualTo(Shape.of(6, 8, 3));
    assertThat(ops.length(image, 1)).isEqualTo(8);
    assertThat(ops.uniform(image, 1, 2, 3)).isEqualTo(Shape.of(2, 3));
    assertThat(ops.constant(new float[6], 2, 3)).isEqualTo(fixed(2, 3));
    assertThat(ops.parameter("p", Initial.constant(0), 2, 3)).isEqualTo(fixed(2, 3));
    assertThat(ops.shared("s", Initial.constant(0), 2, new int[] {0, 1, 1}, 3)).isEqualTo(fixed(3));
    Shape kernel = fixed(4, 3, 1, 1);
    assertThat(ops.standardised(kernel, fixed(4), 1e-5)).isEqualTo(kernel);
    assertThat(ops.convolution(image, kernel, Convolution.of(4, 1).withoutBias()))
        .isEqualTo(Shape.of(4, 8, 6));
    assertThat(image).hasToString("[3, 8, 6]").hasSameHashCodeAs(Shape.of(3, 8, 6));
    assertThat(image).isNotEqualTo(fixed(3, 8, 6)).isNotEqualTo(Shape.of(3, 8, 7));
    assertThat(image.hashCode()).isNotEqualTo(Shape.of(3, 8, 7).hashCode());
  }

  /** Lengths of 1 repeat; a result has a batch if one of the operands has. */
  @Test
  void pairsOfShapes() {
    Declaration ops = new Declaration();
    Shape x = Shape.of(4, 3);
    assertThat(ops.add(x, fixed(3))).isEqualTo(x);
    assertThat(ops.subtract(fixed(4, 1), x)).isEqualTo(x);
    assertThat(ops.multiply(Shape.of(1, 3), fixed(4, 1))).isEqualTo(x);
    assertThat(ops.divide(fixed(4, 3), fixed(3))).isEqualTo(fixed(4, 3));
    assertThat(ops.maximum(x, x)).isEqualTo(x);
    assertThat(ops.matmul(x, fixed(3, 5))).isEqualTo(Shape.of(4, 5));
    assertThat(ops.matmul(fixed(2, 4), x)).isEqualTo(Shape.of(2, 3));
    assertThat(ops.matmul(fixed(2, 4), fixed(4, 3))).isEqualTo(fixed(2, 3));
    refused(() -> ops.subtract(x, fixed(4)), "subtract: expected axes [4, 3], found [4]");
    refused(() -> ops.multiply(x, Shape.of(3)), "multiply");
    refused(() -> ops.divide(Shape.of(3), x), "divide");
    refused(() -> ops.maximum(x, fixed(2, 3)), "maximum");
    refused(() -> ops.matmul(Shape.of(3), x), "matrix product: expected 2 axes");
    refused(() -> ops.matmul(x, Shape.of(3)), "matrix product: expected 2 axes");
  }

  @Test
  void whatNeedsImagesGetsImages() {
    Declaration ops = new Declaration();
    Shape row = Shape.of(4, 3);
    refused(() -> ops.convolution(row, "c", Convolution.of(1, 1)), "c: expected 3 axes");
    refused(
        () -> ops.convolution(row, fixed(1, 4, 1, 1), Convolution.of(1, 1).withoutBias()),
        "convolution: expected 3 axes");
    refused(() -> ops.batchNorm(row, "n", 2), "n: expected 3 axes");
    refused(() -> ops.maxPool(row, 2, 2, 0), "max-pool: expected 3 axes");
    refused(() -> ops.averagePool(row, 2), "average pool: expected 3 axes");
    refused(() -> ops.pad(row, 0, 0, 0, 0), "pad: expected 3 axes");
    refused(() -> ops.globalAverage(row), "global average: expected 3 axes");
    refused(() -> ops.quarterTurns(row, 1), "quarter turns: expected 3 axes");
    refused(() -> ops.rotate(row, Shape.of(2), null), "rotation: expected 3 axes");
    refused(() -> ops.sample(row, Shape.of(4, 4, 2), null), "sample: expected 3 axes");
    Shape image = Shape.of(3, 4, 4);
    refused(() -> ops.rotate(image, Shape.of(2, 1), null), "cosine and sine");
    refused(() -> ops.sample(image, Shape.of(4, 4, 3), null), "rows, columns and 2");
    refused(() -> ops.batchNorm(image, "n", 2), "fields of 2");
    refused(() -> ops.batchNorm(image, "n", 0), "fields of 0");
    for (double bad : new double[] {-0.1, 1, Double.NaN}) {
      refused(() -> ops.dropout(image, bad), "[0, 1)");
    }
    for (int side = 0; side < 4; side++) {
      int[] p = new int[4];
      p[side] = -1;
      refused(() -> ops.pad(image, p[0], p[1], p[2], p[3]), "0 or more pixels");
    }
    Convolution how = Convolution.of(4, 1).withoutBias();
    refused(() -> ops.convolution(image, fixed(4, 2, 1, 1), how), "a kernel of [4, 3, 1, 1]");
    refused(() -> ops.convolution(image, Shape.of(4, 3, 1, 1), how), "a kernel of [4, 3, 1, 1]");
    refused(
        () -> ops.convolution(image, fixed(4, 3, 1, 1), Convolution.of(4, 1)), "without a bias");
    refused(
        () -> ops.convolution(image, fixed(4, 1, 1, 1), how.groups(2)), "a kernel of [4, 1, 1, 1]");
    refused(() -> ops.select(image, 1, new int[] {-1}), "numbers below 4");
    refused(() -> ops.shared("s", Initial.constant(0), 2, new int[] {0, 2}, 2), "places below 2");
    refused(() -> ops.shared("s", Initial.constant(0), 2, new int[] {0, -1}, 2), "places below 2");
    refused(() -> ops.shared("s", Initial.constant(0), 2, new int[] {0}, 2), "2 places");
    refused(() -> ops.standardised(fixed(4, 3), fixed(4, 1), 0), "one gain for each");
    refused(() -> ops.standardised(Shape.of(4, 3), fixed(4), 0), "one gain for each");
    refused(() -> ops.standardised(fixed(4, 3), Shape.of(4), 0), "one gain for each");
  }

  private record Derived(boolean batched) implements Operations.Derivation {
    @Override
    public <T> T of(Operations<T> ops) {
      T p = ops.parameter("p", Initial.constant(0), 2);
      return batched ? ops.uniform(p, 1, 2) : p;
    }
  }

  @Test
  void derivedNumbersAreTheSameForAll() {
    Declaration ops = new Declaration();
    assertThat(ops.derived("d", new Derived(false))).isEqualTo(fixed(2));
    assertThat(ops.count()).isEqualTo(2);
    refused(() -> ops.derived("d", new Derived(true)), "numbers without a batch");
    refused(() -> ops.derived("p", new Derived(false)), "under a name of their own");
  }
}
