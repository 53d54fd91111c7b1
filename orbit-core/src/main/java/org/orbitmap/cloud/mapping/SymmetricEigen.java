package org.orbitmap.cloud.mapping;

/**
 * Eigenvalues and eigenvectors of a symmetric 2 × 2 or 3 × 3 matrix by Jacobi's rotations.
 *
 * <p>Jacobi keeps the axes orthogonal to rounding also where eigenvalues tie, where a closed
 * formula loses them; a diagonal matrix, the zero matrix included, gets the coordinate axes.
 * Nothing is allocated.
 */
final class SymmetricEigen {
  private static final int SWEEPS = 30;

  /** An off-diagonal entry this small relative to its diagonal turns nothing any more. */
  private static final double NEGLIGIBLE = 0x1p-60;

  private SymmetricEigen() {}

  /**
   * Decomposes m = Vᵀ diag(values) V.
   *
   * @param m the matrix, row by row; destroyed
   * @param values receives the eigenvalues, largest first
   * @param axes receives V: row i is the unit eigenvector of value i; a row's sign is arbitrary
   */
  static void decompose(int d, double[] m, double[] values, double[] axes) {
    for (int i = 0; i < d * d; i++) {
      axes[i] = i % (d + 1) == 0 ? 1 : 0;
    }
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
      boolean rotated = false;
      for (int p = 0; p < d - 1; p++) {
        for (int q = p + 1; q < d; q++) {
          rotated |= rotate(d, m, axes, p, q);
        }
      }
      if (!rotated) {
        break;
      }
    }
    for (int i = 0; i < d; i++) {
      values[i] = m[i * d + i];
    }
    for (int i = 0; i < d - 1; i++) {
      for (int j = d - 1; j > i; j--) {
        if (values[j] > values[j - 1]) {
          swap(values, j, j - 1);
          for (int k = 0; k < d; k++) {
            swap(axes, j * d + k, (j - 1) * d + k);
          }
        }
      }
    }
  }

  /** One rotation that makes m[p][q] zero; false if it was negligible. */
  private static boolean rotate(int d, double[] m, double[] axes, int p, int q) {
    double off = m[p * d + q];
    double a = m[p * d + p];
    double b = m[q * d + q];
    if (Math.abs(off) <= NEGLIGIBLE * (Math.abs(a) + Math.abs(b))) {
      return false;
    }
    double theta = (b - a) / (2 * off);
    double t = 1 / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
    if (theta < 0) {
      t = -t;
    }
    double c = 1 / Math.sqrt(t * t + 1);
    double s = t * c;
    m[p * d + p] = a - t * off;
    m[q * d + q] = b + t * off;
    m[p * d + q] = 0;
    m[q * d + p] = 0;
    if (d == 3) {
      int r = 3 - p - q;
      double x = m[r * 3 + p];
      double y = m[r * 3 + q];
      double u = c * x - s * y;
      double v = s * x + c * y;
      m[r * 3 + p] = u;
      m[p * 3 + r] = u;
      m[r * 3 + q] = v;
      m[q * 3 + r] = v;
    }
    for (int k = 0; k < d; k++) {
      double x = axes[p * d + k];
      double y = axes[q * d + k];
      axes[p * d + k] = c * x - s * y;
      axes[q * d + k] = s * x + c * y;
    }
    return true;
  }

  private static void swap(double[] x, int i, int j) {
    double t = x[i];
    x[i] = x[j];
    x[j] = t;
  }
}
