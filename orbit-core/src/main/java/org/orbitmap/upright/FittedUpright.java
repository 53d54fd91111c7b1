package org.orbitmap.upright;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.orbitmap.image.Resampling;
import org.orbitmap.network.FloatTensor;
import org.orbitmap.network.Parameter;

/**
 * A predictor of upright poses with its numbers: what a file of an upright mapping holds.
 *
 * @param settings what it is
 * @param predictor the numbers of its network, by name
 * @param restorer those of the restorer; empty if it has none
 * @param provenance where it comes from, and what it reached; free text by name
 */
public record FittedUpright(
    UprightSettings settings,
    Map<String, FloatTensor> predictor,
    Map<String, FloatTensor> restorer,
    Map<String, String> provenance)
    implements Fitted {
  /**
   * Checks names, shapes and numbers.
   *
   * @throws IllegalArgumentException if a tensor is missing, not expected, misshapen or not finite
   */
  public FittedUpright {
    predictor = checked("predictor", settings.architecture().declare().parameters(), predictor);
    restorer = checked("restorer", restorerParameters(settings), restorer);
    provenance = Collections.unmodifiableMap(new LinkedHashMap<>(provenance));
  }

  private static Collection<Parameter> restorerParameters(UprightSettings s) {
    return s.restorer().isEmpty()
        ? List.of()
        : Restorer.named(s.restorer()).parameters(s.channels());
  }

  static Map<String, FloatTensor> checked(
      String part, Collection<Parameter> declared, Map<String, FloatTensor> given) {
    Map<String, FloatTensor> ordered = new LinkedHashMap<>();
    for (Parameter p : declared) {
      FloatTensor t = given.get(p.name());
      if (t == null || !Arrays.equals(t.shape(), p.shape())) {
        throw new IllegalArgumentException(
            "%s: expected %s, found %s".formatted(part, p, t == null ? "none" : t));
      }
      for (float v : t.values()) {
        if (!Float.isFinite(v)) {
          throw new IllegalArgumentException(
              "%s: expected finite numbers in %s, found %s".formatted(part, p.name(), v));
        }
      }
      ordered.put(p.name(), t);
    }
    for (String name : given.keySet()) {
      if (!ordered.containsKey(name)) {
        throw new IllegalArgumentException(
            "%s: expected only %s, found %s".formatted(part, ordered.keySet(), name));
      }
    }
    return Collections.unmodifiableMap(ordered);
  }

  /** Random numbers, which depend on the settings and the seed alone: the laws hold for these. */
  public static FittedUpright random(UprightSettings settings, long seed) {
    RandomGenerator random = new SplittableRandom(seed);
    return new FittedUpright(
        settings,
        started(settings.architecture().declare().parameters(), random),
        started(restorerParameters(settings), random),
        Map.of());
  }

  /** Parameters as training would start with them. */
  static Map<String, FloatTensor> started(Collection<Parameter> declared, RandomGenerator random) {
    Map<String, FloatTensor> numbers = new LinkedHashMap<>();
    declared.forEach(p -> numbers.put(p.name(), p.start(random)));
    return numbers;
  }

  @Override
  public String kind() {
    return "images";
  }

  @Override
  public String group() {
    return settings.group();
  }

  @Override
  public UprightMapping<?> mapping(Resampling resampling) {
    return UprightMapping.of(this, resampling);
  }

  /** Whether there is a restorer. */
  public boolean restores() {
    return !restorer.isEmpty();
  }

  @Override
  public String toString() {
    return "upright by %s, %d angles%s"
        .formatted(
            settings.network(), settings.bins(), settings.mirrors() ? " and mirror images" : "");
  }
}
