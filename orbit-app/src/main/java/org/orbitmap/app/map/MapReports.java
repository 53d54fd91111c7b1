package org.orbitmap.app.map;

import com.fasterxml.jackson.core.type.TypeReference;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.orbitmap.app.option.Json;

/**
 * What became of each file of a {@link MapRun}, in the order in which it was told. Only counts are
 * kept in memory, the reports in a file that is gone when this is closed: so there may be millions.
 */
public final class MapReports implements Iterable<Map<String, Object>>, AutoCloseable {
  private static final TypeReference<LinkedHashMap<String, Object>> OBJECT =
      new TypeReference<>() {};

  private final FileChannel file;
  private final Writer lines;
  private long size;
  private long kept;
  private long failed;

  /** None yet. */
  public MapReports() throws IOException {
    Path place = Files.createTempFile("orbit-map", ".jsonl");
    file =
        FileChannel.open(
            place,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE);
    lines = new BufferedWriter(Channels.newWriter(file, StandardCharsets.UTF_8), 1 << 16);
  }

  /** Adds a report, before any is read. */
  public void add(Map<String, Object> report) {
    size++;
    kept += report.containsKey("kept") ? 1 : 0;
    failed += report.containsKey("error") ? 1 : 0;
    try {
      lines.write(Json.line(report));
      lines.write('\n');
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** How many there are. */
  public long size() {
    return size;
  }

  /** How many files were mapped before and kept. */
  public long kept() {
    return kept;
  }

  /** How many files could not be mapped. */
  public long failed() {
    return failed;
  }

  /** All reports, read as they are asked for; one iteration at a time. */
  @Override
  public Iterator<Map<String, Object>> iterator() {
    try {
      lines.flush();
      file.position(0);
      Iterator<LinkedHashMap<String, Object>> all =
          Json.mapper().readerFor(OBJECT).readValues(Channels.newInputStream(file));
      return new Iterator<>() {
        @Override
        public boolean hasNext() {
          return all.hasNext();
        }

        @Override
        public Map<String, Object> next() {
          return all.next();
        }
      };
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
