package org.orbitmap.io.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.image.Image;
import org.orbitmap.io.FormatException;
import org.orbitmap.io.InputFile;

/** Sizes, windows and formats of images. */
class ImageFitTest {
  @TempDir Path folder;

  /** Two channels that count their pixels, the second backwards. */
  private static Image counting(int height, int width) {
    int n = height * width;
    float[] data = new float[2 * n];
    for (int i = 0; i < n; i++) {
      data[i] = i;
      data[2 * n - 1 - i] = i;
    }
    return new Image(2, height, width, data);
  }

  @Test
  void aSquareIsTheMeanOfWhatEachPixelCovers() {
    Image u = ImageFit.square(counting(4, 4), 2);
    assertThat(u.data()).containsExactly(2.5f, 4.5f, 10.5f, 12.5f, 12.5f, 10.5f, 4.5f, 2.5f);
    // three to two: a pixel covers one and a half, also in both directions
    Image three = new Image(1, 1, 3, new float[] {0, 3, 9});
    assertThat(ImageFit.fit(three, 1, 3)).isEqualTo(three);
    Image odd = new Image(1, 3, 3, new float[] {0, 3, 9, 0, 3, 9, 0, 3, 9});
    assertThat(ImageFit.square(odd, 2).data())
        .containsExactly(new float[] {1, 7, 1, 7}, within(1e-5f));
  }

  @Test
  void theCentralPartOfTheProportions() {
    // of 4 x 2 the two rows in the middle, of 2 x 4 the two columns
    assertThat(ImageFit.square(counting(4, 2), 2).data()).startsWith(2, 3, 4, 5);
    assertThat(ImageFit.square(counting(2, 4), 2).data()).startsWith(1, 2, 5, 6);
    assertThat(ImageFit.fit(counting(4, 4), 1, 2).data()).startsWith(6.5f, 8.5f);
    assertThat(ImageFit.fit(counting(4, 4), 2, 1).data()).startsWith(3.5f, 11.5f);
    assertThat(ImageFit.square(new Image(1, 1, 1, new float[] {7}), 3).data()).containsOnly(7);
    assertThat(Framing.centre(1, 2).of(8, 8)).isEqualTo(new Framing.Window(0, 2, 8, 4));
    assertThat(Framing.centre(2, 1).of(8, 8)).isEqualTo(new Framing.Window(2, 0, 4, 8));
    assertThat(Framing.centre(1, 1).of(9, 3)).isEqualTo(new Framing.Window(3, 0, 3, 3));
  }

  @Test
  void windows() {
    Image u = counting(4, 6);
    assertThat(WindowFit.fit(u, new Framing.Window(0, 0, 6, 4), 4, 6)).isEqualTo(u);
    assertThat(ImageFit.fit(u, (w, h) -> new Framing.Window(0, 0, w, h))).isEqualTo(u);
    Image part = WindowFit.fit(u, new Framing.Window(2, 1, 3, 2), 2, 3);
    assertThat(part.data()).containsExactly(8, 9, 10, 14, 15, 16, 15, 14, 13, 9, 8, 7);
    // halved: a triangle that reaches two pixels to either side, 3 : 3 : 1 at the border
    Image line = new Image(1, 1, 4, new float[] {0, 7, 14, 70});
    assertThat(WindowFit.fit(line, new Framing.Window(0, 0, 4, 1), 1, 2).data())
        .containsExactly(new float[] {5, 37}, within(1e-4f));
    // doubled: bilinear
    assertThat(WindowFit.fit(line, new Framing.Window(1, 0, 2, 1), 1, 4).data())
        .containsExactly(new float[] {5.25f, 8.75f, 12.25f, 28}, within(1e-4f));
    double[][] bad = {{-1, 0, 1, 1}, {0, -1, 1, 1}, {0, 0, 0, 1}, {0, 0, 1, 0}, {0, 0, 1, -1}};
    for (double[] b : bad) {
      assertThatThrownBy(() -> new Framing.Window(b[0], b[1], b[2], b[3]))
          .hasMessageContaining("window: expected left and top at least 0");
    }
  }

  @Test
  void formatsByName() throws IOException {
    assertThat(ImageFormat.named(" PNG ")).contains(ImageFormat.PNG);
    assertThat(ImageFormat.named("jpg:7")).contains(new ImageFormat(ImageFormat.Kind.JPEG, 7));
    assertThat(ImageFormat.named("jpeg:100").orElseThrow()).hasToString("jpeg:100");
    assertThat(ImageFormat.named("jpeg").orElseThrow()).hasToString("jpeg");
    for (String bad : new String[] {"jpeg:0", "jpeg:101", "png:9", "gif", "jpeg:"}) {
      assertThat(ImageFormat.named(bad)).isEmpty();
    }
    ImageFormat same = ImageFormat.INPUT;
    assertThat(ImageFormat.named("input")).contains(same);
    assertThat(same.ending("a.JPEG")).isEqualTo(".JPEG");
    assertThat(same.ending("a.tif")).isEqualTo(".png");
    assertThat(ImageFormat.PNG.ending("a.jpg")).isEqualTo(".png");
    assertThat(new ImageFormat(ImageFormat.Kind.JPEG, 0).ending("a.b.png")).isEqualTo(".jpg");
    assertThat(same.lossy("a.jpg")).isTrue();
    assertThat(same.lossy("a.jpgx")).isFalse();
    assertThatThrownBy(() -> new ImageFormat(ImageFormat.Kind.JPEG, 101))
        .hasMessageContaining("found 101");
    assertThatThrownBy(() -> new ImageFormat(ImageFormat.Kind.JPEG, -1))
        .hasMessageContaining("found -1");
    Image grey = new Image(1, 16, 16, new float[256]);
    for (int quality : new int[] {1, 10, 49, 50, 75, 96, 100}) {
      Path file = folder.resolve("a.jpg");
      Files.write(file, ImageFiles.jpeg(grey, quality));
      InputFile input = new InputFile(file);
      int told = same.quality(input);
      assertThat(told).isBetween(quality - 1, quality + 1);
      assertThat(new ImageFormat(ImageFormat.Kind.JPEG, 33).quality(input)).isEqualTo(33);
      assertThat(ImageFiles.open(file).image().height()).isEqualTo(16);
      assertThat(same.encode(grey, input, 8)[1]).isEqualTo((byte) 0xd8);
    }
    InputFile png = new InputFile(Files.write(folder.resolve("a.png"), ImageFiles.png(grey)));
    assertThat(same.quality(png)).isEqualTo(ImageFormat.USUAL);
    assertThat(same.encode(grey, png, 16)[24]).as("bits of the PNG").isEqualTo((byte) 16);
    assertThatThrownBy(() -> ImageFiles.png(grey, 12)).hasMessageContaining("found 12");
    assertThatThrownBy(() -> ImageFiles.png(counting(2, 2))).hasMessageContaining("found 2");
  }

  private static Image pnm(String text) throws IOException {
    return ImageFiles.open(Path.of("x.pnm"), text.getBytes(StandardCharsets.ISO_8859_1)).image();
  }

  /** Digits and bytes, comments between, and samples of two bytes. */
  @Test
  void netpbm() throws IOException {
    assertThat(pnm("P2 # grey\n2 # wide\n1\n10\n0 5\n"))
        .isEqualTo(new Image(1, 1, 2, new float[] {0, 0.5f}));
    assertThat(pnm("P3\n1 2 4 0 1 2 3 4 0\n").data()).containsExactly(0, 0.75f, 0.25f, 1, 0.5f, 0);
    assertThat(pnm("P5 2 1 200\n\0d").data()).containsExactly(0, 0.5f);
    assertThat(pnm("P6 1 1 255\n\0\377\63").data()).containsExactly(0, 1, 0.2f);
    assertThat(pnm("P5 1 1 65535\n\63\63").data()).containsExactly(0.2f);
    String[] bad = {
      "P5",
      "P5 2",
      "P5 0 1 9 a",
      "P5 1 1 0 a",
      "P5 1 1 65536 ab",
      "P5 x 1 9 a",
      "P5 2 1 255 a",
      "P2 2 1 9 1",
      "P2 1 1 9 10",
      "P2 1 1 9 x",
      "P5 1 1 9 a",
      "P5 999999999 1 1 a",
      "P5 9999 9999 1 a"
    };
    for (String text : bad) {
      assertThatThrownBy(() -> pnm(text)).as(text).isInstanceOf(FormatException.class);
    }
  }
}
