package org.orbitmap.network.steerable;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.orbitmap.network.Convolution;
import org.orbitmap.network.Initial;
import org.orbitmap.network.Operations;

/**
 * A convolution to regular fields that commutes with a group: f ↦ Σ_y K(y) f(x + y) with K in the
 * {@link KernelSpace}.
 *
 * <p>A kernel is known by what goes to channel 0 (the identity) of the field that comes out: K[a,
 * b](x) = K[0, a⁻¹b](a⁻¹x). So the parameters {@code name.weight} are w[o, i, h, m], |ρ_in|·Σ(1 +
 * 2·cut-off) for each pair of fields, and K[(o, a), (i, b)](x) = Σ_m w[o, i, a⁻¹b, m] b_m(a⁻¹x): a
 * product with fixed numbers, and a permutation. Whoever evaluates or exports does that once: what
 * remains is an ordinary convolution.
 *
 * @param name of the layer
 * @param in what comes in
 * @param out what goes out, regular
 * @param basis what kernels are made of
 */
public record SteerableConvolution(String name, FieldType in, FieldType out, SteerableBasis basis)
    implements Operations.Derivation {
  /** Bases and permutations by what they depend on: the same for every network, step and thread. */
  private static final Map<Object, float[]> STEERED = new ConcurrentHashMap<>();

  private static final Map<Object, int[]> PLACES = new ConcurrentHashMap<>();

  public SteerableConvolution {
    if (!out.regular()) {
      throw new IllegalArgumentException(name + ": expected regular fields, found " + out);
    }
  }

  /** How many numbers are learned. */
  public long parameters() {
    return (long) out.count() * in.channels() * basis.count();
  }

  /**
   * The convolution.
   *
   * @param padding zeros added on every side
   */
  public <T> T apply(Operations<T> ops, T x, int padding) {
    Convolution how = Convolution.of(out.channels(), basis.side()).padding(padding).withoutBias();
    return ops.convolution(x, ops.derived(name + ".kernel", this), how);
  }

  /** The expanded kernels: output channels, input channels, rows, columns. */
  @Override
  public <T> T of(Operations<T> ops) {
    int side = basis.side();
    int order = out.group().order();
    int rows = out.count() * in.channels();
    Initial initial = Initial.he((long) in.channels() * basis.count());
    T w = ops.parameter(name + ".weight", initial, rows, basis.count());
    T b = ops.constant(steered(), basis.count(), order * side * side);
    T kernels = ops.reshape(ops.matmul(w, b), rows * order, side * side);
    return ops.reshape(ops.select(kernels, places()), out.channels(), in.channels(), side, side);
  }

  private record Steered(PlaneGroup group, boolean regular, SteerableBasis basis) {}

  private float[] steered() {
    return STEERED.computeIfAbsent(
        new Steered(in.group(), in.regular(), basis),
        key -> flat(new KernelSpace(in, out, basis).steered()));
  }

  /** All rows, one after another. */
  static float[] flat(double[][] rows) {
    float[] flat = new float[rows.length * rows[0].length];
    for (int i = 0; i < flat.length; i++) {
      flat[i] = (float) rows[i / rows[0].length][i % rows[0].length];
    }
    return flat;
  }

  private record Places(FieldType in, int out) {}

  private int[] places() {
    return PLACES.computeIfAbsent(new Places(in, out.count()), key -> findPlaces());
  }

  /** Where the kernel from (i, b) to (o, a) stands in [o, i, h, a]: h = a⁻¹b. */
  int[] findPlaces() {
    PlaneGroup group = out.group();
    int order = group.order();
    int[] places = new int[out.channels() * in.channels()];
    int at = 0;
    for (int o = 0; o < out.count(); o++) {
      for (int a = 0; a < order; a++) {
        int back = group.inverse(a);
        for (int i = 0; i < in.count(); i++) {
          for (int b = 0; b < in.size(); b++) {
            int h = in.moved(back, b);
            places[at++] = ((o * in.count() + i) * in.size() + h) * order + a;
          }
        }
      }
    }
    return places;
  }
}
