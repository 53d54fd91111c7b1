package org.orbitmap.io.data.source;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.orbitmap.image.Image;
import org.orbitmap.io.Digests;
import org.orbitmap.io.FormatException;
import org.orbitmap.io.Gunzip;
import org.orbitmap.io.data.Choice;
import org.orbitmap.io.data.CifarFiles;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.io.data.DataSource;
import org.orbitmap.io.data.LabelledFiles;
import org.orbitmap.io.data.Split;
import org.orbitmap.io.image.ImageFiles;
import org.orbitmap.io.photo.Csv;
import org.orbitmap.io.photo.PhotoSet;

/**
 * HAM10000, photographs of skin lesions in seven classes: as published, a CSV file and JPEG files,
 * or in records of 32 x 32 in the layout of CIFAR-10. The published one is split by lesion, so that
 * none is in both parts.
 */
public final class Ham10000 implements DataSource {
  /** The classes, in the order of their labels. */
  public static final List<String> CLASSES =
      List.of("akiec", "bcc", "bkl", "df", "mel", "nv", "vasc");

  private static final String TABLE = "HAM10000_metadata.csv";

  @Override
  public String name() {
    return "ham10000";
  }

  @Override
  public boolean holds(Path folder) {
    return hasRecords(folder) || Files.exists(folder.resolve(TABLE));
  }

  @Override
  public DataSet<Image> read(Path folder, Split split, Choice choice) throws IOException {
    if (!hasRecords(folder)) {
      return PhotoSet.read(name(), CLASSES, entries(folder, split), choice);
    }
    return CifarFiles.read(
        name(),
        CLASSES,
        split == Split.ALL
            ? List.of(records(folder, Split.TRAIN), records(folder, Split.TEST))
            : List.of(records(folder, split)));
  }

  private static boolean hasRecords(Path folder) {
    return Files.exists(records(folder, Split.TRAIN)) || Files.exists(records(folder, Split.TEST));
  }

  private static Path records(Path folder, Split split) {
    return Gunzip.plainOrZipped(folder.resolve("ham10000_32x32_" + split.id() + ".bin"));
  }

  /** The table has a row for each image. */
  private static List<LabelledFiles.Entry> entries(Path folder, Split split) throws IOException {
    Path csv = folder.resolve(TABLE);
    List<String> lines = Files.readAllLines(csv);
    List<String> head = lines.isEmpty() ? List.of() : Csv.columns(lines.get(0));
    int lesion = head.indexOf("lesion_id");
    int image = head.indexOf("image_id");
    int dx = head.indexOf("dx");
    if (lesion < 0 || image < 0 || dx < 0) {
      throw new FormatException(csv, "columns lesion_id, image_id and dx", head);
    }
    Map<String, Path> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(folder)) {
      all.filter(ImageFiles::isImage)
          .forEach(f -> files.put(f.getFileName().toString().replaceFirst("\\.[^.]*$", ""), f));
    }
    List<LabelledFiles.Entry> entries = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      List<String> row = Csv.columns(line);
      if (row.size() < head.size()) {
        continue;
      }
      int label = CLASSES.indexOf(row.get(dx));
      if (label < 0) {
        throw new FormatException(csv, "a dx in " + CLASSES, row.get(dx));
      }
      if (!split.has(isTest(row.get(lesion)))) {
        continue;
      }
      Path file = files.get(row.get(image));
      if (file == null) {
        throw new FormatException(csv, "an image file for every row", "none for " + row.get(image));
      }
      entries.add(new LabelledFiles.Entry(file, label));
    }
    return entries;
  }

  /** One in five lesions, by the MD5 of their name. */
  private static boolean isTest(String lesion) {
    byte[] md5 = Digests.md5().digest(lesion.getBytes(StandardCharsets.UTF_8));
    return new BigInteger(1, md5).mod(BigInteger.valueOf(5)).signum() == 0;
  }

  @Override
  public String howToGet() {
    return "Its terms have to be accepted in a browser: get HAM10000_metadata.csv and the two image"
        + " archives from https://doi.org/10.7910/DVN/DBW86T and unpack all into one folder";
  }
}
