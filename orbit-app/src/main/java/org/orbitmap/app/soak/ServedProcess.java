package org.orbitmap.app.soak;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.orbitmap.app.option.Json;

/** {@code orbit serve} in a process of its own, with its signs of life. */
final class ServedProcess implements AutoCloseable {
  private final Process process;
  private final int port;

  private ServedProcess(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /** Starts one on a free port. */
  static ServedProcess start() throws IOException {
    Process process =
        OrbitProcess.of("serve", "--port", "0", "--json")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
    StringBuilder text = new StringBuilder();
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      text.append(line).append('\n');
      if (line.equals("}") || line.endsWith("}")) {
        JsonNode document = Json.mapper().readTree(text.toString());
        return new ServedProcess(process, document.get("port").intValue());
      }
    }
    throw new IOException("the server did not start: " + text);
  }

  /** Load on a server. */
  interface Strain {
    /**
     * Puts it on.
     *
     * @param broken receives what did not hold
     * @return what was measured
     */
    Map<String, Object> on(ServerLoad load, Leaks leaks, List<String> broken) throws Exception;
  }

  /** A server of its own under strain, from its start to what leaked. */
  static SoakTarget.Result under(Strain strain) throws Exception {
    List<String> broken = new ArrayList<>();
    try (ServedProcess server = start()) {
      Leaks leaks = new Leaks(server);
      Map<String, Object> figures = strain.on(new ServerLoad(server.port()), leaks, broken);
      leaks.tell(figures, broken);
      return new SoakTarget.Result(figures, broken);
    }
  }

  int port() {
    return port;
  }

  boolean alive() {
    return process.isAlive();
  }

  /** The children that it has: cells. */
  long children() {
    return process.children().count();
  }

  /**
   * Signs of life.
   *
   * @param residentBytes memory that the system gave it
   * @param threads how many it runs
   * @param descriptors how many files and sockets it holds open
   */
  record Vitals(long residentBytes, long threads, long descriptors) {}

  /** What the system tells of it; -1 for what it does not. */
  Vitals vitals() throws IOException {
    Path proc = Path.of("/proc", Long.toString(process.pid()));
    if (!Files.isDirectory(proc)) {
      return new Vitals(-1, -1, -1);
    }
    long resident = -1;
    for (String line : Files.readAllLines(proc.resolve("status"))) {
      if (line.startsWith("VmRSS:")) {
        resident = 1024 * Long.parseLong(line.replaceAll("\\D", ""));
      }
    }
    return new Vitals(resident, entries(proc.resolve("task")), entries(proc.resolve("fd")));
  }

  private static long entries(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.count();
    }
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(30, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
