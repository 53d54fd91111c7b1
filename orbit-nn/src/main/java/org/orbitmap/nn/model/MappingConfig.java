package org.orbitmap.nn.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Objects;
import org.orbitmap.cloud.mapping.CloudFrames;
import org.orbitmap.group.SimilarityGroup;
import org.orbitmap.image.Fill;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampling;
import org.orbitmap.model.InputShape;
import org.orbitmap.model.MappingSpec;
import org.orbitmap.orbit.OrbitMapping;
import org.orbitmap.upright.CloudUprightFrames;
import org.orbitmap.upright.UprightFrames;

/**
 * Whether and how inputs are brought to their canonical pose before the network.
 *
 * @param when never, only when predicting, or in training, too
 * @param rule the mapping by name: disc, paper, … for images, skewness, first-point for clouds, or
 *     {@code upright:FILE}
 * @param group what the result is invariant to; {@code default} for that of the rule
 * @param interpolation how canonical images are computed
 * @param fill what they show outside
 * @param frames of clouds: in how many canonical poses the network is asked, as in {@link
 *     CloudFrames}; the class probabilities are their mean. In training one of them is drawn for
 *     each cloud and step. Behind a fitted mapping of images or clouds they are those of {@link
 *     UprightFrames} and {@link CloudUprightFrames}: the mean is weighted, and training sees all
 */
public record MappingConfig(
    Use when, String rule, String group, Interpolation interpolation, Fill fill, int frames)
    implements Serializable {
  /** The group of the rule. */
  public static final String DEFAULT_GROUP = "default";

  /** No mapping. */
  public static final MappingConfig NONE =
      new MappingConfig(Use.NONE, "disc", DEFAULT_GROUP, Interpolation.BICUBIC, Fill.ZERO, 1);

  /** When the mapping is used. */
  public enum Use {
    /** Never. */
    NONE("none"),
    /** Only when predicting. */
    TEST("test"),
    /** In training and when predicting. */
    TRAIN_AND_TEST("train+test");

    private final String id;

    Use(String id) {
      this.id = id;
    }

    /** The name users write. */
    @JsonValue
    public String id() {
      return id;
    }

    /** The use with this name. */
    @JsonCreator
    public static Use named(String name) {
      return Arrays.stream(values())
          .filter(u -> u.id.equalsIgnoreCase(name.trim()))
          .findFirst()
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      "mapping.when: expected none, test or train+test, found " + name));
    }

    @Override
    public String toString() {
      return id;
    }
  }

  public MappingConfig {
    Objects.requireNonNull(when, "when");
    Objects.requireNonNull(interpolation, "interpolation");
    Objects.requireNonNull(fill, "fill");
    rule = MappingSpec.rule(rule);
    group = SimilarityGroup.id(group);
    frames = frames == 0 ? 1 : frames; // files from before there were frames
    if (frames < 1) {
      throw new IllegalArgumentException("mapping.frames: expected 1 or more, found " + frames);
    }
    if (MappingSpec.file(rule).isEmpty()) {
      MappingSpec.family(rule); // refuses what is none
    }
  }

  /** The same mapping, used at another time. */
  public MappingConfig when(Use other) {
    return new MappingConfig(other, rule, group, interpolation, fill, frames);
  }

  /** The same with another rule. */
  public MappingConfig rule(String other) {
    return new MappingConfig(when, other, group, interpolation, fill, frames);
  }

  /** The same for another group. */
  public MappingConfig group(String other) {
    return new MappingConfig(when, rule, other, interpolation, fill, frames);
  }

  /** The same with another number of frames. */
  public MappingConfig frames(int other) {
    return new MappingConfig(when, rule, group, interpolation, fill, other);
  }

  /** Whether it is used at all. */
  public boolean used() {
    return when != Use.NONE;
  }

  /** Whether it is used in training. */
  public boolean trained() {
    return when == Use.TRAIN_AND_TEST;
  }

  /** How canonical images are computed. */
  public Resampling resampling() {
    return Resampling.of(interpolation).with(fill);
  }

  /** The mapping of the core for inputs of a kind. */
  public <X> OrbitMapping<?, X> mapping(InputShape<X> shape) {
    return new MappingSpec(rule, group.equals(DEFAULT_GROUP) ? "" : group, resampling())
        .mapping(shape);
  }
}
