package org.orbitmap.upright;

import org.orbitmap.cloud.PointCloud;
import org.orbitmap.network.Operations;
import org.orbitmap.network.run.ArrayOperations;
import org.orbitmap.network.run.ArrayOperations.Batch;

/**
 * What the network of an upright mapping of clouds computes, in any operations: one definition for
 * Java and the engine. The operations hold the numbers of the predictor. In a graph, where the
 * number of points may be open, what is seen is written in nodes.
 */
public final class CloudUprightPredictor {
  /** The share of the largest coordinate below which a cloud has no extent. */
  private static final float FLAT = 1e-6f;

  private CloudUprightPredictor() {}

  /**
   * {@value CloudUprightSettings#EACH} numbers for each rotation that carries axes to axes, see
   * {@link CloudUprightSettings}.
   *
   * @param canonical canonical clouds: points, coordinates
   */
  public static <T> T scores(Operations<T> ops, T canonical, CloudUprightSettings s) {
    return s.architecture().scores(ops, seen(ops, canonical));
  }

  /**
   * What the predictor sees of canonical clouds, in whatever place and unit they are: centred, with
   * mean distance 1; a cloud without extent stays at its centre. The largest coordinate is made 1
   * first, so that squares neither overflow nor vanish.
   */
  public static <T> T seen(Operations<T> ops, T canonical) {
    T size = ops.maximum(canonical, ops.multiply(canonical, constant(ops, -1)));
    T largest = ops.reshape(ops.max(ops.max(size, 0), 0), 1, 1);
    T x = ops.divide(canonical, ops.maximum(largest, constant(ops, Float.MIN_NORMAL)));
    T centred = ops.subtract(x, ops.reshape(ops.mean(x, 0), 1, 3));
    T squares =
        ops.multiply(ops.mean(ops.multiply(centred, centred), 1), ops.constant(new float[] {3}, 1));
    T distance = ops.reshape(ops.mean(ops.sqrt(squares), 0), 1, 1);
    return ops.divide(centred, ops.maximum(distance, constant(ops, FLAT)));
  }

  /** The same of one cloud. */
  public static PointCloud seen(PointCloud canonical) {
    Batch x = Batch.of(canonical.coordinates(), canonical.size(), 3);
    return new PointCloud(3, seen(ArrayOperations.withoutWeights(), x).values());
  }

  private static <T> T constant(Operations<T> ops, float value) {
    return ops.constant(new float[] {value}, 1, 1);
  }
}
