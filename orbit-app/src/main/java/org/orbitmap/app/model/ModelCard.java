package org.orbitmap.app.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.orbitmap.app.option.ModelOptions;
import org.orbitmap.io.UserError;
import org.orbitmap.model.Layout;
import org.orbitmap.nn.model.Documents;

/**
 * What a user says about a model once and for all: a YAML file beside it, {@code net.yaml} for
 * {@code net.onnx}. Each key means what the option of that name does; all may be left out.
 *
 * @param classes the names of the classes, or the one name of a file beside the model with a class
 *     a line
 * @param frames how many frames the mapped model looks at
 */
public record ModelCard(
    double[] mean,
    double[] std,
    Double scale,
    Layout layout,
    String size,
    String input,
    String scores,
    Map<String, double[]> feed,
    List<String> classes,
    Integer frames) {
  private static final ModelCard NONE =
      new ModelCard(null, null, null, null, null, null, null, null, null, null);

  public ModelCard {
    feed = feed == null ? Map.of() : Map.copyOf(feed);
    classes = classes == null ? List.of() : List.copyOf(classes);
    if (frames != null && (frames < 1 || frames > 360)) {
      throw new IllegalArgumentException("frames: expected 1 to 360, found " + frames);
    }
  }

  /** Where the card of a model is. */
  static Path place(Path model) {
    String name = model.getFileName().toString();
    return model.resolveSibling(name.replaceFirst("\\.(onnx|pt)$", "") + ".yaml");
  }

  /**
   * The card beside a model; an empty one if there is none.
   *
   * @throws UserError if it cannot be understood
   */
  public static ModelCard beside(Path model) throws IOException {
    Path file = place(model);
    if (!Files.isRegularFile(model) || !Files.isRegularFile(file)) {
      return NONE;
    }
    try {
      ModelCard card =
          Documents.yaml()
              .enable(DeserializationFeature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
              .readValue(Files.readString(file), ModelCard.class);
      return card == null ? NONE : card.withNames(file);
    } catch (JsonProcessingException e) {
      throw UserError.expected(
          file.toString(),
          "YAML with mean, std, scale, layout, size, input, scores, feed, classes, frames",
          e.getOriginalMessage().lines().findFirst().orElse("something else"),
          "");
    }
  }

  /** With the names of the classes read, if they stand in a file of their own. */
  private ModelCard withNames(Path card) throws IOException {
    if (classes.size() != 1 || !Files.isRegularFile(card.resolveSibling(classes.get(0)))) {
      return this;
    }
    List<String> names = Files.readAllLines(card.resolveSibling(classes.get(0)));
    return new ModelCard(mean, std, scale, layout, size, input, scores, feed, names, frames);
  }

  /** What the options say and, where they say nothing, the card. */
  public ModelOptions options(ModelOptions given) {
    return given.or(ModelOptions.of(mean, std, scale, layout, size, input, scores, feed));
  }
}
