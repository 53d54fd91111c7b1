package org.orbitmap.io.photo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.orbitmap.image.Image;
import org.orbitmap.io.data.Choice;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.io.data.ImageSet;
import org.orbitmap.io.data.LabelledFiles.Entry;
import org.orbitmap.io.data.Split;
import org.orbitmap.io.data.source.DataSets;
import org.orbitmap.io.image.Framing;
import org.orbitmap.io.image.ImageFiles;
import org.orbitmap.io.image.PhotoReader;

/** Photographs of any size, read when they are asked for. */
class PhotoSetTest {
  @TempDir Path folder;

  /** Smooth, so that scaling hardly changes it: red grows to the right, green downwards. */
  private static BufferedImage smooth(int width, int height) {
    BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
        int r = 255 * x / width;
        int g = 255 * y / height;
        image.setRGB(x, y, r << 16 | g << 8 | 64);
      }
    }
    return image;
  }

  private Path jpeg(String name, BufferedImage image, int orientation) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ImageIO.write(image, "jpg", out);
    byte[] plain = out.toByteArray();
    byte[] exif = {
      (byte) 0xff,
      (byte) 0xe1,
      0,
      34,
      'E',
      'x',
      'i',
      'f',
      0,
      0,
      'M',
      'M',
      0,
      42,
      0,
      0,
      0,
      8,
      0,
      1,
      1,
      0x12,
      0,
      3,
      0,
      0,
      0,
      1,
      0,
      (byte) orientation,
      0,
      0,
      0,
      0,
      0,
      0
    };
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.write(plain, 0, 2);
    all.write(exif);
    all.write(plain, 2, plain.length - 2);
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.write(file, all.toByteArray());
  }

  /** In every orientation and reduction, what the plain reader gives, cropped and scaled. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void partsAreThoseOfTheUprightPhotograph(int orientation) throws IOException {
    assertThat(PhotoReader.isFast()).isTrue();
    Path file = jpeg("a.jpg", smooth(403, 299), orientation);
    Image whole = ImageFiles.read(file);
    for (int side : new int[] {20, 40, 90, 224}) {
      int columns = side * 3 / 4;
      for (boolean part : new boolean[] {false, true}) {
        Framing framing =
            part
                ? (w, h) -> new Framing.Window(31, 17, w / 2.0, h / 3.0)
                : Framing.centre(side, columns);
        Image read = PhotoReader.read(file, framing, side, columns);
        assertThat(read.height()).isEqualTo(side);
        assertThat(read.width()).isEqualTo(columns);
        Framing.Window v = framing.of(whole.width(), whole.height());
        for (int i = 1; i < side - 1; i += 7) {
          for (int j = 1; j < columns - 1; j += 7) {
            int y = (int) (v.top() + (i + 0.5) * v.height() / side);
            int x = (int) (v.left() + (j + 0.5) * v.width() / columns);
            for (int c = 0; c < 3; c++) {
              assertThat((double) read.at(c, i, j))
                  .as("orientation %d, side %d, channel %d at %d, %d", orientation, side, c, i, j)
                  .isCloseTo(whole.at(c, y, x), org.assertj.core.data.Offset.offset(0.025));
            }
          }
        }
      }
    }
  }

  @Test
  void greyAndPngAndDamage() throws IOException {
    BufferedImage grey = new BufferedImage(61, 50, BufferedImage.TYPE_BYTE_GRAY);
    for (int x = 0; x < 61; x++) {
      for (int y = 0; y < 50; y++) {
        grey.getRaster().setSample(x, y, 0, 4 * x);
      }
    }
    Path jpeg = jpeg("g.jpg", grey, 1);
    Image read = PhotoReader.read(jpeg, Framing.centre(50, 50), 50, 50);
    assertThat(read.channels()).isEqualTo(1);
    assertThat(read.at(0, 20, 30))
        .isCloseTo(4 * 35.5f / 255, org.assertj.core.data.Offset.offset(0.02f));
    Path png = folder.resolve("g.png");
    ImageIO.write(smooth(100, 80), "png", png.toFile());
    assertThat(PhotoReader.read(png, Framing.centre(10, 10), 10, 10).channels()).isEqualTo(3);
    byte[] whole = Files.readAllBytes(jpeg);
    Files.write(jpeg, Arrays.copyOf(whole, whole.length / 2));
    assertThatThrownBy(() -> PhotoReader.read(jpeg, Framing.centre(50, 50), 50, 50))
        .hasMessageContaining("a truncated one");
    for (int cut = 0; cut < 200; cut += 7) { // no crash, whatever the header says
      byte[] bad = whole.clone();
      bad[2 + cut] ^= 0x55;
      Files.write(jpeg, bad);
      try {
        PhotoReader.read(jpeg, Framing.centre(50, 50), 50, 50);
      } catch (IOException e) {
        assertThat(e).hasMessageContaining("g.jpg");
      }
    }
  }

  /** The same inputs whatever the number of threads, and labels from a list. */
  @Test
  void indexFilesAreDataSets() throws IOException {
    StringBuilder list = new StringBuilder("image,label,split\n");
    for (int i = 0; i < 12; i++) {
      jpeg("p/%d.jpg".formatted(i), smooth(60 + i, 80 - i), 1 + i % 8);
      list.append("p/%d.jpg,%s,%s\n".formatted(i, i % 3 == 0 ? 10 : 9, i < 8 ? "train" : "test"));
    }
    Path index = Files.writeString(folder.resolve("list.csv"), list);
    Choice choice = Choice.ALL.withSide(32);
    DataSet<?> all = DataSets.load(index.toString(), null, Split.TRAIN, choice);
    assertThat(all).isInstanceOf(ImageSet.class);
    DataSet<?> set =
        DataSets.load(index.toString(), null, Split.TRAIN, choice.readWhenNeeded(true));
    assertThat(set.size()).isEqualTo(8);
    assertThat(set.classes()).containsExactly("9", "10");
    assertThat(IntStream.range(0, 8).map(set::label)).containsExactly(1, 0, 0, 1, 0, 0, 1, 0);
    PhotoSet photos = (PhotoSet) set;
    Framing part = (w, h) -> new Framing.Window(3, 4, 40, 30);
    List<Image> one = IntStream.range(0, 8).mapToObj(i -> photos.input(i, part)).toList();
    List<Image> many =
        IntStream.range(0, 8).parallel().mapToObj(i -> photos.input(i, part)).toList();
    assertThat(many).isEqualTo(one);
    assertThat(photos.digest())
        .isEqualTo(photos.subset(new int[] {0, 1, 2, 3, 4, 5, 6, 7}).digest());
    assertThat(photos.digest()).isNotEqualTo(photos.first(7).digest());
    Files.writeString(folder.resolve("list.csv"), "p/0.jpg,a\np/99.jpg,b\n");
    assertThatThrownBy(() -> DataSets.load(index.toString(), null, Split.ALL, choice))
        .hasMessageContaining("none at");
    assertThatThrownBy(() -> new PhotoSet("x", List.of("a"), List.<Entry>of(), 3, 3).size())
        .hasMessageContaining("expected photographs");
  }
}
