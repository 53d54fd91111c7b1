package org.orbitmap.app.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.orbitmap.app.map.CloudFileMapper;
import org.orbitmap.app.map.FileMapper;
import org.orbitmap.app.map.ImageFileMapper;
import org.orbitmap.app.map.MapPlan;
import org.orbitmap.app.option.ConsoleProgress;
import org.orbitmap.app.option.Errors;
import org.orbitmap.app.option.OutputOptions;
import org.orbitmap.app.option.ResamplingOptions;
import org.orbitmap.app.option.Text;
import org.orbitmap.cloud.mapping.AmbiguityPolicy;
import org.orbitmap.cloud.mapping.AxisSignRule;
import org.orbitmap.cloud.mapping.CloudMapping;
import org.orbitmap.cloud.mapping.ScaleRule;
import org.orbitmap.group.SimilarityGroup;
import org.orbitmap.image.Image;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.mapping.OrthogonalMapping;
import org.orbitmap.image.mapping.PoseRule;
import org.orbitmap.image.mapping.QuarterTurnMapping;
import org.orbitmap.image.mapping.RotationMapping;
import org.orbitmap.io.UserError;
import org.orbitmap.io.cloud.CloudFormat;
import org.orbitmap.model.InputShape;
import org.orbitmap.model.MappingFamily;
import org.orbitmap.model.MappingSpec;
import org.orbitmap.orbit.OrbitMapping;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code orbit map}: files and folders to one pose. */
@Command(
    name = "map",
    description = {
      "Bring files to their canonical pose.",
      "",
      "Every file is written to the output folder in the pose that the orbit mapping picks, and"
          + " reported with the group element that leads there and the margin: how far the input is"
          + " from one where the choice would jump. With --epsilon an image also gets a"
          + " certificate: by how many degrees its canonical angle can move at most when it changes"
          + " by at most epsilon in the L2 norm (samples from 0 to 1)."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  orbit map photo.png --out canonical",
      "  orbit map scans/ --out canonical --fill reflect --interpolation bicubic",
      "  orbit map scans/ --out canonical --epsilon 0.5 --json",
      "  orbit map scan.ply chair.off --out canonical --json",
      "  orbit map meshes/ --out clouds --group se3 --points 2048 --format npy",
      "  orbit map x.png --out o --mapping kernels --k1 '1,2,1;0,0,0;-1,-2,-1' --k2"
          + " '-1,0,1;-2,0,2;-1,0,1'"
    })
public final class MapCommand implements Callable<Integer> {
  private static final String KERNELS = "kernels";
  private static final String FRAMES = "frames";

  /** Which mapping it is does not depend on the size of images. */
  private static final InputShape<Image> IMAGES = new InputShape.Images(1, 1, 1);

  @Mixin private OutputOptions output;
  @Mixin private ResamplingOptions resampling;

  @Parameters(arity = "1..*", paramLabel = "FILE|FOLDER", description = "What to map.")
  private List<Path> inputs;

  @Option(names = "--out", required = true, paramLabel = "DIR", description = "Where results go.")
  private Path out;

  @Option(
      names = "--group",
      paramLabel = "GROUP",
      description =
          "Images: so2 (all rotations, the default), c4 (quarter turns, exact), o2 (rotations and"
              + " mirrorings), sim2 (rotation, scale and shift on a plain background). Clouds: sim3"
              + " (the default), se3, so3, scale, translation, with mirror images o3, e3,"
              + " sim3-mirrored; the same with 2 in the plane.")
  private String group;

  @Option(
      names = "--mapping",
      paramLabel = "RULE",
      description = {
        "How an image's pose is found: disc (default), paper, released, central, forward, or"
            + " kernels (with --k1 and --k2).",
        "How the axes of a cloud get their directions: skewness (default, does not depend on the"
            + " order of the points), first-point (the paper's), or frames (write all candidates)."
      })
  private String mapping;

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
      description =
          "How clouds are written: off, ply, ply-ascii, ply-big, obj, xyz, resampled, pcd,"
              + " pcd-ascii, npy, npz, idx, idx-int16, hdf5; default: as they came (stl as ply).")
  private String format;

  @Option(
      names = "--points",
      paramLabel = "N",
      defaultValue = "0",
      description = "Draw N points from the surface of a mesh; default: keep the mesh.")
  private int points;

  @Option(
      names = "--seed",
      paramLabel = "SEED",
      defaultValue = "1",
      description = "Seed of that draw; default: ${DEFAULT-VALUE}.")
  private long seed;

  /** What the command reports. */
  record Document(int mapped, int failed, List<Map<String, Object>> files) {}

  @Override
  public Integer call() throws IOException {
    List<MapPlan.Job> jobs = MapPlan.of(inputs, out, mappers());
    List<Map<String, Object>> reports;
    try (ConsoleProgress progress = output.progress("files")) {
      AtomicLong done = new AtomicLong();
      reports =
          IntStream.range(0, jobs.size())
              .parallel()
              .mapToObj(
                  i -> {
                    Map<String, Object> report = run(jobs.get(i));
                    progress.update(done.incrementAndGet(), jobs.size());
                    return report;
                  })
              .toList();
    }
    int failed = (int) reports.stream().filter(r -> r.containsKey("error")).count();
    Document document = new Document(reports.size() - failed, failed, reports);
    output.print(document, text -> print(text, document));
    if (failed > 0) {
      output.warn(
          "%d of %d files could not be mapped%s"
              .formatted(
                  failed,
                  reports.size(),
                  failed < reports.size() ? "; the others are in " + out : ""));
    }
    return failed > 0 ? Errors.BAD_INPUT : Errors.OK;
  }

  /** The kinds of files that the chosen group acts on and the chosen rule knows. */
  private List<FileMapper> mappers() {
    if (epsilon != null && !(epsilon >= 0 && Double.isFinite(epsilon))) {
      throw new UserError("--epsilon: expected a number >= 0, found " + epsilon);
    }
    if (points < 0) {
      throw new UserError("--points: expected a number >= 0, found " + points);
    }
    String chosen = group == null ? "" : group.trim().toLowerCase(Locale.ROOT);
    String rule = mapping == null ? "" : mapping.trim().toLowerCase(Locale.ROOT);
    List<String> imageGroups = MappingSpec.groups(IMAGES);
    List<String> imageRules =
        with(MappingSpec.families(IMAGES).stream().map(MappingFamily::name).toList(), KERNELS);
    List<String> cloudGroups =
        Stream.of(3, 2).flatMap(d -> SimilarityGroup.names(d).stream()).distinct().toList();
    List<String> cloudRules =
        with(Arrays.stream(AxisSignRule.values()).map(AxisSignRule::label).toList(), FRAMES);
    List<FileMapper> mappers = new ArrayList<>();
    if (fits(chosen, imageGroups) && fits(rule, imageRules)) {
      mappers.add(
          new ImageFileMapper(imageMapping(rule, chosen), epsilon == null ? Double.NaN : epsilon));
    }
    if (fits(chosen, cloudGroups) && fits(rule, cloudRules)) {
      mappers.add(
          new CloudFileMapper(
              cloudMappings(rule, chosen),
              rule.equals(FRAMES),
              ambiguous,
              format == null ? null : CloudFormat.named(format),
              points,
              seed));
    }
    if (mappers.isEmpty()) {
      throw new UserError(
          "--group, --mapping: expected one of %s with one of %s for images, or one of %s with one of %s for clouds, found %s"
              .formatted(
                  imageGroups,
                  imageRules,
                  cloudGroups,
                  cloudRules,
                  String.join(" ", Stream.of(group, mapping).filter(Objects::nonNull).toList())));
    }
    return mappers;
  }

  private static List<String> with(List<String> names, String more) {
    return Stream.concat(names.stream(), Stream.of(more)).toList();
  }

  private static boolean fits(String chosen, List<String> names) {
    return chosen.isEmpty() || names.contains(chosen);
  }

  /** One mapping for each dimension in which there is the group. */
  private List<CloudMapping> cloudMappings(String rule, String chosen) {
    AxisSignRule signs =
        rule.isEmpty() || rule.equals(FRAMES) ? AxisSignRule.SKEWNESS : AxisSignRule.named(rule);
    ScaleRule unit = ScaleRule.named(size);
    return Stream.of(3, 2)
        .filter(d -> fits(chosen, SimilarityGroup.names(d)))
        .map(
            d ->
                chosen.isEmpty()
                    ? SimilarityGroup.similarities(d)
                    : SimilarityGroup.named(chosen, d))
        .map(g -> new CloudMapping(g, signs, unit))
        .toList();
  }

  private OrbitMapping<?, Image> imageMapping(String rule, String chosen) {
    Resampling how = resampling.resampling(mask);
    if (!rule.equals(KERNELS)) {
      return new MappingSpec(rule, chosen, how).mapping(IMAGES);
    }
    if (k1 == null || k2 == null) {
      throw new UserError("--mapping kernels: expected --k1 and --k2, found only one or none");
    }
    PoseRule own = PoseRule.kernels(kernel("--k1", k1), kernel("--k2", k2));
    return switch (chosen) {
      case "", "so2" -> new RotationMapping(own, how);
      case "c4" -> new QuarterTurnMapping(own);
      case "o2" -> new OrthogonalMapping(own, how);
      default -> throw UserError.expected("--group", "so2, c4 or o2 with kernels", chosen, "");
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

  private static Map<String, Object> run(MapPlan.Job job) {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("file", job.file().toString());
    try {
      Map<String, Object> found = job.mapper().map(job.file(), job.target());
      report.put("output", job.target().toString());
      report.putAll(found);
    } catch (IOException | IllegalArgumentException e) {
      String message = Errors.message(e);
      report.put(
          "error", message.contains(job.file().toString()) ? message : job.file() + ": " + message);
    } catch (OutOfMemoryError e) {
      report.put(
          "error",
          job.file()
              + ": expected to fit into memory, found it too large; raise -Xmx with"
              + " ORBIT_JAVA_OPTS");
    }
    return report;
  }

  private void print(PrintWriter text, Document document) {
    for (Map<String, Object> report : document.files()) {
      if (report.containsKey("error")) {
        text.println("failed: " + report.get("error"));
        continue;
      }
      StringBuilder line = new StringBuilder();
      line.append(report.get("file")).append(" -> ").append(report.get("output"));
      report.forEach(
          (name, value) -> {
            if (name.equals("file") || name.equals("output")) {
              return;
            }
            if (name.equals("certifiedDegrees") && value == null) {
              line.append(epsilon == null ? "" : ", no certificate for this epsilon");
              return;
            }
            if (name.equals("poses") || name.equals("frames")) {
              line.append(", ").append(((List<?>) value).size()).append(' ').append(name);
              return;
            }
            line.append(", ").append(name).append(' ').append(Text.of(value));
          });
      text.println(line);
    }
  }
}
