package org.orbitmap.network.front;

import java.util.ArrayList;
import java.util.List;
import org.orbitmap.image.Interpolation;
import org.orbitmap.network.Architecture;
import org.orbitmap.network.Front;
import org.orbitmap.network.Initial;
import org.orbitmap.network.Operations;

/**
 * {@code augerino}: learned augmentation (Benton et al., 2020). The network sees samples of the
 * image, each read through exp(Σ wᵢεᵢGᵢ), εᵢ uniform in ±1/2, for six generators Gᵢ of affine maps:
 * shifts to the right and down (by a tenth of half a side), rotation, scale, stretch, shear. Its
 * scores are the mean of the log-probabilities of the samples. The widths w = softplus(θ), θ = 0 at
 * the start and without weight decay, are learned: the loss gains -0.01·‖w‖₂, in which a width
 * counts as 10 from there on.
 *
 * <p>In training every image has samples of its own, drawn by the generator of the step. In
 * evaluation ε is the same for all images and all times: so the same image always gets the same
 * answer, and an exported file gives it, too. Option {@code samples} (4).
 */
public final class Augerino implements Front {
  private static final int GENERATORS = 6;
  private static final float MOST = 10;
  private static final float WEIGHT = -0.01f;

  /** Squarings and terms of the exponential: exact to rounding for ‖A‖ up to 16. */
  private static final int SQUARINGS = 6;

  private static final int TERMS = 8;
  private static final long SEED = 20_200_610;

  /** The generators, transposed, so that rows of points are multiplied from the right. */
  private static final float[] TRANSPOSED = {
    0, 0, 0, 0, 0, 0, 0.1f, 0, 0, // to the right
    0, 0, 0, 0, 0, 0, 0, 0.1f, 0, // down
    0, 1, 0, -1, 0, 0, 0, 0, 0, // rotation
    1, 0, 0, 0, 1, 0, 0, 0, 0, // scale
    1, 0, 0, 0, -1, 0, 0, 0, 0, // stretch
    0, 1, 0, 1, 0, 0, 0, 0, 0, // shear
  };

  @Override
  public String name() {
    return "augerino";
  }

  @Override
  public <T> List<T> views(Operations<T> ops, T x, Architecture settings) {
    int height = ops.length(x, 1);
    int width = ops.length(x, 2);
    T widths = ops.softplus(ops.parameter("augerino.widths", start(), 1, GENERATORS));
    penalise(ops, widths);
    T generators = ops.constant(TRANSPOSED, GENERATORS, 9);
    T places = Pose.places(ops, height, width);
    T plane = ops.constant(new float[] {1, 0, 0, 1, 0, 0}, 3, 2);
    List<T> samples = new ArrayList<>();
    for (int k = 0; k < settings.option("samples", 4); k++) {
      T drawn = ops.multiply(ops.uniform(x, SEED + k, 1, GENERATORS), widths);
      T map = exponential(ops, ops.reshape(ops.matmul(drawn, generators), 3, 3));
      T read = ops.matmul(places, ops.matmul(map, plane));
      T grid = ops.reshape(read, height, width, 2);
      samples.add(ops.sample(x, grid, Interpolation.BILINEAR));
    }
    return samples;
  }

  private static Initial start() {
    return Initial.constant(0).withoutDecay();
  }

  /** -0.01·‖min(w, 10)‖₂ is added to the loss. */
  private static <T> void penalise(Operations<T> ops, T widths) {
    T most = ops.constant(new float[] {MOST}, 1, 1);
    T zero = ops.constant(new float[] {0}, 1, 1);
    // min(w, 10) = 10 - max(10 - w, 0)
    T held = ops.subtract(most, ops.maximum(ops.subtract(most, widths), zero));
    float[] ones = {1, 1, 1, 1, 1, 1};
    T norm = ops.sqrt(ops.matmul(ops.multiply(held, held), ops.constant(ones, GENERATORS, 1)));
    ops.penalty(ops.multiply(norm, ops.constant(new float[] {WEIGHT}, 1, 1)));
  }

  /** exp(A) = (Σ (A/2ˢ)ᵏ/k!)^(2ˢ), of 3 x 3 matrices. */
  private static <T> T exponential(Operations<T> ops, T a) {
    T scaled = ops.multiply(a, ops.constant(new float[] {1f / (1 << SQUARINGS)}, 1, 1));
    T identity = ops.constant(new float[] {1, 0, 0, 0, 1, 0, 0, 0, 1}, 3, 3);
    // Horner: I + A(I + A/2(I + A/3(…)))
    T sum = identity;
    for (int k = TERMS; k >= 1; k--) {
      T factor = ops.multiply(scaled, ops.constant(new float[] {1f / k}, 1, 1));
      sum = ops.add(identity, ops.matmul(factor, sum));
    }
    for (int k = 0; k < SQUARINGS; k++) {
      sum = ops.matmul(sum, sum);
    }
    return sum;
  }
}
