package org.orbitmap.app.soak;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.orbitmap.app.sample.SampleDrawings;
import org.orbitmap.app.sample.SampleSolids;
import org.orbitmap.eval.Progress;
import org.orbitmap.io.image.ImageFiles;

/** Load on a server of this machine: many requests, right ones or odd ones. */
final class ServerLoad {
  private final int port;
  private final byte[] request;
  private final ConcurrentLinkedQueue<long[]> latencies = new ConcurrentLinkedQueue<>();
  private final AtomicLong done = new AtomicLong();
  private final AtomicInteger failed = new AtomicInteger();

  ServerLoad(int port) {
    this.port = port;
    byte[] png = ImageFiles.png(SampleDrawings.image(1000, 3, 32, 32));
    request = http("POST", "/api/canonical", "image/png", png);
  }

  static byte[] http(String method, String path, String type, byte[] body) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(
        "%s %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n"
            .formatted(method, path, type, body.length)
            .getBytes(StandardCharsets.ISO_8859_1));
    out.writeBytes(body);
    return out.toByteArray();
  }

  Socket connect() throws IOException {
    return connect(InetAddress.getLoopbackAddress());
  }

  /** A connection from another address of this machine. */
  Socket connect(InetAddress from) throws IOException {
    Socket socket = new Socket();
    socket.bind(new InetSocketAddress(from, 0));
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 10_000);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(30_000);
    return socket;
  }

  private record Line(Socket socket, InputStream in) {}

  /**
   * Threads that each go round their share of the connections, at a common rate if one is given.
   */
  Map<String, Object> run(
      int threads, int connections, int seconds, int perSecond, Leaks leaks, Progress progress)
      throws Exception {
    List<Line> lines = new ArrayList<>();
    for (int i = 0; i < connections; i++) {
      Socket socket = connect();
      lines.add(new Line(socket, new BufferedInputStream(socket.getInputStream())));
    }
    long warm = System.nanoTime() + 4_000_000_000L;
    for (int i = 0; System.nanoTime() < warm; i = (i + 1) % lines.size()) {
      one(lines.get(i), System.nanoTime()); // this program has to get fast first
    }
    latencies.clear();
    done.set(0);
    long heapBefore = gauge("orbit_heap_bytes");
    long begun = System.nanoTime();
    long end = begun + seconds * 1_000_000_000L;
    AtomicLong ticket = new AtomicLong();
    List<Thread> all = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      int first = t;
      Thread thread =
          new Thread(
              () -> {
                int i = first;
                while (System.nanoTime() < end) {
                  long due = System.nanoTime();
                  if (perSecond > 0) {
                    due = begun + ticket.getAndIncrement() * 1_000_000_000L / perSecond;
                    sleepUntil(due);
                  }
                  one(lines.get(i), due);
                  i = i + threads < lines.size() ? i + threads : first;
                }
              });
      all.add(thread);
      thread.start();
    }
    for (int second = 1; second <= seconds; second++) {
      sleepUntil(begun + second * 1_000_000_000L);
      leaks.look();
      progress.update(second, seconds);
    }
    for (Thread thread : all) {
      thread.join();
    }
    double took = (System.nanoTime() - begun) / 1e9;
    for (Line line : lines) {
      line.socket().close();
    }
    long[] sorted = latencies.stream().flatMapToLong(Arrays::stream).sorted().toArray();
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("connections", connections);
    out.put("seconds", took);
    out.put("requests", done.get());
    out.put("failed", failed.get());
    out.put("perSecond", done.get() / took);
    out.put("p50Millis", sorted[sorted.length / 2] / 1e6);
    out.put("p99Millis", sorted[(int) (sorted.length * 0.99)] / 1e6);
    out.put("maxMillis", sorted[sorted.length - 1] / 1e6);
    out.put("heapBefore", heapBefore);
    out.put("heapAfter", gauge("orbit_heap_bytes"));
    return out;
  }

  private static void sleepUntil(long due) {
    long wait = due - System.nanoTime();
    if (wait > 0) {
      try {
        Thread.sleep(wait / 1_000_000, (int) (wait % 1_000_000));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** One request; its time counts from when it was due, not from when it could be sent. */
  private void one(Line line, long due) {
    try {
      line.socket().getOutputStream().write(request);
      int status = answer(line.in());
      if (status != 200) {
        failed.incrementAndGet();
      }
    } catch (IOException e) {
      failed.incrementAndGet();
    }
    done.incrementAndGet();
    latencies.add(new long[] {System.nanoTime() - due});
  }

  /** A whole answer; the status is -1 if the connection ended. */
  record Answer(int status, byte[] body) {}

  /** Reads one whole answer; its status, or -1 if the connection ended. */
  private static int answer(InputStream in) throws IOException {
    return whole(in).status();
  }

  /** Reads one whole answer, of a known length or in chunks. */
  static Answer whole(InputStream in) throws IOException {
    int status = -1;
    int length = 0;
    boolean chunked = false;
    for (String line = line(in); line != null; line = line(in)) {
      if (status < 0) {
        status = Integer.parseInt(line.split(" ", -1)[1]);
      } else if (line.isEmpty()) {
        return new Answer(status, chunked ? chunks(in) : in.readNBytes(length));
      } else if (line.regionMatches(true, 0, "content-length:", 0, 15)) {
        length = Integer.parseInt(line.substring(15).strip());
      } else if (line.regionMatches(true, 0, "transfer-encoding: chunked", 0, 26)) {
        chunked = true;
      }
    }
    return new Answer(-1, new byte[0]);
  }

  private static byte[] chunks(InputStream in) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (String line = line(in); line != null; line = line(in)) {
      int n = Integer.parseInt(line, 16);
      all.writeBytes(in.readNBytes(n));
      line(in);
      if (n == 0) {
        break;
      }
    }
    return all.toByteArray();
  }

  /** A line without its end; null if there is none. */
  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c >= 0; c = in.read()) {
      if (c == '\n') {
        return line.toString().strip();
      }
      line.append((char) c);
    }
    return null;
  }

  long gauge(String name) throws IOException {
    try (Socket socket = connect()) {
      socket
          .getOutputStream()
          .write(
              "GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                  .getBytes(StandardCharsets.ISO_8859_1));
      String text = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return text.lines()
          .filter(l -> l.startsWith(name + " "))
          .mapToLong(l -> Long.parseLong(l.substring(name.length() + 1)))
          .findFirst()
          .orElse(-1);
    }
  }

  /** Requests that are right but for a few bytes, and some that are not right at all. */
  Map<String, Object> fuzz(
      int count, long seed, Leaks leaks, Progress progress, List<String> broken) throws Exception {
    Map<Integer, Integer> statuses = new ConcurrentSkipListMap<>();
    AtomicInteger sent = new AtomicInteger();
    long before = gauge("orbit_heap_bytes");
    List<Thread> all = new ArrayList<>();
    for (int t = 0; t < FUZZERS; t++) {
      long own = seed + t;
      Thread thread =
          new Thread(
              () -> {
                try {
                  fuzz(own, () -> sent.incrementAndGet() <= count, statuses);
                } catch (IOException e) {
                  synchronized (broken) {
                    broken.add("no connection any more: " + e);
                  }
                }
              });
      all.add(thread);
      thread.start();
    }
    while (all.stream().anyMatch(Thread::isAlive)) {
      leaks.look();
      progress.update(Math.min(count, sent.get()), count);
      Thread.sleep(500);
    }
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("requests", statuses.values().stream().mapToInt(Integer::intValue).sum());
    out.put("statuses", statuses);
    int errors = statuses.getOrDefault(500, 0);
    out.put("serverErrors", errors);
    if (errors > 0) {
      broken.add(errors + " requests met an error inside the server");
    }
    if (!answersAgain()) {
      broken.add("a right request is not answered any more");
    }
    out.put("heapBefore", before);
    out.put("heapAfter", gauge("orbit_heap_bytes"));
    return out;
  }

  private static final int FUZZERS = 8;

  /** Sends requests as long as there are more. */
  private void fuzz(long seed, BooleanSupplier more, Map<Integer, Integer> statuses)
      throws IOException {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    List<byte[]> seeds = seeds();
    Socket socket = connect();
    BufferedInputStream in = new BufferedInputStream(socket.getInputStream());
    while (more.getAsBoolean()) {
      byte[] bytes = seeds.get(random.nextInt(seeds.size())).clone();
      boolean head = random.nextInt(4) == 0;
      int from = head ? 0 : bodyOf(bytes);
      if (from < bytes.length) {
        for (int k = 1 + random.nextInt(6); k > 0; k--) {
          bytes[from + random.nextInt(bytes.length - from)] = (byte) random.nextInt(256);
        }
      }
      boolean cut = random.nextInt(50) == 0;
      if (cut) {
        bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length) + 1);
      }
      int status;
      try {
        socket.setSoTimeout(head || cut ? 100 : 60_000);
        socket.getOutputStream().write(bytes);
        status = answer(in);
      } catch (IOException | RuntimeException e) {
        status = -1;
      }
      statuses.merge(status, 1, Integer::sum);
      if (status < 0 || head || status >= 400) {
        socket.close();
        socket = connect();
        in = new BufferedInputStream(socket.getInputStream());
      }
    }
    socket.close();
  }

  boolean answersAgain() throws IOException {
    try (Socket socket = connect()) {
      socket.getOutputStream().write(request);
      return answer(new BufferedInputStream(socket.getInputStream())) == 200;
    }
  }

  private static int bodyOf(byte[] request) {
    for (int i = 0; i + 3 < request.length; i++) {
      if (request[i] == '\r'
          && request[i + 1] == '\n'
          && request[i + 2] == '\r'
          && request[i + 3] == '\n') {
        return i + 4;
      }
    }
    return 0;
  }

  private static byte[] floats(float[] data) {
    ByteBuffer bytes = ByteBuffer.allocate(4 * data.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asFloatBuffer().put(data);
    return bytes.array();
  }

  private static List<byte[]> seeds() {
    byte[] small = ImageFiles.png(SampleDrawings.image(1001, 3, 32, 32));
    byte[] large = ImageFiles.png(SampleDrawings.image(1002, 3, 64, 64));
    byte[] cloud = floats(SampleSolids.sample("mug").coordinates());
    byte[] json = "{\"shape\":[1,2,2],\"data\":[0,0.5,1,0.25]}".getBytes(StandardCharsets.UTF_8);
    byte[] points =
        "{\"points\":[[0,0,1],[1,0,0],[0,3,0],[1,2,3]]}".getBytes(StandardCharsets.UTF_8);
    byte[] infer =
        "{\"id\":\"1\",\"inputs\":[{\"name\":\"image\",\"datatype\":\"FP32\",\"shape\":[1,3,64,64],\"data\":[0,1]}]}"
            .getBytes(StandardCharsets.UTF_8);
    byte[] off =
        "OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 1 2\n3 0 1 3\n3 0 2 3\n3 1 2 3\n"
            .getBytes(StandardCharsets.UTF_8);
    byte[] ply =
        "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nend_header\n0 0 0\n1 0 0\n0 1 0\n"
            .getBytes(StandardCharsets.UTF_8);
    String binary = "application/octet-stream";
    List<byte[]> seeds = new ArrayList<>();
    seeds.add(http("POST", "/api/canonical", "image/png", small));
    seeds.add(
        http("POST", "/api/canonical?mapping=paper&interpolation=bicubic", "image/png", small));
    seeds.add(http("POST", "/api/canonical", "application/json", json));
    seeds.add(http("POST", "/api/canonical?group=se3", "application/json", points));
    seeds.add(http("POST", "/api/canonical?signs=first-point", binary, cloud));
    seeds.add(http("POST", "/api/image?angle=30&noise=0.1", "image/png", large));
    seeds.add(http("POST", "/api/fit", "image/png", small));
    seeds.add(http("POST", "/api/solid?group=so3", binary, cloud));
    seeds.add(http("POST", "/api/cloud?name=a.off", binary, off));
    seeds.add(http("POST", "/api/cloud?name=a.ply", binary, ply));
    seeds.add(http("POST", "/v2/models/drawings/infer", "application/json", infer));
    seeds.add(http("POST", "/api/wrap?frames=2", binary, infer));
    seeds.add(http("GET", "/v2/models/drawings.mapped/versions/1", "text/plain", new byte[0]));
    seeds.add(http("GET", "/../../etc/passwd", "text/plain", new byte[0]));
    seeds.add(http("GET", "/api/studio", "text/plain", new byte[0]));
    return seeds;
  }
}
