package org.orbitmap.mesh.match;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.orbitmap.mesh.spectral.Spectrum;

/**
 * The functional map that fits descriptors best (Ovsjanikov et al. 2012; paper, appendix on
 * isometry): the C that makes
 *
 * <pre>‖C A - B‖² + l ‖C Λ_A - Λ_B C‖² + m Σ ‖C Mᵢ - Nᵢ C‖² + o Σ ‖C Gᵢ - Hᵢ C‖²</pre>
 *
 * least. A and B are the coefficients of the descriptors, Λ the eigenvalues, Mᵢ and Nᵢ multiply a
 * function by descriptor i, and Gᵢ and Hᵢ take g to n · (∇fᵢ × ∇g), which tells left from right.
 * All are read at the fine points. The normal equations are solved by conjugate gradients.
 */
final class DescriptorFit {
  private static final double LAPLACIAN = 1e-2;
  private static final double MULTIPLICATION = 1e-1;
  private static final double ORIENTATION = 1e-1;
  private static final int STEPS = 40;

  private final int k;
  private final double[][] atA;
  private final double[][] bAt;
  private final double[][] penalty;
  private final List<Pair> pairs = new ArrayList<>();

  /** Operators X on A and Y on B that C should exchange, and both transposed. */
  private record Pair(double[][] x, double[][] y, double[][] xt, double[][] yt) {}

  /**
   * The fine points of a surface, a row for each.
   *
   * @param phi the first k functions
   * @param gx their gradients
   */
  private record Points(
      int[] vertices, double[] weight, double[][] phi, double[][] gx, double[][] gy) {
    static Points of(int k, SampledSurface s) {
      int m = s.fine.size();
      double[][] gx = new double[m][k];
      double[][] gy = new double[m][k];
      for (int i = 0; i < k; i++) {
        double[] g = s.gradient[i];
        for (int p = 0; p < m; p++) {
          gx[p][i] = g[2 * p];
          gy[p][i] = g[2 * p + 1];
        }
      }
      double[][] phi = Rows.transposed(Arrays.copyOf(s.fine.basis(), k));
      return new Points(s.fine.vertices(), s.fine.weight(), phi, gx, gy);
    }
  }

  /**
   * Sets up the equations for k functions.
   *
   * @param onA descriptors, one row of values at all vertices for each
   */
  DescriptorFit(int k, SampledSurface a, SampledSurface b, double[][] onA, double[][] onB) {
    this.k = k;
    double[][] ca = coefficients(k, a, onA);
    double[][] cb = coefficients(k, b, onB);
    // Each descriptor gets the same weight.
    for (int i = 0; i < ca.length; i++) {
      double norm = Math.sqrt((squared(ca[i]) + squared(cb[i])) / 2);
      scale(ca[i], 1 / norm);
      scale(cb[i], 1 / norm);
    }
    atA = new double[k][k];
    bAt = new double[k][k];
    for (int d = 0; d < ca.length; d++) {
      for (int i = 0; i < k; i++) {
        for (int j = 0; j < k; j++) {
          atA[i][j] += ca[d][i] * ca[d][j];
          bAt[i][j] += cb[d][i] * ca[d][j];
        }
      }
    }
    double last = Math.max(a.spectrum.values()[k - 1], b.spectrum.values()[k - 1]);
    penalty = new double[k][k];
    for (int i = 0; i < k; i++) {
      for (int j = 0; j < k; j++) {
        double d = (a.spectrum.values()[j] - b.spectrum.values()[i]) / last;
        penalty[i][j] = LAPLACIAN * ca.length * d * d;
      }
    }
    boolean oriented = a.surface.oriented() && b.surface.oriented();
    Points pa = Points.of(k, a);
    Points pb = Points.of(k, b);
    for (int d = 0; d < ca.length; d++) {
      operators(
          multiplication(k, pa, a.spectrum, onA[d]),
          multiplication(k, pb, b.spectrum, onB[d]),
          MULTIPLICATION);
      if (oriented) {
        operators(rotation(k, pa, ca[d]), rotation(k, pb, cb[d]), ORIENTATION);
      }
    }
  }

  private void operators(double[][] x, double[][] y, double weight) {
    double norm = 0;
    for (int i = 0; i < k; i++) {
      norm += squared(x[i]) + squared(y[i]);
    }
    double s = Math.sqrt(weight * 2 * k / Math.max(norm, 1e-300) / k);
    for (int i = 0; i < k; i++) {
      scale(x[i], s);
      scale(y[i], s);
    }
    pairs.add(new Pair(x, y, Rows.transposed(x), Rows.transposed(y)));
  }

  private static double[][] coefficients(int k, SampledSurface s, double[][] f) {
    Spectrum first = s.spectrum.first(k);
    return Arrays.stream(f).map(first::project).toArray(double[][]::new);
  }

  /** ∫ φᵢ f φⱼ at the fine points, f with mean 0. */
  private static double[][] multiplication(int k, Points s, Spectrum spectrum, double[] f) {
    double mean = 0;
    for (int v = 0; v < f.length; v++) {
      mean += spectrum.mass()[v] * f[v];
    }
    double[][] m = new double[k][k];
    for (int p = 0; p < s.weight.length; p++) {
      double w = s.weight[p] * (f[s.vertices[p]] - mean);
      double[] phi = s.phi[p];
      for (int i = 0; i < k; i++) {
        Rows.add(m[i], w * phi[i], phi, k);
      }
    }
    return m;
  }

  /** ∫ φᵢ n · (∇f × ∇φⱼ) at the fine points, f by its coefficients. */
  private static double[][] rotation(int k, Points s, double[] f) {
    double[][] m = new double[k][k];
    double[] cross = new double[k];
    for (int p = 0; p < s.weight.length; p++) {
      double[] gx = s.gx[p];
      double[] gy = s.gy[p];
      double x = 0;
      double y = 0;
      for (int i = 0; i < k; i++) {
        x += f[i] * gx[i];
        y += f[i] * gy[i];
      }
      for (int j = 0; j < k; j++) {
        cross[j] = s.weight[p] * (x * gy[j] - y * gx[j]);
      }
      for (int i = 0; i < k; i++) {
        Rows.add(m[i], s.phi[p][i], cross, k);
      }
    }
    return m;
  }

  private static double squared(double[] x) {
    return Arrays.stream(x).map(v -> v * v).sum();
  }

  private static void scale(double[] x, double by) {
    for (int i = 0; i < x.length; i++) {
      x[i] *= by;
    }
  }

  /** The best C. */
  FunctionalMap solve() {
    double[][] c = new double[k][k];
    double[][] r = copy(bAt);
    double[][] p = copy(r);
    double norm = dot(r, r);
    double first = norm;
    for (int step = 0; step < STEPS && norm > 1e-16 * first; step++) {
      double[][] q = normal(p);
      double alpha = norm / dot(p, q);
      add(c, alpha, p);
      add(r, -alpha, q);
      double next = dot(r, r);
      double beta = next / norm;
      norm = next;
      for (int i = 0; i < k; i++) {
        for (int j = 0; j < k; j++) {
          p[i][j] = r[i][j] + beta * p[i][j];
        }
      }
    }
    return new FunctionalMap(c);
  }

  /** Half the gradient of the energy without its constant part: linear in C. */
  private double[][] normal(double[][] c) {
    double[][] g = product(c, atA);
    for (int i = 0; i < k; i++) {
      for (int j = 0; j < k; j++) {
        g[i][j] += penalty[i][j] * c[i][j];
      }
    }
    for (Pair pair : pairs) {
      double[][] e = product(c, pair.x);
      add(e, -1, product(pair.y, c));
      add(g, 1, product(e, pair.xt));
      add(g, -1, product(pair.yt, e));
    }
    return g;
  }

  private static double[][] product(double[][] x, double[][] y) {
    double[][] z = new double[x.length][y[0].length];
    for (int i = 0; i < x.length; i++) {
      Rows.add(z[i], x[i], y, z[i].length);
    }
    return z;
  }

  private static double[][] copy(double[][] x) {
    return Arrays.stream(x).map(double[]::clone).toArray(double[][]::new);
  }

  private static void add(double[][] x, double by, double[][] y) {
    for (int i = 0; i < x.length; i++) {
      Rows.add(x[i], by, y[i], x[i].length);
    }
  }

  private static double dot(double[][] x, double[][] y) {
    double sum = 0;
    for (int i = 0; i < x.length; i++) {
      for (int j = 0; j < x[i].length; j++) {
        sum += x[i][j] * y[i][j];
      }
    }
    return sum;
  }
}
