package org.orbitmap.app.cell;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Lets a process make way for others, where the system can do that. */
enum Priority {
  /** After processes that nothing was done to. */
  LATER(5),
  /** After all others. */
  LAST(15);

  private final int niceness;

  Priority(int niceness) {
    this.niceness = niceness;
  }

  /** Gives this priority to all threads of a process and its children. */
  void giveTo(Process process) {
    List<String> command =
        new ArrayList<>(List.of("renice", "-n", Integer.toString(niceness), "-p"));
    int words = command.size();
    Stream.concat(Stream.of(process.toHandle()), process.descendants())
        .forEach(handle -> command.addAll(threads(handle.pid())));
    try {
      if (command.size() > words) {
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
