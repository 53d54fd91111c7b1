package org.orbitmap.testkit.network;

import java.util.ArrayList;
import java.util.List;
import org.orbitmap.network.steerable.FieldType;
import org.orbitmap.network.steerable.Harmonics;
import org.orbitmap.network.steerable.KernelSpace;
import org.orbitmap.network.steerable.PlaneGroup;
import org.orbitmap.network.steerable.SteerableBasis;
import org.orbitmap.testkit.Law;
import org.orbitmap.testkit.Law.Outcome;
import org.orbitmap.testkit.Values;

/** How many kernels a steerable convolution can have. */
final class KernelLaws {
  /**
   * Kernels between fields have the dimension |ρ_in|·Σ(1 + 2·cut-off) to regular ones and Σ(1 +
   * 2⌊cut-off/N⌋) between scalars of C_N, Σ(1 + ⌊cut-off/N⌋) of D_N, and the pixels can tell their
   * harmonics apart.
   */
  public static final String DIMENSION = "dimension of the kernels";

  private KernelLaws() {}

  /**
   * The law about the published rings of a side.
   *
   * @param basis what kernels are made of
   */
  static Law dimension(int side, SteerableBasis basis) {
    List<Harmonics.Ring> rings = Harmonics.published(side).rings();
    int harmonics = rings.stream().mapToInt(ring -> 1 + 2 * ring.cutOff()).sum();
    return new Law(
        "kernels of %d x %d".formatted(side, side),
        DIMENSION,
        0,
        r -> {
          int n = 1 + r.nextInt(16);
          PlaneGroup group = new PlaneGroup(n, r.nextBoolean());
          FieldType scalars = FieldType.scalars(group, 1);
          FieldType regular = FieldType.regular(group, 1);
          int each = group.mirrors() ? 1 : 2;
          int invariant = rings.stream().mapToInt(ring -> 1 + each * (ring.cutOff() / n)).sum();
          int[] expected = {group.order() * harmonics, harmonics, harmonics, invariant, harmonics};
          int[] found = {
            new KernelSpace(regular, regular, basis).dimension(),
            new KernelSpace(scalars, regular, basis).dimension(),
            new KernelSpace(regular, scalars, basis).dimension(),
            new KernelSpace(scalars, scalars, basis).dimension(),
            rank(basis)
          };
          return new Outcome(Values.distance(found, expected), group::name);
        });
  }

  /** How many of the functions are independent on the pixels, by Gram and Schmidt. */
  private static int rank(SteerableBasis basis) {
    List<double[]> kept = new ArrayList<>();
    for (int m = 0; m < basis.count(); m++) {
      double[] v = basis.sampled(m);
      double before = dot(v, v);
      for (double[] e : kept) {
        double c = dot(v, e);
        for (int i = 0; i < v.length; i++) {
          v[i] -= c * e[i];
        }
      }
      double left = Math.sqrt(dot(v, v));
      if (left > 1e-3 * Math.sqrt(before)) {
        for (int i = 0; i < v.length; i++) {
          v[i] /= left;
        }
        kept.add(v);
      }
    }
    return kept.size();
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }
}
