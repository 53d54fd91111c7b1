package org.orbitmap.io.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.CRC32;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.orbitmap.image.Image;
import org.orbitmap.io.FormatException;

/** What files say beside their samples is obeyed or named. */
class ImageHeaderTest {
  @TempDir private Path folder;

  /** 16 x 24, dark but for a bright top left corner: JPEG keeps that. */
  private static BufferedImage corner() {
    BufferedImage image = new BufferedImage(24, 16, BufferedImage.TYPE_INT_RGB);
    for (int y = 0; y < 8; y++) {
      for (int x = 0; x < 8; x++) {
        image.setRGB(x, y, 0xffffff);
      }
    }
    return image;
  }

  private static byte[] encoded(BufferedImage image, String format) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    assertThat(ImageIO.write(image, format, out)).isTrue();
    return out.toByteArray();
  }

  /** A TIFF structure with a directory of two entries, the second the orientation. */
  private static byte[] tiff(int orientation, ByteOrder order) {
    ByteBuffer b = ByteBuffer.allocate(8 + 2 + 24 + 4).order(order);
    b.put((order == ByteOrder.LITTLE_ENDIAN ? "II" : "MM").getBytes(StandardCharsets.US_ASCII));
    b.putShort((short) 42).putInt(8).putShort((short) 2);
    b.putShort((short) 0x010f).putShort((short) 2).putInt(1).putInt(0);
    b.putShort((short) 0x0112).putShort((short) 3).putInt(1).putShort((short) orientation);
    return b.array();
  }

  private static byte[] jpeg(byte[] plain, byte[] tiff) {
    ByteBuffer b = ByteBuffer.allocate(plain.length + tiff.length + 10);
    b.put(plain, 0, 2).putShort((short) 0xffe1).putShort((short) (tiff.length + 8));
    b.put("Exif\0\0".getBytes(StandardCharsets.US_ASCII)).put(tiff);
    return b.put(plain, 2, plain.length - 2).array();
  }

  private static byte[] png(byte[] plain, String type, byte[] content) {
    ByteBuffer chunk = ByteBuffer.allocate(4 + content.length);
    chunk.put(type.getBytes(StandardCharsets.US_ASCII)).put(content);
    CRC32 crc = new CRC32();
    crc.update(chunk.array());
    return ByteBuffer.allocate(plain.length + content.length + 12)
        .put(plain, 0, 33) // the signature and IHDR
        .putInt(content.length)
        .put(chunk.array())
        .putInt((int) crc.getValue())
        .put(plain, 33, plain.length - 33)
        .array();
  }

  /** Where the bright corner is: 0 top left, 1 top right, 2 bottom left, 3 bottom right. */
  private static int bright(Image image) {
    int[] rows = {4, 4, image.height() - 5, image.height() - 5};
    int[] columns = {4, image.width() - 5, 4, image.width() - 5};
    int found = -1;
    for (int k = 0; k < 4; k++) {
      if (image.at(0, rows[k], columns[k]) > 0.8) {
        assertThat(found).isEqualTo(-1);
        found = k;
      }
    }
    return found;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void theOrientationIsObeyed(int orientation) throws IOException {
    // "The 0th row is at the visual …, the 0th column at the visual …", from the standard
    int expected = new int[] {0, 1, 3, 2, 0, 1, 3, 2}[orientation - 1];
    for (ByteOrder order : List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
      byte[] tiff = tiff(orientation, order);
      byte[][] files = {
        jpeg(encoded(corner(), "jpg"), tiff), png(encoded(corner(), "png"), "eXIf", tiff)
      };
      for (byte[] file : files) {
        Path path = folder.resolve("x.img");
        Files.write(path, file);
        ReadImage read = ImageFiles.open(path);
        boolean exchanged = orientation >= 5;
        assertThat(read.image().height()).isEqualTo(exchanged ? 24 : 16);
        assertThat(read.image().width()).isEqualTo(exchanged ? 16 : 24);
        assertThat(bright(read.image())).isEqualTo(expected);
        assertThat(read.remarks()).hasSize(orientation == 1 ? 0 : 1);
        assertThat(ImageFiles.decode(path, file, 1000)).isEqualTo(read.image());
        BufferedImage thin = ImageFiles.decode(path, new ByteArrayInputStream(file), 1000, 8);
        assertThat(thin.getWidth() > thin.getHeight()).isEqualTo(!exchanged);
      }
    }
  }

  /** A quarter turn keeps two neighbours apart that a mirrored one would exchange. */
  @Test
  void aQuarterTurnIsNoMirroring() {
    BufferedImage image = new BufferedImage(3, 2, BufferedImage.TYPE_BYTE_GRAY);
    for (int k = 0; k < 6; k++) {
      image.getRaster().setSample(k % 3, k / 3, 0, k);
    }
    BufferedImage clockwise = Upright.of(image, 6);
    assertThat(clockwise.getRaster().getSamples(0, 0, 2, 3, 0, (int[]) null))
        .containsExactly(3, 0, 4, 1, 5, 2);
    assertThat(Upright.of(clockwise, 8).getRaster().getSamples(0, 0, 3, 2, 0, (int[]) null))
        .containsExactly(0, 1, 2, 3, 4, 5);
    assertThat(Upright.of(image, 5).getRaster().getSamples(0, 0, 2, 3, 0, (int[]) null))
        .containsExactly(0, 3, 1, 4, 2, 5);
    assertThat(Upright.of(image, 7).getRaster().getSamples(0, 0, 2, 3, 0, (int[]) null))
        .containsExactly(5, 2, 4, 1, 3, 0);
  }

  @Test
  void anyBytesGiveAnOrientation() throws IOException {
    byte[] tiff = tiff(6, ByteOrder.BIG_ENDIAN);
    List<byte[]> seeds =
        List.of(
            jpeg(encoded(corner(), "jpg"), tiff),
            png(encoded(corner(), "png"), "eXIf", tiff),
            encoded(corner(), "tiff"),
            tiff);
    SplittableRandom random = new SplittableRandom(1);
    int obeyed = 0;
    for (int k = 0; k < 40_000; k++) {
      byte[] file = seeds.get(k % seeds.size()).clone();
      int head = Math.min(file.length, 120);
      for (int i = random.nextInt(5); i > 0; i--) {
        file[random.nextInt(head)] = (byte) (random.nextBoolean() ? 0xff : random.nextInt(256));
      }
      if (random.nextInt(4) == 0) {
        file = Arrays.copyOf(file, random.nextInt(file.length + 1));
      }
      ImageHeader header = ImageHeader.of(file);
      assertThat(header.orientation()).isBetween(1, 8);
      assertThat(header.frames()).isPositive();
      obeyed += header.orientation() == 6 ? 1 : 0;
    }
    assertThat(obeyed).isBetween(5_000, 30_000);
    assertThat(ImageHeader.of(new byte[0]).orientation()).isEqualTo(1);
  }

  /** Damaged files of every format end in an image or in an error that names the file. */
  @Test
  void damagedFilesAreReadOrRefused() throws IOException {
    byte[] tiff = tiff(6, ByteOrder.LITTLE_ENDIAN);
    List<byte[]> seeds =
        List.of(
            jpeg(encoded(corner(), "jpg"), tiff),
            png(encoded(corner(), "png"), "eXIf", tiff),
            encoded(corner(), "tiff"),
            encoded(corner(), "gif"),
            encoded(corner(), "bmp"));
    SplittableRandom random = new SplittableRandom(7);
    int read = 0;
    for (int k = 0; k < 2_000; k++) {
      byte[] file = seeds.get(k % seeds.size()).clone();
      for (int i = 1 + random.nextInt(3); i > 0; i--) {
        file[random.nextInt(file.length)] = (byte) random.nextInt(256);
      }
      try {
        ImageFiles.decode(Path.of("mutant"), file, 1_000_000).requireFinite();
        read++;
      } catch (FormatException e) {
        assertThat(e).hasMessageContaining("mutant: expected");
      }
    }
    assertThat(read).isBetween(100, 1_900);
  }

  @Test
  void truncatedJpegsAreRefused() throws IOException {
    BufferedImage noise = new BufferedImage(64, 64, BufferedImage.TYPE_INT_RGB);
    SplittableRandom random = new SplittableRandom(2);
    for (int i = 0; i < 64 * 64; i++) {
      noise.setRGB(i % 64, i / 64, random.nextInt());
    }
    byte[] whole = encoded(noise, "jpg");
    Path file = folder.resolve("cut.jpg");
    Files.write(file, whole);
    assertThat(ImageFiles.read(file).height()).isEqualTo(64);
    // More after the end, as cameras write it, is no damage.
    Files.write(file, Arrays.copyOf(whole, whole.length + 100));
    assertThat(ImageFiles.read(file).height()).isEqualTo(64);
    for (int length : new int[] {whole.length - 1, whole.length - 2, whole.length / 2, 700}) {
      Files.write(file, Arrays.copyOf(whole, length));
      assertThatThrownBy(() -> ImageFiles.read(file))
          .isInstanceOf(FormatException.class)
          .hasMessageContaining("expected a whole JPEG image, found a");
    }
    byte[] closed = Arrays.copyOf(whole, whole.length / 2);
    closed[closed.length - 2] = (byte) 0xff;
    closed[closed.length - 1] = (byte) 0xd9;
    Files.write(file, closed);
    assertThatThrownBy(() -> ImageFiles.read(file)).hasMessageContaining("a truncated one");
  }

  @Test
  void cmykIsNamed() throws IOException {
    byte[] jpeg = encoded(corner(), "jpg");
    for (int i = 2; i + 9 < jpeg.length; i++) {
      if (jpeg[i] == (byte) 0xff && jpeg[i + 1] == (byte) 0xc0) {
        jpeg[i + 9] = 4;
        break;
      }
    }
    Path file = folder.resolve("print.jpg");
    Files.write(file, jpeg);
    assertThatThrownBy(() -> ImageFiles.read(file))
        .hasMessageContaining("expected a JPEG image in grey or RGB, found CMYK");
  }

  @Test
  void sixteenBitsAreKept() throws IOException {
    for (int channels : new int[] {1, 3}) {
      Image image = Image.black(channels, 6, 9);
      for (int i = 0; i < image.data().length; i++) {
        image.data()[i] = (257 * i + 31) / 65535f;
      }
      Path file = folder.resolve("deep" + channels + ".png");
      Files.write(file, ImageFiles.png(image, 16));
      ReadImage read = ImageFiles.open(file);
      assertThat(read.bits()).isEqualTo(16);
      assertThat(read.image()).isEqualTo(image);
      assertThat(read.remarks()).isEmpty();
    }
    Path pgm = folder.resolve("deep.pgm");
    Files.writeString(pgm, "P2 2 1 1000 1 999");
    assertThat(ImageFiles.open(pgm).bits()).isEqualTo(16);
    assertThatThrownBy(() -> ImageFiles.png(Image.black(1, 1, 1), 12)).hasMessageContaining("12");
  }

  @Test
  void transparencyAndPagesAreNamed() throws IOException {
    BufferedImage clear = new BufferedImage(4, 4, BufferedImage.TYPE_4BYTE_ABGR);
    clear.setRGB(0, 0, 0xff0000ff);
    clear.setRGB(1, 0, 0x800000ff);
    Path file = folder.resolve("clear.png");
    Files.write(file, encoded(clear, "png"));
    ReadImage read = ImageFiles.open(file);
    assertThat(read.remarks()).containsExactly("transparent pixels blended over black");
    assertThat(read.image().at(2, 0, 0)).isEqualTo(1);
    assertThat(read.image().at(2, 0, 1)).isEqualTo(128 / 255f);
    assertThat(read.image().at(2, 0, 2)).isZero();

    Path frames = folder.resolve("moving.png");
    byte[] control = ByteBuffer.allocate(8).putInt(5).putInt(0).array();
    Files.write(frames, png(encoded(corner(), "png"), "acTL", control));
    assertThat(ImageFiles.open(frames).remarks()).containsExactly("the first of 5 frames");

    for (String format : List.of("tiff", "gif")) {
      Path pages = folder.resolve("pages." + format);
      ImageWriter writer = ImageIO.getImageWritersByFormatName(format).next();
      try (ImageOutputStream out = ImageIO.createImageOutputStream(pages.toFile())) {
        writer.setOutput(out);
        writer.prepareWriteSequence(null);
        for (int k = 0; k < 3; k++) {
          writer.writeToSequence(new IIOImage(corner(), null, null), null);
        }
        writer.endWriteSequence();
      }
      writer.dispose();
      assertThat(ImageFiles.open(pages).remarks()).containsExactly("the first of 3 pages");
    }
  }

  /** Lossless, 7 x 5, two pixels that are not black. */
  private static final String WEBP =
      "524946463a000000574542505650384c2e0000002f060001001720164c8695ff15a24020c5910cb7902021fbffaa"
          + "7dfe032f3d1064db146108f7e73c4444ff93dc00";

  /** With loss, 32 x 32, one colour. */
  private static final String WEBP_LOSSY =
      "524946464800000057454250565038203c0000007003009d012a200020003e6d329647a4232221280800800d8965"
          + "00ca2e807e000041941000fedc51fffc82e585d7235ffe7a66bcc1fe2a8499660000";

  @Test
  void webpIsRead() throws IOException {
    byte[] plain = HexFormat.of().parseHex(WEBP);
    Image image = ImageFiles.read(Files.write(folder.resolve("a.webp"), plain));
    assertThat(image.height()).isEqualTo(5);
    assertThat(image.width()).isEqualTo(7);
    assertThat(image.at(0, 1, 2)).isEqualTo(30 / 255f);
    assertThat(image.at(1, 1, 2)).isEqualTo(200 / 255f);
    assertThat(image.at(2, 4, 6)).isEqualTo(1f);
    byte[] lossy = HexFormat.of().parseHex(WEBP_LOSSY);
    Image flat = ImageFiles.read(Files.write(folder.resolve("b.webp"), lossy));
    assertThat(flat.at(0, 16, 16)).isCloseTo(201 / 255f, within(3 / 255f));
    assertThat(flat.at(2, 16, 16)).isCloseTo(41 / 255f, within(3 / 255f));
    byte[] cut = Arrays.copyOf(lossy, lossy.length - 9);
    Files.write(folder.resolve("c.webp"), cut);
    assertThatThrownBy(() -> ImageFiles.read(folder.resolve("c.webp")))
        .isInstanceOf(FormatException.class);
  }

  /** The file in its extended form, with EXIF behind the samples. */
  @Test
  void theOrientationOfWebpIsObeyed() throws IOException {
    byte[] plain = HexFormat.of().parseHex(WEBP);
    byte[] exif = tiff(6, ByteOrder.LITTLE_ENDIAN);
    int padded = exif.length + exif.length % 2;
    ByteBuffer b =
        ByteBuffer.allocate(plain.length + 18 + 8 + padded).order(ByteOrder.LITTLE_ENDIAN);
    b.put(plain, 0, 12).putInt(4, b.capacity() - 8);
    b.put("VP8X".getBytes(StandardCharsets.US_ASCII)).putInt(10).putInt(8);
    b.put(new byte[] {6, 0, 0, 4, 0, 0});
    b.put(plain, 12, plain.length - 12);
    b.put("EXIF".getBytes(StandardCharsets.US_ASCII)).putInt(exif.length).put(exif);
    ReadImage read = ImageFiles.open(Files.write(folder.resolve("e.webp"), b.array()));
    assertThat(read.image().height()).isEqualTo(7);
    assertThat(read.image().at(1, 2, 3)).isEqualTo(200 / 255f); // a quarter turn clockwise
    assertThat(read.remarks()).anyMatch(r -> r.contains("EXIF orientation 6"));
  }
}
