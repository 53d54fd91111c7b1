package org.orbitmap.network;

/**
 * The settings of a convolution of images with square kernels.
 *
 * @param out channels of the result
 * @param side of the kernels
 * @param stride pixels between two places of the kernel
 * @param padding zeros added on every side
 * @param groups into how many independent parts the channels are divided
 * @param bias whether a number is added to each channel
 */
public record Convolution(int out, int side, int stride, int padding, int groups, boolean bias) {
  public Convolution {
    if (out < 1 || side < 1 || stride < 1 || padding < 0 || groups < 1 || out % groups != 0) {
      throw new IllegalArgumentException(
          "convolution: expected out, side, stride, groups >= 1, padding >= 0, and groups that divide out, found %d, %d, %d, %d, %d"
              .formatted(out, side, stride, groups, padding));
    }
  }

  /** Stride 1, no padding, one group, with a bias. */
  public static Convolution of(int out, int side) {
    return new Convolution(out, side, 1, 0, 1, true);
  }

  /** The same with another stride. */
  public Convolution stride(int other) {
    return new Convolution(out, side, other, padding, groups, bias);
  }

  /** The same with another padding. */
  public Convolution padding(int other) {
    return new Convolution(out, side, stride, other, groups, bias);
  }

  /** The same with another number of groups. */
  public Convolution groups(int other) {
    return new Convolution(out, side, stride, padding, other, bias);
  }

  /** The same without a bias, as before a batch normalisation. */
  public Convolution withoutBias() {
    return new Convolution(out, side, stride, padding, groups, false);
  }
}
