package org.orbitmap.app.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.orbitmap.app.sample.SampleDrawings;
import org.orbitmap.io.data.CifarFiles;
import org.orbitmap.io.image.ImageFiles;

/**
 * A command that can be killed and called again.
 *
 * @param result which files below its folder are its results
 * @param line its command line for a folder, where it may have been killed before
 */
record KilledJob(String name, Pattern result, Function<Path, List<String>> line) {
  private static final int IMAGES = 150;

  /** Of a data set in the layout of CIFAR-10. */
  private static final int TRAINING = 1000;

  private static final int TEST = 40;
  private static final int RECORD = 1 + 3 * 32 * 32;

  String[] call(Path out) {
    return line.apply(out).toArray(String[]::new);
  }

  /** All of them, on inputs that are made up in a folder, and small: most calls end killed. */
  static List<KilledJob> all(Path folder) throws IOException {
    Path images = Files.createDirectories(folder.resolve("images"));
    for (int i = 0; i < IMAGES; i++) {
      ImageFiles.writePng(
          images.resolve("%03d.png".formatted(i)), SampleDrawings.image(i, 3, 160, 200));
    }
    Path model = folder.resolve("model.onnx");
    Files.write(model, HostileModels.harmless());
    List<KilledJob> all = new ArrayList<>();
    all.add(
        new KilledJob(
            "train",
            Pattern.compile("model\\.safetensors"),
            out ->
                Files.exists(out.resolve("config.yaml"))
                    ? List.of("train", "--resume", out.toString(), "-q")
                    : List.of(
                        "train",
                        "--preset",
                        "glyphs-convnet",
                        "--set",
                        "epochs=3",
                        "--set",
                        "limit=60",
                        "--out",
                        out.toString(),
                        "-q")));
    all.add(
        new KilledJob(
            "map",
            Pattern.compile(".*\\.png"),
            out -> List.of("map", images.toString(), "--out", out.toString(), "-q")));
    all.add(
        new KilledJob(
            "wrap",
            Pattern.compile("wrapped\\.onnx"),
            out ->
                List.of(
                    "wrap",
                    model.toString(),
                    "--out",
                    out.resolve("wrapped.onnx").toString(),
                    "-q")));
    all.add(
        new KilledJob(
            "fit",
            Pattern.compile("upright\\.safetensors"),
            out ->
                List.of(
                    "fit",
                    "--data",
                    images.toString(),
                    "--limit",
                    "22", // a tenth is kept for validation
                    "--size",
                    "8",
                    "--out",
                    out.resolve("upright.safetensors").toString(),
                    "-q")));
    Path data = Files.createDirectories(folder.resolve("data/cifar10"));
    Files.write(data.resolve("data_batch_1.bin"), records(TRAINING, 1));
    Files.write(data.resolve("test_batch.bin"), records(TEST, 2));
    all.add(
        new KilledJob(
            "reproduce",
            Pattern.compile("cells.*\\.json|runs/.*/model\\.safetensors"),
            out ->
                List.of(
                    "reproduce",
                    "cifar10-networks",
                    "--rows",
                    "linear-std-none",
                    "--limit",
                    "20",
                    "--data",
                    data.getParent().toString(),
                    "--out",
                    out.toString(),
                    "-q")));
    return all;
  }

  /** Noise with labels, as records of CIFAR-10. */
  private static byte[] records(int count, long seed) {
    byte[] records = new byte[count * RECORD];
    new Random(seed).nextBytes(records);
    for (int i = 0; i < count; i++) {
      records[i * RECORD] = (byte) (i % CifarFiles.CIFAR10.size());
    }
    return records;
  }
}
