package org.orbitmap.lanes;

import static jdk.incubator.vector.VectorOperators.ABS;
import static jdk.incubator.vector.VectorOperators.ADD;
import static jdk.incubator.vector.VectorOperators.F2D;
import static jdk.incubator.vector.VectorOperators.FMA;
import static jdk.incubator.vector.VectorOperators.MUL;
import static jdk.incubator.vector.VectorOperators.SUB;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;
import org.orbitmap.image.Image;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Lanes;

/**
 * The loops over colour images on vectors of 256 bits. Where the processor has narrower ones, the
 * plain loops are used.
 */
public final class VectorLanes implements Lanes {
  private static final VectorSpecies<Double> D = DoubleVector.SPECIES_256;
  private static final VectorSpecies<Float> F = FloatVector.SPECIES_128;
  private static final int L = D.length();
  private static final VectorShuffle<Float> REVERSE = VectorShuffle.fromOp(F, i -> L - 1 - i);

  /** Larger images are left to the plain loop, which divides them among the cores. */
  private static final int MOST_PIXELS = 1 << 20;

  /** 1024 pixels: coordinates of longer ones could be wrong by more than the border is wide. */
  private static final long LONGEST_STEP = 1L << 42;

  /** As in the plain loop: what floats must have room for above a sample. */
  private static final float ROOM = 4;

  private static final boolean WIDE =
      VectorShape.preferredShape().vectorBitSize() >= D.vectorBitSize();

  private static final ThreadLocal<VectorRows> ROWS = ThreadLocal.withInitial(VectorRows::new);

  /** For {@link java.util.ServiceLoader}. */
  public VectorLanes() {}

  @Override
  public Rows rows(Image in, Interpolation kind, float fill, long dx, long dy) {
    if (!WIDE
        || in.channels() != 3
        || in.plane() > MOST_PIXELS
        || kind == Interpolation.NEAREST
        || Math.max(Math.abs(dx), Math.abs(dy)) > LONGEST_STEP) {
      return null;
    }
    VectorRows rows = ROWS.get();
    return rows.prepare(in, kind, fill, dx, dy) ? rows : null;
  }

  @Override
  public double[] pose(float[] u, double[] re, double[] im) {
    if (!WIDE) {
      return null;
    }
    int n = re.length;
    int half = (n + 1) / 2;
    DoubleVector sumRe = DoubleVector.zero(D);
    DoubleVector sumIm = DoubleVector.zero(D);
    DoubleVector sizes = DoubleVector.zero(D);
    FloatVector outside = FloatVector.zero(F);
    FloatVector nothing = FloatVector.zero(F);
    FloatVector room = FloatVector.broadcast(F, ROOM);
    int p = 0;
    for (; p <= half - L; p += L) {
      int q = n - L - p;
      FloatVector here =
          FloatVector.fromArray(F, u, p)
              .lanewise(ADD, FloatVector.fromArray(F, u, n + p))
              .lanewise(ADD, FloatVector.fromArray(F, u, 2 * n + p));
      FloatVector there =
          FloatVector.fromArray(F, u, q)
              .lanewise(ADD, FloatVector.fromArray(F, u, n + q))
              .lanewise(ADD, FloatVector.fromArray(F, u, 2 * n + q))
              .rearrange(REVERSE);
      DoubleVector s = (DoubleVector) here.lanewise(SUB, there).convertShape(F2D, D, 0);
      sumRe = s.lanewise(FMA, DoubleVector.fromArray(D, re, p), sumRe);
      sumIm = s.lanewise(FMA, DoubleVector.fromArray(D, im, p), sumIm);
      sizes = s.lanewise(ABS).lanewise(ADD, sizes);
      outside = here.lanewise(ADD, there).lanewise(MUL, room).lanewise(FMA, nothing, outside);
    }
    double a = sumRe.reduceLanes(ADD);
    double b = sumIm.reduceLanes(ADD);
    double size = sizes.reduceLanes(ADD);
    float rest = outside.reduceLanes(ADD);
    for (; p < half; p++) {
      int q = n - 1 - p;
      float here = u[p] + u[n + p] + u[2 * n + p];
      float there = u[q] + u[n + q] + u[2 * n + q];
      float s = here - there;
      a += re[p] * s;
      b += im[p] * s;
      size += Math.abs(s);
      rest += 0 * (ROOM * (here + there));
    }
    return new double[] {a, b, size, rest};
  }
}
