package org.orbitmap.app.audit;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
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
 * numbers of outputs, and as many classes as outputs are taken in their order. Anything else is
 * refused: a label that means another class would make every figure wrong.
 */
public final class OutputClasses {
  /** Instead of a file: the classes of the data are not those of the model. */
  private static final Path NONE = Path.of("none");

  private static final int AMBIGUOUS = -2;
  private static final int NAMED = 3;
  private static final String ADVICE =
      "Say which output is which with --labels FILE, or measure agreement alone with --labels none";

  private final int outputs;
  private final Map<String, Integer> known = new LinkedHashMap<>();
  private final String[] names;

  private OutputClasses(int outputs) {
    this.outputs = outputs;
    this.names = new String[outputs];
  }

  /**
   * The data with labels that are outputs of the model; without labels if it has none, or if that
   * is asked for.
   *
   * @param files what {@link LabelFile} reads, each with names that those before it know; or {@code
   *     none} alone
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

  /** How many classes a model has. */
  public static <X> int outputs(DataSet<X> set, LoadedModel model) {
    return model.classifier(set.shape()).scores(List.of(set.input(0)))[0].length;
  }

  private static boolean same(DataSet<?> set, int[] labels) {
    return IntStream.range(0, labels.length).allMatch(i -> labels[i] == set.label(i));
  }

  /** Names of an output; the first that is no WordNet id is what it is called. */
  private void name(int output, List<String> all) {
    for (String name : all) {
      known.merge(plain(name), output, (a, b) -> a.equals(b) ? a : Integer.valueOf(AMBIGUOUS));
    }
    if (names[output] == null) {
      names[output] =
          all.stream().filter(n -> !n.matches("n\\d{8}")).findFirst().orElse(all.get(0));
    }
  }

  private void read(Path file) throws IOException {
    LabelFile labels = LabelFile.read(file, name -> known.containsKey(plain(name)));
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
    Integer named = known.get(plain(text));
    if (named != null && named >= 0) {
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
    return known.getOrDefault(plain(name), Labelled.UNKNOWN);
  }

  private static String some(List<String> names) {
    return names.stream().limit(NAMED).collect(Collectors.joining(", "))
        + (names.size() > NAMED ? " and %,d more".formatted(names.size() - NAMED) : "");
  }

  private static String plain(String name) {
    return name.strip().toLowerCase(Locale.ROOT).replaceAll("[\\s_-]+", " ");
  }
}
