package org.orbitmap.nn.train;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.orbitmap.io.UserError;
import org.orbitmap.io.data.DataSet;

/**
 * Which inputs are for training and which for validation, and in which order they come. Everything
 * depends on the seed, the epoch and the place alone.
 */
public final class Sampler {
  private final DataSet<?> data;
  private final long seed;
  private final boolean oversample;
  private final int[] training;
  private final int[] validation;

  /**
   * The sampler of some data.
   *
   * @param validationShare of the inputs, kept for validation
   * @param oversample whether rare classes are repeated until all are equally frequent
   */
  public Sampler(DataSet<?> data, long seed, double validationShare, boolean oversample) {
    this.data = data;
    this.seed = seed;
    this.oversample = oversample;
    int[] order = permutation(data.size(), random(seed, -1, 0));
    int held = (int) Math.round(validationShare * order.length);
    if (held >= order.length || (validationShare > 0 && held == 0)) {
      throw new UserError(
          "%s: expected enough %s for training and validation, found %d"
              .formatted(data.name(), data.shape().kind(), order.length));
    }
    validation = Arrays.copyOf(order, held);
    training = Arrays.copyOfRange(order, held, order.length);
  }

  /** The inputs for training. */
  public int[] training() {
    return training;
  }

  /** The inputs for validation. */
  public int[] validation() {
    return validation;
  }

  /** The training inputs in the order of an epoch, rare classes repeated if asked for. */
  public int[] order(int epoch) {
    SplittableRandom random = random(seed, epoch, Integer.MAX_VALUE);
    int[] base = oversample ? oversampled() : training;
    int[] order = permutation(base.length, random);
    for (int i = 0; i < order.length; i++) {
      order[i] = base[order[i]];
    }
    return order;
  }

  private int[] oversampled() {
    List<List<Integer>> byClass = new ArrayList<>();
    data.classes().forEach(c -> byClass.add(new ArrayList<>()));
    for (int i : training) {
      byClass.get(data.label(i)).add(i);
    }
    int most = byClass.stream().mapToInt(List::size).max().orElse(0);
    int[] all = new int[(int) byClass.stream().filter(c -> !c.isEmpty()).count() * most];
    int at = 0;
    for (List<Integer> members : byClass) {
      for (int k = 0; k < most && !members.isEmpty(); k++) {
        all[at++] = members.get(k % members.size());
      }
    }
    return all;
  }

  /** The generator of a training input at a place of an epoch, or of a whole step. */
  public SplittableRandom at(int epoch, long place) {
    return random(seed, epoch, place);
  }

  private static int[] permutation(int n, SplittableRandom random) {
    int[] p = IntStream.range(0, n).toArray();
    for (int i = n - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int t = p[i];
      p[i] = p[j];
      p[j] = t;
    }
    return p;
  }

  /** A generator that depends on nothing but these numbers. */
  public static SplittableRandom random(long seed, long epoch, long index) {
    long h = mix(seed + 0x9E3779B97F4A7C15L);
    h = mix(h ^ (epoch + 0x632BE59BD9B4E019L));
    return new SplittableRandom(mix(h ^ (index + 0xD1B54A32D192ED03L)));
  }

  private static long mix(long z) {
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
