package org.orbitmap.upright;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.eval.Classifier;
import org.orbitmap.image.mapping.Frames;
import org.orbitmap.image.mapping.Frames.Pool;
import org.orbitmap.network.zoo.UprightCube;

/**
 * The m poses that an upright mapping of clouds deems best, with their probabilities as weights: a
 * classifier is asked about each, and its answers become one. All of that depends on the canonical
 * cloud alone, so the answer is invariant. With the mean it is p(c | x) = Σ_k p(k | x)·p(c | s_k·x)
 * with the poses s_k·x.
 *
 * @param mapping finds the poses
 * @param count m, from 1 to the number of rotations that carry axes to axes
 */
public record CloudUprightFrames(CloudUprightMapping mapping, int count) implements Serializable {
  public CloudUprightFrames {
    Objects.requireNonNull(mapping, "mapping");
    if (count < 1 || count > UprightCube.COUNT) {
      throw new IllegalArgumentException(
          "frames: expected 1 to %d for a fitted mapping of clouds, found %d"
              .formatted(UprightCube.COUNT, count));
    }
  }

  /** The invariant classifier that pools a classifier's answers over the poses. */
  public Classifier<PointCloud> invariant(Classifier<? super PointCloud> net, Pool pool) {
    Objects.requireNonNull(pool, "pool");
    return batch -> {
      List<PointCloud> all = new ArrayList<>();
      List<List<Double>> weights = new ArrayList<>();
      for (PointCloud cloud : batch) {
        CloudUprightMapping.Found found = mapping.poses(cloud, count);
        found.elements().forEach(g -> all.add(mapping.action().act(g, cloud)));
        weights.add(found.weights());
      }
      List<float[]> scores = List.of(net.scores(all));
      float[][] pooled = new float[batch.size()][];
      for (int i = 0; i < pooled.length; i++) {
        pooled[i] = Frames.pool(scores.subList(i * count, (i + 1) * count), weights.get(i), pool);
      }
      return pooled;
    };
  }
}
