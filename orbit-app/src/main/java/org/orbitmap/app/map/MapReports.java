package org.orbitmap.app.map;

import com.fasterxml.jackson.core.type.TypeReference;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.orbitmap.app.option.Json;
import org.orbitmap.io.Spool;

/**
 * What became of each file of a {@link MapRun}, in the order in which it was told. Only counts are
 * kept in memory, the reports in a {@link Spool}: so there may be millions.
 */
public final class MapReports implements Iterable<Map<String, Object>>, AutoCloseable {
  private static final TypeReference<LinkedHashMap<String, Object>> OBJECT =
      new TypeReference<>() {};

  private static final Spool.Codec<Map<String, Object>> LINES =
      new Spool.Codec<>() {
        @Override
        public void write(Map<String, Object> report, DataOutputStream out) throws IOException {
          byte[] line = Json.line(report).getBytes(StandardCharsets.UTF_8);
          out.writeInt(line.length);
          out.write(line);
        }

        @Override
        public Map<String, Object> read(DataInputStream in) throws IOException {
          return Json.mapper().readValue(in.readNBytes(in.readInt()), OBJECT);
        }
      };

  private final Spool<Map<String, Object>> reports = new Spool<>(LINES);
  private long kept;
  private long failed;

  /** Adds a report. */
  public void add(Map<String, Object> report) {
    kept += report.containsKey("kept") ? 1 : 0;
    failed += report.containsKey("error") ? 1 : 0;
    try {
      reports.add(report);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** How many there are. */
  public long size() {
    return reports.size();
  }

  /** How many files were mapped before and kept. */
  public long kept() {
    return kept;
  }

  /** How many files could not be mapped. */
  public long failed() {
    return failed;
  }

  /** All reports, read as they are asked for. */
  @Override
  public Iterator<Map<String, Object>> iterator() {
    return reports.iterator();
  }

  @Override
  public void close() throws IOException {
    reports.close();
  }
}
