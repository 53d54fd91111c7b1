package org.orbitmap.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.mreutegg.laszip4j.lastools.Laszip;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.orbitmap.app.soak.HostileModels;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.image.Image;
import org.orbitmap.io.cloud.CloudFiles;
import org.orbitmap.io.image.ImageFiles;

/** Output that cannot be written is an error: a full disk, a pipe that nobody reads. */
class OutputFailureTest {
  @TempDir Path folder;

  private record Ended(int code, String out, String err) {}

  /** Runs the command in a process of its own, its arguments appended to a line of the shell. */
  private Ended shell(String line, String... args) throws Exception {
    List<String> all = new ArrayList<>(List.of("/bin/bash", "-c", line, "orbit"));
    all.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    all.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Djava.awt.headless=true",
            "-cp",
            System.getProperty("java.class.path"),
            "org.orbitmap.app.Main"));
    all.addAll(List.of(args));
    Path err = folder.resolve("err.txt");
    Process process =
        new ProcessBuilder(all).directory(folder.toFile()).redirectError(err.toFile()).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int code = process.waitFor();
    return new Ended(code, out, Files.readString(err, StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(strings = {"--help", "--version", "generate-completion", "bench --help"})
  void aFullDiskIsAnError(String args) throws Exception {
    assumeTrue(Files.exists(Path.of("/dev/full")));
    Ended ended = shell("exec \"$@\" >/dev/full", args.split(" ", -1));
    assertThat(ended.code).as(ended.err).isEqualTo(2);
    assertThat(ended.err.lines())
        .containsExactly(
            "orbit: expected to write the answer to standard output, found: No space left on"
                + " device. Part of it is lost");
  }

  @Test
  void aClosedPipeIsAnError() throws Exception {
    assumeTrue(Files.exists(Path.of("/bin/bash")));
    Ended ended = shell("{ sleep 0; \"$@\"; echo \"code $?\" >&2; } | true", "--help");
    assertThat(ended.err).contains("found: Broken pipe").contains("code 2");
  }

  @Test
  void aFileThatCannotBeWrittenWholeIsNamedAndLeavesNothing() throws Exception {
    Image noise = Image.black(3, 120, 120);
    for (int i = 0; i < noise.data().length; i++) {
      noise.data()[i] = (float) Math.abs(Math.sin(i * i));
    }
    Path image = folder.resolve("noise.png");
    ImageFiles.writePng(image, noise);
    Ended ended = shell("ulimit -f 8; exec \"$@\"", "map", image.toString(), "--out", "out");
    assertThat(ended.code).as(ended.err).isEqualTo(2);
    assertThat(ended.out).contains("noise.png: expected to write it, found: File too large");
    assertThat(files(folder.resolve("out"))).isEmpty();
  }

  /** Libraries write to standard error what they dislike; users read what we say about it. */
  @Test
  void librariesKeepSilent() throws Exception {
    PointCloud cloud = new PointCloud(3, new float[] {0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3});
    CloudFiles.write(folder.resolve("cloud.h5"), cloud);
    CloudFiles.write(folder.resolve("one.las"), new PointCloud(3, new float[] {1, 2, 3}));
    String packed = folder.resolve("one.laz").toString();
    Laszip.run(new String[] {"-i", folder.resolve("one.las").toString(), "-o", packed});
    byte[] damaged = Files.readAllBytes(Path.of(packed));
    damaged[227 + 54 + 34 + 4] = 9; // the version of a part: laszip4j tells whom to ask about it
    Files.write(Path.of(packed), damaged);
    Ended ended = shell("exec \"$@\"", "map", "cloud.h5", "one.laz", "--out", "out");
    assertThat(ended.code).as(ended.out).isEqualTo(2);
    assertThat(ended.out).contains("cloud.h5 -> ").contains("one.laz: expected a whole LAZ file");
    assertThat(ended.err.lines())
        .containsExactly("warning: 1 of 2 files could not be mapped; the others are in out");
  }

  @Test
  void aMissingNativeLibraryIsAnErrorInside() throws Exception {
    Files.write(folder.resolve("model.onnx"), HostileModels.harmless());
    Ended ended =
        shell(
            "java=$1; shift; exec \"$java\" -Donnxruntime.native.path=/nowhere \"$@\"",
            "audit",
            "model.onnx",
            "--data",
            "glyphs");
    assertThat(ended.code).as(ended.out).isEqualTo(70);
    assertThat(ended.err.lines())
        .singleElement(InstanceOfAssertFactories.STRING)
        .startsWith("orbit: an error inside orbit: ")
        .doesNotContain("ExceptionInInitializerError")
        .contains("onnx-runtime");
  }

  private static List<Path> files(Path below) throws IOException {
    if (!Files.exists(below)) {
      return List.of();
    }
    try (Stream<Path> all = Files.walk(below)) {
      return all.filter(Files::isRegularFile).toList();
    }
  }
}
