package org.orbitmap.vector;

import org.orbitmap.group.Permutation;
import org.orbitmap.group.ScaleShift;
import org.orbitmap.orbit.OrbitMapping;

/** The orbit mappings of vectors, by name. */
public final class VectorMappings {
  private VectorMappings() {}

  /** x → x - mean(x)·1: the element of the orbit under shifts whose mean is 0. Never ambiguous. */
  public static OrbitMapping<Double, double[]> mean() {
    return new MeanSubtraction();
  }

  /**
   * x → x/‖x‖: the element of the orbit under positive scalings whose Euclidean norm is 1. The
   * margin is ‖x‖; the zero vector stays as it is, with margin 0.
   */
  public static OrbitMapping<Double, double[]> norm() {
    return new Normalising();
  }

  /**
   * x → (x - mean(x)·1)/‖x - mean(x)·1‖: {@link #mean}, then {@link #norm}. The other order is
   * refused by {@link OrbitMapping#then}: dividing by the norm does not carry shifts into shifts.
   */
  public static OrbitMapping<ScaleShift, double[]> meanAndNorm() {
    return mean()
        .within(ScaleShift::shift, VectorActions.SCALE_SHIFT)
        .then(
            norm().within(ScaleShift::scale, VectorActions.SCALE_SHIFT), VectorActions.SCALE_SHIFT);
  }

  /**
   * Sorts ascending: the one ordered element of the orbit under permutations. Equal entries keep
   * their order. The margin is the smallest gap between neighbours: below half of it, no change of
   * the entries changes the permutation. The paper's example of an equivariant network undoes it
   * after the network: {@code sorting(n).equivariant(net, permute(n))}.
   *
   * @param n the number of entries
   */
  public static OrbitMapping<Permutation, double[]> sorting(int n) {
    return new Sorting(n);
  }
}
