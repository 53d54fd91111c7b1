package org.orbitmap.io.data;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.orbitmap.group.Rotation2;
import org.orbitmap.image.ImageRotation;
import org.orbitmap.image.Resampling;
import org.orbitmap.io.Digests;
import org.orbitmap.io.FormatException;
import org.orbitmap.io.Gunzip;
import org.orbitmap.io.UserError;
import org.orbitmap.io.image.ImageFiles;

/**
 * Data sets of images by name or folder: {@code glyphs} (generated), {@code cifar10}, {@code
 * mnist}, {@code rotmnist} (rebuilt from MNIST), {@code ham10000}, {@code cub200}, or any folder
 * with one sub-folder for each class.
 */
public final class DataSets {
  /** Names that need no folder to be given. */
  public static final List<String> NAMES =
      List.of("glyphs", "cifar10", "mnist", "rotmnist", "ham10000", "cub200");

  /** The classes of HAM10000, in the order of their labels. */
  public static final List<String> HAM10000 =
      List.of("akiec", "bcc", "bkl", "df", "mel", "nv", "vasc");

  private static final int GLYPHS_TRAIN = 4000;
  private static final int GLYPHS_TEST = 1000;
  private static final long ROTMNIST_SEED = 2022;

  private DataSets() {}

  /** Which part of a data set. */
  public enum Split {
    /** For training and validation. */
    TRAIN,
    /** For the final figures. */
    TEST;

    String id() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What a folder holds. */
  public enum Kind {
    /** Binary records of CIFAR-10. */
    CIFAR10("cifar10"),
    /** IDX files of MNIST. */
    MNIST("mnist"),
    /** HAM10000 in records of 32 x 32. */
    HAM10000_RECORDS("ham10000"),
    /** HAM10000 as published: a CSV and JPEG files. */
    HAM10000_FILES("ham10000"),
    /** CUB-200-2011 as published. */
    CUB200("cub200"),
    /** Sub-folders train and test, each with one folder for each class. */
    SPLIT_FOLDERS(""),
    /** One folder for each class. */
    CLASS_FOLDERS("");

    private final String set;

    Kind(String set) {
      this.set = set;
    }
  }

  /**
   * Loads one part of a data set.
   *
   * @param data a name from {@link #NAMES} or a folder
   * @param root where the folders of named sets are; null if there is no such place
   * @param size the side of the images for sets of files; 0 leaves them as they are
   */
  public static ImageSet load(String data, Path root, Split split, int size) throws IOException {
    return load(data, root, split, size, Integer.MAX_VALUE);
  }

  /**
   * Loads at most so many images of a data set: of sets in records, which are mixed, the first; of
   * files, which stand class by class, as evenly over the classes as they allow.
   */
  public static ImageSet load(String data, Path root, Split split, int size, int limit)
      throws IOException {
    if (data.equalsIgnoreCase("glyphs")) {
      return split == Split.TRAIN
          ? Glyphs.generate(GLYPHS_TRAIN, 1).first(limit)
          : Glyphs.generate(GLYPHS_TEST, 2).first(limit);
    }
    String name = data.toLowerCase(Locale.ROOT);
    boolean known = isName(data);
    boolean rotated = name.equals("rotmnist");
    Path folder;
    if (!known || Files.isDirectory(Path.of(data))) {
      folder = Path.of(data);
    } else if (root == null) {
      throw UserError.expected(
          data,
          "a folder of data sets",
          "none",
          "Give one with --data DIR or the environment variable ORBIT_DATA, or run: orbit data get "
              + name);
    } else {
      folder = root.resolve(rotated ? "mnist" : name);
      // The folder of the set itself may have been given instead of the one above it.
      if (!Files.isDirectory(folder) && holds(root, rotated ? "mnist" : name)) {
        folder = root;
      }
    }
    boolean there = Files.isDirectory(folder);
    if (!there || (known && !isSet(folder))) {
      throw UserError.expected(
          folder.toString(),
          "a data set",
          there ? "none" : "nothing there",
          known ? "Run: orbit data get " + name : "Named sets: " + String.join(", ", NAMES));
    }
    if (rotated) {
      return rotated(folder, split).first(limit);
    }
    ImageSet set = read(folder, split, size, limit);
    if (known && !set.name().equals(name)) {
      throw UserError.expected(folder.toString(), "the data set " + name, set.name(), "");
    }
    return set.first(limit);
  }

  /** Whether this is a name from {@link #NAMES}, and no folder. */
  public static boolean isName(String data) {
    return NAMES.contains(data.toLowerCase(Locale.ROOT));
  }

  /** What to call the data in a folder. */
  public static String name(Path folder) {
    Path last = folder.toAbsolutePath().normalize().getFileName();
    return last == null ? "data" : last.toString();
  }

  /** The data sets in a folder: itself if it is one, or else those of its sub-folders that are. */
  public static List<Path> sets(Path folder) throws IOException {
    if (isSet(folder)) {
      return List.of(folder);
    }
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> inside = Files.list(folder)) {
      return inside.filter(DataSets::isSet).sorted().toList();
    }
  }

  private static boolean isSet(Path folder) {
    try {
      return Files.isDirectory(folder) && kind(folder) != null;
    } catch (IOException e) {
      return false;
    }
  }

  /** Whether a folder is the named data set. */
  static boolean holds(Path folder, String name) throws IOException {
    return isSet(folder) && kind(folder).set.equals(name);
  }

  /**
   * What a folder holds, by the files in it.
   *
   * @throws FormatException if it is no data set
   */
  public static Kind kind(Path folder) throws IOException {
    if (exists(folder, "test_batch.bin") || exists(folder, "data_batch_1.bin")) {
      return Kind.CIFAR10;
    }
    if (exists(folder, "train-images-idx3-ubyte") || exists(folder, "t10k-images-idx3-ubyte")) {
      return Kind.MNIST;
    }
    if (exists(folder, "ham10000_32x32_train.bin") || exists(folder, "ham10000_32x32_test.bin")) {
      return Kind.HAM10000_RECORDS;
    }
    if (exists(folder, "HAM10000_metadata.csv")) {
      return Kind.HAM10000_FILES;
    }
    if (exists(folder, "image_class_labels.txt") && exists(folder, "train_test_split.txt")) {
      return Kind.CUB200;
    }
    if (Files.isDirectory(folder.resolve("train")) && Files.isDirectory(folder.resolve("test"))) {
      return Kind.SPLIT_FOLDERS;
    }
    Map<String, List<Path>> classes = FolderImages.classes(folder);
    if (classes.values().stream().allMatch(List::isEmpty)) {
      throw new FormatException(
          folder,
          "a folder with one sub-folder of images for each class",
          classes.size() + " sub-folders without images");
    }
    return Kind.CLASS_FOLDERS;
  }

  private static ImageSet read(Path folder, Split split, int size, int limit) throws IOException {
    boolean train = split == Split.TRAIN;
    return switch (kind(folder)) {
      case CIFAR10 -> CifarFiles.read("cifar10", CifarFiles.CIFAR10, cifar(folder, train));
      case MNIST -> mnist(folder, split);
      case HAM10000_RECORDS ->
          CifarFiles.read(
              "ham10000",
              HAM10000,
              List.of(
                  Gunzip.plainOrZipped(folder.resolve("ham10000_32x32_" + split.id() + ".bin"))));
      case HAM10000_FILES -> ham(folder, train, size, limit);
      case CUB200 -> cub(folder, train, size, limit);
      case SPLIT_FOLDERS -> {
        // A label is the same class in both parts, also if one of them has fewer.
        List<String> classes =
            List.copyOf(FolderImages.classes(folder.resolve(Split.TRAIN.id())).keySet());
        yield FolderImages.read(
            name(folder), classes, folder.resolve(split.id()), f -> true, size, limit);
      }
      case CLASS_FOLDERS ->
          FolderImages.read(name(folder), folder, f -> isTest(f) != train, size, limit);
    };
  }

  private static boolean exists(Path folder, String file) {
    return Files.exists(Gunzip.plainOrZipped(folder.resolve(file)));
  }

  /** The training batches that are there (at least one of five), or the test batch. */
  private static List<Path> cifar(Path folder, boolean train) throws IOException {
    if (!train) {
      return List.of(Gunzip.plainOrZipped(folder.resolve("test_batch.bin")));
    }
    List<Path> batches =
        IntStream.rangeClosed(1, 5)
            .mapToObj(i -> Gunzip.plainOrZipped(folder.resolve("data_batch_" + i + ".bin")))
            .filter(Files::exists)
            .toList();
    if (batches.isEmpty()) {
      throw new FormatException(folder, "data_batch_1.bin to data_batch_5.bin", "none of them");
    }
    return batches;
  }

  private static ImageSet mnist(Path folder, Split split) throws IOException {
    String stem = split == Split.TRAIN ? "train" : "t10k";
    return IdxFiles.read(
        "mnist",
        10,
        Gunzip.plainOrZipped(folder.resolve(stem + "-images-idx3-ubyte")),
        Gunzip.plainOrZipped(folder.resolve(stem + "-labels-idx1-ubyte")));
  }

  /**
   * RotMNIST's protocol: 12,000 digits for training and 50,000 for testing out of all 70,000, each
   * rotated by a uniform random angle (bilinear, black outside). Choice and angles are seeded.
   */
  private static ImageSet rotated(Path folder, Split split) throws IOException {
    ImageSet all = mnist(folder, Split.TRAIN).concat(mnist(folder, Split.TEST));
    SplittableRandom random = new SplittableRandom(ROTMNIST_SEED);
    int[] order = IntStream.range(0, all.size()).toArray();
    for (int i = order.length - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int t = order[i];
      order[i] = order[j];
      order[j] = t;
    }
    double[] degrees = random.doubles(order.length, 0, 360).toArray();
    int from = split == Split.TRAIN ? 0 : 12_000;
    int to = Math.min(order.length, split == Split.TRAIN ? 12_000 : 62_000);
    ImageSet chosen = all.subset(Arrays.copyOfRange(order, from, to));
    ImageRotation action = new ImageRotation(Resampling.BILINEAR);
    byte[][] pixels = new byte[chosen.size()][];
    IntStream.range(0, pixels.length)
        .parallel()
        .forEach(
            i ->
                pixels[i] =
                    FolderImages.bytes(
                        action.act(Rotation2.ofDegrees(degrees[from + i]), chosen.image(i)), 1));
    return new ImageSet(
        "rotmnist", chosen.classes(), 1, chosen.height(), chosen.width(), pixels, chosen.labels());
  }

  /** The published HAM10000: a row for each image; split by lesion, so that none is in both. */
  private static ImageSet ham(Path folder, boolean train, int size, int limit) throws IOException {
    Path csv = folder.resolve("HAM10000_metadata.csv");
    List<String> lines = Files.readAllLines(csv);
    List<String> head = lines.isEmpty() ? List.of() : columns(lines.get(0));
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
    List<FolderImages.Entry> entries = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      List<String> row = columns(line);
      if (row.size() < head.size()) {
        continue;
      }
      int label = HAM10000.indexOf(row.get(dx));
      if (label < 0) {
        throw new FormatException(csv, "a dx in " + HAM10000, row.get(dx));
      }
      if (isTest(row.get(lesion)) == train) {
        continue;
      }
      Path file = files.get(row.get(image));
      if (file == null) {
        throw new FormatException(csv, "an image file for every row", "none for " + row.get(image));
      }
      entries.add(new FolderImages.Entry(file, label));
    }
    return FolderImages.read("ham10000", HAM10000, entries, size, limit);
  }

  /** One in five lesions, by the MD5 of their name. */
  private static boolean isTest(String lesion) {
    byte[] md5 = Digests.md5().digest(lesion.getBytes(StandardCharsets.UTF_8));
    return new BigInteger(1, md5).mod(BigInteger.valueOf(5)).signum() == 0;
  }

  /** One line of a CSV file; fields may be in double quotes. */
  private static List<String> columns(String line) {
    List<String> fields = new ArrayList<>();
    StringBuilder field = new StringBuilder();
    boolean quoted = false;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == '"') {
        quoted = !quoted;
      } else if (c == ',' && !quoted) {
        fields.add(field.toString().trim());
        field.setLength(0);
      } else {
        field.append(c);
      }
    }
    fields.add(field.toString().trim());
    return fields;
  }

  /** The published CUB-200-2011: lists of files, of labels from 1, and of the official split. */
  private static ImageSet cub(Path folder, boolean train, int size, int limit) throws IOException {
    Map<String, String> files = table(folder.resolve("images.txt"));
    Map<String, String> labels = table(folder.resolve("image_class_labels.txt"));
    Map<String, String> split = table(folder.resolve("train_test_split.txt"));
    List<String> classes = List.copyOf(table(folder.resolve("classes.txt")).values());
    List<FolderImages.Entry> entries = new ArrayList<>();
    files.forEach(
        (id, file) -> {
          if ("1".equals(split.get(id)) == train && labels.containsKey(id)) {
            entries.add(
                new FolderImages.Entry(
                    folder.resolve("images").resolve(file), Integer.parseInt(labels.get(id)) - 1));
          }
        });
    return FolderImages.read("cub200", classes, entries, size == 0 ? 224 : size, limit);
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

  /** One image in five, by the CRC of its name. */
  private static boolean isTest(Path file) {
    CRC32 crc = new CRC32();
    crc.update(file.getFileName().toString().getBytes(StandardCharsets.UTF_8));
    return crc.getValue() % 5 == 0;
  }
}
