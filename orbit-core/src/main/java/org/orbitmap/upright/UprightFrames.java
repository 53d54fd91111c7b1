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
 * <p>With mirrors, the answer for a pose is the mean of the probabilities for it and for its mirror
 * image, at twice the cost, and the predictor looks at both sides as well ({@link
 * UprightMapping#onBothSides}): for images whose mirror images are as good.
 *
 * @param mapping finds the poses
 * @param count m ≥ 1
 * @param mirrors whether the mirror image of each pose is asked for as well
 */
public record UprightFrames(UprightMapping<?> mapping, int count, boolean mirrors)
    implements Serializable {
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

  /** Poses without mirror images. */
  public UprightFrames(UprightMapping<?> mapping, int count) {
    this(mapping, count, false);
  }

  /** How often a network is asked about an image. */
  public int cost() {
    return mirrors ? 2 * count : count;
  }

  /** The invariant classifier that pools a classifier's answers over the poses. */
  public Classifier<Image> invariant(Classifier<? super Image> net, Pool pool) {
    Objects.requireNonNull(pool, "pool");
    UprightMapping<?> poses = mirrors ? mapping.onBothSides() : mapping;
    return batch -> {
      List<Image> all = new ArrayList<>();
      List<List<Double>> weights = new ArrayList<>();
      for (Image image : batch) {
        weights.add(add(poses, image, all));
      }
      List<float[]> scores = List.of(net.scores(all));
      float[][] pooled = new float[batch.size()][];
      for (int i = 0; i < pooled.length; i++) {
        List<float[]> rows = scores.subList(i * cost(), (i + 1) * cost());
        pooled[i] = Frames.pool(mirrors ? Frames.pairs(rows) : rows, weights.get(i), pool);
      }
      return pooled;
    };
  }

  private <G> List<Double> add(UprightMapping<G> m, Image image, List<Image> all) {
    UprightMapping.Found<G> found = m.poses(image, count);
    List<Image> shown = found.elements().stream().map(g -> m.restored(image, g)).toList();
    all.addAll(shown);
    if (mirrors) {
      shown.forEach(u -> all.add(u.mirrored()));
    }
    return found.weights();
  }
}
