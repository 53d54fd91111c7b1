package org.orbitmap.io.data;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.orbitmap.io.FormatException;
import org.orbitmap.io.Gunzip;

/**
 * The binary layout of CIFAR-10, plain or gzipped: records of 3,073 bytes, a label and then 32 x 32
 * samples of red, of green and of blue.
 */
public final class CifarFiles {
  /** The ten classes of CIFAR-10, in the order of their labels. */
  public static final List<String> CIFAR10 =
      List.of(
          "airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck");

  private static final int SIDE = 32;
  private static final int SAMPLES = 3 * SIDE * SIDE;

  private CifarFiles() {}

  /**
   * Reads the records of some files, one after another.
   *
   * @param name what to call the set
   * @param classes the names of the labels
   * @param files plain or gzipped, told apart by their content
   */
  public static ImageSet read(String name, List<String> classes, List<Path> files)
      throws IOException {
    List<byte[]> pixels = new ArrayList<>();
    List<Integer> labels = new ArrayList<>();
    for (Path file : files) {
      try (InputStream in = Gunzip.open(file);
          DataInputStream data = new DataInputStream(in)) {
        int record = 0;
        for (int label = data.read(); label >= 0; label = data.read()) {
          if (label >= classes.size()) {
            throw new FormatException(
                file,
                "labels in 0..%d".formatted(classes.size() - 1),
                "%d in record %d".formatted(label, record));
          }
          byte[] p = data.readNBytes(SAMPLES);
          if (p.length < SAMPLES) {
            throw new FormatException(
                file,
                "records of %d bytes".formatted(SAMPLES + 1),
                "%d bytes in record %d, the last one".formatted(p.length + 1, record));
          }
          pixels.add(p);
          labels.add(label);
          record++;
        }
        if (record == 0) {
          throw new FormatException(file, "at least one record", "an empty file");
        }
      }
    }
    return new ImageSet(
        name,
        classes,
        3,
        SIDE,
        SIDE,
        pixels.toArray(new byte[0][]),
        labels.stream().mapToInt(Integer::intValue).toArray());
  }
}
