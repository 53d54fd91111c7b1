package org.orbitmap.network.front;

import java.util.List;
import java.util.stream.IntStream;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampling;
import org.orbitmap.network.Architecture;
import org.orbitmap.network.Convolution;
import org.orbitmap.network.Front;
import org.orbitmap.network.Initial;
import org.orbitmap.network.Operations;

/**
 * {@code etn}: an equivariant transformer for rotations (Tai et al., 2019). The image is read on a
 * polar grid, radii in [0, √2] half sides by angles around the circle, so that rotating it by a
 * step of the angles shifts the grid by one. 3 x 3 convolutions with circular padding along the
 * angles, batch normalisation and leaky ReLU, the maximum over the radii, two linear layers for
 * each angle, a softmax over the angles: all of them keep the shift. Its circular centroid
 * Σp(v)(cos v, sin v) is the direction by which the image is rotated. So the pose of act(α, u) is
 * that of u less α, exactly for multiples of the angle's step up to how well the rotated image is
 * known.
 *
 * <p>Options: {@code pose-channels} (32) and {@code pose-layers} (3); the paper has 64 and 4 on
 * HAM10000 and CUB-200.
 */
public final class EquivariantTransformer implements Front {
  /** The angles of the polar grid; quarter turns are multiples of the step. */
  static final int ANGLES = 64;

  static final int RADII = 16;
  private static final float SLOPE = 0.1f;

  private static final int[] AROUND =
      IntStream.range(-1, ANGLES + 1).map(i -> Math.floorMod(i, ANGLES)).toArray();
  private static final int[] REPEATED =
      IntStream.range(-1, RADII + 1).map(i -> Math.min(Math.max(i, 0), RADII - 1)).toArray();

  @Override
  public String name() {
    return "etn";
  }

  @Override
  public <T> List<T> views(Operations<T> ops, T x, Architecture settings) {
    return List.of(ops.rotate(x, pose(ops, x, settings), Resampling.BILINEAR));
  }

  /** The direction of each image: one axis of length 2. */
  public static <T> T pose(Operations<T> ops, T x, Architecture settings) {
    int channels = settings.option("pose-channels", 32);
    T grid = polarGrid(ops, ops.length(x, 1), ops.length(x, 2));
    T y = ops.sample(x, grid, Interpolation.BILINEAR);
    for (int i = 1; i <= settings.option("pose-layers", 3); i++) {
      Convolution how = Convolution.of(channels, 3).withoutBias();
      y = ops.convolution(circular(ops, y), "pose.conv" + i, how);
      y = leaky(ops, ops.batchNorm(y, "pose.norm" + i));
    }
    T perAngle = ops.transpose(ops.max(y, 1), 0, 1); // (angles, channels)
    T hidden = leaky(ops, ops.linear(perAngle, "pose.fc1", channels));
    // No bias: it would shift all angles alike, which a softmax does not see.
    T last = ops.parameter("pose.fc2.weight", Initial.he(channels), channels, 1);
    T scores = ops.reshape(ops.matmul(hidden, last), ANGLES);
    T shares = ops.reshape(ops.softmax(scores), 1, ANGLES);
    return Pose.direction(ops, ops.reshape(ops.matmul(shares, circle(ops)), 2));
  }

  /** Radii by angles, each with its place in the image. */
  private static <T> T polarGrid(Operations<T> ops, int height, int width) {
    double most = Math.sqrt(2) * Pose.radius(height, width);
    float[] places = new float[2 * RADII * ANGLES];
    for (int u = 0; u < RADII; u++) {
      double r = most * (u + 0.5) / RADII;
      for (int v = 0; v < ANGLES; v++) {
        places[2 * (u * ANGLES + v)] = (float) (r * Math.cos(angle(v)));
        places[2 * (u * ANGLES + v) + 1] = (float) (r * Math.sin(angle(v)));
      }
    }
    return ops.constant(places, RADII, ANGLES, 2);
  }

  private static double angle(int v) {
    return 2 * Math.PI * v / ANGLES;
  }

  private static <T> T circle(Operations<T> ops) {
    float[] directions = new float[2 * ANGLES];
    for (int v = 0; v < ANGLES; v++) {
      directions[2 * v] = (float) Math.cos(angle(v));
      directions[2 * v + 1] = (float) Math.sin(angle(v));
    }
    return ops.constant(directions, ANGLES, 2);
  }

  /** One column more on each side, from the other side; the outermost radii once more. */
  private static <T> T circular(Operations<T> ops, T x) {
    return ops.select(ops.select(x, 2, AROUND), 1, REPEATED);
  }

  /** max(x, 0.1·x) = 0.9·max(x, 0) + 0.1·x, which is cheaper to learn with. */
  private static <T> T leaky(Operations<T> ops, T x) {
    T above = ops.multiply(ops.relu(x), ops.constant(new float[] {1 - SLOPE}, 1));
    return ops.add(above, ops.multiply(x, ops.constant(new float[] {SLOPE}, 1)));
  }
}
