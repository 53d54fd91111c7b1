package org.orbitmap.app.serve;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.orbitmap.app.report.Report;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.PoseRule;

/** All routes on one server. */
final class Studio implements AutoCloseable {
  /** The side of the sample pictures. */
  static final int SIDE = 64;

  private final Server server;
  private final Models models;

  Studio(String host, int port, Limits limits, Models models, String version) {
    this.models = models;
    server = new Server(host, port, limits);
    UploadApi uploads = new UploadApi(limits);
    Pages.addTo(server);
    Answer about = Answer.json(about(version));
    server.get("/api/studio", call -> about);
    CanonicalApi canonical = new CanonicalApi(limits);
    server.post("/api/canonical", limits.body(), canonical::answer);
    PictureApi pictures = new PictureApi(models, limits);
    server.post("/api/fit", limits.body(), pictures::fit);
    server.post("/api/picture", limits.body(), pictures::turned);
    server.stream("/api/curve", limits.body(), pictures::curve);
    SolidApi solids = new SolidApi(limits);
    server.get("/api/solids/{name}", solids::sample);
    server.post("/api/solid", limits.body(), solids::moved);
    server.post("/api/cloud", limits.body(), solids::read);
    server.postLong("/api/wrap", limits.upload(), uploads::wrap);
    server.stream("/api/audit", limits.upload(), uploads::audit);
    new InferenceApi(models, version).addTo(server);
    server.get(
        "/metrics",
        call ->
            Answer.of(
                "text/plain; version=0.0.4; charset=utf-8",
                server.metrics().text().getBytes(java.nio.charset.StandardCharsets.UTF_8)));
  }

  /** What the page needs at its start. */
  private Map<String, Object> about(String version) {
    List<Object> described = new ArrayList<>();
    for (ServedModel m : models.pictures()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("name", m.name());
      one.put("kind", "pictures");
      one.put("classes", m.classes());
      one.put("channels", m.input().channels());
      one.put("height", m.input().height());
      one.put("width", m.input().width());
      one.put("frames", m.frames());
      described.add(one);
    }
    List<Object> samples = new ArrayList<>();
    for (int i = 0; i < Drawings.CLASSES.size(); i++) {
      samples.add(
          Map.of(
              "name",
              Drawings.CLASSES.get(i),
              "png",
              Report.dataUri(Drawings.picture(1000 + i, 3, SIDE, SIDE))));
    }
    Map<String, Object> about = new LinkedHashMap<>();
    about.put("version", version);
    about.put("models", described);
    about.put("mappings", PoseRule.all().stream().map(PoseRule::name).toList());
    about.put(
        "interpolations",
        java.util.Arrays.stream(Interpolation.values()).map(Interpolation::id).toList());
    about.put("size", SIDE);
    about.put("pictures", samples);
    about.put("solids", Solids.CLASSES);
    about.put(
        "signs",
        java.util.Arrays.stream(org.orbitmap.cloud.Signs.values())
            .map(org.orbitmap.cloud.Signs::label)
            .toList());
    return about;
  }

  Server server() {
    return server;
  }

  @Override
  public void close() {
    server.close();
    models.close();
  }
}
