package org.orbitmap.app.serve.api;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.orbitmap.app.match.MeshPicture;
import org.orbitmap.app.sample.SampleAnimal;
import org.orbitmap.app.serve.http.Request;
import org.orbitmap.app.serve.http.Response;
import org.orbitmap.mesh.Mesh;
import org.orbitmap.mesh.match.Landmarks;
import org.orbitmap.mesh.match.SampledSurface;
import org.orbitmap.mesh.match.SurfaceMatch;
import org.orbitmap.mesh.match.SurfaceMatcher;
import org.orbitmap.mesh.spectral.Surface;

/** Two poses of one animal and the map between them, found when they are first asked for. */
final class PosesApi {
  /** Fewer functions than the command takes: the page should not wait long. */
  private static final SurfaceMatcher MATCHER =
      new SurfaceMatcher(60, SurfaceMatcher.Descriptors.WKS, Landmarks.NONE, true);

  private Response found;

  /** {@code GET /api/poses}: both meshes, their colours, the map in both directions. */
  synchronized Response poses(Request request) {
    if (found == null) {
      found = Response.json(match());
    }
    return found;
  }

  private static Map<String, Object> match() {
    long start = System.nanoTime();
    Mesh a = SampleAnimal.pose(SampleAnimal.POSES.get(0));
    Mesh b = SampleAnimal.pose(SampleAnimal.POSES.get(1));
    List<SampledSurface> both =
        List.of(a, b).parallelStream()
            .map(m -> new SampledSurface(Surface.of(m), MATCHER.eigen()))
            .toList();
    SurfaceMatch match = MATCHER.match(both.get(0), both.get(1));
    float[] colours = MeshPicture.places(a);
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("seconds", (System.nanoTime() - start) / 1e9);
    document.put("margin", match.quality().margin());
    document.put("bijectivity", match.quality().bijectivity());
    document.put("a", pose(0, a, colours, match.toB()));
    document.put("b", pose(1, b, match.transfer(colours), match.toA()));
    return document;
  }

  private static Map<String, Object> pose(int number, Mesh mesh, float[] colours, int[] other) {
    Map<String, Object> pose = new LinkedHashMap<>();
    pose.put("name", SampleAnimal.POSES.get(number));
    pose.put("vertices", base64(mesh.vertices().coordinates()));
    pose.put("triangles", base64(mesh.triangles()));
    pose.put("colours", base64(colours));
    pose.put("other", base64(other));
    return pose;
  }

  private static String base64(float[] x) {
    ByteBuffer bytes = ByteBuffer.allocate(4 * x.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asFloatBuffer().put(x);
    return Base64.getEncoder().encodeToString(bytes.array());
  }

  private static String base64(int[] x) {
    ByteBuffer bytes = ByteBuffer.allocate(4 * x.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asIntBuffer().put(x);
    return Base64.getEncoder().encodeToString(bytes.array());
  }
}
