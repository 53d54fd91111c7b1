package org.orbitmap.onnx.wrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.orbitmap.image.Fill;
import org.orbitmap.image.Image;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.mapping.RotationMapping;
import org.orbitmap.model.ModelInput;
import org.orbitmap.onnx.graph.OnnxFile;
import org.orbitmap.onnx.graph.OnnxFileTest;
import org.orbitmap.onnx.run.OnnxModel;

/**
 * Wrapped files run in a second runtime, ONNX Runtime's WebAssembly build under Node, with nothing
 * of ours installed, and give the same results. Needs node and npm; skipped, loudly, without them.
 */
class SecondRuntimeTest {
  private static final Path FOLDER = Path.of("target", "second-runtime").toAbsolutePath();

  @BeforeAll
  static void install() throws Exception {
    Files.createDirectories(FOLDER);
    for (String file : List.of("package.json", "run.mjs")) {
      try (InputStream in = SecondRuntimeTest.class.getResourceAsStream("second-runtime/" + file)) {
        Files.write(FOLDER.resolve(file), in.readAllBytes());
      }
    }
    boolean ready =
        // npm writes this file last
        Files.exists(FOLDER.resolve("node_modules/.package-lock.json"))
            || run(240, "npm", "install", "--no-audit", "--no-fund", "--ignore-scripts") == 0;
    if (!ready) {
      System.err.println(
          "SKIPPED: wrapped models in a second runtime; npm is missing or cannot reach its registry");
    }
    assumeTrue(ready, "no npm, or offline");
  }

  private static int run(int seconds, String... command) throws Exception {
    Process process;
    try {
      process =
          new ProcessBuilder(command)
              .directory(FOLDER.toFile())
              .redirectErrorStream(true)
              .redirectOutput(FOLDER.resolve(command[0] + ".log").toFile())
              .start();
    } catch (IOException e) {
      return -1; // not installed
    }
    if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      return -2;
    }
    return process.exitValue();
  }

  /** One model to run on some inputs, one at a time. */
  private record Job(
      String name, OnnxFile file, String input, String output, long[] shape, float[] data) {
    String json() {
      String shapeText =
          java.util.Arrays.stream(shape).mapToObj(Long::toString).collect(Collectors.joining(","));
      return "{\"model\":\"%s.onnx\",\"input\":\"%s\",\"output\":\"%s\",\"shape\":[%s],\"data\":\"%s.in\",\"result\":\"%s.out\"}"
          .formatted(name, input, output, shapeText, name, name);
    }
  }

  @Test
  void theSameResults() throws Exception {
    List<Job> jobs = new ArrayList<>();
    for (Zoo zoo : Zoo.values()) {
      jobs.add(job(zoo, 1, Resampling.BILINEAR, 20));
      jobs.add(job(zoo, 6, Resampling.BILINEAR.with(Fill.REFLECT), 5));
      jobs.add(job(zoo, 1, Resampling.of(Interpolation.BICUBIC).with(Fill.EDGE), 5));
    }
    for (int opset : new int[] {7, 11, 16, 20}) {
      jobs.add(clouds(opset));
      jobs.add(images(opset));
    }
    for (Job job : jobs) {
      job.file().write(FOLDER.resolve(job.name() + ".onnx"));
      ByteBuffer b = ByteBuffer.allocate(4 * job.data().length).order(ByteOrder.LITTLE_ENDIAN);
      b.asFloatBuffer().put(job.data());
      Files.write(FOLDER.resolve(job.name() + ".in"), b.array());
    }
    Files.writeString(
        FOLDER.resolve("jobs.json"),
        jobs.stream().map(Job::json).collect(Collectors.joining(",", "[", "]")));
    int code = run(900, "node", "run.mjs", "jobs.json");
    assertThat(code).as(() -> log()).isZero();
    for (Job job : jobs) {
      float[] found = floats(Files.readAllBytes(FOLDER.resolve(job.name() + ".out")));
      float[] expected = here(job);
      assertThat(WrapTest.distance(new float[][] {expected}, new float[][] {found}))
          .as(job.name())
          .isLessThan(1e-4);
    }
  }

  private static String log() {
    try {
      return Files.readString(FOLDER.resolve("node.log"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static float[] floats(byte[] bytes) {
    float[] f = new float[bytes.length / 4];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(f);
    return f;
  }

  /** The answers of the runtime that the rest of the tests use. */
  private static float[] here(Job job) throws IOException {
    int per = (int) java.util.Arrays.stream(job.shape()).reduce(1, (a, b) -> a * b);
    List<float[]> rows = new ArrayList<>();
    try (OnnxModel model = OnnxModel.open(job.file())) {
      for (int at = 0; at < job.data().length; at += per) {
        float[] one = java.util.Arrays.copyOfRange(job.data(), at, at + per);
        rows.add(
            model
                .run(java.util.Map.of(job.input(), new OnnxModel.Feed(job.shape(), one)))
                .get(job.output())
                .data());
      }
    }
    float[] all = new float[rows.size() * rows.get(0).length];
    for (int i = 0; i < rows.size(); i++) {
      System.arraycopy(rows.get(i), 0, all, i * rows.get(0).length, rows.get(0).length);
    }
    return all;
  }

  private static Job job(Zoo zoo, int frames, Resampling how, int n) throws IOException {
    OnnxFile file = zoo.read();
    OnnxFile wrapped =
        Wrap.of(file)
            .mapping(RotationMapping.disc().with(how))
            .frames(frames)
            .preprocessing(zoo.preprocessing())
            .build();
    ModelInput.Images input = (ModelInput.Images) file.input(ModelInput.Hints.NONE);
    List<Image> images = zoo.images(n);
    int size = images.get(0).data().length;
    float[] data = new float[n * size];
    for (int i = 0; i < n; i++) {
      input.put(input.fit(zoo.preprocessing()), images.get(i), data, i * size);
    }
    return new Job(
        "%s-%d-%s".formatted(zoo, frames, how.interpolation()),
        wrapped,
        input.spec().name(),
        file.outputs().get(0).name(),
        input.shape(1, size),
        data);
  }

  private static Job clouds(int opset) throws IOException {
    Random random = new Random(1);
    float[] data = new float[4 * 3 * 50];
    for (int i = 0; i < data.length; i++) {
      data[i] = (float) Math.pow(random.nextFloat(), 1 + i % 3) * (3 - i % 3);
    }
    return new Job(
        "cloud-" + opset,
        Wrap.of(CloudWrapTest.model(opset, true, "N", "P")).frames(1).build(),
        "x",
        "cloud",
        new long[] {1, 50, 3},
        data);
  }

  private static Job images(int opset) throws IOException {
    Random random = new Random(1);
    float[] data = new float[3 * 3 * 16 * 16];
    for (int i = 0; i < data.length; i++) {
      data[i] = random.nextFloat();
    }
    OnnxFile file =
        OnnxFile.of("p", OnnxFileTest.adding(opset, OnnxFileTest.number(0), "N", 3, 16, 16));
    return new Job(
        "image-" + opset, Wrap.of(file).build(), "x", "y", new long[] {1, 3, 16, 16}, data);
  }
}
