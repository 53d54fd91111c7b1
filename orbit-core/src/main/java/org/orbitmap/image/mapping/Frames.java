package org.orbitmap.image.mapping;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.IntStream;
import org.orbitmap.eval.Classifier;
import org.orbitmap.eval.Scores;
import org.orbitmap.group.Rotation2;
import org.orbitmap.image.Fill;
import org.orbitmap.image.Image;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampling;

/**
 * The canonical image together with its K evenly spaced turns.
 *
 * <p>As a set, {canonical, rotated by 360°/K, …} is the same for every pose of the input, so
 * whatever is computed from the set alone is invariant. A network that was trained on upright
 * images meets an upright one among the frames: with enough of them it is usable without
 * retraining, at K times the cost. Each frame is resampled once, straight from the input.
 *
 * <p>With mirrors, the answer for a frame is the mean of the probabilities for it and for its
 * mirror image, at twice the cost. Networks that are sure of an image in a wrong pose are seldom as
 * sure of its mirror image, so the most confident frame is right more often. Mirroring the input
 * exchanges the two of each pair: if K is even and the rule follows mirrorings, as {@code disc}
 * does, the answer is that for the mirrored input, too.
 *
 * @param mapping finds the canonical pose
 * @param count K ≥ 1
 * @param mirrors whether the mirror image of each frame is asked for as well
 */
public record Frames(RotationMapping mapping, int count, boolean mirrors) implements Serializable {
  /** How the answers for the frames become one. */
  public enum Pool {
    /**
     * The answer of the frame whose largest probability p is largest. Compared is log p/(1 - p),
     * computed from the scores: p itself is rounded to 1 for many frames of a sure network.
     */
    CONFIDENCE,
    /** The mean of the probabilities. */
    MEAN,
    /** The largest score of each class. */
    MAX;

    /** The pool with this name, in any case. */
    public static Pool named(String name) {
      for (Pool pool : values()) {
        if (pool.name().equalsIgnoreCase(name.trim())) {
          return pool;
        }
      }
      throw new IllegalArgumentException("select: expected confidence, mean or max, found " + name);
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * What serves networks that were trained on upright images, without retraining: the most
   * confident of 16 frames, read bicubically, with the rim of the inscribed circle continued into
   * the corners. Black corners are what such networks have never seen, and with fewer frames the
   * upright one may be missed. {@code docs/onnx.md} has what it brings and what it costs.
   */
  public static final Frames UPRIGHT =
      new Frames(
          RotationMapping.disc().with(Resampling.of(Interpolation.BICUBIC).with(Fill.EDGE)), 16);

  public Frames {
    Objects.requireNonNull(mapping, "mapping");
    if (count < 1) {
      throw new IllegalArgumentException("frames: expected at least 1, found " + count);
    }
  }

  /** Frames without mirror images. */
  public Frames(RotationMapping mapping, int count) {
    this(mapping, count, false);
  }

  /** How often a network is asked about an image. */
  public int cost() {
    return mirrors ? 2 * count : count;
  }

  /** The frames of an image, the canonical one first; then, if asked for, their mirror images. */
  public List<Image> of(Image image) {
    Rotation2 canonical = mapping.pose(image).rotation();
    List<Image> frames = new ArrayList<>(count);
    for (int k = 0; k < count; k++) {
      Rotation2 turn = canonical.times(Rotation2.ofDegrees(360.0 * k / count));
      frames.add(mapping.action().act(turn, image));
    }
    if (mirrors) {
      List.copyOf(frames).forEach(frame -> frames.add(frame.mirrored()));
    }
    return frames;
  }

  /** The invariant classifier that pools a classifier's answers over the frames. */
  public Classifier<Image> invariant(Classifier<? super Image> net, Pool pool) {
    Objects.requireNonNull(pool, "pool");
    return batch -> {
      List<Image> all = new ArrayList<>();
      for (Image image : batch) {
        all.addAll(of(image));
      }
      List<float[]> scores = List.of(net.scores(all));
      int each = cost();
      float[][] pooled = new float[batch.size()][];
      for (int i = 0; i < pooled.length; i++) {
        List<float[]> rows = scores.subList(i * each, (i + 1) * each);
        pooled[i] = pool(mirrors ? pairs(rows) : rows, pool);
      }
      return pooled;
    };
  }

  /** One row for each frame, of the rows of all frames and then those of their mirror images. */
  public static List<float[]> pairs(List<float[]> rows) {
    int half = rows.size() / 2;
    return IntStream.range(0, half)
        .mapToObj(k -> pool(List.of(rows.get(k), rows.get(half + k)), Pool.MEAN))
        .toList();
  }

  /**
   * One row from the rows of all frames. Rows that are no probabilities (non-negative with sum 1)
   * are taken for logits: their softmax is what is compared and averaged.
   */
  public static float[] pool(List<float[]> rows, Pool pool) {
    return pool(rows, Collections.nCopies(rows.size(), 1.0 / rows.size()), pool);
  }

  /**
   * The same for frames that do not count alike: the weighted mean, or the row with the largest sum
   * of log p/(1 - p) and the logarithm of its weight. The largest score of each class is that of
   * the frames with a positive weight.
   *
   * @param weights of the frames; not negative, with sum 1
   */
  public static float[] pool(List<float[]> rows, List<Double> weights, Pool pool) {
    return switch (pool) {
      case CONFIDENCE -> {
        float[] best = rows.get(0);
        double most = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < rows.size(); i++) {
          double confidence =
              logOdds(rows.get(i)) + Math.log(Math.max(weights.get(i), Float.MIN_NORMAL));
          if (confidence > most) {
            most = confidence;
            best = rows.get(i);
          }
        }
        yield best.clone();
      }
      case MEAN -> {
        double[] sum = new double[rows.get(0).length];
        for (int i = 0; i < rows.size(); i++) {
          double[] p = Scores.probabilities(rows.get(i));
          for (int c = 0; c < sum.length; c++) {
            sum[c] += weights.get(i) * p[c];
          }
        }
        float[] mean = new float[sum.length];
        for (int c = 0; c < mean.length; c++) {
          mean[c] = (float) sum[c];
        }
        yield mean;
      }
      case MAX -> {
        float[] largest = rows.get(0).clone();
        for (int i = 0; i < rows.size(); i++) {
          for (int c = 0; c < largest.length && weights.get(i) > 0; c++) {
            largest[c] = Math.max(largest[c], rows.get(i)[c]);
          }
        }
        yield largest;
      }
    };
  }

  /** log p/(1 - p) for the largest probability p. */
  private static double logOdds(float[] row) {
    double[] p = Scores.probabilities(row);
    boolean given = true;
    for (int c = 0; c < p.length; c++) {
      given &= p[c] == row[c];
    }
    int best = Scores.argmax(row);
    double second = Double.NEGATIVE_INFINITY;
    double[] s = new double[row.length];
    for (int c = 0; c < s.length; c++) {
      s[c] = given ? Math.log(Math.max(p[c], Float.MIN_NORMAL)) : row[c];
      second = c == best ? second : Math.max(second, s[c]);
    }
    double rest = 0;
    for (int c = 0; c < s.length; c++) {
      rest += c == best ? 0 : Math.exp(s[c] - second);
    }
    return s[best] - second - Math.log(rest);
  }
}
