package org.orbitmap.onnx.wrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.image.Image;
import org.orbitmap.io.image.ImageFiles;

/** The example in docs/onnx.md compiles, runs, and says what the model says. */
class DocumentationTest {
  @TempDir Path folder;

  @Test
  void theExampleRuns() throws Exception {
    Image image = Zoo.SQUEEZENET.images(1).get(0);
    ImageFiles.writePng(folder.resolve("image.png"), image);
    Zoo.SQUEEZENET.read().write(folder.resolve("model.onnx"));
    Path document = Path.of(System.getProperty("orbit.root", "..")).resolve("docs/onnx.md");
    Matcher block =
        Pattern.compile("^```java\n(.*?)^```", Pattern.MULTILINE | Pattern.DOTALL)
            .matcher(Files.readString(document));
    assertThat(block.find()).isTrue();
    String code = block.group(1).replaceAll("\"(model.onnx|image.png)\"", "folder + \"/$1\"");
    String imports =
        code.lines().filter(l -> l.startsWith("import ")).collect(Collectors.joining("\n"));
    String body =
        code.lines().filter(l -> !l.startsWith("import ")).collect(Collectors.joining("\n"));
    assertThat(body.lines().filter(l -> !l.isBlank()).count()).isLessThanOrEqualTo(5);
    Path source =
        Files.writeString(
            folder.resolve("Example.java"),
            imports
                + "\npublic class Example { public static void run(String folder) throws Exception {\n"
                + body
                + "\n}}\n");
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    int code0 =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                errors,
                "-cp",
                System.getProperty("java.class.path"),
                "-d",
                folder.toString(),
                source.toString());
    assertThat(code0).as(errors.toString(StandardCharsets.UTF_8)).isZero();
    PrintStream usual = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    try (URLClassLoader loader =
        new URLClassLoader(new URL[] {folder.toUri().toURL()}, getClass().getClassLoader())) {
      System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
      loader.loadClass("Example").getMethod("run", String.class).invoke(null, folder.toString());
    } finally {
      System.setOut(usual);
    }
    try (Predictor predictor = Wrap.of(Zoo.SQUEEZENET.read()).open()) {
      assertThat(printed.toString(StandardCharsets.UTF_8).strip())
          .isEqualTo("class " + predictor.predict(image).label());
    }
  }

  @Test
  void aModelServesSeveralThreadsAndKnowsWhenItIsClosed() throws Exception {
    Image image = Zoo.SQUEEZENET.images(1).get(0);
    Predictor predictor = Wrap.of(Zoo.SQUEEZENET.read()).frames(4).open();
    float[] once = predictor.predict(image).scores();
    java.util.stream.IntStream.range(0, 200)
        .parallel()
        .forEach(i -> assertThat(predictor.predict(image).scores()).isEqualTo(once));
    predictor.close();
    predictor.close();
    org.assertj.core.api.Assertions.assertThatThrownBy(() -> predictor.predict(image))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
  }
}
