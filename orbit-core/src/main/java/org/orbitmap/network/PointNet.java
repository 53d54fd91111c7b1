package org.orbitmap.network;

/**
 * PointNet (Qi et al., 2017) without its transformer networks: the same layers on every point, the
 * maximum over the points, and two more layers. The order of the points is of no effect. 811,048
 * parameters for 40 classes (paper, section 4.2).
 */
public final class PointNet implements Network {
  private static final int[] PER_POINT = {64, 128, 1024};

  @Override
  public String name() {
    return "pointnet";
  }

  @Override
  public String takes() {
    return "clouds";
  }

  @Override
  public <T> T features(Operations<T> ops, T x, Architecture settings) {
    T y = x;
    for (int i = 0; i < PER_POINT.length; i++) {
      y = ops.linear(y, "point" + (i + 1), settings.channels(PER_POINT[i]));
      y = ops.batchNorm(y, "point" + (i + 1) + ".norm");
      if (i < PER_POINT.length - 1) {
        y = ops.relu(y);
      }
    }
    y = ops.max(y, 0);
    y = ops.relu(ops.batchNorm(ops.linear(y, "fc1", settings.channels(512)), "fc1.norm"));
    y = ops.dropout(ops.linear(y, "fc2", settings.channels(256)), 0.4);
    return ops.relu(ops.batchNorm(y, "fc2.norm"));
  }
}
