package org.orbitmap.vector;

import org.orbitmap.group.Permutation;
import org.orbitmap.group.Permutations;
import org.orbitmap.orbit.Canonical;
import org.orbitmap.orbit.GroupAction;
import org.orbitmap.orbit.OrbitMapping;

/** See {@link VectorMappings#sorting}. */
record Sorting(int n, GroupAction<Permutation, double[]> action)
    implements OrbitMapping<Permutation, double[]> {
  Sorting(int n) {
    this(n, VectorActions.permute(new Permutations(n)));
  }

  @Override
  public String name() {
    return "sort";
  }

  @Override
  public Canonical<Permutation, double[]> map(double[] x) {
    VectorActions.requireFinite(x);
    int[] order = order(x);
    int[] ranks = new int[x.length];
    double margin = Double.POSITIVE_INFINITY;
    for (int i = 0; i < order.length; i++) {
      ranks[order[i]] = i;
      if (i > 0) {
        margin = Math.min(margin, x[order[i]] - x[order[i - 1]]);
      }
    }
    Permutation element = new Permutation(ranks);
    return new Canonical<>(action.act(element, x), element, margin);
  }

  /** The places in ascending order of their entries, equal ones in their own order: merge sort. */
  private static int[] order(double[] x) {
    int n = x.length;
    int[] from = new int[n];
    for (int i = 0; i < n; i++) {
      from[i] = i;
    }
    int[] to = new int[n];
    for (long width = 1; width < n; width *= 2) {
      for (long start = 0; start < n; start += 2 * width) {
        int middle = (int) Math.min(start + width, n);
        int end = (int) Math.min(start + 2 * width, n);
        int left = (int) start;
        int right = middle;
        for (int i = (int) start; i < end; i++) {
          boolean takeLeft =
              left < middle && (right >= end || Double.compare(x[from[left]], x[from[right]]) <= 0);
          to[i] = takeLeft ? from[left++] : from[right++];
        }
      }
      int[] swap = from;
      from = to;
      to = swap;
    }
    return from;
  }
}
