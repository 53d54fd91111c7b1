package org.orbitmap.app.cell;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Lets a process that works for long make way for others, where the system can do that. */
final class Priorities {
  private Priorities() {}

  /** Gives all threads of a process and its children a lower priority than the others. */
  static void lower(Process process) {
    List<String> command = new ArrayList<>(List.of("renice", "-n", "10", "-p"));
    Stream.concat(Stream.of(process.toHandle()), process.descendants())
        .forEach(handle -> command.addAll(threads(handle.pid())));
    try {
      if (command.size() > 4) {
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
      }
    } catch (IOException e) {
      // there is no such program here: it goes on as before
    }
  }

  private static List<String> threads(long pid) {
    try (Stream<Path> tasks = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
      return tasks.map(t -> t.getFileName().toString()).toList();
    } catch (IOException e) {
      return List.of();
    }
  }
}
