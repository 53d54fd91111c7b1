package org.orbitmap.cloud.mapping;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.orbitmap.cloud.CloudAction;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.group.Group;
import org.orbitmap.group.Similarity;
import org.orbitmap.group.SimilarityGroup;
import org.orbitmap.group.SimilarityGroup.Rotations;
import org.orbitmap.orbit.Canonical;
import org.orbitmap.orbit.OrbitMapping;

/**
 * The orbit mapping of clouds for the similarities or one of their subgroups (paper, section 4.2):
 * put the centre of mass at the origin, turn the principal axes onto the coordinate axes, make the
 * size 1; each step only if the group has it, always in this order.
 *
 * <p>With c the centre of mass (0 if the group does not translate), V the eigenvectors of the
 * second moments about c as rows, largest eigenvalue first, D the signs of the axes and k = 1/size,
 * the element is x → k D V (x - c). Among the sign matrices that the group allows (determinant of
 * DV +1 without reflections) D makes the sum of the scores along the axes largest; the scores come
 * from {@link AxisSignRule}. Sums are taken in double about the first point, so that neither the
 * distance to the origin nor the unit costs digits.
 *
 * <p>About the vertical, the axes are those of the horizontal second moments, and z is only centred
 * and scaled: what stands stays upright, and its heading is canonical.
 *
 * <p>A cloud that was completed by repeating its points, x₀ … xₙ₋₁ x₀ x₁ …, has the pose of its
 * first n: networks that take a fixed number of points see a scan with fewer in its own pose.
 *
 * <p>The margin is the smaller of {@link CloudPose#eigenGap} and {@link CloudPose#signMargin}, and
 * 0 for a cloud whose points coincide; {@link CloudPose#ambiguous} says what is small. Degenerate
 * clouds get a pose like any other, never NaN, and a small margin.
 *
 * @param group what the result is invariant to
 * @param signs how the axes get their directions; of no effect without rotations
 * @param size what becomes 1; of no effect without scalings
 */
public record CloudMapping(SimilarityGroup group, AxisSignRule signs, ScaleRule size)
    implements OrbitMapping<Similarity, PointCloud> {

  public CloudMapping {
    Objects.requireNonNull(group, "group");
    Objects.requireNonNull(signs, "signs");
    Objects.requireNonNull(size, "size");
  }

  /** The mapping with skewness signs and mean distance 1. */
  public static CloudMapping of(SimilarityGroup group) {
    return new CloudMapping(group, AxisSignRule.SKEWNESS, ScaleRule.MEAN_DISTANCE);
  }

  /** This mapping, then an order of the points: invariant to permutations too. */
  public OrderedMapping ordered(int points) {
    return new OrderedMapping(this, new PointOrder(points));
  }

  @Override
  public String name() {
    List<String> parts = new ArrayList<>();
    if (group.moves()) {
      parts.add("centre");
    }
    if (group.rotations() != Rotations.NONE) {
      String about = group.rotations() == Rotations.VERTICAL ? "vertical-" : "";
      parts.add(about + "pca-" + signs.label());
    }
    if (group.scales()) {
      parts.add(size.label());
    }
    return parts.isEmpty() ? "identity" : String.join("+", parts);
  }

  @Override
  public CloudAction action() {
    return new CloudAction(group);
  }

  /** The pose alone, with its margins. */
  public CloudPose pose(PointCloud x) {
    return align(x, new float[x.coordinates().length]);
  }

  @Override
  public Canonical<Similarity, PointCloud> map(PointCloud x) {
    return align(x).canonical();
  }

  /**
   * What one alignment finds.
   *
   * @param canonical the canonical cloud, with the element and the margin of the pose
   * @param pose how well determined it is, and why
   */
  public record Aligned(Canonical<Similarity, PointCloud> canonical, CloudPose pose)
      implements Serializable {}

  /** The canonical cloud and the pose together: for whoever needs both. */
  public Aligned align(PointCloud x) {
    float[] out = new float[x.coordinates().length];
    CloudPose pose = align(x, out);
    Similarity g = pose.element();
    PointCloud point =
        new PointCloud(x.dimension(), out, CloudAction.rotate(x.features(), g.rotation()));
    return new Aligned(new Canonical<>(point, g, pose.margin()), pose);
  }

  /**
   * Writes the canonical coordinates to an array that the caller provides, and returns the pose:
   * for loops that reuse memory. Nothing is allocated that grows with the cloud.
   *
   * @param out as long as the cloud's coordinates, and another array
   */
  public CloudPose align(PointCloud x, float[] out) {
    CloudAction.requireDimension(group.dimension(), x);
    if (out.length != x.coordinates().length) {
      throw new IllegalArgumentException(
          "out: expected %d numbers, found %d".formatted(x.coordinates().length, out.length));
    }
    return Alignment.fast(this, x.coordinates(), out);
  }

  /**
   * The candidate poses among which the signs choose: 4 proper frames in space, 2 in the plane and
   * about the vertical, 8 and 4 with reflections; if the eigenvalues tie (the eigenGap is small),
   * also every order of the axes: 24 and 4, or 48 and 8. The chosen pose comes first. Pooling a
   * network over this set does not depend on signs at all, nor, with axis orders, on which of two
   * nearly equal axes is larger. Where eigenvalues tie exactly, as for a cube, the axes themselves
   * are arbitrary and no finite set helps: the margin stays 0. For networks, {@link CloudFrames}
   * has the same number of frames for every cloud.
   */
  public List<Canonical<Similarity, PointCloud>> frames(PointCloud x) {
    return frames(align(x));
  }

  /** The same from what {@link #align(PointCloud)} found; the cloud is not aligned again. */
  public List<Canonical<Similarity, PointCloud>> frames(Aligned aligned) {
    Canonical<Similarity, PointCloud> first = aligned.canonical();
    CloudPose pose = aligned.pose();
    if (group.rotations() == Rotations.NONE) {
      return List.of(first);
    }
    CloudAction act = action();
    List<Canonical<Similarity, PointCloud>> all = new ArrayList<>();
    boolean tie = pose.eigenGap() < pose.gapThreshold();
    for (Similarity h : CloudFrames.matrices(group, tie, tie)) {
      all.add(
          h.equals(group.identity())
              ? first
              : new Canonical<>(
                  act.act(h, first.point()), h.after(first.element()), first.margin()));
    }
    return all;
  }

  /**
   * K is carried into its own orbits if it holds this group, or if its translations, should it have
   * any, are undone here: a linear k commutes with centring, conjugates the rotation and cancels in
   * the size.
   */
  @Override
  public Set<Group<?>> carries() {
    Set<Group<?>> carried = new LinkedHashSet<>();
    for (SimilarityGroup k : SimilarityGroup.all(group.dimension())) {
      if (k.contains(group) || !k.moves() || group.moves()) {
        carried.add(k);
      }
    }
    return carried;
  }

  /** Such as {@code centred, principal axes with directions by skewness, mean distance 1}. */
  @Override
  public String toString() {
    List<String> parts = new ArrayList<>();
    if (group.moves()) {
      parts.add("centred");
    }
    if (group.rotations() != Rotations.NONE) {
      String mirrored =
          switch (group.rotations()) {
            case ALL -> " and mirror images";
            case VERTICAL -> " about the vertical";
            default -> "";
          };
      parts.add("principal axes%s with directions by %s".formatted(mirrored, signs.label()));
    }
    if (group.scales()) {
      parts.add(size.label().replace('-', ' ') + " 1");
    }
    return parts.isEmpty() ? "nothing moved" : String.join(", ", parts);
  }
}
