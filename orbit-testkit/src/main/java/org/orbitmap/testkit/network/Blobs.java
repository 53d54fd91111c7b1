package org.orbitmap.testkit.network;

import java.util.random.RandomGenerator;
import org.orbitmap.network.steerable.PlaneGroup;

/** A smooth image, the sum of blobs, which is moved before it is sampled. */
record Blobs(double[] x, double[] y, double[] width, double[] height) {
  static Blobs random(double radius, double least, RandomGenerator random) {
    int n = 6;
    Blobs b = new Blobs(new double[n], new double[n], new double[n], new double[n]);
    for (int i = 0; i < n; i++) {
      double r = radius * Math.sqrt(random.nextDouble());
      double angle = 2 * Math.PI * random.nextDouble();
      b.x[i] = r * Math.cos(angle);
      b.y[i] = r * Math.sin(angle);
      b.width[i] = least * (1 + 0.5 * random.nextDouble());
      b.height[i] = 0.5 + random.nextDouble();
    }
    return b;
  }

  /** One channel of g·u. */
  void sample(PlaneGroup group, int g, int side, float[] to, int at) {
    double cos = Math.cos(group.angle(g));
    double sin = Math.sin(group.angle(g));
    for (int i = 0; i < side * side; i++) {
      int row = i / side;
      double px = i % side - (side - 1) / 2.0;
      double py = row - (side - 1) / 2.0;
      // g⁻¹x: back by the angle, then mirrored
      double qx = cos * px + sin * py;
      double qy = (group.mirrored(g) ? -1 : 1) * (cos * py - sin * px);
      double sum = 0;
      for (int k = 0; k < x.length; k++) {
        double dx = (qx - x[k]) / width[k];
        double dy = (qy - y[k]) / width[k];
        sum += height[k] * Math.exp(-0.5 * (dx * dx + dy * dy));
      }
      to[at + i] = (float) sum;
    }
  }
}
