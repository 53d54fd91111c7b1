package org.orbitmap.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The script of {@code orbit generate-completion}, run by bash as it does at the tab key. */
class CompletionTest {
  private static final Path BASH = Path.of("/bin/bash");

  @TempDir static Path folder;

  @BeforeAll
  static void generate() throws IOException {
    Assumptions.assumeTrue(Files.exists(BASH), "no bash here");
    Run run = Run.orbit("generate-completion");
    assertThat(run.code()).isZero();
    Files.writeString(folder.resolve("completion.sh"), run.out());
  }

  /** What bash offers for the last word of a line; a dot stands for a word not begun. */
  private static List<String> offered(String line) throws Exception {
    String words = "orbit " + line.replaceFirst("\\.$", "''");
    Path script = folder.resolve("tab.sh");
    Files.writeString(
        script,
        """
        source "%s"
        compopt() { :; } # bash has it only at the tab key
        COMP_WORDS=(%s)
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _complete_orbit
        printf '%%s\\n' "${COMPREPLY[@]}"
        """
            .formatted(folder.resolve("completion.sh"), words));
    Process bash =
        new ProcessBuilder(BASH.toString(), "--norc", script.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(bash.getInputStream().readAllBytes(), UTF_8);
    assertThat(bash.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return said.lines().toList();
  }

  @ParameterizedTest
  @CsvSource({
    "re, reproduce",
    "train --preset glyphs, glyphs-convnet glyphs-convnet-disc",
    "train --preset lis, list",
    "reproduce cifar, cifar10-networks cifar10-augmentation cifar10-methods",
    "reproduce rotmnist --scale ., cpu paper",
    "stability --mapping p, paper",
    "map --mapping ., disc paper released central forward skewness first-point upright:",
    "map --group so, so2 so3",
    "bench --group ., mapping training photos map start wrap",
    "wrap m.onnx --fill ., zero reflect edge",
    "audit m.onnx --interpolation b, bilinear bicubic",
    "stability --data ., glyphs cifar10 mnist rotmnist ham10000 cub200 modelnet40 tosca",
    "data verify t, tosca",
  })
  void offersWhatCanBeChosen(String line, String expected) throws Exception {
    assertThat(offered(line)).containsExactlyInAnyOrder(expected.split(" ", -1));
  }
}
