package org.orbitmap.image.mapping;

import java.io.Serializable;
import java.util.Objects;
import org.orbitmap.group.O2;
import org.orbitmap.group.O2.Orthogonal2;
import org.orbitmap.group.Rotation2;
import org.orbitmap.image.Image;
import org.orbitmap.image.ImageOrthogonal;
import org.orbitmap.image.Resampling;
import org.orbitmap.orbit.Canonical;
import org.orbitmap.orbit.OrbitMapping;

/**
 * Brings an image to its canonical pose under rotations and mirrorings.
 *
 * <p>The rule's functional c finds the rotation. A second functional d = ⟨W₂, u⟩ with the second
 * harmonic, W₂(z) = r²(1-(r/R)²)e^{2iθ}, turns by e^{-2iα} when the image turns by α, so d′ =
 * d·(c̄/|c|)² does not depend on the pose; mirroring the image conjugates both c and d, and so d′.
 * Hence Im d′ is mirror-odd, and the mirror image is chosen that makes it positive.
 *
 * <p>The margin is a lower bound on the L2 norm of a change that could alter the choice: the
 * smaller of |c|/‖W‖ and |Im d′|/(‖W₂‖ + π|d|‖W‖/|c|).
 *
 * @param rule how the rotation is found
 * @param resampling how the canonical image is computed
 */
public record OrthogonalMapping(PoseRule rule, Resampling resampling)
    implements OrbitMapping<Orthogonal2, Image> {
  /** The second harmonic under the disc window. */
  public static final PoseRule SECOND_HARMONIC = PoseRule.SECOND_HARMONIC;

  public OrthogonalMapping {
    Objects.requireNonNull(rule, "rule");
    Objects.requireNonNull(resampling, "resampling");
  }

  @Override
  public String name() {
    return rule.name() + "-o2";
  }

  @Override
  public ImageOrthogonal action() {
    return new ImageOrthogonal(resampling);
  }

  /** The group element and the margin; the image is not resampled. */
  public OrthogonalPose pose(Image image) {
    Pose c = rule.weights(image.height(), image.width()).pose(image);
    if (c.response() == 0) {
      return new OrthogonalPose(new O2().identity(), 0);
    }
    Pose d = SECOND_HARMONIC.weights(image.height(), image.width()).pose(image);
    Rotation2 upright = c.rotation().inverse();
    Rotation2 direction = d.rotation().times(upright).times(upright);
    double odd = d.response() * direction.sin();
    double bound = Math.abs(odd) / (d.norm() + Math.PI * d.response() * c.norm() / c.response());
    double margin = d.response() == 0 ? 0 : Math.min(c.margin(), bound);
    boolean mirrored = odd < 0;
    // mirroring conjugates c, so the rotation that follows it is the inverse one
    Orthogonal2 element = new Orthogonal2(mirrored ? upright : c.rotation(), mirrored);
    return new OrthogonalPose(element, margin);
  }

  /**
   * What {@link #pose} finds.
   *
   * @param element mirroring and rotation to the canonical pose
   * @param margin how far the image is from another choice
   */
  public record OrthogonalPose(Orthogonal2 element, double margin) implements Serializable {}

  @Override
  public Canonical<Orthogonal2, Image> map(Image image) {
    OrthogonalPose pose = pose(image);
    return new Canonical<>(action().act(pose.element(), image), pose.element(), pose.margin());
  }

  /** Such as {@code disc with mirror images, bilinear, black outside}. */
  @Override
  public String toString() {
    return rule + " with mirror images, " + resampling;
  }
}
