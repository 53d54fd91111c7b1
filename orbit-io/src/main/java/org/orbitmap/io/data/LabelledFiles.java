package org.orbitmap.io.data;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.orbitmap.io.AtomicFiles;
import org.orbitmap.io.FileGuard;
import org.orbitmap.io.FormatException;

/** Files with a class each: how they are found, chosen and read, whatever is in them. */
public final class LabelledFiles {
  /** How many unreadable files a message names. */
  private static final int NAMED = 3;

  private LabelledFiles() {}

  /**
   * A file and its class.
   *
   * @param file what is to be read
   * @param label the class
   */
  public record Entry(Path file, int label) {}

  /** Reads one file. */
  @FunctionalInterface
  public interface Reader<T> {
    /** What is in the file. */
    T read(Path file) throws IOException;
  }

  /** What to call the data in a folder. */
  public static String name(Path folder) {
    Path last = folder.toAbsolutePath().normalize().getFileName();
    return last == null ? "data" : last.toString();
  }

  /**
   * Whether a file without a split of its own belongs to a part: one in five is for testing, by the
   * CRC of its name.
   */
  public static boolean isIn(Split split, Path file) {
    CRC32 crc = new CRC32();
    crc.update(file.getFileName().toString().getBytes(StandardCharsets.UTF_8));
    return split.has(crc.getValue() % 5 == 0);
  }

  /** The sub-folders of a folder that may be classes, in alphabetical order. */
  public static List<Path> folders(Path folder) throws IOException {
    try (Stream<Path> inside = Files.list(folder)) {
      return inside
          .filter(f -> !f.getFileName().toString().startsWith(".") && Files.isDirectory(f))
          .sorted()
          .toList();
    }
  }

  /** The files in a folder that count, in alphabetical order. */
  public static List<Path> files(Path folder, Predicate<Path> accepts) throws IOException {
    try (Stream<Path> inside = Files.list(folder)) {
      return inside.filter(f -> !AtomicFiles.isLeftover(f)).filter(accepts).sorted().toList();
    }
  }

  /** The files in a folder and below it that count, in alphabetical order; no hidden ones. */
  public static List<Path> below(Path folder, Predicate<Path> accepts) throws IOException {
    Path root = Files.isSymbolicLink(folder) ? folder.toRealPath() : folder;
    try (Stream<Path> tree = Files.walk(root)) {
      return tree.filter(f -> !isHidden(root.relativize(f)))
          .filter(f -> Files.isRegularFile(f) && accepts.test(f))
          .sorted()
          .toList();
    } catch (UncheckedIOException e) {
      throw e.getCause(); // a folder in the tree that cannot be read
    }
  }

  private static boolean isHidden(Path inside) {
    for (Path part : inside) {
      if (part.toString().startsWith(".")) {
        return true;
      }
    }
    return false;
  }

  /** Whether a folder has a file that counts. */
  public static boolean hasFile(Path folder, Predicate<Path> accepts) throws IOException {
    if (!Files.isDirectory(folder)) {
      return false;
    }
    try (Stream<Path> inside = Files.list(folder)) {
      return inside.filter(f -> !AtomicFiles.isLeftover(f)).anyMatch(accepts);
    }
  }

  /**
   * The files in each sub-folder, both in alphabetical order.
   *
   * @param accepts which files count
   * @param what such as {@code images}
   */
  public static Map<String, List<Path>> classes(Path folder, Predicate<Path> accepts, String what)
      throws IOException {
    Map<String, List<Path>> classes = new TreeMap<>();
    for (Path c : folders(folder)) {
      classes.put(c.getFileName().toString(), files(c, accepts));
    }
    if (classes.size() < 2) {
      throw new FormatException(
          folder,
          "a folder with one sub-folder of %s for each class".formatted(what),
          classes.size() + " sub-folders");
    }
    return classes;
  }

  /**
   * The label of the class that a folder is named after.
   *
   * @throws FormatException if there is no such class
   */
  public static int label(List<String> classes, Path folder) throws FormatException {
    int label = classes.indexOf(folder.getFileName().toString());
    if (label < 0) {
      throw new FormatException(folder, "one of the classes " + classes, "none");
    }
    return label;
  }

  /** At most so many entries, as evenly over the classes as they allow. */
  public static List<Entry> evenly(List<Entry> entries, int limit) {
    int[] labels = entries.stream().mapToInt(Entry::label).toArray();
    return IntStream.of(evenly(labels, limit)).mapToObj(entries::get).toList();
  }

  /**
   * At most so many items, as evenly over the classes as they allow: the first of each class, then
   * the second of each, and so on. Their indices, ascending.
   */
  public static int[] evenly(int[] labels, int limit) {
    if (labels.length <= limit) {
      return IntStream.range(0, labels.length).toArray();
    }
    int classes = IntStream.of(labels).max().orElse(0) + 1;
    int[] seen = new int[classes];
    int[] turn = new int[labels.length];
    for (int i = 0; i < labels.length; i++) {
      turn[i] = seen[labels[i]]++;
    }
    return IntStream.range(0, labels.length)
        .boxed()
        .sorted((a, b) -> turn[a] != turn[b] ? turn[a] - turn[b] : labels[a] - labels[b])
        .limit(limit)
        .mapToInt(Integer::intValue)
        .sorted()
        .toArray();
  }

  /**
   * Reads all files, in parallel.
   *
   * @throws IOException that counts those that cannot be read and names the first of them
   */
  public static <T> List<T> read(String name, List<Path> files, Reader<T> reader)
      throws IOException {
    List<Object> read =
        IntStream.range(0, files.size())
            .parallel()
            .mapToObj(
                i -> {
                  try {
                    return (Object) FileGuard.read(files.get(i), reader::read);
                  } catch (IOException e) {
                    return e;
                  }
                })
            .toList();
    List<T> good = new ArrayList<>();
    List<String> bad = new ArrayList<>();
    for (Object each : read) {
      if (each instanceof IOException e) {
        bad.add(e.getMessage());
      } else {
        @SuppressWarnings("unchecked") // the reader gave it
        T t = (T) each;
        good.add(t);
      }
    }
    if (!bad.isEmpty()) {
      throw new IOException(
          "%s: %,d of %,d files cannot be read. %s%s. Repair or remove them"
              .formatted(
                  name,
                  bad.size(),
                  files.size(),
                  String.join("; ", bad.subList(0, Math.min(NAMED, bad.size()))),
                  bad.size() > NAMED ? "; …" : ""));
    }
    return good;
  }
}
