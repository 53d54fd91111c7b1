package org.orbitmap.cloud;

import org.orbitmap.group.Similarity;
import org.orbitmap.group.SimilarityGroup;
import org.orbitmap.orbit.GroupAction;

/**
 * How similarities act on what a network says about a cloud, for {@code
 * mapping.equivariant(network, CloudOutputs.vectors(group))}: the answer found in the canonical
 * pose comes back in the frame of the input (paper, Proposition 2). Class scores do not change: for
 * them {@link GroupAction#trivial}.
 */
public final class CloudOutputs {
  private CloudOutputs() {}

  /**
   * Points, such as key points or a completed cloud, coordinate after coordinate: x → s R x + t.
   */
  public static GroupAction<Similarity, float[]> points(SimilarityGroup group) {
    return numbers(group, true);
  }

  /** Directions, such as normals or a heading for each point: v → R v. */
  public static GroupAction<Similarity, float[]> vectors(SimilarityGroup group) {
    return numbers(group, false);
  }

  /** Boxes. */
  public static GroupAction<Similarity, Box> boxes(SimilarityGroup group) {
    return GroupAction.of(group, (g, box) -> new Box(box.size(), g.after(box.pose())));
  }

  /** The pose of an object, as the similarity that brings its model into the scene: p → g p. */
  public static GroupAction<Similarity, Similarity> poses(SimilarityGroup group) {
    return GroupAction.of(group, Similarity::after);
  }

  private static GroupAction<Similarity, float[]> numbers(SimilarityGroup group, boolean points) {
    int d = group.dimension();
    return GroupAction.of(
        group,
        (g, v) -> {
          if (v.length % d != 0) {
            throw new IllegalArgumentException(
                "output: expected a multiple of %d numbers, found %d".formatted(d, v.length));
          }
          float[] out = new float[v.length];
          CloudAction.apply(
              points ? g.scale() : 1,
              g.rotation(),
              points ? g.translation() : new double[d],
              v,
              out);
          return out;
        });
  }
}
