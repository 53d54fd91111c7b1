package org.orbitmap.io.data.source;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.orbitmap.io.FormatException;
import org.orbitmap.io.Gunzip;
import org.orbitmap.io.data.Choice;
import org.orbitmap.io.data.CifarFiles;
import org.orbitmap.io.data.DataSource;
import org.orbitmap.io.data.Download;
import org.orbitmap.io.data.ImageSet;
import org.orbitmap.io.data.Split;

/**
 * CIFAR-10 in its binary version: {@code data_batch_1.bin} to {@code data_batch_5.bin}, of which at
 * least one must be there, and {@code test_batch.bin}, plain or gzipped. A file of such records
 * alone is a part by itself, whichever is asked for.
 */
public final class Cifar10 implements DataSource {
  @Override
  public String name() {
    return "cifar10";
  }

  @Override
  public boolean holds(Path folder) {
    return Files.isDirectory(folder)
        ? !training(folder).isEmpty() || Files.exists(test(folder))
        : folder.getFileName().toString().matches(".*\\.bin(\\.gz)?");
  }

  @Override
  public ImageSet read(Path folder, Split split, Choice choice) throws IOException {
    return CifarFiles.read(name(), CifarFiles.CIFAR10, files(folder, split));
  }

  @Override
  public Split auditSplit(Path folder) {
    return Files.exists(test(folder)) ? Split.TEST : Split.ALL;
  }

  private static List<Path> files(Path folder, Split split) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of(folder);
    }
    List<Path> files = new ArrayList<>();
    if (split != Split.TEST) {
      files.addAll(training(folder));
    }
    if (split == Split.TEST || (split == Split.ALL && Files.exists(test(folder)))) {
      files.add(test(folder));
    }
    if (files.isEmpty()) {
      throw new FormatException(folder, "data_batch_1.bin to data_batch_5.bin", "none of them");
    }
    return files;
  }

  private static List<Path> training(Path folder) {
    return IntStream.rangeClosed(1, 5)
        .mapToObj(i -> Gunzip.plainOrZipped(folder.resolve("data_batch_" + i + ".bin")))
        .filter(Files::exists)
        .toList();
  }

  private static Path test(Path folder) {
    return Gunzip.plainOrZipped(folder.resolve("test_batch.bin"));
  }

  @Override
  public List<Download> downloads() {
    return List.of(
        new Download(
            "https://www.cs.toronto.edu/~kriz/cifar-10-binary.tar.gz",
            "c32a1d4ab5d03f1284b67883e8d87530",
            170_052_171));
  }
}
