package org.orbitmap.cloud;

import java.util.random.RandomGenerator;

/** Clouds for tests. */
public final class Solids {
  private Solids() {}

  /** A lopsided cloud in general position. */
  public static PointCloud blob(int dimension, int n, RandomGenerator random) {
    float[] c = new float[n * dimension];
    for (int i = 0; i < n; i++) {
      double tail = random.nextDouble();
      for (int j = 0; j < dimension; j++) {
        double spread = dimension - j;
        c[i * dimension + j] =
            (float) (spread * (random.nextGaussian() * 0.3 + tail * tail * tail));
      }
    }
    return new PointCloud(dimension, c);
  }

  /** Points given one after the other. */
  public static PointCloud of(double... c) {
    float[] f = new float[c.length];
    for (int i = 0; i < f.length; i++) {
      f[i] = (float) c[i];
    }
    return new PointCloud(3, f);
  }
}
