package org.orbitmap.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.app.option.Json;
import org.orbitmap.image.Image;
import org.orbitmap.model.ModelInput;
import org.orbitmap.model.Preprocessing;
import org.orbitmap.onnx.graph.OnnxFile;
import org.orbitmap.onnx.run.OnnxModel;

/**
 * The examples of docs/extending.md, compiled outside of the source tree into a jar of their own,
 * work from the command line: found, trained, resumed, evaluated, exported.
 */
class ExtensionTest {
  private static final Path ROOT = Path.of(System.getProperty("orbit.root", ".."));
  private static final Map<String, String> SERVICES =
      Map.of(
          "TinyNet", "org.orbitmap.network.Network",
          "Both", "org.orbitmap.nn.scheme.Scheme",
          "Brightness", "org.orbitmap.model.MappingFamily",
          "Stripes", "org.orbitmap.io.data.DataSource");

  @TempDir static Path shared;
  @TempDir Path folder;

  private static Path jar;

  @BeforeAll
  static void compile() throws IOException {
    Map<String, String> sources = new LinkedHashMap<>();
    Matcher block =
        Pattern.compile("^```java\n(.*?)^```", Pattern.MULTILINE | Pattern.DOTALL)
            .matcher(Files.readString(ROOT.resolve("docs/extending.md")));
    while (block.find()) {
      Matcher name = Pattern.compile("public final class (\\w+)").matcher(block.group(1));
      assertThat(name.find()).isTrue();
      sources.put(name.group(1), block.group(1));
    }
    assertThat(sources.keySet()).isEqualTo(SERVICES.keySet());
    assertThat(sources.get("TinyNet").lines().count()).isLessThanOrEqualTo(30);
    jar = jar("extension.jar", sources, SERVICES);
  }

  private static Path jar(String name, Map<String, String> sources, Map<String, String> services)
      throws IOException {
    Path code = Files.createDirectories(shared.resolve("src-" + name));
    Path classes = Files.createDirectories(shared.resolve("classes-" + name));
    List<Path> files = new ArrayList<>();
    for (Map.Entry<String, String> e : sources.entrySet()) {
      files.add(Files.writeString(code.resolve(e.getKey() + ".java"), e.getValue()));
    }
    if (!sources.isEmpty()) {
      compile(files, classes);
    }
    Path file = shared.resolve(name);
    try (OutputStream out = Files.newOutputStream(file);
        JarOutputStream jar = new JarOutputStream(out);
        Stream<Path> compiledFiles = Files.list(classes)) {
      for (Path c : compiledFiles.toList()) {
        jar.putNextEntry(new JarEntry(c.getFileName().toString()));
        jar.write(Files.readAllBytes(c));
      }
      for (Map.Entry<String, String> e : services.entrySet()) {
        jar.putNextEntry(new JarEntry("META-INF/services/" + e.getValue()));
        jar.write((e.getKey() + "\n").getBytes(StandardCharsets.UTF_8));
      }
    }
    return file;
  }

  private static void compile(List<Path> files, Path classes) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter said = new StringWriter();
    boolean compiled =
        compiler
            .getTask(
                said,
                null,
                null,
                List.of("-classpath", System.getProperty("java.class.path"), "-d", "" + classes),
                null,
                compiler
                    .getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8)
                    .getJavaFileObjects(files.toArray(Path[]::new)))
            .call();
    assertThat(compiled).as(said.toString()).isTrue();
  }

  private static Run orbit(String... args) {
    Run run = Run.orbit(args);
    assertThat(run.code()).as(run.err()).isZero();
    return run;
  }

  private Path config() throws IOException {
    return Files.writeString(
        folder.resolve("mine.yaml"),
        """
        data: stripes
        network: {name: tinynet, width-factor: 0.5}
        mapping: {when: train+test, rule: brightness}
        scheme: both
        augmentation: {crop: 0, flip: false}
        optimiser: {kind: adam, rate: 0.01}
        schedule: {kind: constant}
        epochs: 2
        batch: 16
        validation: 0.2
        keep: last
        threads: 1
        """);
  }

  @Test
  void whatIsTheUsersOwnWorksLikeWhatIsBuiltIn() throws IOException {
    String run = folder.resolve("run").toString();
    String own = jar.toString();
    orbit("train", config().toString(), "--extension", own, "--out", run, "-q");
    // Stopped after an epoch and resumed: the same bits.
    Path stopped = folder.resolve("stopped");
    Files.createDirectories(stopped);
    for (String name : List.of("config.yaml", "provenance.json")) {
      Files.copy(Path.of(run).resolve(name), stopped.resolve(name));
    }
    String first = "checkpoint-000001.safetensors";
    Files.copy(Path.of(run).resolve(first), stopped.resolve(first));
    orbit("train", "--resume", stopped.toString(), "--extension", own, "-q");
    assertThat(stopped.resolve("model.safetensors"))
        .hasSameBinaryContentAs(Path.of(run).resolve("model.safetensors"));

    Run evaluated = orbit("evaluate", run, "--extension", own, "--step", "180", "--json", "-q");
    JsonNode answer = Json.mapper().readTree(evaluated.out());
    assertThat(answer.get("clean").doubleValue()).isGreaterThan(0.9);

    Path file = folder.resolve("mine.onnx");
    orbit("export", run, "--extension", own, "--out", file.toString(), "-q");
    assertThat(orbit("inspect", run, "--extension", own).out()).contains("tinynet", "brightness");
    // The exported model ignores a shift of brightness, and needs no extension.
    float[] row = new float[256];
    for (int p = 0; p < row.length; p++) {
      row[p] = p % 16 % 4 < 2 ? 0.8f : 0.1f;
    }
    Image u = new Image(1, 16, 16, row);
    float[] brighter = row.clone();
    for (int p = 0; p < brighter.length; p++) {
      brighter[p] += 0.15f;
    }
    OnnxFile read = OnnxFile.read(file);
    ModelInput.Images input = (ModelInput.Images) read.input(ModelInput.Hints.NONE);
    try (OnnxModel model = OnnxModel.open(read)) {
      float[][] scores =
          model
              .classifier(input, Preprocessing.NONE, "probabilities")
              .scores(List.of(u, new Image(1, 16, 16, brighter)));
      assertThat(scores[1]).containsExactly(scores[0], offset(1e-5f));
      assertThat(scores[0][0]).isGreaterThan(0.5f);
    }
  }

  @Test
  void withoutTheJarItsNamesAreUnknown() throws IOException {
    Run run =
        Run.orbit("train", config().toString(), "--out", folder.resolve("x").toString(), "-q");
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("expected one of").contains("found");
    assertThat(folder.resolve("x")).doesNotExist();
  }

  @Test
  void aBadJarIsNamed() throws IOException {
    Path none = folder.resolve("none.jar");
    Path text = Files.writeString(folder.resolve("text.jar"), "no archive");
    for (Path bad : List.of(none, text)) {
      Run run = Run.orbit("train", config().toString(), "--extension", bad.toString());
      assertThat(run.code()).isEqualTo(2);
      assertThat(run.err()).contains("--extension: expected a jar file, found " + bad);
    }
    Path broken =
        jar("broken.jar", Map.of(), Map.of("org.example.Gone", "org.orbitmap.network.Network"));
    Run run =
        Run.orbit(
            "train",
            config().toString(),
            "--extension",
            broken.toString(),
            "--out",
            folder.resolve("x").toString());
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("network: expected extensions that can be loaded");
    assertThat(run.err()).contains("org.example.Gone");
  }

  @Test
  void helpNamesTheOption() {
    assertThat(orbit("train", "--help").out()).contains("--extension=JAR");
  }
}
