package org.orbitmap.app.option;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.orbitmap.image.Interpolation;
import org.orbitmap.io.data.source.DataSets;
import org.orbitmap.model.InputShape;
import org.orbitmap.model.MappingSpec;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * What a shell offers for the values of options. An option of one name means one thing in every
 * command, so the values are listed here once; a command where they differ says so itself, with
 * {@code completionCandidates}.
 */
public final class Completion {
  private static final Map<String, Supplier<Iterable<String>>> VALUES =
      Map.of(
          "--data", DataSets::names,
          "--mapping", MappingSpec::names,
          "--group", Completion::groups,
          "--fill", () -> List.of("zero", "reflect", "edge"),
          "--interpolation",
              () -> Arrays.stream(Interpolation.values()).map(Interpolation::id).toList());

  private Completion() {}

  /** Adds the values to the options of a command and of all commands below it. */
  public static void addTo(CommandLine line) {
    CommandSpec spec = line.getCommandSpec();
    for (OptionSpec option : List.copyOf(spec.options())) {
      Iterable<String> values = values(option);
      if (values != null) {
        spec.remove(option);
        spec.addOption(OptionSpec.builder(option).completionCandidates(values).build());
      }
    }
    line.getSubcommands().values().forEach(Completion::addTo);
  }

  /** The values to add to an option; null for none. */
  private static Iterable<String> values(OptionSpec option) {
    if (option.type().isEnum()) {
      return Arrays.stream(option.type().getEnumConstants())
          .map(c -> c.toString().toLowerCase(Locale.ROOT))
          .toList();
    }
    Supplier<Iterable<String>> values = VALUES.get(option.longestName());
    return values == null || option.completionCandidates() != null ? null : values.get();
  }

  private static Iterable<String> groups() {
    Set<String> all = new LinkedHashSet<>(MappingSpec.groups(new InputShape.Images(1, 1, 1)));
    all.addAll(MappingSpec.groups(new InputShape.Clouds(1)));
    return all;
  }
}
