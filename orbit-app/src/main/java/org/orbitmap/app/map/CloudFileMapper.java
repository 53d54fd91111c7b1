package org.orbitmap.app.map;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.cloud.mapping.AmbiguityPolicy;
import org.orbitmap.cloud.mapping.CloudMapping;
import org.orbitmap.cloud.mapping.CloudPose;
import org.orbitmap.group.Similarity;
import org.orbitmap.io.AtomicFiles;
import org.orbitmap.io.InputFile;
import org.orbitmap.io.cloud.CloudFiles;
import org.orbitmap.io.cloud.CloudFormat;
import org.orbitmap.io.cloud.codec.PlacedMesh;
import org.orbitmap.mesh.Mesh;
import org.orbitmap.orbit.Canonical;
import org.orbitmap.upright.CloudUprightMapping;

/**
 * Brings files of clouds and meshes to their canonical pose.
 *
 * @param mappings one for each dimension that clouds may have
 * @param upright a fitted mapping behind the one of these; null for none
 * @param frames whether all candidate poses are written
 * @param ambiguity what happens with a cloud whose pose is ambiguous
 * @param format how results are written; null for the format of the input
 * @param points how many points to draw from the surface of a mesh; 0 for its vertices
 * @param seed of that draw
 * @param settings all of this as users name it
 */
public record CloudFileMapper(
    List<CloudMapping> mappings,
    CloudUprightMapping upright,
    boolean frames,
    AmbiguityPolicy ambiguity,
    CloudFormat format,
    int points,
    long seed,
    Map<String, String> settings)
    implements FileMapper {
  @Override
  public String kind() {
    return "a cloud or mesh";
  }

  @Override
  public boolean accepts(Path file) {
    return CloudFiles.isCloud(file);
  }

  /** Anything may be called {@code .txt} or {@code .csv}: a cloud starts with a number. */
  @Override
  public boolean expects(Path file) throws IOException {
    String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
    if (!accepts(file) || !name.matches(".*\\.(txt|csv)")) {
      return accepts(file);
    }
    try (InputStream in = Files.newInputStream(file)) {
      String start = new String(in.readNBytes(64), StandardCharsets.ISO_8859_1).strip();
      return start.matches("(?s)[-+.]?[0-9].*");
    }
  }

  @Override
  public String outputName(String fileName) {
    return outputName(fileName, format);
  }

  /** The name of a file in a format; null for its own, or PLY if that is only read. */
  static String outputName(String fileName, CloudFormat format) {
    CloudFormat from = CloudFormat.of(Path.of(fileName)).orElse(CloudFormat.PLY);
    if (format == null && from.writable()) {
      return fileName;
    }
    CloudFormat to = format == null ? CloudFormat.PLY : format;
    String stem = fileName.replaceAll("(?i)\\.gz$", "");
    for (String ending : from.endings()) {
      if (stem.toLowerCase(Locale.ROOT).endsWith(ending)) {
        stem = stem.substring(0, stem.length() - ending.length());
        break;
      }
    }
    return stem + ending(to);
  }

  /** The ending that a format's files have: that of its first variant that has one. */
  private static String ending(CloudFormat format) {
    String family = format.label().replaceAll("-.*", "");
    return format == CloudFormat.RESAMPLED ? ".txt" : CloudFormat.named(family).endings().get(0);
  }

  @Override
  public Mapped map(InputFile input, Path output) throws IOException {
    List<PlacedMesh> all = CloudFiles.readPlaced(input.path());
    CloudFormat to = format != null ? format : CloudFormat.of(output).orElseThrow();
    Map<Path, AtomicFiles.Body> files = new LinkedHashMap<>();
    List<PlacedMesh> results = new ArrayList<>();
    List<Map<String, Object>> reports = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      CloudMapping mapping = mapping(all.get(i).mesh().vertices());
      PlacedMesh placed = all.get(i);
      boolean rounded = placed.far() && !mapping.group().moves();
      if (rounded) {
        placed = PlacedMesh.of(placed.absolute());
      }
      if (points > 0 && placed.mesh().triangles().length > 0) {
        Mesh drawn = Mesh.of(placed.mesh().sample(points, seed + i));
        placed = new PlacedMesh(drawn, placed.origin());
      }
      Map<String, Object> report =
          map(mapping, placed, all.size() == 1 ? output : null, to, results, files);
      if (rounded) {
        report.put(
            "warning",
            "%s moves no cloud to 0, and this one lies so far away that floats round it: expected"
                    .formatted(mapping.group().name())
                + " a group that does, such as se3 or sim3");
      }
      reports.add(report);
    }
    files.put(output, CloudFiles.content(output, to, results));
    if (reports.size() == 1) {
      return new Mapped(reports.get(0), files);
    }
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("clouds", reports.size());
    report.put("eigenGap", least(reports, "eigenGap"));
    report.put("signMargin", least(reports, "signMargin"));
    report.put("ambiguous", reports.stream().filter(r -> r.get("ambiguous").equals(true)).count());
    report.put("poses", reports);
    return new Mapped(report, files);
  }

  private static Double least(List<Map<String, Object>> reports, String field) {
    return finite(
        reports.stream()
            .map(r -> (Double) r.get(field))
            .filter(Objects::nonNull)
            .mapToDouble(Double::doubleValue)
            .min()
            .orElse(Double.POSITIVE_INFINITY));
  }

  /** A margin without bound, as groups without rotations have it, is null. */
  private static Double finite(double v) {
    return Double.isFinite(v) ? v : null;
  }

  /** Maps one cloud: adds its result, and other frames beside {@code output} if there are any. */
  private Map<String, Object> map(
      CloudMapping mapping,
      PlacedMesh placed,
      Path output,
      CloudFormat to,
      List<PlacedMesh> results,
      Map<Path, AtomicFiles.Body> files) {
    Mesh mesh = placed.mesh();
    CloudMapping.Aligned aligned = mapping.align(mesh.vertices());
    CloudPose pose = aligned.pose();
    Map<String, Object> report = new LinkedHashMap<>();
    Canonical<Similarity, PointCloud> canonical = aligned.canonical();
    report.put("points", mesh.vertices().size());
    if (upright != null) {
      CloudUprightMapping.Found found = upright.refined(canonical, 1);
      Similarity element = found.elements().get(0);
      PointCloud point = upright.action().act(element, mesh.vertices());
      canonical = new Canonical<>(point, element, Math.min(found.margin(), found.gap()));
      report.put("gap", found.gap());
    }
    report.putAll(PoseFields.of(fromFile(canonical.element(), placed)));
    report.put("eigenGap", finite(pose.eigenGap()));
    report.put("signMargin", finite(pose.signMargin()));
    report.put("ambiguous", pose.ambiguous());
    if (pose.ambiguous()) {
      report.put("warning", AmbiguityPolicy.describe(pose));
      if (ambiguity == AmbiguityPolicy.ABSTAIN) {
        throw new IllegalArgumentException(AmbiguityPolicy.describe(pose));
      }
    }
    if (!frames && !(pose.ambiguous() && ambiguity == AmbiguityPolicy.FRAMES)) {
      results.add(PlacedMesh.of(moved(mesh, canonical)));
      return report;
    }
    List<Canonical<Similarity, PointCloud>> all = mapping.frames(aligned);
    List<Map<String, Object>> listed = new ArrayList<>();
    for (int k = 0; k < all.size(); k++) {
      PlacedMesh result = PlacedMesh.of(moved(mesh, all.get(k)));
      Map<String, Object> frame = new LinkedHashMap<>();
      if (output == null || k == 0) {
        results.add(result); // one file for all clouds and frames
      } else {
        Path beside = MapPlan.beside(output, "-frame" + (k + 1));
        files.put(beside, CloudFiles.content(beside, to, List.of(result)));
        frame.put("output", beside.toString().replace('\\', '/'));
      }
      frame.putAll(PoseFields.of(fromFile(all.get(k).element(), placed)));
      listed.add(frame);
    }
    report.put("frames", listed);
    return report;
  }

  /** The element for coordinates of the file: first to the origin of the mesh, then on. */
  private static Similarity fromFile(Similarity element, PlacedMesh placed) {
    if (!placed.far()) {
      return element;
    }
    double[] back = Arrays.stream(placed.origin()).map(v -> -v).toArray();
    return element.after(Similarity.translation(back));
  }

  private static Mesh moved(Mesh mesh, Canonical<Similarity, PointCloud> c) {
    return mesh.with(c.point(), c.element().handedness() < 0);
  }

  private CloudMapping mapping(PointCloud x) {
    return mappings.stream()
        .filter(m -> m.group().dimension() == x.dimension())
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "expected a cloud that %s acts on, found one in %d dimensions"
                        .formatted(mappings.get(0).group().name(), x.dimension())));
  }
}
