package org.orbitmap.io.data;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.orbitmap.io.FormatException;

/** Files with a class each: how they are found, chosen and read, whatever is in them. */
final class LabelledFiles {
  /** How many unreadable files a message names. */
  private static final int NAMED = 3;

  private LabelledFiles() {}

  /** Reads one file. */
  @FunctionalInterface
  interface Reader<T> {
    T read(Path file) throws IOException;
  }

  /**
   * The files in each sub-folder, both in alphabetical order.
   *
   * @param accepts which files count
   * @param what such as {@code images}
   */
  static Map<String, List<Path>> classes(Path folder, Predicate<Path> accepts, String what)
      throws IOException {
    Map<String, List<Path>> classes = new TreeMap<>();
    try (Stream<Path> folders = Files.list(folder)) {
      for (Path c : folders.filter(Files::isDirectory).toList()) {
        String label = c.getFileName().toString();
        if (label.startsWith(".")) {
          continue;
        }
        try (Stream<Path> files = Files.list(c)) {
          classes.put(label, files.filter(accepts).sorted().toList());
        }
      }
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
   * At most so many items, as evenly over the classes as they allow: the first of each class, then
   * the second of each, and so on. Their indices, ascending.
   */
  static int[] evenly(int[] labels, int limit) {
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
  static <T> List<T> read(String name, List<Path> files, Reader<T> reader) throws IOException {
    List<Object> read =
        IntStream.range(0, files.size())
            .parallel()
            .mapToObj(
                i -> {
                  try {
                    return (Object) reader.read(files.get(i));
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
