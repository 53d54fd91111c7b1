package org.orbitmap.app;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Properties;
import org.orbitmap.app.serve.ServeCommand;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The root of the {@code orbit} command. */
@Command(
    name = "orbit",
    description = "Provable invariance of neural networks by orbit mapping.",
    synopsisSubcommandLabel = "COMMAND",
    scope = ScopeType.INHERIT,
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    usageHelpAutoWidth = true,
    sortOptions = false,
    sortSynopsis = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:success",
      "1:a check did not hold",
      "2:bad input: the message says what was expected, what came, and what to do",
      "70:an error inside orbit: please report it"
    },
    subcommands = {
      // One line for each command, in the order of the help.
      DemoCommand.class,
      MapCommand.class,
      VerifyCommand.class,
      StabilityCommand.class,
      BenchCommand.class,
      AuditCommand.class,
      WrapCommand.class,
      InspectCommand.class,
      ExportCommand.class,
      TrainCommand.class,
      EvaluateCommand.class,
      PredictCommand.class,
      ReproduceCommand.class,
      DataCommand.class,
      ServeCommand.class,
      AutoComplete.GenerateCompletion.class,
    })
public final class Main implements Runnable {
  @Spec private CommandSpec spec;

  private Main() {}

  /** Runs the command and leaves with its exit code. */
  public static void main(String[] args) {
    Locale.setDefault(Locale.ROOT);
    PrintWriter out = utf8(FileDescriptor.out);
    PrintWriter err = utf8(FileDescriptor.err);
    int code = run(out, err, args);
    out.flush();
    err.flush();
    System.exit(code);
  }

  /** Runs the command with the given outputs, as tests do; returns the exit code. */
  static int run(PrintWriter out, PrintWriter err, String... args) {
    return commandLine(out, err).execute(args);
  }

  static CommandLine commandLine(PrintWriter out, PrintWriter err) {
    CommandLine line =
        new CommandLine(new Main())
            .setOut(out)
            .setErr(err)
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setExecutionExceptionHandler(Errors::report)
            .setParameterExceptionHandler(Errors::reportUsage);
    // Set here and not in the annotation, which subcommands inherit.
    line.getCommandSpec()
        .usageMessage()
        .footer(
            "",
            "Each command explains itself: orbit COMMAND --help",
            "Completion in bash and zsh: source <(orbit generate-completion)",
            "In the project's folder also: ./orbit test, ./orbit format, ./orbit jmh");
    line.getSubcommands().get("generate-completion").getCommandSpec().usageMessage().hidden(true);
    return line;
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "expected a command, found none");
  }

  /** The version of this program. */
  public static String version() throws java.io.IOException {
    return Version.current();
  }

  private static PrintWriter utf8(FileDescriptor descriptor) {
    return new PrintWriter(new FileOutputStream(descriptor), false, StandardCharsets.UTF_8);
  }

  /** The version, as the build wrote it. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() throws Exception {
      return new String[] {"orbit " + current()};
    }

    static String current() throws java.io.IOException {
      Properties build = new Properties();
      try (var in = Main.class.getResourceAsStream("build.properties")) {
        build.load(in);
      }
      return build.getProperty("version");
    }
  }
}
