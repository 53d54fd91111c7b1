package org.orbitmap.app.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.app.soak.HostileModels;
import org.orbitmap.onnx.graph.OnnxFile;
import org.orbitmap.onnx.run.OnnxModel;

/** What a cell may and may not do, tried from inside it. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class CellTest {
  @TempDir Path folder;

  private static CellLimits limits(Duration answer) {
    return new CellLimits(2L << 30, answer, Duration.ofMinutes(10), 1 << 20);
  }

  /** A cell that tries what it is told to try. */
  static final class Prober {
    private Prober() {}

    public static void main(String[] args) {
      CellLoop.run(
          Map.of(
              "probe", (frame, say) -> new CellLoop.Answer(probe(frame.head()), null),
              "sleep",
                  (frame, say) -> {
                    Thread.sleep(Long.MAX_VALUE);
                    return null;
                  },
              "flood", (frame, say) -> new CellLoop.Answer(null, new byte[2 << 20]),
              "leave",
                  (frame, say) -> {
                    Runtime.getRuntime().halt(3);
                    return null;
                  }),
          () -> {},
          () -> false);
    }

    interface Attempt {
      Object run() throws Exception;
    }

    private static String attempt(Attempt attempt) {
      try {
        return "done: " + attempt.run();
      } catch (Exception e) {
        return "refused: " + e;
      }
    }

    private static Map<String, String> probe(JsonNode what) {
      Map<String, String> found = new LinkedHashMap<>();
      Path secret = Path.of(what.get("file").asText());
      found.put("read", attempt(() -> Files.readString(secret)));
      found.put("passwords", attempt(() -> Files.readString(Path.of("/etc/passwd"))));
      found.put("here", attempt(() -> Files.writeString(Path.of("new"), "x")));
      found.put("beside", attempt(() -> Files.writeString(secret.resolveSibling("new"), "x")));
      found.put("system", attempt(() -> Files.writeString(Path.of("/usr/lib/new"), "x")));
      found.put("root", attempt(() -> Files.createDirectory(Path.of("/new"))));
      found.put(
          "scratch",
          attempt(
              () -> {
                Path scratch = Path.of(System.getProperty("java.io.tmpdir"));
                Files.createDirectory(scratch.resolve("one"));
                return Files.writeString(scratch.resolve("two"), "x");
              }));
      found.put(
          "network",
          attempt(() -> new Socket(InetAddress.getLoopbackAddress(), what.get("port").asInt())));
      found.put("environment", String.join(",", System.getenv().keySet()));
      found.put(
          "folder",
          attempt(
              () -> {
                try (Stream<Path> inside = Files.list(Path.of("."))) {
                  return inside.toList();
                }
              }));
      return found;
    }
  }

  @Test
  void aCellSeesNothingAndChangesNothing() throws Exception {
    assumeTrue(Confinement.best() == Confinement.NAMESPACES, "needs namespaces");
    Path secret = Files.writeString(folder.resolve("secret"), "the secret");
    JsonNode found;
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Cell cell = Cell.start(Prober.class, limits(Duration.ofMinutes(1)))) {
      Map<String, Object> what = Map.of("file", secret.toString(), "port", server.getLocalPort());
      found = cell.call("probe", what, null, event -> {}).head();
    }
    for (String forbidden :
        List.of("read", "passwords", "here", "beside", "system", "root", "scratch", "network")) {
      assertThat(found.get(forbidden).asText()).as(forbidden).startsWith("refused");
    }
    assertThat(found.get("folder").asText()).isEqualTo("done: []");
    assertThat(found.get("environment").asText()).doesNotContain("HOME");
    assertThat(secret.resolveSibling("new")).doesNotExist();
  }

  @Test
  void whatIsNotEnforcedIsSaid() {
    assertThat(Confinement.NAMESPACES.missing()).isEmpty();
    assertThat(Confinement.LIMITS.missing()).contains("no network").doesNotContain("a time limit");
    assertThat(Confinement.NONE.missing()).contains("a memory limit", "no network");
  }

  @Test
  void withoutNamespacesTheLimitsRemain() throws Exception {
    assumeTrue(Confinement.best() != Confinement.NONE, "needs a shell");
    Process process =
        new ProcessBuilder(
                Confinement.LIMITS.command(
                    folder,
                    limits(Duration.ofMinutes(1)),
                    List.of(),
                    List.of("sh", "-c", "ulimit -d; ulimit -f; echo x >" + folder + "/new")))
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(said).startsWith("2097152\n0\n");
    Path written = folder.resolve("new");
    assertThat(Files.exists(written) ? Files.size(written) : 0).isZero();
  }

  @Test
  void whatIsSilentOrBreaksIsEnded() throws Exception {
    try (Cell cell = Cell.start(Prober.class, limits(Duration.ofMillis(300)))) {
      assertThatThrownBy(() -> cell.call("sleep", null, null, event -> {}))
          .isInstanceOf(CellException.class)
          .hasMessageContaining("took longer than");
      assertThat(cell.alive()).isFalse();
    }
    for (String task : List.of("flood", "leave")) {
      try (Cell cell = Cell.start(Prober.class, limits(Duration.ofMinutes(1)))) {
        assertThatThrownBy(() -> cell.call(task, null, null, event -> {}))
            .as(task)
            .isInstanceOf(CellException.class);
        assertThat(cell.alive()).isFalse();
      }
    }
  }

  /** Or else others wait for cells of their own to start while models keep all processors busy. */
  @Test
  void aCellWithAModelMakesWay() throws Exception {
    assumeTrue(Confinement.best() == Confinement.NAMESPACES, "needs Linux");
    int here = niceness(ProcessHandle.current());
    assumeTrue(here < 5, "makes way already");
    List<ProcessHandle> others = ProcessHandle.current().descendants().toList();
    try (Cell cell = Cell.start(Prober.class, limits(Duration.ofMinutes(1)))) {
      cell.await();
      List<ProcessHandle> own =
          ProcessHandle.current().descendants().filter(p -> !others.contains(p)).toList();
      assertThat(niceness(own)).as("while it starts").containsOnly(here);
      cell.makeWay();
      long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
      while (!niceness(own).equals(Set.of(5)) && System.nanoTime() < deadline) {
        Thread.sleep(10); // another process does it
      }
      assertThat(niceness(own)).as("with a model").containsOnly(5);
    }
  }

  private static Set<Integer> niceness(List<ProcessHandle> processes) throws IOException {
    Set<Integer> all = new TreeSet<>();
    for (ProcessHandle process : processes) {
      all.add(niceness(process));
    }
    return all;
  }

  private static int niceness(ProcessHandle process) throws IOException {
    String line = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
    return Integer.parseInt(line.substring(line.lastIndexOf(')') + 2).split(" ", -1)[16]);
  }

  @Test
  void nothingIsLeftBehind() throws Exception {
    Cell cell = Cell.start(Prober.class, limits(Duration.ofMinutes(1)));
    cell.await();
    Path own = cell.folder();
    assertThat(own).exists();
    cell.close();
    cell.ended().join();
    assertThat(own).doesNotExist();
  }

  @Test
  void whenAPoolIsClosedNothingIsLeftEither() throws Exception {
    CellPool pool =
        new CellPool(Prober.class, limits(Duration.ofMinutes(1)), 2, Duration.ofMinutes(1));
    Path own =
        pool.with(
            "visitor",
            cell -> {
              assertThat(cell.folder()).exists();
              pool.close();
              return cell.folder();
            });
    assertThat(own).doesNotExist();
  }

  @Test
  void visitorsAreServedInTurnHoweverManyRequestsEachHas() throws Exception {
    List<String> order = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch all = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    try (CellPool pool =
        new CellPool(Prober.class, limits(Duration.ofMinutes(1)), 1, Duration.ofMinutes(1))) {
      for (String visitor : List.of("many", "many", "many", "many", "one")) {
        boolean holds = threads.isEmpty();
        Thread thread =
            new Thread(
                () -> {
                  try {
                    pool.with(
                        visitor,
                        cell -> {
                          order.add(visitor);
                          if (holds) {
                            join(all);
                          }
                          return null;
                        });
                  } catch (IOException e) {
                    order.add(e.toString());
                  }
                });
        threads.add(thread);
        thread.start();
        while (holds ? order.isEmpty() : thread.getState() != Thread.State.TIMED_WAITING) {
          Thread.sleep(1);
        }
      }
      all.countDown();
      for (Thread thread : threads) {
        thread.join();
      }
    }
    assertThat(order).containsExactly("many", "one", "many", "many", "many");
  }

  private static void join(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void modelsInACellAnswerAsTheyDoHere() throws Exception {
    OnnxFile file = OnnxFile.decode("harmless", HostileModels.harmless());
    float[] x = new float[128];
    for (int i = 0; i < x.length; i++) {
      x[i] = i;
    }
    Map<String, OnnxModel.Feed> feed = Map.of("x", new OnnxModel.Feed(new long[] {2, 1, 8, 8}, x));
    try (CellRuntime cell = new CellRuntime(limits(Duration.ofMinutes(1)));
        OnnxModel apart = cell.open(file);
        OnnxModel here = OnnxModel.open(file)) {
      OnnxModel.Output one = apart.run(feed).get("y");
      OnnxModel.Output other = here.run(feed).get("y");
      assertThat(one.data()).isEqualTo(other.data()).isEqualTo(x);
      assertThat(one.shape()).isEqualTo(other.shape());
      assertThat(apart.outputs()).isEqualTo(here.outputs());
      assertThatThrownBy(
              () -> apart.run(Map.of("x", new OnnxModel.Feed(new long[] {1, 2}, new float[2]))))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("ONNX Runtime cannot run this model");
      assertThatThrownBy(
              () ->
                  cell.open(OnnxFile.decode("own", HostileModels.all().get("operator of its own"))))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("ONNX Runtime cannot load this model");
    }
  }

  @Test
  void anEndlessModelIsEndedOnTheCommandLineToo() throws Exception {
    OnnxFile file = OnnxFile.decode("endless", HostileModels.endlessLoop());
    try (CellRuntime cell = new CellRuntime(limits(Duration.ofSeconds(5)))) {
      assertThatThrownBy(
              () -> {
                try (OnnxModel model = cell.open(file)) {
                  model.runZeros();
                }
              })
          .hasMessageContaining("endless: the model took longer than 5 s");
    }
  }
}
