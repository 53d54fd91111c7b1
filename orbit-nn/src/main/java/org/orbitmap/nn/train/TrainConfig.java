package org.orbitmap.nn.train;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.orbitmap.io.FormatException;
import org.orbitmap.io.UserError;
import org.orbitmap.nn.network.Architecture;
import org.orbitmap.nn.network.MappingConfig;
import org.orbitmap.nn.scheme.Scheme;

/**
 * A training run: with the data, everything that determines its result.
 *
 * @param data the data set: a built-in name such as {@code cifar10}, or a folder
 * @param size the side of images from files, cropped and scaled; 0 leaves them as they are
 * @param limit how many training images to use; 0 for all
 * @param network which network
 * @param mapping orbit mapping in front of it
 * @param scheme std, ra or ra-combined
 * @param augmentation crop, flip and colour jitter
 * @param oversample whether rare classes are repeated until all are equally frequent
 * @param optimiser sgd or adam
 * @param schedule of the learning rate
 * @param epochs passes over the training images
 * @param batch images in one step
 * @param validation the share of the training images kept for validation
 * @param keep which model is the result: best (on the validation images) or last
 * @param seed of everything random
 * @param threads of the engine; 0 takes one for each processor
 */
public record TrainConfig(
    String data,
    int size,
    int limit,
    Net network,
    MappingConfig mapping,
    String scheme,
    Augmentation augmentation,
    boolean oversample,
    Method optimiser,
    Schedule schedule,
    int epochs,
    int batch,
    double validation,
    String keep,
    long seed,
    int threads) {
  /**
   * Which network.
   *
   * @param kind linear, convnet, resnet18 or resnet50
   * @param width factor on the channels of the hidden layers
   * @param tiPooling whether features are pooled over four quarter turns
   */
  public record Net(String kind, double width, boolean tiPooling) {
    public Net {
      kind = Architecture.Kind.named(kind).id();
    }
  }

  /**
   * How gradients become steps.
   *
   * @param kind sgd or adam
   * @param rate the learning rate at the start
   * @param momentum of sgd
   * @param weightDecay the factor of the weights added to the gradient
   */
  public record Method(String kind, double rate, double momentum, double weightDecay) {
    public Method {
      kind = MappingConfig.oneOf("optimiser.kind", kind, "sgd", "adam");
      // The engine computes in single precision.
      if (!(rate > 0 && rate <= Float.MAX_VALUE)
          || !(momentum >= 0 && momentum < 1)
          || !(weightDecay >= 0 && weightDecay <= Float.MAX_VALUE)) {
        throw new IllegalArgumentException(
            "optimiser: expected rate > 0, momentum in [0, 1), weight-decay >= 0, all in single precision, found %s, %s, %s"
                .formatted(rate, momentum, weightDecay));
      }
    }
  }

  public TrainConfig {
    scheme = Scheme.named(scheme).name();
    keep = MappingConfig.oneOf("keep", keep, "best", "last");
    if (epochs < 1 || batch < 1 || limit < 0 || size < 0 || threads < 0) {
      throw new IllegalArgumentException(
          "training: expected epochs >= 1, batch >= 1, limit >= 0, size >= 0, threads >= 0, found %d, %d, %d, %d, %d"
              .formatted(epochs, batch, limit, size, threads));
    }
    if (!(validation >= 0 && validation < 1)) {
      throw new IllegalArgumentException(
          "validation: expected a share in [0, 1), found " + validation);
    }
    if (keep.equals("best") && validation == 0) {
      throw new IllegalArgumentException(
          "keep: expected last, found best without validation images");
    }
    if (schedule.kind() == Schedule.Kind.PLATEAU && validation == 0) {
      throw new IllegalArgumentException(
          "schedule.kind: expected another than plateau without validation images, found plateau");
    }
  }

  /** The paper's protocol for CIFAR-10 with the ConvNet, standard training, no mapping. */
  public static TrainConfig defaults() {
    return new TrainConfig(
        "cifar10",
        0,
        0,
        new Net("convnet", 1, false),
        MappingConfig.NONE,
        "std",
        new Augmentation(4, true, false, 0),
        false,
        new Method("sgd", 0.01, 0.9, 5e-4),
        new Schedule(Schedule.Kind.PLATEAU, 0.5, 5, 0),
        150,
        128,
        0.2,
        "best",
        0,
        0);
  }

  /** A small network that learns the generated signs in seconds. */
  public static TrainConfig glyphs() {
    return defaults()
        .with("data", "glyphs")
        .with("limit", 1600)
        .with("network.width", 0.5)
        .with("augmentation.crop", 2)
        .with("augmentation.flip", false)
        .with("optimiser.kind", "adam")
        .with("optimiser.rate", 1e-3)
        .with("optimiser.weight-decay", 0.0)
        .with("schedule.kind", "exponential")
        .with("schedule.factor", 0.8)
        .with("epochs", 4)
        .with("batch", 32);
  }

  /** The same run with another seed. */
  public TrainConfig withSeed(long other) {
    return with("seed", other);
  }

  /**
   * The same run with one value changed.
   *
   * @param path such as {@code epochs} or {@code mapping.rule}
   */
  public TrainConfig with(String path, Object value) {
    return with(Map.of(path, value));
  }

  /** The same run with some values changed, all at once. */
  public TrainConfig with(Map<String, ?> changes) {
    ObjectNode tree = YAML.valueToTree(this);
    changes.forEach(
        (path, value) -> {
          JsonNode given = YAML.valueToTree(value);
          String[] keys = path.split("\\.", -1);
          for (int i = keys.length - 1; i >= 0; i--) {
            given = YAML.createObjectNode().set(keys[i], given);
          }
          merge(tree, given, "");
        });
    return of(tree);
  }

  private static final ObjectMapper YAML =
      YAMLMapper.builder(
              YAMLFactory.builder()
                  .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                  .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .build())
          .propertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE)
          .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  /** The configuration as YAML, every value written out. */
  public String toYaml() {
    try {
      return YAML.writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Reads a YAML file; what it leaves out keeps its default. */
  public static TrainConfig read(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw UserError.expected(
          file.toString(),
          "a YAML file",
          "a folder",
          "A run goes on with: orbit train --resume RUN");
    }
    try {
      return parse(file, Files.readString(file));
    } catch (CharacterCodingException e) {
      throw new FormatException(file, "a YAML file", "something that is no text");
    }
  }

  /** Reads YAML that was in a file. */
  static TrainConfig parse(Path file, String text) throws FormatException {
    try {
      JsonNode given = YAML.readTree(text);
      if (!given.isObject()) {
        throw new FormatException(file, "keys and values in YAML", "something else");
      }
      ObjectNode tree = YAML.valueToTree(defaults());
      merge(tree, given, "");
      return of(tree);
    } catch (JsonProcessingException e) {
      throw new FormatException(
          file,
          "YAML",
          "an error in line %d: %s"
              .formatted(
                  e.getLocation() == null ? 0 : e.getLocation().getLineNr(),
                  e.getOriginalMessage().split("\n", -1)[0]));
    } catch (IllegalArgumentException e) {
      throw new UserError(file + ": " + e.getMessage(), e);
    }
  }

  /** Puts what is given in its place, if it is a known key and a value of its type. */
  private static void merge(ObjectNode into, JsonNode given, String path) {
    if (!given.isObject()) {
      throw wrong(path, "the keys " + keys(into), given);
    }
    for (Map.Entry<String, JsonNode> e : given.properties()) {
      String key = path + (path.isEmpty() ? "" : ".") + e.getKey();
      JsonNode old = into.get(e.getKey());
      if (old == null) {
        throw new IllegalArgumentException(
            "%s: expected one of the keys %s, found %s"
                .formatted(path.isEmpty() ? "configuration" : path, keys(into), key));
      }
      if (old instanceof ObjectNode node) {
        merge(node, e.getValue(), key);
      } else {
        into.set(e.getKey(), value(key, old, e.getValue()));
      }
    }
  }

  /** A value as one of the same type as the old one; numbers and truths may be given as text. */
  private static JsonNode value(String key, JsonNode old, JsonNode given) {
    String text = given.isValueNode() && !given.isNull() ? given.asText().trim() : "";
    String expected =
        old.isIntegralNumber()
            ? "a whole number"
            : old.isNumber() ? "a number" : old.isBoolean() ? "true or false" : "a text";
    try {
      if (old.isInt()) {
        return IntNode.valueOf(Integer.parseInt(text));
      }
      if (old.isLong()) {
        return LongNode.valueOf(Long.parseLong(text));
      }
      if (old.isNumber() && Double.isFinite(Double.parseDouble(text))) {
        return DoubleNode.valueOf(Double.parseDouble(text));
      }
      if (old.isBoolean() && text.matches("(?i)true|false")) {
        return BooleanNode.valueOf(Boolean.parseBoolean(text));
      }
      if (old.isTextual() && !text.isEmpty()) {
        return TextNode.valueOf(text);
      }
    } catch (NumberFormatException e) {
      throw wrong(key, expected, given);
    }
    throw wrong(key, expected, given);
  }

  private static IllegalArgumentException wrong(String key, String expected, JsonNode given) {
    String found =
        given instanceof ObjectNode node
            ? "the keys " + keys(node)
            : given.isArray()
                ? "a list"
                : given.isNull() || given.asText().isBlank() ? "nothing" : given.asText();
    return new IllegalArgumentException(
        "%s: expected %s, found %s".formatted(key, expected, found));
  }

  private static String keys(ObjectNode node) {
    return node.properties().stream().map(Map.Entry::getKey).collect(Collectors.joining(", "));
  }

  /** The configuration of a whole tree. */
  private static TrainConfig of(ObjectNode tree) {
    try {
      return YAML.treeToValue(tree, TrainConfig.class);
    } catch (InvalidFormatException e) { // of what is left, only names of an enum
      throw new IllegalArgumentException(
          "%s: expected one of %s, found %s"
              .formatted(
                  e.getPath().stream()
                      .map(JsonMappingException.Reference::getFieldName)
                      .collect(Collectors.joining(".")),
                  Arrays.toString(e.getTargetType().getEnumConstants()).toLowerCase(Locale.ROOT),
                  e.getValue()),
          e);
    } catch (JsonProcessingException e) {
      throw e.getCause() instanceof IllegalArgumentException told
          ? told
          : new IllegalArgumentException("configuration: " + e.getOriginalMessage(), e);
    }
  }
}
