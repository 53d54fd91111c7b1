package org.orbitmap.network.front;

import java.util.List;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampling;
import org.orbitmap.network.Architecture;
import org.orbitmap.network.Convolution;
import org.orbitmap.network.Front;
import org.orbitmap.network.Operations;

/**
 * {@code stn}: a spatial transformer (Jaderberg et al., 2015). A localisation network of three 3 x
 * 3 convolutions with max-pools and two linear layers (paper, appendix E) says by which affine map
 * z → Az + t the image is read, bilinearly; at the start the identity. Option {@code pose}: {@code
 * affine} or {@code rotation}, which predicts cosine and sine alone.
 */
public final class SpatialTransformer implements Front {
  private static final int LAYERS = 3;
  private static final int HIDDEN = 64;

  @Override
  public String name() {
    return "stn";
  }

  @Override
  public <T> List<T> views(Operations<T> ops, T x, Architecture settings) {
    String pose = settings.options().getOrDefault("pose", "affine");
    T y = x;
    for (int i = 1; i <= LAYERS; i++) {
      Convolution how = Convolution.of(settings.option("pose-channels", 32), 3).padding(1);
      y = ops.maxPool(ops.relu(ops.convolution(y, "pose.conv" + i, how)), 2, 2, 0);
    }
    T hidden = ops.relu(ops.linear(ops.flatten(y), "pose.fc1", HIDDEN));
    int height = ops.length(x, 1);
    int width = ops.length(x, 2);
    return switch (pose) {
      case "rotation" -> {
        T two = Pose.constantAtFirst(ops, hidden, "pose.fc2", 1, 0);
        yield List.of(ops.rotate(x, Pose.direction(ops, two), Resampling.BILINEAR));
      }
      case "affine" -> {
        // The rows of Aᵀ, then t in half sides.
        T six = Pose.constantAtFirst(ops, hidden, "pose.fc2", 1, 0, 0, 1, 0, 0);
        T read = ops.matmul(Pose.places(ops, height, width), ops.reshape(six, 3, 2));
        T grid = ops.reshape(read, height, width, 2);
        yield List.of(ops.sample(x, grid, Interpolation.BILINEAR));
      }
      default ->
          throw new IllegalArgumentException(
              "network.options.pose: expected affine or rotation, found " + pose);
    };
  }
}
