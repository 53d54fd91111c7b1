package org.orbitmap.app.map;

import com.fasterxml.jackson.core.type.TypeReference;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.orbitmap.app.option.Json;
import org.orbitmap.io.Spool;

/**
 * What became of each file of a {@link MapRun}, in the order in which it was told. Only counts are
 * kept in memory, the reports in a {@link Spool}: so there may be millions. Who needs only some of
 * them says so, and the others are counted alone.
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
    private static final long serialVersionUID = 2;

    private final byte[][] lines;
    private final boolean[] failed;
    private final int kept;

    Batch(List<Map<String, Object>> reports) {
      lines = new byte[reports.size()][];
      failed = new boolean[lines.length];
      for (int i = 0; i < lines.length; i++) {
        lines[i] = line(reports.get(i));
        failed[i] = failed(reports.get(i));
      }
      kept = (int) reports.stream().filter(MapReports::kept).count();
    }

    int size() {
      return lines.length;
    }
  }

  private static byte[] line(Map<String, Object> report) {
    return Json.line(report).getBytes(StandardCharsets.UTF_8);
  }

  private static boolean failed(Map<String, Object> report) {
    return report.containsKey("error");
  }

  private static boolean kept(Map<String, Object> report) {
    return report.containsKey("kept");
  }

  private final Spool<byte[]> reports = new Spool<>(LINES);
  private final long most;
  private long size;
  private long kept;
  private long failed;

  /**
   * No reports yet.
   *
   * @param most how many are wanted: of those that come later only files that failed
   */
  public MapReports(long most) {
    this.most = most;
  }

  /** Adds the reports of some files. */
  void add(Batch batch) throws IOException {
    kept += batch.kept;
    for (int i = 0; i < batch.size(); i++) {
      if (wanted(batch.failed[i])) {
        reports.add(batch.lines[i]);
      }
    }
  }

  /** Adds the reports of some files. */
  void add(List<Map<String, Object>> batch) throws IOException {
    for (Map<String, Object> report : batch) {
      kept += kept(report) ? 1 : 0;
      if (wanted(failed(report))) {
        reports.add(line(report));
      }
    }
  }

  /** Counts one, and tells whether it is wanted. */
  private boolean wanted(boolean bad) {
    failed += bad ? 1 : 0;
    return size++ < most || bad;
  }

  /** How many files there were. */
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

  /** The reports that are wanted, read as they are asked for. */
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
