package org.orbitmap.app.map;

import com.fasterxml.jackson.core.type.TypeReference;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
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

  private static final Spool.Codec<byte[]> LINES =
      new Spool.Codec<>() {
        @Override
        public void write(byte[] line, DataOutputStream out) throws IOException {
          out.writeInt(line.length);
          out.write(line);
        }

        @Override
        public byte[] read(DataInputStream in) throws IOException {
          return in.readNBytes(in.readInt());
        }
      };

  /**
   * The reports of some files, as the lines that are kept: written where the files are mapped, and
   * never again.
   */
  static final class Batch implements Serializable {
    private static final long serialVersionUID = 1;

    private final byte[][] lines;
    private final int kept;
    private final int failed;

    Batch(List<Map<String, Object>> reports) {
      lines = new byte[reports.size()][];
      Arrays.setAll(lines, i -> Json.line(reports.get(i)).getBytes(StandardCharsets.UTF_8));
      kept = (int) reports.stream().filter(r -> r.containsKey("kept")).count();
      failed = (int) reports.stream().filter(r -> r.containsKey("error")).count();
    }

    int size() {
      return lines.length;
    }
  }

  private final Spool<byte[]> reports = new Spool<>(LINES);
  private long kept;
  private long failed;

  /** Adds the reports of some files. */
  void add(Batch batch) throws IOException {
    kept += batch.kept;
    failed += batch.failed;
    for (byte[] line : batch.lines) {
      reports.add(line);
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
    Iterator<byte[]> lines = reports.iterator();
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return lines.hasNext();
      }

      @Override
      public Map<String, Object> next() {
        try {
          return Json.mapper().readValue(lines.next(), OBJECT);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    };
  }

  @Override
  public void close() throws IOException {
    reports.close();
  }
}
