package org.orbitmap.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.orbitmap.io.DataSets;
import org.orbitmap.io.ImageSet;
import picocli.CommandLine.Option;

/** Where the data is: a folder of data sets, one data set, or the name of one. */
final class DataOptions {
  @Option(
      names = "--data",
      paramLabel = "DATA",
      description = {
        "A data set (glyphs, cifar10, mnist, rotmnist, ham10000, cub200), its folder, or a folder "
            + "with such folders.",
        "Named sets are looked for in $ORBIT_DATA, then in ~/.orbit/data, where `orbit data get`"
            + " puts them."
      })
  private String value;

  /** The folder with the folders of named data sets, or null. */
  Path root() {
    if (value != null && !DataSets.NAMES.contains(value)) {
      return Path.of(value);
    }
    return defaultRoot();
  }

  static Path defaultRoot() {
    String root = System.getProperty("orbit.data", "");
    if (!root.isEmpty()) {
      return Path.of(root);
    }
    Path home = home();
    return Files.isDirectory(home) ? home : null;
  }

  /** What is there, or else what is there beside the named data sets. */
  static Path resolve(Path given) {
    Path root = defaultRoot();
    if (Files.exists(given) || root == null) {
      return given;
    }
    Path named = root.resolve(given);
    return Files.exists(named) ? named : given;
  }

  /** Where downloads go. */
  static Path home() {
    return Path.of(System.getProperty("user.home"), ".orbit", "data");
  }

  /** Loads what a configuration names, or what was given. */
  ImageSet load(String configured, DataSets.Split split, int size) throws IOException {
    if (value != null && DataSets.NAMES.contains(value)) {
      return DataSets.load(value, defaultRoot(), split, size);
    }
    if (value != null && !DataSets.NAMES.contains(configured)) {
      return DataSets.load(value, null, split, size);
    }
    return DataSets.load(configured, root(), split, size);
  }
}
