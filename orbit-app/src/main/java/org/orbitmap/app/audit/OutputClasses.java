package org.orbitmap.app.audit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.orbitmap.app.model.LoadedModel;
import org.orbitmap.eval.Labelled;
import org.orbitmap.io.FormatException;
import org.orbitmap.io.UserError;
import org.orbitmap.io.data.DataSet;

/**
 * Which output of a model each class of the data is. The data may cover only some of the outputs.
 *
 * <p>Names decide where they are known: from files, or from the model. Otherwise numbers are the
 * numbers of outputs; a model of 1,000 outputs, or of 1,001 with the background first, may be one
 * of ImageNet, whose names and WordNet ids are known; and as many classes as outputs are taken in
 * their order. Anything else is refused: a label that means another class would make every figure
 * wrong.
 */
public final class OutputClasses {
  /** Instead of a file: the classes of the data are not those of the model. */
  private static final Path NONE = Path.of("none");

  /** Instead of a file: the classes of ImageNet (ILSVRC 2012) in their usual order. */
  private static final Path IMAGENET = Path.of("imagenet");

  /** Its 1,000 WordNet ids, ascending, with the names that WordNet 3.0 gives them. */
  private static final String IMAGENET_NAMES = "imagenet.txt";

  private static final int IMAGENET_CLASSES = 1000;

  private static final int AMBIGUOUS = -2;
  private static final int NAMED = 3;
  private static final String ADVICE =
      "Say which output is which with --labels FILE, or measure agreement alone with --labels none";

  private final int outputs;
  private final Map<String, Integer> known = new LinkedHashMap<>();

  /** What names mean that nobody explained: ImageNet's, where the number of outputs is its. */
  private final Map<String, Integer> usual = new HashMap<>();

  private final String[] names;

  private OutputClasses(int outputs) {
    this.outputs = outputs;
    this.names = new String[outputs];
  }

  /**
   * The data with labels that are outputs of the model; without labels if it has none, or if that
   * is asked for.
   *
   * @param files what {@link LabelFile} reads, each with names that those before it know, or {@code
   *     imagenet}; or {@code none} alone
   * @throws UserError if it is not known which output a class is
   */
  public static <X> DataSet<X> fit(DataSet<X> set, LoadedModel model, List<Path> files)
      throws IOException {
    if (files.equals(List.of(NONE))) {
      return set.labelled() ? set.unlabelled() : set;
    }
    if (!set.labelled()) {
      if (files.isEmpty()) {
        return set;
      }
      throw UserError.expected(
          "--labels",
          "data with classes",
          "files without",
          "Put them into a folder for each class");
    }
    int count = outputs(set, model);
    OutputClasses classes = new OutputClasses(count);
    for (int k = 0; k < model.classes().size(); k++) {
      classes.name(k, List.of(model.classes().get(k)));
    }
    if (model.classes().isEmpty() || model.classes().equals(names(count))) {
      classes.imageNet().forEach((output, names) -> learn(classes.usual, output, names));
    }
    for (Path file : files) {
      classes.read(file);
    }
    int[] output = classes.outputs(set.classes(), model);
    for (int c = 0; c < output.length; c++) {
      if (classes.names[output[c]] == null) {
        classes.names[output[c]] = set.classes().get(c);
      }
    }
    List<String> all =
        IntStream.range(0, count)
            .mapToObj(k -> classes.names[k] == null ? "class " + k : classes.names[k])
            .toList();
    int[] labels = IntStream.range(0, set.size()).map(i -> output[set.label(i)]).toArray();
    return all.equals(set.classes()) && labels.length == set.size() && same(set, labels)
        ? set
        : set.labelled(all, labels);
  }

  /** What the outputs of a model are called that does not tell: ImageNet's classes, or numbers. */
  public static List<String> names(int outputs) throws IOException {
    return names(outputs, List.of(), outputs == IMAGENET_CLASSES ? List.of(IMAGENET) : List.of());
  }

  /**
   * What files call the outputs of a model; the others have the names that the model knows, or
   * numbers.
   *
   * @param own the names that the model knows; empty for none
   * @param files as for {@link #fit}
   */
  public static List<String> names(int outputs, List<String> own, List<Path> files)
      throws IOException {
    OutputClasses classes = new OutputClasses(outputs);
    classes.imageNet().forEach((output, names) -> learn(classes.usual, output, names));
    for (int k = 0; k < own.size(); k++) {
      classes.usual.put(plain(own.get(k)), k);
    }
    for (Path file : files) {
      classes.read(file);
    }
    for (int k = 0; k < outputs; k++) {
      if (classes.names[k] == null) {
        classes.names[k] = k < own.size() ? own.get(k) : "class " + k;
      }
    }
    Map<String, Long> often =
        Arrays.stream(classes.names).collect(Collectors.groupingBy(n -> n, Collectors.counting()));
    return IntStream.range(0, outputs)
        .mapToObj(
            k -> {
              String name = classes.names[k];
              // Two classes of ImageNet may share a name, such as crane.
              return often.get(name) > 1 ? "%s (%d)".formatted(name, k) : name;
            })
        .toList();
  }

  /** How many classes a model has. */
  public static <X> int outputs(DataSet<X> set, LoadedModel model) {
    return model.classifier(set.shape()).scores(List.of(set.input(0)))[0].length;
  }

  private static boolean same(DataSet<?> set, int[] labels) {
    return IntStream.range(0, labels.length).allMatch(i -> labels[i] == set.label(i));
  }

  /** Names of an output; the first that is no WordNet id is what it is called. */
  private void name(int output, List<String> all) {
    learn(known, output, all);
    if (names[output] == null) {
      names[output] =
          all.stream().filter(n -> !n.matches("n\\d{8}")).findFirst().orElse(all.get(0));
    }
  }

  private static void learn(Map<String, Integer> map, int output, List<String> names) {
    for (String name : names) {
      map.merge(plain(name), output, (a, b) -> a.equals(b) ? a : Integer.valueOf(AMBIGUOUS));
    }
  }

  /** The names of each output if there are as many as in a model of ImageNet; else nothing. */
  private Map<Integer, List<String>> imageNet() throws IOException {
    Map<Integer, List<String>> all = new LinkedHashMap<>();
    int background = outputs - IMAGENET_CLASSES;
    if (background == 0 || background == 1) {
      try (InputStream in = OutputClasses.class.getResourceAsStream(IMAGENET_NAMES)) {
        for (String line : new String(in.readAllBytes(), UTF_8).lines().toList()) {
          all.put(all.size() + background, LabelFile.wordNet(line));
        }
      }
    }
    return all;
  }

  private void read(Path file) throws IOException {
    if (file.equals(IMAGENET)) {
      Map<Integer, List<String>> all = imageNet();
      all.forEach(this::name);
      if (all.isEmpty()) {
        throw UserError.expected(
            "--labels imagenet",
            "a model of 1,000 outputs, or of 1,001 with the background first",
            "%,d".formatted(outputs),
            "Name the outputs in a file: --labels FILE");
      }
      return;
    }
    LabelFile labels = LabelFile.read(file, name -> find(name) != Labelled.UNKNOWN);
    if (labels.ordered() && labels.lines().size() != outputs) {
      throw new FormatException(
          file,
          "names for the %,d outputs of the model".formatted(outputs),
          "%,d. For some of them write name,output on each line".formatted(labels.lines().size()));
    }
    List<Integer> at = new ArrayList<>();
    for (LabelFile.Line line : labels.lines()) {
      at.add(output(file, line.output()));
    }
    for (int k = 0; k < at.size(); k++) {
      name(at.get(k), labels.lines().get(k).names());
    }
  }

  private int output(Path file, String text) throws FormatException {
    int named = find(text);
    if (named >= 0) {
      return named;
    }
    int number = text.matches("\\d{1,9}") ? Integer.parseInt(text) : -1;
    if (number < 0 || number >= outputs) {
      throw new FormatException(
          file, "outputs of the model, 0 to %d, or names of them".formatted(outputs - 1), text);
    }
    return number;
  }

  private int[] outputs(List<String> classes, LoadedModel model) {
    if (!known.isEmpty()) {
      List<String> missing = classes.stream().filter(c -> find(c) < 0).toList();
      if (missing.isEmpty()) {
        return classes.stream().mapToInt(this::find).toArray();
      }
      throw UserError.expected(
          model.name(),
          "an output for every class of the data",
          "%s for %s"
              .formatted(
                  missing.stream().anyMatch(c -> find(c) == AMBIGUOUS) ? "none or several" : "none",
                  some(missing)),
          ADVICE);
    }
    if (classes.stream().allMatch(c -> c.matches("\\d{1,9}"))) {
      int[] numbers = classes.stream().mapToInt(Integer::parseInt).toArray();
      if (IntStream.of(numbers).allMatch(n -> n < outputs)) {
        return numbers;
      }
      if (numbers.length == outputs) {
        return ranks(numbers);
      }
    }
    if (classes.stream().allMatch(c -> find(c) >= 0)) {
      return classes.stream().mapToInt(this::find).toArray();
    }
    if (classes.size() == outputs) {
      return IntStream.range(0, outputs).toArray();
    }
    throw UserError.expected(
        model.name(),
        "data with the %,d classes of the model".formatted(outputs),
        "%,d: %s".formatted(classes.size(), some(classes)),
        ADVICE);
  }

  /** The place of each number among all of them. */
  private static int[] ranks(int[] numbers) {
    List<Integer> sorted = IntStream.of(numbers).boxed().sorted(Comparator.naturalOrder()).toList();
    return IntStream.of(numbers).map(sorted::indexOf).toArray();
  }

  private int find(String name) {
    String plain = plain(name);
    return known.getOrDefault(plain, usual.getOrDefault(plain, Labelled.UNKNOWN));
  }

  private static String some(List<String> names) {
    return names.stream().limit(NAMED).collect(Collectors.joining(", "))
        + (names.size() > NAMED ? " and %,d more".formatted(names.size() - NAMED) : "");
  }

  private static String plain(String name) {
    return name.strip().toLowerCase(Locale.ROOT).replaceAll("[\\s_-]+", " ");
  }
}
