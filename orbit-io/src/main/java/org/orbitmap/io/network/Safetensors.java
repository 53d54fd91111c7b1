package org.orbitmap.io.network;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.orbitmap.io.AtomicFiles;
import org.orbitmap.io.Digests;
import org.orbitmap.io.FormatException;
import org.orbitmap.network.FloatTensor;

/**
 * The safetensors format: eight bytes with the length of a JSON header, the header, the numbers.
 * Reading it never runs code, and other libraries read it too. Here all tensors are 32-bit floats,
 * and the header's metadata holds a SHA-256 of the numbers and of the other metadata.
 *
 * @param metadata free text by name
 * @param tensors by name, in the order of the file
 */
public record Safetensors(Map<String, String> metadata, Map<String, FloatTensor> tensors) {
  private static final String CHECKSUM = "sha256";
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Writes the file whole or not at all. */
  public void write(Path file) throws IOException {
    Map<String, Supplier<FloatTensor>> given = new LinkedHashMap<>();
    tensors.forEach((name, t) -> given.put(name, () -> t));
    write(file, metadata, given);
  }

  /**
   * The same for tensors that need not be in memory together: each is asked for twice, and must be
   * the same then.
   */
  public static void write(
      Path file, Map<String, String> metadata, Map<String, Supplier<FloatTensor>> tensors)
      throws IOException {
    AtomicFiles.write(file, out -> writeTo(out, metadata, tensors));
  }

  private static void writeTo(
      OutputStream out, Map<String, String> metadata, Map<String, Supplier<FloatTensor>> tensors)
      throws IOException {
    ObjectNode header = JSON.createObjectNode();
    ObjectNode meta = header.putObject("__metadata__");
    new TreeMap<>(metadata).forEach(meta::put);
    meta.put(CHECKSUM, ""); // its place
    MessageDigest sha = digest(metadata);
    long offset = 0;
    for (Map.Entry<String, Supplier<FloatTensor>> e : tensors.entrySet()) {
      FloatTensor value = e.getValue().get();
      update(sha, e.getKey(), value);
      ObjectNode t = header.putObject(e.getKey());
      t.put("dtype", "F32");
      t.set("shape", JSON.valueToTree(value.shape()));
      long end = offset + 4L * value.values().length;
      t.set("data_offsets", JSON.valueToTree(new long[] {offset, end}));
      offset = end;
    }
    meta.put(CHECKSUM, HexFormat.of().formatHex(sha.digest()));
    byte[] text = JSON.writeValueAsBytes(header);
    int padded = (text.length + 7) / 8 * 8;
    byte[] head = Arrays.copyOf(text, padded);
    Arrays.fill(head, text.length, padded, (byte) ' ');
    out.write(ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(padded).array());
    out.write(head);
    for (Supplier<FloatTensor> t : tensors.values()) {
      out.write(bytes(t.get()));
    }
  }

  /**
   * Reads a file.
   *
   * @throws FormatException if it is cut, damaged, or not of this format
   */
  public static Safetensors read(Path file) throws IOException {
    try (SafetensorsFile opened = SafetensorsFile.open(file)) {
      Map<String, FloatTensor> tensors = new LinkedHashMap<>();
      for (Map.Entry<String, TensorFile.Entry> e : opened.entries().entrySet()) {
        if (!e.getValue().type().equals("F32")) {
          throw new FormatException(
              file, "tensors of type F32", e.getValue().type() + " for " + e.getKey());
        }
        tensors.put(e.getKey(), opened.read(e.getKey()));
      }
      Map<String, String> metadata = new LinkedHashMap<>(opened.metadata());
      String expected = metadata.remove(CHECKSUM);
      Safetensors read = new Safetensors(metadata, tensors);
      if (!read.checksum().equals(expected)) {
        throw new FormatException(file, "checksum " + expected, read.checksum());
      }
      return read;
    }
  }

  /** The tensors whose names begin with a prefix, by the rest of their names. */
  public Map<String, FloatTensor> part(String prefix) {
    Map<String, FloatTensor> part = new LinkedHashMap<>();
    tensors.forEach(
        (name, t) -> {
          if (name.startsWith(prefix)) {
            part.put(name.substring(prefix.length()), t);
          }
        });
    return part;
  }

  private String checksum() {
    MessageDigest sha = digest(metadata);
    tensors.forEach((name, t) -> update(sha, name, t));
    return HexFormat.of().formatHex(sha.digest());
  }

  private static MessageDigest digest(Map<String, String> metadata) {
    MessageDigest sha = Digests.sha256();
    new TreeMap<>(metadata)
        .forEach((k, v) -> sha.update((k + "\0" + v + "\0").getBytes(StandardCharsets.UTF_8)));
    return sha;
  }

  private static void update(MessageDigest sha, String name, FloatTensor t) {
    sha.update((name + Arrays.toString(t.shape())).getBytes(StandardCharsets.UTF_8));
    sha.update(bytes(t));
  }

  private static byte[] bytes(FloatTensor t) {
    ByteBuffer buffer = ByteBuffer.allocate(4 * t.values().length).order(ByteOrder.LITTLE_ENDIAN);
    buffer.asFloatBuffer().put(t.values());
    return buffer.array();
  }
}
