package org.orbitmap.io.data;

import java.util.Arrays;
import java.util.Optional;

/**
 * Mean and standard deviation of each channel, for samples in [0, 1]: what networks normalise
 * images by, (v - mean) / std.
 *
 * <p>The arrays are not copied: treat them as immutable.
 *
 * @param mean of each channel
 * @param std the standard deviation of each channel
 */
public record ChannelStatistics(float[] mean, float[] std) {
  /** As published for the training images of CIFAR-10. */
  public static final ChannelStatistics CIFAR10 =
      new ChannelStatistics(
          new float[] {.4914f, .4822f, .4465f}, new float[] {.2023f, .1994f, .2010f});

  /** As published for the training images of ImageNet. */
  public static final ChannelStatistics IMAGENET =
      new ChannelStatistics(new float[] {.485f, .456f, .406f}, new float[] {.229f, .224f, .225f});

  private static final double LEAST_VARIANCE = 1e-6;

  public ChannelStatistics {
    if (mean.length == 0 || mean.length != std.length) {
      throw new IllegalArgumentException(
          "channel statistics: expected a mean and a deviation for each channel, found %d and %d"
              .formatted(mean.length, std.length));
    }
  }

  /** The statistics that are in common use for a data set of this name, if it has such. */
  public static Optional<ChannelStatistics> published(String dataSet) {
    return dataSet.equals("cifar10") ? Optional.of(CIFAR10) : Optional.empty();
  }

  /**
   * The statistics of some images of a set: over all their pixels, E[v] and √(E[v²] - E[v]²), with
   * a variance of at least 10⁻⁶.
   *
   * @param indices which images, such as those for training
   */
  public static ChannelStatistics of(ImageSet set, int[] indices) {
    if (indices.length == 0) {
      throw new IllegalArgumentException(set.name() + ": expected images, found none");
    }
    float[] mean = new float[set.channels()];
    float[] std = new float[set.channels()];
    int plane = set.height() * set.width();
    for (int c = 0; c < mean.length; c++) {
      double sum = 0;
      double squares = 0;
      for (int i : indices) {
        for (int p = c * plane; p < (c + 1) * plane; p++) {
          double v = (set.pixels()[i][p] & 255) / 255.0;
          sum += v;
          squares += v * v;
        }
      }
      double n = (double) indices.length * plane;
      mean[c] = (float) (sum / n);
      std[c] = (float) Math.sqrt(Math.max(LEAST_VARIANCE, squares / n - sum / n * sum / n));
    }
    return new ChannelStatistics(mean, std);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof ChannelStatistics s
        && Arrays.equals(mean, s.mean)
        && Arrays.equals(std, s.std);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(mean) + Arrays.hashCode(std);
  }

  @Override
  public String toString() {
    return "ChannelStatistics[mean %s, std %s]"
        .formatted(Arrays.toString(mean), Arrays.toString(std));
  }
}
