package org.orbitmap.image;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Objects;

/**
 * An image: float samples, channel by channel, each channel row by row (CHW). Colours are usually
 * in [0, 1]. The centre is ((height-1)/2, (width-1)/2).
 *
 * <p>The array is not copied: treat it as immutable once it is inside an image.
 *
 * @param channels 1 for grey, 3 for colour, or any other number of planes
 * @param height rows
 * @param width columns
 * @param data {@code channels * height * width} samples
 */
public record Image(int channels, int height, int width, float[] data) implements Serializable {
  public Image {
    Objects.requireNonNull(data, "data");
    if (channels < 1 || height < 1 || width < 1) {
      throw new IllegalArgumentException(
          "image: expected at least 1 channel, 1 row and 1 column, found %d x %d x %d"
              .formatted(channels, height, width));
    }
    if (data.length != (long) channels * height * width) {
      throw new IllegalArgumentException(
          "image: expected %d x %d x %d = %d samples, found %d"
              .formatted(channels, height, width, (long) channels * height * width, data.length));
    }
  }

  /** A black image. */
  public static Image black(int channels, int height, int width) {
    long n = (long) channels * height * width;
    if (n > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException("image: expected at most 2^31 samples, found " + n);
    }
    return new Image(channels, height, width, new float[(int) n]);
  }

  /** The sample of one channel at a row and a column. */
  public float at(int channel, int row, int column) {
    return data[(channel * height + row) * width + column];
  }

  /** Samples in one channel. */
  public int plane() {
    return height * width;
  }

  /**
   * This image, after a check that every sample is finite.
   *
   * @throws IllegalArgumentException naming the first sample that is NaN or infinite
   */
  public Image requireFinite() {
    for (int i = 0; i < data.length; i++) {
      if (!Float.isFinite(data[i])) {
        throw new IllegalArgumentException(
            "image: expected finite samples, found %s at channel %d, row %d, column %d"
                .formatted(data[i], i / plane(), i % plane() / width, i % width));
      }
    }
    return this;
  }

  /** The mirror image: the columns in reverse order. */
  public Image mirrored() {
    float[] out = new float[data.length];
    for (int row = 0; row < out.length; row += width) {
      for (int j = 0; j < width; j++) {
        out[row + j] = data[row + width - 1 - j];
      }
    }
    return new Image(channels, height, width, out);
  }

  /** The mean over the channels as a grey image; a grey image is returned as it is. */
  public Image grey() {
    if (channels == 1) {
      return this;
    }
    int n = plane();
    float[] grey = new float[n];
    for (int i = 0; i < n; i++) {
      double sum = 0;
      for (int c = 0; c < channels; c++) {
        sum += data[c * n + i];
      }
      grey[i] = (float) (sum / channels);
    }
    return new Image(1, height, width, grey);
  }

  /**
   * The image for a network of so many channels: itself if it has as many; a colour image for a
   * grey network by its mean, a grey one for a colour network in each channel.
   *
   * @throws IllegalArgumentException if neither is grey
   */
  public Image withChannels(int count) {
    if (count == channels) {
      return this;
    }
    if (count != 1 && channels != 1) {
      throw new IllegalArgumentException(
          "image: expected %d channels or 1, found %d".formatted(count, channels));
    }
    float[] grey = grey().data;
    float[] all = new float[count * grey.length];
    for (int c = 0; c < count; c++) {
      System.arraycopy(grey, 0, all, c * grey.length, grey.length);
    }
    return new Image(count, height, width, all);
  }

  /** The largest absolute difference to an image of the same shape. */
  public double distance(Image other) {
    if (!sameShape(other)) {
      return Double.POSITIVE_INFINITY;
    }
    double worst = 0;
    for (int i = 0; i < data.length; i++) {
      worst = Math.max(worst, Math.abs((double) data[i] - other.data[i]));
    }
    return worst;
  }

  /** Whether channels, height and width agree. */
  public boolean sameShape(Image other) {
    return channels == other.channels && height == other.height && width == other.width;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Image i && sameShape(i) && Arrays.equals(data, i.data);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(data);
  }

  @Override
  public String toString() {
    return "Image[%d x %d x %d]".formatted(channels, height, width);
  }
}
