package org.orbitmap.nn;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.orbitmap.io.FormatException;

/**
 * A training run: with the data, everything that determines its result.
 *
 * @param data the data set: a built-in name such as {@code cifar10}, or a folder
 * @param size the side of pictures from files, cropped and scaled; 0 leaves them as they are
 * @param limit how many training pictures to use; 0 for all
 * @param network which network
 * @param mapping orbit mapping in front of it
 * @param scheme std, ra or ra-combined
 * @param augmentation crop, flip and colour jitter
 * @param oversample whether rare classes are repeated until all are equally frequent
 * @param optimiser sgd or adam
 * @param schedule of the learning rate
 * @param epochs passes over the training pictures
 * @param batch pictures in one step
 * @param validation the share of the training pictures kept for validation
 * @param keep which model is the result: best (on the validation pictures) or last
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
          "keep: expected last, found best without validation pictures");
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
        new Augmentation(4, true, 0),
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
    ObjectNode tree = YAML.valueToTree(this);
    ObjectNode at = tree;
    String[] keys = path.split("\\.", -1);
    for (int i = 0; i < keys.length - 1; i++) {
      JsonNode next = at.get(keys[i]);
      if (!(next instanceof ObjectNode node)) {
        throw new IllegalArgumentException("configuration: expected a known key, found " + path);
      }
      at = node;
    }
    if (!at.has(keys[keys.length - 1])) {
      throw new IllegalArgumentException("configuration: expected a known key, found " + path);
    }
    at.set(keys[keys.length - 1], YAML.valueToTree(value));
    try {
      return YAML.treeToValue(tree, TrainConfig.class);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(path + ": " + reason(e), e);
    }
  }

  private static final ObjectMapper YAML =
      YAMLMapper.builder(
              YAMLFactory.builder()
                  .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                  .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
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
    JsonNode given;
    try {
      given = YAML.readTree(Files.readString(file));
    } catch (JsonProcessingException e) {
      throw new FormatException(file, "YAML", reason(e));
    }
    if (given == null || !given.isObject()) {
      throw new FormatException(file, "keys and values in YAML", "something else");
    }
    ObjectNode tree = YAML.valueToTree(defaults());
    merge(tree, (ObjectNode) given);
    try {
      return YAML.treeToValue(tree, TrainConfig.class);
    } catch (JsonProcessingException e) {
      throw new FormatException(file, "a training configuration", reason(e));
    }
  }

  private static void merge(ObjectNode into, ObjectNode from) {
    for (var e : from.properties()) {
      if (into.get(e.getKey()) instanceof ObjectNode old
          && e.getValue() instanceof ObjectNode node) {
        merge(old, node);
      } else {
        into.set(e.getKey(), e.getValue());
      }
    }
  }

  private static String reason(JsonProcessingException e) {
    String path =
        e instanceof JsonMappingException m && !m.getPath().isEmpty()
            ? m.getPathReference().replaceAll("[^\\[]*\\[\"([^\"]*)\"\\](->)?", "$1.")
            : "";
    return (path + " " + e.getOriginalMessage().split("\n", -1)[0]).trim();
  }
}
