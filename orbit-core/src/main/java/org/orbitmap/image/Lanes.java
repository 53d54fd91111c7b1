package org.orbitmap.image;

import java.util.ServiceLoader;

/**
 * The innermost loops over colour images on vectors of the processor: what {@link Resampler} and
 * the weight maps compute with plain loops, to rounding. The plain loops are the definition; they
 * are used wherever an implementation passes, or is absent.
 *
 * <p>{@link ServiceLoader} finds it, in a Java virtual machine that was started with {@code
 * --add-modules jdk.incubator.vector}; in others nobody looks for it.
 */
public interface Lanes {
  /** The rows of one image, resampled one at a time. */
  interface Rows {
    /**
     * Resamples some pixels of a row: the k-th of them reads at (x + k·dx, y + k·dy), in 32.32
     * fixed-point numbers from the first pixel of the image on. Each has a tap inside the image, up
     * to rounding.
     *
     * @param at where the first of them is in the first channel of the output
     * @param count how many
     */
    void sample(long x, long y, float[] out, int at, int count);
  }

  /**
   * What resamples the rows of an image, or null where the plain loop should. It belongs to this
   * thread, until it asks for rows again.
   *
   * @param fill what is outside of the image
   * @param dx how far it is from where a pixel reads to where the next one does
   * @param dy the same downwards
   */
  Rows rows(Image in, Interpolation kind, float fill, long dx, long dy);

  /**
   * The sums of a pose, for three channels and an odd map of weights W: with s(z) the sum over the
   * channels of u(z) - u(-z), they go over a half of the plane.
   *
   * @param u the samples
   * @param re Re W, row by row
   * @param im Im W
   * @return ΣRe W·s, ΣIm W·s, Σ|s|, and a number that is not 0 if a sample is not finite or nearly
   *     so; or null where the plain loop should do it
   */
  double[] pose(float[] u, double[] re, double[] im);

  /** The one that there is, or null. */
  static Lanes found() {
    return Holder.FOUND;
  }

  /** Looks for it once, when the first image is mapped. */
  final class Holder {
    private static final Lanes FOUND = find();

    private Holder() {}

    private static Lanes find() {
      if (ModuleLayer.boot().findModule("jdk.incubator.vector").isEmpty()) {
        return null;
      }
      return ServiceLoader.load(Lanes.class, Lanes.class.getClassLoader()).findFirst().orElse(null);
    }
  }
}
