package org.orbitmap.nn.scheme;

import java.util.Objects;
import org.orbitmap.group.SimilarityGroup;
import org.orbitmap.image.Interpolation;
import org.orbitmap.nn.layer.BatchAction;

/**
 * How the adversarial schemes move an input, and what they add to the loss.
 *
 * @param candidates random elements of the group, of which each input gets its worst
 * @param group what inputs are moved by: {@code default} for rotations, or a name such as {@code
 *     o2}, {@code se3}
 * @param interpolation how moved images are read between pixels
 * @param kl the weight λ of KL(natural‖adversarial) in {@code adv-kl}
 * @param alp the weight λ of ‖difference of logits‖² in {@code adv-alp}; the code of its authors
 *     divides the square by 4, which is 0.25 here
 */
public record Attack(
    int candidates, String group, Interpolation interpolation, double kl, double alp) {
  /** As in the paper (section 4.1): the worst of 10 rotations, bilinear. */
  public static final Attack PAPER =
      new Attack(10, BatchAction.ROTATIONS, Interpolation.BILINEAR, 8, 1);

  public Attack {
    Objects.requireNonNull(interpolation, "interpolation");
    group = SimilarityGroup.id(group);
    if (candidates < 1) {
      throw new IllegalArgumentException(
          "attack.candidates: expected 1 or more, found " + candidates);
    }
    if (!(kl >= 0 && kl <= Float.MAX_VALUE && alp >= 0 && alp <= Float.MAX_VALUE)) {
      throw new IllegalArgumentException(
          "attack: expected weights kl and alp of 0 or more, found %s and %s".formatted(kl, alp));
    }
  }

  /** The same with another number of candidates. */
  public Attack candidates(int other) {
    return new Attack(other, group, interpolation, kl, alp);
  }

  /** The same over another group. */
  public Attack group(String other) {
    return new Attack(candidates, other, interpolation, kl, alp);
  }
}
