package org.orbitmap.io.image;

import java.awt.image.BufferedImage;
import java.awt.image.ColorModel;
import java.awt.image.ComponentColorModel;
import java.awt.image.DataBuffer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageReadParam;
import javax.imageio.ImageReader;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageInputStream;
import javax.imageio.stream.ImageOutputStream;
import javax.imageio.stream.MemoryCacheImageInputStream;
import javax.imageio.stream.MemoryCacheImageOutputStream;
import org.orbitmap.image.Image;
import org.orbitmap.io.AtomicFiles;
import org.orbitmap.io.FormatException;
import org.orbitmap.io.InputFile;

/**
 * Image files as {@link Image}s with samples in [0, 1].
 *
 * <p>Reads PNG, JPEG, BMP, GIF and WBMP through the JDK, TIFF, WebP, and PGM and PPM (plain and
 * raw). Grey files give one channel, all others three, with 8 or 16 bits as the file has them. The
 * EXIF orientation of JPEG, PNG, WebP and TIFF is obeyed. A transparent pixel is blended over
 * black, and of several pages or frames the first is read: {@link #open} says so. JPEGs in CMYK are
 * refused, and so are damaged files. The size is checked in the header, before memory is taken.
 */
public final class ImageFiles {
  /** The most pixels a file may have: 64 million. */
  public static final long MAX_PIXELS = 64_000_000L;

  /** The most bytes a file may have: 1 GiB. */
  private static final long MAX_BYTES = 1L << 30;

  /** What deflate makes of one byte at most, and some more for rounding. */
  static final long DEFLATE = 1100;

  private static final Pattern ENDING =
      Pattern.compile(
          "\\.(png|jpe?g|bmp|gif|wbmp|tiff?|webp|pgm|ppm|pnm)\\z", Pattern.CASE_INSENSITIVE);

  /** A decoded file, upright, and what there is to say about it. */
  private record Decoded(BufferedImage image, List<String> remarks) {}

  private ImageFiles() {}

  /** Whether the name ends like that of an image this class reads. */
  public static boolean isImage(Path file) {
    return ENDING.matcher(file.getFileName().toString()).find();
  }

  /**
   * Reads one image.
   *
   * @throws FormatException if the file is not an image, or is larger than {@link #MAX_PIXELS}
   */
  public static Image read(Path file) throws IOException {
    return open(file).image();
  }

  /**
   * Reads one image, and says what an {@link Image} cannot hold of it.
   *
   * @throws FormatException if the file is not an image, is damaged, or is larger than {@link
   *     #MAX_PIXELS}
   */
  public static ReadImage open(Path file) throws IOException {
    return open(new InputFile(file));
  }

  /** The same for a file that may have been read already. */
  public static ReadImage open(InputFile file) throws IOException {
    byte[] bytes;
    try {
      bytes = file.bytes(MAX_BYTES);
    } catch (NoSuchFileException e) {
      throw new NoSuchFileException(file.path().toString(), null, "no such file");
    } catch (FormatException e) {
      throw e;
    } catch (IOException e) {
      if (Files.isDirectory(file.path())) {
        throw new FormatException(file.path(), "an image file", "a folder");
      }
      throw e;
    }
    Optional<ReadImage> jpeg = FastJpeg.open(bytes);
    return jpeg.isPresent() ? jpeg.get() : open(file.path(), bytes);
  }

  /**
   * The same from bytes, in any format that files may have.
   *
   * @param name what to call it in messages
   * @throws FormatException as for a file
   */
  public static ReadImage open(Path name, byte[] bytes) throws IOException {
    if (isNetpbm(bytes)) {
      return NetpbmReader.read(name, bytes);
    }
    Optional<Image> plain = Png.decode(bytes, MAX_PIXELS);
    if (plain.isPresent()) {
      return new ReadImage(plain.get(), 8, List.of());
    }
    Decoded decoded = decode(name, bytes, MAX_PIXELS, Integer.MAX_VALUE);
    BufferedImage image = decoded.image;
    int bits = image.getColorModel().getComponentSize(0);
    List<String> remarks = new ArrayList<>(decoded.remarks);
    if (bits > 8 && !asStored(image)) {
      remarks.add(bits + " bits a sample read as 8");
    }
    return new ReadImage(of(image), bits > 8 && asStored(image) ? 16 : 8, remarks);
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
        : of(decode(name, bytes, maxPixels, Integer.MAX_VALUE).image);
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
    return decode(name, bytes.readAllBytes(), maxPixels, side).image;
  }

  private static Decoded decode(Path name, byte[] bytes, long maxPixels, int side)
      throws IOException {
    try (ImageInputStream in = new MemoryCacheImageInputStream(new ByteArrayInputStream(bytes))) {
      Iterator<ImageReader> readers = ImageIO.getImageReaders(in);
      if (!readers.hasNext()) {
        throw new FormatException(
            name, "an image (PNG, JPEG, BMP, GIF, TIFF, WebP, PGM or PPM)", "something else");
      }
      ImageReader reader = readers.next();
      String format = reader.getFormatName().toUpperCase(Locale.ROOT);
      ImageHeader header = ImageHeader.of(bytes);
      if (header.components() == 4) {
        throw new FormatException(
            name, "a JPEG image in grey or RGB", "CMYK. Convert it to RGB first");
      }
      List<String> remarks = new ArrayList<>();
      try {
        boolean paged = format.startsWith("GIF") || format.startsWith("TIF");
        reader.setInput(in, !paged, true);
        boolean[] cut = {!header.ended()};
        reader.addIIOReadWarningListener(
            (source, warning) -> cut[0] |= warning.contains("premature end"));
        int width = reader.getWidth(0);
        int height = reader.getHeight(0);
        checkSize(name, width, height, maxPixels);
        if (format.startsWith("PNG") && (long) width * height / 8 > DEFLATE * bytes.length) {
          throw new FormatException(
              name,
              "a whole PNG image",
              "%d bytes for %d x %d".formatted(bytes.length, width, height));
        }
        ImageReadParam how = reader.getDefaultReadParam();
        int thin = Math.max(1, Math.min(width, height) / side);
        how.setSourceSubsampling(thin, thin, 0, 0);
        BufferedImage image = reader.read(0, how);
        if (cut[0]) {
          throw new FormatException(name, "a whole %s image".formatted(format), "a truncated one");
        }
        requireUnsigned(name, image);
        int pages = paged ? reader.getNumImages(true) : header.frames();
        if (pages > 1) {
          remarks.add("the first of %d %s".formatted(pages, paged ? "pages" : "frames"));
        }
        if (image.getColorModel().hasAlpha()) {
          remarks.add("transparent pixels blended over black");
        }
        if (header.orientation() > 1) {
          remarks.add(Upright.remark(header.orientation()));
        }
        return new Decoded(Upright.of(image, header.orientation()), remarks);
      } catch (FormatException e) {
        throw e;
      } catch (IOException | RuntimeException e) {
        // Decoders of the JDK throw all sorts of things on damaged files.
        throw new FormatException(
            name, "a whole %s image".formatted(format), "a damaged one (" + e.getMessage() + ")");
      } finally {
        reader.dispose();
      }
    }
  }

  /** Writes an 8-bit PNG, grey for one channel and colour for three; the file appears whole. */
  public static void writePng(Path file, Image image) throws IOException {
    AtomicFiles.write(file, png(image));
  }

  /** The bytes of an 8-bit PNG, grey for one channel and colour for three. */
  public static byte[] png(Image image) {
    return png(image, 8);
  }

  /**
   * The bytes of a PNG, grey for one channel and colour for three.
   *
   * @param bits of each sample: 8 or 16
   */
  public static byte[] png(Image image, int bits) {
    return Png.encode(image, bits);
  }

  /**
   * The bytes of a JPEG, grey for one channel and colour for three, with half as many samples of
   * colour in each direction.
   *
   * @param quality 1 to 100
   */
  static byte[] jpeg(Image image, int quality) throws IOException {
    ImageWriter writer = ImageIO.getImageWritersByFormatName("jpeg").next();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ImageOutputStream out = new MemoryCacheImageOutputStream(bytes)) {
      ImageWriteParam how = writer.getDefaultWriteParam();
      how.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
      how.setCompressionQuality(quality / 100f);
      writer.setOutput(out);
      writer.write(null, new IIOImage(toBufferedImage(image), null, null), how);
    } finally {
      writer.dispose();
    }
    return bytes.toByteArray();
  }

  /** Refuses samples that do not stand for [0, 1]: signed ones, floats, more than 16 bits. */
  private static void requireUnsigned(Path name, BufferedImage image) throws FormatException {
    int bits = image.getColorModel().getComponentSize(0);
    int type = image.getRaster().getTransferType();
    boolean packed = !(image.getColorModel() instanceof ComponentColorModel);
    boolean whole = type == DataBuffer.TYPE_BYTE || type == DataBuffer.TYPE_USHORT;
    if (!packed && (!whole || bits > 16)) {
      throw new FormatException(
          name,
          "unsigned samples of at most 16 bits",
          switch (type) {
                case DataBuffer.TYPE_FLOAT, DataBuffer.TYPE_DOUBLE -> "floats of " + bits + " bits";
                case DataBuffer.TYPE_SHORT -> "signed ones of " + bits + " bits";
                default -> bits + " bits";
              }
              + ". Convert it to PNG");
    }
  }

  /** The samples of a JDK image, divided by the largest that there can be. */
  public static Image of(BufferedImage source) {
    int h = source.getHeight();
    int w = source.getWidth();
    int channels = isGrey(source) ? 1 : 3;
    Image image = Image.black(channels, h, w);
    float[] data = image.data();
    int plane = image.plane();
    if (plainBytes(source)) {
      byte[] row = new byte[3 * w];
      for (int y = 0; y < h; y++) {
        source.getRaster().getDataElements(0, y, w, 1, row);
        Levels.samples(row, 0, 3, w, data, y * w, plane);
      }
      return image;
    }
    if (asStored(source)) {
      stored(source, image);
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

  /** Takes the samples from the raster, times alpha: the JDK would make bytes of them. */
  private static void stored(BufferedImage source, Image image) {
    ColorModel colours = source.getColorModel();
    float max = (1L << colours.getComponentSize(0)) - 1;
    boolean blend = colours.hasAlpha() && !colours.isAlphaPremultiplied();
    int w = image.width();
    int[] row = new int[w];
    int[] alpha = new int[w];
    for (int y = 0; y < image.height(); y++) {
      if (blend) {
        source.getRaster().getSamples(0, y, w, 1, image.channels(), alpha);
      }
      for (int c = 0; c < image.channels(); c++) {
        source.getRaster().getSamples(0, y, w, 1, c, row);
        for (int x = 0, to = c * image.plane() + y * w; x < w; x++, to++) {
          image.data()[to] = row[x] / max * (blend ? alpha[x] / max : 1);
        }
      }
    }
  }

  private static boolean isGrey(BufferedImage image) {
    return image.getColorModel().getNumColorComponents() == 1;
  }

  /** Whether samples mean what they are: grey, or red, green and blue, of at most 16 bits. */
  private static boolean asStored(BufferedImage image) {
    ColorModel colours = image.getColorModel();
    int[] sizes = colours.getComponentSize();
    return (isGrey(image) || (colours instanceof ComponentColorModel && isRgb(colours)))
        && sizes[0] <= 16
        && Arrays.stream(sizes).allMatch(s -> s == sizes[0]);
  }

  private static boolean isRgb(ColorModel colours) {
    return colours.getColorSpace().isCS_sRGB();
  }

  /** The same for a byte each of red, green and blue, without alpha. */
  private static boolean plainBytes(BufferedImage image) {
    ColorModel colours = image.getColorModel();
    return colours instanceof ComponentColorModel
        && isRgb(colours)
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
    float level = v * 255;
    return v > 0 ? (level < 255 ? (int) (level + 0.5) : 255) : 0;
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

  private static boolean isNetpbm(byte[] magic) {
    return magic.length >= 2
        && magic[0] == 'P'
        && (magic[1] == '2' || magic[1] == '3' || magic[1] == '5' || magic[1] == '6');
  }
}
