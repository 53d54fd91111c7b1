package org.orbitmap.lanes;

import static jdk.incubator.vector.VectorOperators.ADD;
import static jdk.incubator.vector.VectorOperators.AND;
import static jdk.incubator.vector.VectorOperators.FMA;
import static jdk.incubator.vector.VectorOperators.I2F;
import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.LSHR;
import static jdk.incubator.vector.VectorOperators.MUL;
import static jdk.incubator.vector.VectorOperators.NOT;
import static jdk.incubator.vector.VectorOperators.OR;
import static jdk.incubator.vector.VectorOperators.SUB;
import static org.orbitmap.image.Interpolation.CUBIC_A;
import static org.orbitmap.lanes.VectorRows.F;
import static org.orbitmap.lanes.VectorRows.I;
import static org.orbitmap.lanes.VectorRows.L;
import static org.orbitmap.lanes.VectorRows.P;
import static org.orbitmap.lanes.VectorRows.PIXEL;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.Vector;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/**
 * A loop over the pixels of a row.
 *
 * <p>Each is a method of its own that is never inlined, because a row calls more than two of them
 * from one place: what the compiler of Java 17 makes of several such loops in one method is slow.
 * Vectors are never parameters, since a method that is not inlined puts them on the heap.
 * Operations on a vector that was just read, converted or carried around a loop are {@code
 * lanewise}: there the compiler learns its size from this place, not from all users of {@code add}.
 * Shuffles are of integers: a loop that writes floats would check those of floats in every turn.
 */
enum Step {
  /** Where pixels read, and the fractions: 32.32 fixed-point numbers, as two integers each. */
  PLACES {
    @Override
    void run(VectorRows r, float[] out, int at, int count) {
      float[] right = r.right;
      float[] down = r.down;
      int[] places = r.places;
      long dx = r.x;
      long dy = r.y;
      long stepX = r.stepX;
      long stepY = r.stepY;
      FloatVector unit = FloatVector.broadcast(F, 0x1p-24f);
      IntVector start = IntVector.broadcast(I, r.at(0));
      IntVector apart = IntVector.broadcast(I, r.stride);
      IntVector xLow = IntVector.fromArray(I, r.offsets, 0);
      IntVector xHigh = IntVector.fromArray(I, r.offsets, L);
      IntVector yLow = IntVector.fromArray(I, r.offsets, 2 * L);
      IntVector yHigh = IntVector.fromArray(I, r.offsets, 3 * L);
      for (int k = 0; k < count; k += L) {
        // the carry of a sum a + b is the highest bit of (a & b) | ((a | b) & ~(a + b))
        IntVector add = IntVector.broadcast(I, (int) dx);
        IntVector sum = xLow.lanewise(ADD, add);
        IntVector carry = xLow.lanewise(OR, add).lanewise(AND, sum.lanewise(NOT));
        carry = xLow.lanewise(AND, add).lanewise(OR, carry).lanewise(LSHR, 31);
        xHigh = xHigh.lanewise(ADD, IntVector.broadcast(I, (int) (dx >> 32))).lanewise(ADD, carry);
        xLow = sum;
        add = IntVector.broadcast(I, (int) dy);
        sum = yLow.lanewise(ADD, add);
        carry = yLow.lanewise(OR, add).lanewise(AND, sum.lanewise(NOT));
        carry = yLow.lanewise(AND, add).lanewise(OR, carry).lanewise(LSHR, 31);
        yHigh = yHigh.lanewise(ADD, IntVector.broadcast(I, (int) (dy >> 32))).lanewise(ADD, carry);
        yLow = sum;
        ((FloatVector) xLow.lanewise(LSHR, 8).convertShape(I2F, F, 0))
            .lanewise(MUL, unit)
            .intoArray(right, k);
        ((FloatVector) yLow.lanewise(LSHR, 8).convertShape(I2F, F, 0))
            .lanewise(MUL, unit)
            .intoArray(down, k);
        yHigh
            .lanewise(MUL, apart)
            .lanewise(ADD, xHigh.lanewise(LSHL, 2))
            .lanewise(ADD, start)
            .intoArray(places, k);
        dx = stepX;
        dy = stepY;
      }
    }
  },

  /** The four pixels around. */
  BILINEAR {
    @Override
    void run(VectorRows r, float[] out, int at, int count) {
      float[] source = r.source;
      int[] places = r.places;
      float[] right = r.right;
      float[] down = r.down;
      float[] row = r.row;
      int stride = r.stride;
      for (int k = 0; k < count; k++) {
        int p = places[k];
        int q = p + stride;
        FloatVector u = FloatVector.broadcast(PIXEL, right[k]);
        FloatVector v = FloatVector.broadcast(F, down[k]);
        FloatVector top = FloatVector.fromArray(F, source, p);
        FloatVector both =
            FloatVector.fromArray(F, source, q).lanewise(SUB, top).lanewise(FMA, v, top);
        FloatVector left = (FloatVector) both.reinterpretShape(PIXEL, 0);
        ((FloatVector) both.reinterpretShape(I, 0).rearrange(OTHER).reinterpretShape(PIXEL, 0))
            .lanewise(SUB, left)
            .lanewise(FMA, u, left)
            .intoArray(row, P * k);
      }
    }
  },

  /** The cubic weights of four rows. */
  WEIGHTS {
    @Override
    void run(VectorRows r, float[] out, int at, int count) {
      float[] down = r.down;
      float[] above = r.above;
      float[] here = r.here;
      float[] below = r.below;
      float[] under = r.under;
      FloatVector one = FloatVector.broadcast(F, 1);
      FloatVector a = FloatVector.broadcast(F, CUBIC_A);
      FloatVector a2 = FloatVector.broadcast(F, CUBIC_A + 2);
      FloatVector a3 = FloatVector.broadcast(F, CUBIC_A + 3);
      for (int k = 0; k < count; k += L) {
        FloatVector v = FloatVector.fromArray(F, down, k);
        FloatVector rest = one.lanewise(SUB, v);
        FloatVector both = v.lanewise(MUL, rest).lanewise(MUL, a);
        FloatVector b0 = both.lanewise(MUL, rest);
        FloatVector b3 = both.lanewise(MUL, v);
        FloatVector b1 =
            v.lanewise(MUL, a2).lanewise(SUB, a3).lanewise(MUL, v).lanewise(FMA, v, one);
        b0.intoArray(above, k);
        b1.intoArray(here, k);
        one.lanewise(SUB, b0).lanewise(SUB, b1).lanewise(SUB, b3).intoArray(below, k);
        b3.intoArray(under, k);
      }
    }
  },

  /** The sixteen pixels around: the columns first, two of them in a vector. */
  BICUBIC {
    @Override
    void run(VectorRows rows, float[] out, int at, int count) {
      float[] source = rows.source;
      int[] places = rows.places;
      float[] right = rows.right;
      float[] above = rows.above;
      float[] here = rows.here;
      float[] below = rows.below;
      float[] under = rows.under;
      float[] row = rows.row;
      int stride = rows.stride;
      FloatVector l0 = FloatVector.fromArray(F, LEFT, 0);
      FloatVector l1 = FloatVector.fromArray(F, LEFT, L);
      FloatVector l2 = FloatVector.fromArray(F, LEFT, 2 * L);
      FloatVector l3 = FloatVector.fromArray(F, LEFT, 3 * L);
      FloatVector r1 = FloatVector.fromArray(F, RIGHT, L);
      FloatVector r2 = FloatVector.fromArray(F, RIGHT, 2 * L);
      FloatVector r3 = FloatVector.fromArray(F, RIGHT, 3 * L);
      for (int k = 0; k < count; k++) {
        int p = places[k] - stride - P;
        int q = p + stride;
        int r = q + stride;
        int s = r + stride;
        FloatVector u = FloatVector.broadcast(F, right[k]);
        FloatVector b0 = FloatVector.broadcast(F, above[k]);
        FloatVector b1 = FloatVector.broadcast(F, here[k]);
        FloatVector b2 = FloatVector.broadcast(F, below[k]);
        FloatVector b3 = FloatVector.broadcast(F, under[k]);
        FloatVector left =
            FloatVector.fromArray(F, source, p)
                .lanewise(MUL, b0)
                .lanewise(ADD, FloatVector.fromArray(F, source, q).lanewise(MUL, b1));
        left = FloatVector.fromArray(F, source, r).lanewise(FMA, b2, left);
        left = FloatVector.fromArray(F, source, s).lanewise(FMA, b3, left);
        FloatVector other =
            FloatVector.fromArray(F, source, p + L)
                .lanewise(MUL, b0)
                .lanewise(ADD, FloatVector.fromArray(F, source, q + L).lanewise(MUL, b1));
        other = FloatVector.fromArray(F, source, r + L).lanewise(FMA, b2, other);
        other = FloatVector.fromArray(F, source, s + L).lanewise(FMA, b3, other);
        FloatVector al = l3.lanewise(FMA, u, l2).lanewise(FMA, u, l1).lanewise(FMA, u, l0);
        FloatVector ar = r3.lanewise(FMA, u, r2).lanewise(FMA, u, r1).lanewise(MUL, u);
        left = left.lanewise(MUL, al);
        left = other.lanewise(FMA, ar, left);
        ((FloatVector) left.reinterpretShape(PIXEL, 0))
            .lanewise(ADD, left.reinterpretShape(I, 0).rearrange(OTHER).reinterpretShape(PIXEL, 0))
            .intoArray(row, P * k);
      }
    }
  },

  /** From pixels back to planes. */
  PLANES {
    @Override
    void run(VectorRows r, float[] out, int at, int count) {
      float[] row = r.row;
      int plane = r.width * r.height;
      FloatVector one = FloatVector.broadcast(PAIR, 1);
      int k = 0;
      for (; k <= count - 2; k += 2) {
        Vector<Integer> two = FloatVector.fromArray(F, row, P * k).reinterpretShape(I, 0);
        FloatVector red = (FloatVector) two.rearrange(RED).reinterpretShape(PAIR, 0);
        FloatVector green = (FloatVector) two.rearrange(GREEN).reinterpretShape(PAIR, 0);
        FloatVector blue = (FloatVector) two.rearrange(BLUE).reinterpretShape(PAIR, 0);
        red.lanewise(MUL, one).intoArray(out, at + k);
        green.lanewise(MUL, one).intoArray(out, at + k + plane);
        blue.lanewise(MUL, one).intoArray(out, at + k + 2 * plane);
      }
      if (k < count) {
        out[at + k] = row[P * k];
        out[at + k + plane] = row[P * k + 1];
        out[at + k + 2 * plane] = row[P * k + 2];
      }
    }
  };

  private static final VectorSpecies<Float> PAIR = FloatVector.SPECIES_64;

  /** From two pixels to two samples of a channel. */
  private static final VectorShuffle<Integer> RED = VectorShuffle.fromOp(I, i -> P * (i % 2));

  private static final VectorShuffle<Integer> GREEN = VectorShuffle.fromOp(I, i -> P * (i % 2) + 1);
  private static final VectorShuffle<Integer> BLUE = VectorShuffle.fromOp(I, i -> P * (i % 2) + 2);

  /** The other half. */
  private static final VectorShuffle<Integer> OTHER = VectorShuffle.fromOp(I, i -> (i + P) % L);

  /**
   * The weights of the four taps of a row as polynomials in u, by powers: far(u), near(u), near(1 -
   * u), far(1 - u), each in the lanes of its pixel.
   */
  private static final float[] LEFT =
      lanes(0, 1, CUBIC_A, 0, -2 * CUBIC_A, -CUBIC_A - 3, CUBIC_A, CUBIC_A + 2);

  private static final float[] RIGHT =
      lanes(0, 0, -CUBIC_A, 0, 2 * CUBIC_A + 3, CUBIC_A, -CUBIC_A - 2, -CUBIC_A);

  private static float[] lanes(float... coefficients) {
    float[] all = new float[P * coefficients.length];
    for (int i = 0; i < all.length; i++) {
      all[i] = coefficients[i / P];
    }
    return all;
  }

  /** Does it for the pixels of a row, of which the first is at a place of the output. */
  abstract void run(VectorRows r, float[] out, int at, int count);
}
