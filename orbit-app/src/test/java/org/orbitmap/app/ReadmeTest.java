package org.orbitmap.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The documentation is true: its Java compiles and runs, its commands and links exist. */
class ReadmeTest {
  private static final Path ROOT = Path.of(System.getProperty("orbit.root", ".."));

  @TempDir Path folder;

  @TestFactory
  Stream<DynamicTest> everyExampleCompilesAndRuns() throws IOException {
    List<String> examples = new ArrayList<>();
    for (String document :
        List.of(
            "README.md",
            "docs/images.md",
            "docs/clouds.md",
            "docs/isometry.md",
            "docs/networks.md",
            "docs/upright.md")) {
      examples.addAll(blocks(Files.readString(ROOT.resolve(document)), "java"));
    }
    assertThat(examples).hasSizeGreaterThanOrEqualTo(7);
    return Stream.iterate(0, i -> i + 1)
        .limit(examples.size())
        .map(i -> DynamicTest.dynamicTest("example " + (i + 1), () -> run(examples.get(i), i)));
  }

  /** The diff at the top, with its + lines: the adoption it promises compiles and runs. */
  @Test
  void theDiffCompilesAndRuns() throws Exception {
    String diff = blocks(Files.readString(ROOT.resolve("README.md")), "diff").get(0);
    List<String> added = diff.lines().filter(l -> l.startsWith("+")).toList();
    assertThat(added).hasSizeLessThanOrEqualTo(5);
    String code =
        diff.lines()
            .filter(l -> !l.startsWith("-") && !l.contains("..."))
            .map(l -> l.substring(1).replace("loadMyNetwork()", "u -> u.data()"))
            .collect(Collectors.joining("\n"));
    run(
        "import java.util.function.Function;\nimport org.orbitmap.image.Image;\n"
            + "Image image = Image.black(3, 8, 8);\n"
            + code
            + "\nif (scores.length != 192) { throw new AssertionError(); }",
        99);
  }

  @Test
  void everyCommandNamedExists() throws IOException {
    Set<String> known =
        new TreeSet<>(
            new CommandLine(
                    Main.commandLine(
                            new PrintWriter(new StringWriter()),
                            new PrintWriter(new StringWriter()))
                        .getCommandSpec())
                .getSubcommands()
                .keySet());
    known.addAll(Set.of("test", "format", "jmh"));
    Matcher named =
        Pattern.compile("(?:`|^|<\\()(?:\\./)?orbit ([a-z][a-z-]+)", Pattern.MULTILINE)
            .matcher(documents());
    Set<String> found = new TreeSet<>();
    while (named.find()) {
      found.add(named.group(1));
    }
    assertThat(found).contains("demo", "verify", "test");
    assertThat(known).containsAll(found);
  }

  @Test
  void everyLinkLeadsSomewhere() throws IOException {
    for (Path document : paths()) {
      Matcher link =
          Pattern.compile("\\]\\(([^)#:]+)(#[^)]*)?\\)").matcher(Files.readString(document));
      while (link.find()) {
        Path target = document.resolveSibling(link.group(1));
        assertThat(target).as("%s links to %s", document, link.group(1)).exists();
      }
    }
  }

  private static List<Path> paths() throws IOException {
    List<Path> all = new ArrayList<>();
    try (Stream<Path> top = Files.list(ROOT);
        Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      Stream.concat(top, docs).filter(p -> p.toString().endsWith(".md")).forEach(all::add);
    }
    return all;
  }

  private static String documents() throws IOException {
    StringBuilder all = new StringBuilder();
    for (Path p : paths()) {
      all.append(Files.readString(p)).append('\n');
    }
    return all.toString();
  }

  private static List<String> blocks(String text, String language) {
    Matcher block =
        Pattern.compile("^```" + language + "\n(.*?)^```", Pattern.MULTILINE | Pattern.DOTALL)
            .matcher(text);
    List<String> found = new ArrayList<>();
    while (block.find()) {
      found.add(block.group(1));
    }
    return found;
  }

  /**
   * Imports go to the top, everything else into a method; what it prints is what its comments say.
   */
  private void run(String code, int number) throws Exception {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    assumeThat(compiler).as("a JDK").isNotNull();
    String name = "Example" + number;
    String imports =
        code.lines().filter(l -> l.startsWith("import ")).collect(Collectors.joining("\n"));
    String body =
        code.lines().filter(l -> !l.startsWith("import ")).collect(Collectors.joining("\n"));
    Path source = folder.resolve(name + ".java");
    Files.writeString(
        source,
        "%s%npublic class %s { public static void run() throws Exception {%n%s%n} }%n"
            .formatted(imports, name, body));
    StringWriter said = new StringWriter();
    boolean compiled =
        compiler
            .getTask(
                said,
                null,
                null,
                List.of("-classpath", System.getProperty("java.class.path"), "-d", "" + folder),
                null,
                compiler
                    .getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8)
                    .getJavaFileObjects(source))
            .call();
    assertThat(compiled).as("%s%n%s", said, code).isTrue();

    java.io.ByteArrayOutputStream printed = new java.io.ByteArrayOutputStream();
    PrintStream before = System.out;
    try (URLClassLoader loader =
            new URLClassLoader(new URL[] {folder.toUri().toURL()}, getClass().getClassLoader());
        PrintStream capture = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
      System.setOut(capture);
      loader.loadClass(name).getMethod("run").invoke(null);
    } finally {
      System.setOut(before);
    }
    Matcher promised = Pattern.compile("println\\(.*\\); // (.*)").matcher(code);
    List<String> lines = printed.toString(StandardCharsets.UTF_8).lines().toList();
    while (promised.find()) {
      // An ellipsis stands for anything.
      String pattern =
          Stream.of(promised.group(1).split("…", -1))
              .map(Pattern::quote)
              .collect(Collectors.joining(".*"));
      assertThat(lines).anyMatch(line -> line.matches(pattern));
    }
  }
}
