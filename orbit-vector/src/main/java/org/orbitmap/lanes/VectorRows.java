package org.orbitmap.lanes;

import static jdk.incubator.vector.VectorOperators.ADD;
import static jdk.incubator.vector.VectorOperators.AND;
import static jdk.incubator.vector.VectorOperators.MAX;
import static jdk.incubator.vector.VectorOperators.OR;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.Vector;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;
import org.orbitmap.image.Image;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Lanes;

/**
 * Resamples colour images row by row. The image is copied first: four floats a pixel, so that one
 * load of 128 bits has all channels, with a border of the fill value, so that no pixel is at an
 * edge. A row then takes a few {@link Step}s.
 */
final class VectorRows implements Lanes.Rows {
  static final VectorSpecies<Float> F = FloatVector.SPECIES_256;
  static final VectorSpecies<Integer> I = IntVector.SPECIES_256;
  static final VectorSpecies<Float> PIXEL = FloatVector.SPECIES_128;

  /** Lanes of a vector. */
  static final int L = 8;

  /** Floats of a pixel. */
  static final int P = 4;

  /** Samples below it cannot overflow, whatever is summed first. */
  private static final float MOST = 0x1p100f;

  /** From (s, t, …) to (s, s, s, s, t, t, t, t). */
  private static final VectorShuffle<Integer> LOWER = VectorShuffle.fromOp(I, i -> i / P);

  /** The same of the third and the fourth. */
  private static final VectorShuffle<Integer> UPPER = VectorShuffle.fromOp(I, i -> i / P + 2);

  private static final IntVector FIRST = only(0);
  private static final IntVector SECOND = only(1);
  private static final IntVector THIRD = only(2);

  private static final Step[] LINEAR = {Step.PLACES, Step.BILINEAR, Step.PLANES};
  private static final Step[] CUBIC = {Step.PLACES, Step.WEIGHTS, Step.BICUBIC, Step.PLANES};

  /** k·dx and k·dy for the lanes k: low and high halves of the first, then of the second. */
  final int[] offsets = new int[4 * L];

  /** The copy, {@code stride} floats from row to row. */
  float[] source = {};

  int stride;
  int width;
  int height;

  /** Where the row begins and how far it is to the next {@code L} pixels. */
  long x;

  long y;
  long stepX;
  long stepY;

  /** For each pixel of a row: where it reads, the fractions, the weights of four rows. */
  int[] places = {};

  float[] right = {};
  float[] down = {};
  float[] above = {};
  float[] here = {};
  float[] below = {};
  float[] under = {};

  /** The resampled pixels of a row. */
  float[] row = {};

  private int border;
  private float fill;
  private Step[] steps = {};

  /** Makes this the rows of an image; false if it has a sample that is not finite, or nearly so. */
  boolean prepare(Image in, Interpolation kind, float value, long dx, long dy) {
    if (!(Math.abs(value) < MOST)) {
      return false;
    }
    boolean cubic = kind == Interpolation.BICUBIC;
    steps = cubic ? CUBIC : LINEAR;
    room(in.width(), in.height(), cubic ? 4 : 2, value);
    for (int k = 0; k < L; k++) {
      offsets[k] = (int) (k * dx);
      offsets[L + k] = (int) ((k * dx) >> 32);
      offsets[2 * L + k] = (int) (k * dy);
      offsets[3 * L + k] = (int) ((k * dy) >> 32);
    }
    stepX = L * dx;
    stepY = L * dy;
    int most = 0;
    for (int i = 0; i < height; i++) {
      most = Math.max(most, pack(in.data(), i * width, in.plane(), width, source, at(i)));
    }
    return most < Float.floatToRawIntBits(MOST);
  }

  @Override
  public void sample(long startX, long startY, float[] out, int at, int count) {
    x = startX;
    y = startY;
    for (Step step : steps) {
      step.run(this, out, at, count);
    }
  }

  /** Where row i begins in the copy. */
  int at(int i) {
    return (i + border) * stride + P * border;
  }

  private void room(int w, int h, int edge, float value) {
    if (w == width && h == height && edge == border && value == fill) {
      return;
    }
    width = w;
    height = h;
    border = edge;
    fill = value;
    stride = P * (w + 2 * edge);
    int size = stride * (h + 2 * edge);
    if (source.length < size) {
      source = new float[size];
    }
    Arrays.fill(source, 0, size, value);
    int n = w + L;
    if (places.length < n) {
      places = new int[n];
      right = new float[n];
      down = new float[n];
      above = new float[n];
      here = new float[n];
      below = new float[n];
      under = new float[n];
      row = new float[P * n];
    }
  }

  /**
   * Copies a row of planes as pixels of four floats, four at a time; the fourth is 0 or stays.
   *
   * @return the bits of the largest sample, by size
   */
  private static int pack(float[] in, int from, int plane, int width, float[] out, int at) {
    int g = from + plane;
    int b = g + plane;
    IntVector size = IntVector.broadcast(I, Integer.MAX_VALUE);
    IntVector largest = IntVector.zero(I);
    int k = 0;
    for (; k <= width - 4; k += 4) {
      Vector<Integer> red = FloatVector.fromArray(PIXEL, in, from + k).reinterpretShape(I, 0);
      Vector<Integer> green = FloatVector.fromArray(PIXEL, in, g + k).reinterpretShape(I, 0);
      Vector<Integer> blue = FloatVector.fromArray(PIXEL, in, b + k).reinterpretShape(I, 0);
      largest = (IntVector) red.lanewise(AND, size).lanewise(MAX, largest);
      largest = (IntVector) green.lanewise(AND, size).lanewise(MAX, largest);
      largest = (IntVector) blue.lanewise(AND, size).lanewise(MAX, largest);
      FloatVector last =
          (FloatVector) blue.rearrange(LOWER).lanewise(AND, THIRD).reinterpretShape(F, 0);
      ((FloatVector)
              red.rearrange(LOWER)
                  .lanewise(AND, FIRST)
                  .lanewise(OR, green.rearrange(LOWER).lanewise(AND, SECOND))
                  .reinterpretShape(F, 0))
          .lanewise(ADD, last)
          .intoArray(out, at + P * k);
      last = (FloatVector) blue.rearrange(UPPER).lanewise(AND, THIRD).reinterpretShape(F, 0);
      ((FloatVector)
              red.rearrange(UPPER)
                  .lanewise(AND, FIRST)
                  .lanewise(OR, green.rearrange(UPPER).lanewise(AND, SECOND))
                  .reinterpretShape(F, 0))
          .lanewise(ADD, last)
          .intoArray(out, at + P * k + L);
    }
    int most = largest.reduceLanes(MAX);
    for (; k < width; k++) {
      for (int c = 0, p = from + k, o = at + P * k; c < 3; c++, p += plane, o++) {
        out[o] = in[p];
        most = Math.max(most, Float.floatToRawIntBits(in[p]) & Integer.MAX_VALUE);
      }
    }
    return most;
  }

  private static IntVector only(int channel) {
    int[] lanes = new int[L];
    for (int i = channel; i < L; i += P) {
      lanes[i] = -1;
    }
    return IntVector.fromArray(I, lanes, 0);
  }
}
