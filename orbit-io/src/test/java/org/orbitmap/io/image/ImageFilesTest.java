package org.orbitmap.io.image;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.awt.Transparency;
import java.awt.color.ColorSpace;
import java.awt.image.BufferedImage;
import java.awt.image.ColorModel;
import java.awt.image.ComponentColorModel;
import java.awt.image.DataBuffer;
import java.awt.image.PixelInterleavedSampleModel;
import java.awt.image.Raster;
import java.awt.image.WritableRaster;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.orbitmap.image.Image;
import org.orbitmap.io.FormatException;

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

  /** As OpenCV and others write 16 bits: differences along each row, deflated. */
  @Test
  void tiffOf16BitsWithAPredictorIsRead() throws IOException {
    int width = 7;
    int height = 5;
    int[] samples = IntStream.range(0, width * height).map(i -> i * 5003 % 65536).toArray();
    ByteBuffer differences = ByteBuffer.allocate(2 * samples.length).order(LITTLE_ENDIAN);
    for (int i = 0; i < samples.length; i++) {
      differences.putShort((short) (samples[i] - (i % width == 0 ? 0 : samples[i - 1])));
    }
    byte[] strip = new byte[1000];
    Deflater deflater = new Deflater();
    deflater.setInput(differences.array());
    deflater.finish();
    int length = deflater.deflate(strip);
    deflater.end();
    int[][] tags = {
      {256, width},
      {257, height},
      {258, 16}, // bits
      {259, 8}, // deflate
      {262, 1}, // 0 is black
      {273, 8 + 2 + 10 * 12 + 4}, // where the strip is
      {277, 1}, // samples of a pixel
      {278, height}, // rows of the strip
      {279, length},
      {317, 2} // differences
    };
    ByteBuffer file = ByteBuffer.allocate(8 + 2 + 10 * 12 + 4 + length).order(LITTLE_ENDIAN);
    file.put((byte) 'I').put((byte) 'I').putShort((short) 42).putInt(8);
    file.putShort((short) tags.length);
    for (int[] tag : tags) {
      file.putShort((short) tag[0]).putShort((short) 4).putInt(1).putInt(tag[1]);
    }
    file.putInt(0).put(strip, 0, length);
    Image image = ImageFiles.read(Files.write(folder.resolve("a.tif"), file.array()));
    assertThat(image.channels()).isEqualTo(1);
    for (int i = 0; i < samples.length; i++) {
      assertThat(image.data()[i]).isEqualTo(samples[i] / 65535f);
    }
  }

  /** The plain way and the JDK's give the same samples, whichever filters the writer chose. */
  @Test
  void theFastWayReadsWhatTheJdkReads() throws IOException {
    RandomGenerator random = RandomGenerator.of("L64X128MixRandom");
    int fast = 0;
    for (int k = 0; k < 200; k++) {
      Image image = Image.black(k % 2 == 0 ? 3 : 1, 1 + random.nextInt(40), 1 + random.nextInt(40));
      for (int i = 0; i < image.data().length; i++) {
        image.data()[i] = k % 5 == 0 ? random.nextInt(256) / 255f : (i * k / 7 % 256) / 255f;
      }
      byte[] file = filtered(image, random);
      Image jdk = ImageFiles.decode(Path.of("x"), new ByteArrayInputStream(file));
      assertThat(jdk.distance(image)).isLessThan(1e-6);
      assertThat(Png.decode(file, 1 << 20)).hasValue(jdk);
      assertThat(ImageFiles.decode(Path.of("x"), ImageFiles.png(image), 1 << 20)).isEqualTo(jdk);
      // Damaged by one byte: the fast way never gives other samples than the JDK.
      byte[] bad = file.clone();
      bad[random.nextInt(bad.length)] ^= (byte) (1 + random.nextInt(255));
      Optional<Image> read = Png.decode(bad, 1 << 20);
      fast += read.isPresent() ? 1 : 0;
      assertThat(Png.decode(Arrays.copyOf(file, random.nextInt(file.length)), 1 << 20)).isEmpty();
    }
    assertThat(fast).isZero(); // every byte is under a checksum or in the signature
    assertThat(Png.decode(ImageFiles.png(ramp(3)), 34)).isEmpty(); // 35 pixels
  }

  /** Photographs and drawings, larger than one strip: the JDK reads what is written here. */
  @Test
  void theJdkReadsWhatTheFastWayWrites() throws IOException {
    for (int channels : new int[] {1, 3}) {
      for (boolean drawing : new boolean[] {false, true}) {
        Image image = scene(channels, 301, 203, drawing);
        for (int bits : new int[] {8, 16}) {
          byte[] file = ImageFiles.png(image, bits);
          Image jdk = ImageFiles.of(ImageIO.read(new ByteArrayInputStream(file)));
          for (int i = 0; i < image.data().length; i++) {
            double step = bits == 8 ? 1 / 255.0 : 1 / 65535.0;
            assertThat((double) Math.abs(jdk.data()[i] - image.data()[i]))
                .isLessThanOrEqualTo(0.51 * step);
          }
          Path path = Files.write(folder.resolve("x.png"), file);
          assertThat(ImageFiles.open(path).image()).isEqualTo(jdk);
          // A drawing shrinks to a small part, a photograph somewhat.
          assertThat(file.length).isLessThan(image.data().length * bits / 8 / (drawing ? 10 : 1));
        }
      }
    }
  }

  private static Image scene(int channels, int height, int width, boolean drawing) {
    RandomGenerator random = RandomGenerator.of("L64X128MixRandom");
    Image image = Image.black(channels, height, width);
    for (int i = 0; i < image.data().length; i++) {
      int y = i % image.plane() / width;
      int x = i % width;
      int c = i / image.plane();
      double smooth = 0.5 + 0.3 * Math.sin(0.05 * x + c) * Math.cos(0.04 * y);
      image.data()[i] =
          drawing ? (x / 40 + y / 40) % 2 : (float) (smooth + 0.04 * random.nextGaussian());
    }
    return image;
  }

  /** Two decoders may round differently, by a level or two. */
  @Test
  void fastJpegsAreThoseOfTheJdk() throws IOException {
    assertThat(FastJpeg.isThere()).isTrue();
    for (int channels : new int[] {1, 3}) {
      for (float quality : new float[] {0.5f, 0.95f}) {
        byte[] file = jpeg(scene(channels, 75, 131, false), quality);
        Image jdk = ImageFiles.decode(Path.of("x"), new ByteArrayInputStream(file));
        Image fast = FastJpeg.open(file).orElseThrow().image();
        assertThat(fast.sameShape(jdk)).isTrue();
        double sum = 0;
        for (int i = 0; i < jdk.data().length; i++) {
          double difference = 255 * Math.abs(fast.data()[i] - jdk.data()[i]);
          assertThat(difference).isLessThan(4);
          sum += difference;
        }
        assertThat(sum / jdk.data().length).isLessThan(0.3);
        assertThat(ImageFiles.open(Files.write(folder.resolve("x.jpg"), file)).image())
            .isEqualTo(fast);
        assertThat(FastJpeg.open(Arrays.copyOf(file, file.length - 40))).isEmpty();
      }
    }
    // Colours by a profile of their own are left to the JDK, which converts them.
    byte[] file = jpeg(scene(3, 20, 20, false), 0.9f);
    assertThat(FastJpeg.open(withProfile(file, "Display P3"))).isEmpty();
    assertThat(FastJpeg.open(withProfile(file, "sRGB IEC61966-2.1"))).isPresent();
    assertThat(FastJpeg.open(ImageFiles.png(ramp(3)))).isEmpty();
  }

  private static byte[] jpeg(Image image, float quality) throws IOException {
    ImageWriter writer = ImageIO.getImageWritersByFormatName("jpeg").next();
    ImageWriteParam how = writer.getDefaultWriteParam();
    how.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
    how.setCompressionQuality(quality);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ImageOutputStream to = ImageIO.createImageOutputStream(out)) {
      writer.setOutput(to);
      writer.write(null, new IIOImage(ImageFiles.toBufferedImage(image), null, null), how);
    } finally {
      writer.dispose();
    }
    return out.toByteArray();
  }

  /** A file with an application's segment after its first marker. */
  private static byte[] withProfile(byte[] jpeg, String name) {
    byte[] text = ("ICC_PROFILE\0\1\1" + name).getBytes(StandardCharsets.ISO_8859_1);
    return ByteBuffer.allocate(jpeg.length + 4 + text.length)
        .put(jpeg, 0, 2)
        .putShort((short) 0xffe2)
        .putShort((short) (2 + text.length))
        .put(text)
        .put(jpeg, 2, jpeg.length - 2)
        .array();
  }

  /** A PNG file whose rows have random filters, its samples in several chunks, with a remark. */
  private static byte[] filtered(Image image, RandomGenerator random) {
    int length = image.width() * image.channels();
    byte[] raw = new byte[image.height() * length];
    for (int i = 0; i < raw.length; i++) {
      int pixel = i / image.channels();
      raw[i] = (byte) Math.round(255 * image.data()[i % image.channels() * image.plane() + pixel]);
    }
    byte[] rows = new byte[image.height() * (length + 1)];
    for (int y = 0; y < image.height(); y++) {
      int filter = random.nextInt(5);
      rows[y * (length + 1)] = (byte) filter;
      for (int i = 0; i < length; i++) {
        int a = i >= image.channels() ? raw[y * length + i - image.channels()] & 255 : 0;
        int b = y > 0 ? raw[(y - 1) * length + i] & 255 : 0;
        int c =
            y > 0 && i >= image.channels() ? raw[(y - 1) * length + i - image.channels()] & 255 : 0;
        int p = a + b - c;
        int nearest =
            Math.abs(p - a) <= Math.abs(p - b) && Math.abs(p - a) <= Math.abs(p - c)
                ? a
                : Math.abs(p - b) <= Math.abs(p - c) ? b : c;
        int guess = new int[] {0, a, b, (a + b) / 2, nearest}[filter];
        rows[y * (length + 1) + 1 + i] = (byte) (raw[y * length + i] - guess);
      }
    }
    Deflater deflater = new Deflater();
    deflater.setInput(rows);
    deflater.finish();
    byte[] packed = new byte[rows.length + 100];
    int n = deflater.deflate(packed);
    deflater.end();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(new byte[] {(byte) 0x89, 'P', 'N', 'G', 13, 10, 26, 10});
    byte[] head =
        ByteBuffer.allocate(13)
            .putInt(image.width())
            .putInt(image.height())
            .put((byte) 8)
            .put((byte) (image.channels() == 1 ? 0 : 2))
            .array();
    chunk(out, "IHDR", head);
    chunk(out, "tEXt", "a remark".getBytes(StandardCharsets.US_ASCII));
    chunk(out, "IDAT", Arrays.copyOf(packed, n / 2));
    chunk(out, "IDAT", Arrays.copyOfRange(packed, n / 2, n));
    chunk(out, "IEND", new byte[0]);
    return out.toByteArray();
  }

  private static void chunk(ByteArrayOutputStream out, String type, byte[] data) {
    byte[] body =
        ByteBuffer.allocate(4 + data.length)
            .put(type.getBytes(StandardCharsets.US_ASCII))
            .put(data)
            .array();
    CRC32 crc = new CRC32();
    crc.update(body);
    out.writeBytes(ByteBuffer.allocate(4).putInt(data.length).array());
    out.writeBytes(body);
    out.writeBytes(ByteBuffer.allocate(4).putInt((int) crc.getValue()).array());
  }

  @Test
  void levelsAreTheNearestOnes() {
    for (float v = -0.1f; v < 1.1f; v += 1e-5f) {
      for (float w : new float[] {v, Math.nextUp(Math.round(v * 510) / 510f)}) {
        assertThat(ImageFiles.toByte(w)).isEqualTo(Math.min(255, Math.max(0, Math.round(w * 255))));
      }
    }
    assertThat(ImageFiles.toByte(Float.NaN)).isZero();
    assertThat(ImageFiles.toByte(Float.POSITIVE_INFINITY)).isEqualTo(255);
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
        .hasMessageContaining("a.png: expected an image");
    ImageFiles.writePng(file, ramp(3));
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, java.util.Arrays.copyOf(bytes, bytes.length / 2));
    assertThatThrownBy(() -> ImageFiles.read(file)).hasMessageContaining("damaged");
  }

  /** A small file that claims a gigantic image must be refused before any memory is taken. */
  /** Float samples have no largest value to divide by. */
  /** The JDK would wrap or clip what is outside [0, 1], and take the sign for a bit. */
  @Test
  void refusesFloatsAndSignedSamples() throws IOException {
    int[] types = {DataBuffer.TYPE_FLOAT, DataBuffer.TYPE_SHORT, DataBuffer.TYPE_INT};
    String[] found = {"floats of 32 bits", "signed ones of 16 bits", "32 bits"};
    for (int k = 0; k < types.length; k++) {
      for (int bands : new int[] {1, 3}) {
        int space = bands == 1 ? ColorSpace.CS_GRAY : ColorSpace.CS_sRGB;
        WritableRaster raster =
            Raster.createWritableRaster(
                new PixelInterleavedSampleModel(
                    types[k], 4, 4, bands, 4 * bands, IntStream.range(0, bands).toArray()),
                null);
        raster.setSample(1, 1, 0, -3);
        ColorModel colours =
            new ComponentColorModel(
                ColorSpace.getInstance(space), false, false, Transparency.OPAQUE, types[k]);
        Path file = folder.resolve("samples%d-%d.tiff".formatted(k, bands));
        writeTiff(new BufferedImage(colours, raster, false, null), file);
        assertThatThrownBy(() -> ImageFiles.read(file))
            .as(found[k])
            .isInstanceOf(FormatException.class)
            .hasMessageContaining(
                "expected unsigned samples of at most 16 bits, found " + found[k]);
      }
    }
  }

  /** The JDK's writer knows more kinds of samples than others. */
  private static void writeTiff(BufferedImage image, Path file) throws IOException {
    Iterator<ImageWriter> writers = ImageIO.getImageWritersByFormatName("tiff");
    ImageWriter writer = writers.next();
    while (!writer.getClass().getName().startsWith("com.sun.")) {
      writer = writers.next();
    }
    try (ImageOutputStream out = ImageIO.createImageOutputStream(file.toFile())) {
      writer.setOutput(out);
      writer.write(image);
    } finally {
      writer.dispose();
    }
  }

  @Test
  void refusesHugeImagesByTheirHeader() throws IOException {
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
