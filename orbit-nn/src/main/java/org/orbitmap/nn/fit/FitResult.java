package org.orbitmap.nn.fit;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.orbitmap.image.Image;
import org.orbitmap.image.Interpolation;

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
    List<Metrics> history,
    double[] errorsDegrees,
    List<Shown> shown) {
  /** How many of the first validation images are shown. */
  public static final int FIRST = 12;

  public FitResult {
    restorations = List.copyOf(restorations);
    history = List.copyOf(history);
    shown = List.copyOf(shown);
  }

  /** How many mistakes are shown. */
  private static final int MISTAKES = 6;

  /** The first answers, and then the surest mistakes. */
  static <G> List<Shown> shown(
      List<PoseErrors.Answer<G>> answers, Function<PoseErrors.Answer<G>, Shown> show) {
    Stream<PoseErrors.Answer<G>> mistakes =
        answers.stream()
            .skip(FIRST)
            .filter(a -> a.errorDegrees() > 20)
            .sorted(Comparator.comparingDouble(a -> -a.confidence()))
            .limit(MISTAKES);
    return Stream.concat(answers.stream().limit(FIRST), mistakes).map(show).toList();
  }

  /**
   * A validation input on its way, as an image.
   *
   * @param image as it is in the data, upright
   * @param canonical rotated and then in its canonical pose
   * @param upright as the predictor would have it
   * @param errorDegrees how far that is from upright
   * @param confidence the probability that the predictor gave to all about its answer
   */
  public record Shown(
      Image image, Image canonical, Image upright, double errorDegrees, double confidence) {}

  /**
   * A line of the history of a fit, about one epoch.
   *
   * @param network which of its networks
   * @param examples seen so far
   * @param loss the mean since the line before
   * @param rate the learning rate
   * @param score such as the share within 20° of some validation images
   */
  public record Metrics(String network, long examples, double loss, double rate, double score) {}

  /**
   * What a restorer gains: peak signal-to-noise ratios of images rotated there and back.
   *
   * @param interpolation of the rotation there; null for all of them
   * @param before in decibels, without the restorer
   * @param after in decibels, with it
   */
  public record Restoration(Interpolation interpolation, double before, double after) {}
}
