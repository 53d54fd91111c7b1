package org.orbitmap.app.map;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import java.io.IOException;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.orbitmap.app.option.Json;
import org.orbitmap.cloud.CloudAction;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.group.Similarity;
import org.orbitmap.image.Image;
import org.orbitmap.image.Placement;
import org.orbitmap.image.Resampling;
import org.orbitmap.io.Digests;
import org.orbitmap.io.FormatException;
import org.orbitmap.io.InputFile;
import org.orbitmap.io.cloud.CloudFiles;
import org.orbitmap.io.cloud.CloudFormat;
import org.orbitmap.io.cloud.codec.PlacedMesh;
import org.orbitmap.io.image.ImageFiles;
import org.orbitmap.io.image.ReadImage;
import org.orbitmap.mesh.Mesh;

/**
 * Takes what was found in canonical poses back to the poses of the inputs, x = ĝ⁻¹(y) with the
 * elements ĝ of a manifest: images and masks in the size of the input, clouds and meshes, boxes and
 * points in JSON. A file belongs to the result that its path ends with; the ending of its name may
 * be another, so that {@code masks/a.png} and {@code boxes/a.json} both belong to {@code a.png}.
 */
public final class InverseMapper implements FileMapper {
  private static final long serialVersionUID = 1;
  private static final TypeReference<LinkedHashMap<String, Object>> OBJECT =
      new TypeReference<>() {};

  /** What was recorded of a result: the pose of an image, or of each cloud in a file. */
  private record Target(String name, Map<String, Object> report, List<Map<?, ?>> poses)
      implements Serializable {
    Path output() {
      return Path.of(name);
    }

    boolean image() {
      return report.containsKey("canvas");
    }
  }

  /** The results by their bare names, in the order of the manifest. */
  private final HashMap<String, List<Target>> targets = new HashMap<>();

  private final Resampling resampling;
  private final CloudFormat format;
  private final Map<String, String> settings;

  /**
   * The inverse of what a manifest records.
   *
   * @param resampling how images are computed; nearest keeps the labels of masks
   * @param format how clouds are written; null for the format of the result
   */
  public InverseMapper(Manifest.Content manifest, Resampling resampling, CloudFormat format)
      throws IOException {
    this.resampling = resampling;
    this.format = format;
    this.settings =
        Map.of(
            "inverseOf",
            Digests.sha256(manifest.file()),
            "resampling",
            resampling.toString(),
            "format",
            format == null ? "as it came" : format.label());
    for (Manifest.Entry entry : manifest.entries().values()) {
      add(entry);
    }
  }

  private void add(Manifest.Entry entry) {
    Map<String, Object> report = entry.report();
    List<Map<?, ?>> poses = new ArrayList<>();
    for (Map<?, ?> pose : maps(report.get("poses"), report)) {
      List<Map<?, ?>> frames = maps(pose.get("frames"), pose);
      for (Map<?, ?> frame : frames) {
        if (frame.get("output") instanceof String beside) {
          add(new Target(beside, report, List.of(frame)));
        } else {
          poses.add(frame);
        }
      }
    }
    add(new Target(entry.output(), report, poses));
  }

  private void add(Target target) {
    String name = bare(target.output()).getFileName().toString();
    targets.computeIfAbsent(name, n -> new ArrayList<>()).add(target);
  }

  private static List<Map<?, ?>> maps(Object list, Map<?, ?> otherwise) {
    List<Map<?, ?>> maps = new ArrayList<>();
    if (list instanceof List<?> all) {
      for (Object one : all) {
        if (one instanceof Map<?, ?> map) {
          maps.add(map);
        }
      }
    }
    return maps.isEmpty() ? List.of(otherwise) : maps;
  }

  @Override
  public String kind() {
    return "a result that the manifest names";
  }

  @Override
  public boolean accepts(Path file) {
    boolean known = isJson(file) || ImageFiles.isImage(file) || CloudFiles.isCloud(file);
    return known && target(file).isPresent();
  }

  /** The result that a file belongs to: that with the longest path, its own ending first. */
  private Optional<Target> target(Path file) {
    Path whole = file.toAbsolutePath().normalize();
    Path bare = bare(whole);
    Target best = null;
    int most = 0;
    for (Target target : targets.getOrDefault(bare.getFileName().toString(), List.of())) {
      boolean same = whole.endsWith(target.output());
      if (same || bare.endsWith(bare(target.output()))) {
        int score = 2 * target.output().getNameCount() + (same ? 1 : 0);
        best = score > most ? target : best;
        most = Math.max(most, score);
      }
    }
    return Optional.ofNullable(best);
  }

  private static Path bare(Path path) {
    String name = path.getFileName().toString().replaceFirst("(?i)\\.gz$", "");
    int dot = name.lastIndexOf('.');
    return path.resolveSibling(dot < 1 ? name : name.substring(0, dot));
  }

  private static boolean isJson(Path file) {
    return file.getFileName().toString().toLowerCase(Locale.ROOT).endsWith(".json");
  }

  @Override
  public String outputName(String fileName) {
    Path file = Path.of(fileName);
    if (isJson(file)) {
      return fileName;
    }
    if (CloudFiles.isCloud(file)) {
      return CloudFileMapper.outputName(fileName, format);
    }
    int dot = fileName.lastIndexOf('.');
    return (dot < 1 ? fileName : fileName.substring(0, dot)) + ".png";
  }

  @Override
  public Map<String, String> settings() {
    return settings;
  }

  @Override
  public Mapped map(InputFile input, Path output) throws IOException {
    Path file = input.path();
    Target target =
        target(file)
            .orElseThrow(
                () -> new FormatException(file, "a file that the manifest names", "none of them"));
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("inverseOf", target.output().toString().replace('\\', '/'));
    if (isJson(file)) {
      byte[] json = (Json.write(boxes(file, target)) + "\n").getBytes(StandardCharsets.UTF_8);
      return new Mapped(report, Map.of(output, out -> out.write(json)));
    }
    if (target.image()) {
      ReadImage read = ImageFiles.open(input);
      Image image = placement(target).toInput(read.image(), resampling);
      if (!read.remarks().isEmpty()) {
        report.put("remarks", read.remarks());
      }
      byte[] png = ImageFiles.png(image, read.bits());
      return new Mapped(report, Map.of(output, out -> out.write(png)));
    }
    List<PlacedMesh> all = CloudFiles.readPlaced(file);
    if (all.size() != target.poses.size()) {
      throw new FormatException(
          file, "%d clouds, as many as poses".formatted(target.poses.size()), all.size());
    }
    List<PlacedMesh> back = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      back.add(back(all.get(i), PoseFields.similarity(target.poses.get(i)).inverse()));
    }
    CloudFormat to = format != null ? format : CloudFormat.of(output).orElseThrow();
    return new Mapped(report, Map.of(output, CloudFiles.content(output, to, back)));
  }

  private static Placement placement(Target target) {
    return PoseFields.placement(
            target.report, size(target, "size").height(), size(target, "size").width())
        .on(size(target, "canvas"));
  }

  private static Placement.Size size(Target target, String field) {
    if (target.report.get(field) instanceof List<?> size && size.size() == 2) {
      return new Placement.Size(
          (int) PoseFields.number(size.get(0)), (int) PoseFields.number(size.get(1)));
    }
    throw new IllegalArgumentException(
        "%s: expected %s in the manifest, found none".formatted(target.name, field));
  }

  /** A cloud moved in double; features rotate along, and mirrored triangles stay outside out. */
  private static PlacedMesh back(PlacedMesh placed, Similarity g) {
    Mesh mesh = placed.mesh();
    PointCloud x = mesh.vertices();
    CloudAction.requireDimension(g.dimension(), x);
    int d = x.dimension();
    double[] moved = new double[x.coordinates().length];
    double[] point = new double[d];
    for (int i = 0; i < moved.length; i += d) {
      for (int j = 0; j < d; j++) {
        point[j] = placed.at(i + j);
      }
      System.arraycopy(g.apply(point), 0, moved, i, d);
    }
    PlacedMesh result =
        PlacedMesh.of(d, moved, CloudAction.rotate(x.features(), g.rotation()), mesh.triangles());
    Mesh outside = result.mesh().with(result.mesh().vertices(), g.handedness() < 0);
    return new PlacedMesh(outside, result.origin());
  }

  private static Map<String, Object> boxes(Path file, Target target) throws IOException {
    Map<String, Object> document;
    try {
      document = Json.mapper().readValue(Files.readAllBytes(file), OBJECT);
    } catch (JsonProcessingException e) {
      throw new FormatException(file, "a JSON object with boxes or points", e.getOriginalMessage());
    }
    try {
      if (target.image()) {
        return BoxFields.toInput(document, placement(target));
      }
      if (target.poses.size() != 1) {
        throw new IllegalArgumentException(
            "expected boxes of one cloud, found a file of " + target.poses.size());
      }
      return BoxFields.moved(document, PoseFields.similarity(target.poses.get(0)).inverse());
    } catch (IllegalArgumentException | ClassCastException e) {
      throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
    }
  }
}
