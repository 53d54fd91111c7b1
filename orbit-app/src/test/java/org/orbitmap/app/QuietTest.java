package org.orbitmap.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.orbitmap.app.sample.Samples;
import org.orbitmap.io.image.ImageFiles;

/** With {@code -q} every command says its result and nothing on standard error. */
class QuietTest {
  @TempDir static Path folder;

  /** Commands that are not run here: they need the network, do not end, or take a minute. */
  private static final List<String> LEFT_OUT =
      List.of("data get", "serve", "demo", "soak", "match");

  private static final String TINY = "limit=320,epochs=1,network.width-factor=0.125,threads=1";

  @BeforeAll
  static void prepare() throws IOException {
    Files.createDirectories(folder.resolve("images/below"));
    ImageFiles.writePng(folder.resolve("images/a.png"), Samples.boat(40));
    ImageFiles.writePng(folder.resolve("images/below/b.png"), Samples.boat(24));
    Files.writeString(folder.resolve("images/notes.txt"), "no image");
    try (InputStream in = QuietTest.class.getResourceAsStream("/foreign/resnet18-imagenet.pth")) {
      Files.copy(in, folder.resolve("weights.pth"));
    }
    Run run = Run.orbit(words(train("run")));
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(Run.orbit(words("export run --out model.onnx -q")).code()).isZero();
  }

  private static String train(String out) {
    return "train --preset glyphs-convnet -q --out %s --set %s"
        .formatted(out, TINY.replace(",", " --set "));
  }

  /** A word that names something in the folder becomes its path. */
  private static String[] words(String line) {
    List<String> own =
        List.of(
            "run",
            "run2",
            "images",
            "model.onnx",
            "wrapped.onnx",
            "again.onnx",
            "weights.pth",
            "imported.safetensors",
            "upright",
            "out");
    return Stream.of(line.split(" ", -1))
        .map(w -> own.contains(w) ? folder.resolve(w).toString() : w)
        .toArray(String[]::new);
  }

  static List<String> lines() {
    return List.of(
        "map -q images --out out",
        "verify -q --trials 50",
        "stability -q --data images --noise 0 --step 45 --size 16",
        "bench -q --only image-32-bilinear --seconds 0.05",
        "audit -q model.onnx --data glyphs --step 90 --limit 16 --labels none",
        "wrap -q model.onnx --out wrapped.onnx",
        "inspect -q model.onnx",
        "inspect -q run",
        "export -q run --out again.onnx",
        "import -q weights.pth --network resnet18-imagenet --width-factor 0.0625 --size 32"
            + " --out imported.safetensors",
        train("run2"),
        "fit -q --data glyphs --limit 24 --size 16 --minutes 0.05 --out upright",
        "train -q --preset list",
        "train -q --resume run",
        "evaluate -q run --step 90 --limit 16",
        "predict -q model.onnx images",
        "reproduce -q cifar10-networks --rows list",
        "data verify -q glyphs");
  }

  @ParameterizedTest
  @MethodSource("lines")
  void saysNothingButTheResult(String line) {
    Run run = Run.orbit(words(line));
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).isNotBlank();
  }

  @Test
  void everyCommandIsAmongThem() {
    TreeSet<String> missing = new TreeSet<>();
    PrintWriter nowhere = new PrintWriter(new StringWriter());
    Main.commandLine(nowhere, nowhere)
        .getSubcommands()
        .forEach(
            (name, command) -> {
              if (command.getCommandSpec().usageMessage().hidden()) {
                return;
              }
              if (command.getSubcommands().isEmpty()) {
                missing.add(name);
              }
              command.getSubcommands().keySet().forEach(below -> missing.add(name + " " + below));
            });
    assertThat(missing).isNotEmpty();
    missing.removeIf(c -> LEFT_OUT.contains(c) || lines().stream().anyMatch(l -> l.startsWith(c)));
    assertThat(missing).isEmpty();
  }
}
