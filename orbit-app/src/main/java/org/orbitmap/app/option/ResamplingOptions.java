package org.orbitmap.app.option;

import org.orbitmap.image.Fill;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampling;
import picocli.CommandLine.Option;

/** How rotated images are computed. */
public final class ResamplingOptions {
  @Option(
      names = "--interpolation",
      converter = InterpolationConverter.class,
      paramLabel = "KIND",
      description =
          "How images are read between pixels: nearest, bilinear or bicubic (default: bilinear; for"
              + " wrap bicubic).")
  private Interpolation interpolation;

  @Option(
      names = "--fill",
      paramLabel = "FILL",
      description =
          "What a rotated image shows outside the original: zero, reflect (mirrored at the"
              + " inscribed circle), edge (the rim of that circle continued), or a number from 0 to"
              + " 1 (default: zero; for wrap edge).")
  private String fill;

  /**
   * What the options say.
   *
   * @param mask whether everything outside the inscribed circle is painted over
   */
  public Resampling resampling(boolean mask) {
    return resampling(Resampling.BILINEAR).withMask(mask);
  }

  /** What the options say and, where they say nothing, the usual. */
  public Resampling resampling(Resampling usual) {
    return new Resampling(
        interpolation == null ? usual.interpolation() : interpolation,
        fill == null ? usual.fill() : Fill.named(fill),
        usual.mask());
  }

  /** Whether the fill is said. */
  public boolean filled() {
    return fill != null;
  }
}
