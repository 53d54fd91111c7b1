package org.orbitmap.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.orbitmap.app.option.ConsoleProgress;
import org.orbitmap.app.option.Errors;
import org.orbitmap.app.option.Json;
import org.orbitmap.app.option.OutputOptions;
import org.orbitmap.io.UserError;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

class MainTest {
  @Test
  void versionAndHelp() {
    assertThat(Run.orbit("--version").out()).matches("orbit \\d+\\.\\d+\\.\\d+\\R");
    Run help = Run.orbit("--help");
    assertThat(help.code()).isZero();
    assertThat(help.out()).contains("Exit codes:", "a check did not hold", "bad input");
    assertThat(help.out()).contains("generate-completion)", "./orbit test");
    assertThat(Run.orbit("verify", "--help").out())
        .contains("Exit codes:", "orbit verify --json")
        .doesNotContain("./orbit test");
  }

  @Test
  void everyCommandHasADescriptionAndTheSharedExitCodes() {
    CommandLine line =
        Main.commandLine(new PrintWriter(new StringWriter()), new PrintWriter(new StringWriter()));
    line.getSubcommands()
        .forEach(
            (name, command) -> {
              CommandSpec spec = command.getCommandSpec();
              assertThat(spec.usageMessage().description()).as(name).isNotEmpty();
              assertThat(spec.usageMessage().exitCodeList()).as(name).containsKeys("0", "1", "2");
              for (OptionSpec option : spec.options()) {
                assertThat(option.description()).as("%s %s", name, option).isNotEmpty();
              }
            });
  }

  @Test
  void badUsageEndsWithTwo() {
    for (String[] args : new String[][] {{}, {"nonsense"}, {"--nonsense"}}) {
      Run run = Run.orbit(args);
      assertThat(run.code()).isEqualTo(2);
      assertThat(run.out()).isEmpty();
      assertThat(run.err()).startsWith("orbit: ").contains("--help").doesNotContain("\tat ");
    }
  }

  @Test
  void helpIsACommandToo() {
    assertThat(Run.orbit("help", "map")).isEqualTo(Run.orbit("map", "--help"));
    assertThat(Run.orbit("help")).isEqualTo(Run.orbit("--help"));
  }

  @Test
  void completionIsAScript() {
    Run run = Run.orbit("generate-completion");
    assertThat(run.code()).isZero();
    assertThat(run.out()).startsWith("#!").contains("complete -F");
  }

  @Test
  void exceptionsBecomeOneLineAndACode() {
    assertThat(run(UserError.expected("a.png", "a PNG file", "a text file", "Convert it first.")))
        .isEqualTo(
            new Run(
                2,
                "",
                "probe: a.png: expected a PNG file, found a text file. Convert it first.\n"));
    assertThat(run(new IllegalArgumentException("size: expected 3, found 4")))
        .isEqualTo(new Run(2, "", "probe: size: expected 3, found 4\n"));
    assertThat(run(new NoSuchFileException("b.bin")).err())
        .isEqualTo("probe: b.bin: expected a file or folder, found nothing there\n");
    assertThat(run(new UncheckedIOException(new AccessDeniedException("c"))))
        .isEqualTo(new Run(2, "", "probe: c: expected permission to use it, found none\n"));
    Run internal = run(new IllegalStateException("oops"));
    assertThat(internal.code()).isEqualTo(70);
    assertThat(internal.err()).contains("oops", "ORBIT_DEBUG=1").doesNotContain("\tat ");
    assertThat(run(null)).isEqualTo(new Run(1, "", ""));
  }

  @Test
  void jsonIsTheOnlyThingOnStandardOutput() throws IOException {
    StringWriter out = new StringWriter();
    CommandLine line = new CommandLine(new Probe(null)).setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(new StringWriter()));
    assertThat(line.execute("--json")).isEqualTo(1);
    assertThat(Json.mapper().readTree(out.toString()).get("answer").asInt()).isEqualTo(42);
  }

  private static Run run(Exception thrown) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        new CommandLine(new Probe(thrown))
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .setExecutionExceptionHandler(Errors::report)
            .execute();
    return new Run(code, out.toString(), err.toString().replace(System.lineSeparator(), "\n"));
  }

  @Command(name = "probe")
  private static final class Probe implements Callable<Integer> {
    private final Exception thrown;
    @Mixin private OutputOptions output;

    Probe(Exception thrown) {
      this.thrown = thrown;
    }

    @Override
    public Integer call() throws Exception {
      if (thrown != null) {
        throw thrown;
      }
      try (ConsoleProgress progress = output.progress("probes")) {
        progress.update(1, 2);
      }
      if (output.json()) {
        output.note("a note");
      }
      output.print(java.util.Map.of("answer", 42), text -> {});
      return Errors.CHECK_FAILED;
    }
  }
}
