package org.orbitmap.io.data.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.io.data.Choice;
import org.orbitmap.io.data.ImageSet;
import org.orbitmap.io.data.Split;

/** The protocol of RotMNIST on files that are like MNIST's, but of 4 x 4 pixels. */
class RotatedMnistTest {
  private static final int SIDE = 4;

  @TempDir Path folder;

  /** Digits of which one corner is white; the others say which one it is, in two bytes. */
  private void write(String stem, int from, int count) throws IOException {
    ByteBuffer images = ByteBuffer.allocate(16 + count * SIDE * SIDE);
    images.putInt(0x803).putInt(count).putInt(SIDE).putInt(SIDE);
    ByteBuffer labels = ByteBuffer.allocate(8 + count).putInt(0x801).putInt(count);
    for (int i = from; i < from + count; i++) {
      byte[] pixels = new byte[SIDE * SIDE];
      pixels[5] = (byte) 255;
      pixels[6] = (byte) (i % 250);
      images.put(pixels);
      labels.put((byte) (i % 10));
    }
    Files.write(folder.resolve(stem + "-images-idx3-ubyte"), images.array());
    Files.write(folder.resolve(stem + "-labels-idx1-ubyte"), labels.array());
  }

  @Test
  void trainingAndTestingDoNotShareDigits() throws IOException {
    RotatedMnist set = new RotatedMnist();
    assertThat(set.holds(folder)).isFalse();
    write("train", 0, 12_000);
    write("t10k", 12_000, 40);
    assertThat(set.holds(folder)).isTrue();
    ImageSet test = set.read(folder, Split.TEST, Choice.ALL);
    assertThat(test.size()).isEqualTo(40);
    assertThat(test.name()).isEqualTo("rotmnist");
    ImageSet train = set.read(folder, Split.TRAIN, Choice.ALL.withLimit(30));
    assertThat(train.size()).isEqualTo(30);
    ImageSet all = set.read(folder, Split.ALL, Choice.ALL);
    assertThat(all.size()).isEqualTo(12_040);
    for (int i = 0; i < 30; i++) {
      assertThat(all.image(i)).isEqualTo(train.image(i));
      assertThat(all.image(12_000 + i)).isEqualTo(test.image(i));
      assertThat(all.label(12_000 + i)).isEqualTo(test.label(i));
    }
    int[] labels = all.labels().clone();
    Arrays.sort(labels);
    assertThat(labels).isEqualTo(IntStream.range(0, 12_040).map(i -> i / 1204).toArray());
    assertThat(IntStream.range(0, 100).map(all::label).distinct().count())
        .as("mixed")
        .isEqualTo(10);
    assertThat(IntStream.range(0, 100).filter(i -> i % 10 == all.label(i)).count())
        .as("in another order")
        .isLessThan(50);
    assertThat(IntStream.range(0, 40).filter(i -> test.image(i).at(0, 1, 1) < 1).count())
        .as("rotated, by angles of their own")
        .isGreaterThan(30);
  }

  /** With a pixel in the middle the digit stands at the top left of it before it is rotated. */
  @Test
  void oddImagesGetARowAndAColumn() throws IOException {
    write("train", 0, 12_000);
    write("t10k", 12_000, 25);
    ImageSet odd = new RotatedMnist().read(folder, Split.TEST, Choice.ALL.withSide(29));
    assertThat(odd.shape().axes()).containsExactly(1, 29, 29);
    double seen = 0; // where a rotation does not take it out of the image
    for (int i = 0; i < odd.size(); i++) {
      float[] u = odd.image(i).data();
      double far = 0;
      double sum = 0;
      for (int p = 0; p < u.length; p++) {
        double r = Math.hypot(p % 29 - 14, Math.floorDiv(p, 29) - 14);
        far += r > 16 && r < 20 ? u[p] : 0;
        sum += u[p];
      }
      assertThat(far).as("about 18 pixels from the centre").isGreaterThanOrEqualTo(0.99 * sum);
      seen += sum;
    }
    assertThat(seen).isPositive();
    Files.delete(folder.resolve("t10k-images-idx3-ubyte"));
    write("t10k", 0, 1);
    write("train", 0, 20);
    assertThatThrownBy(() -> new RotatedMnist().read(folder, Split.TEST, Choice.ALL))
        .hasMessageContaining("more than 12,000 digits, found 21");
  }
}
