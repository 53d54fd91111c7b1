package org.orbitmap.app.serve;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.orbitmap.cloud.CloudMapping;
import org.orbitmap.cloud.CloudPose;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.cloud.Signs;
import org.orbitmap.cloud.Size;
import org.orbitmap.group.SimilarityGroup;

/** Clouds in and out of requests. */
final class Clouds {
  private Clouds() {}

  /** {@code {"points": [[x, y, z], …]}}. */
  static PointCloud points(JsonNode json, Limits limits) {
    JsonNode points = json.path("points");
    if (!points.isArray() || points.isEmpty() || points.size() > limits.points()) {
      throw Problem.expected(
          "points",
          "an array of 1 to %d points".formatted(limits.points()),
          points.isArray() ? points.size() + " elements" : points.getNodeType());
    }
    int dimension = points.get(0).size();
    if (dimension != 2 && dimension != 3) {
      throw Problem.expected("points", "2 or 3 coordinates each", dimension);
    }
    float[] x = new float[points.size() * dimension];
    for (int i = 0; i < points.size(); i++) {
      float[] one = CanonicalApi.floats(points.get(i), dimension);
      System.arraycopy(one, 0, x, i * dimension, dimension);
    }
    return new PointCloud(dimension, x);
  }

  /** Little-endian floats x y z x y z … */
  static PointCloud points(byte[] body, Limits limits) {
    if (body.length == 0 || body.length % 12 != 0 || body.length / 12 > limits.points()) {
      throw Problem.expected(
          "body",
          "little-endian floats x y z, 1 to %d points".formatted(limits.points()),
          body.length + " bytes");
    }
    return new PointCloud(3, CanonicalApi.floats(body));
  }

  /** The groups by the names that the commands use. */
  static SimilarityGroup group(String name, int dimension) {
    return switch (name) {
      case "similarity3", "similarity2" -> SimilarityGroup.similarities(dimension);
      case "se3", "se2" -> SimilarityGroup.se(dimension);
      case "so3", "so2" -> SimilarityGroup.so(dimension);
      case "o3", "o2" -> SimilarityGroup.o(dimension);
      case "mirror-similarity3", "mirror-similarity2" ->
          new SimilarityGroup(dimension, SimilarityGroup.Turns.ALL, true, true);
      case "scale" -> SimilarityGroup.scalings(dimension);
      case "translation" -> SimilarityGroup.translations(dimension);
      default -> throw Problem.expected("group", "one of " + GROUPS, name);
    };
  }

  /** The names of the groups of space. */
  static final List<String> GROUPS =
      List.of("similarity3", "mirror-similarity3", "se3", "so3", "o3", "scale", "translation");

  /** The mapping that the query names: group, signs, size. */
  static CloudMapping mapping(Call call, int dimension) {
    String signs = call.text("signs", Signs.SKEWNESS.label());
    String size = call.text("size", Size.MEAN_DISTANCE.label());
    return new CloudMapping(
        group(call.text("group", "similarity" + dimension), dimension),
        Arrays.stream(Signs.values())
            .filter(s -> s.label().equals(signs))
            .findFirst()
            .orElseThrow(() -> Problem.expected("signs", "skewness or first-point", signs)),
        Arrays.stream(Size.values())
            .filter(s -> s.label().equals(size))
            .findFirst()
            .orElseThrow(() -> Problem.expected("size", "mean-distance or max-norm", size)));
  }

  /** What is said about a pose everywhere. */
  static Map<String, Object> pose(CloudMapping mapping, CloudPose pose) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("mapping", mapping.name());
    out.put("group", mapping.group().name());
    out.put("scale", pose.element().scale());
    out.put("rotation", pose.element().rotation());
    out.put("translation", pose.element().translation());
    out.put("eigenGap", finite(pose.eigenGap()));
    out.put("signMargin", finite(pose.signMargin()));
    out.put("ambiguous", pose.ambiguous());
    return out;
  }

  /** JSON has no infinity: a margin without bound is null. */
  private static Double finite(double v) {
    return Double.isFinite(v) ? v : null;
  }

  static Answer canonical(Call call, PointCloud cloud, boolean numbers) {
    CloudMapping mapping = mapping(call, cloud.dimension());
    float[] x = new float[cloud.coordinates().length];
    CloudPose pose = mapping.align(cloud.requireFinite(), x);
    PointCloud canonical = new PointCloud(cloud.dimension(), x);
    if (call.accepts("application/octet-stream")) {
      return Answer.of("application/octet-stream", CanonicalApi.bytes(canonical.coordinates()))
          .with("Orbit-Ambiguous", Boolean.toString(pose.ambiguous()));
    }
    Map<String, Object> out = pose(mapping, pose);
    if (numbers) {
      float[][] rows = new float[canonical.size()][];
      int d = canonical.dimension();
      Arrays.setAll(rows, i -> Arrays.copyOfRange(canonical.coordinates(), i * d, (i + 1) * d));
      out.put("points", rows);
    } else {
      out.put("floats", base64(canonical));
    }
    return Answer.json(out);
  }

  /** Little-endian floats, as text. */
  static String base64(PointCloud cloud) {
    return Base64.getEncoder().encodeToString(CanonicalApi.bytes(cloud.coordinates()));
  }
}
