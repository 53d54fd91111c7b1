package org.orbitmap.app.map;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.orbitmap.io.AtomicFiles;
import org.orbitmap.io.UserError;

/**
 * Which files are mapped, and where their results go.
 *
 * @param jobs the files that are mapped
 * @param skipped what lies in the folders and is not
 */
public record MapPlan(List<Job> jobs, List<Skipped> skipped) {
  /**
   * One file to map.
   *
   * @param output where the result goes, below the output folder
   */
  public record Job(Path file, Path output, FileMapper mapper) {}

  /** One file or folder that is not mapped, and why. */
  public record Skipped(String file, String reason) {}

  /**
   * Every file to map, folders searched to the bottom. Each result has a name of its own: where two
   * inputs of a folder differ only by their endings, results keep them (a.bmp.png beside a.gif.png,
   * but a.png stays); inputs of one name from several folders are numbered in the order given
   * (x.png, x-2.png).
   *
   * @param out the folder that results go to; left out where a folder is searched
   * @throws UserError if a result would overwrite an input
   */
  public static MapPlan of(List<Path> inputs, Path out, List<FileMapper> mappers)
      throws IOException {
    Search search = new Search(out.toAbsolutePath().normalize(), mappers);
    for (Path input : inputs) {
      search.add(input);
    }
    List<Job> jobs = search.named();
    for (Job job : jobs) {
      Path target = search.out.resolve(job.output);
      if (search.files.contains(target)) {
        throw new UserError(
            "%s: expected an output folder that keeps the inputs, found that %s would be"
                    .formatted(out, target)
                + " overwritten; choose another folder");
      }
    }
    return new MapPlan(jobs, search.skipped);
  }

  /** A search for files; names for their results come when all are known. */
  private static final class Search {
    final Path out;
    final List<FileMapper> mappers;
    final List<Job> found = new ArrayList<>();
    final List<Skipped> skipped = new ArrayList<>();
    final Set<Path> files = new LinkedHashSet<>();

    Search(Path out, List<FileMapper> mappers) {
      this.out = out;
      this.mappers = mappers;
    }

    void add(Path input) throws IOException {
      if (!Files.exists(input)) {
        throw new NoSuchFileException(input.toString());
      }
      if (!Files.isDirectory(input)) {
        // The user named it: if no mapper knows it, let a reader say what is wrong.
        FileMapper mapper =
            mappers.stream().filter(m -> m.accepts(input)).findFirst().orElse(mappers.get(0));
        add(input, Path.of(""), mapper);
        return;
      }
      int before = found.size();
      int others = skipped.size();
      Path folder = input.toAbsolutePath().normalize();
      boolean inside = out.startsWith(folder) && !out.equals(folder);
      try (Stream<Path> tree = Files.walk(input)) {
        for (Path file : tree.sorted().toList()) {
          Path path = file.toAbsolutePath().normalize();
          if (inside && path.startsWith(out)) {
            if (path.equals(out)) {
              skipped.add(new Skipped(file.toString(), "the output folder"));
            }
          } else if (Files.isRegularFile(file)) {
            Path parent = input.relativize(file).getParent();
            met(file, parent == null ? Path.of("") : parent);
          } else if (Files.isSymbolicLink(file) || !Files.isDirectory(file)) {
            String kind = Files.isDirectory(file) ? "a link to a folder" : "no regular file";
            skipped.add(new Skipped(file.toString(), kind));
          }
        }
      }
      if (found.size() == before) {
        throw new UserError(
            "%s: expected files that can be mapped, found none%s"
                .formatted(
                    input,
                    skipped.size() == others
                        ? " in the folder"
                        : " among %d, such as %s"
                            .formatted(skipped.size() - others, skipped.get(others).file)));
      }
    }

    private void met(Path file, Path folder) throws IOException {
      if (AtomicFiles.isLeftover(file)) {
        skipped.add(new Skipped(file.toString(), "left by a call that was interrupted"));
        return;
      }
      for (FileMapper mapper : mappers) {
        if (mapper.expects(file)) {
          add(file, folder, mapper);
          return;
        }
      }
      boolean manifest = file.getFileName().toString().equals(Manifest.NAME);
      skipped.add(
          new Skipped(
              file.toString(),
              manifest
                  ? "a manifest"
                  : "not " + String.join(" or ", mappers.stream().map(FileMapper::kind).toList())));
    }

    private void add(Path file, Path folder, FileMapper mapper) {
      if (files.add(file.toAbsolutePath().normalize())) {
        String name = mapper.outputName(file.getFileName().toString());
        found.add(new Job(file, folder.resolve(name), mapper));
      } else {
        skipped.add(new Skipped(file.toString(), "named before"));
      }
    }

    List<Job> named() {
      Map<Path, Integer> wanted = new HashMap<>();
      found.forEach(job -> wanted.merge(job.output, 1, Integer::sum));
      List<Job> jobs = new ArrayList<>();
      Set<Path> taken = new HashSet<>();
      for (Job job : found) {
        Path output = wanted.get(job.output) > 1 ? withEnding(job) : job.output;
        Path free = output;
        for (int k = 2;
            taken.contains(free) || (!free.equals(output) && wanted.containsKey(free));
            k++) {
          free = numbered(output, k);
        }
        taken.add(free);
        jobs.add(new Job(job.file, free, job.mapper));
      }
      return jobs;
    }

    /** The result named after the whole name of its file, unless it has that name. */
    private static Path withEnding(Job job) {
      String file = job.file.getFileName().toString();
      String name = job.output.getFileName().toString();
      return name.equals(file)
          ? job.output
          : job.output.resolveSibling(file + name.substring(name.lastIndexOf('.')));
    }
  }

  /** A path with a number before its endings: x-2.png. */
  static Path numbered(Path path, int k) {
    return beside(path, "-" + k);
  }

  /** A path with something added to its name, before the endings. */
  static Path beside(Path path, String added) {
    String name = path.getFileName().toString();
    int dot = name.indexOf('.', 1);
    int at = dot < 0 ? name.length() : dot;
    return path.resolveSibling(name.substring(0, at) + added + name.substring(at));
  }
}
