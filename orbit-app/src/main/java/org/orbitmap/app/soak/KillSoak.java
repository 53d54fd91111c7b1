package org.orbitmap.app.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.orbitmap.eval.Progress;
import org.orbitmap.io.Digests;

/**
 * Commands that are killed (as by kill -9) at random moments and called again: what they leave in
 * the end is what an undisturbed call leaves, bit for bit, and nothing else.
 */
final class KillSoak implements SoakTarget {
  /** After so many kills a call may come to its end, and its results are compared. */
  private static final int CHAIN = 5;

  /** What is killed, with its inputs in a folder. */
  interface Jobs {
    List<KilledJob> in(Path folder) throws IOException;
  }

  private final Jobs jobs;

  KillSoak(Jobs jobs) {
    this.jobs = jobs;
  }

  @Override
  public String name() {
    return "kills";
  }

  @Override
  public String about() {
    return "commands killed at random moments and resumed, so many kills for each command";
  }

  @Override
  public String unit() {
    return "kills";
  }

  @Override
  public int usual() {
    return 50;
  }

  /**
   * What came of a command.
   *
   * @param kills how many calls were killed at work
   * @param compared how many results were compared with that of an undisturbed call
   * @param equal how many of them had the same bits
   * @param seconds that an undisturbed call takes
   */
  private record Outcome(int kills, int compared, int equal, double seconds) {}

  @Override
  public Result run(int amount, long seed, Progress progress, Keeper keeper) throws Exception {
    Path folder = Files.createTempDirectory("orbit-kills");
    try {
      List<String> broken = new ArrayList<>();
      Map<String, Object> figures = SoakCommand.figures();
      Map<String, Outcome> commands = new LinkedHashMap<>();
      figures.put("commands", commands);
      List<KilledJob> all = jobs.in(folder);
      for (int i = 0; i < all.size(); i++) {
        KilledJob job = all.get(i);
        Path own = Files.createDirectories(folder.resolve(job.name()));
        int before = i * amount;
        commands.put(
            job.name(),
            new Run(job, own, new SplittableRandom(seed + i), broken)
                .kill(amount, k -> progress.update(before + k, (long) all.size() * amount)));
        keeper.keep(new Result(figures, broken));
      }
      return new Result(figures, broken);
    } finally {
      delete(folder);
    }
  }

  private interface Counter {
    void at(int kills);
  }

  private static final class Run {
    private final KilledJob job;
    private final Path folder;
    private final SplittableRandom random;
    private final List<String> broken;
    private int kills;
    private int compared;
    private int equal;

    Run(KilledJob job, Path folder, SplittableRandom random, List<String> broken) {
      this.job = job;
      this.folder = folder;
      this.random = random;
      this.broken = broken;
    }

    Outcome kill(int amount, Counter counter) throws Exception {
      Path whole = folder.resolve("whole");
      long begun = System.nanoTime();
      int code = start(whole).waitFor();
      long duration = System.nanoTime() - begun;
      if (code != 0) {
        broken.add("%s: ends with %d undisturbed: %s".formatted(job.name(), code, log(whole)));
        return new Outcome(0, 0, 0, duration / 1e9);
      }
      Map<String, String> expected = results(whole);
      while (kills < amount) {
        Path out = folder.resolve("killed");
        int last = Math.min(amount, kills + CHAIN);
        boolean ended = false;
        while (kills < last && !ended) {
          ended = disturbed(out, (long) (duration * random.nextDouble()));
          counter.at(kills);
        }
        compare(ended ? 0 : start(out).waitFor(), out, expected);
        delete(out);
      }
      return new Outcome(kills, compared, equal, duration / 1e9);
    }

    private Process start(Path out) throws IOException {
      Files.createDirectories(folder);
      return OrbitProcess.of(job.call(out))
          .redirectErrorStream(true)
          .redirectOutput(folder.resolve(out.getFileName() + ".log").toFile())
          .start();
    }

    private String log(Path out) throws IOException {
      List<String> lines = Files.readAllLines(folder.resolve(out.getFileName() + ".log"));
      return lines.isEmpty() ? "" : lines.get(lines.size() - 1);
    }

    /** Whether the call came to its end before it could be killed. */
    private boolean disturbed(Path out, long nanos) throws Exception {
      Process process = start(out);
      if (process.waitFor(nanos, TimeUnit.NANOSECONDS)) {
        if (process.exitValue() != 0) {
          broken.add(
              "%s: ends with %d after %d kills: %s"
                  .formatted(job.name(), process.exitValue(), kills, log(out)));
        }
        return true;
      }
      process.destroyForcibly().waitFor();
      kills++;
      return false;
    }

    private void compare(int code, Path out, Map<String, String> expected) throws IOException {
      compared++;
      Map<String, String> found = results(out);
      if (code != 0) {
        broken.add(
            "%s: ends with %d after %d kills: %s".formatted(job.name(), code, kills, log(out)));
      } else if (!found.equals(expected)) {
        List<String> differ = new ArrayList<>(expected.keySet());
        differ.removeIf(f -> expected.get(f).equals(found.get(f)));
        found.keySet().stream().filter(f -> !expected.containsKey(f)).forEach(differ::add);
        broken.add("%s: other bits after %d kills in %s".formatted(job.name(), kills, differ));
      } else {
        equal++;
      }
    }

    /** The digests of the results, and the names of files that should not be there. */
    private Map<String, String> results(Path out) throws IOException {
      Map<String, String> results = new TreeMap<>();
      if (!Files.exists(out)) {
        return results;
      }
      try (Stream<Path> files = Files.walk(out)) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          String name = out.relativize(file).toString();
          if (job.result().matcher(name).matches()) {
            results.put(name, Digests.sha256(file));
          } else if (name.contains(".tmp.")) {
            results.put(name, "half a file");
          }
        }
      }
      return results;
    }
  }

  private static void delete(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> all = Files.walk(folder)) {
        for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(file);
        }
      }
    }
  }
}
