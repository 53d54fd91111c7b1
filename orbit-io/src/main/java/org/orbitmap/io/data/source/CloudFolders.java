package org.orbitmap.io.data.source;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.io.FormatException;
import org.orbitmap.io.cloud.CloudFiles;
import org.orbitmap.io.data.Choice;
import org.orbitmap.io.data.CloudSet;
import org.orbitmap.io.data.DataSource;
import org.orbitmap.io.data.LabelledFiles;
import org.orbitmap.io.data.Split;

/**
 * Clouds or meshes in one folder for each class, in alphabetical order. The parts are sub-folders
 * {@code train} and {@code test}, above or below the classes; without them one file in five is for
 * testing, by a hash of its name.
 */
public final class CloudFolders implements DataSource {
  @Override
  public String name() {
    return "cloud-folders";
  }

  @Override
  public boolean isLayout() {
    return true;
  }

  @Override
  public boolean holds(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return false;
    }
    for (Split split : List.of(Split.TRAIN, Split.TEST)) {
      if (isSplit(folder) && hasClouds(folder.resolve(split.id()))) {
        return true;
      }
    }
    return !isSplit(folder) && LabelledFiles.folders(folder).size() > 1 && hasClouds(folder);
  }

  private static boolean hasClouds(Path folder) throws IOException {
    if (Files.isDirectory(folder)) {
      for (Path c : LabelledFiles.folders(folder)) {
        if (!files(c, Split.ALL).isEmpty()) {
          return true;
        }
      }
    }
    return false;
  }

  @Override
  public CloudSet read(Path folder, Split split, Choice choice) throws IOException {
    return read(LabelledFiles.name(folder), folder, split, choice);
  }

  @Override
  public Split auditSplit(Path folder) throws IOException {
    if (isSplit(folder)) {
      return Files.isDirectory(folder.resolve(Split.TEST.id())) ? Split.TEST : Split.ALL;
    }
    for (Path c : LabelledFiles.folders(folder)) {
      if (Files.isDirectory(c.resolve(Split.TEST.id()))) {
        return Split.TEST;
      }
    }
    return Split.ALL;
  }

  static CloudSet read(String name, Path folder, Split split, Choice choice) throws IOException {
    List<String> names = classes(folder);
    List<LabelledFiles.Entry> entries = new ArrayList<>();
    if (isSplit(folder)) {
      for (Split part : List.of(Split.TRAIN, Split.TEST)) {
        if (split.has(part == Split.TEST)) {
          entries.addAll(entries(names, folder.resolve(part.id()), Split.ALL));
        }
      }
    } else {
      entries.addAll(entries(names, folder, split));
    }
    if (entries.isEmpty()) {
      throw new FormatException(folder, "clouds for the part " + split.id(), "none");
    }
    List<LabelledFiles.Entry> chosen = LabelledFiles.evenly(entries, choice.most());
    List<PointCloud> clouds =
        CloudPoints.read(name, chosen.stream().map(LabelledFiles.Entry::file).toList(), choice);
    return new CloudSet(
        name, names, clouds, chosen.stream().mapToInt(LabelledFiles.Entry::label).toArray());
  }

  /** Whether parts are above the classes. */
  private static boolean isSplit(Path folder) {
    return Files.isDirectory(folder.resolve(Split.TRAIN.id()))
        || Files.isDirectory(folder.resolve(Split.TEST.id()));
  }

  /** A label is the same class in both parts, also if one of them has fewer. */
  private static List<String> classes(Path folder) throws IOException {
    Path train = folder.resolve(Split.TRAIN.id());
    Path test = folder.resolve(Split.TEST.id());
    Path above = Files.isDirectory(train) ? train : Files.isDirectory(test) ? test : folder;
    List<Path> folders = LabelledFiles.folders(above);
    if (folders.size() < 2) {
      throw new FormatException(
          above,
          "a folder with one sub-folder of clouds for each class",
          folders.size() + " sub-folders");
    }
    return folders.stream().map(c -> c.getFileName().toString()).toList();
  }

  private static List<LabelledFiles.Entry> entries(List<String> names, Path folder, Split split)
      throws IOException {
    List<LabelledFiles.Entry> entries = new ArrayList<>();
    if (!Files.isDirectory(folder)) {
      return entries;
    }
    for (Path c : LabelledFiles.folders(folder)) {
      int label = LabelledFiles.label(names, c);
      if (files(c, Split.ALL).isEmpty()) {
        throw new FormatException(c, "at least one cloud in the folder of every class", "none");
      }
      files(c, split).forEach(f -> entries.add(new LabelledFiles.Entry(f, label)));
    }
    return entries;
  }

  /**
   * The files of a class: those in the folder of the part, with those in no such folder for the
   * part that has none; if it has no folders of parts, by the hash of their names.
   */
  private static List<Path> files(Path c, Split split) throws IOException {
    Path train = c.resolve(Split.TRAIN.id());
    Path test = c.resolve(Split.TEST.id());
    List<Path> own = clouds(c);
    if (!Files.isDirectory(train) && !Files.isDirectory(test)) {
      return own.stream().filter(f -> LabelledFiles.isIn(split, f)).toList();
    }
    List<Path> files = new ArrayList<>();
    if (split != Split.TEST) {
      files.addAll(Files.isDirectory(train) ? clouds(train) : own);
    }
    if (split != Split.TRAIN) {
      files.addAll(Files.isDirectory(test) ? clouds(test) : own);
    }
    return files;
  }

  private static List<Path> clouds(Path folder) throws IOException {
    return LabelledFiles.files(
        folder, f -> CloudFiles.isCloud(f) && !IdxClouds.isPart(f) && !Files.isDirectory(f));
  }
}
