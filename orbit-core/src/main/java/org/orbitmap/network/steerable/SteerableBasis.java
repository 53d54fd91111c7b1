package org.orbitmap.network.steerable;

/**
 * Functions b₀, b₁, … on the pixels of a kernel whose span rotations and mirrorings do not leave:
 * b_m(g⁻¹x) = Σ_n D(g)_mn b_n(x).
 */
public interface SteerableBasis {
  /** The side of the kernels. */
  int side();

  /** The number of functions. */
  int count();

  /** The values of b_m, row by row. */
  double[] sampled(int m);

  /** D(g). */
  double[][] steering(PlaneGroup group, int g);
}
