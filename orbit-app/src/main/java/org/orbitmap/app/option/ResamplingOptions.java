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
      description = "How images are read between pixels: nearest, bilinear (default) or bicubic.")
  private Interpolation interpolation = Interpolation.BILINEAR;

  @Option(
      names = "--fill",
      paramLabel = "FILL",
      description =
          "What a rotated image shows outside the original: zero (default), reflect (mirrored at"
              + " the inscribed circle), edge (the rim of that circle continued), or a number from 0"
              + " to 1.")
  private String fill = "zero";

  /**
   * What the options say.
   *
   * @param mask whether everything outside the inscribed circle is painted over
   */
  public Resampling resampling(boolean mask) {
    return new Resampling(interpolation, Fill.named(fill), mask);
  }
}
