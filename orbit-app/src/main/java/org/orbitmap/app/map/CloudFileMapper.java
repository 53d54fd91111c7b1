package org.orbitmap.app.map;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.cloud.mapping.AmbiguityPolicy;
import org.orbitmap.cloud.mapping.CloudMapping;
import org.orbitmap.cloud.mapping.CloudPose;
import org.orbitmap.group.Similarity;
import org.orbitmap.io.cloud.CloudFiles;
import org.orbitmap.io.cloud.CloudFormat;
import org.orbitmap.mesh.Mesh;
import org.orbitmap.orbit.Canonical;

/**
 * Brings files of clouds and meshes to their canonical pose.
 *
 * @param mappings one for each dimension that clouds may have
 * @param frames whether all candidate poses are written
 * @param ambiguity what happens with a cloud whose pose is ambiguous
 * @param format how results are written; null for the format of the input
 * @param points how many points to draw from the surface of a mesh; 0 for its vertices
 * @param seed of that draw
 */
public record CloudFileMapper(
    List<CloudMapping> mappings,
    boolean frames,
    AmbiguityPolicy ambiguity,
    CloudFormat format,
    int points,
    long seed)
    implements FileMapper {
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
  public Map<String, Object> map(Path file, Path output) throws IOException {
    List<Mesh> all = CloudFiles.readAll(file);
    CloudFormat to = format != null ? format : CloudFormat.of(output).orElseThrow();
    List<Mesh> results = new ArrayList<>();
    List<Map<String, Object>> reports = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      Mesh mesh = all.get(i);
      if (points > 0 && mesh.triangles().length > 0) {
        mesh = Mesh.of(mesh.sample(points, seed + i));
      }
      reports.add(map(mesh, all.size() == 1 ? output : null, to, results));
    }
    CloudFiles.write(output, to, results);
    if (reports.size() == 1) {
      return reports.get(0);
    }
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("clouds", reports.size());
    report.put("eigenGap", least(reports, "eigenGap"));
    report.put("signMargin", least(reports, "signMargin"));
    report.put("ambiguous", reports.stream().filter(r -> r.get("ambiguous").equals(true)).count());
    report.put("poses", reports);
    return report;
  }

  private static double least(List<Map<String, Object>> reports, String field) {
    return reports.stream().mapToDouble(r -> (double) r.get(field)).min().orElse(0);
  }

  /**
   * Maps one cloud: adds its result, writes other frames beside {@code output} if there are any.
   */
  private Map<String, Object> map(Mesh mesh, Path output, CloudFormat to, List<Mesh> results)
      throws IOException {
    PointCloud x = mesh.vertices();
    CloudMapping mapping = mapping(x);
    CloudMapping.Aligned aligned = mapping.align(x);
    CloudPose pose = aligned.pose();
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("points", x.size());
    report.putAll(PoseFields.of(pose.element()));
    report.put("eigenGap", pose.eigenGap());
    report.put("signMargin", pose.signMargin());
    report.put("ambiguous", pose.ambiguous());
    if (pose.ambiguous()) {
      report.put("warning", AmbiguityPolicy.describe(pose));
      if (ambiguity == AmbiguityPolicy.ABSTAIN) {
        throw new IllegalArgumentException(AmbiguityPolicy.describe(pose));
      }
    }
    if (!frames && !(pose.ambiguous() && ambiguity == AmbiguityPolicy.FRAMES)) {
      results.add(moved(mesh, aligned.canonical()));
      return report;
    }
    List<Canonical<Similarity, PointCloud>> all = mapping.frames(aligned);
    List<Map<String, Object>> listed = new ArrayList<>();
    for (int k = 0; k < all.size(); k++) {
      Mesh result = moved(mesh, all.get(k));
      Map<String, Object> frame = new LinkedHashMap<>();
      if (output == null) {
        results.add(result); // one file for all clouds and frames
      } else if (k == 0) {
        results.add(result);
      } else {
        Path beside = beside(output, k + 1);
        CloudFiles.write(beside, to, List.of(result));
        frame.put("output", beside.toString());
      }
      frame.putAll(PoseFields.of(all.get(k).element()));
      listed.add(frame);
    }
    report.put("frames", listed);
    return report;
  }

  private static Path beside(Path output, int frame) {
    String name = output.getFileName().toString();
    int dot = name.indexOf('.', 1);
    int at = dot < 0 ? name.length() : dot;
    return output.resolveSibling(name.substring(0, at) + "-frame" + frame + name.substring(at));
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
