package org.orbitmap.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.orbitmap.io.CifarFiles;
import org.orbitmap.io.FormatException;
import org.orbitmap.io.ImageSet;

/** Finds out what labelled data is in a folder. */
final class AuditData {
  private AuditData() {}

  static ImageSet read(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      throw new FormatException(folder, "a folder of labelled pictures", "none");
    }
    List<Path> files;
    try (Stream<Path> all = Files.list(folder)) {
      files = all.sorted().filter(f -> f.getFileName().toString().matches("test_batch.*")).toList();
    }
    return CifarFiles.read("cifar10", CifarFiles.CIFAR10, files);
  }
}
