package org.orbitmap.cloud;

import java.util.ArrayList;
import java.util.List;
import org.orbitmap.group.Permutation;
import org.orbitmap.group.Permutations;
import org.orbitmap.orbit.GroupAction;
import org.orbitmap.orbit.Guarantee;

/**
 * Permutations of the points of a cloud, features included: point i moves to place π(i).
 *
 * @param group of the places
 */
public record PermutationAction(Permutations group)
    implements GroupAction<Permutation, PointCloud> {
  /** On clouds of so many points. */
  public PermutationAction(int points) {
    this(new Permutations(points));
  }

  @Override
  public PointCloud act(Permutation g, PointCloud x) {
    if (g.size() != x.size()) {
      throw new IllegalArgumentException(
          "cloud: expected %d points, found %d".formatted(g.size(), x.size()));
    }
    List<PointFeature> features = new ArrayList<>();
    for (PointFeature f : x.features()) {
      features.add(
          new PointFeature(f.name(), f.kind(), f.width(), permute(g, f.values(), f.width())));
    }
    return new PointCloud(x.dimension(), permute(g, x.coordinates(), x.dimension()), features);
  }

  private static float[] permute(Permutation g, float[] in, int width) {
    float[] out = new float[in.length];
    for (int i = 0; i < g.size(); i++) {
      System.arraycopy(in, i * width, out, g.image(i) * width, width);
    }
    return out;
  }

  @Override
  public Guarantee guarantee() {
    return Guarantee.EXACT;
  }
}
