package org.orbitmap.io.image;

import java.io.IOException;
import java.io.Serializable;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.orbitmap.image.Image;
import org.orbitmap.io.InputFile;

/**
 * How images are written that were made of files. PNG keeps every sample; JPEG is smaller and
 * changes them, a little for each time that an image is written so.
 *
 * @param kind which format
 * @param quality of JPEG, 1 to 100; 0 for that of the input, or {@link #USUAL} if that is no JPEG
 */
public record ImageFormat(Kind kind, int quality) implements Serializable {
  /** The kinds of format. */
  public enum Kind {
    /** PNG, with 8 or 16 bits as the input has them. */
    PNG,
    /** JPEG. */
    JPEG,
    /** JPEG for JPEG, PNG for all others. */
    INPUT
  }

  /** Nothing is lost. */
  public static final ImageFormat PNG = new ImageFormat(Kind.PNG, 0);

  /** The default: as the input came. */
  public static final ImageFormat INPUT = new ImageFormat(Kind.INPUT, 0);

  /** The quality of a JPEG that was made of another format. */
  public static final int USUAL = 95;

  private static final Pattern NAME =
      Pattern.compile("(png|input)|jpe?g(?::([1-9]\\d?|100))?", Pattern.CASE_INSENSITIVE);

  public ImageFormat {
    if (quality < 0 || quality > 100) {
      throw new IllegalArgumentException("quality: expected 1 to 100, found " + quality);
    }
  }

  /** {@code png}, {@code jpeg}, {@code jpeg:90} or {@code input}; empty for another name. */
  public static Optional<ImageFormat> named(String name) {
    Matcher m = NAME.matcher(name.trim());
    if (!m.matches()) {
      return Optional.empty();
    }
    if (m.group(1) != null) {
      return Optional.of(new ImageFormat(Kind.valueOf(m.group(1).toUpperCase(Locale.ROOT)), 0));
    }
    int quality = m.group(2) == null ? 0 : Integer.parseInt(m.group(2));
    return Optional.of(new ImageFormat(Kind.JPEG, quality));
  }

  /** How the name of a result ends, for an input of this name. */
  public String ending(String input) {
    if (!lossy(input)) {
      return ".png";
    }
    return isJpeg(input) ? input.substring(input.lastIndexOf('.')) : ".jpg";
  }

  /** Whether samples change when the result of an input of this name is written. */
  public boolean lossy(String input) {
    return kind == Kind.JPEG || (kind == Kind.INPUT && isJpeg(input));
  }

  private static boolean isJpeg(String name) {
    return name.toLowerCase(Locale.ROOT).matches(".*\\.jpe?g");
  }

  /** The quality of the JPEG that is made of a file. */
  public int quality(InputFile input) throws IOException {
    if (quality > 0) {
      return quality;
    }
    int own = ImageHeader.quality(input.bytes(Integer.MAX_VALUE));
    return own == 0 ? USUAL : own;
  }

  /**
   * The bytes of a result.
   *
   * @param input the file that it was made of
   * @param bits of each sample in a PNG: 8 or 16
   */
  public byte[] encode(Image image, InputFile input, int bits) throws IOException {
    return lossy(input.path().getFileName().toString())
        ? ImageFiles.jpeg(image, quality(input))
        : ImageFiles.png(image, bits);
  }

  @Override
  public String toString() {
    return kind.name().toLowerCase(Locale.ROOT) + (quality == 0 ? "" : ":" + quality);
  }
}
