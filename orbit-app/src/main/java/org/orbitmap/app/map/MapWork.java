package org.orbitmap.app.map;

import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.orbitmap.eval.Cluster;
import org.orbitmap.eval.Progress;

/**
 * Some of the files of a plan, mapped wherever the cluster says as {@link MapRun} maps them here:
 * each result is written beside its place, recorded in a part of the manifest, and then takes its
 * place. Who asked for them takes the records over as they come in. If a machine is lost, its files
 * are mapped again, to the same bytes; if all of it is killed, the next call finds the parts.
 *
 * @param base the folder that names of files are relative to
 * @param out the folder of the results, as the user named it
 * @param mappers those that the files refer to
 */
record MapWork(String base, String out, boolean overwrite, ArrayList<FileMapper> mappers)
    implements Cluster.Work<MapWork.Piece, MapWork.Done> {
  private static final int MOST = 100;
  private static final int PIECES_EACH = 16;

  /** One file, with what is recorded of it; null if nothing is. */
  private record Item(String file, String output, int mapper, Manifest.Entry before)
      implements Serializable {}

  /** Some files. */
  record Piece(ArrayList<Item> items) implements Serializable {}

  /**
   * What became of them.
   *
   * @param part of the manifest, by the name of its file
   * @param entries of the results that were made
   */
  record Done(
      String part, ArrayList<Map<String, Object>> reports, ArrayList<Manifest.Entry> entries)
      implements Serializable {}

  /** Maps all files of a plan; the reports come in its order. */
  static void run(
      MapPlan plan,
      Path out,
      boolean overwrite,
      Manifest manifest,
      Cluster cluster,
      Progress progress,
      Consumer<Map<String, Object>> reports)
      throws IOException {
    ArrayList<FileMapper> mappers = new ArrayList<>();
    for (MapPlan.Job job : plan.jobs()) {
      if (mappers.stream().noneMatch(m -> m == job.mapper())) {
        mappers.add(job.mapper());
      }
    }
    long each = plan.size() / ((long) PIECES_EACH * cluster.width());
    int size = (int) Math.max(1, Math.min(MOST, each));
    String base = Path.of("").toAbsolutePath().toString();
    MapWork work = new MapWork(base, out.toString(), overwrite, mappers);
    Map<Integer, Done> early = new HashMap<>(); // done before one that comes before them
    int[] next = new int[1];
    long[] done = new long[1];
    cluster.run(
        "orbit map",
        work,
        work.pieces(plan.jobs().iterator(), size, manifest),
        (piece, result) -> {
          manifest.append(result.entries);
          Manifest.removePart(out, result.part);
          done[0] += result.reports.size();
          progress.update(done[0], plan.size());
          early.put(piece, result);
          for (Done now = early.remove(next[0]); now != null; now = early.remove(++next[0])) {
            now.reports.forEach(reports);
          }
        });
  }

  /** Pieces of a size, made as they are asked for. */
  private Iterator<Piece> pieces(Iterator<MapPlan.Job> jobs, int size, Manifest manifest) {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return jobs.hasNext();
      }

      @Override
      public Piece next() {
        ArrayList<Item> items = new ArrayList<>(size);
        do {
          MapPlan.Job job = jobs.next();
          int mapper = 0;
          while (mappers.get(mapper) != job.mapper()) {
            mapper++;
          }
          String output = MapRun.name(job.output());
          Manifest.Entry before = manifest.find(output);
          items.add(new Item(job.file().toString(), output, mapper, before));
        } while (items.size() < size && jobs.hasNext());
        return new Piece(items);
      }
    };
  }

  @Override
  public Done on(Piece piece) throws IOException {
    Map<String, Manifest.Entry> before = new HashMap<>();
    for (Item item : piece.items) {
      if (item.before != null) {
        before.put(item.output, item.before);
      }
    }
    Path folder = Path.of(base).resolve(out);
    try (Manifest part = Manifest.part(folder, before)) {
      MapRun run = new MapRun(Path.of(base), Path.of(out), part, overwrite);
      Done done =
          new Done(part.file().getFileName().toString(), new ArrayList<>(), new ArrayList<>());
      List<MapRun.Outcome> outcomes = new ArrayList<>();
      for (Item item : piece.items) {
        outcomes.add(
            run.make(
                new MapPlan.Job(
                    Path.of(item.file), Path.of(item.output), mappers.get(item.mapper))));
      }
      for (MapRun.Outcome outcome : run.commit(outcomes)) {
        done.reports.add(outcome.report());
        if (outcome.entry() != null) {
          done.entries.add(outcome.entry());
        }
      }
      return done;
    }
  }
}
