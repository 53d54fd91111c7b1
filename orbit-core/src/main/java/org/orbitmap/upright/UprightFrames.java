package org.orbitmap.upright;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.orbitmap.eval.Classifier;
import org.orbitmap.image.Fill;
import org.orbitmap.image.Image;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.mapping.Frames;
import org.orbitmap.image.mapping.Frames.Pool;

/**
 * The m poses that an upright mapping deems best, with their probabilities as weights: a classifier
 * is asked about each, and its answers become one. All of that depends on the canonical image
 * alone, so the answer is invariant. Each pose is resampled once, straight from the input, and then
 * restored if the mapping has a restorer.
 *
 * @param mapping finds the poses
 * @param count m ≥ 1
 */
public record UprightFrames(UprightMapping<?> mapping, int count) implements Serializable {
  /** How many poses serve a model that was trained upright best for what they cost. */
  public static final int USUAL = 2;

  /** How the answers become one unless something else is said. */
  public static final Pool USUAL_POOL = Pool.MEAN;

  /** How upright images are computed for models that were trained on upright images. */
  public static final Resampling RESAMPLING = Resampling.of(Interpolation.BICUBIC).with(Fill.EDGE);

  public UprightFrames {
    Objects.requireNonNull(mapping, "mapping");
    if (count < 1) {
      throw new IllegalArgumentException("frames: expected at least 1, found " + count);
    }
  }

  /** The invariant classifier that pools a classifier's answers over the poses. */
  public Classifier<Image> invariant(Classifier<? super Image> net, Pool pool) {
    Objects.requireNonNull(pool, "pool");
    return batch -> {
      List<Image> all = new ArrayList<>();
      List<List<Double>> weights = new ArrayList<>();
      for (Image image : batch) {
        weights.add(add(mapping, image, all));
      }
      List<float[]> scores = List.of(net.scores(all));
      float[][] pooled = new float[batch.size()][];
      for (int i = 0; i < pooled.length; i++) {
        pooled[i] = Frames.pool(scores.subList(i * count, (i + 1) * count), weights.get(i), pool);
      }
      return pooled;
    };
  }

  private <G> List<Double> add(UprightMapping<G> m, Image image, List<Image> all) {
    UprightMapping.Found<G> found = m.poses(image, count);
    found.elements().forEach(g -> all.add(m.restored(m.action().act(g, image))));
    return found.weights();
  }
}
