package org.orbitmap.vector;

import org.orbitmap.orbit.Canonical;
import org.orbitmap.orbit.GroupAction;
import org.orbitmap.orbit.OrbitMapping;

/** See {@link VectorMappings#norm}. */
record Normalising() implements OrbitMapping<Double, double[]> {
  @Override
  public String name() {
    return "norm";
  }

  @Override
  public GroupAction<Double, double[]> action() {
    return VectorActions.SCALE;
  }

  @Override
  public Canonical<Double, double[]> map(double[] x) {
    VectorActions.requireFinite(x);
    double norm = norm(x);
    if (Double.isInfinite(norm)) {
      throw new IllegalArgumentException(
          "vector: expected a Euclidean norm below 1.8e308, found a larger one. Scale it down.");
    }
    double scale = 1 / norm;
    // Zero, or too close to it to be scaled up in double precision.
    if (Double.isInfinite(scale)) {
      return new Canonical<>(x.clone(), 1.0, 0);
    }
    return new Canonical<>(action().act(scale, x), scale, norm);
  }

  /** ‖x‖, without overflow or underflow on the way. */
  private static double norm(double[] x) {
    double largest = 0;
    for (double t : x) {
      largest = Math.max(largest, Math.abs(t));
    }
    if (largest == 0) {
      return 0;
    }
    double sum = 0;
    for (double t : x) {
      double u = t / largest;
      sum += u * u;
    }
    return largest * Math.sqrt(sum);
  }
}
