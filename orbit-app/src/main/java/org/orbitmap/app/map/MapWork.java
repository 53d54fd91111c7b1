package org.orbitmap.app.map;

import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.orbitmap.eval.Cluster;
import org.orbitmap.eval.Progress;

/**
 * Some of the files of a plan, mapped wherever the cluster says as {@link MapRun} maps them here:
 * each result is written beside its place, recorded in a part of the manifest, and then takes its
 * place. Who asked for them takes the records over as they come in. If a machine is lost, its files
 * are mapped again, to the same bytes; if all of it is killed, the next call finds the parts.
 *
 * <p>Records and reports travel as the lines that are kept of them, names as plain arrays: what is
 * sent for a file costs little beside mapping it.
 */
final class MapWork implements Cluster.Work<MapWork.Piece, MapWork.Done> {
  private static final long serialVersionUID = 1;

  /** Files of a piece: enough to be brought to the disk together. */
  private static final int MOST = 1024;

  /** Pieces for each thread, so that all end at about the same time. */
  private static final int PIECES_EACH = 16;

  /** Files of that many pieces: what is known here of files under way fits into memory. */
  private static final int UNDER_WAY = 1 << 20;

  private final String base;
  private final String out;
  private final boolean overwrite;
  private final ArrayList<FileMapper> mappers;
  private transient AtomicInteger group;

  /**
   * Some files.
   *
   * @param mappers the number of that of each
   * @param before what is recorded of them, by their results
   */
  record Piece(
      String[] files, String[] outputs, byte[] mappers, HashMap<String, Manifest.Entry> before)
      implements Serializable {}

  /**
   * What became of them.
   *
   * @param part of the manifest, by the name of its file
   * @param records its lines
   */
  record Done(String part, byte[] records, ArrayList<MapReports.Batch> reports)
      implements Serializable {
    int size() {
      return reports.stream().mapToInt(MapReports.Batch::size).sum();
    }
  }

  /**
   * The work.
   *
   * @param base the folder that names of files are relative to
   * @param out the folder of the results, as the user named it
   * @param mappers those that the files refer to
   */
  private MapWork(String base, String out, boolean overwrite, List<FileMapper> mappers) {
    this.base = base;
    this.out = out;
    this.overwrite = overwrite;
    this.mappers = new ArrayList<>(mappers);
  }

  /** Maps all files of a plan; the reports come in its order. */
  static void run(
      MapPlan plan,
      Path out,
      boolean overwrite,
      Manifest manifest,
      Cluster cluster,
      Progress progress,
      MapReports reports)
      throws IOException {
    List<FileMapper> mappers = new ArrayList<>();
    for (MapPlan.Job job : plan.jobs()) {
      if (mappers.stream().noneMatch(m -> m == job.mapper())) {
        mappers.add(job.mapper());
      }
    }
    String base = Path.of("").toAbsolutePath().toString();
    MapWork work = new MapWork(base, out.toString(), overwrite, mappers);
    Map<Integer, Done> early = new HashMap<>(); // done before one that comes before them
    int[] next = new int[1];
    long[] done = new long[1];
    cluster.run(
        "orbit map",
        work,
        work.pieces(plan, cluster, manifest),
        (piece, result) -> {
          manifest.append(result.records);
          Manifest.removePart(out, result.part);
          done[0] += result.size();
          progress.update(done[0], plan.size());
          early.put(piece, result);
          for (Done now = early.remove(next[0]); now != null; now = early.remove(++next[0])) {
            for (MapReports.Batch batch : now.reports) {
              reports.add(batch);
            }
          }
        });
  }

  /** How many files a piece has, on a cluster as large as it is now. */
  private static int size(long files, int width) {
    long pieces = (long) PIECES_EACH * width;
    long most = Math.min(MOST, UNDER_WAY / pieces);
    return (int) Math.max(1, Math.min(most, files / pieces));
  }

  /** Pieces, made as they are asked for. */
  private Iterator<Piece> pieces(MapPlan plan, Cluster cluster, Manifest manifest) {
    Iterator<MapPlan.Job> jobs = plan.jobs().iterator();
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return jobs.hasNext();
      }

      @Override
      public Piece next() {
        int size = size(plan.size(), cluster.width());
        List<MapPlan.Job> some = new ArrayList<>(size);
        do {
          some.add(jobs.next());
        } while (some.size() < size && jobs.hasNext());
        Piece piece =
            new Piece(
                some.stream().map(job -> job.file().toString()).toArray(String[]::new),
                some.stream().map(job -> MapRun.name(job.output())).toArray(String[]::new),
                new byte[some.size()],
                new HashMap<>());
        for (int i = 0; i < some.size(); i++) {
          while (mappers.get(piece.mappers[i]) != some.get(i).mapper()) {
            piece.mappers[i]++;
          }
          Manifest.Entry before = manifest.find(piece.outputs[i]);
          if (before != null) {
            piece.before.put(piece.outputs[i], before);
          }
        }
        return piece;
      }
    };
  }

  /** How many files go to the disk together here: one number for all threads of the process. */
  private synchronized AtomicInteger group() {
    if (group == null) {
      group = new AtomicInteger(MapRun.LEAST);
    }
    return group;
  }

  @Override
  public Done on(Piece piece) throws IOException {
    Path folder = Path.of(base).resolve(out);
    try (Manifest part = Manifest.part(folder, piece.before)) {
      ArrayList<MapReports.Batch> reports = new ArrayList<>();
      new MapRun(Path.of(base), Path.of(out), part, overwrite)
          .map(
              IntStream.range(0, piece.files.length).mapToObj(i -> job(piece, i)).iterator(),
              1,
              group(),
              () -> {},
              group -> reports.add(new MapReports.Batch(MapRun.reports(group))));
      return new Done(part.file().getFileName().toString(), part.lines(), reports);
    }
  }

  private MapPlan.Job job(Piece piece, int i) {
    return new MapPlan.Job(
        Path.of(piece.files[i]), Path.of(piece.outputs[i]), mappers.get(piece.mappers[i]));
  }
}
