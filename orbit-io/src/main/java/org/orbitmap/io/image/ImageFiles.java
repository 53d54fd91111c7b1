package org.orbitmap.io.image;

import java.awt.image.BufferedImage;
import java.awt.image.ColorModel;
import java.awt.image.ComponentColorModel;
import java.awt.image.DataBuffer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Locale;
import java.util.Optional;
import javax.imageio.ImageIO;
import javax.imageio.ImageReadParam;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import javax.imageio.stream.MemoryCacheImageInputStream;
import org.orbitmap.image.Image;
import org.orbitmap.io.AtomicFiles;
import org.orbitmap.io.FormatException;

/**
 * Image files as {@link Image}s with samples in [0, 1].
 *
 * <p>Reads PNG, JPEG, BMP, GIF (first frame), WBMP and TIFF through the JDK, and PGM and PPM (plain
 * and raw, 8 or 16 bits). Grey files give one channel, all others three; a transparent pixel is
 * blended over black. The size is checked in the header, before memory is taken.
 */
public final class ImageFiles {
  /** The most pixels a file may have: 64 million. */
  public static final long MAX_PIXELS = 64_000_000L;

  private ImageFiles() {}

  /** Whether the name ends like that of an image this class reads. */
  public static boolean isImage(Path file) {
    String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
    return name.matches(".*\\.(png|jpe?g|bmp|gif|wbmp|tiff?|pgm|ppm|pnm)");
  }

  /**
   * Reads one image.
   *
   * @throws FormatException if the file is not an image, or is larger than {@link #MAX_PIXELS}
   */
  public static Image read(Path file) throws IOException {
    if (!Files.exists(file)) {
      throw new NoSuchFileException(file.toString(), null, "no such file");
    }
    if (Files.isDirectory(file)) {
      throw new FormatException(file, "an image file", "a folder");
    }
    if (isNetpbm(file)) {
      return NetpbmReader.read(file);
    }
    try (InputStream raw = Files.newInputStream(file)) {
      return decode(file, raw);
    }
  }

  /**
   * Reads one image from bytes.
   *
   * @param name what to call it in messages
   */
  public static Image decode(Path name, InputStream bytes) throws IOException {
    return of(decode(name, bytes, MAX_PIXELS, Integer.MAX_VALUE));
  }

  /**
   * Reads one image from bytes, in memory only; the fastest way for small PNG files.
   *
   * @param name what to call it in messages
   * @param maxPixels the most pixels it may have
   */
  public static Image decode(Path name, byte[] bytes, long maxPixels) throws IOException {
    Optional<Image> plain = Png.decode(bytes, maxPixels);
    return plain.isPresent()
        ? plain.get()
        : of(decode(name, new ByteArrayInputStream(bytes), maxPixels, Integer.MAX_VALUE));
  }

  /**
   * Reads one image from bytes, in memory only. An image much larger than wanted is thinned out
   * while it is read: its shorter side keeps at least the wanted length.
   *
   * @param name what to call it in messages
   * @param maxPixels the most pixels it may have
   * @param side the wanted length of the shorter side; {@code Integer.MAX_VALUE} for all pixels
   * @throws FormatException if it is not an image, is damaged, or has too many pixels
   */
  public static BufferedImage decode(Path name, InputStream bytes, long maxPixels, int side)
      throws IOException {
    try (ImageInputStream in = new MemoryCacheImageInputStream(bytes)) {
      Iterator<ImageReader> readers = ImageIO.getImageReaders(in);
      if (!readers.hasNext()) {
        throw new FormatException(
            name, "an image (PNG, JPEG, BMP, GIF, TIFF, PGM or PPM)", "something else");
      }
      ImageReader reader = readers.next();
      try {
        reader.setInput(in, true, true);
        int width = reader.getWidth(0);
        int height = reader.getHeight(0);
        checkSize(name, width, height, maxPixels);
        ImageReadParam how = reader.getDefaultReadParam();
        int thin = Math.max(1, Math.min(width, height) / side);
        how.setSourceSubsampling(thin, thin, 0, 0);
        BufferedImage image = reader.read(0, how);
        int bits = image.getColorModel().getComponentSize(0);
        if (isGrey(image) && bits > 16) {
          throw new FormatException(
              name, "grey samples of at most 16 bits", bits + ". Convert it to PNG");
        }
        return image;
      } catch (FormatException e) {
        throw e;
      } catch (IOException | RuntimeException e) {
        // Decoders of the JDK throw all sorts of things on damaged files.
        throw new FormatException(
            name,
            "a whole " + reader.getFormatName().toUpperCase(Locale.ROOT) + " image",
            "a damaged one (" + e.getMessage() + ")");
      } finally {
        reader.dispose();
      }
    }
  }

  /** Writes an 8-bit PNG, grey for one channel and colour for three; the file appears whole. */
  public static void writePng(Path file, Image image) throws IOException {
    byte[] png = png(image);
    AtomicFiles.write(file, out -> out.write(png));
  }

  /** The bytes of an 8-bit PNG, grey for one channel and colour for three. */
  public static byte[] png(Image image) {
    return Png.encode(image);
  }

  /** The samples of a JDK image, divided by the largest that there can be. */
  public static Image of(BufferedImage source) {
    int h = source.getHeight();
    int w = source.getWidth();
    boolean grey = isGrey(source);
    int channels = grey ? 1 : 3;
    Image image = Image.black(channels, h, w);
    float[] data = image.data();
    int plane = image.plane();
    if (grey && !source.getColorModel().hasAlpha()) {
      // The raster, not getRGB: the JDK would apply a gamma to grey samples.
      long max = (1L << source.getColorModel().getComponentSize(0)) - 1;
      int[] row = new int[w];
      for (int y = 0; y < h; y++) {
        source.getRaster().getSamples(0, y, w, 1, 0, row);
        for (int x = 0; x < w; x++) {
          data[y * w + x] = row[x] / (float) max;
        }
      }
      return image;
    }
    if (plainBytes(source)) {
      byte[] row = new byte[3 * w];
      for (int y = 0; y < h; y++) {
        source.getRaster().getDataElements(0, y, w, 1, row);
        for (int x = 0, from = 0, to = y * w; x < w; x++, to++) {
          data[to] = (row[from++] & 255) / 255f;
          data[plane + to] = (row[from++] & 255) / 255f;
          data[2 * plane + to] = (row[from++] & 255) / 255f;
        }
      }
      return image;
    }
    int[] row = new int[w];
    for (int y = 0; y < h; y++) {
      source.getRGB(0, y, w, 1, row, 0, w);
      for (int x = 0; x < w; x++) {
        float alpha = (row[x] >>> 24) / 255f;
        for (int c = 0; c < channels; c++) {
          data[c * plane + y * w + x] = (row[x] >> (16 - 8 * c) & 255) / 255f * alpha;
        }
      }
    }
    return image;
  }

  /** Whether the samples can be taken as they are: red, green, blue, a byte each. */
  private static boolean isGrey(BufferedImage image) {
    return image.getColorModel().getNumColorComponents() == 1;
  }

  private static boolean plainBytes(BufferedImage image) {
    ColorModel colours = image.getColorModel();
    return colours instanceof ComponentColorModel
        && colours.getColorSpace().isCS_sRGB()
        && !colours.hasAlpha()
        && image.getRaster().getTransferType() == DataBuffer.TYPE_BYTE
        && image.getRaster().getNumBands() == 3
        && colours.getComponentSize(0) == 8;
  }

  /** A JDK image with 8 bits a sample; values outside [0, 1] are clamped. */
  public static BufferedImage toBufferedImage(Image image) {
    int channels = requireGreyOrColour(image);
    int h = image.height();
    int w = image.width();
    BufferedImage result =
        new BufferedImage(
            w, h, channels == 1 ? BufferedImage.TYPE_BYTE_GRAY : BufferedImage.TYPE_INT_RGB);
    int[] row = new int[w];
    for (int c = 0; c < channels; c++) {
      for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x++) {
          row[x] = toByte(image.at(c, y, x));
        }
        result.getRaster().setSamples(0, y, w, 1, c, row);
      }
    }
    return result;
  }

  static int requireGreyOrColour(Image image) {
    int channels = image.channels();
    if (channels != 1 && channels != 3) {
      throw new IllegalArgumentException("image file: expected 1 or 3 channels, found " + channels);
    }
    return channels;
  }

  /** The nearest of 256 levels: round(255 v), clamped. */
  public static int toByte(float v) {
    return v > 0 ? (int) Math.min(255, (double) (v * 255) + 0.5) : 0;
  }

  public static void checkSize(Path file, int width, int height) throws FormatException {
    checkSize(file, width, height, MAX_PIXELS);
  }

  private static void checkSize(Path file, int width, int height, long most)
      throws FormatException {
    if (width < 1 || height < 1 || (long) width * height > most) {
      throw new FormatException(
          file, "between 1 and %,d pixels".formatted(most), "%d x %d".formatted(width, height));
    }
  }

  private static boolean isNetpbm(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] magic = in.readNBytes(2);
      return magic.length == 2
          && magic[0] == 'P'
          && (magic[1] == '2' || magic[1] == '3' || magic[1] == '5' || magic[1] == '6');
    }
  }
}
