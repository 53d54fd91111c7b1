package org.orbitmap.app.cell;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.orbitmap.io.UserError;

/**
 * A child process that runs what may be hostile, asked one task at a time. It is ended when it is
 * silent for too long, takes too long in all, says what is no frame, or is not needed any more; a
 * cell that is ended takes nothing with it but its own answer.
 */
public final class Cell implements AutoCloseable {
  private static final Duration START = Duration.ofSeconds(60);

  private static final ScheduledExecutorService WATCH =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "orbit-cells");
            thread.setDaemon(true);
            return thread;
          });

  private final CellLimits limits;
  private final Process process;
  private final Path folder;
  private final DataInputStream in;
  private final DataOutputStream out;
  private final AtomicReference<CellException> ended = new AtomicReference<>();
  private final CompletableFuture<Void> gone = new CompletableFuture<>();
  private volatile long last = System.nanoTime();
  private boolean ready;
  private volatile long workedBefore;
  private volatile boolean yielding;
  private volatile boolean clean;

  private Cell(CellLimits limits, Process process, Path folder) {
    this.limits = limits;
    this.process = process;
    this.folder = folder;
    in = new DataInputStream(new BufferedInputStream(process.getInputStream(), 1 << 16));
    out = new DataOutputStream(new BufferedOutputStream(process.getOutputStream(), 1 << 16));
  }

  /**
   * Starts one.
   *
   * @param main the class whose {@code main} is a {@link CellLoop}
   */
  public static Cell start(Class<?> main, CellLimits limits) throws IOException {
    Path folder = Files.createTempDirectory("orbit-cell");
    try {
      String classPath = System.getProperty("java.class.path");
      Path natives = NativeRuntime.folder();
      Path archive = archive();
      List<Path> readable = new ArrayList<>(Confinement.holders(classPath));
      readable.add(natives);
      if (archive != null) {
        readable.add(archive);
      }
      Confinement confinement = Confinement.best();
      List<String> java = new ArrayList<>();
      java.add(Confinement.java());
      if (archive != null) {
        java.add("-XX:SharedArchiveFile=" + archive);
      }
      java.addAll(
          List.of(
              "-Xshare:auto",
              "-Xmx" + (limits.heap() >> 20) + "m",
              "-XX:+UseSerialGC",
              "-XX:TieredStopAtLevel=1", // it lives for a short time
              "-XX:-UsePerfData",
              "-XX:ReservedCodeCacheSize=64m",
              "-XX:CompressedClassSpaceSize=128m",
              "-XX:+ExitOnOutOfMemoryError",
              "-XX:+DisplayVMOutputToStderr",
              "-Xlog:disable",
              "-Djava.awt.headless=true",
              "-Djava.io.tmpdir=" + confinement.temporary(folder),
              "-Donnxruntime.native.path=" + natives,
              main.getName()));
      ProcessBuilder builder =
          new ProcessBuilder(confinement.command(folder, limits, readable, java))
              .directory(folder.toFile())
              .redirectError(
                  System.getenv("ORBIT_DEBUG") == null
                      ? ProcessBuilder.Redirect.DISCARD
                      : ProcessBuilder.Redirect.INHERIT);
      Map<String, String> environment = builder.environment();
      String path = environment.get("PATH");
      environment.clear();
      if (path != null) {
        environment.put("PATH", path);
      }
      environment.put("LC_ALL", "C.UTF-8");
      environment.put("MALLOC_ARENA_MAX", "2");
      environment.put("CLASSPATH", absolute(classPath));
      return new Cell(limits, builder.start(), folder);
    } catch (IOException | RuntimeException e) {
      Files.deleteIfExists(folder);
      throw e;
    }
  }

  private static String absolute(String classPath) {
    List<String> all = new ArrayList<>();
    for (String entry : classPath.split(File.pathSeparator, -1)) {
      all.add(Path.of(entry).toAbsolutePath().normalize().toString());
    }
    return String.join(File.pathSeparator, all);
  }

  /** The archive of classes that this process itself was started with; null if none. */
  private static Path archive() {
    String root = System.getProperty("orbit.root", "");
    Path file = Path.of(root, ".orbit", "orbit.jsa").toAbsolutePath().normalize();
    return !root.isEmpty()
            && Files.isReadable(file)
            && System.getProperty("java.class.path").contains(file.getParent().toString())
        ? file
        : null;
  }

  /** Told what comes before the result. */
  @FunctionalInterface
  public interface Events {
    void event(Frame frame) throws IOException;
  }

  /** Waits until the process has started. */
  synchronized void await() {
    if (!ready) {
      ScheduledFuture<?> timer =
          WATCH.schedule(
              () -> end(new CellException("a cell did not start in time", true)),
              START.toMillis(),
              TimeUnit.MILLISECONDS);
      try {
        Frame first = Frame.read(in, limits.payload());
        if (!first.name().equals(Frame.READY)) {
          throw new IOException("expected a cell that is ready, found " + first.name());
        }
        ready = true;
      } catch (IOException e) {
        throw broken(e);
      } finally {
        timer.cancel(false);
      }
    }
  }

  /**
   * Asks for one task.
   *
   * @throws CellException if the cell was ended
   * @throws UserError if the task could not be done; the message says why
   * @throws IOException if an event cannot be told
   */
  public synchronized Frame call(String task, Object head, byte[] payload, Events events)
      throws IOException {
    await();
    last = System.nanoTime();
    long begun = last;
    workedBefore = worked();
    yielding = false;
    clean = false;
    ScheduledFuture<?> timer =
        WATCH.scheduleWithFixedDelay(() -> watch(begun), 100, 100, TimeUnit.MILLISECONDS);
    try {
      try {
        Frame.of(task, head, payload).write(out);
      } catch (IOException e) {
        throw broken(e);
      }
      while (true) {
        Frame frame;
        try {
          frame = Frame.read(in, limits.payload());
        } catch (IOException e) {
          throw broken(e);
        }
        heard();
        switch (frame.name()) {
          case Frame.BEAT -> {}
          case Frame.RESULT -> {
            return frame;
          }
          case Frame.PROBLEM -> {
            clean = frame.head().path("clean").booleanValue();
            throw new UserError(brief(frame.head().path("message").asText()));
          }
          default -> events.event(frame);
        }
      }
    } finally {
      timer.cancel(false);
    }
  }

  private void heard() {
    long now = System.nanoTime();
    if (now - last > PATIENCE / 10) { // looking it up takes a while
      workedBefore = worked();
    }
    last = now;
  }

  /** What a cell says is not longer than a message should be. */
  private static String brief(String text) {
    return text.length() > 1000 ? text.substring(0, 1000) + " …" : text;
  }

  /**
   * Ends what takes too long. On a busy machine time passes without the process's doing: beyond the
   * limit it has to have worked for half of the time, or to be far beyond.
   */
  private void watch(long begun) {
    long now = System.nanoTime();
    long silent = now - last;
    long answer = limits.answer().toNanos();
    if (silent > FAR * answer || (silent > answer && worked() - workedBefore > answer / 2)) {
      end(
          new CellException(
              "the model took longer than %d s for one answer"
                  .formatted(limits.answer().toSeconds()),
              false));
    } else if (now - begun > limits.whole().toNanos()) {
      end(
          new CellException(
              "the model took longer than %d s in all".formatted(limits.whole().toSeconds()),
              false));
    } else if (silent > PATIENCE && !yielding) {
      yielding = true;
      Priority.LAST.giveTo(process);
    }
  }

  /**
   * Waits until the process has started, then lets those go first that have no model yet: nobody
   * waits for a new cell because the models of others keep all processors busy.
   */
  public void makeWay() {
    await();
    Priority.LATER.giveTo(process);
  }

  /** The time for which the process and its children have kept cores busy. */
  private long worked() {
    return Stream.concat(Stream.of(process.toHandle()), process.descendants())
        .flatMap(handle -> handle.info().totalCpuDuration().stream())
        .mapToLong(Duration::toNanos)
        .sum();
  }

  private static final int FAR = 6;

  /** How long an answer takes before the process makes way for others. */
  private static final long PATIENCE = Duration.ofSeconds(1).toNanos();

  /**
   * How long it has worked since it was last heard. Silence counts for a little as well, for one
   * that does nothing at all.
   */
  long weight() {
    return Math.max(worked() - workedBefore, (System.nanoTime() - last) / FAR);
  }

  private CellException broken(IOException e) {
    CellException why =
        e instanceof EOFException || !process.isAlive() || e.getMessage() == null
            ? new CellException(
                "the model could not be run within %s of memory".formatted(limits.memoryText()),
                false)
            : new CellException("the model's process broke: " + brief(e.getMessage()), false);
    end(why);
    return ended.get();
  }

  /** Ends the process and says why to who waits for it; the first reason counts. */
  void end(CellException why) {
    if (ended.compareAndSet(null, why)) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      gone.completeAsync(
          () -> {
            process.onExit().join();
            sweep();
            return null;
          });
    }
  }

  /** Its own folder, empty. */
  Path folder() {
    return folder;
  }

  /** Completed when nothing of it is left. */
  CompletableFuture<Void> ended() {
    return gone;
  }

  /** Removes the folder, and the empty one that the runtime of the models may have left in it. */
  private void sweep() {
    try (Stream<Path> inside = Files.walk(folder, 1)) {
      for (Path path : inside.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      folder.toFile().deleteOnExit();
    }
  }

  /** Whether its last task was refused before anything hostile was run. */
  boolean clean() {
    return clean && alive();
  }

  /** Whether it can be asked. */
  boolean alive() {
    return ended.get() == null && process.isAlive();
  }

  @Override
  public void close() {
    end(new CellException("the cell is closed", false));
  }
}
