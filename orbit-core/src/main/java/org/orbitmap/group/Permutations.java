package org.orbitmap.group;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * The symmetric group: all permutations of n places.
 *
 * @param n at least 1
 */
public record Permutations(int n) implements FiniteGroup<Permutation> {
  private static final int MOST_LISTED = 8;

  public Permutations {
    if (n < 1) {
      throw new IllegalArgumentException("permutations: expected n >= 1, found " + n);
    }
  }

  @Override
  public String name() {
    return "S(" + n + ")";
  }

  @Override
  public Permutation identity() {
    return new Permutation(IntStream.range(0, n).toArray());
  }

  @Override
  public Permutation compose(Permutation g, Permutation h) {
    return g.after(h);
  }

  @Override
  public Permutation inverse(Permutation g) {
    return g.inverse();
  }

  /** The share of places that go elsewhere. */
  @Override
  public double distance(Permutation g, Permutation h) {
    int moved = 0;
    for (int i = 0; i < n; i++) {
      moved += g.image(i) == h.image(i) ? 0 : 1;
    }
    return (double) moved / n;
  }

  /**
   * All n! permutations, in lexicographic order.
   *
   * @throws IllegalArgumentException if n is above 8: there are too many
   */
  @Override
  public List<Permutation> elements() {
    if (n > MOST_LISTED) {
      throw new IllegalArgumentException(
          "permutations: expected n <= %d to list them all, found n = %d. Sort instead of pooling."
              .formatted(MOST_LISTED, n));
    }
    List<Permutation> all = new ArrayList<>();
    list(new int[n], 0, 0, all);
    return List.copyOf(all);
  }

  private void list(int[] prefix, int length, int used, List<Permutation> all) {
    if (length == n) {
      all.add(new Permutation(prefix.clone()));
      return;
    }
    for (int i = 0; i < n; i++) {
      if ((used >> i & 1) == 0) {
        prefix[length] = i;
        list(prefix, length + 1, used | 1 << i, all);
      }
    }
  }

  /** Uniform over all n!, by shuffling. */
  @Override
  public Permutation sample(RandomGenerator random) {
    int[] p = IntStream.range(0, n).toArray();
    for (int i = n - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int swap = p[i];
      p[i] = p[j];
      p[j] = swap;
    }
    return new Permutation(p);
  }
}
