package org.orbitmap.app.serve.api;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.orbitmap.app.sample.SampleSolids;
import org.orbitmap.app.serve.http.Limits;
import org.orbitmap.app.serve.http.Problem;
import org.orbitmap.app.serve.http.Request;
import org.orbitmap.app.serve.http.Response;
import org.orbitmap.app.serve.model.Models;
import org.orbitmap.app.serve.model.ServedClouds;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.cloud.mapping.CloudMapping;
import org.orbitmap.cloud.mapping.CloudPose;
import org.orbitmap.io.cloud.CloudFiles;
import org.orbitmap.io.cloud.CloudFormat;
import org.orbitmap.io.data.source.CloudPoints;
import org.orbitmap.mesh.Mesh;

/** What the Solid page asks for. Nothing is kept: the page sends its points each time. */
final class SolidApi {
  /** What a dropped file is reduced to. */
  private static final int POINTS = 1500;

  private static final List<CloudFormat> FORMATS =
      List.of(CloudFormat.OFF, CloudFormat.PLY, CloudFormat.OBJ, CloudFormat.XYZ);

  private final SampleSolids solids = new SampleSolids();
  private final Models models;
  private final Limits limits;

  SolidApi(Models models, Limits limits) {
    this.models = models;
    this.limits = limits;
  }

  /** {@code GET /api/solids/{name}}: the points of a sample. */
  Response sample(Request request) {
    String name = request.path().get("name");
    if (!SampleSolids.CLASSES.contains(name)) {
      throw new Problem(404, "solid: expected one of " + SampleSolids.CLASSES);
    }
    return floats(SampleSolids.sample(name));
  }

  private static Response floats(PointCloud cloud) {
    return Response.of("application/octet-stream", CanonicalApi.bytes(cloud.coordinates()));
  }

  /**
   * {@code POST /api/solid?model=NAME}: the canonical cloud, how sure it is, and what a served
   * model of clouds says of it, bare and mapped; without a name, which sample it is nearest to.
   */
  Response moved(Request request) throws IOException {
    PointCloud cloud = CloudRequests.points(request.body(), limits).requireFinite();
    if (cloud.size() > 5000) {
      throw Problem.expected("body", "at most 5000 points", cloud.size());
    }
    CloudMapping mapping = CloudRequests.mapping(request, 3);
    float[] x = new float[cloud.coordinates().length];
    CloudPose pose = mapping.align(cloud, x);
    PointCloud canonical = new PointCloud(3, x);
    Map<String, Object> out = CloudRequests.pose(mapping, pose);
    out.put("floats", CloudRequests.base64(canonical));
    String name = request.text("model", "");
    if (name.isEmpty()) {
      out.put("plain", solids.plain(cloud));
      out.put("mapped", solids.mapped(mapping, canonical));
    } else {
      ServedClouds model = models.clouds(name);
      Mesh points = Mesh.of(cloud);
      PointCloud taken = CloudPoints.of(Path.of(name), points, model.points(), 1);
      double[] plain = model.probabilities(taken, false);
      out.put("plain", plain);
      out.put("mapped", model.probabilities(taken, true));
      out.put("classes", model.classes(plain.length));
    }
    return Response.json(out);
  }

  /**
   * {@code POST /api/cloud?name=FILE}: a dropped file as points, at most 1500, about the origin.
   */
  Response read(Request request) throws IOException {
    Path name = Path.of(request.text("name", "file").replaceAll("[^A-Za-z0-9._-]", "_"));
    if (request.body().length == 0) {
      throw new Problem(400, name + ": expected a solid, found an empty file");
    }
    CloudFormat format =
        CloudFormat.of(name)
            .filter(FORMATS::contains)
            .orElseThrow(
                () -> Problem.expected("name", "an OFF, PLY, OBJ or XYZ file", name.toString()));
    List<Mesh> meshes = CloudFiles.decode(format, name, request.body());
    if (meshes.isEmpty()) {
      throw new Problem(400, name + ": expected a solid, found none");
    }
    Mesh mesh = meshes.get(0);
    PointCloud cloud =
        mesh.triangles().length > 0 || mesh.vertices().size() > POINTS
            ? mesh.sample(POINTS, 1)
            : mesh.vertices();
    if (cloud.dimension() != 3) {
      throw Problem.expected(name.toString(), "points in space", "points in the plane");
    }
    return floats(shown(cloud.requireFinite()));
  }

  /** Moved to the origin and scaled to mean distance 1, so that the page can show it. */
  private static PointCloud shown(PointCloud cloud) {
    CloudMapping place =
        CloudMapping.of(
            new org.orbitmap.group.SimilarityGroup(
                3, org.orbitmap.group.SimilarityGroup.Rotations.NONE, true, true));
    return place.map(cloud).point();
  }
}
