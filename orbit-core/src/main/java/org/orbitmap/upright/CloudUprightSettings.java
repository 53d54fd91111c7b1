package org.orbitmap.upright;

import java.io.Serializable;
import java.util.List;
import java.util.Map;
import org.orbitmap.cloud.mapping.AxisSignRule;
import org.orbitmap.model.InputShape;
import org.orbitmap.network.Architecture;
import org.orbitmap.network.zoo.Networks;
import org.orbitmap.network.zoo.UprightCube;

/**
 * What a predictor of upright clouds is, but for its numbers. It looks at a canonical cloud in each
 * of the 24 rotations F_k that carry axes to axes, and gives {@value #EACH} numbers for each: a
 * score, and the vector v of the small rotation that follows, see {@link CloudUprightMapping}.
 *
 * @param group {@code so3}, {@code se3} or {@code sim3}
 * @param base the rule of the mapping below: {@code skewness} or {@code first-point}
 * @param network the predictor's network, by name
 * @param widthFactor factor on its channels
 * @param points of the clouds that it was fitted on; it takes any number
 */
public record CloudUprightSettings(
    String group, String base, String network, double widthFactor, int points)
    implements Serializable {
  /** The groups that have upright mappings. */
  public static final List<String> GROUPS = List.of("so3", "se3", "sim3");

  /** How many numbers a predictor gives for each rotation. */
  public static final int EACH = 4;

  public CloudUprightSettings {
    require("group", GROUPS.contains(group), String.join(", ", GROUPS), group);
    AxisSignRule.named(base); // refuses what is none
    require("points", points >= 1 && points <= 1_000_000, "1 to 1,000,000", points);
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
        EACH * UprightCube.COUNT);
  }
}
