package org.orbitmap.testkit;

import java.util.List;

/**
 * Something broken on purpose that the kit must catch.
 *
 * @param name what is wrong with it
 * @param law the law that has to fail
 * @param laws the laws as they would be checked on the real thing
 */
public record Mutant(String name, String law, List<Law> laws) {
  public Mutant {
    laws = List.copyOf(laws);
    if (laws.stream().noneMatch(l -> l.name().equals(law))) {
      throw new IllegalArgumentException(
          "mutant '%s': expected a law '%s' among those checked, found %s"
              .formatted(name, law, laws.stream().map(Law::name).toList()));
    }
  }

  /** Whether the law that has to fail does. */
  public boolean caught(int trials, long seed) {
    return laws.stream()
        .filter(l -> l.name().equals(law))
        .anyMatch(l -> !l.check(trials, seed).holds());
  }
}
