package org.orbitmap.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.eval.Classifier;
import org.orbitmap.image.Image;

/** What a model takes, read from the shape of its inputs, and the numbers that it is fed with. */
class ModelInputTest {
  private static TensorSpec floats(long... lengths) {
    return new TensorSpec("x", "float", TensorSpec.sizes(lengths));
  }

  private static ModelInput<?> read(long... lengths) {
    return ModelInput.of("net", List.of(floats(lengths)), ModelInput.Hints.NONE);
  }

  private static String image(ModelInput<?> input) {
    ModelInput.Images i = (ModelInput.Images) input;
    return "%s %d %d %d".formatted(i.layout(), i.channels(), i.height(), i.width());
  }

  @Test
  void imagesByTheirFewChannels() {
    assertThat(image(read(-1, 3, 32, 40))).isEqualTo("NCHW 3 32 40");
    assertThat(image(read(-1, 32, 40, 3))).isEqualTo("NHWC 3 32 40");
    assertThat(image(read(5, 4, 32, 32))).isEqualTo("NCHW 4 32 32");
    assertThat(image(read(-1, 1, 5, 5))).isEqualTo("NCHW 1 5 5");
    assertThat(image(read(-1, 5, 5, 1))).isEqualTo("NHWC 1 5 5");
    assertThat(image(read(1, 28, 28))).isEqualTo("NCHW 1 28 28");
    assertThat(image(read(224, 224, 3))).isEqualTo("NHWC 3 224 224");
    assertThat(image(read(5, 5, 3))).isEqualTo("NHWC 3 5 5");
  }

  @Test
  void cloudsByTheirThreeCoordinates() {
    assertThat(read(-1, 1024, 3)).isEqualTo(new ModelInput.Clouds(floats(-1, 1024, 3), true, 1024));
    assertThat(read(-1, 3, 1024))
        .isEqualTo(new ModelInput.Clouds(floats(-1, 3, 1024), false, 1024));
    assertThat(read(-1, 3, -1)).isEqualTo(new ModelInput.Clouds(floats(-1, 3, -1), false, -1));
    assertThat(read(4, 4, 3)).isInstanceOf(ModelInput.Clouds.class);
    assertThat(read(2, 3, 99)).isInstanceOf(ModelInput.Clouds.class);
    assertThat(read(2, 99, 3)).isInstanceOf(ModelInput.Clouds.class);
    assertThat(read(6, 7, 3)).isInstanceOf(ModelInput.Clouds.class);
  }

  @Test
  void whatIsNeitherIsNamed() {
    for (long[] shape : new long[][] {{-1, 10}, {-1, 3, 3}, {-1, 7, 8}, {1, 3, 8, 8, 8}, {}}) {
      assertThatThrownBy(() -> read(shape))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("net: expected an input of images")
          .hasMessageContaining("found \"x\": float ");
    }
    assertThatThrownBy(
            () ->
                ModelInput.of(
                    "net",
                    List.of(new TensorSpec("x", "int64", TensorSpec.sizes(-1, 3, 8, 8))),
                    ModelInput.Hints.NONE))
        .hasMessageContaining("int64");
    for (String type : List.of("float16", "double", "uint8")) {
      TensorSpec spec = new TensorSpec("x", type, TensorSpec.sizes(-1, 3, 8, 8));
      assertThat(ModelInput.of("net", List.of(spec), ModelInput.Hints.NONE).spec()).isEqualTo(spec);
    }
    assertThatThrownBy(() -> read(-1, 8, 8, 8)).hasMessageContaining("cannot tell where the chan");
    assertThatThrownBy(() -> read(-1, 3, 8, 3)).hasMessageContaining("give the layout");
    assertThatThrownBy(() -> read(-1, 3, -1, 8)).hasMessageContaining("give the size");
    assertThatThrownBy(() -> read(-1, 3, 8, -1)).hasMessageContaining("give the size");
    assertThatThrownBy(() -> ModelInput.of("net", List.of(), ModelInput.Hints.NONE))
        .hasMessage("net: expected an input, found none");
    assertThatThrownBy(() -> read(-1, 4, 1 << 15, 1 << 15)).hasMessageContaining("fewer samples");
  }

  @Test
  void hintsSayWhatTheShapeLeavesOpen() {
    ModelInput.Hints rows = new ModelInput.Hints(null, Layout.NHWC, -1, -1);
    assertThat(image(ModelInput.of("net", List.of(floats(-1, 3, 8, 3)), rows)))
        .isEqualTo("NHWC 3 3 8");
    assertThat(image(ModelInput.of("net", List.of(floats(9, 3, 3)), rows))).isEqualTo("NHWC 3 9 3");
    ModelInput.Hints size = new ModelInput.Hints(null, null, 20, 30);
    assertThat(image(ModelInput.of("net", List.of(floats(-1, 3, -1, -1)), size)))
        .isEqualTo("NCHW 3 20 30");
    assertThat(image(ModelInput.of("net", List.of(floats(3, 20, 30)), size)))
        .isEqualTo("NCHW 3 20 30");
    assertThatThrownBy(() -> ModelInput.of("net", List.of(floats(-1, 3, 20, 31)), size))
        .hasMessageContaining("found 30 along axis 3");
    ModelInput.Hints first = new ModelInput.Hints(null, Layout.NCHW, -1, -1);
    assertThatThrownBy(() -> ModelInput.of("net", List.of(floats(-1, -1, 8, 8)), first))
        .hasMessageContaining("expected a fixed number of channels");
    // A free first axis is a batch: a hint makes no single image of it.
    assertThat(ModelInput.of("net", List.of(floats(-1, 99, 3)), first))
        .isInstanceOf(ModelInput.Clouds.class);
  }

  @Test
  void oneInputOfMany() {
    TensorSpec image = new TensorSpec("image", "float", TensorSpec.sizes(-1, 3, 8, 8));
    TensorSpec cloud = new TensorSpec("cloud", "float", TensorSpec.sizes(-1, 9, 3));
    TensorSpec mask = new TensorSpec("mask", "bool", TensorSpec.sizes(-1, 9));
    assertThat(ModelInput.of("net", List.of(mask, image), ModelInput.Hints.NONE).spec())
        .isEqualTo(image);
    assertThatThrownBy(() -> ModelInput.of("net", List.of(image, cloud), ModelInput.Hints.NONE))
        .hasMessageContaining("found [image, cloud]; name the one that is meant");
    ModelInput.Hints named = new ModelInput.Hints("cloud", null, -1, -1);
    assertThat(ModelInput.of("net", List.of(image, cloud), named).spec()).isEqualTo(cloud);
    assertThatThrownBy(() -> ModelInput.of("net", List.of(image), named))
        .hasMessageContaining("expected an input named \"cloud\"");
  }

  @Test
  void axesWithAndWithoutABatch() {
    ModelInput.Images batched = (ModelInput.Images) read(-1, 3, 20, 30);
    assertThat(batched.batched()).isTrue();
    assertThat(batched.batch()).isEqualTo(-1);
    assertThat(batched.rowAxis()).isEqualTo(2);
    assertThat(batched.columnAxis()).isEqualTo(3);
    assertThat(batched.shape(4, 0)).containsExactly(4, 3, 20, 30);
    assertThat(batched.size()).isEqualTo(1800);
    assertThat(batched).hasToString("x: images NCHW, 3 channels, 20 x 30 pixels, any batch");
    ModelInput.Images last = (ModelInput.Images) read(7, 20, 30, 1);
    assertThat(last.batch()).isEqualTo(7);
    assertThat(last.rowAxis()).isEqualTo(1);
    assertThat(last.columnAxis()).isEqualTo(2);
    assertThat(last.layout().channelAxis()).isEqualTo(3);
    assertThat(last.shape(7, 0)).containsExactly(7, 20, 30, 1);
    assertThat(last).hasToString("x: images NHWC, 1 channel, 20 x 30 pixels, batch 7");
    ModelInput.Images one = (ModelInput.Images) read(3, 20, 30);
    assertThat(one.batched()).isFalse();
    assertThat(one.batch()).isEqualTo(1);
    assertThat(one.rowAxis()).isEqualTo(1);
    assertThat(one.columnAxis()).isEqualTo(2);
    assertThat(one.shape(1, 0)).containsExactly(3, 20, 30);
    assertThat(one).hasToString("x: images NCHW, 3 channels, 20 x 30 pixels, one at a time");
    assertThat(read(5, -1, 3))
        .hasToString("x: point clouds N x P x 3, any number of points, batch 5");
    assertThat(read(-1, 3, 9)).hasToString("x: point clouds N x 3 x P, 9 points, any batch");
  }

  @Test
  void modelsThatSayNothing() {
    assertThat(ModelInput.Images.free(Layout.NCHW, 3, 8, 9).spec())
        .hasToString("input: float N x 3 x 8 x 9");
    assertThat(ModelInput.Images.free(Layout.NHWC, 3, 8, 9).spec())
        .hasToString("input: float N x 8 x 9 x 3");
    assertThat(ModelInput.Clouds.free(true).spec()).hasToString("input: float N x P x 3");
    assertThat(ModelInput.Clouds.free(false).spec()).hasToString("input: float N x 3 x P");
    assertThat(ModelInput.Clouds.points(9).spec()).hasToString("input: float N x 9 x 3");
    assertThat(ModelInput.Clouds.points(9).pointsOr(5)).isEqualTo(9);
    assertThat(ModelInput.Clouds.free(true).pointsOr(5)).isEqualTo(5);
  }

  /** Pixels are normalised channel by channel and stand where the layout says. */
  @Test
  void numbersOfAnImage() {
    Image u = new Image(2, 1, 3, new float[] {0, 0.5f, 1, 1, 0.5f, 0});
    Preprocessing p =
        new Preprocessing(1, new double[] {0, 1}, new double[] {0.5, 0.25}).forChannels(2);
    float[] data = new float[7];
    ModelInput.Images.free(Layout.NCHW, 2, 1, 3).put(p, u, data, 1);
    assertThat(data).containsExactly(0, 0, 1, 2, 0, -2, -4);
    ModelInput.Images.free(Layout.NHWC, 2, 1, 3).put(p, u, data, 1);
    assertThat(data).containsExactly(0, 0, 0, 1, -2, 2, -4);
  }

  @Test
  void numbersOfACloud() {
    PointCloud x = new PointCloud(3, new float[] {1, 2, 3, 4, 5, 6});
    float[] data = new float[7];
    ModelInput.Clouds.free(true).put(Preprocessing.NONE, x, data, 1);
    assertThat(data).containsExactly(0, 1, 2, 3, 4, 5, 6);
    ModelInput.Clouds.free(false).put(Preprocessing.NONE, x, data, 1);
    assertThat(data).containsExactly(0, 1, 4, 2, 5, 3, 6);
    assertThat(ModelInput.Clouds.free(true).shape(5, 6)).containsExactly(5, 2, 3);
    assertThat(ModelInput.Clouds.free(false).shape(5, 6)).containsExactly(5, 3, 2);
    assertThat(ModelInput.Clouds.free(false).length(x)).isEqualTo(6);
    assertThatThrownBy(() -> ModelInput.Clouds.free(true).fit(Preprocessing.BYTES))
        .hasMessageContaining("expected with models of images");
    assertThat(ModelInput.Clouds.free(true).fit(Preprocessing.NONE)).isEqualTo(Preprocessing.NONE);
  }

  /** A classifier that answers with the sum of each input, and notes the shapes it was run with. */
  private static <X> List<List<Long>> runs(ModelInput<X> input, int most, List<X> batch) {
    List<List<Long>> shapes = new ArrayList<>();
    Classifier<X> sums =
        input.classifier(
            "net",
            Preprocessing.NONE,
            most,
            (data, shape) -> {
              shapes.add(Arrays.stream(shape).boxed().toList());
              int rows = input.batched() ? (int) shape[0] : 1;
              float[][] scores = new float[rows][1];
              for (int i = 0; i < data.length; i++) {
                scores[i / (data.length / rows)][0] += data[i];
              }
              return scores;
            });
    float[][] scores = sums.scores(batch);
    assertThat(scores).hasNumberOfRows(batch.size());
    for (int i = 0; i < scores.length; i++) {
      assertThat(scores[i]).containsExactly(4f * (i + 1));
    }
    return shapes;
  }

  private static List<Image> images(int count) {
    List<Image> images = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      images.add(new Image(1, 2, 2, new float[] {i, i, i, i}));
    }
    return images;
  }

  @Test
  void batchesAreCutAndFilledUp() {
    List<Long> three = List.of(3L, 1L, 2L, 2L);
    List<Long> one = List.of(1L, 1L, 2L, 2L);
    ModelInput.Images free = ModelInput.Images.free(Layout.NCHW, 1, 2, 2);
    assertThat(runs(free, 3, images(7))).containsExactly(three, three, one);
    assertThat(runs(free, 3, images(0))).isEmpty();
    ModelInput.Images fixed = new ModelInput.Images(floats(3, 1, 2, 2), Layout.NCHW, 1, 2, 2);
    assertThat(runs(fixed, 64, images(7))).containsExactly(three, three, three);
    ModelInput.Images single = new ModelInput.Images(floats(1, 2, 2), Layout.NCHW, 1, 2, 2);
    assertThat(runs(single, 64, images(2)))
        .containsExactly(List.of(1L, 2L, 2L), List.of(1L, 2L, 2L));
    Classifier<Image> usual =
        free.classifier(
            "net",
            Preprocessing.NONE,
            (data, shape) -> {
              assertThat(shape[0]).isIn(64L, 6L);
              return new float[(int) shape[0]][1];
            });
    assertThat(usual.scores(images(70))).hasNumberOfRows(70);
  }

  @Test
  void inputsOfAnotherSizeAreRefused() {
    ModelInput.Images input = ModelInput.Images.free(Layout.NCHW, 1, 2, 3);
    input.require("net", List.of(Image.black(1, 2, 3)));
    for (Image u : List.of(Image.black(2, 2, 3), Image.black(1, 3, 3), Image.black(1, 2, 2))) {
      assertThatThrownBy(() -> input.require("net", List.of(Image.black(1, 2, 3), u)))
          .hasMessageContaining("net: expected images of 1 x 2 x 3");
    }
    PointCloud two = new PointCloud(3, new float[6]);
    PointCloud three = new PointCloud(3, new float[9]);
    ModelInput.Clouds any = ModelInput.Clouds.free(true);
    any.require("net", List.of());
    any.require("net", List.of(three, three));
    assertThatThrownBy(() -> any.require("net", List.of(three, two)))
        .hasMessageContaining("clouds of 3 points");
    assertThatThrownBy(() -> any.require("net", List.of(new PointCloud(2, new float[6]))))
        .hasMessageContaining("in 3-D");
    assertThatThrownBy(() -> ModelInput.Clouds.points(3).require("net", List.of(two)))
        .hasMessageContaining("clouds of 3 points");
    Classifier<Image> net =
        input.classifier("net", Preprocessing.NONE, (data, shape) -> new float[1][1]);
    assertThatThrownBy(() -> net.scores(List.of(Image.black(1, 9, 9))))
        .hasMessageContaining("net: expected images");
    assertThatThrownBy(
            () -> input.classifier("net", Preprocessing.IMAGENET, (d, s) -> new float[1][1]))
        .hasMessageContaining("found 3");
  }
}
