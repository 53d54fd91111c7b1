package org.orbitmap.io.network;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.orbitmap.io.FormatException;
import org.orbitmap.network.FloatTensor;

/**
 * A state dictionary as {@code torch.save} writes it since PyTorch 1.6: a zip archive with a {@link
 * Pickle} and a file for each storage. The tensors may be in the dictionary itself or below {@code
 * state_dict} or {@code model}.
 */
public final class TorchFile implements TensorFile {
  private static final List<String> INSIDE = List.of("state_dict", "model", "model_state_dict");

  /** The most bytes of the pickle: thousands of tensors take one million. */
  private static final int MAX_PICKLE = 16_000_000;

  private static final String PICKLE = "[^/]+/data\\.pkl";

  private final Path file;
  private final ZipFile zip;
  private final String root;
  private final Map<String, Pickle.Tensor> tensors = new LinkedHashMap<>();
  private final Map<String, Entry> entries = new LinkedHashMap<>();

  private TorchFile(Path file, ZipFile zip, String root) {
    this.file = file;
    this.zip = zip;
    this.root = root;
  }

  /**
   * Whether a file is an archive of PyTorch without a program: a state dictionary, and no
   * TorchScript, which has its code and its constants in it.
   */
  public static boolean isStateDictionary(Path file) {
    return has(file, PICKLE) && !isTorchScript(file);
  }

  /** Whether a file is an archive of PyTorch with a program in it. */
  public static boolean isTorchScript(Path file) {
    return has(file, "[^/]*/(constants\\.pkl|code/.*)");
  }

  private static boolean has(Path file, String name) {
    try (ZipFile zip = new ZipFile(file.toFile())) {
      return zip.stream().anyMatch(e -> e.getName().matches(name));
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }

  static TorchFile open(Path file) throws IOException {
    ZipFile zip;
    try {
      zip = new ZipFile(file.toFile());
    } catch (IOException | IllegalArgumentException e) {
      throw new FormatException(file, "a whole zip archive", "a damaged one: " + e.getMessage());
    }
    try {
      List<String> pickles =
          zip.stream().map(ZipEntry::getName).filter(n -> n.matches(PICKLE)).toList();
      if (pickles.size() != 1) {
        throw new FormatException(
            file, "an archive of PyTorch with one data.pkl", pickles.size() + " of them");
      }
      String name = pickles.get(0);
      TorchFile opened =
          new TorchFile(file, zip, name.substring(0, name.length() - "data.pkl".length()));
      ZipEntry order = zip.getEntry(opened.root + "byteorder");
      if (order != null
          && !new String(opened.bytes(order, 16), StandardCharsets.UTF_8).equals("little")) {
        throw new FormatException(file, "numbers in little-endian order", "others");
      }
      opened.find(Pickle.read(file, opened.bytes(zip.getEntry(name), MAX_PICKLE)));
      return opened;
    } catch (IOException e) {
      zip.close();
      throw e instanceof FormatException
          ? e
          : new FormatException(file, "a whole archive", "a damaged one: " + e.getMessage());
    } catch (RuntimeException e) {
      zip.close();
      throw new FormatException(file, "a whole archive of PyTorch", "a damaged one");
    }
  }

  /** Takes the tensors of the dictionary, or of that in it. */
  private void find(Object value) throws FormatException {
    Map<?, ?> dictionary = value instanceof Map<?, ?> m ? m : Map.of();
    for (int depth = 0; depth < 2 && tensorsOf(dictionary).isEmpty(); depth++) {
      Map<?, ?> outer = dictionary;
      Optional<Object> inner =
          INSIDE.stream()
              .filter(outer::containsKey)
              .<Object>map(outer::get)
              .filter(Map.class::isInstance)
              .findFirst();
      dictionary = inner.isPresent() ? (Map<?, ?>) inner.get() : dictionary;
    }
    tensors.putAll(tensorsOf(dictionary));
    if (tensors.isEmpty()) {
      throw new FormatException(
          file, "a dictionary of tensors, itself or below " + INSIDE, "none in it");
    }
    tensors.forEach(
        (name, t) -> entries.put(name, new Entry(t.storage().type().name(), t.shape())));
  }

  private static Map<String, Pickle.Tensor> tensorsOf(Map<?, ?> dictionary) {
    Map<String, Pickle.Tensor> found = new LinkedHashMap<>();
    dictionary.forEach(
        (name, value) -> {
          if (name instanceof String s && value instanceof Pickle.Tensor t) {
            found.put(s, t);
          }
        });
    return found;
  }

  /** A file of the archive, which must be of the size that it says and have its checksum. */
  private byte[] bytes(ZipEntry entry, long most) throws IOException {
    if (entry.getSize() < 0 || entry.getSize() > most) {
      throw new FormatException(
          file,
          "at most %,d bytes in %s".formatted(most, entry.getName()),
          "%,d".formatted(entry.getSize()));
    }
    byte[] bytes;
    try (InputStream in = zip.getInputStream(entry)) {
      bytes = in.readNBytes((int) entry.getSize() + 1);
    }
    CRC32 crc = new CRC32();
    crc.update(bytes);
    if (bytes.length != entry.getSize() || crc.getValue() != entry.getCrc()) {
      throw new FormatException(
          file, "%s with its checksum".formatted(entry.getName()), "a damaged one");
    }
    return bytes;
  }

  @Override
  public String format() {
    return "state dictionary of PyTorch";
  }

  @Override
  public Map<String, Entry> entries() {
    return Collections.unmodifiableMap(entries);
  }

  @Override
  public FloatTensor read(String name) throws IOException {
    Pickle.Tensor t = tensors.get(name);
    Pickle.Storage storage = t.storage();
    NumberType type = storage.type();
    ZipEntry entry = zip.getEntry(root + "data/" + storage.key());
    long expected = storage.count() * type.bytes();
    if (entry == null || expected > Integer.MAX_VALUE - 8 || entry.getSize() != expected) {
      throw new FormatException(
          file,
          "%d numbers %s in data/%s for %s".formatted(storage.count(), type, storage.key(), name),
          entry == null ? "no such entry" : entry.getSize() + " bytes");
    }
    ByteBuffer raw;
    try {
      raw = ByteBuffer.wrap(bytes(entry, expected)).order(ByteOrder.LITTLE_ENDIAN);
    } catch (FormatException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      throw new FormatException(file, "a whole archive", "a damaged one: " + e.getMessage());
    }
    float[] values = new float[Math.toIntExact(t.count())];
    int[] index = new int[t.shape().length];
    long at = t.offset();
    for (int i = 0; i < values.length; i++) {
      values[i] = type.at(raw, (int) at);
      for (int d = index.length - 1; d >= 0; d--) {
        at += t.stride()[d];
        if (++index[d] < t.shape()[d]) {
          break;
        }
        at -= index[d] * t.stride()[d];
        index[d] = 0;
      }
    }
    return new FloatTensor(t.shape(), values);
  }

  @Override
  public void close() throws IOException {
    zip.close();
  }
}
