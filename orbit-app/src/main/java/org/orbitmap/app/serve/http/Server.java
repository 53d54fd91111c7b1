package org.orbitmap.app.serve.http;

import io.undertow.Undertow;
import io.undertow.UndertowOptions;
import io.undertow.server.ConnectorStatistics;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.RoutingHandler;
import io.undertow.server.handlers.GracefulShutdownHandler;
import io.undertow.util.HeaderMap;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import io.undertow.util.PathTemplateMatch;
import io.undertow.util.Protocols;
import java.io.IOException;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.orbitmap.app.option.Json;
import org.orbitmap.io.UserError;
import org.xnio.IoUtils;
import org.xnio.Options;

/**
 * The sockets, the routes and every limit.
 *
 * <p>Bodies are read without a thread of their own, so that a slow visitor costs a buffer and not a
 * worker; a body that does not arrive in time, or is larger than its route allows, is refused. Work
 * is done by as many threads as there are cores; when too many requests wait, the next ones are
 * told so (503). {@link #drain} refuses new requests and waits for those under way.
 */
public final class Server implements AutoCloseable {
  /** Nothing is loaded from elsewhere, nothing is embedded elsewhere, no inline script or style. */
  private static final String CONTENT_POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:;"
          + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  /** Kept, so that their level is: the server's own log has nothing for users. */
  private static final List<Logger> QUIET =
      List.of(Logger.getLogger("io.undertow"), Logger.getLogger("org.xnio"));

  static {
    QUIET.forEach(logger -> logger.setLevel(Level.SEVERE));
  }

  private static final Set<HttpString> VERSIONS = Set.of(Protocols.HTTP_1_1, Protocols.HTTP_1_0);
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

  private final String host;
  private final boolean loopback;
  private final Limits limits;
  private final Metrics metrics = new Metrics();
  private final RoutingHandler routes = new RoutingHandler(false);
  private final Set<String> added = new LinkedHashSet<>();
  private final GracefulShutdownHandler draining;
  private final Undertow undertow;
  private final ExecutorService workers;
  private final Lane answers;
  private final Lane uploads;
  private final AtomicInteger waiting = new AtomicInteger();
  private final Replies replies;
  private final Bodies bodies;
  private int port;

  /**
   * A server without pages.
   *
   * @throws UserError if the host is unknown
   */
  public Server(String host, int port, Limits limits) {
    this.host = host;
    this.port = port;
    this.limits = limits;
    InetSocketAddress address = new InetSocketAddress(host, port);
    if (address.isUnresolved()) {
      throw UserError.expected(
          "--host", "a name or address of this machine", host, "Try --host 127.0.0.1.");
    }
    replies = new Replies(limits.receive());
    bodies = new Bodies(limits, metrics, replies);
    loopback = address.getAddress().isLoopbackAddress();
    int cores = Math.max(2, Runtime.getRuntime().availableProcessors());
    workers = Executors.newFixedThreadPool(cores, threads("orbit-worker"));
    int most = limits.streams() + limits.queue();
    answers =
        new Lane(
            Executors.newFixedThreadPool(limits.streams(), threads("orbit-stream")), most, replies);
    // Those who wait for a cell wait on threads of their own; the lane bounds their number.
    uploads = new Lane(Executors.newCachedThreadPool(threads("orbit-upload")), most, replies);
    routes.setFallbackHandler(
        x -> replies.send(x, Response.error(404, "no such page: " + path(x))));
    routes.setInvalidMethodHandler(
        x -> replies.send(x, Response.error(405, "this page does not answer " + Bodies.method(x))));
    draining = new GracefulShutdownHandler(routes);
    undertow =
        Undertow.builder()
            .addHttpListener(port, host)
            .setIoThreads(cores)
            .setWorkerThreads(1)
            .setSocketOption(Options.BACKLOG, 4096)
            // It counts from one write to the next, so it must outlast a long answer's pauses.
            .setSocketOption(Options.WRITE_TIMEOUT, millis(limits.stream()))
            .setServerOption(UndertowOptions.MAX_ENTITY_SIZE, limits.body())
            .setServerOption(UndertowOptions.MAX_HEADER_SIZE, 16 << 10)
            .setServerOption(UndertowOptions.MAX_HEADERS, 100)
            .setServerOption(UndertowOptions.MAX_PARAMETERS, 50)
            .setServerOption(UndertowOptions.REQUIRE_HOST_HTTP11, true)
            .setServerOption(UndertowOptions.REQUEST_PARSE_TIMEOUT, millis(limits.header()))
            .setServerOption(UndertowOptions.NO_REQUEST_TIMEOUT, millis(limits.idle()))
            .setServerOption(UndertowOptions.ALWAYS_SET_DATE, true)
            .setServerOption(UndertowOptions.ENABLE_STATISTICS, true)
            .setHandler(this::receive)
            .build();
    metrics.gauge("orbit_requests_waiting", "Requests that wait for a worker.", waiting::get);
    metrics.gauge("orbit_requests_under_way", "Requests not yet answered.", bodies::underWay);
    metrics.gauge(
        "orbit_long_answers",
        "Long answers that run or wait.",
        () -> answers.length() + uploads.length());
    metrics.gauge("orbit_body_bytes", "Bytes held for request bodies.", bodies::memory);
    metrics.gauge(
        "orbit_heap_bytes",
        "Bytes of the heap in use.",
        () -> (double) Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
  }

  private static java.util.concurrent.ThreadFactory threads(String name) {
    AtomicInteger n = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(task, name + "-" + n.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  private static int millis(Duration duration) {
    return Math.toIntExact(duration.toMillis());
  }

  public Limits limits() {
    return limits;
  }

  public Metrics metrics() {
    return metrics;
  }

  /** What was added, such as {@code GET /api/solids/{name}}; HEAD goes with GET. */
  public Set<String> routes() {
    return Collections.unmodifiableSet(added);
  }

  /** Adds a page. */
  public Server get(String template, Endpoint endpoint) {
    added.add("GET " + template);
    routes.get(template, handler(template, 0, endpoint));
    routes.add("HEAD", template, handler(template, 0, endpoint));
    return this;
  }

  /** Adds a page that takes a body. */
  public Server post(String template, long body, Endpoint endpoint) {
    return post(template, handler(template, body, endpoint));
  }

  private Server post(String template, HttpHandler handler) {
    added.add("POST " + template);
    routes.post(template, handler);
    return this;
  }

  /** Adds a page that takes a body and may work for long: it takes its turn as streams do. */
  public Server postLong(String template, long body, Endpoint endpoint) {
    return post(template, inTurn(template, body, (x, bytes) -> answer(x, endpoint, bytes)));
  }

  /** Adds a page that takes a body and answers bit by bit. */
  public Server stream(String template, long body, Endpoint.Streaming endpoint) {
    return post(template, inTurn(template, body, (x, bytes) -> stream(x, endpoint, bytes)));
  }

  /**
   * Long work has threads of its own, so that it never keeps other requests waiting, and uploads
   * have others than the server's own long answers.
   */
  private HttpHandler inTurn(
      String template, long most, BiConsumer<HttpServerExchange, byte[]> work) {
    Lane lane = most > limits.body() ? uploads : answers;
    return x ->
        bodies.receive(x, template, most, bytes -> lane.enter(x, () -> work.accept(x, bytes)));
  }

  /**
   * Opens the port.
   *
   * @throws UserError if it is taken, or the host is another machine
   */
  public void start() {
    try {
      undertow.start();
    } catch (RuntimeException e) {
      close();
      for (Throwable cause = e; cause != null; cause = cause.getCause()) {
        if (cause instanceof BindException) {
          throw new UserError(
              "%s:%d: expected an address of this machine with a free port, found %s."
                      .formatted(host, port, cause.getMessage())
                  + " Try --port 0 for any free one.",
              e);
        }
      }
      throw e;
    }
    port = ((InetSocketAddress) undertow.getListenerInfo().get(0).getAddress()).getPort();
    ConnectorStatistics statistics = undertow.getListenerInfo().get(0).getConnectorStatistics();
    metrics.gauge("orbit_connections", "Open connections.", statistics::getActiveConnections);
  }

  /** The port that is open. */
  public int port() {
    return port;
  }

  /** Refuses new requests and waits for those under way; false if some did not end in time. */
  public boolean drain(Duration atMost) {
    draining.shutdown();
    try {
      return draining.awaitShutdown(atMost.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public void close() {
    undertow.stop();
    workers.shutdownNow();
    answers.close();
    uploads.close();
  }

  /** First steps of every request: who asks, and the headers of every answer. */
  private void receive(HttpServerExchange x) throws Exception {
    HeaderMap out = x.getResponseHeaders();
    out.put(Headers.X_CONTENT_TYPE_OPTIONS, "nosniff");
    out.put(Headers.CONTENT_SECURITY_POLICY, CONTENT_POLICY);
    out.put(Headers.REFERRER_POLICY, "no-referrer");
    out.put(CROSS_ORIGIN, "same-origin");
    if (!VERSIONS.contains(x.getProtocol())) {
      refuse(x, 505, "expected HTTP/1.1 or HTTP/1.0");
      return;
    }
    if (!Bodies.METHODS.contains(x.getRequestMethod().toString())) {
      refuse(x, 501, "method: expected one of " + new TreeSet<>(Bodies.METHODS));
      return;
    }
    String name = x.getHostName();
    if (loopback && (name == null || !own(name))) {
      // A name that a foreign page made to point here.
      refuse(x, 421, "expected this machine's own name in the Host header");
      return;
    }
    String origin = x.getRequestHeaders().getFirst(Headers.ORIGIN);
    if (origin != null && !origin.equalsIgnoreCase("http://" + x.getHostAndPort())) {
      refuse(x, 403, "requests from pages elsewhere are not answered");
      return;
    }
    draining.handleRequest(x);
  }

  /** Names of machines have no case. */
  private boolean own(String name) {
    return LOOPBACK.contains(name.toLowerCase(Locale.ROOT)) || name.equalsIgnoreCase(host);
  }

  /** Answers without reading what else was sent. */
  private void refuse(HttpServerExchange x, int status, String message) {
    x.setPersistent(false);
    replies.send(x, Response.error(status, message));
  }

  private static final HttpString CROSS_ORIGIN = new HttpString("Cross-Origin-Resource-Policy");

  private HttpHandler handler(String template, long most, Endpoint endpoint) {
    return x ->
        bodies.receive(
            x,
            template,
            most,
            bytes -> {
              if (waiting.incrementAndGet() > limits.waiting()) {
                waiting.decrementAndGet();
                replies.fail(x, Problem.busy("too many requests are waiting"));
                return;
              }
              long since = System.nanoTime();
              x.dispatch(workers, () -> work(x, endpoint, bytes, since));
            });
  }

  private void work(HttpServerExchange x, Endpoint endpoint, byte[] body, long since) {
    waiting.decrementAndGet();
    if (System.nanoTime() - since > limits.work().toNanos()) {
      replies.fail(x, Problem.busy("this request waited too long"));
      return;
    }
    answer(x, endpoint, body);
  }

  private void answer(HttpServerExchange x, Endpoint endpoint, byte[] body) {
    Response response;
    try {
      response = endpoint.answer(request(x, body));
    } catch (Throwable e) {
      replies.fail(x, e);
      return;
    }
    replies.send(x, response);
  }

  private void stream(HttpServerExchange x, Endpoint.Streaming endpoint, byte[] body) {
    long deadline = System.nanoTime() + limits.stream().toNanos();
    try {
      x.startBlocking();
      x.getResponseHeaders().put(Headers.CONTENT_TYPE, "text/event-stream; charset=utf-8");
      x.getResponseHeaders().put(Headers.CACHE_CONTROL, "no-store");
      OutputStream out = x.getOutputStream();
      Endpoint.Events events =
          (event, document) -> {
            if (System.nanoTime() > deadline) {
              throw new Problem(503, "this took longer than allowed");
            }
            write(out, event, document);
          };
      try {
        endpoint.answer(request(x, body), events);
      } catch (IOException e) {
        if (!x.isResponseStarted() || e instanceof java.nio.file.FileSystemException) {
          throw e;
        }
        if (x.getConnection().isOpen()) {
          write(out, "error", Map.of("error", Replies.message(e)));
        }
      } catch (RuntimeException | LinkageError e) {
        if (!x.isResponseStarted()) {
          throw e;
        }
        Replies.log(e);
        write(out, "error", Map.of("error", Replies.message(e)));
      }
      out.close();
      x.endExchange();
    } catch (Throwable e) {
      if (x.isResponseStarted()) {
        IoUtils.safeClose(x.getConnection()); // the visitor has gone
      } else {
        replies.fail(x, e);
      }
    }
  }

  private static void write(OutputStream out, String event, Object document) throws IOException {
    String data = Json.mapper().writeValueAsString(document);
    out.write(("event: " + event + "\ndata: " + data + "\n\n").getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  private static Request request(HttpServerExchange x, byte[] body) {
    PathTemplateMatch match = x.getAttachment(PathTemplateMatch.ATTACHMENT_KEY);
    Map<String, String> query = new HashMap<>();
    x.getQueryParameters().forEach((name, values) -> query.put(name, values.getFirst()));
    HeaderMap headers = x.getRequestHeaders();
    return new Request(
        match == null ? Map.of() : match.getParameters(),
        query,
        headers::getFirst,
        body,
        visitor(x),
        task -> Departure.watch(x, task));
  }

  /** The address alone: one visitor has many ports. */
  private static String visitor(HttpServerExchange x) {
    InetSocketAddress address = x.getSourceAddress();
    return address == null || address.getAddress() == null
        ? ""
        : address.getAddress().getHostAddress();
  }

  private static String path(HttpServerExchange x) {
    String path = x.getRequestPath();
    return path.length() > 80 ? path.substring(0, 80) + "…" : path;
  }
}
