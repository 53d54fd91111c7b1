package org.orbitmap.app.soak;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.orbitmap.eval.Progress;
import org.orbitmap.io.UserError;
import org.orbitmap.testkit.file.FileMutations;

/** Files with errors in them: each is read or refused, in little time and memory. */
final class ReaderSoak implements SoakTarget {
  /** Processor time, as machines are busy. */
  private static final double MOST_SECONDS = 5;

  /** What a small file may make a reader allocate, all in all. */
  private static final long MOST_BYTES = 128L << 20;

  /** Of faults of one reader so many are told. */
  private static final int TOLD = 3;

  @Override
  public String name() {
    return "readers";
  }

  @Override
  public String about() {
    return "files with errors in them, so many for each reader";
  }

  @Override
  public String unit() {
    return "files";
  }

  @Override
  public int usual() {
    return 100_000;
  }

  /**
   * What came of a reader.
   *
   * @param read how many mutants were right enough
   * @param refused how many were refused with a sentence
   * @param faults how many ended otherwise
   * @param seconds of processor time that all of them took
   */
  private record Outcome(
      int files,
      int read,
      int refused,
      int faults,
      double seconds,
      double longestMillis,
      long mostBytes) {}

  @Override
  public Result run(int amount, long seed, Progress progress, Keeper keeper) throws IOException {
    Path folder = Files.createTempDirectory("orbit-readers");
    try {
      List<String> broken = new ArrayList<>();
      Map<String, Object> figures = SoakCommand.figures();
      Map<String, Outcome> readers = new LinkedHashMap<>();
      figures.put("files", 0);
      figures.put("readers", readers);
      List<Readers.Reader> all = new Readers(folder).all();
      for (int i = 0; i < all.size(); i++) {
        Readers.Reader reader = all.get(i);
        readers.put(reader.name(), quietly(reader, amount, seed, broken));
        progress.update(i + 1, all.size());
        figures.put("files", readers.values().stream().mapToInt(Outcome::files).sum());
        keeper.keep(new Result(figures, broken));
      }
      return new Result(figures, broken);
    } finally {
      delete(folder);
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      for (Path file : all.toList()) {
        Files.deleteIfExists(file);
      }
    }
    Files.deleteIfExists(folder);
  }

  /** A library that a reader uses may write what it dislikes to the terminal. */
  private static Outcome quietly(
      Readers.Reader reader, int amount, long seed, List<String> broken) {
    PrintStream out = System.out;
    PrintStream err = System.err;
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    System.setOut(nowhere);
    System.setErr(nowhere);
    try {
      return strain(reader, amount, seed, broken);
    } finally {
      System.setOut(out);
      System.setErr(err);
    }
  }

  private static Outcome strain(Readers.Reader reader, int amount, long seed, List<String> broken) {
    ThreadMXBean vitals = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    SplittableRandom random = new SplittableRandom(seed + reader.name().hashCode());
    int read = 0;
    int refused = 0;
    int faults = 0;
    long begun = vitals.getCurrentThreadCpuTime();
    long longest = 0;
    long most = 0;
    for (int i = 0; i < amount; i++) {
      byte[] sample = reader.samples().get(i % reader.samples().size());
      byte[] file = FileMutations.mutate(sample, random);
      long bytes = vitals.getCurrentThreadAllocatedBytes();
      long time = vitals.getCurrentThreadCpuTime();
      try {
        reader.reading().read(file);
        read++;
      } catch (UserError | IllegalArgumentException | IOException e) {
        refused++;
        if (e.getMessage() == null || e.getMessage().isBlank()) {
          faults = told(reader, i, "refused without a word: " + e, faults, broken);
        }
      } catch (RuntimeException | Error e) {
        faults = told(reader, i, e.toString(), faults, broken);
      }
      longest = Math.max(longest, vitals.getCurrentThreadCpuTime() - time);
      most = Math.max(most, vitals.getCurrentThreadAllocatedBytes() - bytes);
    }
    if (longest > 1e9 * MOST_SECONDS) {
      broken.add("%s: %.1f s for one file".formatted(reader.name(), longest / 1e9));
    }
    if (most > MOST_BYTES) {
      broken.add("%s: %d MB for one file".formatted(reader.name(), most >> 20));
    }
    double seconds = (vitals.getCurrentThreadCpuTime() - begun) / 1e9;
    return new Outcome(amount, read, refused, faults, seconds, longest / 1e6, most);
  }

  private static int told(
      Readers.Reader reader, int file, String what, int faults, List<String> broken) {
    if (faults < TOLD) {
      broken.add("%s, file %d: %s".formatted(reader.name(), file, what));
    }
    return faults + 1;
  }
}
