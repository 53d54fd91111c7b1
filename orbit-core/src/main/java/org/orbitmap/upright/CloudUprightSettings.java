package org.orbitmap.upright;

import java.io.Serializable;
import java.util.List;
import java.util.Map;
import org.orbitmap.cloud.mapping.AxisSignRule;
import org.orbitmap.model.InputShape;
import org.orbitmap.network.Architecture;
import org.orbitmap.network.zoo.Networks;

/**
 * What a predictor of upright clouds is, but for its numbers. It gives a score for each of six axes
 * of the canonical cloud (x, -x, y, -y, z, -z) that may be up, and for each of {@code bins}
 * rotations about the vertical that may follow: with four bins, the 24 axis frames.
 *
 * @param group {@code so3}, {@code se3} or {@code sim3}
 * @param base the rule of the mapping below: {@code skewness} or {@code first-point}
 * @param network the predictor's network, by name
 * @param widthFactor factor on its channels
 * @param points of the clouds that it was fitted on; it takes any number
 * @param bins how many rotations about the vertical it tells apart
 */
public record CloudUprightSettings(
    String group, String base, String network, double widthFactor, int points, int bins)
    implements Serializable {
  /** The groups that have upright mappings. */
  public static final List<String> GROUPS = List.of("so3", "se3", "sim3");

  /** How many axes may be up. */
  public static final int AXES = 6;

  private static final int MOST_BINS = 360;

  public CloudUprightSettings {
    require("group", GROUPS.contains(group), String.join(", ", GROUPS), group);
    AxisSignRule.named(base); // refuses what is none
    require("points", points >= 1 && points <= 1_000_000, "1 to 1,000,000", points);
    require(
        "bins",
        bins >= 4 && bins <= MOST_BINS && bins % 4 == 0,
        "a multiple of 4 up to " + MOST_BINS,
        bins);
  }

  private static void require(String what, boolean holds, String expected, Object found) {
    if (!holds) {
      throw new IllegalArgumentException(
          "upright %s: expected %s, found %s".formatted(what, expected, found));
    }
  }

  /** The predictor's network with its input and its scores. */
  public Architecture architecture() {
    return new Architecture(
        Networks.named(network),
        widthFactor,
        false,
        Map.of(),
        new InputShape.Clouds(points),
        AXES * bins);
  }
}
