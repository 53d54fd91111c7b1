package org.orbitmap.image.mapping;

import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.orbitmap.group.Rotation2;
import org.orbitmap.image.Image;
import org.orbitmap.image.ImageRotation;
import org.orbitmap.image.Resampler;
import org.orbitmap.image.Resampling;
import org.orbitmap.orbit.Canonical;
import org.orbitmap.orbit.OrbitMapping;

/**
 * Brings an image to its canonical orientation under all rotations (paper, section 4.1): the mean
 * gradient, as seen by the rule's weight map, is rotated to the right.
 *
 * <p>The margin is |c|/‖W‖, see {@link Pose#margin}. An image without a direction (constant, or
 * with an exact rotational symmetry) keeps its pose and has a margin of 0.
 *
 * @param rule how the pose is found
 * @param resampling how the canonical image is computed
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

  /** The pose alone, with its certificate; the image is not resampled. */
  public Pose pose(Image image) {
    return rule.weights(image.height(), image.width()).pose(image);
  }

  @Override
  public Canonical<Rotation2, Image> map(Image image) {
    Pose pose = pose(image);
    return new Canonical<>(action().act(pose.rotation(), image), pose.rotation(), pose.margin());
  }

  /**
   * Writes the canonical image into an array, channel by channel: the same as {@link #map}, without
   * a new image. This is the way for one image after another.
   *
   * @param out room for the image, and no more
   */
  public Pose align(Image image, float[] out) {
    requireRoom(out, 1, image.data().length);
    return align(image, out, 0);
  }

  private Pose align(Image image, float[] out, int at) {
    Pose pose = pose(image);
    Resampler.sample(image, Resampler.Affine.of(pose.rotation()), resampling, out, at);
    return pose;
  }

  private static void requireRoom(float[] out, int images, int size) {
    if (out.length != (long) images * size) {
      throw new IllegalArgumentException(
          "output: expected room for %d samples (images: %d), found %d"
              .formatted((long) images * size, images, out.length));
    }
  }

  /**
   * Writes the canonical images of a batch one after another into an array (NCHW, as networks take
   * it), on all cores. Only the poses are allocated, so that the garbage collector stays out of it:
   * this is the way for large batches.
   *
   * @param images images of one shape
   * @param out room for all of them, and no more
   * @return the pose of each
   */
  public List<Pose> alignAll(List<Image> images, float[] out) {
    int size = images.isEmpty() ? 0 : images.get(0).data().length;
    for (Image image : images) {
      if (!image.sameShape(images.get(0))) {
        throw new IllegalArgumentException(
            "batch: expected images of one shape, found " + images.get(0) + " and " + image);
      }
    }
    requireRoom(out, images.size(), size);
    return IntStream.range(0, images.size())
        .parallel()
        .mapToObj(k -> align(images.get(k), out, k * size))
        .toList();
  }

  /** Such as {@code disc, bilinear, black outside}. */
  @Override
  public String toString() {
    return rule + ", " + resampling;
  }
}
