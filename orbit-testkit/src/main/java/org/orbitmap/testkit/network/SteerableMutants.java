package org.orbitmap.testkit.network;

import java.util.List;
import org.orbitmap.network.steerable.FieldType;
import org.orbitmap.network.steerable.Harmonics;
import org.orbitmap.network.steerable.PlaneGroup;
import org.orbitmap.network.steerable.SteerableBasis;
import org.orbitmap.testkit.Mutant;

/** Steerable layers and networks that are broken on purpose. */
public final class SteerableMutants {
  private SteerableMutants() {}

  /** What the laws must catch. */
  public static List<Mutant> all() {
    Harmonics right = Harmonics.published(7);
    return List.of(
        new Mutant(
            "harmonic that is steered with the wrong frequency",
            SteerableLaws.LAYER,
            List.of(
                SteerableLaws.layer(
                    FieldType.scalars(SteerableLaws.C4, 1),
                    SteerableLaws.C4,
                    new WrongFrequency(right)))),
        new Mutant(
            "harmonic of D16 that is steered with the wrong frequency",
            SteerableLaws.LAYER_BETWEEN,
            List.of(
                SteerableLaws.between(
                    FieldType.scalars(SteerableLaws.D16, 1),
                    SteerableLaws.D16,
                    new WrongFrequency(right)))),
        new Mutant(
            "network without steerable layers",
            SteerableLaws.NETWORK,
            List.of(SteerableLaws.network("convnet", 28))),
        new Mutant(
            "layers of quarter turns that are taken for those of sixteenths",
            SteerableLaws.LAYER_BETWEEN,
            List.of(SteerableLaws.rowBetween(4))),
        new Mutant(
            "network without steerable layers, any rotation",
            SteerableLaws.NETWORK_BETWEEN,
            List.of(SteerableLaws.networkBetween("convnet", 16))),
        new Mutant(
            "basis with a harmonic twice",
            KernelLaws.DIMENSION,
            List.of(KernelLaws.dimension(7, new Twice(right)))));
  }

  /** The first pair of cosine and sine turns one and a half times too far. */
  private record WrongFrequency(Harmonics right) implements SteerableBasis {
    @Override
    public int side() {
      return right.side();
    }

    @Override
    public int count() {
      return right.count();
    }

    @Override
    public double[] sampled(int m) {
      return right.sampled(m);
    }

    @Override
    public double[][] steering(PlaneGroup group, int g) {
      double[][] d = right.steering(group, g);
      int cosine = 4; // frequency 2 on the ring around the centre
      double angle = 3 * group.angle(g);
      double sign = group.mirrored(g) ? -1 : 1;
      d[cosine][cosine] = Math.cos(angle);
      d[cosine][cosine + 1] = Math.sin(angle);
      d[cosine + 1][cosine] = -sign * Math.sin(angle);
      d[cosine + 1][cosine + 1] = sign * Math.cos(angle);
      return d;
    }
  }

  /** The last function is that at the centre once more. */
  private record Twice(Harmonics right) implements SteerableBasis {
    @Override
    public int side() {
      return right.side();
    }

    @Override
    public int count() {
      return right.count();
    }

    @Override
    public double[] sampled(int m) {
      return right.sampled(m == count() - 1 ? 0 : m);
    }

    @Override
    public double[][] steering(PlaneGroup group, int g) {
      return right.steering(group, g);
    }
  }
}
