package org.orbitmap.app.audit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.orbitmap.app.option.Json;
import org.orbitmap.io.FormatException;

/**
 * A file that says which output of a model a name means:
 *
 * <ul>
 *   <li>a name on each line, in the order of the outputs, with a WordNet id in front or without:
 *       {@code n01440764 tench, Tinca tinca} (as in {@code LOC_synset_mapping.txt})
 *   <li>lines {@code name,output} or {@code output,name}, with a heading or without; the output is
 *       its number from 0, or a name that is known already
 *   <li>JSON: {@code {"0": ["n01440764", "tench"], …}} (as in {@code imagenet_class_index.json}),
 *       {@code {"0": "tench"}}, {@code {"tench": 0}}, {@code {"fish": "tench"}} or {@code ["tench",
 *       …]}
 * </ul>
 *
 * @param ordered whether it lists all outputs in their order
 */
record LabelFile(List<Line> lines, boolean ordered) {
  private static final Pattern WORDNET = Pattern.compile("(n\\d{8})(?:[\\s,;]+(?!\\d+$)(.+))?");
  private static final Pattern NAME_NUMBER = Pattern.compile("(.+?)\\s*[,;\\t]\\s*(\\d+)");
  private static final Pattern NUMBER_NAME = Pattern.compile("(\\d+)\\s*[,;:\\t ]\\s*(.+)");
  private static final Pattern NAME_NAME = Pattern.compile("([^,;\\t]+)[,;\\t]([^,;\\t]+)");

  /**
   * Some names of one output.
   *
   * @param output its number, or a name of it
   */
  record Line(List<String> names, String output) {}

  /**
   * Reads a file.
   *
   * @param known whether a name of an output is known already
   */
  static LabelFile read(Path file, Predicate<String> known) throws IOException {
    String text = Files.readString(file).strip();
    if (text.startsWith("\uFEFF")) {
      text = text.substring(1).strip();
    }
    if (text.startsWith("{") || text.startsWith("[")) {
      return json(file, text);
    }
    List<String> lines = text.lines().map(String::strip).filter(l -> !l.isEmpty()).toList();
    if (lines.isEmpty()) {
      throw new FormatException(file, "a name on each line", "an empty file");
    }
    if (all(lines, WORDNET)) {
      return list(lines.stream().map(LabelFile::wordNet).toList());
    }
    for (List<String> body : List.of(lines, lines.subList(1, lines.size()))) {
      if (!body.isEmpty() && all(body, NAME_NUMBER)) {
        return new LabelFile(pairs(body, NAME_NUMBER, 1, 2), false);
      }
      if (!body.isEmpty() && all(body, NUMBER_NAME)) {
        return new LabelFile(pairs(body, NUMBER_NAME, 2, 1), false);
      }
      if (!body.isEmpty() && all(body, NAME_NAME)) {
        List<Line> pairs = pairs(body, NAME_NAME, 1, 2);
        if (pairs.stream().allMatch(p -> p.output().matches("\\d+") || known.test(p.output()))) {
          return new LabelFile(pairs, false);
        }
      }
    }
    return list(lines.stream().map(LabelFile::names).toList());
  }

  private static boolean all(List<String> lines, Pattern pattern) {
    return lines.stream().allMatch(l -> pattern.matcher(l).matches());
  }

  private static List<Line> pairs(List<String> lines, Pattern pattern, int name, int output) {
    List<Line> pairs = new ArrayList<>();
    for (String line : lines) {
      Matcher m = pattern.matcher(line);
      if (m.matches()) {
        pairs.add(new Line(names(m.group(name)), m.group(output).strip()));
      }
    }
    return pairs;
  }

  /** The id and the names of a line such as {@code n01440764 tench, Tinca tinca}. */
  static List<String> wordNet(String line) {
    Matcher m = WORDNET.matcher(line);
    if (!m.matches() || m.group(2) == null) {
      return List.of(line);
    }
    return Stream.concat(Stream.of(m.group(1)), names(m.group(2)).stream()).toList();
  }

  /** {@code tench, Tinca tinca} are two names, and so is the whole. */
  private static List<String> names(String text) {
    List<String> parts = Arrays.stream(text.split(",")).map(String::strip).toList();
    return Stream.concat(parts.stream(), Stream.of(text))
        .filter(n -> !n.isEmpty())
        .distinct()
        .toList();
  }

  private static LabelFile list(List<List<String>> names) {
    List<Line> lines = new ArrayList<>();
    for (int k = 0; k < names.size(); k++) {
      lines.add(new Line(names.get(k), Integer.toString(k)));
    }
    return new LabelFile(lines, true);
  }

  private static LabelFile json(Path file, String text) throws IOException {
    JsonNode root;
    try {
      root = Json.mapper().readTree(text);
    } catch (JsonProcessingException e) {
      throw new FormatException(file, "JSON", e.getOriginalMessage());
    }
    if (root.isArray()) {
      List<List<String>> names = new ArrayList<>();
      for (JsonNode each : root) {
        names.add(names(file, each));
      }
      return list(names);
    }
    List<Line> lines = new ArrayList<>();
    for (Map.Entry<String, JsonNode> each : root.properties()) {
      JsonNode value = each.getValue();
      boolean numbered = each.getKey().matches("\\d+") && !value.isIntegralNumber();
      lines.add(
          numbered
              ? new Line(names(file, value), each.getKey())
              : new Line(names(each.getKey()), output(file, value)));
    }
    return new LabelFile(lines, false);
  }

  private static List<String> names(Path file, JsonNode value) throws FormatException {
    if (value.isTextual()) {
      return names(value.textValue());
    }
    List<String> names = new ArrayList<>();
    for (JsonNode each : value) {
      if (each.isTextual()) {
        names.addAll(names(each.textValue()));
      }
    }
    if (names.isEmpty()) {
      throw new FormatException(file, "a name or several for each output", value);
    }
    return names;
  }

  private static String output(Path file, JsonNode value) throws FormatException {
    if (!value.isTextual() && !value.isIntegralNumber()) {
      throw new FormatException(file, "the number or the name of an output", value);
    }
    return value.asText();
  }
}
