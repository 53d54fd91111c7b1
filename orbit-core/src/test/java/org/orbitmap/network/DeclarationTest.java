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
    "upright-cube, 1024, 96, 111836",
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
}
