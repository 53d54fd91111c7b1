package org.orbitmap.image;

import java.util.SplittableRandom;

/** Generated images for tests. */
public final class Images {
  private Images() {}

  /** Soft blobs on a slope: smooth like a photograph, with a direction. */
  public static Image blobs(int channels, int height, int width, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    float[] data = new float[channels * height * width];
    double side = Math.min(height, width);
    for (int b = 0; b < 9; b++) {
      double x = random.nextDouble() * width;
      double y = random.nextDouble() * height;
      double size = side * random.nextDouble(0.08, 0.3);
      for (int c = 0; c < channels; c++) {
        double height2 = random.nextDouble(-0.5, 1);
        for (int i = 0; i < height; i++) {
          for (int j = 0; j < width; j++) {
            double d = ((j - x) * (j - x) + (i - y) * (i - y)) / (size * size);
            data[(c * height + i) * width + j] += (float) (height2 * Math.exp(-d));
          }
        }
      }
    }
    for (int i = 0; i < data.length; i++) {
      data[i] = (float) Math.max(0, Math.min(1, 0.3 + 0.4 * data[i]));
    }
    return new Image(channels, height, width, data);
  }

  /** Independent uniform samples. */
  public static Image noise(int channels, int height, int width, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    float[] data = new float[channels * height * width];
    for (int i = 0; i < data.length; i++) {
      data[i] = (float) random.nextDouble();
    }
    return new Image(channels, height, width, data);
  }

  /** A bright lopsided figure well inside a black image. */
  public static Image figure(int side) {
    float[] data = new float[side * side];
    for (int i = 0; i < side; i++) {
      for (int j = 0; j < side; j++) {
        double x = (j - (side - 1) / 2.0) / side;
        double y = (i - (side - 1) / 2.0) / side;
        double value =
            Math.exp(-(x * x * 160 + y * y * 500))
                + 0.9 * Math.exp(-((x - 0.1) * (x - 0.1) + (y - 0.06) * (y - 0.06)) * 900);
        data[i * side + j] = (float) (value < 1e-3 ? 0 : Math.min(1, value));
      }
    }
    return new Image(1, side, side, data);
  }
}
