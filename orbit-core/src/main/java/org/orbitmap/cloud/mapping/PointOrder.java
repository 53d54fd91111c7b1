package org.orbitmap.cloud.mapping;

import java.util.stream.IntStream;
import org.orbitmap.cloud.PermutationAction;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.cloud.PointFeature;
import org.orbitmap.group.Permutation;
import org.orbitmap.orbit.Canonical;
import org.orbitmap.orbit.GroupAction;
import org.orbitmap.orbit.OrbitMapping;

/**
 * Puts the points of a cloud in order: by the first coordinate, ties by the next, then by the
 * features. Permutations alone are undone exactly.
 *
 * <p>The margin is the smallest step of the first coordinate between neighbours that differ,
 * relative to the extent of the cloud: a smaller disturbance of the coordinates keeps the order.
 *
 * @param points the number of points
 */
public record PointOrder(int points) implements OrbitMapping<Permutation, PointCloud> {
  @Override
  public String name() {
    return "order";
  }

  @Override
  public GroupAction<Permutation, PointCloud> action() {
    return action(points);
  }

  /** Permutations of the points of a cloud. */
  public static GroupAction<Permutation, PointCloud> action(int points) {
    return new PermutationAction(points);
  }

  @Override
  public Canonical<Permutation, PointCloud> map(PointCloud x) {
    x.requireFinite();
    int[] order =
        IntStream.range(0, x.size())
            .boxed()
            .sorted((i, j) -> compare(x, i, j))
            .mapToInt(Integer::intValue)
            .toArray();
    int[] images = new int[order.length];
    for (int place = 0; place < order.length; place++) {
      images[order[place]] = place;
    }
    Permutation g = new Permutation(images);
    PointCloud y = action().act(g, x);
    return new Canonical<>(y, g, margin(y));
  }

  private static int compare(PointCloud x, int i, int j) {
    int c = compare(x.coordinates(), x.dimension(), i, j);
    for (int f = 0; c == 0 && f < x.features().size(); f++) {
      PointFeature feature = x.features().get(f);
      c = compare(feature.values(), feature.width(), i, j);
    }
    return c;
  }

  private static int compare(float[] values, int width, int i, int j) {
    for (int k = 0; k < width; k++) {
      int c = Float.compare(values[i * width + k], values[j * width + k]);
      if (c != 0) {
        return c;
      }
    }
    return 0;
  }

  private static double margin(PointCloud sorted) {
    float[] c = sorted.coordinates();
    int d = sorted.dimension();
    double extent = (double) c[c.length - d] - c[0];
    double step = Double.POSITIVE_INFINITY;
    for (int i = 0; i + d < c.length; i += d) {
      if (compare(sorted, i / d, i / d + 1) != 0) {
        step = Math.min(step, (double) c[i + d] - c[i]);
      }
    }
    return step == Double.POSITIVE_INFINITY ? step : extent > 0 ? step / extent : 0;
  }
}
