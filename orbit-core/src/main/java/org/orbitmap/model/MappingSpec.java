package org.orbitmap.model;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.orbitmap.cloud.mapping.AxisSignRule;
import org.orbitmap.cloud.mapping.CloudMapping;
import org.orbitmap.cloud.mapping.ScaleRule;
import org.orbitmap.extension.Registry;
import org.orbitmap.group.SimilarityGroup;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.mapping.OrthogonalMapping;
import org.orbitmap.image.mapping.PoseRule;
import org.orbitmap.image.mapping.QuarterTurnMapping;
import org.orbitmap.image.mapping.RotationMapping;
import org.orbitmap.image.mapping.SimilarityMapping;
import org.orbitmap.orbit.OrbitMapping;

/**
 * Which orbit mapping, as users name it: the one place that turns names into mappings, for every
 * command and every back end.
 *
 * @param rule the family: {@code disc}, {@code paper}, … for images, {@code skewness}, {@code
 *     first-point} for clouds, or a user's own; {@code upright:FILE} for one in a file; empty for
 *     the default of the inputs
 * @param group {@code so2}, {@code c4}, {@code o2}, {@code sim2}, {@code so3}, {@code sim3}, …; of
 *     clouds, {@code so2} is about the vertical; empty for the default of the family
 * @param resampling how canonical images are computed
 */
public record MappingSpec(String rule, String group, Resampling resampling)
    implements Serializable {
  private static final Registry<MappingFamily> FAMILIES =
      Registry.of(MappingFamily.class, "mapping", builtIn());
  private static final Registry<MappingFile> FILES =
      Registry.of(MappingFile.class, "mapping", List.of());

  public MappingSpec {
    rule = rule(rule);
    group = SimilarityGroup.id(group);
    Objects.requireNonNull(resampling, "resampling");
  }

  /** The default mapping of whatever the inputs are: disc under so2, skewness under sim3. */
  public static MappingSpec defaults() {
    return new MappingSpec("", "", Resampling.BILINEAR);
  }

  /** A rule as users write it: names in any case, but the name of a file as it is. */
  public static String rule(String written) {
    String text = written.trim();
    int colon = text.indexOf(':');
    return (colon < 0 ? text : text.substring(0, colon)).toLowerCase(Locale.ROOT)
        + (colon < 0 ? "" : text.substring(colon));
  }

  /** The file that a rule names, such as {@code x} in {@code upright:x}; empty if it names none. */
  public static Optional<String> file(String rule) {
    int colon = rule.indexOf(':');
    return colon < 0 ? Optional.empty() : Optional.of(rule.substring(colon + 1));
  }

  /**
   * The family that a rule names; a file is read.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static MappingFamily family(String rule) {
    String own = rule(rule);
    Optional<String> file = file(own);
    if (file.isEmpty()) {
      return FAMILIES.all().stream()
          .filter(f -> f.name().equals(own))
          .findFirst()
          .orElseThrow(() -> unknown(FAMILIES.names(), "", own));
    }
    String name = own.substring(0, own.indexOf(':'));
    return FILES.all().stream()
        .filter(f -> f.name().equals(name))
        .findFirst()
        .orElseThrow(() -> unknown(FAMILIES.names(), "", own))
        .read(file.get());
  }

  /** Everything that can be a rule: names, and {@code upright:} for files. */
  public static List<String> names() {
    List<String> all = new ArrayList<>(FAMILIES.names());
    FILES.names().forEach(name -> all.add(name + ":"));
    return all;
  }

  private static IllegalArgumentException unknown(List<String> names, String kind, String found) {
    List<String> all = new ArrayList<>(names);
    FILES.names().forEach(name -> all.add(name + ":FILE"));
    return new IllegalArgumentException(
        "mapping: expected one of %s%s, found %s"
            .formatted(String.join(", ", all), kind.isEmpty() ? "" : " for " + kind, found));
  }

  /** All families, built in or found. */
  public static Registry<MappingFamily> families() {
    return FAMILIES;
  }

  /** The families that map inputs of a kind, the default first. */
  public static List<MappingFamily> families(InputShape<?> shape) {
    return FAMILIES.all().stream().filter(f -> !f.groups(shape).isEmpty()).toList();
  }

  /** The groups that can be mapped on inputs of a kind, the default first. */
  public static List<String> groups(InputShape<?> shape) {
    return families(shape).stream().flatMap(f -> f.groups(shape).stream()).distinct().toList();
  }

  /**
   * The mapping for inputs of a kind.
   *
   * @throws IllegalArgumentException naming what can be chosen, if this cannot
   */
  public <X> OrbitMapping<?, X> mapping(InputShape<X> shape) {
    List<MappingFamily> able = families(shape);
    MappingFamily family =
        rule.isEmpty()
            ? able.get(0)
            : file(rule).isPresent()
                ? family(rule)
                : able.stream().filter(f -> f.name().equals(rule)).findFirst().orElse(null);
    if (family == null || family.groups(shape).isEmpty()) {
      throw unknown(able.stream().map(MappingFamily::name).toList(), shape.kind(), rule);
    }
    List<String> groups = family.groups(shape);
    if (!group.isEmpty() && !groups.contains(group)) {
      throw new IllegalArgumentException(
          "group: expected one of %s for %s with the mapping %s, found %s"
              .formatted(String.join(", ", groups), shape.kind(), family.name(), group));
    }
    OrbitMapping<?, ?> made =
        family.mapping(shape, group.isEmpty() ? groups.get(0) : group, resampling);
    @SuppressWarnings("unchecked") // the family said that it maps inputs of this kind
    OrbitMapping<?, X> mapping = (OrbitMapping<?, X>) made;
    return mapping;
  }

  private static List<MappingFamily> builtIn() {
    List<MappingFamily> all = new ArrayList<>();
    PoseRule.all().forEach(r -> all.add(new OfImages(r)));
    Arrays.stream(AxisSignRule.values()).forEach(r -> all.add(new OfClouds(r)));
    return all;
  }

  private record OfImages(PoseRule rule) implements MappingFamily {
    @Override
    public String name() {
      return rule.name();
    }

    @Override
    public List<String> groups(InputShape<?> shape) {
      List<String> groups = new ArrayList<>();
      if (shape instanceof InputShape.Images) {
        groups.add("so2");
        if (rule.exactQuarterTurns()) {
          groups.add("c4");
        }
        groups.add("o2");
        if (rule.equals(PoseRule.DISC)) {
          groups.add("sim2"); // its window is the disc, carried along with the figure
        }
      }
      return groups;
    }

    @Override
    public OrbitMapping<?, ?> mapping(InputShape<?> shape, String group, Resampling resampling) {
      return switch (group) {
        case "c4" -> new QuarterTurnMapping(rule);
        case "o2" -> new OrthogonalMapping(rule, resampling);
        case "sim2" -> new SimilarityMapping(resampling);
        default -> new RotationMapping(rule, resampling);
      };
    }
  }

  private record OfClouds(AxisSignRule signs) implements MappingFamily {
    @Override
    public String name() {
      return signs.label();
    }

    @Override
    public List<String> groups(InputShape<?> shape) {
      return shape instanceof InputShape.Clouds ? SimilarityGroup.names(3) : List.of();
    }

    @Override
    public OrbitMapping<?, ?> mapping(InputShape<?> shape, String group, Resampling resampling) {
      return new CloudMapping(SimilarityGroup.named(group, 3), signs, ScaleRule.MEAN_DISTANCE);
    }
  }
}
