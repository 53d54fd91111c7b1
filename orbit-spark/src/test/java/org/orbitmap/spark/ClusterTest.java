package org.orbitmap.spark;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.io.Digests;
import org.orbitmap.io.data.ImageSet;
import org.orbitmap.io.data.source.Glyphs;
import org.orbitmap.io.image.ImageFiles;

/**
 * The commands as users start them, in a process of its own, on a real cluster: a master and two
 * workers. In the middle of each a worker is killed, and the result is that of one machine.
 */
@EnabledOnOs(OS.LINUX)
class ClusterTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern PROGRESS = Pattern.compile("(\\d+) of (\\d+) images");

  @TempDir private static Path folder;
  private static Loopback cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster = new Loopback(Files.createDirectories(folder.resolve("spark")));
  }

  @AfterAll
  static void stop() throws IOException {
    cluster.close();
  }

  /** A command under way. */
  private record Command(Process process, Path out, Path err) {
    static Command start(List<String> arguments) throws IOException {
      Path out = Files.createTempFile(folder, "out", ".txt");
      Path err = Files.createTempFile(folder, "err", ".txt");
      List<String> all = new ArrayList<>();
      all.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      all.addAll(
          List.of(
              "-Xmx512m", "-XX:+UseSerialGC", "-Djava.awt.headless=true", "-Dorbit.terminal=true"));
      all.addAll(List.of("-cp", Loopback.CLASSPATH, "org.orbitmap.app.Main"));
      all.addAll(arguments);
      ProcessBuilder builder = new ProcessBuilder(all).directory(folder.toFile());
      builder.redirectOutput(out.toFile()).redirectError(err.toFile());
      builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
      return new Command(builder.start(), out, err);
    }

    String said() throws IOException {
      return new String(Files.readAllBytes(err), UTF_8);
    }

    /** What it answered. */
    String answer(int code) throws Exception {
      assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
      assertThat(process.exitValue()).as(said()).isEqualTo(code);
      return Files.readString(out);
    }
  }

  private static List<String> there(List<String> command) {
    List<String> all = new ArrayList<>(command);
    all.addAll(List.of("--cluster", cluster.master(), "--conf", "spark.executor.memory=600m"));
    all.addAll(List.of("--conf", "spark.executor.extraClassPath=" + Loopback.CLASSPATH));
    return all;
  }

  private interface Condition {
    boolean holds() throws IOException;
  }

  private static void await(Command command, Condition condition) throws Exception {
    while (!condition.holds()) {
      assertThat(command.process().isAlive())
          .as("too fast, or failed: %s", command.said())
          .isTrue();
      Thread.sleep(20);
    }
  }

  /** Every file below a folder and its digest; of the manifest, its lines in any order. */
  private static Map<String, Object> contents(Path root) throws IOException {
    Map<String, Object> all = new TreeMap<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String name = root.relativize(file).toString();
        if (name.equals("manifest.jsonl")) {
          List<String> lines = Files.readAllLines(file);
          assertThat(lines).doesNotHaveDuplicates();
          all.put(name, new TreeSet<>(lines));
        } else {
          all.put(name, Digests.sha256(file));
        }
      }
    }
    return all;
  }

  private static long files(Path root) throws IOException {
    if (!Files.isDirectory(root)) {
      return 0;
    }
    try (Stream<Path> all = Files.list(root)) {
      return all.filter(f -> f.toString().endsWith(".png")).count();
    }
  }

  @Test
  void aWorkerLostInTheMiddleOfAMapChangesNothing() throws Exception {
    int images = 300;
    ImageSet glyphs = Glyphs.generate(images, 3);
    for (int i = 0; i < images; i++) {
      ImageFiles.writePng(folder.resolve("in/%03d.png".formatted(i)), glyphs.image(i));
    }
    Files.writeString(folder.resolve("in/bad.png"), "no image");
    Command.start(List.of("map", "in", "--out", "here", "--json")).answer(2);
    Process first = cluster.worker();
    Process second = cluster.worker();
    Command map = Command.start(there(List.of("map", "in", "--out", "there", "--json")));
    await(map, () -> files(folder.resolve("there")) > 40);
    Loopback.kill(first);
    assertThat(files(folder.resolve("there")))
        .as("files when the worker was lost")
        .isLessThan(images);
    String answer = map.answer(2);
    assertThat(JSON.readTree(answer).get("mapped").asInt()).isEqualTo(images);
    assertThat(contents(folder.resolve("there"))).isEqualTo(contents(folder.resolve("here")));
    assertThat(map.said()).contains("done on Spark", "1 of 301 files could not be mapped");

    // Killed as a whole, also the process that asked, and begun again.
    Command lost = Command.start(there(List.of("map", "in", "--out", "again", "--json")));
    await(lost, () -> files(folder.resolve("again")) > 40);
    lost.process().destroyForcibly().waitFor();
    Command.start(there(List.of("map", "in", "--out", "again", "--json"))).answer(2);
    assertThat(contents(folder.resolve("again"))).isEqualTo(contents(folder.resolve("here")));
    Loopback.kill(second);
  }

  private static ObjectNode figures(String answer) throws IOException {
    ObjectNode document = (ObjectNode) JSON.readTree(answer);
    document.remove("modelShare"); // a time
    return document;
  }

  @Test
  void aWorkerLostInTheMiddleOfAnAuditChangesNothing() throws Exception {
    Command.start(
            List.of(
                "train",
                "--preset",
                "glyphs-convnet",
                "--out",
                "run",
                "-q",
                "--set",
                "epochs=1",
                "--set",
                "network.width-factor=0.25",
                "--set",
                "threads=1",
                "--set",
                "limit=200"))
        .answer(0);
    Command.start(List.of("export", "run", "--out", "model.onnx", "-q")).answer(0);
    ImageSet glyphs = Glyphs.generate(320, 4);
    for (int i = 0; i < glyphs.size(); i++) {
      String name = glyphs.classes().get(glyphs.labels()[i]);
      ImageFiles.writePng(folder.resolve("data/%s/%03d.png".formatted(name, i)), glyphs.image(i));
    }
    List<String> command =
        List.of("audit", "model.onnx", "--data", "data", "--step", "5", "--batch", "4", "--json");
    ObjectNode expected = figures(Command.start(command).answer(0));
    Process first = cluster.worker();
    Process second = cluster.worker();
    Command audit = Command.start(there(command));
    await(audit, () -> PROGRESS.matcher(audit.said()).find());
    Loopback.kill(first);
    Matcher done = PROGRESS.matcher(audit.said());
    long reached = 0;
    while (done.find()) {
      reached = Long.parseLong(done.group(1));
    }
    assertThat(reached).as("done when the worker was lost").isLessThan(320 * 72);
    assertThat(figures(audit.answer(0))).isEqualTo(expected);
    assertThat(audit.said()).contains("done on Spark");
    Loopback.kill(second);
  }
}
