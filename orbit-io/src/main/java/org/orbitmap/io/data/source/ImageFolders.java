package org.orbitmap.io.data.source;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.orbitmap.image.Image;
import org.orbitmap.io.FormatException;
import org.orbitmap.io.data.Choice;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.io.data.DataSource;
import org.orbitmap.io.data.Inventory;
import org.orbitmap.io.data.LabelledFiles;
import org.orbitmap.io.data.Split;
import org.orbitmap.io.image.ImageFiles;
import org.orbitmap.io.photo.PhotoSet;

/**
 * Images in one folder for each class, {@code class/image.png}, in alphabetical order. The parts
 * are sub-folders {@code train} and {@code test} with such folders in each; without them one image
 * in five is for testing, by a hash of its name.
 */
public final class ImageFolders implements DataSource {
  @Override
  public String name() {
    return "image-folders";
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
    if (isSplit(folder)) {
      return hasImages(folder.resolve(Split.TRAIN.id()))
          || hasImages(folder.resolve(Split.TEST.id()));
    }
    return LabelledFiles.folders(folder).size() > 1 && hasImages(folder);
  }

  private static boolean hasImages(Path folder) throws IOException {
    for (Path c : LabelledFiles.folders(folder)) {
      if (LabelledFiles.hasFile(c, ImageFiles::isImage)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public DataSet<Image> read(Path folder, Split split, Choice choice) throws IOException {
    Listing listed = list(folder, split);
    return PhotoSet.read(LabelledFiles.name(folder), listed.classes(), listed.entries(), choice);
  }

  @Override
  public Inventory inventory(Path folder, Split part) throws IOException {
    Listing listed = list(folder, part);
    Inventory seen =
        Inventory.of(
            LabelledFiles.name(folder),
            "images of %s",
            listed.classes(),
            listed.entries(),
            f -> {
              Image u = ImageFiles.read(f);
              String shape = "%d x %d x %d".formatted(u.channels(), u.height(), u.width());
              return Inventory.Item.of(shape, u.data().length, u.data());
            });
    return seen.oneSize() ? Inventory.of(read(folder, part, Choice.ALL)) : seen;
  }

  private record Listing(List<String> classes, List<LabelledFiles.Entry> entries) {}

  private static Listing list(Path folder, Split split) throws IOException {
    List<LabelledFiles.Entry> entries = new ArrayList<>();
    List<String> names;
    if (isSplit(folder)) {
      // A label is the same class in both parts, also if one of them has fewer.
      names = List.copyOf(classes(folder.resolve(Split.TRAIN.id())).keySet());
      for (Split part : List.of(Split.TRAIN, Split.TEST)) {
        if (split.has(part == Split.TEST)) {
          entries.addAll(entries(names, folder.resolve(part.id()), Split.ALL));
        }
      }
    } else {
      names = List.copyOf(classes(folder).keySet());
      entries.addAll(entries(names, folder, split));
    }
    return new Listing(names, entries);
  }

  @Override
  public Split auditSplit(Path folder) {
    return isSplit(folder) ? Split.TEST : Split.ALL;
  }

  private static boolean isSplit(Path folder) {
    return Files.isDirectory(folder.resolve(Split.TRAIN.id()))
        && Files.isDirectory(folder.resolve(Split.TEST.id()));
  }

  private static Map<String, List<Path>> classes(Path folder) throws IOException {
    return LabelledFiles.classes(folder, ImageFiles::isImage, "images");
  }

  private static List<LabelledFiles.Entry> entries(List<String> names, Path folder, Split split)
      throws IOException {
    List<LabelledFiles.Entry> entries = new ArrayList<>();
    for (Map.Entry<String, List<Path>> c : classes(folder).entrySet()) {
      int label = LabelledFiles.label(names, folder.resolve(c.getKey()));
      if (c.getValue().isEmpty()) {
        throw new FormatException(
            folder.resolve(c.getKey()), "at least one image in the folder of every class", "none");
      }
      for (Path file : c.getValue()) {
        if (LabelledFiles.isIn(split, file)) {
          entries.add(new LabelledFiles.Entry(file, label));
        }
      }
    }
    return entries;
  }
}
