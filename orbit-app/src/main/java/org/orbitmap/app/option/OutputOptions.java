package org.orbitmap.app.option;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.orbitmap.io.UserError;
import org.orbitmap.io.Version;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/**
 * The options that every command shares, and how it answers:
 *
 * <pre>{@code
 * @Mixin OutputOptions output;
 *
 * public Integer call() {
 *   Result result;
 *   try (ConsoleProgress progress = output.progress("images")) {
 *     result = work(progress);
 *   }
 *   output.print(result, out -> out.printf("...", ...));
 *   return Errors.OK;
 * }
 * }</pre>
 */
public final class OutputOptions {
  @Spec(Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--json",
      description = "Print one JSON document on standard output and nothing else there.")
  private boolean json;

  @Option(names = "--no-progress", description = "Show no progress on standard error.")
  private boolean noProgress;

  @Option(
      names = {"-q", "--quiet"},
      description = "Only results and errors: no progress, no notes.")
  private boolean quiet;

  /** Whether the answer is a JSON document. */
  public boolean json() {
    return json;
  }

  /** Prints the answer on standard output: as JSON if asked for, else as text. */
  public void print(Object document, Consumer<PrintWriter> text) {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      Json.write(document, out);
      out.println();
    } else {
      text.accept(out);
    }
    out.flush();
  }

  /** A note for the user on standard error, such as where a file went. */
  public void note(String text) {
    if (!quiet) {
      PrintWriter err = spec.commandLine().getErr();
      err.println(text);
      err.flush();
    }
  }

  /** A warning on standard error, also when quiet. */
  public void warn(String text) {
    PrintWriter err = spec.commandLine().getErr();
    err.println("warning: " + text);
    err.flush();
  }

  /** Where numbers come from: the command as it was given, the version, the machine, the time. */
  public Map<String, String> provenance() throws IOException {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("command", "orbit " + shell(spec.root().commandLine().getParseResult()));
    facts.put("version", Version.current());
    facts.put("java", System.getProperty("java.version"));
    facts.put("platform", System.getProperty("os.name") + " " + System.getProperty("os.arch"));
    facts.put("processors", Integer.toString(Runtime.getRuntime().availableProcessors()));
    facts.put("written", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    return facts;
  }

  /** The arguments as they would be typed in a shell. */
  private static String shell(ParseResult given) {
    return given.originalArgs().stream()
        .map(a -> a.matches("[\\w@%+=:,./-]+") ? a : "'" + a.replace("'", "'\\''") + "'")
        .collect(Collectors.joining(" "));
  }

  /**
   * Progress on standard error; close it when the work is over.
   *
   * @param unit what is counted, such as {@code images}
   */
  public ConsoleProgress progress(String unit) {
    return noProgress || quiet
        ? ConsoleProgress.off()
        : ConsoleProgress.on(spec.commandLine().getErr(), unit);
  }

  /**
   * Checks --out before a command measures for long: it is a folder that can be written or made.
   *
   * @param folder where results go; null for nowhere
   */
  public static void requireFolder(Path folder) {
    Path there = folder == null ? null : folder.toAbsolutePath();
    while (there != null && !Files.exists(there)) {
      there = there.getParent();
    }
    if (there != null && !(Files.isDirectory(there) && Files.isWritable(there))) {
      throw UserError.expected(
          "--out",
          "a folder that can be written",
          Files.isDirectory(there) ? "no permission in " + there : there,
          "");
    }
  }
}
