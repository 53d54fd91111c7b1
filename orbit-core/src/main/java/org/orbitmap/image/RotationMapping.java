package org.orbitmap.image;

import java.util.Objects;
import org.orbitmap.group.Rotation2;
import org.orbitmap.orbit.Canonical;
import org.orbitmap.orbit.OrbitMapping;

/**
 * Brings a picture to its canonical orientation under all rotations (paper, section 4.1): the mean
 * gradient, as seen by the rule's weight map, is turned to the right.
 *
 * <p>The margin is |c|/‖W‖, see {@link Pose#margin}. A picture without a direction (constant, or
 * with an exact rotational symmetry) keeps its pose and has a margin of 0.
 *
 * @param rule how the pose is found
 * @param resampling how the canonical picture is computed
 */
public record RotationMapping(PoseRule rule, Resampling resampling)
    implements OrbitMapping<Rotation2, Image> {
  public RotationMapping {
    Objects.requireNonNull(rule, "rule");
    Objects.requireNonNull(resampling, "resampling");
  }

  /** The default: the smooth disc window, bilinear, black outside. */
  public static RotationMapping disc() {
    return new RotationMapping(PoseRule.DISC, Resampling.BILINEAR);
  }

  /** The mapping with a built-in rule by name, bilinear, black outside. */
  public static RotationMapping named(String rule) {
    return new RotationMapping(PoseRule.named(rule), Resampling.BILINEAR);
  }

  /** The same rule with another resampling. */
  public RotationMapping with(Resampling other) {
    return new RotationMapping(rule, other);
  }

  @Override
  public String name() {
    return rule.name();
  }

  @Override
  public ImageRotation action() {
    return new ImageRotation(resampling);
  }

  /** The pose alone, with its certificate; the picture is not resampled. */
  public Pose pose(Image image) {
    return rule.weights(image.height(), image.width()).pose(image);
  }

  @Override
  public Canonical<Rotation2, Image> map(Image image) {
    Pose pose = pose(image);
    return new Canonical<>(action().act(pose.rotation(), image), pose.rotation(), pose.margin());
  }

  /** Such as {@code disc, bilinear, black outside}. */
  @Override
  public String toString() {
    return rule + ", " + resampling;
  }
}
