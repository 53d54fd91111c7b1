package org.orbitmap.upright;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.orbitmap.image.Resampling;
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
    implements Fitted {
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

  /** How much surer the random predictor is than its numbers would have it be. */
  private static final float SURER = 100;

  /**
   * Random numbers, which depend on the settings and the seed alone: the laws hold for these. It is
   * sure of what it says; otherwise all rotations would be as probable.
   */
  public static FittedCloudUpright random(CloudUprightSettings settings, long seed) {
    Map<String, FloatTensor> predictor =
        FittedUpright.started(
            settings.architecture().declare().parameters(), new SplittableRandom(seed));
    predictor.computeIfPresent("scores.weight", (name, t) -> surer(t));
    return new FittedCloudUpright(settings, predictor, Map.of());
  }

  /** With larger numbers in the first row, which says how probable a rotation is. */
  private static FloatTensor surer(FloatTensor scores) {
    float[] values = scores.values().clone();
    for (int i = 0; i < values.length / CloudUprightSettings.EACH; i++) {
      values[i] *= SURER;
    }
    return new FloatTensor(scores.shape(), values);
  }

  @Override
  public String kind() {
    return "clouds";
  }

  @Override
  public String group() {
    return settings.group();
  }

  /** None: poses of clouds do not blur. */
  @Override
  public Map<String, FloatTensor> restorer() {
    return Map.of();
  }

  @Override
  public CloudUprightMapping mapping(Resampling resampling) {
    return new CloudUprightMapping(this);
  }

  @Override
  public String toString() {
    return "upright by %s".formatted(settings.network());
  }
}
