package org.orbitmap.app.option;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.orbitmap.io.data.DataSets;
import org.orbitmap.io.data.ImageSet;
import picocli.CommandLine.Option;

/** Where the data is: a folder of data sets, one data set, or the name of one. */
public final class DataOptions {
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
  public Path root() {
    return value != null && !DataSets.isName(value) ? Path.of(value) : defaultRoot();
  }

  public static Path defaultRoot() {
    String root = System.getProperty("orbit.data", "");
    if (!root.isEmpty()) {
      return Path.of(root);
    }
    Path home = home();
    return Files.isDirectory(home) ? home : null;
  }

  /** What is there, or else what is there beside the named data sets. */
  public static Path resolve(Path given) {
    Path root = defaultRoot();
    if (Files.exists(given) || root == null) {
      return given;
    }
    Path named = root.resolve(given);
    return Files.exists(named) ? named : given;
  }

  /** Where downloads go. */
  public static Path home() {
    return Path.of(System.getProperty("user.home"), ".orbit", "data");
  }

  /**
   * The data that is meant: what was given, or else what a configuration names. A folder is an
   * absolute path, so that it is found from anywhere.
   */
  public String choose(String configured) throws IOException {
    String data = value == null || isRootFor(configured) ? configured : value;
    return DataSets.isName(data) ? data : Path.of(data).toAbsolutePath().normalize().toString();
  }

  /** Whether what was given is only where the configured set is to be found. */
  private boolean isRootFor(String configured) throws IOException {
    if (DataSets.isName(value) || !DataSets.isName(configured)) {
      return false;
    }
    Path given = Path.of(value);
    List<Path> sets = DataSets.sets(given);
    if (sets.contains(given)) {
      return configured.equalsIgnoreCase("rotmnist") && DataSets.kind(given) == DataSets.Kind.MNIST;
    }
    // Glyphs are in no folder: it must at least be one of data sets.
    return !configured.equalsIgnoreCase("glyphs") || !sets.isEmpty();
  }

  /**
   * Loads the data that is meant.
   *
   * @param limit how many images at most, see {@link DataSets#load}; 0 for all
   */
  public ImageSet load(String configured, DataSets.Split split, int size, int limit)
      throws IOException {
    return DataSets.load(
        choose(configured), root(), split, size, limit > 0 ? limit : Integer.MAX_VALUE);
  }
}
