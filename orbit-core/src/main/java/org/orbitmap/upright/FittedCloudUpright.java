package org.orbitmap.upright;

import java.io.Serializable;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.orbitmap.network.FloatTensor;

/**
 * A predictor of upright clouds with its numbers.
 *
 * @param settings what it is
 * @param predictor the numbers of its network, by name
 * @param provenance where it comes from, and what it reached; free text by name
 */
public record FittedCloudUpright(
    CloudUprightSettings settings,
    Map<String, FloatTensor> predictor,
    Map<String, String> provenance)
    implements Serializable {
  /**
   * Checks names, shapes and numbers.
   *
   * @throws IllegalArgumentException if a tensor is missing, not expected, misshapen or not finite
   */
  public FittedCloudUpright {
    predictor =
        FittedUpright.checked(
            "predictor", settings.architecture().declare().parameters(), predictor);
    provenance = Collections.unmodifiableMap(new LinkedHashMap<>(provenance));
  }

  /** Random numbers, which depend on the settings and the seed alone: the laws hold for these. */
  public static FittedCloudUpright random(CloudUprightSettings settings, long seed) {
    RandomGenerator random = new SplittableRandom(seed);
    Map<String, FloatTensor> predictor = new LinkedHashMap<>();
    settings
        .architecture()
        .declare()
        .parameters()
        .forEach(p -> predictor.put(p.name(), p.start(random)));
    return new FittedCloudUpright(settings, predictor, Map.of());
  }

  @Override
  public String toString() {
    return "upright by %s, %d axes and %d angles"
        .formatted(settings.network(), CloudUprightSettings.AXES, settings.bins());
  }
}
