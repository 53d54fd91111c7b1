package org.orbitmap.model;

import java.io.Serializable;
import java.util.Arrays;

/**
 * How pixels in [0, 1] become the numbers that a model takes: (scale · u - mean) / std, channel by
 * channel.
 *
 * @param scale 1 for models that take [0, 1], 255 for those that take bytes
 * @param mean one number for each channel, or a single one for all
 * @param std likewise
 */
public record Preprocessing(double scale, double[] mean, double[] std) implements Serializable {
  /** The pixels as they are. */
  public static final Preprocessing NONE = new Preprocessing(1, new double[] {0}, new double[] {1});

  /** Bytes: 0 to 255. */
  public static final Preprocessing BYTES =
      new Preprocessing(255, new double[] {0}, new double[] {1});

  /** From -1 to 1. */
  public static final Preprocessing CENTRED =
      new Preprocessing(1, new double[] {0.5}, new double[] {0.5});

  /** The mean and the standard deviation of ImageNet, as networks of torchvision expect it. */
  public static final Preprocessing IMAGENET =
      new Preprocessing(1, new double[] {0.485, 0.456, 0.406}, new double[] {0.229, 0.224, 0.225});

  /** The mean and the standard deviation of CIFAR-10, as they are widely used. */
  public static final Preprocessing CIFAR10 =
      new Preprocessing(
          1, new double[] {0.4914, 0.4822, 0.4465}, new double[] {0.2023, 0.1994, 0.201});

  /** What a model takes unless something else is said: bytes up to 255, real numbers up to 1. */
  public static Preprocessing usual(ModelInput<?> input) {
    return input.spec().type().equals("uint8") ? BYTES : NONE;
  }

  public Preprocessing {
    if (!(scale > 0) || !Double.isFinite(scale)) {
      throw new IllegalArgumentException("scale: expected a positive number, found " + scale);
    }
    for (double m : mean) {
      if (!Double.isFinite(m)) {
        throw new IllegalArgumentException(
            "mean: expected numbers, found " + Arrays.toString(mean));
      }
    }
    for (double s : std) {
      if (!(s > 0) || !Double.isFinite(s)) {
        throw new IllegalArgumentException(
            "std: expected positive numbers, found " + Arrays.toString(std));
      }
    }
    if (mean.length == 0 || std.length == 0) {
      throw new IllegalArgumentException("mean and std: expected at least one number each");
    }
    mean = mean.clone();
    std = std.clone();
  }

  /** The same, after a check that there is a mean and a standard deviation for every channel. */
  public Preprocessing forChannels(int channels) {
    return new Preprocessing(scale, each("mean", mean, channels), each("std", std, channels));
  }

  private static double[] each(String name, double[] given, int channels) {
    if (given.length == channels) {
      return given;
    }
    if (given.length != 1) {
      throw new IllegalArgumentException(
          "%s: expected 1 or %d numbers (the model's channels), found %d"
              .formatted(name, channels, given.length));
    }
    double[] all = new double[channels];
    Arrays.fill(all, given[0]);
    return all;
  }

  /** What black becomes in a channel. */
  public double black(int channel) {
    return -mean[channel] / std[channel];
  }

  /** The factor from pixels to the model's numbers in a channel. */
  public double gain(int channel) {
    return scale / std[channel];
  }

  /** Whether pixels stay as they are. */
  public boolean isNone() {
    return equals(NONE);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Preprocessing p
        && scale == p.scale
        && Arrays.equals(mean, p.mean)
        && Arrays.equals(std, p.std);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(mean) * 31 + Arrays.hashCode(std) + Double.hashCode(scale);
  }

  @Override
  public String toString() {
    return "(%s u - %s) / %s".formatted(scale, Arrays.toString(mean), Arrays.toString(std));
  }
}
