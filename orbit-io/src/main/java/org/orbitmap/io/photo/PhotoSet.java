package org.orbitmap.io.photo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import org.orbitmap.image.Image;
import org.orbitmap.io.Digests;
import org.orbitmap.io.FileGuard;
import org.orbitmap.io.data.Choice;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.io.data.LabelledFiles;
import org.orbitmap.io.data.LabelledFiles.Entry;
import org.orbitmap.io.data.LabelledImages;
import org.orbitmap.io.image.Framing;
import org.orbitmap.io.image.PhotoReader;
import org.orbitmap.model.InputShape;

/**
 * Labelled photographs in files, of any size, in colour: each is decoded when it is asked for. So a
 * set may be larger than memory, and every time another part of a photograph can be taken.
 *
 * @param name what users call it
 * @param classes the names of the labels; none if the labels are not known
 * @param entries the files with their labels
 * @param rows of the inputs
 * @param columns of the inputs
 */
public record PhotoSet(
    String name, List<String> classes, List<Entry> entries, int rows, int columns)
    implements DataSet<Image> {
  public PhotoSet {
    classes = List.copyOf(classes);
    entries = List.copyOf(entries);
    if (entries.isEmpty() || rows < 1 || columns < 1) {
      throw new IllegalArgumentException(
          "%s: expected photographs and a size for them, found %d and %d x %d"
              .formatted(name, entries.size(), rows, columns));
    }
  }

  /**
   * Images in files as a choice asks for them: read when they are needed, or all at once.
   *
   * @param classes the names of the labels
   */
  public static DataSet<Image> read(
      String name, List<String> classes, List<Entry> listed, Choice choice) throws IOException {
    if (!choice.whenNeeded()) {
      return LabelledImages.read(name, classes, listed, choice);
    }
    List<Entry> chosen = LabelledFiles.evenly(listed, choice.most());
    return new PhotoSet(name, classes, chosen, choice.height(), choice.width());
  }

  @Override
  public int size() {
    return entries.size();
  }

  @Override
  public InputShape<Image> shape() {
    return new InputShape.Images(3, rows, columns);
  }

  /** The largest central part. */
  @Override
  public Image input(int i) {
    return input(i, Framing.centre(rows, columns));
  }

  /**
   * A part of a photograph.
   *
   * @throws UncheckedIOException if it cannot be read
   */
  public Image input(int i, Framing framing) {
    Path file = entries.get(i).file();
    try {
      return FileGuard.read(file, f -> PhotoReader.read(f, framing, rows, columns)).withChannels(3);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public int label(int i) {
    return entries.get(i).label();
  }

  @Override
  public PhotoSet subset(int[] indices) {
    List<Entry> chosen = IntStream.of(indices).mapToObj(entries::get).toList();
    return new PhotoSet(name, classes, chosen, rows, columns);
  }

  /** Over the size, the classes, the labels and the bytes of all files. */
  @Override
  public String digest() {
    List<String> files =
        entries.parallelStream()
            .map(
                e -> {
                  try {
                    return e.label() + " " + Digests.sha256(e.file());
                  } catch (IOException x) {
                    throw new UncheckedIOException(x);
                  }
                })
            .toList();
    MessageDigest sha = Digests.sha256();
    sha.update("%d x %d\n".formatted(rows, columns).getBytes(StandardCharsets.UTF_8));
    sha.update(String.join("\n", classes).getBytes(StandardCharsets.UTF_8));
    sha.update(("\n" + String.join("\n", files)).getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(sha.digest());
  }

  @Override
  public String toString() {
    return "PhotoSet[%s: %,d photographs as %d x %d in %d classes]"
        .formatted(name, size(), rows, columns, classes.size());
  }
}
