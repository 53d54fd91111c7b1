package org.orbitmap.io.data.source;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.orbitmap.image.Image;
import org.orbitmap.io.FormatException;
import org.orbitmap.io.data.Choice;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.io.data.DataSource;
import org.orbitmap.io.data.Download;
import org.orbitmap.io.data.LabelledFiles;
import org.orbitmap.io.data.Split;
import org.orbitmap.io.photo.PhotoSet;

/**
 * CUB-200-2011 as published: lists of files, of labels from 1, and of the official split. Its
 * images differ in size and become squares, of 224 x 224 unless another side is chosen.
 */
public final class Cub200 implements DataSource {
  private static final int SIDE = 224;
  private static final String LABELS = "image_class_labels.txt";
  private static final String SPLIT = "train_test_split.txt";

  @Override
  public String name() {
    return "cub200";
  }

  @Override
  public boolean holds(Path folder) {
    return Files.exists(folder.resolve(LABELS)) && Files.exists(folder.resolve(SPLIT));
  }

  @Override
  public DataSet<Image> read(Path folder, Split split, Choice choice) throws IOException {
    Map<String, String> files = table(folder.resolve("images.txt"));
    Map<String, String> labels = table(folder.resolve(LABELS));
    Map<String, String> training = table(folder.resolve(SPLIT));
    List<String> classes = List.copyOf(table(folder.resolve("classes.txt")).values());
    List<LabelledFiles.Entry> entries = new ArrayList<>();
    files.forEach(
        (id, file) -> {
          if (split.has(!"1".equals(training.get(id))) && labels.containsKey(id)) {
            entries.add(
                new LabelledFiles.Entry(
                    folder.resolve("images").resolve(file), Integer.parseInt(labels.get(id)) - 1));
          }
        });
    return PhotoSet.read(
        name(), classes, entries, choice.hasSize() ? choice : choice.withSide(SIDE));
  }

  /** Lines of a number and a value, in the order of the numbers. */
  private static Map<String, String> table(Path file) throws IOException {
    Map<String, String> rows =
        new TreeMap<>((a, b) -> Integer.compare(Integer.parseInt(a), Integer.parseInt(b)));
    for (String line : Files.readAllLines(file)) {
      String[] parts = line.trim().split("\\s+", 2);
      if (parts.length == 2 && parts[0].matches("\\d{1,9}")) {
        rows.put(parts[0], parts[1]);
      } else if (!line.isBlank()) {
        throw new FormatException(file, "a number and a value on each line", line);
      }
    }
    return rows;
  }

  @Override
  public List<Download> downloads() {
    return List.of(
        new Download(
            "https://data.caltech.edu/records/65de6-vp158/files/CUB_200_2011.tgz",
            "97eceeb196236b17998738112f37df78",
            1_150_585_339));
  }
}
