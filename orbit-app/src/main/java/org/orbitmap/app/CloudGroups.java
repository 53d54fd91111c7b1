package org.orbitmap.app;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.orbitmap.group.SimilarityGroup;
import org.orbitmap.group.SimilarityGroup.Turns;

/** The names of the groups that act on clouds in space. */
final class CloudGroups {
  private static final Map<String, SimilarityGroup> NAMES = new LinkedHashMap<>();

  static {
    NAMES.put("similarity3", SimilarityGroup.similarities(3));
    NAMES.put("se3", SimilarityGroup.se(3));
    NAMES.put("so3", SimilarityGroup.so(3));
    NAMES.put("scaling3", SimilarityGroup.scalings(3));
    NAMES.put("translation3", SimilarityGroup.translations(3));
    NAMES.put("o3", SimilarityGroup.o(3));
    NAMES.put("e3", new SimilarityGroup(3, Turns.ALL, false, true));
    NAMES.put("similarity3-mirrored", new SimilarityGroup(3, Turns.ALL, true, true));
  }

  private CloudGroups() {}

  /** The group with this name; all similarities for null. */
  static SimilarityGroup named(String name) {
    SimilarityGroup group =
        NAMES.get(name == null ? "similarity3" : name.trim().toLowerCase(Locale.ROOT));
    if (group == null) {
      throw new IllegalArgumentException(
          "--group: expected one of %s for clouds, found %s".formatted(NAMES.keySet(), name));
    }
    return group;
  }
}
