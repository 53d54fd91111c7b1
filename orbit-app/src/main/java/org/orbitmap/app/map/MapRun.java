package org.orbitmap.app.map;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.orbitmap.app.option.Errors;
import org.orbitmap.eval.Cluster;
import org.orbitmap.eval.Progress;
import org.orbitmap.io.AtomicFiles;
import org.orbitmap.io.Digests;
import org.orbitmap.io.FileGuard;
import org.orbitmap.io.FolderLock;
import org.orbitmap.io.UserError;

/**
 * Maps the files of a plan into a folder and records each result in its manifest. What an earlier
 * call recorded, with the same settings and the same input, and whose result is unchanged, is kept:
 * so a call that was interrupted goes on when it is repeated.
 *
 * <p>A result is written beside its place, recorded, and then takes its place: whenever the process
 * is killed, every result that can be seen is recorded.
 */
public final class MapRun {
  private final Path base;
  private final Path out;
  private final Manifest manifest;
  private final boolean overwrite;

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
   * @param reports is told what became of each file, in the order of the jobs: with {@code error},
   *     or with {@code kept} if it was mapped before
   * @throws UserError if something is in the way that is not to be overwritten
   */
  public static void of(
      List<MapPlan.Job> jobs,
      Path out,
      boolean overwrite,
      Cluster cluster,
      Progress progress,
      Consumer<Map<String, Object>> reports)
      throws IOException {
    try (FolderLock lock = FolderLock.take(out)) {
      lock.removeLeftovers();
      Manifest.gather(out);
      try (Manifest manifest = Manifest.in(out)) {
        MapRun run = new MapRun(Path.of(""), out, manifest, overwrite);
        if (!overwrite) {
          run.requireOwn(jobs);
        }
        run.tidy(jobs);
        if (cluster == null) {
          run.here(jobs, progress).forEach(reports);
          return;
        }
        try {
          MapWork.run(jobs, out, overwrite, manifest, cluster, progress, reports);
        } finally {
          Manifest.gather(out);
          run.tidy(jobs);
        }
      }
    }
  }

  private List<Map<String, Object>> here(List<MapPlan.Job> jobs, Progress progress) {
    AtomicLong done = new AtomicLong();
    return IntStream.range(0, jobs.size())
        .parallel()
        .mapToObj(
            i -> {
              Map<String, Object> report = report(jobs.get(i), entry -> {});
              progress.update(done.incrementAndGet(), jobs.size());
              return report;
            })
        .toList();
  }

  /** The result's name in the manifest. */
  static String name(Path output) {
    return output.toString().replace('\\', '/');
  }

  /** Refuses before anything is done: files that nobody recorded, results of other settings. */
  private void requireOwn(List<MapPlan.Job> jobs) {
    List<Path> unknown = new ArrayList<>();
    for (MapPlan.Job job : jobs) {
      Path target = out.resolve(job.output());
      if (!Files.exists(target)) {
        continue;
      }
      Manifest.Entry entry = manifest.entries().get(name(job.output()));
      if (entry == null) {
        unknown.add(target);
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
    if (!unknown.isEmpty()) {
      throw new UserError(
          "%s: expected nothing there, or a result that %s names, found %s. Choose another folder,"
                  .formatted(
                      unknown.get(0),
                      manifest.file(),
                      unknown.size() == 1 ? "a file" : unknown.size() + " files like it")
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
  private void tidy(List<MapPlan.Job> jobs) throws IOException {
    Map<Path, List<MapPlan.Job>> folders =
        jobs.stream()
            .collect(
                Collectors.groupingBy(j -> out.resolve(j.output()).toAbsolutePath().getParent()));
    for (Map.Entry<Path, List<MapPlan.Job>> folder : folders.entrySet()) {
      Set<String> names =
          folder.getValue().stream()
              .map(j -> j.output().getFileName().toString())
              .collect(Collectors.toSet());
      if (Files.isDirectory(folder.getKey())) {
        try (Stream<Path> files = Files.list(folder.getKey())) {
          for (Path file : files.filter(AtomicFiles::isLeftover).toList()) {
            if (names.contains(AtomicFiles.intended(file))) {
              Files.deleteIfExists(file);
            }
          }
        }
      }
    }
  }

  /**
   * Maps one file.
   *
   * @param made told the entry of a result that was not kept
   */
  Map<String, Object> report(MapPlan.Job job, Consumer<Manifest.Entry> made) {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("file", job.file().toString());
    Path read = base.resolve(job.file());
    try {
      Manifest.Entry entry = FileGuard.read(read, file -> result(job, file, report));
      report.put("output", out.resolve(job.output()).toString());
      report.putAll(entry.report());
      report.put("inputSha256", entry.inputSha256());
      report.put("outputSha256", entry.outputSha256());
      if (!report.containsKey("kept")) {
        made.accept(entry);
      }
    } catch (IOException | IllegalArgumentException | UserError e) {
      // The user knows the files by the names that were given.
      String message =
          Errors.message(e)
              .replace(read.toString(), job.file().toString())
              .replace(base.resolve(out).toString(), out.toString());
      report.put(
          "error", message.contains(job.file().toString()) ? message : job.file() + ": " + message);
    }
    return report;
  }

  /** The recorded result if it is there and up to date, or else a new one. */
  private Manifest.Entry result(MapPlan.Job job, Path file, Map<String, Object> report)
      throws IOException {
    String output = name(job.output());
    Path folder = base.resolve(out);
    Path target = folder.resolve(job.output());
    Manifest.Entry before = manifest.entries().get(output);
    Set<String> others = before == null ? Set.of() : before.companions();
    String input = Digests.sha256(file);
    if (before != null && Files.exists(target)) {
      boolean changed = !before.outputSha256().equals(Digests.sha256(target));
      boolean same =
          !changed
              && before.inputSha256().equals(input)
              && before.settings().equals(job.mapper().settings());
      if (same && others.stream().allMatch(f -> Files.exists(folder.resolve(f)))) {
        report.put("kept", true);
        return before;
      }
      if (!same && !overwrite) {
        throw UserError.expected(
            job.file().toString(),
            "the result %s as it was made from this file".formatted(target),
            changed ? "it changed since" : "it made from another content",
            "Choose another folder, or --overwrite");
      }
    }
    Mapped mapped = job.mapper().map(file, job.output());
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
    Deque<AtomicFiles.Pending> written = new ArrayDeque<>();
    MessageDigest digest = Digests.sha256();
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
      Manifest.Entry entry =
          new Manifest.Entry(
              job.file().toString(),
              output,
              input,
              HexFormat.of().formatHex(digest.digest()),
              job.mapper().settings(),
              mapped.report());
      manifest.append(List.of(entry));
      for (AtomicFiles.Pending pending : written) {
        pending.commit();
      }
      return entry;
    } finally {
      for (AtomicFiles.Pending pending : written) {
        pending.close();
      }
    }
  }
}
