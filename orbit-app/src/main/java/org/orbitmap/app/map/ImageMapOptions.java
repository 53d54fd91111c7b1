package org.orbitmap.app.map;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.orbitmap.app.option.ResamplingOptions;
import org.orbitmap.image.Image;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.mapping.OrthogonalMapping;
import org.orbitmap.image.mapping.PoseRule;
import org.orbitmap.image.mapping.QuarterTurnMapping;
import org.orbitmap.image.mapping.RotationMapping;
import org.orbitmap.io.Digests;
import org.orbitmap.io.UserError;
import org.orbitmap.io.image.ImageFormat;
import org.orbitmap.model.InputShape;
import org.orbitmap.model.MappingFamily;
import org.orbitmap.model.MappingSpec;
import org.orbitmap.orbit.OrbitMapping;
import org.orbitmap.upright.UprightMapping;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How {@code orbit map} maps images. */
public final class ImageMapOptions {
  private static final String KERNELS = "kernels";

  /** Which mapping it is does not depend on the size of images. */
  private static final InputShape<Image> IMAGES = new InputShape.Images(1, 1, 1);

  @Mixin private ResamplingOptions resampling;

  @Option(
      names = "--canvas",
      paramLabel = "CANVAS",
      defaultValue = "same",
      description =
          "How large a canonical image is: same (default, the size of the input; corners are lost)"
              + " or grow (the square over the diagonal, which holds every pixel in every pose).")
  private ImageFileMapper.Canvas canvas;

  @Option(names = "--k1", paramLabel = "ROWS", description = "Kernel k1: rows a,b,c;d,e,f;…")
  private String k1;

  @Option(names = "--k2", paramLabel = "ROWS", description = "Kernel k2, k1 rotated by a quarter.")
  private String k2;

  @Option(names = "--mask", description = "Paint everything outside the inscribed circle.")
  private boolean mask;

  @Option(
      names = "--epsilon",
      paramLabel = "E",
      description = "Certify rotations of images against changes of L2 norm up to E.")
  private Double epsilon;

  /** The groups that act on images. */
  public static List<String> groups() {
    return MappingSpec.groups(IMAGES);
  }

  /** The rules that find the pose of an image. */
  public static List<String> rules() {
    return Stream.concat(
            MappingSpec.families(IMAGES).stream().map(MappingFamily::name), Stream.of(KERNELS))
        .toList();
  }

  /** Whether a rule finds the pose of an image. */
  public static boolean knows(String rule) {
    return knows(rule, rules(), IMAGES);
  }

  /** Whether a rule is one of some, or in a file, which says itself what it maps. */
  static boolean knows(String rule, List<String> rules, InputShape<?> shape) {
    return rule.isEmpty()
        || (MappingSpec.file(rule).isEmpty()
            ? rules.contains(rule)
            : !MappingSpec.family(rule).groups(shape).isEmpty());
  }

  /** How images are computed. */
  public Resampling resampling() {
    return resampling.resampling(mask);
  }

  /** Whether a certificate is asked for. */
  public boolean certifies() {
    return epsilon != null;
  }

  /** The mapper for a rule and a group; empty for their defaults. */
  public FileMapper mapper(String rule, String group, ImageFormat format) {
    if (epsilon != null && !(epsilon >= 0 && Double.isFinite(epsilon))) {
      throw new UserError("--epsilon: expected a number >= 0, found " + epsilon);
    }
    Resampling how = resampling();
    if (canvas == ImageFileMapper.Canvas.GROW) {
      requireKept(group, how);
    }
    OrbitMapping<?, Image> mapping = mapping(rule, group);
    String own = mapping instanceof UprightMapping<?> m ? m.fitted().settings().group() : group;
    Map<String, String> settings = settings(rule, own, how);
    if (!format.equals(ImageFormat.INPUT)) {
      settings.put("format", format.toString());
    }
    return new ImageFileMapper(
        mapping, how, canvas, format, epsilon == null ? Double.NaN : epsilon, settings);
  }

  /** Growing keeps all pixels: nothing may paint over them or leave the canvas. */
  private static void requireKept(String group, Resampling how) {
    if (how.mask() || how.fill().radial()) {
      throw UserError.expected(
          "--canvas grow", "--fill zero or a number, without --mask", how, "Both drop corners");
    }
    if (group.equals("sim2")) {
      throw UserError.expected("--canvas grow", "--group so2, o2 or c4", group, "");
    }
  }

  private Map<String, String> settings(String rule, String group, Resampling how) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("group", group.isEmpty() ? "so2" : group);
    settings.put("mapping", rule.isEmpty() ? PoseRule.DISC.name() : rule);
    MappingSpec.file(rule).ifPresent(f -> settings.put("mappingSha256", digest(f)));
    settings.put("interpolation", how.interpolation().toString());
    settings.put("fill", how.fill().toString());
    settings.put("mask", Boolean.toString(how.mask()));
    settings.put("canvas", canvas.name().toLowerCase(Locale.ROOT));
    if (rule.equals(KERNELS)) {
      settings.put("k1", k1);
      settings.put("k2", k2);
    }
    if (epsilon != null) {
      settings.put("epsilon", epsilon.toString());
    }
    return settings;
  }

  /** The digest of a file that holds a mapping. */
  static String digest(String file) {
    try {
      return Digests.sha256(Path.of(file));
    } catch (IOException e) {
      throw new UserError("--mapping: " + e.getMessage());
    }
  }

  private OrbitMapping<?, Image> mapping(String rule, String group) {
    Resampling how = resampling();
    if (!rule.equals(KERNELS)) {
      return new MappingSpec(rule, group, how).mapping(IMAGES);
    }
    if (k1 == null || k2 == null) {
      throw new UserError("--mapping kernels: expected --k1 and --k2, found only one or none");
    }
    PoseRule own = PoseRule.kernels(kernel("--k1", k1), kernel("--k2", k2));
    return switch (group) {
      case "", "so2" -> new RotationMapping(own, how);
      case "c4" -> new QuarterTurnMapping(own);
      case "o2" -> new OrthogonalMapping(own, how);
      default -> throw UserError.expected("--group", "so2, c4 or o2 with kernels", group, "");
    };
  }

  private static double[][] kernel(String option, String rows) {
    String[] lines = rows.split(";", -1);
    double[][] k = new double[lines.length][];
    for (int i = 0; i < lines.length; i++) {
      String[] cells = lines[i].split(",", -1);
      k[i] = new double[cells.length];
      for (int j = 0; j < cells.length; j++) {
        try {
          k[i][j] = Double.parseDouble(cells[j].trim());
        } catch (NumberFormatException e) {
          throw new UserError(
              "%s: expected numbers like 1,0;0,-1, found '%s'".formatted(option, cells[j]), e);
        }
      }
    }
    return k;
  }
}
