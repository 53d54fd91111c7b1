package org.orbitmap.io.data;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.orbitmap.io.FormatException;
import org.orbitmap.io.Gunzip;
import org.orbitmap.io.image.ImageFiles;

/** Images and labels in the IDX format of MNIST (unsigned bytes), plain or gzipped. */
public final class IdxFiles {
  private IdxFiles() {}

  /**
   * Reads images with their labels.
   *
   * @param name what to call the set
   * @param classes how many there are; they are named 0, 1, 2, …
   */
  public static ImageSet read(String name, int classes, Path images, Path labels)
      throws IOException {
    try (DataInputStream in = new DataInputStream(Gunzip.open(images))) {
      int[] size = header(images, in, 3);
      int[] l = labels(labels, classes);
      if (l.length != size[0]) {
        throw new FormatException(labels, size[0] + " labels as in " + images, l.length);
      }
      ImageFiles.checkSize(images, size[2], size[1]);
      byte[][] pixels = new byte[l.length][];
      List<String> names = IntStream.range(0, classes).mapToObj(Integer::toString).toList();
      for (int i = 0; i < l.length; i++) {
        pixels[i] = in.readNBytes(size[1] * size[2]);
        if (pixels[i].length < size[1] * size[2]) {
          throw new FormatException(
              images, l.length + " records", "the end of the file after " + i);
        }
      }
      return new ImageSet(name, names, 1, size[1], size[2], pixels, l);
    }
  }

  /** The labels in a file, all below the number of classes. */
  public static int[] labels(Path file, int classes) throws IOException {
    try (DataInputStream in = new DataInputStream(Gunzip.open(file))) {
      int n = header(file, in, 1)[0];
      byte[] read = in.readNBytes(n);
      if (read.length < n) {
        throw new FormatException(file, n + " records", "the end of the file after " + read.length);
      }
      int[] labels = new int[n];
      for (int i = 0; i < n; i++) {
        labels[i] = read[i] & 255;
        if (labels[i] >= classes) {
          throw new FormatException(
              file, "labels in 0..%d".formatted(classes - 1), labels[i] + " at " + i);
        }
      }
      return labels;
    }
  }

  /** The sizes in the header of a file of unsigned bytes. */
  private static int[] header(Path file, DataInputStream in, int dimensions) throws IOException {
    try {
      int magic = in.readInt();
      if (magic != (0x800 | dimensions)) {
        throw new FormatException(
            file,
            "IDX of unsigned bytes in %d dimensions (%#010x)"
                .formatted(dimensions, 0x800 | dimensions),
            "%#010x".formatted(magic));
      }
      int[] size = new int[dimensions];
      for (int d = 0; d < dimensions; d++) {
        size[d] = in.readInt();
        if (size[d] < 1) {
          throw new FormatException(file, "positive sizes", size[d]);
        }
      }
      return size;
    } catch (EOFException e) {
      throw new FormatException(file, "an IDX header", "the end of the file");
    }
  }
}
