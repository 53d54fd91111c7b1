package org.orbitmap.app.serve.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.orbitmap.app.map.PoseFields;
import org.orbitmap.app.serve.http.Limits;
import org.orbitmap.app.serve.http.Problem;
import org.orbitmap.app.serve.http.Request;
import org.orbitmap.app.serve.http.Response;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.cloud.mapping.AxisSignRule;
import org.orbitmap.cloud.mapping.CloudMapping;
import org.orbitmap.cloud.mapping.CloudPose;
import org.orbitmap.cloud.mapping.ScaleRule;
import org.orbitmap.group.SimilarityGroup;

/** Reads clouds and their mappings from requests, and writes canonical clouds. */
final class CloudRequests {
  private CloudRequests() {}

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

  /** The mapping that the query names: group, mapping, size. */
  static CloudMapping mapping(Request request, int dimension) {
    return new CloudMapping(
        SimilarityGroup.named(request.text("group", "sim" + dimension), dimension),
        AxisSignRule.named(request.text("mapping", AxisSignRule.SKEWNESS.label())),
        ScaleRule.named(request.text("size", ScaleRule.MEAN_DISTANCE.label())));
  }

  /** What is said about a pose everywhere. */
  static Map<String, Object> pose(CloudMapping mapping, CloudPose pose) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("mapping", mapping.name());
    out.put("group", mapping.group().name());
    out.putAll(PoseFields.of(pose.element()));
    out.put("eigenGap", finite(pose.eigenGap()));
    out.put("signMargin", finite(pose.signMargin()));
    out.put("ambiguous", pose.ambiguous());
    return out;
  }

  /** JSON has no infinity: a margin without bound is null. */
  private static Double finite(double v) {
    return Double.isFinite(v) ? v : null;
  }

  static Response canonical(Request request, PointCloud cloud, boolean numbers) {
    CloudMapping mapping = mapping(request, cloud.dimension());
    float[] x = new float[cloud.coordinates().length];
    CloudPose pose = mapping.align(cloud.requireFinite(), x);
    PointCloud canonical = new PointCloud(cloud.dimension(), x);
    if (request.accepts("application/octet-stream")) {
      return Response.of("application/octet-stream", CanonicalApi.bytes(canonical.coordinates()))
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
    return Response.json(out);
  }

  /** Little-endian floats, as text. */
  static String base64(PointCloud cloud) {
    return Base64.getEncoder().encodeToString(CanonicalApi.bytes(cloud.coordinates()));
  }
}
