package org.orbitmap.spark;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A Spark cluster on loopback: a master and workers, each in a JVM of its own. */
final class Loopback implements AutoCloseable {
  /** The class path of the tests, also where it is hidden in a jar of Surefire. */
  static final String CLASSPATH =
      System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));

  private final Path home;
  private final List<Process> processes = new ArrayList<>();
  private final String master;

  Loopback(Path home) throws Exception {
    this.home = home;
    Path jars = Files.createDirectories(home.resolve("jars"));
    for (String entry : CLASSPATH.split(File.pathSeparator, -1)) {
      Path jar = Path.of(entry);
      // Spark's own: everything but ours, which executors get from whoever asks.
      if (entry.endsWith(".jar") && !jar.getFileName().toString().startsWith("orbit-")) {
        Files.createSymbolicLink(jars.resolve(jar.getFileName()), jar);
      }
    }
    master =
        start(
            "Starting Spark master at (spark://\\S+)",
            "org.apache.spark.deploy.master.Master",
            "--host",
            "127.0.0.1",
            "--port",
            "0",
            "--webui-port",
            "0");
  }

  /** Its address. */
  String master() {
    return master;
  }

  /** Starts a worker with one core and waits until the master knows it. */
  Process worker() throws Exception {
    start(
        "Successfully registered with master (\\S+)",
        "org.apache.spark.deploy.worker.Worker",
        "--host",
        "127.0.0.1",
        "--port",
        "0",
        "--webui-port",
        "0",
        "--cores",
        "1",
        "--memory",
        "800m",
        "--work-dir",
        home.resolve("work").toString(),
        master);
    return processes.get(processes.size() - 1);
  }

  /** Starts one of Spark's processes and waits until its log says something. */
  private String start(String said, String... command) throws Exception {
    List<String> all =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx160m",
                "-XX:+UseSerialGC",
                "-cp",
                home.resolve("jars") + "/*"));
    all.addAll(List.of(command));
    ProcessBuilder builder = new ProcessBuilder(all).redirectErrorStream(true);
    builder.environment().put("SPARK_HOME", home.toString());
    builder.environment().put("SPARK_SCALA_VERSION", "2.13");
    builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
    Process process = builder.start();
    processes.add(process);
    CompletableFuture<String> found = new CompletableFuture<>();
    Thread reader = new Thread(() -> read(process, Pattern.compile(said), found), "log");
    reader.setDaemon(true);
    reader.start();
    return found.get(2, TimeUnit.MINUTES);
  }

  private static void read(Process process, Pattern said, CompletableFuture<String> found) {
    StringBuilder log = new StringBuilder();
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        Matcher m = said.matcher(line);
        if (m.find()) {
          found.complete(m.group(1));
        }
        log.append(line).append('\n');
      }
    } catch (IOException e) {
      log.append(e);
    }
    found.completeExceptionally(new IOException(said + " was never said: " + log));
  }

  /** Kills a worker and the executors that it started, at once. */
  static void kill(Process worker) {
    try (Stream<ProcessHandle> executors = worker.descendants()) {
      List<ProcessHandle> all = executors.toList();
      worker.destroyForcibly();
      all.forEach(ProcessHandle::destroyForcibly);
    }
    worker.onExit().join();
  }

  @Override
  public void close() throws IOException {
    for (int i = processes.size() - 1; i >= 0; i--) {
      kill(processes.get(i));
    }
    try (Stream<Path> links = Files.list(home.resolve("jars"))) {
      for (Path link : links.toList()) {
        Files.delete(link);
      }
    }
  }
}
