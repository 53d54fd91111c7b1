package org.orbitmap.app.option;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.orbitmap.io.UserError;
import org.orbitmap.io.data.Choice;
import org.orbitmap.io.data.DataNotFound;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.io.data.ImageSet;
import org.orbitmap.io.data.Split;
import org.orbitmap.io.data.source.DataFinder;
import org.orbitmap.io.data.source.DataSets;
import org.orbitmap.io.data.source.Downloads;
import picocli.CommandLine.Option;

/** Where the data is: a folder of data sets, one data set, or the name of one. */
public final class DataOptions {
  @Option(
      names = "--data",
      paramLabel = "DATA",
      description = {
        "A data set (glyphs, cifar10, mnist, rotmnist, ham10000, cub200, modelnet40,"
            + " tosca), its folder, or"
            + " a folder with such folders.",
        "What is not there is looked for in $ORBIT_DATA, then in ~/.orbit/data, where `orbit data"
            + " get` puts data sets."
      })
  private String value;

  /** What was given, or null. */
  public String value() {
    return value;
  }

  /** The folder with the folders of named data sets, or null. */
  public Path root() {
    return value != null && DataSets.named(value).isEmpty()
        ? new DataFinder(defaultRoot()).place(value)
        : defaultRoot();
  }

  /** $ORBIT_DATA, or else where downloads go if that exists, or else null. */
  public static Path defaultRoot() {
    String root = System.getProperty("orbit.data", "");
    if (!root.isEmpty()) {
      return Path.of(root);
    }
    Path home = home();
    return Files.isDirectory(home) ? home : null;
  }

  /** Where downloads go. */
  public static Path home() {
    return Path.of(System.getProperty("user.home"), ".orbit", "data");
  }

  /**
   * The data that is meant: what was given, or else what a configuration names.
   *
   * @param configured null if there is no configuration
   */
  public DataFinder.Found find(String configured) throws IOException {
    return find(value, configured);
  }

  /** The data that a name or a path means. */
  public static DataFinder.Found find(String given, String configured) throws IOException {
    try {
      return new DataFinder(defaultRoot()).find(given, configured);
    } catch (DataNotFound e) {
      throw new UserError(e.getMessage() + hint(given, e), e);
    }
  }

  /** What to type next. */
  private static String hint(String given, DataNotFound e) {
    Optional<String> fetchable = e.dataSet().filter(Downloads.fetchable()::contains);
    if (fetchable.isPresent()) {
      return ". Run: orbit data get " + fetchable.get();
    }
    return given == null ? ". Give it with --data" : "";
  }

  /**
   * Loads the data that is meant.
   *
   * @param side of images, see {@link Choice}
   * @param limit how many inputs at most; 0 for all
   */
  public DataSet<?> load(String configured, Split split, int side, int limit) throws IOException {
    return find(configured).load(split, Choice.ALL.withSide(side).withLimit(limit));
  }

  /** Loads the images that are meant. */
  public ImageSet images(String configured, Split split, int side, int limit) throws IOException {
    return ImageSet.of(load(configured, split, side, limit));
  }
}
