package org.orbitmap.app.option;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.orbitmap.group.SimilarityGroup;
import org.orbitmap.group.SimilarityGroup.Rotations;

/** The names of the groups that act on clouds. */
public final class CloudGroups {
  /** Those of space, the default first. */
  public static final List<String> OF_SPACE =
      List.of(
          "similarity3", "se3", "so3", "scale", "translation", "o3", "e3", "similarity3-mirrored");

  /** All of them, in space and in the plane. */
  public static final List<String> ALL =
      Stream.concat(OF_SPACE.stream(), in(2).stream()).distinct().toList();

  private CloudGroups() {}

  /** The group of space with this name; all similarities for null. */
  public static SimilarityGroup ofSpace(String name) {
    String chosen = name == null ? OF_SPACE.get(0) : name.trim().toLowerCase(Locale.ROOT);
    if (!OF_SPACE.contains(chosen)) {
      throw new IllegalArgumentException(
          "--group: expected one of %s for clouds, found %s".formatted(OF_SPACE, name));
    }
    return named(chosen, 3);
  }

  /** The names in a dimension, which is their digit. */
  private static List<String> in(int dimension) {
    return OF_SPACE.stream().map(n -> n.replace("3", Integer.toString(dimension))).toList();
  }

  /**
   * The group with this name, in any case, that acts on clouds of a dimension.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static SimilarityGroup named(String name, int dimension) {
    String chosen = name.trim().toLowerCase(Locale.ROOT);
    if (!in(dimension).contains(chosen)) {
      throw new IllegalArgumentException(
          "group: expected one of %s for clouds in %d dimensions, found %s"
              .formatted(in(dimension), dimension, name));
    }
    return switch (chosen.replace(Integer.toString(dimension), "")) {
      case "similarity" -> SimilarityGroup.similarities(dimension);
      case "se" -> SimilarityGroup.se(dimension);
      case "so" -> SimilarityGroup.so(dimension);
      case "o" -> SimilarityGroup.o(dimension);
      case "e" -> new SimilarityGroup(dimension, Rotations.ALL, false, true);
      case "similarity-mirrored" -> new SimilarityGroup(dimension, Rotations.ALL, true, true);
      case "scale" -> SimilarityGroup.scalings(dimension);
      case "translation" -> SimilarityGroup.translations(dimension);
      default -> throw new IllegalStateException("a group without meaning: " + chosen);
    };
  }
}
