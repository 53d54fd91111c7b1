package org.orbitmap.vector;

import org.orbitmap.group.Permutation;
import org.orbitmap.group.Permutations;
import org.orbitmap.orbit.GroupAction;
import org.orbitmap.orbit.Guarantee;

/** Entry i moves to place π(i). */
record Permuting(Permutations group) implements GroupAction<Permutation, double[]> {
  @Override
  public double[] act(Permutation g, double[] x) {
    if (x.length != group.n()) {
      throw new IllegalArgumentException(
          "vector: expected %d entries, found %d".formatted(group.n(), x.length));
    }
    double[] y = new double[x.length];
    for (int i = 0; i < y.length; i++) {
      y[g.image(i)] = x[i];
    }
    return y;
  }

  @Override
  public Guarantee guarantee() {
    return Guarantee.EXACT;
  }
}
