package org.orbitmap.mesh.spectral;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Eigenfunctions with their signs, and inside nearly equal eigenvalues their bases, chosen by a
 * rule that sees nothing but the surface: so that isometric surfaces get the same functions, and
 * not only the same spaces.
 *
 * <p><b>Bases.</b> Inside eigenvalues that differ by less than a thousandth, the basis is that in
 * which ∫ φᵢ φⱼ w is diagonal, its largest value first. The weight w is the heat that stays at a
 * point, which does not depend on the basis.
 *
 * <p><b>Signs.</b> Third moments decide, as for principal axes: s = ∫ φᵢ³, ∫ φᵢ φⱼ², and with φⱼ
 * and φₖ that have their signs ∫ φᵢ φⱼ φₖ and ∫ φᵢ n · (∇φⱼ × ∇φₖ) / √(λⱼ λₖ). The last kind
 * changes its sign in a mirror: it directs functions that are odd under the left–right symmetry of
 * a body, for which all others vanish. The sign is that of Σ s |s|, so that strong moments decide
 * and nothing jumps when two of them are equally strong.
 *
 * @param values the first eigenvalues above 0, for area 1
 * @param functions their functions, one row each
 * @param gap the smallest difference that the choice relies on: of neighbouring eigenvalues,
 *     relative to the larger one, and of the values of w inside equal ones
 * @param moment the weakest √|Σ s |s||
 */
public record CanonicalBasis(double[] values, double[][] functions, double gap, double moment) {
  /** Relative difference of eigenvalues below which they count as equal. */
  private static final double EQUAL = 1e-3;

  /** Moments are taken with so many of the first functions. */
  private static final int LEAD = 8;

  /** How many eigenvalues beyond the last are looked at. */
  private static final int BEYOND = 6;

  /** The time after which the heat w is read; of the order of the first eigenvalue's inverse. */
  private static final double TIME = 0.02;

  /**
   * The basis of the first k functions above eigenvalue 0.
   *
   * @throws IllegalArgumentException if the surface has too few vertices
   */
  public static CanonicalBasis of(Surface surface, int k) {
    int parts = Arrays.stream(surface.components()).max().orElse(0) + 1;
    int n = surface.vertices();
    if (k < 1 || parts + k > n) {
      throw new IllegalArgumentException(
          "spectral embedding: expected 1 … %d functions of %d vertices in %d parts, found %d"
              .formatted(n - parts, n, parts, k));
    }
    Spectrum s = Laplacian.of(surface).spectrum(Math.min(n, parts + k + BEYOND)).unitArea();
    return new Choice(surface, s, parts).run(k);
  }

  /** The smaller of gap and moment; 0 means that another basis was as good. */
  public double margin() {
    return Math.min(gap, moment);
  }

  private static final class Choice {
    final Surface surface;
    final Spectrum s;
    final double[] values;
    final double[][] phi;
    final int first;
    double gap = 1;
    double moment = Double.POSITIVE_INFINITY;

    Choice(Surface surface, Spectrum s, int first) {
      this.surface = surface;
      this.s = s;
      this.first = first;
      values = s.values().clone();
      phi = s.functions().clone();
    }

    CanonicalBasis run(int k) {
      int end = first + k;
      double[] w = heat();
      for (int from = first; from < end; ) {
        int to = cluster(from);
        if (to < values.length) {
          gap = Math.min(gap, (values[to] - values[to - 1]) / values[to]);
        } else if (to - from > 1 && to == values.length && to < s.vertices()) {
          gap = 0; // more may be equal than were looked at
        }
        if (to - from > 1) {
          diagonalise(from, to, w);
        }
        from = to;
      }
      direct(end);
      return new CanonicalBasis(
          Arrays.copyOfRange(values, first, end),
          Arrays.copyOfRange(phi, first, end),
          gap,
          Double.isInfinite(moment) ? 0 : moment);
    }

    /** The end of the eigenvalues that are equal to the one at a place. */
    int cluster(int from) {
      int to = from + 1;
      while (to < values.length && values[to] - values[to - 1] < EQUAL * values[to]) {
        to++;
      }
      return to;
    }

    /** Σ e^(-λt) φ² over whole groups of equal eigenvalues. */
    double[] heat() {
      int last = values.length;
      if (last < s.vertices()) {
        int from = first;
        for (int to = cluster(from); to < values.length; to = cluster(from)) {
          from = to;
        }
        last = Math.max(first, from);
      }
      double[] w = new double[s.vertices()];
      for (int i = first; i < last; i++) {
        double weight = Math.exp(-TIME * values[i]);
        for (int v = 0; v < w.length; v++) {
          w[v] += weight * phi[i][v] * phi[i][v];
        }
      }
      return w;
    }

    void diagonalise(int from, int to, double[] w) {
      int d = to - from;
      double[][] q = new double[d][d];
      for (int i = 0; i < d; i++) {
        for (int j = 0; j <= i; j++) {
          for (int v = 0; v < w.length; v++) {
            q[i][j] += s.mass()[v] * phi[from + i][v] * phi[from + j][v] * w[v];
          }
        }
      }
      DenseEigen eigen = DenseEigen.of(q);
      double[][] turned = new double[d][s.vertices()];
      for (int i = 0; i < d; i++) {
        double[] row = eigen.vectors[d - 1 - i];
        for (int j = 0; j < d; j++) {
          for (int v = 0; v < w.length; v++) {
            turned[i][v] += row[j] * phi[from + j][v];
          }
        }
      }
      System.arraycopy(turned, 0, phi, from, d);
      double scale = Math.max(Math.abs(eigen.values[d - 1]), 1e-300);
      for (int i = 1; i < d; i++) {
        gap = Math.min(gap, (eigen.values[i] - eigen.values[i - 1]) / scale);
      }
    }

    /**
     * Directs the functions one after the other: always the one that the functions directed so far
     * tell most about.
     */
    void direct(int end) {
      int lead = Math.min(LEAD, end - first);
      double[][] even = new double[end - first][lead * lead];
      double[][] odd = new double[end - first][lead * lead];
      double[] own = new double[end - first];
      IntStream.range(0, end - first)
          .parallel()
          .forEach(
              i -> {
                own[i] = third(first + i, first + i, first + i);
                for (int j = 0; j < lead; j++) {
                  for (int k = 0; k <= j; k++) {
                    even[i][j * lead + k] = third(first + i, first + j, first + k);
                    odd[i][j * lead + k] =
                        k < j && surface.oriented() ? turning(first + i, first + j, first + k) : 0;
                  }
                }
              });
      int[] sign = new int[end - first];
      for (int step = 0; step < sign.length; step++) {
        int next = -1;
        double strongest = 0;
        for (int i = 0; i < sign.length; i++) {
          double sum = sign[i] == 0 ? told(i, lead, own[i], even[i], odd[i], sign) : 0;
          if (sign[i] == 0 && (next < 0 || Math.abs(sum) > Math.abs(strongest))) {
            strongest = sum;
            next = i;
          }
        }
        sign[next] = strongest < 0 ? -1 : 1;
        moment = Math.min(moment, Math.sqrt(Math.abs(strongest)));
      }
      for (int i = 0; i < sign.length; i++) {
        if (sign[i] < 0) {
          phi[first + i] = Arrays.stream(phi[first + i]).map(x -> -x).toArray();
        }
      }
    }

    /**
     * Σ s |s| over the moments that are odd in a function and whose other functions are directed.
     */
    private static double told(
        int i, int lead, double own, double[] even, double[] odd, int[] sign) {
      double sum = signed(own);
      for (int j = 0; j < lead; j++) {
        if (j != i) {
          sum += signed(even[j * lead + j]);
        }
        for (int k = 0; k < j; k++) {
          int known = j == i || k == i ? 0 : sign[j] * sign[k];
          sum += known * (signed(even[j * lead + k]) + signed(odd[j * lead + k]));
        }
      }
      return sum;
    }

    static double signed(double s) {
      return s * Math.abs(s);
    }

    double third(int i, int j, int k) {
      double sum = 0;
      for (int v = 0; v < s.vertices(); v++) {
        sum += s.mass()[v] * phi[i][v] * phi[j][v] * phi[k][v];
      }
      return sum;
    }

    /** ∫ φᵢ n · (∇φⱼ × ∇φₖ) / √(λⱼ λₖ): over a triangle the product of gradients is constant. */
    double turning(int i, int j, int k) {
      double sum = 0;
      int[] t = surface.triangles();
      double[] f = phi[j];
      double[] g = phi[k];
      for (int h = 0; h < t.length; h += 3) {
        int a = t[h];
        int b = t[h + 1];
        int c = t[h + 2];
        double twice = (f[b] - f[a]) * (g[c] - g[a]) - (f[c] - f[a]) * (g[b] - g[a]);
        sum += twice * (phi[i][a] + phi[i][b] + phi[i][c]) / 6;
      }
      return sum / Math.sqrt(values[j] * values[k]);
    }
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof CanonicalBasis b
        && Arrays.equals(values, b.values)
        && Arrays.deepEquals(functions, b.functions)
        && gap == b.gap
        && moment == b.moment;
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(values) + Arrays.deepHashCode(functions);
  }

  @Override
  public String toString() {
    return "CanonicalBasis[%d functions, gap %s, moment %s]".formatted(values.length, gap, moment);
  }
}
