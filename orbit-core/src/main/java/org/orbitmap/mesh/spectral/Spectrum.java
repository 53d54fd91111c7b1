package org.orbitmap.mesh.spectral;

import java.io.Serializable;
import java.util.Arrays;

/**
 * The smallest eigenvalues of a Laplacian and their functions: K φ = λ M φ, φᵢ · M φⱼ = δᵢⱼ.
 *
 * <p>The arrays are not copied: treat them as immutable once they are inside.
 *
 * @param values the eigenvalues, ascending; as many zeros as the surface has components
 * @param functions row i is the function of value i; its sign, and inside equal values the basis,
 *     are arbitrary
 * @param mass the area that belongs to each vertex
 */
public record Spectrum(double[] values, double[][] functions, double[] mass)
    implements Serializable {
  /** How many pairs there are. */
  public int size() {
    return values.length;
  }

  /** The number of vertices. */
  public int vertices() {
    return mass.length;
  }

  /** The area of the surface. */
  public double area() {
    return Arrays.stream(mass).sum();
  }

  /** The first k pairs. */
  public Spectrum first(int k) {
    return k == size()
        ? this
        : new Spectrum(Arrays.copyOf(values, k), Arrays.copyOf(functions, k), mass);
  }

  /**
   * As it would be if the surface had area 1: eigenvalues times the area, functions times its root.
   */
  public Spectrum unitArea() {
    double area = area();
    double root = Math.sqrt(area);
    double[][] scaled = new double[size()][];
    for (int i = 0; i < scaled.length; i++) {
      scaled[i] = Arrays.stream(functions[i]).map(x -> x * root).toArray();
    }
    return new Spectrum(
        Arrays.stream(values).map(x -> x * area).toArray(),
        scaled,
        Arrays.stream(mass).map(m -> m / area).toArray());
  }

  /** The coefficients of a function, φᵢ · M f. */
  public double[] project(double[] f) {
    double[] c = new double[size()];
    for (int i = 0; i < c.length; i++) {
      double[] phi = functions[i];
      double sum = 0;
      for (int v = 0; v < mass.length; v++) {
        sum += phi[v] * mass[v] * f[v];
      }
      c[i] = sum;
    }
    return c;
  }

  /** The function of some coefficients, Σ cᵢ φᵢ. */
  public double[] function(double[] c) {
    double[] f = new double[mass.length];
    for (int i = 0; i < c.length; i++) {
      double[] phi = functions[i];
      for (int v = 0; v < f.length; v++) {
        f[v] += c[i] * phi[v];
      }
    }
    return f;
  }

  /**
   * How well each pair solves K φ = λ M φ: the norm of the difference in M⁻¹, relative to λ plus
   * the first eigenvalue that Weyl's law expects.
   */
  public double[] residuals(Laplacian laplacian) {
    double unit = Lanczos.unit(laplacian);
    double[] r = new double[size()];
    for (int i = 0; i < r.length; i++) {
      double[] y = laplacian.stiffness().times(functions[i]);
      double sum = 0;
      for (int v = 0; v < y.length; v++) {
        double d = y[v] - values[i] * mass[v] * functions[i][v];
        sum += d * d / mass[v];
      }
      r[i] = Math.sqrt(sum) / (values[i] + unit);
    }
    return r;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Spectrum s
        && Arrays.equals(values, s.values)
        && Arrays.deepEquals(functions, s.functions)
        && Arrays.equals(mass, s.mass);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(values) + Arrays.hashCode(mass);
  }

  @Override
  public String toString() {
    return "Spectrum[%d pairs, %d vertices]".formatted(size(), mass.length);
  }
}
