package org.orbitmap.app.serve.api;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.orbitmap.app.command.ServeCommand;
import org.orbitmap.app.sample.SampleDrawings;
import org.orbitmap.app.serve.http.Limits;
import org.orbitmap.app.serve.model.Models;
import org.orbitmap.app.soak.HostileModels;
import org.orbitmap.io.image.ImageFiles;

/** Models that mean harm: the server and its other visitors do not notice. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class HostileUploadsTest {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static Studio studio;

  @BeforeAll
  static void open() throws IOException {
    Models models = new Models(List.of(ServeCommand.drawings()));
    studio = new Studio("127.0.0.1", 0, Limits.DEFAULT, models, "test");
    studio.server().start();
    studio.warm();
  }

  @AfterAll
  static void close() {
    studio.close();
  }

  private static HttpRequest post(String path, byte[] body) {
    return HttpRequest.newBuilder(
            URI.create("http://127.0.0.1:%d%s".formatted(studio.server().port(), path)))
        .header("Content-Type", "application/octet-stream")
        .POST(BodyPublishers.ofByteArray(body))
        .build();
  }

  private static HttpResponse<String> send(HttpRequest request) throws Exception {
    return CLIENT.send(request, BodyHandlers.ofString());
  }

  @Test
  void endlessModelsCostOthersNothingAndAreEnded() throws Exception {
    List<CompletableFuture<HttpResponse<String>>> endless =
        IntStream.range(0, Limits.DEFAULT.streams())
            .mapToObj(
                i ->
                    CLIENT.sendAsync(
                        post(
                            i % 2 == 0 ? "/api/audit" : "/api/wrap",
                            i < 2 ? HostileModels.endlessLoop() : HostileModels.endlessConstant()),
                        BodyHandlers.ofString()))
            .toList();
    byte[] png = ImageFiles.png(SampleDrawings.image(1000, 3, 64, 64));
    HttpResponse<String> curve = send(post("/api/curve?step=90", png));
    assertThat(curve.body()).as("a long answer of the server's own").contains("event: end");
    HttpResponse<String> wrapped = send(post("/api/wrap?frames=1", HostileModels.harmless()));
    assertThat(wrapped.statusCode()).as(wrapped.body()).isEqualTo(200);
    for (CompletableFuture<HttpResponse<String>> one : endless) {
      assertThat(one.get().body()).contains("the model took longer than");
    }
  }

  @Test
  void memoryIsLimited() throws Exception {
    for (long floats : new long[] {4_000_000_000L, 1_000_000_000_000L}) {
      HttpResponse<String> refused = send(post("/api/wrap", HostileModels.gigabytes(floats)));
      assertThat(refused.statusCode()).as(refused.body()).isEqualTo(400);
    }
    assertThat(send(post("/api/wrap?frames=1", HostileModels.harmless())).statusCode())
        .isEqualTo(200);
  }

  @Test
  void noFileIsRead() throws Exception {
    for (Map.Entry<String, byte[]> model : HostileModels.all().entrySet()) {
      if (model.getKey().contains("file")) {
        HttpResponse<String> refused = send(post("/api/wrap", model.getValue()));
        assertThat(refused.statusCode()).as(model.getKey()).isEqualTo(400);
        assertThat(refused.body())
            .as(model.getKey())
            .contains("whole in itself")
            .doesNotContain("root");
      }
    }
  }

  @Test
  void whoLeavesTakesTheCellAlong() throws Exception {
    byte[] model = HostileModels.endlessLoop();
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), studio.server().port())) {
      String head =
          "POST /api/wrap HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n"
              .formatted(model.length);
      socket.getOutputStream().write(head.getBytes(StandardCharsets.ISO_8859_1));
      socket.getOutputStream().write(model);
      while (!metrics().contains("orbit_cells 1\n")) {
        Thread.onSpinWait();
      }
    }
    long left = System.nanoTime();
    while (!metrics().contains("orbit_cells 0\n")) {
      Thread.onSpinWait();
    }
    assertThat(System.nanoTime() - left)
        .as("well before the limit for an answer")
        .isLessThan(TimeUnit.SECONDS.toNanos(8));
  }

  private static String metrics() throws Exception {
    return send(HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:%d/metrics".formatted(studio.server().port())))
            .build())
        .body();
  }
}
