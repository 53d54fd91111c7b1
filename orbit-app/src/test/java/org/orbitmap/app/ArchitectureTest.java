package org.orbitmap.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Packages use each other in one direction only; the module descriptors do the rest. */
class ArchitectureTest {
  private static final Path ROOT = Path.of(System.getProperty("orbit.root", ".."));
  private static final Pattern IMPORT =
      Pattern.compile("^import (?:static )?org\\.orbitmap\\.([a-z]+)\\.", Pattern.MULTILINE);

  /** What each package of the core may use. */
  private static final Map<String, Set<String>> CORE =
      Map.of(
          "group", Set.of(),
          "orbit", Set.of("group"),
          "eval", Set.of("group", "orbit"),
          "vector", Set.of("group", "orbit"),
          "image", Set.of("group", "orbit", "eval"),
          "cloud", Set.of("group", "orbit", "eval"));

  @Test
  void thePackagesOfTheCoreKeepTheirDirection() throws IOException {
    Path base = ROOT.resolve("orbit-core/src/main/java/org/orbitmap");
    for (Path file : sources(base)) {
      String own = base.relativize(file).getName(0).toString();
      Set<String> used = imports(file);
      used.remove(own);
      assertThat(CORE).as("%s: a package this test knows", file).containsKey(own);
      assertThat(CORE.get(own)).as(file.toString()).containsAll(used);
    }
  }

  @Test
  void onlyTheAppKnowsTheCommandLine() throws IOException {
    for (String module :
        List.of("orbit-core", "orbit-testkit", "orbit-io", "orbit-nn", "orbit-onnx")) {
      Path base = ROOT.resolve(module + "/src/main/java");
      if (Files.isDirectory(base)) {
        for (Path file : sources(base)) {
          String text = Files.readString(file);
          assertThat(text).as(file.toString()).doesNotContain("System.exit(");
          assertThat(imports(file)).as(file.toString()).doesNotContain("app");
          assertThat(text.contains("import picocli")).as(file.toString()).isFalse();
        }
      }
    }
  }

  /** So that all of them are on the same device. */
  @Test
  void tensorsAreMadeInOnePlace() throws IOException {
    Pattern making =
        Pattern.compile("torch\\.(tensor|zeros|ones|empty|full|arange|eye|rand\\w*|from_blob)\\(");
    for (Path file : sources(ROOT.resolve("orbit-nn/src/main/java"))) {
      boolean makes = making.matcher(Files.readString(file)).find();
      assertThat(makes).as(file.toString()).isEqualTo(file.endsWith("Tensors.java"));
    }
  }

  private static Set<String> imports(Path file) throws IOException {
    Set<String> used = new TreeSet<>();
    Matcher m = IMPORT.matcher(Files.readString(file));
    while (m.find()) {
      used.add(m.group(1));
    }
    return used;
  }

  private static List<Path> sources(Path base) throws IOException {
    try (Stream<Path> files = Files.walk(base)) {
      return files.filter(p -> p.toString().endsWith(".java")).toList();
    }
  }
}
