package org.orbitmap.mesh.spectral;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * The smallest eigenpairs of K φ = λ M φ by shift and invert: block Lanczos with full
 * orthogonalisation on the inverse of M^-½ K M^-½ + σ, whose largest eigenvalues belong to the
 * smallest λ.
 *
 * <p>A block of vectors finds eigenvalues that come several times, as on a sphere, or 0 where there
 * are several components. Nothing is taken on trust: the residual of every pair is measured, and
 * the number of eigenvalues below the last gap is counted from the signs of the pivots of K - τM
 * (Sylvester); if some are missing, the block grows and the search goes on. The result depends on
 * the input alone, not on the number of cores.
 */
final class Lanczos {
  private static final int BLOCK = 4;
  private static final double CONVERGED = 1e-9;

  /** Above this a pair is not accepted; rounding in a mesh with bad triangles stays below. */
  private static final double ACCEPTED = 1e-6;

  private final Laplacian laplacian;
  private final int k;
  private final int n;
  private final double sigma;
  private final double[] rootMass;
  private final int[] order;
  private final SparseFactor factor;
  private final SplittableRandom random = new SplittableRandom(18);
  private final LanczosBasis q;

  private Lanczos(Laplacian laplacian, int k) {
    this.laplacian = laplacian;
    this.k = k;
    n = laplacian.mass().length;
    q = new LanczosBasis(n);
    sigma = unit(laplacian);
    rootMass = Arrays.stream(laplacian.mass()).map(Math::sqrt).toArray();
    order = Dissection.order(laplacian.stiffness());
    factor = SparseFactor.of(shifted(sigma), order);
  }

  /** The first eigenvalue that Weyl's law expects, λᵢ ≈ 4πi / area: the unit of a spectrum. */
  static double unit(Laplacian laplacian) {
    return 4 * Math.PI / laplacian.area();
  }

  static Spectrum solve(Laplacian laplacian, int k) {
    int n = laplacian.mass().length;
    if (k < 1 || k > n) {
      throw new IllegalArgumentException(
          "eigenpairs: expected 1 … %d of a surface with %d vertices, found %d".formatted(n, n, k));
    }
    for (int v = 0; v < n; v++) {
      if (!(laplacian.mass()[v] > 0)) {
        throw new IllegalArgumentException(
            "eigenpairs: expected an area around each vertex, found %s around vertex %d"
                .formatted(laplacian.mass()[v], v));
      }
    }
    Spectrum spectrum = n <= 3 * k + 60 ? dense(laplacian, k) : new Lanczos(laplacian, k).run();
    double worst = Arrays.stream(spectrum.residuals(laplacian)).max().orElse(0);
    if (!(worst <= ACCEPTED)) {
      throw new ArithmeticException(
          "eigenpairs: expected residuals up to %s, found %.1e: the triangles are too bad"
              .formatted(ACCEPTED, worst));
    }
    return spectrum;
  }

  /** A small surface, or nearly all pairs: the whole matrix at once. */
  private static Spectrum dense(Laplacian laplacian, int k) {
    int n = laplacian.mass().length;
    double[] root = Arrays.stream(laplacian.mass()).map(Math::sqrt).toArray();
    SparseMatrix s = laplacian.stiffness();
    double[][] a = new double[n][n];
    for (int i = 0; i < n; i++) {
      for (int e = s.start()[i]; e < s.start()[i + 1]; e++) {
        int j = s.column()[e];
        a[i][j] = s.value()[e] / (root[i] * root[j]);
      }
    }
    DenseEigen eigen = DenseEigen.of(a);
    double[][] functions = Arrays.copyOf(eigen.vectors, k);
    for (double[] phi : functions) {
      for (int v = 0; v < n; v++) {
        phi[v] /= root[v];
      }
    }
    double[] values = Arrays.stream(eigen.values).limit(k).map(x -> Math.max(0, x)).toArray();
    return new Spectrum(values, functions, laplacian.mass());
  }

  private SparseMatrix shifted(double by) {
    return laplacian
        .stiffness()
        .plusDiagonal(Arrays.stream(laplacian.mass()).map(m -> by * m).toArray());
  }

  private Spectrum run() {
    double[][] block = random(BLOCK);
    double[][] h = new double[0][];
    int before = 0;
    int check = Math.max(k + 40, 14 * k / 5); // measured: this many vectors are nearly enough
    while (true) {
      q.add(block);
      int m = q.size();
      double[][] w = apply(block);
      double[][] c = q.orthogonalise(w, before + block.length);
      before = block.length;
      h = grow(h, m);
      int first = m - block.length;
      for (int b = 0; b < block.length; b++) {
        for (int j = 0; j < m; j++) {
          h[j][first + b] = c[b][j];
          h[first + b][j] = c[b][j];
        }
      }
      double[][] coupling = orthonormalise(w);
      boolean full = m + w.length > n;
      block = w;
      if (m >= check || full) {
        check = m + Math.max(2 * BLOCK, k / 8);
        if (full || converged(DenseEigen.last(symmetric(h, m), w.length), coupling, m)) {
          DenseEigen eigen = DenseEigen.of(symmetric(h, m));
          int missing = missing(eigen, m);
          if (missing == 0 || full) {
            return spectrum(eigen, m);
          }
          block = widened(block);
        }
      }
    }
  }

  private static double[][] symmetric(double[][] h, int m) {
    double[][] copy = new double[m][m];
    for (int i = 0; i < m; i++) {
      for (int j = 0; j <= i; j++) {
        copy[i][j] = (h[i][j] + h[j][i]) / 2;
      }
    }
    return copy;
  }

  private static double[][] grow(double[][] h, int m) {
    double[][] larger = new double[m][];
    for (int i = 0; i < m; i++) {
      larger[i] = i < h.length ? Arrays.copyOf(h[i], m) : new double[m];
    }
    return larger;
  }

  /**
   * Whether what leads out of the space is small for the k largest values.
   *
   * @param eigen with the last entries of its vectors, those of the last block
   */
  private boolean converged(DenseEigen eigen, double[][] coupling, int m) {
    for (int i = 1; i <= k; i++) {
      double[] s = eigen.vectors[m - i];
      double sum = 0;
      for (double[] row : coupling) {
        double x = dot(row, s);
        sum += x * x;
      }
      if (Math.sqrt(sum) > CONVERGED * eigen.values[m - i]) {
        return false;
      }
    }
    return true;
  }

  private double lambda(DenseEigen eigen, int m, int i) {
    return 1 / eigen.values[m - 1 - i] - sigma;
  }

  /** How many of the eigenvalues below the last clear gap were not found. */
  private int missing(DenseEigen eigen, int m) {
    int below = Math.min(k, m - 1);
    double last = lambda(eigen, m, below - 1);
    while (below > 1
        && lambda(eigen, m, below) - lambda(eigen, m, below - 1) < 1e-5 * (last + sigma)) {
      below--;
    }
    double tau = (lambda(eigen, m, below) + lambda(eigen, m, below - 1)) / 2;
    return Math.max(0, SparseFactor.of(shifted(-tau), order).negative() - below);
  }

  private double[][] widened(double[][] block) {
    double[][] more = random(BLOCK);
    int known = q.size();
    q.add(block);
    q.orthogonalise(more, q.size());
    q.cut(known);
    orthonormalise(more);
    double[][] wide = Arrays.copyOf(block, block.length + more.length);
    System.arraycopy(more, 0, wide, block.length, more.length);
    return wide;
  }

  private double[][] random(int count) {
    double[][] x = new double[count][n];
    for (double[] row : x) {
      for (int v = 0; v < n; v++) {
        row[v] = random.nextDouble() - 0.5;
      }
    }
    orthonormalise(x);
    return x;
  }

  /** M^½ (K + σM)⁻¹ M^½ on each vector of a block. */
  private double[][] apply(double[][] block) {
    double[][] w = new double[block.length][];
    IntStream.range(0, block.length / 2)
        .parallel()
        .forEach(
            pair -> {
              double[] x = scaled(block[2 * pair]);
              double[] y = scaled(block[2 * pair + 1]);
              factor.solve(x, y);
              w[2 * pair] = scaledInPlace(x);
              w[2 * pair + 1] = scaledInPlace(y);
            });
    return w;
  }

  private double[] scaled(double[] x) {
    return scaledInPlace(x.clone());
  }

  private double[] scaledInPlace(double[] x) {
    for (int v = 0; v < n; v++) {
      x[v] *= rootMass[v];
    }
    return x;
  }

  /**
   * Makes the vectors orthonormal among themselves; one that vanishes is replaced by a random one.
   * Returns R with old vectorⱼ = Σ R[i][j] new vectorᵢ.
   */
  private double[][] orthonormalise(double[][] w) {
    int b = w.length;
    double[][] r = new double[b][b];
    for (int j = 0; j < b; j++) {
      double before = norm(w[j]);
      for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < j; i++) {
          double dot = dot(w[i], w[j]);
          r[i][j] += dot;
          axpy(-dot, w[i], w[j]);
        }
      }
      double norm = norm(w[j]);
      r[j][j] = norm;
      if (!(norm > 1e-13 * before) || !(before > 1e-200)) {
        r[j][j] = 0;
        replace(w, j);
        norm = norm(w[j]);
      }
      for (int v = 0; v < n; v++) {
        w[j][v] /= norm;
      }
    }
    return r;
  }

  private void replace(double[][] w, int j) {
    for (int v = 0; v < n; v++) {
      w[j][v] = random.nextDouble() - 0.5;
    }
    for (int pass = 0; pass < 2; pass++) {
      for (double[] x : q.vectors()) {
        axpy(-dot(x, w[j]), x, w[j]);
      }
      for (int i = 0; i < j; i++) {
        axpy(-dot(w[i], w[j]), w[i], w[j]);
      }
    }
  }

  private static double norm(double[] x) {
    return Math.sqrt(dot(x, x));
  }

  private static double dot(double[] x, double[] y) {
    double sum = 0;
    for (int v = 0; v < x.length; v++) {
      sum += x[v] * y[v];
    }
    return sum;
  }

  private static void axpy(double a, double[] x, double[] y) {
    for (int v = 0; v < x.length; v++) {
      y[v] += a * x[v];
    }
  }

  /**
   * One more step of the inverse on each function, φ → (K + σM)⁻¹ M φ, made a unit again: it takes
   * away what is left of high frequencies, which the residual weighs most.
   */
  private void purify(double[][] functions) {
    IntStream.range(0, (k + 1) / 2)
        .parallel()
        .forEach(
            pair -> {
              double[] x = functions[2 * pair];
              double[] y = 2 * pair + 1 < k ? functions[2 * pair + 1] : x.clone();
              for (double[] f : List.of(x, y)) {
                for (int v = 0; v < n; v++) {
                  f[v] *= laplacian.mass()[v];
                }
              }
              factor.solve(x, y);
              for (double[] f : List.of(x, y)) {
                double norm = 0;
                for (int v = 0; v < n; v++) {
                  norm += laplacian.mass()[v] * f[v] * f[v];
                }
                for (int v = 0; v < n; v++) {
                  f[v] /= Math.sqrt(norm);
                }
              }
            });
  }

  /** The functions φ = M^-½ Q s, with λ as their Rayleigh quotients. */
  private Spectrum spectrum(DenseEigen eigen, int m) {
    double[][] functions = new double[k][n];
    IntStream.range(0, q.chunks())
        .parallel()
        .forEach(
            chunk -> {
              int lo = chunk * LanczosBasis.CHUNK;
              int hi = Math.min(n, lo + LanczosBasis.CHUNK);
              for (int i = 0; i < k; i++) {
                double[] s = eigen.vectors[m - 1 - i];
                for (int j = 0; j < m; j += 4) {
                  q.add4(functions[i], j, s[j], s[j + 1], s[j + 2], s[j + 3], lo, hi);
                }
                for (int v = lo; v < hi; v++) {
                  functions[i][v] /= rootMass[v];
                }
              }
            });
    purify(functions);
    double[] values = new double[k];
    Integer[] ascending = new Integer[k];
    IntStream.range(0, k)
        .parallel()
        .forEach(
            i -> {
              ascending[i] = i;
              double[] y = laplacian.stiffness().times(functions[i]);
              double norm = 0;
              for (int v = 0; v < n; v++) {
                norm += laplacian.mass()[v] * functions[i][v] * functions[i][v];
              }
              values[i] = Math.max(0, dot(functions[i], y) / norm);
            });
    Arrays.sort(ascending, (i, j) -> Double.compare(values[i], values[j]));
    double[] sorted = new double[k];
    double[][] inOrder = new double[k][];
    for (int i = 0; i < k; i++) {
      sorted[i] = values[ascending[i]];
      inOrder[i] = functions[ascending[i]];
    }
    return new Spectrum(sorted, inOrder, laplacian.mass());
  }
}
