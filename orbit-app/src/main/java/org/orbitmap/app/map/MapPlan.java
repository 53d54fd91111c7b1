package org.orbitmap.app.map;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.orbitmap.io.UserError;

/** Which files are mapped, and where their results go. */
public final class MapPlan {
  private MapPlan() {}

  /** One file to map. */
  public record Job(Path file, Path target, FileMapper mapper) {}

  /**
   * Every file to map, folders searched to the bottom.
   *
   * @param out the folder that results go to
   * @throws UserError if a result would overwrite an input or another result
   */
  public static List<Job> of(List<Path> inputs, Path out, List<FileMapper> mappers)
      throws IOException {
    Map<Path, Path> targets = new LinkedHashMap<>();
    List<Job> jobs = new ArrayList<>();
    for (Path input : inputs) {
      if (!Files.exists(input)) {
        throw new NoSuchFileException(input.toString());
      }
      if (!Files.isDirectory(input)) {
        add(jobs, targets, input, out, mappers, true);
        continue;
      }
      int before = jobs.size();
      try (Stream<Path> tree = Files.walk(input)) {
        for (Path file : tree.filter(Files::isRegularFile).sorted().toList()) {
          Path folder = out.resolve(input.relativize(file)).getParent();
          add(jobs, targets, file, folder, mappers, false);
        }
      }
      if (jobs.size() == before) {
        throw new UserError(
            input + ": expected files that can be mapped, found none in the folder");
      }
    }
    return jobs;
  }

  private static void add(
      List<Job> jobs,
      Map<Path, Path> targets,
      Path file,
      Path folder,
      List<FileMapper> mappers,
      boolean named)
      throws IOException {
    FileMapper mapper = null;
    for (FileMapper m : mappers) {
      if (mapper == null && (named ? m.accepts(file) : m.expects(file))) {
        mapper = m;
      }
    }
    if (mapper == null) {
      if (!named) {
        return; // something else in a folder
      }
      mapper = mappers.get(0); // the user named it: let the reader say what is wrong
    }
    Path target = folder.resolve(mapper.outputName(file.getFileName().toString()));
    Path key = target.toAbsolutePath().normalize();
    if (key.equals(file.toAbsolutePath().normalize())) {
      throw new UserError(
          "%s: expected an output folder that keeps the inputs, found that %s would be overwritten;"
                  .formatted(folder, file)
              + " choose another folder");
    }
    Path other = targets.putIfAbsent(key, file);
    if (other != null) {
      throw new UserError(
          "%s: expected a name of its own for each result, found %s and %s going there; map them"
                  .formatted(target, other, file)
              + " into different folders");
    }
    jobs.add(new Job(file, target, mapper));
  }
}
