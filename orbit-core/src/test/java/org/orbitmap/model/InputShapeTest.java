package org.orbitmap.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.image.Image;

/** The shape of an input, and the numbers of a batch. */
class InputShapeTest {
  private static final InputShape.Images IMAGES = new InputShape.Images(2, 1, 3);
  private static final InputShape.Clouds CLOUDS = new InputShape.Clouds(2);

  @Test
  void aShapeIsReadBackFromWhatAFileTells() {
    assertThat(InputShape.of("images", new int[] {2, 1, 3})).isEqualTo(IMAGES);
    assertThat(InputShape.of("clouds", new int[] {2, 3})).isEqualTo(CLOUDS);
    assertThat(InputShape.of(IMAGES.kind(), IMAGES.axes())).isEqualTo(IMAGES);
    assertThat(InputShape.of(CLOUDS.kind(), CLOUDS.axes())).isEqualTo(CLOUDS);
    refused("images", 2, 1);
    refused("clouds", 2, 1, 3);
    refused("clouds", 2, 2);
    refused("meshes", 2, 3);
  }

  private static void refused(String kind, int... axes) {
    assertThatThrownBy(() -> InputShape.of(kind, axes))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("found " + kind + " of [2");
  }

  @Test
  void sizes() {
    assertThat(IMAGES.length()).isEqualTo(6);
    assertThat(CLOUDS.length()).isEqualTo(6);
    assertThat(IMAGES.batch(5)).containsExactly(5, 2, 1, 3);
    assertThat(CLOUDS.batch(7)).containsExactly(7, 2, 3);
    assertThat(IMAGES).hasToString("images of 2 x 1 x 3");
    assertThat(new InputShape.Clouds(1024)).hasToString("clouds of 1,024 points in 3-D");
  }

  /** The smallest and the largest are taken; one more or one less is not. */
  @Test
  void limits() {
    assertThat(new InputShape.Images(1, 1, 1).length()).isEqualTo(1);
    assertThat(new InputShape.Images(64, 4096, 4096).length()).isEqualTo(1 << 30);
    int[][] bad = {{0, 1, 1}, {1, 0, 1}, {1, 1, 0}, {65, 1, 1}, {1, 4096, 4097}, {1, 1 << 20, 17}};
    for (int[] axes : bad) {
      assertThatThrownBy(() -> new InputShape.Images(axes[0], axes[1], axes[2]))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("found %d x %d x %d".formatted(axes[0], axes[1], axes[2]));
    }
    assertThat(new InputShape.Clouds(1).length()).isEqualTo(3);
    assertThat(new InputShape.Clouds(1 << 24).length()).isEqualTo(3 << 24);
    for (int points : new int[] {0, (1 << 24) + 1}) {
      assertThatThrownBy(() -> new InputShape.Clouds(points))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("found " + points);
    }
  }

  /** What is packed comes back, each input at its place. */
  @Test
  void batchesGoThereAndBack() {
    Image first = new Image(2, 1, 3, new float[] {1, 2, 3, 4, 5, 6});
    Image second = new Image(2, 1, 3, new float[] {7, 8, 9, 10, 11, 12});
    float[] numbers = IMAGES.pack("net", List.of(first, second));
    assertThat(numbers).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
    assertThat(IMAGES.input(numbers, 0)).isEqualTo(first);
    assertThat(IMAGES.input(numbers, 6)).isEqualTo(second);
    PointCloud a = new PointCloud(3, new float[] {1, 2, 3, 4, 5, 6});
    PointCloud b = new PointCloud(3, new float[] {6, 5, 4, 3, 2, 1});
    float[] points = CLOUDS.pack("net", List.of(a, b));
    assertThat(points).containsExactly(1, 2, 3, 4, 5, 6, 6, 5, 4, 3, 2, 1);
    assertThat(CLOUDS.input(points, 0)).isEqualTo(a);
    assertThat(CLOUDS.input(points, 6)).isEqualTo(b);
  }

  @Test
  void anotherSizeDoesNotFit() {
    assertThat(IMAGES.fits(Image.black(2, 1, 3))).isTrue();
    for (Image u : List.of(Image.black(1, 1, 3), Image.black(2, 2, 3), Image.black(2, 1, 4))) {
      assertThat(IMAGES.fits(u)).isFalse();
      assertThatThrownBy(() -> IMAGES.pack("net", List.of(Image.black(2, 1, 3), u)))
          .hasMessageContaining("net: expected images of 2 x 1 x 3, found");
    }
    assertThat(CLOUDS.fits(new PointCloud(3, new float[6]))).isTrue();
    assertThat(CLOUDS.fits(new PointCloud(3, new float[9]))).isFalse();
    assertThat(CLOUDS.fits(new PointCloud(2, new float[4]))).isFalse();
    assertThat(CLOUDS.fits(Image.black(1, 2, 3))).isFalse();
  }
}
