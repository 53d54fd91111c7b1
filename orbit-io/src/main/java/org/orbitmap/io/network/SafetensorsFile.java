package org.orbitmap.io.network;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.orbitmap.io.FormatException;
import org.orbitmap.network.FloatTensor;

/**
 * A safetensors file of anybody: eight bytes with the length of a JSON header, the header, the
 * numbers. Tensors lie side by side, in any order; types are those of {@link NumberType}.
 */
final class SafetensorsFile implements TensorFile {
  private static final long MAX_HEADER = 100_000_000;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path file;
  private final FileChannel channel;
  private final long data;
  private final Map<String, Entry> entries = new LinkedHashMap<>();
  private final Map<String, Long> places = new LinkedHashMap<>();
  private final Map<String, String> metadata = new LinkedHashMap<>();

  private SafetensorsFile(Path file, FileChannel channel, long data) {
    this.file = file;
    this.channel = channel;
    this.data = data;
  }

  static SafetensorsFile open(Path file) throws IOException {
    FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
    try {
      long size = channel.size();
      ByteBuffer first = bytes(channel, 0, (int) Math.min(8, size));
      long length = first.remaining() < 8 ? -1 : first.getLong();
      if (length < 2 || length > Math.min(MAX_HEADER, size - 8)) {
        throw new FormatException(file, "a safetensors file", "something else or a cut file");
      }
      SafetensorsFile opened = new SafetensorsFile(file, channel, 8 + length);
      opened.header(bytes(channel, 8, (int) length).array(), size - 8 - length);
      return opened;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private void header(byte[] text, long size) throws IOException {
    long all = 0;
    for (Map.Entry<String, JsonNode> e : json(text).properties()) {
      if (e.getKey().equals("__metadata__")) {
        e.getValue().properties().forEach(m -> metadata.put(m.getKey(), m.getValue().asText()));
        continue;
      }
      JsonNode t = e.getValue();
      String type = t.path("dtype").asText();
      int bytes =
          NumberType.named(type)
              .orElseThrow(
                  () ->
                      new FormatException(
                          file, "tensors of floats or whole numbers", type + " for " + e.getKey()))
              .bytes();
      JsonNode sizes = t.path("shape");
      long[] shape = new long[sizes.size()];
      long count = sizes.isArray() ? 1 : -1;
      for (int d = 0; d < shape.length; d++) {
        shape[d] = whole(sizes.get(d));
        count = shape[d] < 0 || shape[d] > MAX_COUNT || count < 0 ? -1 : count * shape[d];
        count = count > MAX_COUNT ? -1 : count;
      }
      if (count < 0) {
        throw new FormatException(
            file, "a shape of at most %,d numbers for %s".formatted(MAX_COUNT, e.getKey()), sizes);
      }
      long from = whole(t.path("data_offsets").path(0));
      long to = whole(t.path("data_offsets").path(1));
      if (from < 0 || to - from != bytes * count || to > size) {
        throw new FormatException(
            file,
            "%d numbers of %s within %d bytes".formatted(count, e.getKey(), size),
            "%d to %d".formatted(from, to));
      }
      all += to - from;
      entries.put(e.getKey(), new Entry(type, shape));
      places.put(e.getKey(), from);
    }
    if (all != size) {
      throw new FormatException(file, all + " bytes of numbers", Long.toString(size));
    }
  }

  /** A whole number; -1 for what is none. */
  private static long whole(JsonNode number) {
    return number.isIntegralNumber() && number.canConvertToLong() ? number.longValue() : -1;
  }

  private JsonNode json(byte[] text) throws FormatException {
    try {
      JsonNode header = JSON.readTree(new String(text, StandardCharsets.UTF_8));
      if (header != null && header.isObject()) {
        return header;
      }
    } catch (IOException e) {
      // said below
    }
    throw new FormatException(file, "a JSON header", "a damaged one");
  }

  private static ByteBuffer bytes(FileChannel channel, long from, int count) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(count).order(ByteOrder.LITTLE_ENDIAN);
    while (buffer.hasRemaining()) {
      if (channel.read(buffer, from + buffer.position()) < 0) {
        throw new IOException("expected %d bytes, found the end of the file".formatted(count));
      }
    }
    return buffer.flip();
  }

  @Override
  public String format() {
    return "safetensors";
  }

  @Override
  public Map<String, Entry> entries() {
    return Collections.unmodifiableMap(entries);
  }

  @Override
  public Map<String, String> metadata() {
    return Collections.unmodifiableMap(metadata);
  }

  @Override
  public FloatTensor read(String name) throws IOException {
    Entry e = entries.get(name);
    NumberType type = NumberType.valueOf(e.type());
    int count = Math.toIntExact(e.count());
    ByteBuffer raw = bytes(channel, data + places.get(name), count * type.bytes());
    float[] values = new float[count];
    if (type == NumberType.F32) {
      raw.asFloatBuffer().get(values);
    } else {
      for (int i = 0; i < count; i++) {
        values[i] = type.at(raw, i);
      }
    }
    return new FloatTensor(e.shape(), values);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
