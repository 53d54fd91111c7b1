package org.orbitmap.io.data.source;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.orbitmap.eval.Labelled;
import org.orbitmap.io.FormatException;
import org.orbitmap.io.cloud.CloudFiles;
import org.orbitmap.io.data.Choice;
import org.orbitmap.io.data.CloudSet;
import org.orbitmap.io.data.ImageSet;
import org.orbitmap.io.data.LabelledFiles;
import org.orbitmap.io.data.LabelledImages;
import org.orbitmap.io.image.ImageFiles;

/**
 * Images or clouds in one folder, or a single file: inputs without labels, in alphabetical order.
 * Nothing can be learned from them, so that they are no {@link DataSets data set}.
 */
public final class PlainFiles {
  private PlainFiles() {}

  /**
   * Reads images.
   *
   * @param choice how many, and in which size
   * @throws FormatException if there are none
   */
  public static ImageSet images(Path place, Choice choice) throws IOException {
    List<LabelledFiles.Entry> entries =
        files(place, ImageFiles::isImage, "images", choice).stream()
            .map(f -> new LabelledFiles.Entry(f, Labelled.UNKNOWN))
            .toList();
    return LabelledImages.read(LabelledFiles.name(place), List.of(), entries, choice);
  }

  /**
   * Reads clouds.
   *
   * @param choice how many, and how many points of each
   * @throws FormatException if there are none
   */
  public static CloudSet clouds(Path place, Choice choice) throws IOException {
    String name = LabelledFiles.name(place);
    List<Path> files = files(place, CloudFiles::isCloud, "clouds or meshes", choice);
    int[] labels = new int[files.size()];
    Arrays.fill(labels, Labelled.UNKNOWN);
    return new CloudSet(name, List.of(), CloudPoints.read(name, files, choice), labels);
  }

  /** Whether there are images, but no data set. */
  public static boolean areImages(Path place) throws IOException {
    return !files(place, ImageFiles::isImage).isEmpty();
  }

  /** Whether there are clouds or meshes, but no data set. */
  public static boolean areClouds(Path place) throws IOException {
    return !files(place, CloudFiles::isCloud).isEmpty();
  }

  private static List<Path> files(Path place, Predicate<Path> accepts) throws IOException {
    Predicate<Path> counts = f -> Files.isRegularFile(f) && accepts.test(f);
    if (DataSets.at(place).isPresent()) {
      return List.of();
    }
    return Files.isDirectory(place)
        ? LabelledFiles.files(place, counts)
        : Stream.of(place).filter(counts).toList();
  }

  private static List<Path> files(Path place, Predicate<Path> accepts, String what, Choice choice)
      throws IOException {
    List<Path> files = files(place, accepts);
    if (files.isEmpty()) {
      throw new FormatException(place, what + " in one folder", "none");
    }
    return files.subList(0, Math.min(files.size(), choice.most()));
  }
}
