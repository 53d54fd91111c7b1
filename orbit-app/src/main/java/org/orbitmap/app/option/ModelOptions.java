package org.orbitmap.app.option;

import static java.util.stream.Collectors.joining;

import java.io.Serializable;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.orbitmap.io.UserError;
import org.orbitmap.model.Layout;
import org.orbitmap.model.ModelInput;
import org.orbitmap.model.Preprocessing;
import picocli.CommandLine.Option;

/** What a model file does not tell about its input and its outputs. */
public final class ModelOptions implements Serializable {
  private static final long serialVersionUID = 1;

  @Option(
      names = "--mean",
      split = ",",
      paramLabel = "M",
      description = "Mean that is subtracted from each channel, after --scale (default: 0).")
  private double[] mean;

  @Option(
      names = "--std",
      split = ",",
      paramLabel = "S",
      description = "Number each channel is divided by, after --mean (default: 1).")
  private double[] std;

  @Option(
      names = "--scale",
      paramLabel = "X",
      description = "What pixels in [0, 1] are multiplied with first; 255 for models of bytes.")
  private Double scale;

  @Option(
      names = "--layout",
      paramLabel = "nchw|nhwc",
      description = "Where the channels are, if the model does not tell.")
  private Layout layout;

  @Option(
      names = "--size",
      paramLabel = "HxW",
      description = "Rows and columns, for models that take images of any size.")
  private String size;

  @Option(
      names = "--input",
      paramLabel = "NAME",
      description = "The input with images or clouds, if several could be it.")
  private String input;

  @Option(
      names = "--scores",
      paramLabel = "OUTPUT",
      description = "The output with the class scores, if several could be it.")
  private String scores;

  @Option(
      names = "--feed",
      paramLabel = "NAME=NUMBERS",
      description =
          "A constant for a further input: a number for all of it, or one for each element, with"
              + " commas. May be given several times.")
  private Map<String, String> feed = new LinkedHashMap<>();

  /** Options with these values; null where nothing is said. */
  public static ModelOptions of(
      double[] mean,
      double[] std,
      Double scale,
      Layout layout,
      String size,
      String input,
      String scores,
      Map<String, double[]> feed) {
    ModelOptions options = new ModelOptions();
    options.mean = mean;
    options.std = std;
    options.scale = scale;
    options.layout = layout;
    options.size = size;
    options.input = input;
    options.scores = scores;
    feed.forEach(
        (name, numbers) ->
            options.feed.put(
                name, Arrays.stream(numbers).mapToObj(Double::toString).collect(joining(","))));
    return options;
  }

  /** What is said here and, where nothing is, there. */
  public ModelOptions or(ModelOptions other) {
    ModelOptions both = new ModelOptions();
    both.mean = mean != null ? mean : other.mean;
    both.std = std != null ? std : other.std;
    both.scale = scale != null ? scale : other.scale;
    both.layout = layout != null ? layout : other.layout;
    both.size = size != null ? size : other.size;
    both.input = input != null ? input : other.input;
    both.scores = scores != null ? scores : other.scores;
    both.feed.putAll(other.feed);
    both.feed.putAll(feed);
    return both;
  }

  /** Constants for further inputs, by name. */
  public Map<String, double[]> feed() {
    Map<String, double[]> numbers = new LinkedHashMap<>();
    feed.forEach(
        (name, text) -> {
          try {
            numbers.put(
                name, Arrays.stream(text.split(",")).mapToDouble(Double::parseDouble).toArray());
          } catch (NumberFormatException e) {
            throw UserError.expected("--feed", "NAME=NUMBERS such as k=0.5", name + "=" + text, "");
          }
        });
    return numbers;
  }

  /** The output with the class scores; null for the only one that can be it. */
  public String scores() {
    return scores;
  }

  public ModelInput.Hints hints() {
    if (size == null) {
      return new ModelInput.Hints(input, layout, -1, -1);
    }
    if (!size.toLowerCase(Locale.ROOT).matches("[1-9]\\d{0,4}x[1-9]\\d{0,4}")) {
      throw new IllegalArgumentException("--size: expected HxW such as 224x224, found " + size);
    }
    int[] hw =
        Arrays.stream(size.toLowerCase(Locale.ROOT).split("x"))
            .mapToInt(Integer::parseInt)
            .toArray();
    return new ModelInput.Hints(input, layout, hw[0], hw[1]);
  }

  /** Whether something is said here. */
  public boolean given() {
    return !feed.isEmpty()
        || Stream.of(mean, std, scale, layout, size, input, scores).anyMatch(Objects::nonNull);
  }

  /** The side of the square images that the size says; 0 if it says none. */
  public int side() {
    ModelInput.Hints told = hints();
    return told.height() == told.width() ? Math.max(0, told.height()) : 0;
  }

  /** How pixels reach the model: as usual, but for what the options say. */
  public Preprocessing preprocessing(ModelInput<?> of) {
    if (of instanceof ModelInput.Clouds
        && (mean != null || std != null || scale != null || layout != null || size != null)) {
      throw new IllegalArgumentException(
          "--mean, --std, --scale, --layout, --size: expected with models of images, found " + of);
    }
    Preprocessing usual = Preprocessing.usual(of);
    return new Preprocessing(
        scale == null ? usual.scale() : scale,
        mean == null ? usual.mean() : mean,
        std == null ? usual.std() : std);
  }
}
