package org.orbitmap.app.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.orbitmap.io.UserError;

/**
 * What a command took.
 *
 * @param seconds from its start to its end
 * @param processor the seconds that processors spent on it, which other work on the machine changes
 *     less
 */
public record Timed(double seconds, double processor) {
  /** More than any. */
  static final Timed NONE = new Timed(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);

  /** The command itself stands above all that it can do. */
  private static final String MAIN = String.join(".", "org", "orbitmap", "app", "Main");

  /** The lesser of each. */
  Timed least(Timed other) {
    return new Timed(Math.min(seconds, other.seconds), Math.min(processor, other.processor));
  }

  /** This command as users start it; where there is no launcher, by Java. */
  static List<String> orbit(String... arguments) {
    List<String> command = new ArrayList<>();
    Path launcher = Path.of(System.getProperty("orbit.root", ""), "orbit");
    if (Files.isExecutable(launcher)) {
      command.add(launcher.toString());
    } else {
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(List.of("-cp", System.getProperty("java.class.path"), MAIN));
    }
    command.addAll(Arrays.asList(arguments));
    return command;
  }

  /** A script among the resources, by Python. */
  static List<String> python(Path python, String script, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    try (InputStream in = Timed.class.getResourceAsStream(script)) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      command.addAll(List.of(python.toString(), "-c", text));
    }
    command.addAll(Arrays.asList(arguments));
    return command;
  }

  /** Whether a Python can import a module. */
  public static boolean has(Path python, String module) throws IOException {
    if (!Files.isExecutable(python)) {
      return false;
    }
    Process process =
        new ProcessBuilder(python.toString(), "-c", "import " + module)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    return ended(process) == 0;
  }

  /** The same command on one core; empty where the system cannot be told so. */
  static Optional<List<String>> onOneCore(List<String> command) {
    Path taskset = Path.of("/usr/bin/taskset");
    if (!Files.isExecutable(taskset)) {
      return Optional.empty();
    }
    List<String> bound = new ArrayList<>(List.of(taskset.toString(), "-c", "0"));
    bound.addAll(command);
    return Optional.of(bound);
  }

  /** Runs a command to its end. */
  static Timed of(List<String> command) throws IOException {
    long start = System.nanoTime();
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    Duration processor = Duration.ZERO;
    try {
      while (!process.waitFor(5, TimeUnit.MILLISECONDS)) {
        processor = process.info().totalCpuDuration().orElse(processor);
      }
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    }
    if (process.exitValue() != 0) {
      throw UserError.expected(
          String.join(" ", command.subList(0, Math.min(2, command.size()))),
          "exit code 0",
          process.exitValue(),
          "");
    }
    return new Timed((System.nanoTime() - start) / 1e9, processor.toNanos() / 1e9);
  }

  /** Waits for a process; its exit code. */
  static int ended(Process process) throws IOException {
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    }
  }
}
