package org.orbitmap.network.front;

import org.orbitmap.image.Fill;
import org.orbitmap.image.SamplingGrid;
import org.orbitmap.network.Initial;
import org.orbitmap.network.Operations;

/** What fronts that correct the pose have in common. */
final class Pose {
  /** Under the root, so that its gradient stays finite. */
  private static final float TINY = 1e-12f;

  private Pose() {}

  /** Half the longer side in pixels: the unit of shifts. */
  static double radius(int height, int width) {
    return (Math.max(height, width) - 1) / 2.0;
  }

  /** Each pixel's place x, y from the centre, and the {@link #radius}: height·width rows of 3. */
  static <T> T places(Operations<T> ops, int height, int width) {
    SamplingGrid grid = SamplingGrid.of(height, width, Fill.ZERO);
    float[] rows = new float[3 * height * width];
    for (int p = 0; p < height * width; p++) {
      rows[3 * p] = (float) grid.x()[p];
      rows[3 * p + 1] = (float) grid.y()[p];
      rows[3 * p + 2] = (float) radius(height, width);
    }
    return ops.constant(rows, height * width, 3);
  }

  /** Two numbers for each input as a direction: (c, s)/√(c² + s²), one axis of length 2. */
  static <T> T direction(Operations<T> ops, T two) {
    T row = ops.reshape(two, 1, 2);
    T square = ops.matmul(ops.multiply(row, row), ops.constant(new float[] {1, 1}, 2, 1));
    T norm = ops.sqrt(ops.add(square, ops.constant(new float[] {TINY}, 1, 1)));
    return ops.reshape(ops.divide(row, norm), 2);
  }

  /** A linear layer that starts as a constant: its weights at 0, its bias at some numbers. */
  static <T> T constantAtFirst(Operations<T> ops, T x, String name, float... start) {
    int in = ops.length(x, 0);
    int out = start.length;
    T weight = ops.parameter(name + ".weight", Initial.constant(0), in, out);
    T bias = ops.parameter(name + ".bias", Initial.constant(0), 1, out);
    T row = ops.add(ops.matmul(ops.reshape(x, 1, in), weight), bias);
    return ops.reshape(ops.add(row, ops.constant(start, 1, out)), out);
  }
}
