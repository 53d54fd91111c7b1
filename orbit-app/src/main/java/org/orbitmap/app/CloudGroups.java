package org.orbitmap.app;

import java.util.List;
import java.util.Locale;
import org.orbitmap.group.SimilarityGroup;
import org.orbitmap.group.SimilarityGroup.Turns;

/** The names of the groups that act on clouds. */
final class CloudGroups {
  /** Those of space, the default first. */
  static final List<String> OF_SPACE =
      List.of(
          "similarity3", "se3", "so3", "scale", "translation", "o3", "e3", "similarity3-mirrored");

  private CloudGroups() {}

  /** The group of space with this name; all similarities for null. */
  static SimilarityGroup ofSpace(String name) {
    String chosen = name == null ? OF_SPACE.get(0) : name.trim().toLowerCase(Locale.ROOT);
    if (!OF_SPACE.contains(chosen)) {
      throw new IllegalArgumentException(
          "--group: expected one of %s for clouds, found %s".formatted(OF_SPACE, name));
    }
    return named(chosen, 3);
  }

  /** The group with this name in a dimension; a digit in the name is the dimension. */
  static SimilarityGroup named(String name, int dimension) {
    return switch (name.replaceFirst("[23]", "")) {
      case "similarity" -> SimilarityGroup.similarities(dimension);
      case "se" -> SimilarityGroup.se(dimension);
      case "so" -> SimilarityGroup.so(dimension);
      case "o" -> SimilarityGroup.o(dimension);
      case "e" -> new SimilarityGroup(dimension, Turns.ALL, false, true);
      case "similarity-mirrored" -> new SimilarityGroup(dimension, Turns.ALL, true, true);
      case "scale" -> SimilarityGroup.scalings(dimension);
      case "translation" -> SimilarityGroup.translations(dimension);
      default -> throw new IllegalArgumentException("group: no group is called " + name);
    };
  }
}
