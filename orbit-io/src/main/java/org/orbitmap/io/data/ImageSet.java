package org.orbitmap.io.data;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.orbitmap.eval.Labelled;
import org.orbitmap.image.Image;
import org.orbitmap.io.Digests;
import org.orbitmap.model.InputShape;

/**
 * Labelled images of one size, 8 bits a sample, in memory.
 *
 * <p>The arrays are not copied: treat them as immutable once they are inside a set.
 *
 * @param name what users call it, such as {@code cifar10}
 * @param classes the names of the labels 0, 1, 2, …; none if all labels are {@link
 *     Labelled#UNKNOWN}
 * @param channels 1 for grey, 3 for colour
 * @param height rows
 * @param width columns
 * @param pixels the samples of each image, channel by channel (CHW)
 * @param labels the class of each image
 */
public record ImageSet(
    String name,
    List<String> classes,
    int channels,
    int height,
    int width,
    byte[][] pixels,
    int[] labels)
    implements DataSet<Image> {
  public ImageSet {
    Objects.requireNonNull(name, "name");
    classes = List.copyOf(classes);
    if (pixels.length != labels.length) {
      throw new IllegalArgumentException(
          "%s: expected one label for each of %d images, found %d labels"
              .formatted(name, pixels.length, labels.length));
    }
    int samples = channels * height * width;
    for (int i = 0; i < labels.length; i++) {
      if (pixels[i].length != samples) {
        throw new IllegalArgumentException(
            "%s: expected %d x %d x %d = %d samples in every image, found %d in number %d"
                .formatted(name, channels, height, width, samples, pixels[i].length, i));
      }
      if (labels[i] >= classes.size() || (labels[i] == Labelled.UNKNOWN) != classes.isEmpty()) {
        throw new IllegalArgumentException(
            "%s: expected labels in 0..%d, found %d at image %d"
                .formatted(name, classes.size() - 1, labels[i], i));
      }
    }
  }

  /**
   * A set of images as what it is.
   *
   * @throws IllegalArgumentException if it is one of another kind
   */
  public static ImageSet of(DataSet<?> set) {
    if (set instanceof ImageSet images) {
      return images;
    }
    throw new IllegalArgumentException(
        "%s: expected images, found %s".formatted(set.name(), set.shape()));
  }

  @Override
  public int size() {
    return labels.length;
  }

  /** One image, with samples in [0, 1]. */
  public Image image(int i) {
    Image image = Image.black(channels, height, width);
    copy(i, image.data(), 0);
    return image;
  }

  @Override
  public InputShape<Image> shape() {
    return new InputShape.Images(channels, height, width);
  }

  @Override
  public Image input(int i) {
    return image(i);
  }

  @Override
  public int label(int i) {
    return labels[i];
  }

  /** Writes the samples of one image, in [0, 1], into an array from an offset on. */
  public void copy(int i, float[] to, int offset) {
    byte[] p = pixels[i];
    for (int k = 0; k < p.length; k++) {
      to[offset + k] = LEVELS[p[k] & 255];
    }
  }

  private static final float[] LEVELS = new float[256];

  static {
    for (int v = 0; v < 256; v++) {
      LEVELS[v] = v / 255f;
    }
  }

  @Override
  public ImageSet subset(int[] indices) {
    byte[][] p = new byte[indices.length][];
    int[] l = new int[indices.length];
    for (int i = 0; i < indices.length; i++) {
      p[i] = pixels[indices[i]];
      l[i] = labels[indices[i]];
    }
    return new ImageSet(name, classes, channels, height, width, p, l);
  }

  @Override
  public ImageSet first(int n) {
    return n >= size() ? this : subset(IntStream.range(0, n).toArray());
  }

  /**
   * The same images with 1 or 3 channels: grey ones get equal channels, coloured ones become grey.
   *
   * @throws IllegalArgumentException for any other number
   */
  public ImageSet withChannels(int count) {
    if (count == channels) {
      return this;
    }
    byte[][] p = new byte[size()][];
    for (int i = 0; i < p.length; i++) {
      p[i] = LabelledImages.bytes(image(i).withChannels(count), count);
    }
    return new ImageSet(name, classes, count, height, width, p, labels);
  }

  /** This set with another set of the same kind behind it. */
  public ImageSet concat(ImageSet other) {
    if (!classes.equals(other.classes)
        || channels != other.channels
        || height != other.height
        || width != other.width) {
      throw new IllegalArgumentException(
          "%s: expected %s to append, found %s".formatted(name, describe(), other.describe()));
    }
    byte[][] p = Arrays.copyOf(pixels, size() + other.size());
    System.arraycopy(other.pixels, 0, p, size(), other.size());
    int[] l = Arrays.copyOf(labels, size() + other.size());
    System.arraycopy(other.labels, 0, l, size(), other.size());
    return new ImageSet(name, classes, channels, height, width, p, l);
  }

  @Override
  public String digest() {
    MessageDigest sha = Digests.sha256();
    sha.update(
        (describe() + "\n" + String.join("\n", classes) + "\n").getBytes(StandardCharsets.UTF_8));
    byte[] label = new byte[4];
    for (int i = 0; i < size(); i++) {
      for (int b = 0; b < 4; b++) {
        label[b] = (byte) (labels[i] >> (8 * b));
      }
      sha.update(label);
      sha.update(pixels[i]);
    }
    return HexFormat.of().formatHex(sha.digest());
  }

  /** Such as {@code 3 x 32 x 32 in 10 classes}. */
  public String describe() {
    return "%d x %d x %d in %d classes".formatted(channels, height, width, classes.size());
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof ImageSet s
        && name.equals(s.name)
        && classes.equals(s.classes)
        && channels == s.channels
        && height == s.height
        && width == s.width
        && Arrays.deepEquals(pixels, s.pixels)
        && Arrays.equals(labels, s.labels);
  }

  @Override
  public int hashCode() {
    return 31 * name.hashCode() + Arrays.hashCode(labels);
  }

  @Override
  public String toString() {
    return "ImageSet[%s: %,d images, %s]".formatted(name, size(), describe());
  }
}
