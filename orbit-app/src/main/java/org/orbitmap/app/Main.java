package org.orbitmap.app;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.jar.JarFile;
import org.orbitmap.app.command.AuditCommand;
import org.orbitmap.app.command.BenchCommand;
import org.orbitmap.app.command.DataCommand;
import org.orbitmap.app.command.DemoCommand;
import org.orbitmap.app.command.EvaluateCommand;
import org.orbitmap.app.command.ExportCommand;
import org.orbitmap.app.command.FitCommand;
import org.orbitmap.app.command.InspectCommand;
import org.orbitmap.app.command.MapCommand;
import org.orbitmap.app.command.PredictCommand;
import org.orbitmap.app.command.ReproduceCommand;
import org.orbitmap.app.command.ServeCommand;
import org.orbitmap.app.command.StabilityCommand;
import org.orbitmap.app.command.VerifyCommand;
import org.orbitmap.app.command.WrapCommand;
import org.orbitmap.app.match.MatchCommand;
import org.orbitmap.app.option.Completion;
import org.orbitmap.app.option.Errors;
import org.orbitmap.app.option.StandardOutput;
import org.orbitmap.app.soak.SoakCommand;
import org.orbitmap.app.train.ImportCommand;
import org.orbitmap.app.train.TrainCommand;
import org.orbitmap.io.Version;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The root of the {@code orbit} command. */
@Command(
    name = "orbit",
    description = "Provable invariance of neural networks by orbit mapping.",
    synopsisSubcommandLabel = "COMMAND",
    scope = ScopeType.INHERIT,
    mixinStandardHelpOptions = true,
    versionProvider = Main.VersionLine.class,
    usageHelpAutoWidth = true,
    sortOptions = false,
    sortSynopsis = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:success",
      "1:a check did not hold",
      "2:bad input: the message says what was expected, what came, and what to do",
      "70:an error inside orbit: please report it"
    })
public final class Main implements Runnable {
  /** One line for each command, in the order of the help. */
  private static final List<Class<?>> COMMANDS =
      List.of(
          DemoCommand.class,
          MapCommand.class,
          MatchCommand.class,
          VerifyCommand.class,
          StabilityCommand.class,
          BenchCommand.class,
          AuditCommand.class,
          WrapCommand.class,
          InspectCommand.class,
          ImportCommand.class,
          ExportCommand.class,
          TrainCommand.class,
          FitCommand.class,
          EvaluateCommand.class,
          PredictCommand.class,
          ReproduceCommand.class,
          DataCommand.class,
          ServeCommand.class,
          SoakCommand.class);

  /** Commands about commands, which the list of commands does not show. */
  private static final List<Class<?>> HIDDEN =
      List.of(AutoComplete.GenerateCompletion.class, HelpCommand.class);

  @Spec private CommandSpec spec;

  @Option(
      names = "--extension",
      paramLabel = "JAR",
      scope = ScopeType.INHERIT,
      description =
          "A jar with networks, schemes, mappings or data sets of your own; may be given several"
              + " times.")
  private List<Path> extensions = new ArrayList<>();

  private Main() {}

  /** Runs the command and leaves with its exit code. */
  public static void main(String[] args) {
    Locale.setDefault(Locale.ROOT);
    StandardOutput answer = new StandardOutput(new FileOutputStream(FileDescriptor.out));
    PrintWriter out = new PrintWriter(answer, false, StandardCharsets.UTF_8);
    PrintWriter err =
        new PrintWriter(new FileOutputStream(FileDescriptor.err), false, StandardCharsets.UTF_8);
    if (System.getenv("ORBIT_DEBUG") == null) {
      // What libraries dislike is told by who called them, in a line that a user can understand.
      System.setErr(
          new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
      Thread.setDefaultUncaughtExceptionHandler(
          (thread, e) -> {
            err.printf("orbit: an error inside orbit: %s%n", firstLine(e));
            err.flush();
          });
    }
    int code;
    try {
      code = run(out, err, args);
    } catch (
        Throwable e) { // out of memory, a native library that cannot be loaded, a stack overflow
      err.printf("orbit: an error inside orbit: %s%n", firstLine(e));
      code = Errors.INTERNAL;
    }
    out.flush();
    if (answer.failure().isPresent() && code == Errors.OK) {
      err.printf(
          "orbit: expected to write the answer to standard output, found: %s. Part of it is lost%n",
          answer.failure().get());
      code = Errors.BAD_INPUT;
    }
    err.flush();
    System.exit(code);
  }

  /** What happened; of a class that could not be made ready, why. */
  private static String firstLine(Throwable e) {
    Throwable why =
        e instanceof ExceptionInInitializerError && e.getCause() != null ? e.getCause() : e;
    return why.toString().lines().findFirst().orElse("");
  }

  /** Runs the command with the given outputs, as tests do; returns the exit code. */
  static int run(PrintWriter out, PrintWriter err, String... args) {
    // To start fast, only the command that is asked for is made; all of them for mistakes.
    List<Class<?>> asked =
        COMMANDS.stream().filter(c -> args.length > 0 && name(c).equals(args[0])).toList();
    String only = args.length == 1 ? args[0] : "";
    CommandLine line =
        switch (only) {
          case "--version", "-V" -> commandLine(out, err, List.of(), List.of());
          case "--help", "-h" -> commandLine(out, err, outlines(), List.of());
          default ->
              asked.isEmpty() ? commandLine(out, err) : commandLine(out, err, asked, List.of());
        };
    if (args.length > 0 && args[0].equals(name(AutoComplete.GenerateCompletion.class))) {
      Completion.addTo(line);
    }
    return line.execute(args);
  }

  private static String name(Class<?> command) {
    return command.getAnnotation(Command.class).name();
  }

  /** The command with all its subcommands. */
  static CommandLine commandLine(PrintWriter out, PrintWriter err) {
    return commandLine(out, err, COMMANDS, HIDDEN);
  }

  /** What the list of commands shows of each: its name and what it is for, without its options. */
  private static List<CommandSpec> outlines() {
    return COMMANDS.stream()
        .map(c -> c.getAnnotation(Command.class))
        .map(
            c -> {
              CommandSpec outline = CommandSpec.create().name(c.name());
              outline.usageMessage().description(c.description());
              return outline;
            })
        .toList();
  }

  /**
   * The command.
   *
   * @param commands classes or outlines
   */
  private static CommandLine commandLine(
      PrintWriter out, PrintWriter err, List<?> commands, List<Class<?>> hidden) {
    CommandLine line = new CommandLine(new Main());
    for (Object c : commands) {
      line.addSubcommand(c instanceof CommandSpec outline ? outline.name() : name((Class<?>) c), c);
    }
    for (Class<?> c : hidden) {
      line.addSubcommand(name(c), c);
      line.getSubcommands().get(name(c)).getCommandSpec().usageMessage().hidden(true);
    }
    line.setExecutionStrategy(Main::execute)
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
    return line;
  }

  /** Makes the classes of the extensions known, then runs the command. */
  private static int execute(ParseResult parsed) {
    Main main = parsed.commandSpec().commandLine().getCommand();
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    Thread.currentThread().setContextClassLoader(main.withExtensions(before));
    try {
      return new RunLast().execute(parsed);
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
  }

  private ClassLoader withExtensions(ClassLoader parent) {
    if (extensions.isEmpty()) {
      return parent;
    }
    URL[] jars = new URL[extensions.size()];
    for (int i = 0; i < jars.length; i++) {
      Path jar = extensions.get(i);
      try (JarFile opened = new JarFile(jar.toFile())) {
        jars[i] = Path.of(opened.getName()).toUri().toURL();
      } catch (IOException e) {
        throw new ParameterException(
            spec.commandLine(),
            "--extension: expected a jar file, found %s (%s)".formatted(jar, e.getMessage()));
      }
    }
    return new URLClassLoader("extensions", jars, parent);
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "expected a command, found none");
  }

  /** What {@code --version} prints. */
  static final class VersionLine implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"orbit " + Version.current()};
    }
  }
}
