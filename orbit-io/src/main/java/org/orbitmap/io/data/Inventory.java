package org.orbitmap.io.data;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.orbitmap.io.Digests;

/**
 * What a part of a data set holds, read to the end. Its inputs may differ in size.
 *
 * @param name what users call the data set
 * @param items how many inputs
 * @param shape what they are, such as {@code images of 3 x 32 x 32}
 * @param classes how many inputs each class has
 * @param sha256 over classes, labels and inputs: the same digest means the same data
 * @param oneSize whether all inputs have the same size
 */
public record Inventory(
    String name,
    int items,
    String shape,
    Map<String, Integer> classes,
    String sha256,
    boolean oneSize) {
  /** That of inputs of one size. */
  public static Inventory of(DataSet<?> set) {
    int[] counts = set.counts();
    Map<String, Integer> classes = new LinkedHashMap<>();
    for (int c = 0; c < counts.length; c++) {
      classes.put(set.classes().get(c), counts[c]);
    }
    return new Inventory(
        set.name(), set.size(), set.shape().toString(), classes, set.digest(), true);
  }

  /**
   * One file that was read.
   *
   * @param shape what is in it, such as {@code 3 x 32 x 32}
   * @param size by which shapes are compared
   * @param digest SHA-256 of what is in it
   */
  public record Item(String shape, long size, byte[] digest) {
    /** What is in a file, without keeping it. */
    public static Item of(String shape, long size, float[] numbers) {
      ByteBuffer b = ByteBuffer.allocate(4 * numbers.length);
      b.asFloatBuffer().put(numbers);
      MessageDigest sha = Digests.sha256();
      sha.update(shape.getBytes(StandardCharsets.UTF_8));
      return new Item(shape, size, sha.digest(b.array()));
    }
  }

  /** Reads an item. */
  @FunctionalInterface
  public interface Reader {
    /** What is in the file. */
    Item read(Path file) throws IOException;
  }

  /**
   * That of files of any size: each is read, none is kept.
   *
   * @param form such as {@code images of %s}
   * @throws IOException that counts those that cannot be read and names the first of them
   */
  public static Inventory of(
      String name,
      String form,
      List<String> classes,
      List<LabelledFiles.Entry> entries,
      Reader reader)
      throws IOException {
    List<Item> items =
        LabelledFiles.read(
            name, entries.stream().map(LabelledFiles.Entry::file).toList(), reader::read);
    MessageDigest sha = Digests.sha256();
    sha.update(String.join("\n", classes).getBytes(StandardCharsets.UTF_8));
    Map<String, Integer> counts = new LinkedHashMap<>();
    classes.forEach(c -> counts.put(c, 0));
    TreeMap<Long, String> sizes = new TreeMap<>();
    for (int i = 0; i < items.size(); i++) {
      int label = entries.get(i).label();
      counts.merge(classes.get(label), 1, Integer::sum);
      sizes.putIfAbsent(items.get(i).size(), items.get(i).shape());
      sha.update(ByteBuffer.allocate(4).putInt(label).array());
      sha.update(items.get(i).digest());
    }
    boolean oneSize = items.stream().map(Item::shape).distinct().count() == 1;
    String shape =
        oneSize
            ? items.get(0).shape()
            : sizes.firstEntry().getValue() + " to " + sizes.lastEntry().getValue();
    return new Inventory(
        name,
        items.size(),
        form.formatted(shape),
        counts,
        HexFormat.of().formatHex(sha.digest()),
        oneSize);
  }
}
