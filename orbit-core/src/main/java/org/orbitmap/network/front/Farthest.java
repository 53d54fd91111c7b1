package org.orbitmap.network.front;

import java.util.List;
import org.orbitmap.network.Architecture;
import org.orbitmap.network.Front;
import org.orbitmap.network.Operations;

/**
 * {@code farthest}: the network sees a few points that cover the cloud ({@link
 * org.orbitmap.cloud.FarthestPoints}), the same ones in every pose and, but for ties, in every
 * order: a mapping before it has all points to find the pose from, and the network few to work on.
 * Option {@code points}: how many, 128 unless said. It has no parameters.
 */
public final class Farthest implements Front {
  private static final int POINTS = 128;

  @Override
  public String name() {
    return "farthest";
  }

  @Override
  public String takes() {
    return "clouds";
  }

  @Override
  public int leastSide() {
    return 1;
  }

  @Override
  public <T> List<T> views(Operations<T> ops, T x, Architecture settings) {
    int count = settings.option("points", POINTS);
    if (count > ops.length(x, 0)) {
      throw new IllegalArgumentException(
          "network.options.points: expected at most the %d points of a cloud, found %d"
              .formatted(ops.length(x, 0), count));
    }
    return List.of(ops.farthest(x, count));
  }
}
