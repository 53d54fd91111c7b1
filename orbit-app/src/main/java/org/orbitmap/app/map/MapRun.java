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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.orbitmap.app.option.Errors;
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
  private final Path out;
  private final Manifest manifest;
  private final boolean overwrite;

  private MapRun(Path out, Manifest manifest, boolean overwrite) {
    this.out = out;
    this.manifest = manifest;
    this.overwrite = overwrite;
  }

  /**
   * Maps all files, on all cores; a bad file does not stop the others.
   *
   * @param overwrite whether files of another origin, of other settings or of other inputs are
   *     replaced
   * @return a report for each file: with {@code error}, or with {@code kept} if it was mapped
   *     before
   * @throws UserError if something is in the way that is not to be overwritten
   */
  public static List<Map<String, Object>> of(
      List<MapPlan.Job> jobs, Path out, boolean overwrite, Progress progress) throws IOException {
    try (FolderLock lock = FolderLock.take(out);
        Manifest manifest = Manifest.in(out)) {
      lock.removeLeftovers();
      MapRun run = new MapRun(out, manifest, overwrite);
      if (!overwrite) {
        run.requireOwn(jobs);
      }
      run.tidy(jobs);
      AtomicLong done = new AtomicLong();
      return IntStream.range(0, jobs.size())
          .parallel()
          .mapToObj(
              i -> {
                Map<String, Object> report = run.report(jobs.get(i));
                progress.update(done.incrementAndGet(), jobs.size());
                return report;
              })
          .toList();
    }
  }

  private static String name(Path output) {
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

  private Map<String, Object> report(MapPlan.Job job) {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("file", job.file().toString());
    try {
      Manifest.Entry entry = FileGuard.read(job.file(), file -> result(job, report));
      report.put("output", out.resolve(job.output()).toString());
      report.putAll(entry.report());
      report.put("inputSha256", entry.inputSha256());
      report.put("outputSha256", entry.outputSha256());
    } catch (IOException | IllegalArgumentException | UserError e) {
      String message = Errors.message(e);
      report.put(
          "error", message.contains(job.file().toString()) ? message : job.file() + ": " + message);
    }
    return report;
  }

  /** The files that belong to a result: its other frames. */
  private static Set<String> companions(Manifest.Entry entry) {
    Set<String> names = new LinkedHashSet<>();
    if (entry != null && entry.report().get("frames") instanceof List<?> frames) {
      for (Object frame : frames) {
        if (frame instanceof Map<?, ?> fields && fields.get("output") instanceof String name) {
          names.add(name);
        }
      }
    }
    return names;
  }

  /** The recorded result if it is there and up to date, or else a new one. */
  private Manifest.Entry result(MapPlan.Job job, Map<String, Object> report) throws IOException {
    String output = name(job.output());
    Path target = out.resolve(job.output());
    Manifest.Entry before = manifest.entries().get(output);
    String input = Digests.sha256(job.file());
    if (before != null && Files.exists(target)) {
      boolean changed = !before.outputSha256().equals(Digests.sha256(target));
      boolean same =
          !changed
              && before.inputSha256().equals(input)
              && before.settings().equals(job.mapper().settings());
      if (same && companions(before).stream().allMatch(f -> Files.exists(out.resolve(f)))) {
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
    Mapped mapped = job.mapper().map(job.file(), job.output());
    for (Path file : mapped.files().keySet()) {
      boolean own = file.equals(job.output()) || companions(before).contains(name(file));
      if (!own && !overwrite && Files.exists(out.resolve(file))) {
        throw UserError.expected(
            out.resolve(file).toString(),
            "nothing there",
            "a file",
            "Choose another folder, or --overwrite");
      }
    }
    Deque<AtomicFiles.Pending> written = new ArrayDeque<>();
    MessageDigest digest = Digests.sha256();
    try {
      for (Map.Entry<Path, AtomicFiles.Body> file : mapped.files().entrySet()) {
        digest.reset();
        written.add(
            AtomicFiles.prepare(
                out.resolve(file.getKey()),
                to -> {
                  DigestOutputStream counted = new DigestOutputStream(to, digest);
                  file.getValue().writeTo(counted);
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
      manifest.append(entry);
      for (AtomicFiles.Pending file : written) {
        file.commit();
      }
      return entry;
    } finally {
      for (AtomicFiles.Pending file : written) {
        file.close();
      }
    }
  }
}
