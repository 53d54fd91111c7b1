package org.orbitmap.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.zip.CRC32;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.orbitmap.image.Image;

class ImageFilesTest {
  @TempDir Path folder;

  private static Image ramp(int channels) {
    Image image = Image.black(channels, 5, 7);
    for (int i = 0; i < image.data().length; i++) {
      image.data()[i] = (i * 2) / 255f;
    }
    return image;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void pngKeepsEverySample(int channels) throws IOException {
    Path file = folder.resolve("deep/er/a.png");
    ImageFiles.writePng(file, ramp(channels));
    assertThat(ImageFiles.read(file)).isEqualTo(ramp(channels));
    try (var files = Files.list(file.getParent())) {
      assertThat(files).containsExactly(file);
    }
  }

  @Test
  void readsWhatTheJdkWrites() throws IOException {
    for (String format : new String[] {"bmp", "gif", "jpg"}) {
      Path file = folder.resolve("a." + format);
      assertThat(ImageIO.write(ImageFiles.toBufferedImage(ramp(3)), format, file.toFile()))
          .isTrue();
      Image read = ImageFiles.read(file);
      assertThat(read.sameShape(ramp(3))).isTrue();
      assertThat(read.distance(ramp(3))).isLessThan(format.equals("bmp") ? 1e-7 : 0.5);
    }
  }

  @Test
  void readsPlainAndRawPgm() throws IOException {
    Path plain = folder.resolve("a.pgm");
    Files.writeString(plain, "P2 # two by one\n2 1\n10\n0 5\n");
    assertThat(ImageFiles.read(plain)).isEqualTo(new Image(1, 1, 2, new float[] {0, .5f}));
    Path raw = folder.resolve("b.ppm");
    Files.write(raw, "P6\n1 1\n255\n".getBytes(StandardCharsets.US_ASCII));
    assertThatThrownBy(() -> ImageFiles.read(raw)).hasMessageContaining("end of the file");
    Files.write(
        raw, new byte[] {'P', '6', ' ', '1', ' ', '1', ' ', '2', '5', '5', '\n', -1, 0, 51});
    assertThat(ImageFiles.read(raw)).isEqualTo(new Image(3, 1, 1, new float[] {1, 0, .2f}));
  }

  @Test
  void saysWhatIsWrong() throws IOException {
    Path file = folder.resolve("a.png");
    assertThatThrownBy(() -> ImageFiles.read(file)).isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> ImageFiles.read(folder)).hasMessageContaining("found a folder");
    Files.writeString(file, "hello");
    assertThatThrownBy(() -> ImageFiles.read(file))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("a.png: expected a picture");
    ImageFiles.writePng(file, ramp(3));
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, java.util.Arrays.copyOf(bytes, bytes.length / 2));
    assertThatThrownBy(() -> ImageFiles.read(file)).hasMessageContaining("damaged");
  }

  /** A small file that claims a gigantic picture must be refused before any memory is taken. */
  @Test
  void refusesHugePicturesByTheirHeader() throws IOException {
    Path file = folder.resolve("huge.png");
    byte[] head =
        ByteBuffer.allocate(17)
            .put("IHDR".getBytes(StandardCharsets.US_ASCII))
            .putInt(60_000)
            .putInt(60_000)
            .put((byte) 8)
            .put((byte) 2)
            .array();
    CRC32 crc = new CRC32();
    crc.update(head);
    Files.write(
        file,
        ByteBuffer.allocate(33)
            .put(new byte[] {(byte) 0x89, 'P', 'N', 'G', 13, 10, 26, 10})
            .putInt(13)
            .put(head)
            .putInt((int) crc.getValue())
            .array());
    assertThatThrownBy(() -> ImageFiles.read(file))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("60000 x 60000");
    Path pgm = folder.resolve("huge.pgm");
    Files.writeString(pgm, "P5 7000 7000 255\n");
    assertThatThrownBy(() -> ImageFiles.read(pgm)).hasMessageContaining("49,000,000 bytes");
  }
}
