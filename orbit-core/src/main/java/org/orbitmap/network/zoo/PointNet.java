package org.orbitmap.network.zoo;

import org.orbitmap.network.Architecture;
import org.orbitmap.network.Network;
import org.orbitmap.network.Operations;

/**
 * PointNet (Qi et al., 2017; paper, section 4.2): the same layers on every point, the maximum over
 * the points, and two more layers. The order of the points is of no effect. 811,048 parameters for
 * 40 classes.
 *
 * <p>With T-nets, 3,471,473: two small networks of the same kind predict a 3 x 3 matrix for the
 * points and a 64 x 64 matrix A for their first features, each as a difference from the identity;
 * 0.001·‖AAᵀ - I‖ (Frobenius) is added to the loss.
 */
public final class PointNet implements Network {
  private static final double ORTHOGONALITY = 0.001;

  /** Under the root, so that its gradient stays finite where the matrix is orthogonal. */
  private static final float TINY = 1e-12f;

  private final boolean transforms;

  private PointNet(boolean transforms) {
    this.transforms = transforms;
  }

  /** Without T-nets. */
  static PointNet plain() {
    return new PointNet(false);
  }

  /** With T-nets for the points and their features. */
  static PointNet withTransforms() {
    return new PointNet(true);
  }

  @Override
  public String name() {
    return transforms ? "pointnet-stn" : "pointnet";
  }

  @Override
  public String takes() {
    return "clouds";
  }

  @Override
  public <T> T features(Operations<T> ops, T x, Architecture settings) {
    T y = transforms ? ops.matmul(x, transform(ops, x, "stn", settings)) : x;
    y = perPoint(ops, y, "point1", settings.channels(64));
    if (transforms) {
      T a = transform(ops, y, "fstn", settings);
      penalise(ops, a);
      y = ops.matmul(y, a);
    }
    y = perPoint(ops, y, "point2", settings.channels(128));
    y = ops.linear(y, "point3", settings.channels(1024));
    y = ops.max(ops.batchNorm(y, "point3.norm"), 0);
    y = ops.relu(ops.batchNorm(ops.linear(y, "fc1", settings.channels(512)), "fc1.norm"));
    y = ops.dropout(ops.linear(y, "fc2", settings.channels(256)), 0.4);
    return ops.relu(ops.batchNorm(y, "fc2.norm"));
  }

  private static <T> T perPoint(Operations<T> ops, T x, String name, int out) {
    return ops.relu(ops.batchNorm(ops.linear(x, name, out), name + ".norm"));
  }

  /** A matrix for each cloud: the identity and what a small PointNet says. */
  private static <T> T transform(Operations<T> ops, T x, String name, Architecture settings) {
    int k = ops.length(x, 1);
    T y = perPoint(ops, x, name + ".point1", settings.channels(64));
    y = perPoint(ops, y, name + ".point2", settings.channels(128));
    y = ops.max(perPoint(ops, y, name + ".point3", settings.channels(1024)), 0);
    y = perPoint(ops, y, name + ".fc1", settings.channels(512));
    y = perPoint(ops, y, name + ".fc2", settings.channels(256));
    y = ops.reshape(ops.linear(y, name + ".fc3", k * k), k, k);
    return ops.add(y, identity(ops, k));
  }

  private static <T> void penalise(Operations<T> ops, T a) {
    T difference =
        ops.subtract(ops.matmul(a, ops.transpose(a, 0, 1)), identity(ops, ops.length(a, 0)));
    int k = ops.length(a, 0);
    T squares = ops.flatten(ops.multiply(difference, difference));
    T sum = ops.multiply(ops.mean(squares, 0), ops.constant(new float[] {(float) k * k}));
    T norm = ops.sqrt(ops.add(sum, ops.constant(new float[] {TINY})));
    ops.penalty(ops.multiply(norm, ops.constant(new float[] {(float) ORTHOGONALITY})));
  }

  private static <T> T identity(Operations<T> ops, int k) {
    float[] values = new float[k * k];
    for (int i = 0; i < k; i++) {
      values[i * k + i] = 1;
    }
    return ops.constant(values, k, k);
  }
}
