package org.orbitmap.io.data.source;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.orbitmap.extension.Registry;
import org.orbitmap.io.data.Choice;
import org.orbitmap.io.data.CloudSet;
import org.orbitmap.io.data.DataNotFound;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.io.data.DataSource;
import org.orbitmap.io.data.ImageSet;
import org.orbitmap.io.data.LabelledFiles;
import org.orbitmap.io.data.Split;
import org.orbitmap.io.photo.ImageIndex;

/** All data sets that can be read, those of users among them. */
public final class DataSets {
  private static final Registry<DataSource> SOURCES =
      Registry.of(
          DataSource.class,
          "data set",
          List.of(
              new Glyphs(),
              new Cifar10(),
              new Mnist(),
              new RotatedMnist(),
              new Ham10000(),
              new Cub200(),
              new ModelNet40(),
              new Tosca(),
              new IdxClouds(),
              new ImageFolders(),
              new ImageIndex(),
              new CloudFolders()));

  private DataSets() {}

  /** All sources, the built-in ones first. */
  public static List<DataSource> all() {
    return SOURCES.all();
  }

  /** The names of the data sets that are found by name. */
  public static List<String> names() {
    return all().stream().filter(s -> !s.isLayout()).map(DataSource::name).toList();
  }

  /** The data set of this name, in any case, if there is one. */
  public static Optional<DataSource> named(String name) {
    return all().stream()
        .filter(s -> !s.isLayout() && s.name().equalsIgnoreCase(name.trim()))
        .findFirst();
  }

  /**
   * What a folder (or a file) holds, by the names of the files in it. A folder with a data set in a
   * sub-folder is no data set itself, even if it looks like a folder of classes.
   */
  public static Optional<DataSource> at(Path folder) {
    List<DataSource> all = all();
    Optional<DataSource> set =
        all.stream().filter(s -> !s.isLayout() && holds(s, folder)).findFirst();
    if (set.isPresent() || hasSets(folder)) {
      return set;
    }
    return all.stream().filter(s -> s.isLayout() && holds(s, folder)).findFirst();
  }

  /** The data sets in a folder: itself if it is one, or else those of its sub-folders that are. */
  public static List<Path> in(Path folder) throws IOException {
    if (at(folder).isPresent()) {
      return List.of(folder);
    }
    return Files.isDirectory(folder)
        ? LabelledFiles.folders(folder).stream().filter(f -> at(f).isPresent()).toList()
        : List.of();
  }

  private static boolean hasSets(Path folder) {
    List<DataSource> named = all().stream().filter(s -> !s.isLayout()).toList();
    try {
      return Files.isDirectory(folder)
          && LabelledFiles.folders(folder).stream()
              .anyMatch(f -> named.stream().anyMatch(s -> holds(s, f)));
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean holds(DataSource source, Path folder) {
    try {
      return Files.exists(folder) && source.holds(folder);
    } catch (IOException e) {
      return false; // what cannot be listed holds nothing
    }
  }

  /**
   * Loads one part of a data set.
   *
   * @param data a name from {@link #names} or a folder
   * @param root where the folders of named data sets are; null if there is no such place
   * @throws DataNotFound if there is none
   */
  public static DataSet<?> load(String data, Path root, Split split, Choice choice)
      throws IOException {
    return new DataFinder(root).find(data).load(split, choice);
  }

  /**
   * Loads one part of a data set of images.
   *
   * @throws IllegalArgumentException if it is one of another kind
   */
  public static ImageSet images(String data, Path root, Split split, Choice choice)
      throws IOException {
    return ImageSet.of(load(data, root, split, choice));
  }

  /**
   * Loads one part of a data set of clouds.
   *
   * @throws IllegalArgumentException if it is one of another kind
   */
  public static CloudSet clouds(String data, Path root, Split split, Choice choice)
      throws IOException {
    return CloudSet.of(load(data, root, split, choice));
  }
}
