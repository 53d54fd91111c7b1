package org.orbitmap.app.serve.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is sent over real sockets, byte by byte, by visitors who are idle, odd or wrong. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ProtocolTest {
  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final int BODY = 1 << 20;
  private static final int UPLOAD = 8 << 20;
  private static final Limits LIMITS =
      new Limits(
          BODY,
          UPLOAD,
          2 * UPLOAD,
          1000,
          1000,
          64,
          2,
          2,
          PATIENCE,
          PATIENCE,
          PATIENCE,
          PATIENCE,
          PATIENCE);

  private Server server;
  private final List<Socket> open = new ArrayList<>();

  @BeforeEach
  void start() {
    server = new Server("127.0.0.1", 0, LIMITS);
    server.get("/page", request -> Response.json("here"));
    server.post("/length", BODY, request -> Response.json(request.body().length));
    server.postLong("/upload", UPLOAD, request -> Response.json(request.body().length));
    server.start();
  }

  @AfterEach
  void stop() throws IOException {
    for (Socket socket : open) {
      socket.close();
    }
    server.close();
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
    socket.setSoTimeout(60_000);
    open.add(socket);
    return socket;
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** What arrives next; empty at the end. */
  private static String read(Socket socket) throws IOException {
    byte[] some = new byte[8192];
    int n = socket.getInputStream().read(some);
    return n < 0 ? "" : new String(some, 0, n, StandardCharsets.ISO_8859_1);
  }

  private String ask(String text) throws IOException {
    Socket socket = connect();
    send(socket, text);
    return read(socket);
  }

  private static String post(String path, int length) {
    return "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n"
        .formatted(path, length);
  }

  @Test
  void announcedBytesCostNothing() throws Exception {
    for (int i = 0; i < 10; i++) {
      send(connect(), post("/upload", UPLOAD));
      send(connect(), post("/length", BODY));
    }
    assertThat(ask(post("/length", 3) + "abc")).contains(" 200 ").endsWith("3");
    assertThat(ask(post("/upload", 3) + "abc")).contains(" 200 ").endsWith("3");
  }

  @Test
  void bodiesThatStopArrivingGiveWay() throws Exception {
    byte[] most = new byte[UPLOAD - 1];
    List<Socket> resting = new ArrayList<>();
    for (int i = 0; i < 3; i++) { // two fill the budget
      Socket socket = connect();
      send(socket, post("/upload", UPLOAD));
      try {
        socket.getOutputStream().write(most);
      } catch (IOException e) {
        continue; // refused while it sent
      }
      resting.add(socket);
    }
    assertThat(resting).isNotEmpty();
    assertThat(ask(post("/length", 3) + "abc")).as("others have their own").contains(" 200 ");
    String answer;
    do { // until those that rest have rested for long
      Socket socket = connect();
      send(socket, post("/upload", UPLOAD));
      try {
        socket.getOutputStream().write(new byte[UPLOAD]);
        answer = read(socket);
      } catch (IOException e) {
        answer = "";
      }
    } while (!answer.contains(" 200 "));
    assertThat(answer).endsWith(Integer.toString(UPLOAD));
  }

  @Test
  void whoAsksWhetherToGoOnIsTold() throws Exception {
    Socket socket = connect();
    send(socket, post("/length", 3).replace("\r\n\r\n", "\r\nExpect: 100-Continue\r\n\r\n"));
    assertThat(read(socket)).startsWith("HTTP/1.1 100 ");
    send(socket, "abc");
    assertThat(read(socket)).startsWith("HTTP/1.1 200 ").endsWith("3");
    assertThat(
            ask(post("/length", 2 * BODY).replace("\r\n\r\n", "\r\nExpect: 100-continue\r\n\r\n")))
        .as("too much, said before it is sent")
        .startsWith("HTTP/1.1 413 ");
    assertThat(ask(post("/length", 3).replace("\r\n\r\n", "\r\nExpect: a miracle\r\n\r\n")))
        .startsWith("HTTP/1.1 417 ");
  }

  @Test
  void bodiesMayComeInChunksAndWrongOnesAreRefused() throws Exception {
    String head = "POST /length HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n";
    assertThat(ask(head + "2\r\nab\r\n1\r\nc\r\n0\r\n\r\n")).contains(" 200 ").endsWith("3");
    for (String wrong : List.of("ZZ\r\nab\r\n", "-1\r\nab\r\n", "2\r\nabXX1\r\nc\r\n")) {
      assertThat(ask(head + wrong)).as(wrong).startsWith("HTTP/1.1 400 ");
    }
    assertThat(
            ask(post("/length", 3).replace("\r\n\r\n", "\r\nTransfer-Encoding: chunked\r\n\r\n")))
        .as("two lengths")
        .startsWith("HTTP/1.1 400 ");
    Socket twice = connect();
    send(twice, head + "3;x=y\r\nabc\r\n0\r\nA: b\r\n\r\n" + head + "1\r\na\r\n0\r\n\r\n");
    StringBuilder both = new StringBuilder();
    while (!both.toString().endsWith("1")) {
      both.append(read(twice));
    }
    assertThat(both.toString().split(" 200 ", -1)).as("one behind the other").hasSize(3);
    Socket large = connect();
    send(large, head);
    String answer = "";
    try {
      for (int i = 0; i < 20; i++) {
        send(large, "10000\r\n" + "x".repeat(1 << 16) + "\r\n");
      }
      answer = read(large);
    } catch (IOException e) {
      answer = "413"; // the end of the connection came first
    }
    assertThat(answer).contains("413");
  }

  @Test
  void namesOfMachinesHaveNoCase() throws Exception {
    String get = "GET /page HTTP/1.1\r\nHost: %s\r\n%s\r\n";
    assertThat(ask(get.formatted("LocalHost", ""))).contains(" 200 ");
    assertThat(ask(get.formatted("localhost:1", "Origin: http://LOCALHOST:1\r\n")))
        .contains(" 200 ");
    assertThat(ask(get.formatted("localhost.example", ""))).contains(" 421 ");
  }

  @Test
  void methodsAndVersionsAreChecked() throws Exception {
    String head = "%s /page %s\r\nHost: localhost\r\n\r\n";
    assertThat(ask(head.formatted("GET", "HTTP/1.1"))).contains(" 200 ");
    assertThat(ask(head.formatted("GET", "HTTP/1.0"))).contains(" 200 ");
    assertThat(ask(head.formatted("DELETE", "HTTP/1.1"))).contains(" 405 ");
    assertThat(ask(head.formatted("FROB", "HTTP/1.1"))).contains(" 501 ");
    for (String version : List.of("HTTP/0.9")) {
      assertThat(ask(head.formatted("GET", version))).as(version).contains(" 505 ");
    }
    for (String version : List.of("HTTP/2.0", "HTTP/9", "ODD")) {
      assertThat(ask(head.formatted("GET", version))).as(version).contains(" 400 ");
    }
  }
}
