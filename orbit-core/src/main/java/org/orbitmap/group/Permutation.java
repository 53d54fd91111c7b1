package org.orbitmap.group;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Objects;

/**
 * A permutation of 0 … n-1: place i goes to place {@code image(i)}.
 *
 * <p>The array is not copied: treat it as immutable once it is inside a permutation.
 *
 * @param images where each place goes
 */
public record Permutation(int[] images) implements Serializable {
  public Permutation {
    Objects.requireNonNull(images, "images");
    boolean[] hit = new boolean[images.length];
    for (int i : images) {
      if (i < 0 || i >= hit.length || hit[i]) {
        throw new IllegalArgumentException(
            "permutation: expected each of 0 … %d once, found %s"
                .formatted(images.length - 1, Arrays.toString(images)));
      }
      hit[i] = true;
    }
  }

  /** Where place i goes. */
  public int image(int i) {
    return images[i];
  }

  /** The number of places. */
  public int size() {
    return images.length;
  }

  /** The permutation that undoes this one. */
  public Permutation inverse() {
    int[] back = new int[images.length];
    for (int i = 0; i < back.length; i++) {
      back[images[i]] = i;
    }
    return new Permutation(back);
  }

  /** First {@code first}, then this one. */
  public Permutation after(Permutation first) {
    int[] product = new int[images.length];
    for (int i = 0; i < product.length; i++) {
      product[i] = images[first.images[i]];
    }
    return new Permutation(product);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Permutation p && Arrays.equals(images, p.images);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(images);
  }

  @Override
  public String toString() {
    return Arrays.toString(images);
  }
}
