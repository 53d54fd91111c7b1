package org.orbitmap.cloud.mapping;

import org.orbitmap.cloud.CloudAction;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.group.Permutation;
import org.orbitmap.group.Product;
import org.orbitmap.group.Product.Pair;
import org.orbitmap.group.Similarity;
import org.orbitmap.orbit.Canonical;
import org.orbitmap.orbit.GroupAction;
import org.orbitmap.orbit.OrbitMapping;

/**
 * The mapping for similarities and permutations together: first the pose, which does not depend on
 * the order of the points, then the order of the canonical points. For networks that read points
 * one after the other; a network such as PointNet, which pools over them, needs no order.
 *
 * @param pose the mapping of the similarities
 * @param order the mapping of the permutations
 */
public record OrderedMapping(CloudMapping pose, PointOrder order)
    implements OrbitMapping<Pair<Similarity, Permutation>, PointCloud> {
  public OrderedMapping {
    if (pose.signs() == AxisSignRule.FIRST_POINT) {
      throw new IllegalArgumentException(
          "%s, then %s is not invariant: first-point signs depend on which point comes first. Use skewness."
              .formatted(pose.name(), order.name()));
    }
  }

  @Override
  public String name() {
    return pose.name() + "+" + order.name();
  }

  @Override
  public GroupAction<Pair<Similarity, Permutation>, PointCloud> action() {
    CloudAction move = pose.action();
    GroupAction<Permutation, PointCloud> permute = order.action();
    return GroupAction.of(
        new Product<>(move.group(), permute.group()),
        (g, x) -> permute.act(g.second(), move.act(g.first(), x)));
  }

  @Override
  public Canonical<Pair<Similarity, Permutation>, PointCloud> map(PointCloud x) {
    Canonical<Similarity, PointCloud> a = pose.map(x);
    Canonical<Permutation, PointCloud> b = order.map(a.point());
    return new Canonical<>(
        b.point(), new Pair<>(a.element(), b.element()), Math.min(a.margin(), b.margin()));
  }
}
