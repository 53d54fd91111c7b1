package org.orbitmap.app.map;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.orbitmap.app.option.Json;
import org.orbitmap.io.NameIndex;

/**
 * The record of what {@code orbit map} wrote to a folder: {@code manifest.jsonl}, one JSON object a
 * line for each result, on the disk before the result itself appears. Lines are only added; of two
 * with the same output the later one holds. A line that was cut off when a process was killed is
 * ignored: its result is not there either.
 *
 * <p>Threads may append at the same time, and so may processes.
 */
public final class Manifest implements AutoCloseable {
  /** The name of the file. */
  public static final String NAME = "manifest.jsonl";

  /** The folder with parts, beside the manifest. */
  private static final String PARTS = ".manifest";

  private static final TypeReference<LinkedHashMap<String, Object>> OBJECT =
      new TypeReference<>() {};

  private final Path file;
  private final Function<String, Entry> recorded;
  private FileChannel channel;

  /**
   * One result.
   *
   * @param file the input, as the user named it
   * @param output the result below the folder of the manifest, with slashes
   * @param inputSha256 the digest of the input
   * @param outputSha256 the digest of the result
   * @param settings what the result depends on beside the input
   * @param report the element, the margins and what else was reported
   */
  public record Entry(
      String file,
      String output,
      String inputSha256,
      String outputSha256,
      Map<String, String> settings,
      Map<String, Object> report)
      implements Serializable {

    /** The files that belong to the result: its other frames. */
    Set<String> companions() {
      Set<String> names = new LinkedHashSet<>();
      if (report.get("frames") instanceof List<?> frames) {
        for (Object frame : frames) {
          if (frame instanceof Map<?, ?> fields && fields.get("output") instanceof String name) {
            names.add(name);
          }
        }
      }
      return names;
    }

    /** The fields of the line: file and output, the report, then digests and settings. */
    private Map<String, Object> fields() {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("file", file);
      fields.put("output", output);
      fields.putAll(report);
      fields.put("inputSha256", inputSha256);
      fields.put("outputSha256", outputSha256);
      fields.put("settings", settings);
      return fields;
    }

    private static Optional<Entry> of(Map<String, Object> fields) {
      Map<String, Object> report = new LinkedHashMap<>(fields);
      if (report.remove("file") instanceof String file
          && report.remove("output") instanceof String output
          && report.remove("inputSha256") instanceof String input
          && report.remove("outputSha256") instanceof String result
          && report.remove("settings") instanceof Map<?, ?> given) {
        Map<String, String> settings = new LinkedHashMap<>();
        given.forEach((name, value) -> settings.put((String) name, String.valueOf(value)));
        return Optional.of(new Entry(file, output, input, result, settings, report));
      }
      return Optional.empty();
    }
  }

  private Manifest(Path file, Function<String, Entry> recorded) {
    this.file = file;
    this.recorded = recorded;
  }

  /**
   * The manifest of a folder; without entries if there is none yet. Of a long one only where its
   * lines are is kept in memory.
   */
  public static Manifest in(Path folder) throws IOException {
    Path file = folder.resolve(NAME);
    if (!Files.exists(file)) {
      return new Manifest(file, output -> null);
    }
    NameIndex places = new NameIndex();
    lines(file, (place, entry) -> entry.ifPresent(e -> places.put(e.output, place)));
    return new Manifest(
        file,
        output -> {
          long place = places.get(output, -1);
          return place < 0
              ? null
              : at(file, place).filter(e -> e.output.equals(output)).orElse(null);
        });
  }

  /**
   * A part of the manifest of a folder, for a process that maps some of its files while others map
   * the rest. Who holds the folder's lock takes parts into the manifest with {@link #gather}.
   *
   * @param entries what the manifest has of these files
   */
  static Manifest part(Path folder, Map<String, Entry> entries) {
    Path file = folder.resolve(PARTS).resolve(UUID.randomUUID() + ".jsonl");
    return new Manifest(file, entries::get);
  }

  /** Removes a part whose entries were taken over. */
  static void removePart(Path folder, String name) throws IOException {
    Files.deleteIfExists(folder.resolve(PARTS).resolve(name));
  }

  /**
   * Takes what is left of parts, of processes that were killed, into the manifest of a folder. What
   * it has already is not added again.
   */
  static void gather(Path folder) throws IOException {
    Path parts = folder.resolve(PARTS);
    if (!Files.isDirectory(parts)) {
      return;
    }
    for (Path part : parts(parts)) {
      try (Manifest whole = in(folder)) {
        List<Entry> more = new ArrayList<>();
        for (Entry entry : read(part).entries.values()) {
          if (!entry.equals(whole.find(entry.output))) {
            more.add(entry);
          }
        }
        whole.append(more);
        Files.deleteIfExists(part);
      }
    }
    Files.deleteIfExists(parts);
  }

  private static List<Path> parts(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }

  /**
   * Whether another part of the manifest that this is a part of names a file: a process that was
   * lost wrote it, and what it did is done again here.
   */
  boolean inOtherPart(String name) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    if (!folder.endsWith(PARTS) || !Files.isDirectory(folder)) {
      return false;
    }
    for (Path part : parts(folder)) {
      for (Entry entry : read(part).entries.values()) {
        if (entry.output.equals(name) || entry.companions().contains(name)) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * All that a manifest has, by output.
   *
   * @param damaged the number of lines that cannot be understood
   */
  public record Content(Path file, Map<String, Entry> entries, int damaged) {}

  /** Reads the manifest in a file. */
  public static Content read(Path file) throws IOException {
    Map<String, Entry> entries = new LinkedHashMap<>();
    int[] damaged = new int[1];
    lines(
        file,
        (place, entry) -> {
          entry.ifPresent(e -> entries.put(e.output, e));
          damaged[0] += entry.isPresent() ? 0 : 1;
        });
    return new Content(file, entries, damaged[0]);
  }

  /** Goes through the lines: where each begins, and its entry if it can be understood. */
  private static void lines(Path file, BiConsumer<Long, Optional<Entry>> each) throws IOException {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
      long place = 0;
      for (byte[] line = line(in); line != null; line = line(in)) {
        String text = new String(line, StandardCharsets.UTF_8);
        if (!text.isBlank()) {
          each.accept(place, parse(text));
        }
        place += line.length + 1;
      }
    }
  }

  private static Optional<Entry> at(Path file, long place) {
    try (InputStream in = Files.newInputStream(file)) {
      in.skipNBytes(place);
      byte[] line = line(new BufferedInputStream(in, 2048));
      return line == null ? Optional.empty() : parse(new String(line, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The bytes to the next line break or the end; null at the end. */
  private static byte[] line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream(1024);
    int b = in.read();
    if (b < 0) {
      return null;
    }
    for (; b >= 0 && b != '\n'; b = in.read()) {
      line.write(b);
    }
    return line.toByteArray();
  }

  private static Optional<Entry> parse(String line) {
    try {
      Map<String, Object> fields = Json.mapper().readValue(line, OBJECT);
      return fields == null ? Optional.empty() : Entry.of(fields);
    } catch (JsonProcessingException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** The file. */
  public Path file() {
    return file;
  }

  /** What was recorded of an output when this was opened; null if nothing was. */
  Entry find(String output) {
    return recorded.apply(output);
  }

  /** Adds a line for each. The file is made with the first one. */
  public synchronized void append(List<Entry> more) throws IOException {
    if (more.isEmpty()) {
      return;
    }
    append(Json.lines(more.stream().map(Entry::fields).toList()));
  }

  /** Adds whole lines, as {@link #lines()} gave them. */
  synchronized void append(byte[] lines) throws IOException {
    if (lines.length == 0) {
      return;
    }
    if (channel == null) {
      Files.createDirectories(file.toAbsolutePath().getParent());
      channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      if (torn()) {
        write(new byte[] {'\n'});
      }
    }
    write(lines);
    channel.force(false);
  }

  private void write(byte[] lines) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(lines);
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  /** The lines of a part. */
  byte[] lines() throws IOException {
    return Files.exists(file) ? Files.readAllBytes(file) : new byte[0];
  }

  /** Whether the last line has no end. */
  private boolean torn() throws IOException {
    try (FileChannel in = FileChannel.open(file, StandardOpenOption.READ)) {
      ByteBuffer last = ByteBuffer.allocate(1);
      return in.size() > 0 && in.read(last, in.size() - 1) == 1 && last.get(0) != '\n';
    }
  }

  @Override
  public synchronized void close() throws IOException {
    if (channel != null) {
      channel.close();
    }
  }
}
