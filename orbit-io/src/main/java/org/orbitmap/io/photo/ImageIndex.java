package org.orbitmap.io.photo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.orbitmap.image.Image;
import org.orbitmap.io.FormatException;
import org.orbitmap.io.data.Choice;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.io.data.DataSource;
import org.orbitmap.io.data.LabelledFiles;
import org.orbitmap.io.data.LabelledFiles.Entry;
import org.orbitmap.io.data.Split;
import org.orbitmap.io.image.ImageFiles;

/**
 * Images listed in a CSV file: a line {@code file,class} for each, or with a heading the columns
 * {@code file} (or image, path) and {@code class} (or label), and perhaps {@code split} with train
 * and test. Files are relative to the list. Classes are in alphabetical order, or in that of their
 * numbers. Without a split one image in five is for testing, by a hash of its name.
 */
public final class ImageIndex implements DataSource {
  private static final List<String> FILE = List.of("file", "image", "path", "filename");
  private static final List<String> CLASS = List.of("class", "label");

  /** A line of the list. */
  private record Line(Path file, String label, String split) {}

  @Override
  public String name() {
    return "image-index";
  }

  @Override
  public boolean isLayout() {
    return true;
  }

  @Override
  public boolean holds(Path file) throws IOException {
    if (!Files.isRegularFile(file) || !file.toString().toLowerCase(Locale.ROOT).endsWith(".csv")) {
      return false;
    }
    return !lines(file).isEmpty();
  }

  @Override
  public DataSet<Image> read(Path index, Split split, Choice choice) throws IOException {
    List<Line> lines = lines(index);
    if (lines.isEmpty()) {
      throw new FormatException(index, "lines of a file and a class", "none");
    }
    boolean numbers = lines.stream().allMatch(l -> l.label.matches("\\d{1,9}"));
    Comparator<String> order =
        numbers ? Comparator.comparingInt(Integer::parseInt) : Comparator.naturalOrder();
    List<String> classes = lines.stream().map(Line::label).distinct().sorted(order).toList();
    List<Entry> entries = new ArrayList<>();
    for (Line line : lines) {
      if (!Files.isRegularFile(line.file)) {
        throw new FormatException(index, "image files", "none at " + line.file);
      }
      boolean in =
          line.split.isEmpty()
              ? LabelledFiles.isIn(split, line.file)
              : split.has(line.split.equals(Split.TEST.id()));
      if (in) {
        entries.add(new Entry(line.file, classes.indexOf(line.label)));
      }
    }
    return PhotoSet.read(LabelledFiles.name(index), classes, entries, choice);
  }

  @Override
  public Split auditSplit(Path index) throws IOException {
    return lines(index).stream().anyMatch(l -> !l.split.isEmpty()) ? Split.TEST : Split.ALL;
  }

  /** The lines, none if it is no list of images. */
  private static List<Line> lines(Path index) throws IOException {
    List<Line> all = new ArrayList<>();
    int file = 0;
    int label = 1;
    int split = -1;
    Path folder = index.toAbsolutePath().getParent();
    List<String> text = Files.readAllLines(index);
    for (int i = 0; i < text.size(); i++) {
      List<String> columns = Csv.columns(text.get(i));
      if (i == 0) {
        List<String> head = columns.stream().map(c -> c.toLowerCase(Locale.ROOT)).toList();
        if (head.stream().anyMatch(FILE::contains) && head.stream().anyMatch(CLASS::contains)) {
          file = find(head, FILE);
          label = find(head, CLASS);
          split = head.indexOf("split");
          continue;
        }
      }
      if (columns.size() == 1 && columns.get(0).isEmpty()) {
        continue;
      }
      if (columns.size() <= Math.max(file, Math.max(label, split))
          || columns.get(label).isEmpty()
          || !ImageFiles.isImage(Path.of(columns.get(file)))) {
        return List.of();
      }
      all.add(
          new Line(
              folder.resolve(columns.get(file)),
              columns.get(label),
              split < 0 ? "" : columns.get(split).toLowerCase(Locale.ROOT)));
    }
    return all;
  }

  private static int find(List<String> head, List<String> names) {
    return (int) head.stream().takeWhile(c -> !names.contains(c)).count();
  }
}
