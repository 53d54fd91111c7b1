package org.orbitmap.upright;

import java.io.Serializable;
import java.util.Map;
import java.util.Objects;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.mapping.PoseRule;
import org.orbitmap.model.InputShape;
import org.orbitmap.network.Architecture;
import org.orbitmap.network.zoo.Networks;

/**
 * What a predictor of upright poses is, but for its numbers.
 *
 * <p>It gives a score for each of {@code bins} rotations, evenly spaced: bin k says that the image
 * is upright once it is rotated by 360°·k/bins. With mirror images (o2) as many more follow, for
 * images that are mirrored first.
 *
 * @param group {@code so2}, or {@code o2} if it tells mirror images apart, too
 * @param base the rule of the mapping below: {@code disc}, …
 * @param network the predictor's network, by name
 * @param widthFactor factor on its channels
 * @param channels of the images that it sees
 * @param size their rows and columns
 * @param bins how many angles it tells apart
 * @param views of how many copies of the canonical image the mean of the probabilities is taken: 1,
 *     2 with the mirror image, 4 with the exact quarter turns, 8 with both
 * @param interpolation how the canonical image that it sees is read
 * @param outside the sample that it sees outside the inscribed circle
 * @param restorer the name of what undoes the blur of resampling, or empty
 */
public record UprightSettings(
    String group,
    String base,
    String network,
    double widthFactor,
    int channels,
    int size,
    int bins,
    int views,
    Interpolation interpolation,
    float outside,
    String restorer)
    implements Serializable {
  private static final int MOST_BINS = 720;
  private static final int LARGEST = 512;

  public UprightSettings {
    Objects.requireNonNull(interpolation, "interpolation");
    require("group", group.equals("so2") || group.equals("o2"), "so2 or o2", group);
    PoseRule.named(base); // refuses what is none
    require("channels", channels >= 1 && channels <= 64, "1 to 64", channels);
    require("size", size >= 2 && size <= LARGEST, "2 to " + LARGEST, size);
    require(
        "bins",
        bins >= 4 && bins <= MOST_BINS && bins % 4 == 0,
        "a multiple of 4 up to " + MOST_BINS,
        bins);
    require("views", views == 1 || views == 2 || views == 4 || views == 8, "1, 2, 4 or 8", views);
    require("views", group.equals("so2") || views == 1 || views == 4, "1 or 4 with o2", views);
    require("outside", Float.isFinite(outside), "a finite sample", outside);
    if (!restorer.isEmpty()) {
      Restorer.named(restorer);
    }
  }

  private static void require(String what, boolean holds, String expected, Object found) {
    if (!holds) {
      throw new IllegalArgumentException(
          "upright %s: expected %s, found %s".formatted(what, expected, found));
    }
  }

  /** For rotations of colour images behind {@code disc}, seen once, without a restorer. */
  public static UprightSettings of(String network, double widthFactor, int size, int bins) {
    return new UprightSettings(
        "so2", "disc", network, widthFactor, 3, size, bins, 1, Interpolation.BILINEAR, 0.5f, "");
  }

  /** The same, seen in so many views. */
  public UprightSettings withViews(int count) {
    return with(group, count, restorer);
  }

  /** The same with a restorer of this name. */
  public UprightSettings withRestorer(String name) {
    return with(group, views, name);
  }

  /** The same for another group. */
  public UprightSettings withGroup(String name) {
    return with(name, views, restorer);
  }

  private UprightSettings with(String of, int count, String restoring) {
    return new UprightSettings(
        of,
        base,
        network,
        widthFactor,
        channels,
        size,
        bins,
        count,
        interpolation,
        outside,
        restoring);
  }

  /** Whether it tells mirror images apart. */
  public boolean mirrors() {
    return group.equals("o2");
  }

  /** How many scores the predictor gives. */
  public int scores() {
    return mirrors() ? 2 * bins : bins;
  }

  /** The predictor's network with its input and its scores. */
  public Architecture architecture() {
    return new Architecture(
        Networks.named(network),
        widthFactor,
        false,
        Map.of(),
        new InputShape.Images(channels, size, size),
        scores());
  }
}
