package org.orbitmap.nn.fit;

import java.util.List;
import org.orbitmap.model.InputShape;
import org.orbitmap.upright.CloudUprightSettings;

/**
 * A fit: with the data, everything that determines its result.
 *
 * @param group under which the pose is found: {@code so2} or {@code o2} for images, {@code so3},
 *     {@code se3} or {@code sim3} for clouds
 * @param restore whether a restorer is trained, too
 * @param size the side of the images that the predictor sees, or the number of points
 * @param seed of everything random
 * @param threads of the engine; 0 takes one for each processor
 * @param recipe how
 */
public record FitConfig(
    String group, boolean restore, int size, long seed, int threads, FitRecipe recipe) {
  /** The groups of images. */
  public static final List<String> IMAGE_GROUPS = List.of("so2", "o2");

  /** The groups of clouds. */
  public static final List<String> CLOUD_GROUPS = CloudUprightSettings.GROUPS;

  /** The side of what the predictor sees is a multiple of this. */
  public static final int SIDES = 8;

  /** Of at least so many points of a cloud those of an example are drawn. */
  private static final int MANY = 1024;

  public FitConfig {
    boolean images = IMAGE_GROUPS.contains(group);
    if (!images && !CLOUD_GROUPS.contains(group)) {
      throw new IllegalArgumentException(
          "group: expected %s for images, %s for clouds, found %s"
              .formatted(
                  String.join(" or ", IMAGE_GROUPS), String.join(" or ", CLOUD_GROUPS), group));
    }
    if (size < SIDES || (images && size % SIDES != 0) || threads < 0) {
      throw new IllegalArgumentException(
          "fit: expected a size that is a multiple of %d and threads >= 0, found %d and %d"
              .formatted(SIDES, size, threads));
    }
  }

  /** Of how many points of a cloud examples of some points are drawn: at least twice as many. */
  public static int drawnFrom(int points) {
    return Math.max(2 * points, MANY);
  }

  /** Checks that the group is one of inputs of this kind. */
  void requireFor(InputShape<?> shape) {
    boolean images = shape instanceof InputShape.Images;
    List<String> able = images ? IMAGE_GROUPS : CLOUD_GROUPS;
    if (!able.contains(group)) {
      throw new IllegalArgumentException(
          "group: expected %s for %s, found %s"
              .formatted(String.join(" or ", able), shape.kind(), group));
    }
  }
}
