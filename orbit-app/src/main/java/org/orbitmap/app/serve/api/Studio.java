package org.orbitmap.app.serve.api;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.orbitmap.app.report.Report;
import org.orbitmap.app.sample.SampleDrawings;
import org.orbitmap.app.sample.SampleSolids;
import org.orbitmap.app.serve.http.Limits;
import org.orbitmap.app.serve.http.Response;
import org.orbitmap.app.serve.http.Server;
import org.orbitmap.app.serve.model.Models;
import org.orbitmap.app.serve.model.ServedClouds;
import org.orbitmap.app.serve.model.ServedImages;
import org.orbitmap.image.Interpolation;
import org.orbitmap.model.InputShape;
import org.orbitmap.model.MappingFamily;
import org.orbitmap.model.MappingSpec;

/** All routes on one server. */
public final class Studio implements AutoCloseable {
  /** The side of the sample images. */
  static final int SIDE = 64;

  private final Server server;
  private final Models models;
  private final UploadApi uploads;

  public Studio(String host, int port, Limits limits, Models models, String version) {
    this(host, port, limits, models, List.of(), version);
  }

  /**
   * A server with images of the user's own on its page.
   *
   * @param own files of images; empty for the drawings
   */
  public Studio(
      String host, int port, Limits limits, Models models, List<Path> own, String version) {
    this.models = models;
    OwnImages images = new OwnImages(own);
    server = new Server(host, port, limits);
    uploads = new UploadApi(limits);
    server
        .metrics()
        .gauge("orbit_cells", "Uploaded models at work, each in a cell.", uploads::running);
    Pages.addTo(server);
    Response about = Response.json(about(version, images));
    server.get("/api/studio", request -> about);
    CanonicalApi canonical = new CanonicalApi(limits);
    server.post("/api/canonical", limits.body(), canonical::canonical);
    server.get("/api/images/{number}", images::file);
    ImageApi views = new ImageApi(models, limits);
    server.post("/api/fit", limits.body(), views::fit);
    server.post("/api/image", limits.body(), views::rotated);
    server.stream("/api/curve", limits.body(), views::curve);
    SolidApi solids = new SolidApi(models, limits);
    server.get("/api/solids/{name}", solids::sample);
    server.post("/api/solid", limits.body(), solids::moved);
    server.post("/api/cloud", limits.body(), solids::read);
    server.get("/api/poses", new PosesApi()::poses);
    server.postLong("/api/wrap", limits.upload(), uploads::wrap);
    server.stream("/api/audit", limits.upload(), uploads::audit);
    new InferenceApi(models, version).addTo(server);
    server.get(
        "/metrics",
        request ->
            Response.of(
                "text/plain; version=0.0.4; charset=utf-8",
                server.metrics().text().getBytes(java.nio.charset.StandardCharsets.UTF_8)));
  }

  /** What the page needs at its start. */
  private Map<String, Object> about(String version, OwnImages own) {
    List<Object> described = new ArrayList<>();
    for (ServedImages m : models.images()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("name", m.name());
      one.put("kind", "images");
      one.put("classes", m.classes());
      one.put("channels", m.input().channels());
      one.put("height", m.input().height());
      one.put("width", m.input().width());
      one.put("frames", m.frames());
      described.add(one);
    }
    List<Object> samples = new ArrayList<>();
    for (int i = 0; i < SampleDrawings.CLASSES.size(); i++) {
      samples.add(
          Map.of(
              "name",
              SampleDrawings.CLASSES.get(i),
              "png",
              Report.dataUri(SampleDrawings.image(1000 + i, 3, SIDE, SIDE))));
    }
    Map<String, Object> about = new LinkedHashMap<>();
    about.put("version", version);
    about.put("models", described);
    about.put("cloudModels", models.clouds().stream().map(ServedClouds::name).toList());
    about.put("mappings", mappings(new InputShape.Images(1, 1, 1)));
    about.put("cloudMappings", mappings(new InputShape.Clouds(1)));
    about.put(
        "interpolations",
        java.util.Arrays.stream(Interpolation.values()).map(Interpolation::id).toList());
    about.put("size", SIDE);
    about.put("images", samples);
    about.put("own", own.names());
    about.put("solids", SampleSolids.CLASSES);
    return about;
  }

  /** The rules that map inputs of a kind, the default first. */
  private static List<String> mappings(InputShape<?> kind) {
    return MappingSpec.families(kind).stream().map(MappingFamily::name).toList();
  }

  public Server server() {
    return server;
  }

  /** Starts what the first uploaded model would have to wait for. */
  public void warm() {
    uploads.cells();
  }

  @Override
  public void close() {
    server.close();
    uploads.close();
    models.close();
  }
}
