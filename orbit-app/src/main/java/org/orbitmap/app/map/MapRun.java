package org.orbitmap.app.map;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.orbitmap.app.option.Errors;
import org.orbitmap.eval.Cluster;
import org.orbitmap.eval.Progress;
import org.orbitmap.eval.Workers;
import org.orbitmap.io.AtomicFiles;
import org.orbitmap.io.Digests;
import org.orbitmap.io.FileGuard;
import org.orbitmap.io.FolderLock;
import org.orbitmap.io.InputFile;
import org.orbitmap.io.NameIndex;
import org.orbitmap.io.UserError;

/**
 * Maps the files of a plan into a folder and records each result in its manifest. What an earlier
 * call recorded, with the same settings and the same input, and whose result is unchanged, is kept:
 * so a call that was interrupted goes on when it is repeated.
 *
 * <p>Results are written in groups: each beside its place, all of a group brought to the disk
 * together, then recorded, then each takes its place. So whenever the process is killed, or the
 * power is cut, a result is whole or absent, and every result that can be seen is recorded. While
 * one group goes to the disk the next is computed.
 */
public final class MapRun {
  private final Path base;
  private final Path out;
  private final Manifest manifest;
  private final boolean overwrite;

  /** Groups grow and shrink with the time they take, so that little is lost with one. */
  static final int LEAST = 16;

  private static final int MOST = 1024;
  private static final double SECONDS = 0.5;

  /**
   * What became of a file: its report, and the result that is to be recorded and shown.
   *
   * @param entry null if it failed or was kept
   * @param files of the result, written beside their places
   */
  record Outcome(
      MapPlan.Job job,
      Map<String, Object> report,
      Manifest.Entry entry,
      List<AtomicFiles.Pending> files) {
    void drop() throws IOException {
      for (AtomicFiles.Pending file : files) {
        file.close();
      }
    }
  }

  /**
   * A run.
   *
   * @param base what names of files are relative to; the empty path for the folder of this process
   * @param out the folder of the results, as the user named it
   * @param manifest where results are recorded
   */
  MapRun(Path base, Path out, Manifest manifest, boolean overwrite) {
    this.base = base;
    this.out = out;
    this.manifest = manifest;
    this.overwrite = overwrite;
  }

  /**
   * Maps all files, on all cores or on a cluster; a bad file does not stop the others.
   *
   * @param overwrite whether files of another origin, of other settings or of other inputs are
   *     replaced
   * @param cluster where it is done; its machines see the files and the folder under the same
   *     names. Null for this machine.
   * @param reports takes a report for each file, in the order of the plan: with {@code error}, or
   *     with {@code kept} if it was mapped before
   * @throws UserError if something is in the way that is not to be overwritten
   */
  public static void of(
      MapPlan plan,
      Path out,
      boolean overwrite,
      Cluster cluster,
      Progress progress,
      MapReports reports)
      throws IOException {
    try (FolderLock lock = FolderLock.take(out)) {
      lock.removeLeftovers();
      Manifest.gather(out);
      try (Manifest manifest = Manifest.in(out)) {
        MapRun run = new MapRun(Path.of(""), out, manifest, overwrite);
        if (!overwrite) {
          run.requireOwn(plan);
        }
        run.tidy(plan);
        if (cluster == null) {
          AtomicLong done = new AtomicLong();
          run.map(
              plan.jobs().iterator(),
              Runtime.getRuntime().availableProcessors(),
              new AtomicInteger(LEAST),
              () -> progress.update(done.incrementAndGet(), plan.size()),
              group -> reports.add(reports(group)));
          return;
        }
        try {
          MapWork.run(plan, out, overwrite, manifest, cluster, progress, reports);
        } finally {
          Manifest.gather(out);
          run.tidy(plan);
        }
      }
    }
  }

  /** Takes what became of the files of a group, in the order of the files. */
  @FunctionalInterface
  interface Finished {
    void add(List<Outcome> group) throws IOException;
  }

  /**
   * Maps files and commits them group by group, while the next group is computed.
   *
   * @param size of the groups; grows and shrinks with the time that they take, so that little is
   *     lost with one
   * @param made is told as soon as a file is mapped, by any thread
   * @param finished is told each group, in order
   */
  void map(
      Iterator<MapPlan.Job> jobs, int threads, AtomicInteger size, Runnable made, Finished finished)
      throws IOException {
    ExecutorService behind =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread thread = new Thread(task, "record");
              thread.setDaemon(true);
              return thread;
            });
    Future<?> before = CompletableFuture.completedFuture(null);
    try {
      while (jobs.hasNext()) {
        int most = size.get();
        List<MapPlan.Job> group = new ArrayList<>();
        while (jobs.hasNext() && group.size() < most) {
          group.add(jobs.next());
        }
        Outcome[] outcomes = new Outcome[group.size()];
        long start = System.nanoTime();
        Workers.run(
            "map",
            threads,
            outcomes.length,
            i -> {
              outcomes[i] = make(group.get(i));
              made.run();
            });
        double seconds = (System.nanoTime() - start) / 1e9;
        if (group.size() == most) {
          size.set(Math.max(LEAST, Math.min(MOST, seconds < SECONDS ? 2 * most : most / 2)));
        }
        finished(before);
        before =
            behind.submit(
                () -> {
                  finished.add(commit(List.of(outcomes)));
                  return null;
                });
      }
      finished(before);
    } finally {
      behind.shutdown();
    }
  }

  static List<Map<String, Object>> reports(List<Outcome> group) {
    return group.stream().map(Outcome::report).toList();
  }

  /** Waits for a group. */
  private static void finished(Future<?> group) throws IOException {
    try {
      group.get();
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      throw cause instanceof IOException io ? io : new IOException(cause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    }
  }

  /** The result's name in the manifest. */
  static String name(Path output) {
    return output.toString().replace('\\', '/');
  }

  /** Refuses before anything is done: files that nobody recorded, results of other settings. */
  private void requireOwn(MapPlan plan) {
    Path first = null;
    long unknown = 0;
    for (MapPlan.Job job : plan.jobs()) {
      Path target = out.resolve(job.output());
      if (!Files.exists(target)) {
        continue;
      }
      Manifest.Entry entry = manifest.find(name(job.output()));
      if (entry == null) {
        first = first == null ? target : first;
        unknown++;
      } else if (!entry.settings().equals(job.mapper().settings())) {
        throw new UserError(
            "%s: expected the settings it was made with (%s), found %s. Choose another folder, or"
                    .formatted(
                        target,
                        difference(entry.settings(), job.mapper().settings()),
                        difference(job.mapper().settings(), entry.settings()))
                + " --overwrite");
      }
    }
    if (first != null) {
      throw new UserError(
          "%s: expected nothing there, or a result that %s names, found %s. Choose another folder,"
                  .formatted(
                      first, manifest.file(), unknown == 1 ? "a file" : unknown + " files like it")
              + " or --overwrite");
    }
  }

  /** The settings in which one differs from another. */
  private static String difference(Map<String, String> one, Map<String, String> other) {
    Map<String, String> all = new TreeMap<>(one);
    other.keySet().forEach(name -> all.putIfAbsent(name, "no " + name));
    String text =
        all.entrySet().stream()
            .filter(e -> !e.getValue().equals(other.get(e.getKey())))
            .map(e -> one.containsKey(e.getKey()) ? e.getKey() + " " + e.getValue() : e.getValue())
            .collect(Collectors.joining(", "));
    return text.isEmpty() ? "the same" : text;
  }

  /** Deletes what a killed call left half-written of these results. */
  private void tidy(MapPlan plan) throws IOException {
    NameIndex seen = new NameIndex();
    for (MapPlan.Job job : plan.jobs()) {
      Path below = job.output().getParent();
      String name = below == null ? "" : below.toString();
      if (seen.contains(name)) {
        continue;
      }
      seen.put(name, 1);
      Path folder = out.resolve(name);
      if (Files.isDirectory(folder)) {
        try (DirectoryStream<Path> left =
            Files.newDirectoryStream(folder, AtomicFiles::isLeftover)) {
          for (Path file : left) {
            if (plan.makes(job.output().resolveSibling(AtomicFiles.intended(file)))) {
              Files.deleteIfExists(file);
            }
          }
        }
      }
    }
  }

  /** Maps one file, up to what {@link #commit} does. */
  Outcome make(MapPlan.Job job) {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("file", job.file().toString());
    Path read = base.resolve(job.file());
    try {
      return FileGuard.read(read, file -> result(job, file, report));
    } catch (IOException | IllegalArgumentException | UserError e) {
      return failed(job, report, e);
    }
  }

  private Outcome failed(MapPlan.Job job, Map<String, Object> report, Exception e) {
    // The user knows the files by the names that were given.
    String message =
        Errors.message(e)
            .replace(base.resolve(job.file()).toString(), job.file().toString())
            .replace(base.resolve(out).toString(), out.toString());
    report.put(
        "error", message.contains(job.file().toString()) ? message : job.file() + ": " + message);
    return new Outcome(job, report, null, List.of());
  }

  private Outcome made(
      MapPlan.Job job,
      Map<String, Object> report,
      Manifest.Entry entry,
      boolean kept,
      List<AtomicFiles.Pending> files) {
    report.put("output", out.resolve(job.output()).toString());
    report.putAll(entry.report());
    report.put("inputSha256", entry.inputSha256());
    report.put("outputSha256", entry.outputSha256());
    return new Outcome(job, report, kept ? null : entry, files);
  }

  /**
   * Brings the files of a group to the disk, records them, and lets them appear.
   *
   * @return the same, with what failed
   */
  List<Outcome> commit(List<Outcome> group) throws IOException {
    List<Outcome> outcomes = new ArrayList<>(group);
    try {
      Map<AtomicFiles.Pending, IOException> failed =
          AtomicFiles.sync(group.stream().flatMap(o -> o.files.stream()).toList());
      for (int i = 0; !failed.isEmpty() && i < outcomes.size(); i++) {
        Outcome outcome = outcomes.get(i);
        Optional<AtomicFiles.Pending> bad =
            outcome.files.stream().filter(failed::containsKey).findFirst();
        if (bad.isPresent()) {
          outcomes.set(i, failed(outcome.job, start(outcome), failed.get(bad.get())));
        }
      }
      manifest.append(outcomes.stream().map(Outcome::entry).filter(Objects::nonNull).toList());
      for (int i = 0; i < outcomes.size(); i++) {
        Outcome outcome = outcomes.get(i);
        try {
          for (AtomicFiles.Pending file : outcome.files) {
            file.commit();
          }
        } catch (IOException e) {
          outcomes.set(i, failed(outcome.job, start(outcome), e));
        }
      }
      return outcomes;
    } finally {
      for (Outcome outcome : group) {
        outcome.drop();
      }
    }
  }

  /** A report that says no more than which file it is about. */
  private static Map<String, Object> start(Outcome outcome) {
    return new LinkedHashMap<>(Map.of("file", outcome.report.get("file")));
  }

  /** The recorded result if it is there and up to date, or else a new one. */
  private Outcome result(MapPlan.Job job, Path file, Map<String, Object> report)
      throws IOException {
    String output = name(job.output());
    Path folder = base.resolve(out);
    Path target = folder.resolve(job.output());
    Manifest.Entry before = manifest.find(output);
    Set<String> others = before == null ? Set.of() : before.companions();
    InputFile source = new InputFile(file);
    String input = source.sha256();
    if (before != null && Files.exists(target)) {
      boolean changed = !before.outputSha256().equals(Digests.sha256(target));
      boolean same =
          !changed
              && before.inputSha256().equals(input)
              && before.settings().equals(job.mapper().settings());
      if (same && others.stream().allMatch(f -> Files.exists(folder.resolve(f)))) {
        report.put("kept", true);
        return made(job, report, before, true, List.of());
      }
      if (!same && !overwrite) {
        throw UserError.expected(
            job.file().toString(),
            "the result %s as it was made from this file".formatted(target),
            changed ? "it changed since" : "it made from another content",
            "Choose another folder, or --overwrite");
      }
    }
    Mapped mapped = job.mapper().map(source, job.output());
    for (Path written : mapped.files().keySet()) {
      boolean own = written.equals(job.output()) || others.contains(name(written));
      if (!own
          && !overwrite
          && Files.exists(folder.resolve(written))
          && !manifest.inOtherPart(name(written))) {
        throw UserError.expected(
            folder.resolve(written).toString(),
            "nothing there",
            "a file",
            "Choose another folder, or --overwrite");
      }
    }
    List<AtomicFiles.Pending> written = new ArrayList<>();
    MessageDigest digest = Digests.sha256();
    boolean whole = false;
    try {
      for (Map.Entry<Path, AtomicFiles.Body> made : mapped.files().entrySet()) {
        digest.reset();
        written.add(
            AtomicFiles.prepare(
                folder.resolve(made.getKey()),
                to -> {
                  DigestOutputStream counted = new DigestOutputStream(to, digest);
                  made.getValue().writeTo(counted);
                  counted.flush();
                }));
      }
      whole = true;
    } finally {
      for (AtomicFiles.Pending pending : whole ? List.<AtomicFiles.Pending>of() : written) {
        pending.close();
      }
    }
    Manifest.Entry entry =
        new Manifest.Entry(
            job.file().toString(),
            output,
            input,
            HexFormat.of().formatHex(digest.digest()),
            job.mapper().settings(),
            mapped.report());
    return made(job, report, entry, false, written);
  }
}
