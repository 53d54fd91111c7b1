package org.orbitmap.model;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.image.Image;

/**
 * The kind and the size of one input of a network: what all inputs of a data set share, and all
 * that training, evaluation and export need to know about them.
 *
 * @param <X> the inputs
 */
public interface InputShape<X> extends Serializable {
  /** The most pixels of an image or points of a cloud: 16 million. */
  int MOST = 1 << 24;

  /** The most channels of an image. */
  int MOST_CHANNELS = 64;

  /** The kind in the plural, as in messages: {@code images} or {@code clouds}. */
  String kind();

  /** The lengths of the axes of one input as networks take it, without the batch. */
  int[] axes();

  /** Writes the numbers of an input from a place on. */
  void copy(X x, float[] to, int at);

  /** The input whose numbers stand at a place. */
  X input(float[] from, int at);

  /** Whether an input is of this kind and size. */
  boolean fits(Object x);

  /** How many numbers an input has. */
  default int length() {
    return Math.toIntExact(Arrays.stream(axes()).asLongStream().reduce(1, Math::multiplyExact));
  }

  /** The shape of a batch of n inputs. */
  default long[] batch(int n) {
    int[] own = axes();
    long[] all = new long[own.length + 1];
    all[0] = n;
    for (int i = 0; i < own.length; i++) {
      all[i + 1] = own[i];
    }
    return all;
  }

  /**
   * The numbers of a batch, one input after another.
   *
   * @param source what the message is about
   * @throws IllegalArgumentException if an input has another size
   */
  default float[] pack(Object source, List<? extends X> batch) {
    float[] numbers = new float[Math.multiplyExact(batch.size(), length())];
    for (int i = 0; i < batch.size(); i++) {
      if (!fits(batch.get(i))) {
        throw new IllegalArgumentException(
            "%s: expected %s, found %s".formatted(source, this, batch.get(i)));
      }
      copy(batch.get(i), numbers, i * length());
    }
    return numbers;
  }

  /** Images with samples in [0, 1], channel by channel. */
  record Images(int channels, int height, int width) implements InputShape<Image> {
    public Images {
      if (channels < 1 || height < 1 || width < 1) {
        throw new IllegalArgumentException(
            "images: expected at least 1 x 1 x 1, found %d x %d x %d"
                .formatted(channels, height, width));
      }
      if (channels > MOST_CHANNELS || (long) height * width > MOST) {
        throw new IllegalArgumentException(
            "images: expected at most %d channels and %d pixels, found %d x %d x %d"
                .formatted(MOST_CHANNELS, MOST, channels, height, width));
      }
    }

    @Override
    public String kind() {
      return "images";
    }

    @Override
    public int[] axes() {
      return new int[] {channels, height, width};
    }

    @Override
    public void copy(Image x, float[] to, int at) {
      System.arraycopy(x.data(), 0, to, at, x.data().length);
    }

    @Override
    public Image input(float[] from, int at) {
      return new Image(channels, height, width, Arrays.copyOfRange(from, at, at + length()));
    }

    @Override
    public boolean fits(Object x) {
      return x instanceof Image u
          && u.channels() == channels
          && u.height() == height
          && u.width() == width;
    }

    @Override
    public String toString() {
      return "images of %d x %d x %d".formatted(channels, height, width);
    }
  }

  /** Clouds of points in space, point by point. */
  record Clouds(int points) implements InputShape<PointCloud> {
    public Clouds {
      if (points < 1 || points > MOST) {
        throw new IllegalArgumentException(
            "clouds: expected 1 to %d points, found %d".formatted(MOST, points));
      }
    }

    @Override
    public String kind() {
      return "clouds";
    }

    @Override
    public int[] axes() {
      return new int[] {points, 3};
    }

    @Override
    public void copy(PointCloud x, float[] to, int at) {
      System.arraycopy(x.coordinates(), 0, to, at, x.coordinates().length);
    }

    @Override
    public PointCloud input(float[] from, int at) {
      return new PointCloud(3, Arrays.copyOfRange(from, at, at + length()));
    }

    @Override
    public boolean fits(Object x) {
      return x instanceof PointCloud c && c.dimension() == 3 && c.size() == points;
    }

    @Override
    public String toString() {
      return "clouds of %,d points in 3-D".formatted(points);
    }
  }

  /**
   * The shape of a kind with these axes, as a file tells them.
   *
   * @throws IllegalArgumentException if there is no such kind
   */
  static InputShape<?> of(String kind, int[] axes) {
    if (kind.equals("images") && axes.length == 3) {
      return new Images(axes[0], axes[1], axes[2]);
    }
    if (kind.equals("clouds") && axes.length == 2 && axes[1] == 3) {
      return new Clouds(axes[0]);
    }
    throw new IllegalArgumentException(
        "input: expected images of 3 axes or clouds of points x 3, found %s of %s"
            .formatted(kind, Arrays.toString(axes)));
  }
}
