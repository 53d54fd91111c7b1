package org.orbitmap.nn.train;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.orbitmap.io.FormatException;
import org.orbitmap.io.UserError;
import org.orbitmap.nn.model.Documents;

/** Configurations as YAML, and changes to them as text: unknown keys and wrong types are named. */
final class ConfigYaml {
  private static final ObjectMapper YAML = Documents.yaml();

  /** Where any key may stand. */
  private static final Set<String> FREE = Set.of("network.options", "fine-tuning.rates");

  private ConfigYaml() {}

  static String write(TrainConfig config) {
    try {
      return YAML.writeValueAsString(config);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  static TrainConfig changed(TrainConfig config, Map<String, String> changes) {
    ObjectNode tree = YAML.valueToTree(config);
    changes.forEach(
        (path, value) -> {
          JsonNode given = TextNode.valueOf(value);
          String[] keys = path.split("\\.", -1);
          for (int i = keys.length - 1; i >= 0; i--) {
            given = YAML.createObjectNode().set(keys[i], given);
          }
          merge(tree, given, "");
        });
    return of(tree);
  }

  static TrainConfig read(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw UserError.expected(
          file.toString(), "a YAML file", "a folder", "A run in a folder is resumed, not started");
    }
    try {
      return parse(file, Files.readString(file));
    } catch (CharacterCodingException e) {
      throw new FormatException(file, "a YAML file", "something that is no text");
    }
  }

  static TrainConfig parse(Path file, String text) throws FormatException {
    try {
      JsonNode given = YAML.readTree(text);
      if (!given.isObject()) {
        throw new FormatException(file, "keys and values in YAML", "something else");
      }
      ObjectNode tree = YAML.valueToTree(TrainConfig.defaults());
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
      JsonNode old = FREE.contains(path) ? TextNode.valueOf("") : into.get(e.getKey());
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
