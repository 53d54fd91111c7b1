package org.orbitmap.app.serve.api;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnx.proto.OnnxMl.GraphProto;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.orbitmap.app.OnnxParts;
import org.orbitmap.app.command.ServeCommand;
import org.orbitmap.app.option.Json;
import org.orbitmap.app.sample.SampleDrawings;
import org.orbitmap.app.sample.SampleSolids;
import org.orbitmap.app.serve.http.Limits;
import org.orbitmap.app.serve.http.Server;
import org.orbitmap.app.serve.model.Models;
import org.orbitmap.eval.Scores;
import org.orbitmap.group.Rotation2;
import org.orbitmap.group.SimilarityGroup;
import org.orbitmap.image.Image;
import org.orbitmap.image.ImageRotation;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.mapping.RotationMapping;
import org.orbitmap.io.image.ImageFiles;

/** The API and its limits, over real sockets. */
class ServerTest {
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  /** Smaller than usual, and patient: the machine may be busy. */
  private static final Limits LIMITS = limits(2, 3, PATIENCE);

  private static Limits limits(int streams, int queue, Duration arrival) {
    return new Limits(
        1 << 20, 8 << 20, 16 << 20, 250_000, 5000, 64, streams, queue, arrival, arrival, PATIENCE,
        PATIENCE, PATIENCE);
  }

  private static final String JSON = "application/json";

  private static Studio studio;
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  @BeforeAll
  static void open() throws IOException {
    studio = studio(LIMITS);
  }

  private static Studio studio(Limits limits) throws IOException {
    Models models = new Models(List.of(ServeCommand.drawings()));
    Studio studio = new Studio("127.0.0.1", 0, limits, models, "test");
    studio.server().start();
    return studio;
  }

  @AfterAll
  static void close() {
    studio.close();
  }

  private static HttpRequest.Builder to(String path) {
    return HttpRequest.newBuilder(
        URI.create("http://127.0.0.1:%d%s".formatted(studio.server().port(), path)));
  }

  private static HttpResponse<byte[]> send(HttpRequest.Builder request) throws Exception {
    return CLIENT.send(request.build(), BodyHandlers.ofByteArray());
  }

  private static HttpResponse<byte[]> post(String path, String type, byte[] body) throws Exception {
    return send(to(path).header("Content-Type", type).POST(BodyPublishers.ofByteArray(body)));
  }

  private static JsonNode json(HttpResponse<byte[]> response) throws IOException {
    return Json.mapper().readTree(response.body());
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void anImageAndItsRotationsHaveOneCanonicalPose() throws Exception {
    Image u = SampleDrawings.image(1000, 3, 32, 32);
    JsonNode pose = json(post("/api/canonical", "image/png", ImageFiles.png(u)));
    double expected = RotationMapping.disc().pose(u).rotation().degrees();
    assertThat(pose.get("angleDegrees").doubleValue())
        .isCloseTo(expected, org.assertj.core.api.Assertions.within(0.2));
    assertThat(pose.get("margin").doubleValue()).isPositive();
    assertThat(pose.get("certifiedDegrees").doubleValue()).isPositive();
    Image rotated = new ImageRotation(Resampling.BILINEAR).act(Rotation2.ofDegrees(90), u);
    JsonNode other = json(post("/api/canonical", "image/png", ImageFiles.png(rotated)));
    assertThat(other.get("png").textValue()).isEqualTo(pose.get("png").textValue());
  }

  @Test
  void aConstantImageHasNoBound() throws Exception {
    JsonNode pose =
        json(post("/api/canonical", JSON, utf8("{\"shape\":[1,2,2],\"data\":[0.5,0.5,0.5,0.5]}")));
    assertThat(pose.get("margin").doubleValue()).isZero();
    assertThat(pose.get("certifiedDegrees").isNull()).isTrue();
  }

  @Test
  void aCloudAndItsRotationHaveOneCanonicalPose() throws Exception {
    float[] x = SampleSolids.sample("guitar").coordinates();
    float[] y = new float[x.length];
    for (int i = 0; i < x.length; i += 3) { // a quarter turn, twice the size, moved
      y[i] = -2 * x[i + 1] + 5;
      y[i + 1] = 2 * x[i] - 1;
      y[i + 2] = 2 * x[i + 2];
    }
    byte[][] canonical = new byte[2][];
    for (int k = 0; k < 2; k++) {
      canonical[k] =
          send(to("/api/canonical")
                  .header("Content-Type", "application/octet-stream")
                  .header("Accept", "application/octet-stream")
                  .POST(BodyPublishers.ofByteArray(CanonicalApi.bytes(k == 0 ? x : y))))
              .body();
    }
    float[] a = CanonicalApi.floats(canonical[0]);
    float[] b = CanonicalApi.floats(canonical[1]);
    for (int i = 0; i < a.length; i++) {
      assertThat(b[i]).isCloseTo(a[i], org.assertj.core.api.Assertions.within(1e-4f));
    }
  }

  @Test
  void groupsHaveTheNamesOfTheCommands() throws Exception {
    JsonNode names = Json.mapper().valueToTree(SimilarityGroup.names(3));
    JsonNode paths = json(send(to("/openapi.json").GET())).get("paths");
    for (String path : List.of("/api/canonical", "/api/solid")) {
      assertThat(paths.get(path).get("post").get("parameters"))
          .filteredOn(p -> p.get("name").textValue().equals("group"))
          .extracting(p -> p.get("schema").get("enum"))
          .containsExactly(names);
    }
    byte[] space = utf8("{\"points\":[[0,0,0],[4,0,0],[0,2,0],[0,0,1],[5,1,1]]}");
    byte[] plane = utf8("{\"points\":[[0,0],[4,0],[0,2],[5,1]]}");
    for (String group : SimilarityGroup.names(3)) {
      assertThat(post("/api/canonical?group=" + group, JSON, space).statusCode()).isEqualTo(200);
    }
    for (String flat : SimilarityGroup.names(2)) {
      assertThat(post("/api/canonical?group=" + flat, JSON, plane).statusCode()).isEqualTo(200);
    }
    assertThat(error(post("/api/canonical?group=sim2", JSON, space)))
        .contains("expected one of sim3, se3,")
        .contains("found sim2");
    assertThat(error(post("/api/canonical?mapping=odd", JSON, space))).contains("first-point");
    assertThat(error(post("/api/canonical?size=odd", JSON, space))).contains("max-norm");
  }

  @Test
  void theInferenceProtocolAnswersInJsonAndBinary() throws Exception {
    assertThat(json(send(to("/v2/health/live").GET())).get("live").booleanValue()).isTrue();
    assertThat(json(send(to("/v2").GET())).get("extensions").get(0).textValue())
        .isEqualTo("binary_tensor_data");
    JsonNode about = json(send(to("/v2/models/drawings.mapped/versions/1").GET()));
    assertThat(about.get("inputs").get(0).get("datatype").textValue()).isEqualTo("FP32");
    assertThat(about.get("inputs").get(0).get("shape").toString()).isEqualTo("[-1,3,64,64]");
    float[] data = SampleDrawings.image(1003, 3, 64, 64).data();
    String head =
        "{\"id\":\"7\",\"inputs\":[{\"name\":\"image\",\"datatype\":\"FP32\",\"shape\":[1,3,64,64],";
    byte[] plain = utf8(head + "\"data\":" + Arrays.toString(data) + "}]}");
    JsonNode answer = json(post("/v2/models/drawings.mapped/infer", JSON, plain));
    assertThat(answer.get("id").textValue()).isEqualTo("7");
    JsonNode scores = answer.get("outputs").get(0).get("data");
    assertThat(scores).hasSize(10);
    byte[] binaryHead =
        utf8(
            head
                + "\"parameters\":{\"binary_data_size\":49152}}],"
                + "\"parameters\":{\"binary_data_output\":true}}");
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.writeBytes(binaryHead);
    body.writeBytes(CanonicalApi.bytes(data));
    HttpResponse<byte[]> binary =
        send(
            to("/v2/models/drawings.mapped/infer")
                .header("Content-Type", "application/octet-stream")
                .header("Inference-Header-Content-Length", "" + binaryHead.length)
                .POST(BodyPublishers.ofByteArray(body.toByteArray())));
    int length =
        Integer.parseInt(binary.headers().firstValue("Inference-Header-Content-Length").get());
    float[] raw =
        CanonicalApi.floats(Arrays.copyOfRange(binary.body(), length, binary.body().length));
    assertThat(raw).hasSize(10);
    for (int i = 0; i < 10; i++) {
      assertThat(raw[i])
          .isCloseTo(scores.get(i).floatValue(), org.assertj.core.api.Assertions.within(1e-4f));
    }
    assertThat(Scores.argmax(raw)).isEqualTo(3);

    // what the core refuses is refused here, too
    data[5] = Float.NaN;
    body.reset();
    body.writeBytes(binaryHead);
    body.writeBytes(CanonicalApi.bytes(data));
    HttpResponse<byte[]> nan =
        send(
            to("/v2/models/drawings.mapped/infer")
                .header("Content-Type", "application/octet-stream")
                .header("Inference-Header-Content-Length", "" + binaryHead.length)
                .POST(BodyPublishers.ofByteArray(body.toByteArray())));
    assertThat(error(nan)).contains("image: expected finite numbers, found NaN at 5");
    data[5] = 0;
    byte[] huge = utf8(head + "\"data\":" + Arrays.toString(data).replace("[", "[1e39, ") + "}]}");
    assertThat(error(post("/v2/models/drawings.mapped/infer", JSON, huge))).contains("expected");
  }

  @Test
  void wrongRequestsGetTheirStatusAndAReason() throws Exception {
    assertThat(send(to("/nothing").GET()).statusCode()).isEqualTo(404);
    assertThat(send(to("/../../etc/passwd").GET()).statusCode()).isEqualTo(404);
    assertThat(send(to("/api/canonical").GET()).statusCode()).isEqualTo(405);
    assertThat(send(to("/v2/models/none").GET()).statusCode()).isEqualTo(404);
    HttpResponse<byte[]> broken = post("/api/canonical", "image/png", utf8("no image"));
    assertThat(broken.statusCode()).isEqualTo(400);
    assertThat(json(broken).get("error").textValue()).contains("expected an image");
    assertThat(post("/api/canonical", "image/png", new byte[2 << 20]).statusCode()).isEqualTo(413);
    Image wide = Image.black(1, 600, 600);
    HttpResponse<byte[]> large = post("/api/canonical", "image/png", ImageFiles.png(wide));
    assertThat(large.statusCode()).isEqualTo(400);
    assertThat(json(large).get("error").textValue()).contains("pixels");
    assertThat(post("/api/canonical", JSON, utf8("[".repeat(5000))).statusCode()).isEqualTo(400);
    assertThat(
            post("/api/canonical?mapping=x", "image/png", ImageFiles.png(Image.black(1, 4, 4)))
                .statusCode())
        .isEqualTo(400);
    assertThat(post("/api/solid", "application/octet-stream", new byte[13]).statusCode())
        .isEqualTo(400);
    assertThat(post("/api/wrap", "application/octet-stream", utf8("none")).statusCode())
        .isEqualTo(400);
  }

  @Test
  void nothingIsReservedForNumbersThatAreNotThere() throws Exception {
    String wide = "[[" + "0,".repeat(100_000) + "0]" + ",0".repeat(4_000) + "]";
    for (String points : List.of("[[1]]", "[5]", wide)) {
      assertThat(error(post("/api/canonical", JSON, utf8("{\"points\":" + points + "}"))))
          .contains("points: expected 2 or 3 coordinates each");
    }
    for (String points : List.of("[[1,2],[1,2,3]]", "[[1,2,3],4]")) {
      assertThat(error(post("/api/canonical", JSON, utf8("{\"points\":" + points + "}"))))
          .contains("expected an array of");
    }
    String head = "{\"inputs\":[{\"name\":\"image\",\"datatype\":\"FP32\",\"shape\":[%d,3,64,64],";
    String infer = "/v2/models/drawings/infer";
    assertThat(error(post(infer, JSON, utf8(head.formatted(5000) + "\"data\":[0]}]}"))))
        .contains("data of 61440000 numbers")
        .contains("bytes of JSON");
    String zeros = "\"data\":[" + "0,".repeat(3 * 64 * 64) + "0]}]}";
    assertThat(error(post(infer, JSON, utf8(head.formatted(1) + zeros))))
        .contains("data of 12288 numbers, found 12289 numbers");
  }

  /** A model that only flattens its images. */
  private static byte[] flatten(int... shape) {
    return OnnxParts.model(
            GraphProto.newBuilder()
                .setName("flatten")
                .addInput(OnnxParts.tensor("x", shape))
                .addOutput(OnnxParts.tensor("scores", -1, -1))
                .addNode(OnnxParts.node("Flatten", "scores", "x")))
        .toByteArray();
  }

  @Test
  void modelsThatCannotBeUsedAreRefused() throws Exception {
    String type = "application/octet-stream";
    assertThat(post("/api/wrap", type, flatten(-1, 1, 8, 8)).statusCode()).isEqualTo(200);
    assertThat(error(post("/api/audit?scaling=imagenet", type, flatten(-1, 1, 8, 8))))
        .contains("mean: expected 1");
    for (String path : List.of("/api/wrap", "/api/audit")) {
      assertThat(error(post(path, type, flatten(1, 3, 20_000, 20_000))))
          .contains("at most 250000 pixels")
          .contains("found 1 x 3 x 20000 x 20000");
      assertThat(error(post(path, type, flatten(1_000_000_000, 3, 8, 8))))
          .contains("at most 250000 pixels");
    }
  }

  @Test
  void anUploadedModelIsAuditedAsCommandsDo() throws Exception {
    HttpResponse<byte[]> audited =
        post("/api/audit?frames=4", "application/octet-stream", flatten(-1, 1, 8, 8));
    String events = new String(audited.body(), StandardCharsets.UTF_8);
    assertThat(events).startsWith("event: model\n").contains("event: progress\n");
    String end = events.substring(events.indexOf("event: end\ndata: ") + 17).strip();
    JsonNode document = Json.mapper().readTree(end);
    assertThat(document.get("own").booleanValue()).isFalse();
    for (String which : List.of("plain", "mapped")) {
      JsonNode found = document.get(which);
      assertThat(found.has("clean")).as("there are no labels").isFalse();
      JsonNode sweep = found.get("sweeps").elements().next();
      assertThat(sweep.has("average")).isFalse();
      assertThat(sweep.get("perPose")).hasSize(36);
      assertThat(sweep.at("/perPose/9/angleDegrees").doubleValue()).isEqualTo(90);
      assertThat(sweep.at("/perPose/0/kept").doubleValue()).isEqualTo(1);
      assertThat(sweep.get("allKept").doubleValue())
          .isBetween(0.0, sweep.get("labelKept").doubleValue());
      assertThat(sweep.get("failing")).isNotEmpty();
    }
    assertThat(document.at("/mapped/sweeps").elements().next().get("labelKept").doubleValue())
        .isGreaterThan(
            document.at("/plain/sweeps").elements().next().get("labelKept").doubleValue());
  }

  @Test
  void anUploadedModelIsAskedAboutTheVisitorsImages() throws Exception {
    byte[] model = flatten(-1, 1, 8, 8);
    Image dot = Image.black(1, 20, 30);
    dot.data()[5 * 30 + 9] = 1;
    List<byte[]> images =
        List.of(ImageFiles.png(dot), ImageFiles.png(Image.black(3, 9, 9)), ImageFiles.png(dot));
    String lengths =
        images.stream().map(i -> Integer.toString(i.length)).collect(Collectors.joining(","));
    var body = new ByteArrayOutputStream();
    body.writeBytes(model);
    images.forEach(body::writeBytes);
    String type = "application/octet-stream";
    HttpResponse<byte[]> audited =
        post("/api/audit?frames=4&images=" + lengths, type, body.toByteArray());
    String events = new String(audited.body(), StandardCharsets.UTF_8);
    String end = events.substring(events.indexOf("event: end\ndata: ") + 17).strip();
    JsonNode document = Json.mapper().readTree(end);
    assertThat(document.get("own").booleanValue()).isTrue();
    assertThat(document.get("images").intValue()).isEqualTo(3);
    // A black image is black at all angles; the dot moves.
    assertThat(document.at("/plain/sweeps").elements().next().get("allKept").doubleValue())
        .isEqualTo(1 / 3.0);
    assertThat(error(post("/api/audit?images=x", type, model))).contains("images: expected");
    assertThat(error(post("/api/audit?images=999999", type, model)))
        .contains("expected a model and 999999 bytes of images");
    assertThat(error(post("/api/audit?images=9", type, Arrays.copyOf(model, model.length + 9))))
        .contains("image");
  }

  /** What a refused request is told. */
  private static String error(HttpResponse<byte[]> refused) throws IOException {
    assertThat(refused.statusCode()).isEqualTo(400);
    return json(refused).get("error").textValue();
  }

  @Test
  void foreignPagesAreNotAnswered() throws Exception {
    assertThat(
            send(to("/api/studio").header("Origin", "http://elsewhere.example").GET()).statusCode())
        .isEqualTo(403);
    assertThat(raw(studio, "GET / HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n")).contains(" 421 ");
  }

  @Test
  void everyAnswerCarriesTheContentPolicy() throws Exception {
    HttpResponse<byte[]> page = send(to("/").GET());
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.headers().firstValue("Content-Security-Policy").get())
        .contains("default-src 'none'")
        .doesNotContain("unsafe");
    String tag = page.headers().firstValue("ETag").get();
    assertThat(send(to("/").header("If-None-Match", tag).GET()).statusCode()).isEqualTo(304);
  }

  private static String raw(Studio to, String text) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), to.server().port())) {
      socket.setSoTimeout(60_000);
      socket.getOutputStream().write(utf8(text));
      byte[] some = new byte[4096];
      int n = socket.getInputStream().read(some);
      return n < 0 ? "" : new String(some, 0, n, StandardCharsets.UTF_8);
    }
  }

  @Test
  void slowVisitorsAreLetGo() throws Exception {
    try (Studio hasty = studio(limits(2, 3, Duration.ofSeconds(1)))) {
      assertThat(raw(hasty, "GET / HTTP/1.1\r\nHost: local")).as("a head without an end").isEmpty();
      String head =
          "POST /api/canonical HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n";
      assertThat(raw(hasty, head + "x")).as("a body without an end").isEmpty();
    }
  }

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void metricsCount() throws Exception {
    send(to("/v2/health/ready").GET());
    String text;
    do { // a request is counted when its answer has gone, which the visitor may know earlier
      text = new String(send(to("/metrics").GET()).body(), StandardCharsets.UTF_8);
    } while (!text.contains("orbit_requests_total{method=\"GET\",route=\"/v2/health/ready\"")
        || !text.contains("orbit_request_seconds_count{route=\"/v2/health/ready\""));
    assertThat(text)
        .contains(
            "orbit_requests_total{method=\"GET\",route=\"/v2/health/ready\",status=\"200\"} 1\n")
        .contains("orbit_request_seconds_bucket{route=\"/v2/health/ready\",le=\"+Inf\"} 1\n")
        .contains("# TYPE orbit_long_answers gauge\norbit_long_answers ");
  }

  @Test
  void openApiNamesEveryRoute() throws Exception {
    Set<String> named = new TreeSet<>();
    json(send(to("/openapi.json").GET()))
        .get("paths")
        .properties()
        .forEach(
            path ->
                path.getValue()
                    .fieldNames()
                    .forEachRemaining(
                        method ->
                            named.add(method.toUpperCase(Locale.ROOT) + " " + path.getKey())));
    Set<String> routes = new TreeSet<>(studio.server().routes());
    try (Server files = new Server("127.0.0.1", 0, LIMITS)) {
      Pages.addTo(files);
      routes.removeAll(files.routes());
    }
    assertThat(named).isEqualTo(routes).contains("POST /api/canonical");
  }

  /** A server with one long answer, which lasts until it is let go. */
  private static final class Slow implements AutoCloseable {
    final CountDownLatch letGo = new CountDownLatch(1);
    final CountDownLatch begun = new CountDownLatch(LIMITS.streams());
    final Server server = new Server("127.0.0.1", 0, LIMITS);

    Slow() {
      server.stream(
          "/slow",
          10,
          (request, events) -> {
            begun.countDown();
            letGo.await();
            events.send("end", List.of());
          });
      server.start();
    }

    URI address(String path) {
      return URI.create("http://127.0.0.1:%d%s".formatted(server.port(), path));
    }

    CompletableFuture<HttpResponse<String>> ask() {
      return CLIENT.sendAsync(
          HttpRequest.newBuilder(address("/slow")).POST(BodyPublishers.noBody()).build(),
          BodyHandlers.ofString());
    }

    @Override
    public void close() {
      letGo.countDown();
      server.close();
    }
  }

  @Test
  void longAnswersWaitForTheirTurn() throws Exception {
    try (Slow slow = new Slow()) {
      List<CompletableFuture<HttpResponse<String>>> answers =
          IntStream.range(0, LIMITS.streams() + LIMITS.queue() + 1)
              .mapToObj(i -> slow.ask())
              .toList();
      // all but one run or wait, so the first answer is the refusal
      CompletableFuture.anyOf(answers.toArray(CompletableFuture[]::new)).get();
      slow.letGo.countDown();
      List<HttpResponse<String>> all = answers.stream().map(CompletableFuture::join).toList();
      assertThat(all).filteredOn(a -> a.statusCode() == 503).hasSize(1);
      assertThat(all)
          .filteredOn(a -> a.statusCode() == 200)
          .hasSize(LIMITS.streams() + LIMITS.queue())
          .allMatch(a -> a.body().contains("event: end"));
    }
  }

  @Test
  void unknownModelsTakeTheirTurnWithTheLongAnswers() throws Exception {
    try (Studio none = studio(limits(1, -1, PATIENCE))) { // room for no long answer at all
      for (String path : List.of("/api/curve", "/api/audit", "/api/wrap", "/api/cloud")) {
        HttpRequest request =
            HttpRequest.newBuilder(
                    URI.create("http://127.0.0.1:%d%s".formatted(none.server().port(), path)))
                .POST(BodyPublishers.noBody())
                .build();
        assertThat(CLIENT.send(request, BodyHandlers.discarding()).statusCode())
            .as(path)
            .isEqualTo(path.equals("/api/cloud") ? 400 : 503);
      }
    }
  }

  @Test
  void requestsUnderWayAreAnsweredBeforeTheEnd() throws Exception {
    try (Slow slow = new Slow()) {
      var first = slow.ask();
      var second = slow.ask();
      slow.begun.await();
      CompletableFuture<Boolean> drained =
          CompletableFuture.supplyAsync(() -> slow.server.drain(PATIENCE));
      HttpRequest late = HttpRequest.newBuilder(slow.address("/no-such-page")).build();
      while (CLIENT.send(late, BodyHandlers.discarding()).statusCode() == 404) {
        Thread.onSpinWait(); // until it drains, which refuses what comes late
      }
      assertThat(CLIENT.send(late, BodyHandlers.discarding()).statusCode()).isEqualTo(503);
      assertThat(drained).isNotDone();
      slow.letGo.countDown();
      assertThat(drained.get()).isTrue();
      assertThat(first.get().body()).contains("event: end");
      assertThat(second.get().body()).contains("event: end");
    }
  }
}
