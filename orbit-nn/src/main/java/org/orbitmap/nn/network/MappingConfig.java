package org.orbitmap.nn.network;

import java.util.Arrays;
import java.util.Locale;
import org.orbitmap.image.Fill;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.mapping.PoseRule;
import org.orbitmap.image.mapping.RotationMapping;

/**
 * Whether and how images are brought to their canonical orientation before the network.
 *
 * @param when {@code none}, {@code test} (only when predicting) or {@code train+test}
 * @param rule the mapping by name: disc, paper, released, central, forward
 * @param interpolation how the canonical image is computed
 * @param fill what it shows outside: zero, reflect, edge or a number
 * @param place {@code layer}: in the engine, on whole batches; {@code data}: with the core, image
 *     by image, as they are read. Both give the same images.
 */
public record MappingConfig(
    String when, String rule, String interpolation, String fill, String place) {
  /** No mapping. */
  public static final MappingConfig NONE =
      new MappingConfig("none", "disc", "bicubic", "zero", "layer");

  public MappingConfig {
    when = oneOf("mapping.when", when, "none", "test", "train+test");
    rule = PoseRule.named(rule).name();
    interpolation = Interpolation.named(interpolation).id();
    fill = Fill.named(fill).toString();
    place = oneOf("mapping.place", place, "layer", "data");
  }

  /** The same mapping, used at another time. */
  public MappingConfig when(String other) {
    return new MappingConfig(other, rule, interpolation, fill, place);
  }

  /** The same with another rule. */
  public MappingConfig rule(String other) {
    return new MappingConfig(when, other, interpolation, fill, place);
  }

  /** Whether it is used at all, or when training. */
  boolean active(boolean training) {
    return when.equals("train+test") || (when.equals("test") && !training);
  }

  /** The core's mapping. */
  public RotationMapping mapping() {
    return new RotationMapping(
        PoseRule.named(rule),
        Resampling.of(Interpolation.named(interpolation)).with(Fill.named(fill)));
  }

  public static String oneOf(String what, String found, String... expected) {
    String id = found == null ? "" : found.trim().toLowerCase(Locale.ROOT);
    if (!Arrays.asList(expected).contains(id)) {
      throw new IllegalArgumentException(
          "%s: expected one of %s, found %s".formatted(what, Arrays.toString(expected), found));
    }
    return id;
  }
}
