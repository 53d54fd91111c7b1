package org.orbitmap.vector;

import java.util.function.DoubleUnaryOperator;
import org.orbitmap.group.Permutation;
import org.orbitmap.group.Permutations;
import org.orbitmap.group.ScaleShift;
import org.orbitmap.group.ScaleShifts;
import org.orbitmap.group.Scalings;
import org.orbitmap.group.Shifts;
import org.orbitmap.orbit.GroupAction;

/** How groups act on vectors. Vectors are plain arrays; none is changed. */
public final class VectorActions {
  /** x → x + a·1 */
  public static final GroupAction<Double, double[]> SHIFT =
      GroupAction.of(new Shifts(), (a, x) -> each(x, t -> t + a));

  /** x → s·x with s &gt; 0 */
  public static final GroupAction<Double, double[]> SCALE =
      GroupAction.of(new Scalings(), (s, x) -> each(x, t -> s * t));

  /** x → s·x + a·1 with s &gt; 0 */
  public static final GroupAction<ScaleShift, double[]> SCALE_SHIFT =
      GroupAction.of(new ScaleShifts(), (g, x) -> each(x, t -> g.scale() * t + g.shift()));

  private VectorActions() {}

  /** Entry i moves to place π(i): (πx)[π(i)] = x[i]. */
  public static GroupAction<Permutation, double[]> permute(Permutations group) {
    return new Permuting(group);
  }

  private static double[] each(double[] x, DoubleUnaryOperator f) {
    double[] y = new double[x.length];
    for (int i = 0; i < y.length; i++) {
      y[i] = f.applyAsDouble(x[i]);
    }
    return y;
  }

  /** The vector, after a check that it is not empty and every entry is finite. */
  static double[] requireFinite(double[] x) {
    if (x.length == 0) {
      throw new IllegalArgumentException("vector: expected at least 1 entry, found none");
    }
    for (int i = 0; i < x.length; i++) {
      if (!Double.isFinite(x[i])) {
        throw new IllegalArgumentException(
            "vector: expected finite entries, found %s at %d".formatted(x[i], i));
      }
    }
    return x;
  }
}
