package org.orbitmap.mesh.spectral;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Objects;

/**
 * The Laplace–Beltrami operator of a surface, discretised: M⁻¹K, with K f · f the Dirichlet energy
 * of the function that is linear on each triangle.
 *
 * <p>K has the cotangent weights: off the diagonal -½(cot α + cot β) for the two angles that look
 * at an edge, on it what makes rows sum up to 0. At a border nothing flows out (Neumann).
 *
 * @param stiffness K, positive semidefinite
 * @param mass the diagonal of M: the area that belongs to each vertex
 */
public record Laplacian(SparseMatrix stiffness, double[] mass) implements Serializable {
  /** How the area of a triangle is shared among its corners. */
  public enum Mass {
    /** A third each. */
    LUMPED,
    /** What is nearest to each, or where an angle is obtuse a half for it and a quarter each. */
    VORONOI
  }

  public Laplacian {
    Objects.requireNonNull(stiffness, "stiffness");
    if (mass.length != stiffness.size()) {
      throw new IllegalArgumentException(
          "laplacian: expected %d masses, found %d".formatted(stiffness.size(), mass.length));
    }
  }

  /** The operator of a surface, with lumped masses. */
  public static Laplacian of(Surface surface) {
    return of(surface, Mass.LUMPED);
  }

  /** The operator of a surface; take {@link Surface#delaunay()} first where triangles are bad. */
  public static Laplacian of(Surface surface, Mass kind) {
    int n = surface.vertices();
    SparseMatrix.Builder k = new SparseMatrix.Builder(n);
    double[] mass = new double[n];
    for (int v = 0; v < n; v++) {
      k.add(v, v, 0);
    }
    int[] t = surface.triangles();
    double[] cot = new double[3];
    for (int f = 0; f < t.length / 3; f++) {
      double area = surface.area(f);
      int obtuse = -1;
      for (int i = 0; i < 3; i++) {
        int h = 3 * f + i;
        cot[i] = surface.cotangent(h);
        obtuse = cot[i] < 0 ? i : obtuse;
        int a = t[h];
        int b = t[Surface.next(h)];
        if (a != b) { // an edge from a vertex to itself carries no difference
          k.add(a, b, -cot[i] / 2);
          k.add(a, a, cot[i] / 2);
          k.add(b, b, cot[i] / 2);
        }
      }
      for (int i = 0; i < 3; i++) {
        int from = t[3 * f + i];
        int to = t[Surface.next(3 * f + i)];
        int before = t[Surface.next(Surface.next(3 * f + i))];
        if (kind == Mass.LUMPED) {
          mass[from] += area / 3;
        } else if (obtuse >= 0) {
          mass[before] += i == obtuse ? area / 2 : area / 4;
        } else {
          double l = surface.lengths()[3 * f + i];
          mass[from] += l * l * cot[i] / 8;
          mass[to] += l * l * cot[i] / 8;
        }
      }
    }
    return new Laplacian(k.build(), mass);
  }

  /** The area of the surface. */
  public double area() {
    return Arrays.stream(mass).sum();
  }

  /**
   * The k smallest eigenvalues and their functions.
   *
   * @throws IllegalArgumentException if there are fewer than k vertices
   */
  public Spectrum spectrum(int k) {
    return Lanczos.solve(this, k);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Laplacian l && stiffness.equals(l.stiffness) && Arrays.equals(mass, l.mass);
  }

  @Override
  public int hashCode() {
    return 31 * stiffness.hashCode() + Arrays.hashCode(mass);
  }

  @Override
  public String toString() {
    return "Laplacian[%d vertices]".formatted(mass.length);
  }
}
