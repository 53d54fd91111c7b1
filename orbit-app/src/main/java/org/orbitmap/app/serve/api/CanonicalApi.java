package org.orbitmap.app.serve.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.orbitmap.app.map.PoseFields;
import org.orbitmap.app.serve.http.Limits;
import org.orbitmap.app.serve.http.Problem;
import org.orbitmap.app.serve.http.Request;
import org.orbitmap.app.serve.http.Response;
import org.orbitmap.group.Rotation2;
import org.orbitmap.image.Image;
import org.orbitmap.image.mapping.Pose;
import org.orbitmap.image.mapping.RotationMapping;
import org.orbitmap.io.image.ImageFiles;

/**
 * {@code POST /api/canonical}: the canonical pose of an image or a cloud.
 *
 * <p>An image comes as a file (PNG, JPEG, …) or as JSON {@code {"shape": [c, h, w], "data": […]}};
 * a cloud as JSON {@code {"points": [[x, y, z], …]}} or as little-endian floats.
 */
final class CanonicalApi {
  private final Limits limits;

  CanonicalApi(Limits limits) {
    this.limits = limits;
  }

  Response canonical(Request request) throws IOException {
    switch (request.mediaType()) {
      case "application/json" -> {
        JsonNode json = request.json();
        if (json.has("points")) {
          return CloudRequests.canonical(request, CloudRequests.points(json, limits), true);
        }
        return image(request, image(json), true);
      }
      case "application/octet-stream" -> {
        return CloudRequests.canonical(
            request, CloudRequests.points(request.body(), limits), false);
      }
      default -> {
        return image(request, ImageRequests.decode(request.body(), limits), false);
      }
    }
  }

  private static Response image(Request request, Image image, boolean numbers) {
    RotationMapping mapping = ImageRequests.mapping(request);
    Pose pose = mapping.pose(image);
    Rotation2 rotation = pose.rotation();
    Image canonical = mapping.action().act(rotation, image);
    double epsilon = request.number("epsilon", oneLevel(image), 0, 1e9);
    if (request.accepts("image/png")) {
      return Response.of("image/png", ImageFiles.png(canonical))
          .with("Orbit-Angle-Degrees", Double.toString(rotation.degrees()))
          .with("Orbit-Margin", Double.toString(pose.margin()));
    }
    Map<String, Object> out = pose(mapping, pose, epsilon);
    out.put("shape", new int[] {image.channels(), image.height(), image.width()});
    if (numbers) {
      out.put("data", canonical.data());
    } else {
      out.put("png", Base64.getEncoder().encodeToString(ImageFiles.png(canonical)));
    }
    return Response.json(out);
  }

  /** The L2 norm of a change by one of 256 levels in every sample. */
  static double oneLevel(Image image) {
    return Math.sqrt(image.data().length) / 255;
  }

  /** What is said about a pose everywhere. */
  static Map<String, Object> pose(RotationMapping mapping, Pose pose, double epsilon) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("mapping", mapping.name());
    out.put("guarantee", mapping.guarantee().reason());
    out.putAll(PoseFields.of(pose.rotation()));
    out.put("cos", pose.rotation().cos());
    out.put("sin", pose.rotation().sin());
    out.put("margin", pose.margin());
    out.put("epsilon", epsilon);
    var bound = pose.certifiedDegrees(epsilon);
    out.put("certifiedDegrees", bound.isPresent() ? bound.getAsDouble() : null);
    return out;
  }

  private Image image(JsonNode json) {
    JsonNode shape = json.path("shape");
    if (!shape.isArray() || shape.size() != 3) {
      throw Problem.expected("shape", "[channels, height, width], or \"points\"", shape);
    }
    int[] n = new int[3];
    long samples = 1;
    for (int i = 0; i < 3; i++) {
      if (!shape.get(i).canConvertToInt() || !shape.get(i).isIntegralNumber()) {
        throw Problem.expected("shape", "whole numbers", shape);
      }
      n[i] = shape.get(i).intValue();
      samples = n[i] < 1 ? 0 : Math.min(Integer.MAX_VALUE, samples * n[i]);
    }
    if (samples < 1 || samples > 4L * limits.pixels() || n[0] > 64) {
      throw Problem.expected(
          "shape", "up to 64 channels and up to %d samples".formatted(4L * limits.pixels()), shape);
    }
    float[] data = floats(json.path("data"), (int) samples);
    return new Image(n[0], n[1], n[2], data).requireFinite();
  }

  /** An array of numbers of a known length. */
  static float[] floats(JsonNode array, int length) {
    if (!array.isArray() || array.size() != length) {
      throw Problem.expected(
          "data",
          "an array of %d numbers".formatted(length),
          array.isArray() ? array.size() + " elements" : array.getNodeType());
    }
    float[] data = new float[length];
    for (int i = 0; i < length; i++) {
      JsonNode v = array.get(i);
      if (!v.isNumber()) {
        throw Problem.expected("data", "numbers", v);
      }
      data[i] = v.floatValue();
    }
    return data;
  }

  static float[] floats(byte[] bytes) {
    float[] data = new float[bytes.length / 4];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(data);
    return data;
  }

  static byte[] bytes(float[] data) {
    ByteBuffer bytes = ByteBuffer.allocate(4 * data.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asFloatBuffer().put(data);
    return bytes.array();
  }
}
