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
  private final List<double[][]> left = new ArrayList<>();
  private final List<double[][]> right = new ArrayList<>();

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
    for (int d = 0; d < ca.length; d++) {
      operators(
          multiplication(k, a, a.spectrum, onA[d]),
          multiplication(k, b, b.spectrum, onB[d]),
          MULTIPLICATION);
      if (oriented) {
        operators(rotation(k, a, ca[d]), rotation(k, b, cb[d]), ORIENTATION);
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
    left.add(x);
    right.add(y);
  }

  private static double[][] coefficients(int k, SampledSurface s, double[][] f) {
    Spectrum first = s.spectrum.first(k);
    return Arrays.stream(f).map(first::project).toArray(double[][]::new);
  }

  /** ∫ φᵢ f φⱼ at the fine points, f with mean 0. */
  private static double[][] multiplication(int k, SampledSurface s, Spectrum spectrum, double[] f) {
    double mean = 0;
    for (int v = 0; v < f.length; v++) {
      mean += spectrum.mass()[v] * f[v];
    }
    double[][] m = new double[k][k];
    for (int p = 0; p < s.fine.size(); p++) {
      double w = s.fine.weight()[p] * (f[s.fine.vertices()[p]] - mean);
      for (int i = 0; i < k; i++) {
        double wi = w * s.fine.basis()[i][p];
        for (int j = 0; j < k; j++) {
          m[i][j] += wi * s.fine.basis()[j][p];
        }
      }
    }
    return m;
  }

  /** ∫ φᵢ n · (∇f × ∇φⱼ) at the fine points, f by its coefficients. */
  private static double[][] rotation(int k, SampledSurface s, double[] f) {
    double[][] m = new double[k][k];
    double[] cross = new double[k];
    for (int p = 0; p < s.fine.size(); p++) {
      double x = 0;
      double y = 0;
      for (int i = 0; i < k; i++) {
        x += f[i] * s.gradient[i][2 * p];
        y += f[i] * s.gradient[i][2 * p + 1];
      }
      for (int j = 0; j < k; j++) {
        cross[j] = s.fine.weight()[p] * (x * s.gradient[j][2 * p + 1] - y * s.gradient[j][2 * p]);
      }
      for (int i = 0; i < k; i++) {
        double phi = s.fine.basis()[i][p];
        for (int j = 0; j < k; j++) {
          m[i][j] += phi * cross[j];
        }
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
    for (int d = 0; d < left.size(); d++) {
      double[][] x = left.get(d);
      double[][] y = right.get(d);
      double[][] e = product(c, x);
      add(e, -1, product(y, c));
      add(g, 1, productTransposed(e, x));
      add(g, -1, transposedProduct(y, e));
    }
    return g;
  }

  private static double[][] product(double[][] x, double[][] y) {
    double[][] z = new double[x.length][y[0].length];
    for (int i = 0; i < x.length; i++) {
      for (int l = 0; l < y.length; l++) {
        double f = x[i][l];
        double[] row = y[l];
        double[] out = z[i];
        for (int j = 0; j < out.length; j++) {
          out[j] += f * row[j];
        }
      }
    }
    return z;
  }

  /** x yᵀ */
  private static double[][] productTransposed(double[][] x, double[][] y) {
    double[][] z = new double[x.length][y.length];
    for (int i = 0; i < x.length; i++) {
      for (int j = 0; j < y.length; j++) {
        double sum = 0;
        for (int l = 0; l < y[j].length; l++) {
          sum += x[i][l] * y[j][l];
        }
        z[i][j] = sum;
      }
    }
    return z;
  }

  /** xᵀ y */
  private static double[][] transposedProduct(double[][] x, double[][] y) {
    double[][] z = new double[x[0].length][y[0].length];
    for (int l = 0; l < x.length; l++) {
      for (int i = 0; i < z.length; i++) {
        double f = x[l][i];
        for (int j = 0; j < z[i].length; j++) {
          z[i][j] += f * y[l][j];
        }
      }
    }
    return z;
  }

  private static double[][] copy(double[][] x) {
    return Arrays.stream(x).map(double[]::clone).toArray(double[][]::new);
  }

  private static void add(double[][] x, double by, double[][] y) {
    for (int i = 0; i < x.length; i++) {
      for (int j = 0; j < x[i].length; j++) {
        x[i][j] += by * y[i][j];
      }
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
