package org.orbitmap.vector;

import java.util.Set;
import org.orbitmap.group.Group;
import org.orbitmap.group.Scalings;
import org.orbitmap.orbit.Canonical;
import org.orbitmap.orbit.GroupAction;
import org.orbitmap.orbit.OrbitMapping;

/** See {@link VectorMappings#mean}. */
record MeanSubtraction() implements OrbitMapping<Double, double[]> {
  @Override
  public String name() {
    return "mean";
  }

  @Override
  public GroupAction<Double, double[]> action() {
    return VectorActions.SHIFT;
  }

  @Override
  public Canonical<Double, double[]> map(double[] x) {
    VectorActions.requireFinite(x);
    double mean = 0;
    for (double t : x) {
      mean += t / x.length - x[0] / x.length; // from the first entry: exact for equal ones
    }
    double shift = 0 - (x[0] + mean);
    double[] point = VectorActions.requireFinite(action().act(shift, x));
    return new Canonical<>(point, shift, Double.POSITIVE_INFINITY);
  }

  /** mean(sx) = s mean(x) */
  @Override
  public Set<Group<?>> carries() {
    return Set.of(new Scalings());
  }
}
