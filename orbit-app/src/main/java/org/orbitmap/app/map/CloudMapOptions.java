package org.orbitmap.app.map;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.cloud.mapping.AmbiguityPolicy;
import org.orbitmap.cloud.mapping.AxisSignRule;
import org.orbitmap.cloud.mapping.CloudMapping;
import org.orbitmap.cloud.mapping.ScaleRule;
import org.orbitmap.group.SimilarityGroup;
import org.orbitmap.image.Resampling;
import org.orbitmap.io.UserError;
import org.orbitmap.io.cloud.CloudFormat;
import org.orbitmap.io.image.ImageFormat;
import org.orbitmap.model.InputShape;
import org.orbitmap.model.MappingSpec;
import org.orbitmap.orbit.OrbitMapping;
import org.orbitmap.upright.CloudUprightMapping;
import picocli.CommandLine.Option;

/** How {@code orbit map} maps clouds and meshes, and how it writes these and images. */
public final class CloudMapOptions {
  private static final String FRAMES = "frames";

  /** Which mapping it is does not depend on the number of points. */
  private static final InputShape<PointCloud> CLOUDS = new InputShape.Clouds(1);

  @Option(
      names = "--size",
      paramLabel = "RULE",
      defaultValue = "mean-distance",
      description = "What scaling a cloud makes 1: mean-distance (default) or max-norm.")
  private String size;

  @Option(
      names = "--ambiguous",
      paramLabel = "POLICY",
      defaultValue = "warn",
      description =
          "What to do with a cloud whose margin is small: warn (default), abstain (write nothing),"
              + " or frames (write all candidate poses).")
  private AmbiguityPolicy ambiguous;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = {
        "How images are written: input (default: JPEG for JPEG, in its quality; PNG for all others),"
            + " png (every sample is kept), jpeg (in the quality of the input, 95 if that is no"
            + " JPEG), or jpeg:1 to jpeg:100. JPEG is smaller and changes samples a little; poses"
            + " and the way back in the manifest are those of the input in any format.",
        "How clouds are written: off, ply, ply-ascii, ply-big, obj, xyz, resampled, pcd,"
            + " pcd-ascii, npy, npz, idx, idx-int16, hdf5; default: as they came (stl as ply)."
      })
  private String format;

  @Option(
      names = "--points",
      paramLabel = "N",
      defaultValue = "0",
      description = "Draw N points from the surface of a mesh; default: keep the mesh.")
  private int points;

  @Option(
      names = "--eigen",
      paramLabel = "K",
      defaultValue = "20",
      description =
          "With --group isometry: how many eigenfunctions, up to 500; default: ${DEFAULT-VALUE}.")
  private int eigen;

  @Option(
      names = "--seed",
      paramLabel = "SEED",
      defaultValue = "1",
      description = "Seed of that draw; default: ${DEFAULT-VALUE}.")
  private long seed;

  /** The mapper of meshes into their spectral embedding. */
  public FileMapper spectral() {
    if (eigen < 1 || eigen > 500) {
      throw UserError.expected("--eigen", "1 to 500", eigen, "");
    }
    return new SpectralFileMapper(eigen, format() == null ? CloudFormat.NPY : format());
  }

  /** The groups that act on clouds, in space and in the plane. */
  public static List<String> groups() {
    return Stream.of(3, 2).flatMap(d -> SimilarityGroup.names(d).stream()).distinct().toList();
  }

  /** The rules that direct the axes of a cloud. */
  public static List<String> rules() {
    return Stream.concat(
            Arrays.stream(AxisSignRule.values()).map(AxisSignRule::label), Stream.of(FRAMES))
        .toList();
  }

  /** Whether a rule finds the pose of a cloud. */
  public static boolean knows(String rule) {
    return ImageMapOptions.knows(rule, rules(), CLOUDS);
  }

  /** How clouds are written; null for as they came. */
  public CloudFormat format() {
    if (format == null || ImageFormat.named(format).isPresent()) {
      return null;
    }
    return Arrays.stream(CloudFormat.values())
        .filter(f -> f.label().equalsIgnoreCase(format))
        .findFirst()
        .orElseThrow(
            () ->
                UserError.expected(
                    "--format",
                    "png, jpeg, jpeg:1 to jpeg:100 or input for images, or one of %s for clouds"
                        .formatted(
                            Arrays.stream(CloudFormat.values()).map(CloudFormat::label).toList()),
                    "'%s'".formatted(format),
                    ""));
  }

  /** How images are written: as they came, unless a format of images was asked for. */
  public ImageFormat imageFormat() {
    return askedOfImages().orElse(ImageFormat.INPUT);
  }

  /** The format of images that was asked for, if any; one of clouds leaves images alone. */
  public Optional<ImageFormat> askedOfImages() {
    return format == null || format() != null ? Optional.empty() : ImageFormat.named(format);
  }

  /** The mapper for a rule and a group; empty for their defaults. */
  public FileMapper mapper(String rule, String group) {
    if (points < 0) {
      throw new UserError("--points: expected a number >= 0, found " + points);
    }
    boolean file = MappingSpec.file(rule).isPresent();
    CloudUprightMapping upright = file ? upright(rule, group) : null;
    return new CloudFileMapper(
        file ? List.of(upright.base()) : mappings(rule, group),
        upright,
        rule.equals(FRAMES),
        ambiguous,
        format(),
        points,
        seed,
        settings(rule, file ? upright.fitted().group() : group));
  }

  /** The fitted mapping of a file; its size is that of the clouds that it was fitted on. */
  private CloudUprightMapping upright(String rule, String group) {
    if (ambiguous == AmbiguityPolicy.FRAMES) {
      throw UserError.expected("--ambiguous", "warn or abstain with --mapping " + rule, FRAMES, "");
    }
    if (ScaleRule.named(size) != ScaleRule.MEAN_DISTANCE) {
      throw UserError.expected("--size", "mean-distance with --mapping " + rule, size, "");
    }
    OrbitMapping<?, PointCloud> read =
        new MappingSpec(rule, group, Resampling.BILINEAR).mapping(CLOUDS);
    if (read instanceof CloudUprightMapping upright) {
      return upright;
    }
    throw UserError.expected("--mapping", "upright:FILE for clouds", rule, "");
  }

  private Map<String, String> settings(String rule, String group) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("group", group.isEmpty() ? "similarities" : group);
    settings.put("mapping", rule.isEmpty() ? AxisSignRule.SKEWNESS.label() : rule);
    MappingSpec.file(rule).ifPresent(f -> settings.put("mappingSha256", ImageMapOptions.digest(f)));
    settings.put("size", ScaleRule.named(size).label());
    settings.put("ambiguous", ambiguous.name().toLowerCase(Locale.ROOT));
    settings.put("format", format() == null ? "as it came" : format().label());
    settings.put("points", Integer.toString(points));
    settings.put("seed", Long.toString(seed));
    return settings;
  }

  /** One mapping for each dimension in which there is the group. */
  private List<CloudMapping> mappings(String rule, String group) {
    AxisSignRule signs =
        rule.isEmpty() || rule.equals(FRAMES) ? AxisSignRule.SKEWNESS : AxisSignRule.named(rule);
    ScaleRule unit = ScaleRule.named(size);
    return Stream.of(3, 2)
        .filter(d -> group.isEmpty() || SimilarityGroup.names(d).contains(group))
        .map(
            d ->
                group.isEmpty() ? SimilarityGroup.similarities(d) : SimilarityGroup.named(group, d))
        .map(g -> new CloudMapping(g, signs, unit))
        .toList();
  }
}
