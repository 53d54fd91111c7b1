package org.orbitmap.testkit;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.orbitmap.group.Permutation;
import org.orbitmap.group.Permutations;
import org.orbitmap.group.ScaleShift;
import org.orbitmap.orbit.OrbitMapping;
import org.orbitmap.vector.VectorActions;
import org.orbitmap.vector.VectorMappings;

/**
 * The one place that lists every built-in group, action and mapping with its laws. The parametrised
 * test and {@code orbit verify} both run what stands here; whoever adds a group or a mapping adds
 * it here.
 */
public final class BuiltIns {
  static final int ENTRIES = 5;

  /** x → x + a·1 on vectors. */
  public static final Subject<Double, double[]> SHIFTS =
      Subject.of("shifts on vectors", VectorActions.SHIFT, Space.vectors(ENTRIES), 1e-9)
          .withNear(r -> 1e-5 * r.nextGaussian());

  /** x → s·x on vectors. */
  public static final Subject<Double, double[]> SCALINGS =
      Subject.of("scalings of vectors", VectorActions.SCALE, Space.vectors(ENTRIES), 1e-9)
          .withNear(r -> Math.exp(1e-5 * r.nextGaussian()));

  /** x → s·x + a·1 on vectors. */
  public static final Subject<ScaleShift, double[]> SCALE_SHIFTS =
      Subject.of("scale-shifts of vectors", VectorActions.SCALE_SHIFT, Space.vectors(ENTRIES), 1e-9)
          .withNear(
              r -> new ScaleShift(Math.exp(1e-5 * r.nextGaussian()), 1e-5 * r.nextGaussian()));

  /** Permutations of the entries of vectors. */
  public static final Subject<Permutation, double[]> PERMUTATIONS =
      Subject.of(
          "permutations of vectors",
          VectorActions.permute(new Permutations(ENTRIES)),
          Space.vectors(ENTRIES),
          0);

  private static final Space<double[]> ANY_SIZE = Space.of(BuiltIns::anySize);

  static final OrbitMapping<ScaleShift, double[]> MEAN =
      VectorMappings.mean().within(ScaleShift::shift, VectorActions.SCALE_SHIFT);
  static final OrbitMapping<ScaleShift, double[]> NORM =
      VectorMappings.norm().within(ScaleShift::scale, VectorActions.SCALE_SHIFT);

  private BuiltIns() {}

  /** Every law of everything that is built in. */
  public static List<Law> laws() {
    // One line for each kind of inputs.
    return Stream.of(
            vectors(), //
            ImageBuiltIns.laws(),
            CloudBuiltIns.laws())
        .flatMap(List::stream)
        .toList();
  }

  private static List<Law> vectors() {
    return Stream.of(
            Laws.all(SHIFTS, VectorMappings.mean()),
            Laws.all(SCALINGS, VectorMappings.norm()),
            Laws.all(SCALE_SHIFTS, VectorMappings.meanAndNorm()),
            Laws.all(PERMUTATIONS, VectorMappings.sorting(ENTRIES)),
            Laws.mapping(
                SCALINGS.with("scalings of vectors of any size", ANY_SIZE), VectorMappings.norm()),
            Laws.mapping(
                PERMUTATIONS.with("permutations of vectors of any size", ANY_SIZE),
                VectorMappings.sorting(ENTRIES)),
            Laws.refinement(SHIFTS, VectorMappings.mean(), y -> Math.sin(y[0]) + y[1], 1e-9, 0),
            Laws.refinement(
                SCALINGS, VectorMappings.norm(), y -> Math.exp(Math.tanh(y[0] - y[2])), 1e-9, 0),
            Laws.refinement(
                SCALE_SHIFTS, VectorMappings.meanAndNorm(), BuiltIns::scaleShift, 1e-9, 0),
            Laws.refinement(
                PERMUTATIONS, VectorMappings.sorting(ENTRIES), BuiltIns::byNetwork, 0, 0),
            Laws.pooling(PERMUTATIONS, new Permutations(ENTRIES), BuiltIns::mean, 1e-12),
            List.of(
                Laws.composition(SCALE_SHIFTS, MEAN.then(NORM, VectorActions.SCALE_SHIFT), 1e-9),
                Laws.refusal("norm+mean", () -> NORM.then(MEAN, VectorActions.SCALE_SHIFT)),
                Laws.refusal(
                    "mean+refined+norm",
                    () ->
                        MEAN.refinedBy(BuiltIns::scaleShift)
                            .then(NORM, VectorActions.SCALE_SHIFT))))
        .flatMap(List::stream)
        .toList();
  }

  /** Entries of few values, tiny or huge. */
  private static double[] anySize(RandomGenerator random) {
    double unit = Math.pow(10, random.nextInt(-200, 200));
    double[] x = Space.tied(ENTRIES, random);
    Arrays.setAll(x, i -> unit * x[i]);
    return x;
  }

  /** A correction of vectors that respects no symmetry. */
  static ScaleShift scaleShift(double[] y) {
    return new ScaleShift(Math.exp(Math.tanh(y[0])), Math.sin(y[1] - 2 * y[2]));
  }

  /** The order of what the space's network makes of a vector. */
  static Permutation byNetwork(double[] y) {
    return VectorMappings.sorting(ENTRIES).map(PERMUTATIONS.space().net().apply(y)).element();
  }

  /** The mean of vectors: a pooling that commutes with permutations. */
  static double[] mean(List<double[]> all) {
    double[] mean = new double[all.get(0).length];
    for (double[] x : all) {
      for (int i = 0; i < mean.length; i++) {
        mean[i] += x[i] / all.size();
      }
    }
    return mean;
  }
}
