package org.orbitmap.nn.fit;

import java.util.List;

/**
 * A fit: with the data, everything that determines its result.
 *
 * @param group under which the pose is found: {@code so2} or {@code o2} for images, {@code so3} or
 *     {@code sim3} for clouds
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

  /** The side of what the predictor sees is a multiple of this. */
  public static final int SIDES = 8;

  public FitConfig {
    if (!IMAGE_GROUPS.contains(group)) {
      throw new IllegalArgumentException(
          "group: expected %s for images, found %s"
              .formatted(String.join(" or ", IMAGE_GROUPS), group));
    }
    if (size < SIDES || size % SIDES != 0 || threads < 0) {
      throw new IllegalArgumentException(
          "fit: expected a size that is a multiple of %d and threads >= 0, found %d and %d"
              .formatted(SIDES, size, threads));
    }
  }

  /** Whether mirror images are to be told apart. */
  boolean mirrors() {
    return group.equals("o2");
  }
}
