package org.orbitmap.nn.fit;

import java.nio.file.Path;
import java.util.List;
import org.orbitmap.image.Image;

/**
 * What a fit gave.
 *
 * @param file where the predictor is
 * @param training how many inputs it learned from
 * @param examples how many examples it saw
 * @param parameters the number of trainable parameters of the predictor
 * @param seconds that it took, over all of its parts
 * @param errors on the validation inputs
 * @param restorations what the restorer gains, by interpolation; none without one
 * @param history what was measured on the way
 * @param errorsDegrees the error of each validation input
 * @param shown validation images: the {@link #FIRST} first ones, then the surest mistakes
 */
public record FitResult(
    Path file,
    int training,
    long examples,
    long parameters,
    double seconds,
    PoseErrors errors,
    List<Restoration> restorations,
    List<FitMetrics> history,
    double[] errorsDegrees,
    List<Shown> shown) {
  /** How many of the first validation images are shown. */
  public static final int FIRST = 12;

  public FitResult {
    restorations = List.copyOf(restorations);
    history = List.copyOf(history);
    shown = List.copyOf(shown);
  }

  /**
   * A validation image on its way.
   *
   * @param image as it is in the data, upright
   * @param canonical rotated and then in its canonical pose
   * @param upright as the predictor would have it
   * @param errorDegrees how far that is from upright
   * @param confidence the probability that the predictor gave to all within 20° of its answer
   */
  public record Shown(
      Image image, Image canonical, Image upright, double errorDegrees, double confidence) {}
}
