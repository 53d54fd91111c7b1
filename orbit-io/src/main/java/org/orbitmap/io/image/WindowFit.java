package org.orbitmap.io.image;

import org.orbitmap.image.Image;

/**
 * Scales a window of an image to a given size. A new pixel is the mean of those around its place,
 * weighted by a triangle that is as wide on either side as the pixels are apart: bilinear
 * interpolation where the window grows, without aliasing where it shrinks.
 */
final class WindowFit {
  private WindowFit() {}

  /**
   * A window in a given size.
   *
   * @param window in pixels of the image; what lies outside does not count
   */
  static Image fit(Image image, Framing.Window window, int rows, int columns) {
    Weights across = Weights.of(window.left(), window.width(), columns, image.width());
    Weights down = Weights.of(window.top(), window.height(), rows, image.height());
    int first = down.from[0];
    int needed = down.from[rows - 1] + down.taps - first;
    int w = image.width();
    float[] lines = new float[needed * columns];
    Image out = Image.black(image.channels(), rows, columns);
    float[] to = out.data();
    for (int c = 0; c < image.channels(); c++) {
      for (int y = 0; y < needed; y++) {
        int line = (c * image.height() + Math.min(first + y, image.height() - 1)) * w;
        across.apply(image.data(), line, lines, y * columns);
      }
      for (int i = 0; i < rows; i++) {
        int at = (c * rows + i) * columns;
        for (int k = 0; k < down.taps; k++) {
          float weight = down.values[i * down.taps + k];
          int line = (down.from[i] - first + k) * columns;
          if (weight != 0) {
            for (int j = 0; j < columns; j++) {
              to[at + j] += weight * lines[line + j];
            }
          }
        }
      }
    }
    return out;
  }

  /**
   * The weights along one axis: result i is Σ values[i·taps + k]·x[from[i] + k].
   *
   * @param from never falls
   */
  private record Weights(int taps, int[] from, float[] values) {
    static Weights of(double start, double length, int count, int available) {
      double scale = length / count;
      double reach = Math.max(1, scale);
      int taps = Math.min(available, (int) Math.ceil(2 * reach) + 1);
      int[] from = new int[count];
      float[] values = new float[count * taps];
      for (int i = 0; i < count; i++) {
        double centre = start + (i + 0.5) * scale - 0.5; // of pixel centres
        int begin = (int) Math.floor(centre - reach) + 1;
        from[i] = Math.max(0, Math.min(begin, available - taps));
        double sum = 0;
        double[] weight = new double[taps];
        for (int k = 0; k < taps; k++) {
          weight[k] = Math.max(0, 1 - Math.abs(from[i] + k - centre) / reach);
          sum += weight[k];
        }
        for (int k = 0; k < taps; k++) {
          values[i * taps + k] = (float) (sum > 0 ? weight[k] / sum : 1.0 / taps);
        }
      }
      return new Weights(taps, from, values);
    }

    void apply(float[] x, int at, float[] out, int to) {
      for (int j = 0; j < from.length; j++) {
        float sum = 0;
        int first = at + from[j];
        int v = j * taps;
        for (int k = 0; k < taps; k++) {
          sum += values[v + k] * x[first + k];
        }
        out[to + j] = sum;
      }
    }
  }
}
