package org.orbitmap.app.audit;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.orbitmap.app.option.InterpolationConverter;
import org.orbitmap.app.option.OutputOptions;
import org.orbitmap.eval.Sweep;
import org.orbitmap.group.SimilarityGroup;
import org.orbitmap.image.AngleSweep;
import org.orbitmap.image.Fill;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampling;
import org.orbitmap.io.UserError;
import org.orbitmap.model.InputShape;
import picocli.CommandLine.Option;

/** How the data of an audit is moved, how much of it there is, and what becomes of the result. */
public final class AuditOptions {
  private static final double CLOUD_STEP = 22.5;

  @Option(
      names = "--group",
      paramLabel = "GROUP",
      description = {
        "What the data is moved by. Images: so2 (rotations, the default), o2 (also mirrored).",
        "Clouds: sim3 (default), se3, so3, scale, translation, with mirror images o3, e3,"
            + " sim3-mirrored, and about the vertical so2, se3-upright, sim3-upright. Each of rotations (a grid of two angles), scales and shifts is a"
            + " sweep of its own, and so are random elements of the group."
      })
  private String group;

  @Option(
      names = "--step",
      paramLabel = "DEGREES",
      description =
          "The angle between two poses; 360 must be a multiple of it (default: 1 for images, 22.5"
              + " for both angles of clouds).")
  private Double step;

  @Option(
      names = "--orders",
      paramLabel = "N",
      description =
          "With clouds: a further sweep, order, over N random orders of their points (default: 0).")
  private int orders;

  @Option(
      names = "--interpolation",
      converter = InterpolationConverter.class,
      split = ",",
      paramLabel = "KIND",
      description = "How images are rotated: nearest, bilinear, bicubic, or several of them.")
  private List<Interpolation> interpolations;

  @Option(
      names = "--fill",
      paramLabel = "FILL",
      description =
          "What rotated images show outside the original: zero (default), reflect, edge, a number"
              + " from 0 to 1, or mean: the mean colour that a run was trained with, as the paper's"
              + " authors have it in evaluation.")
  private String fill;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description =
          "Only N items: the first of data in records, which is mixed; of files and clouds, which"
              + " stand class by class, the first of each class, the second of each, and so on.")
  private Integer limit;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Of the random poses and points of clouds (default: 1).")
  private long seed = 1;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Batches at once. Default: one for each processor.")
  private int threads;

  @Option(
      names = "--min-worst",
      paramLabel = "SHARE",
      description = "Exit with code 1 if a worst accuracy is below this share, from 0 to 1.")
  private Double minWorst;

  @Option(
      names = "--min-kept",
      paramLabel = "SHARE",
      description =
          "Exit with code 1 if the share of answers that stay when inputs are moved (label kept) is"
              + " below this share, from 0 to 1. Needs no labels.")
  private Double minKept;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Write a report there: a page, and its figures as SVG and PNG.")
  private Path out;

  /** Checks what can be checked before anything is read. */
  public void check() {
    if (limit != null && limit < 1) {
      throw UserError.expected("--limit", "1 or more", limit, "");
    }
    if (threads < 0) {
      throw UserError.expected("--threads", "1 or more, or 0 for each processor", threads, "");
    }
    if (orders < 0) {
      throw UserError.expected("--orders", "0 or more", orders, "");
    }
    requireShare("--min-worst", minWorst);
    requireShare("--min-kept", minKept);
    if (step != null) {
      AngleSweep.degrees(step);
    }
    OutputOptions.requireFolder(out);
  }

  private static void requireShare(String option, Double share) {
    if (share != null && !(share >= 0 && share <= 1)) {
      throw UserError.expected(option, "a share from 0 to 1", share, "");
    }
  }

  /** The group that was named, in lower case; empty if none was. */
  private String group() {
    return group == null ? "" : SimilarityGroup.id(group);
  }

  /** Whether the group that was named acts on clouds alone. */
  public boolean ofClouds() {
    return SimilarityGroup.names(3).contains(group()) && !Sweeps.OF_IMAGES.contains(group());
  }

  /** The group that inputs are moved by. */
  String group(InputShape<?> shape) {
    if (shape instanceof InputShape.Clouds) {
      return group == null ? SimilarityGroup.names(3).get(0) : group();
    }
    String chosen = group == null ? Sweeps.OF_IMAGES.get(0) : group();
    if (!Sweeps.OF_IMAGES.contains(chosen)) {
      throw UserError.expected(
          "--group", "one of %s for images".formatted(Sweeps.OF_IMAGES), group, "");
    }
    return chosen;
  }

  /** The angle between two poses. */
  double step(InputShape<?> shape) {
    return step != null ? step : shape instanceof InputShape.Clouds ? CLOUD_STEP : 1;
  }

  /** What rotated images show outside. */
  String fill() {
    return fill == null ? "zero" : fill.trim().toLowerCase(Locale.ROOT);
  }

  /**
   * How inputs are moved.
   *
   * @param usual the interpolations if none was named
   * @param colour what {@code mean} means; empty if nothing
   */
  @SuppressWarnings("unchecked") // the sweeps are of the kind of the shape
  <X> Map<String, Sweep<X>> sweeps(InputShape<X> shape, List<Interpolation> usual, float[] colour) {
    double[] degrees = AngleSweep.degrees(step(shape));
    Map<String, ?> sweeps;
    if (shape instanceof InputShape.Clouds) {
      if (interpolations != null || fill != null) {
        throw new UserError(
            "--interpolation, --fill: expected with models of images, found one of clouds");
      }
      SimilarityGroup moves = SimilarityGroup.named(group(shape), 3);
      sweeps = Sweeps.clouds(moves, degrees.length, orders, seed);
    } else if (orders > 0) {
      throw UserError.expected("--orders", "a model of clouds", "one of images", "");
    } else {
      sweeps =
          images(group(shape), interpolations == null ? usual : interpolations, degrees, colour);
    }
    return (Map<String, Sweep<X>>) sweeps;
  }

  private Map<String, ?> images(
      String moves, List<Interpolation> kinds, double[] degrees, float[] colour) {
    boolean mean = fill().equals("mean");
    if (mean && colour.length == 0) {
      throw UserError.expected(
          "--fill", "mean only with a training run, which knows it", "another model", "");
    }
    Fill outside = mean ? Fill.ZERO : Fill.named(fill());
    var sweeps =
        Sweeps.images(
            moves, kinds.stream().map(k -> Resampling.of(k).with(outside)).toList(), degrees);
    if (mean) {
      sweeps.replaceAll((name, s) -> AngleSweep.over(colour, s));
    }
    return sweeps;
  }

  /** How many items at most. */
  public int limit() {
    return limit == null ? Integer.MAX_VALUE : limit;
  }

  /** Of everything random. */
  public long seed() {
    return seed;
  }

  int threads() {
    return threads > 0 ? threads : Runtime.getRuntime().availableProcessors();
  }

  /** The bound that the worst accuracy is held against; null for none. */
  Double minWorst() {
    return minWorst;
  }

  /** The bound that the share of kept answers is held against; null for none. */
  Double minKept() {
    return minKept;
  }

  /** Where the report goes; null for nowhere. */
  Path out() {
    return out;
  }
}
