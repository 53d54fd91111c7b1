package org.orbitmap.cloud.mapping;

import java.io.Serializable;
import org.orbitmap.group.Similarity;

/**
 * The way to a cloud's canonical pose, and how well determined it is.
 *
 * <p>Lengths are relative to r, the root mean square distance of the points to the centre, and
 * second moments to r². A group without rotations has no axes to choose: eigenGap and signMargin
 * are then infinite.
 *
 * @param element the similarity ĝ that brings the cloud to its canonical pose
 * @param eigenGap the smallest difference of two eigenvalues of the covariance, divided by their
 *     sum; 0 if two axes could as well be exchanged. Moving every point by δ·r changes it by at
 *     most 4δ to first order.
 * @param signMargin how clear the directions of the axes are: the smallest |E y³| / (3 E y² r) over
 *     the axes y (for first-point signs: the smallest coordinate of that point, divided by r), and
 *     among proper frames also half the lead of the chosen frame over the next. 0 for clouds that
 *     are symmetric in an axis, flat ones included. Moving every point by δ·r along the axes
 *     changes it by at most δ to first order.
 * @param precision how finely the float coordinates hold the shape: the root mean square rounding
 *     of a point, divided by r. Grows with the distance to the origin.
 * @param points the number of points
 */
public record CloudPose(
    Similarity element, double eigenGap, double signMargin, double precision, int points)
    implements Serializable {
  /** The relative difference of canonical clouds that a margin that is not small stands for. */
  public static final double TOLERANCE = 1e-4;

  private static final double FLOOR = 1e-5;

  /** The smaller of eigenGap and signMargin. */
  public double margin() {
    return Math.min(eigenGap, signMargin);
  }

  /**
   * The eigenGap below which it counts as small: γ = max(10⁻⁵, 1.5 ν / ((10⁻⁴ - ν) √N)), with ν the
   * {@link #precision} and N the number of points.
   *
   * <p>Rounding the input moves the canonical cloud by ν directly, and by rotating the axes, whose
   * angle has a standard deviation of about ν / (2 eigenGap √N). Three of those and ν stay below
   * {@link #TOLERANCE} if the gap is at least γ. If ν itself is 10⁻⁴ or more, the input is too
   * coarse for that, and γ is infinite.
   */
  public double gapThreshold() {
    return precision >= TOLERANCE
        ? Double.POSITIVE_INFINITY
        : Math.max(FLOOR, 1.5 * precision / ((TOLERANCE - precision) * Math.sqrt(points)));
  }

  /**
   * The signMargin below which it counts as small: max(10⁻⁵, 2 ν (1 + 1 / eigenGap) / √N), what
   * rounding the points and rotating the axes by it can change.
   */
  public double signThreshold() {
    return Math.max(FLOOR, 2 * precision * (1 + 1 / eigenGap) / Math.sqrt(points));
  }

  /** Whether the margin is small: eigenGap or signMargin is below its threshold. */
  public boolean ambiguous() {
    return eigenGap < gapThreshold() || signMargin < signThreshold();
  }
}
