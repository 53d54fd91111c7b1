package org.orbitmap.network.front;

import java.util.List;
import org.orbitmap.image.Fill;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.SamplingGrid;
import org.orbitmap.network.Architecture;
import org.orbitmap.network.Convolution;
import org.orbitmap.network.Front;
import org.orbitmap.network.Operations;

/**
 * {@code canonicaliser}: a small network says by which angle an image must be rotated, and learns
 * it with the task (learned canonicalisation, Kaba et al., 2023, as in the library equiadapt).
 * Nothing makes its answer follow the image: unlike an orbit mapping it proves nothing, and unlike
 * {@code etn} it is not even equivariant to a grid of angles. It sees the inscribed circle, starts
 * at random, and predicts a vector in the plane, whose direction is the rotation.
 *
 * <p>Option {@code pose-channels} (32): of the first layer, and twice as many from the second on.
 */
public final class Canonicaliser implements Front {
  private static final int LAYERS = 3;
  private static final int HIDDEN = 64;

  @Override
  public String name() {
    return "canonicaliser";
  }

  @Override
  public <T> List<T> views(Operations<T> ops, T x, Architecture settings) {
    int height = ops.length(x, 1);
    int width = ops.length(x, 2);
    float[] inside = SamplingGrid.of(height, width, Fill.ZERO).inside();
    T y = ops.multiply(x, ops.constant(inside, 1, height, width));
    for (int i = 1; i <= LAYERS; i++) {
      int channels = settings.option("pose-channels", 32) * (i == 1 ? 1 : 2);
      Convolution how = Convolution.of(channels, 3).padding(1).withoutBias();
      y = ops.batchNorm(ops.convolution(y, "pose.conv" + i, how), "pose.norm" + i);
      y = ops.averagePool(ops.relu(y), 2);
    }
    T hidden = ops.relu(ops.linear(ops.flatten(y), "pose.fc1", HIDDEN));
    T vector = ops.linear(hidden, "pose.fc2", 2);
    return List.of(ops.rotate(x, Pose.direction(ops, vector), Resampling.BILINEAR));
  }
}
