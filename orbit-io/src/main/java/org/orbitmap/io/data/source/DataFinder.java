package org.orbitmap.io.data.source;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.orbitmap.io.data.Choice;
import org.orbitmap.io.data.DataNotFound;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.io.data.DataSource;
import org.orbitmap.io.data.LabelledFiles;
import org.orbitmap.io.data.Split;

/**
 * Finds data sets: the one place that knows where they are looked for.
 *
 * <p>A name, such as {@code cifar10}, is looked for in the working folder, then in the root. A path
 * is what it says or, if nothing is there, what it says from the root on.
 *
 * @param root the folder with the folders of named data sets; null if there is no such place
 */
public record DataFinder(Path root) {
  private static final String ANY =
      "a data set, or a folder with one sub-folder of images for each class, or one of clouds";

  /**
   * A data set in its place.
   *
   * @param source what reads it
   * @param folder where it is, or null if it is generated
   * @param reference what finds it again: its name, or an absolute path
   */
  public record Found(DataSource source, Path folder, String reference) {
    /** Reads one part. */
    public DataSet<?> load(Split split, Choice choice) throws IOException {
      return source.read(folder, split, choice).first(choice.most());
    }

    /** What a model that was trained elsewhere is measured on. */
    public Split auditSplit() throws IOException {
      return source.auditSplit(folder);
    }
  }

  /**
   * The data set that a name or a path means.
   *
   * @throws DataNotFound if there is none
   */
  public Found find(String data) throws IOException {
    Optional<DataSource> named = DataSets.named(data);
    if (named.isPresent()) {
      Path here = Path.of(named.get().name());
      return !named.get().isGenerated() && Files.isDirectory(here) && named.get().holds(here)
          ? new Found(named.get(), here, named.get().name())
          : inRoot(named.get());
    }
    Path place = place(data);
    Optional<DataSource> source = DataSets.at(place);
    if (source.isEmpty()) {
      throw new DataNotFound(null, place.toString(), ANY, found(place), names());
    }
    return new Found(source.get(), place, place.toAbsolutePath().normalize().toString());
  }

  /**
   * The data set that is meant by what a user gave and what a configuration names. What was given
   * comes first, unless it is only the place of what is configured: a folder of data sets, or the
   * folder of the data set that the configured one is made from.
   *
   * @param given a name, a data set, a folder of data sets, or null
   * @param configured a name or a path; null if there is no configuration
   * @throws DataNotFound if there is none
   */
  public Found find(String given, String configured) throws IOException {
    if (given == null && configured == null) {
      throw new DataNotFound(
          null, "data", "the name or the folder of a data set", "neither", names());
    }
    if (given == null) {
      return find(configured);
    }
    Optional<DataSource> wanted =
        configured == null || DataSets.named(given).isPresent()
            ? Optional.empty()
            : DataSets.named(configured);
    Path folder = place(given);
    if (wanted.isPresent() && Files.isDirectory(folder)) {
      DataSource source = wanted.get();
      List<Path> sets = DataSets.in(folder);
      if (!sets.contains(folder)) {
        // What is generated is in no folder: it must at least be one of data sets. A folder with
        // others, such as a single class, was not meant as one.
        boolean meant = !source.isGenerated() && LabelledFiles.folders(folder).isEmpty();
        if (meant || !sets.isEmpty() || holdsHome(folder, source)) {
          return new DataFinder(folder).inRoot(source);
        }
      } else if (source.holds(folder)
          && !DataSets.at(folder).orElseThrow().name().equals(source.name())) {
        return new Found(source, folder, source.name());
      }
    }
    return find(given);
  }

  private static boolean holdsHome(Path folder, DataSource source) {
    return !source.isGenerated() && Files.exists(folder.resolve(source.home()));
  }

  private Found inRoot(DataSource source) throws IOException {
    if (source.isGenerated()) {
      return new Found(source, null, source.name());
    }
    if (root == null) {
      throw new DataNotFound(
          source.name(), source.name(), "a folder of data sets", "none", source.howToGet());
    }
    Path home = root.resolve(source.home());
    // The folder of the data set itself may have been given instead of the one above it.
    for (Path place : List.of(home, root)) {
      if (Files.isDirectory(place) && source.holds(place)) {
        return new Found(source, place, source.name());
      }
    }
    throw new DataNotFound(
        source.name(), home.toString(), "a data set", found(home), source.howToGet());
  }

  /** The file or folder that a path means, whatever it holds; it need not exist. */
  public Path place(String data) {
    Path place = Path.of(data);
    if (root == null || Files.exists(place)) {
      return place;
    }
    Path below = root.resolve(place);
    return Files.exists(below) ? below : place;
  }

  private static String found(Path place) throws IOException {
    if (!Files.isDirectory(place)) {
      return Files.exists(place) ? "another file" : "nothing there";
    }
    int folders = LabelledFiles.folders(place).size();
    return "none: %s".formatted(folders == 1 ? "1 sub-folder" : folders + " sub-folders");
  }

  private static String names() {
    return "Named data sets: " + String.join(", ", DataSets.names());
  }
}
