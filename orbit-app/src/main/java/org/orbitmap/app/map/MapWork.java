package org.orbitmap.app.map;

import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

  /** Maps all files of a plan; the reports are in its order. */
  static List<Map<String, Object>> run(
      List<MapPlan.Job> jobs,
      Path out,
      boolean overwrite,
      Manifest manifest,
      Cluster cluster,
      Progress progress)
      throws IOException {
    ArrayList<FileMapper> mappers = new ArrayList<>();
    int size = Math.max(1, Math.min(MOST, jobs.size() / (PIECES_EACH * cluster.width())));
    List<Piece> pieces = new ArrayList<>();
    for (int from = 0; from < jobs.size(); from += size) {
      ArrayList<Item> items = new ArrayList<>();
      for (MapPlan.Job job : jobs.subList(from, Math.min(from + size, jobs.size()))) {
        int mapper = mappers.indexOf(job.mapper());
        if (mapper < 0) {
          mapper = mappers.size();
          mappers.add(job.mapper());
        }
        String output = MapRun.name(job.output());
        items.add(new Item(job.file().toString(), output, mapper, manifest.entries().get(output)));
      }
      pieces.add(new Piece(items));
    }
    String base = Path.of("").toAbsolutePath().toString();
    List<Map<String, Object>> reports = new ArrayList<>(Collections.nCopies(jobs.size(), null));
    long[] done = new long[1];
    cluster.run(
        "orbit map",
        new MapWork(base, out.toString(), overwrite, mappers),
        pieces,
        (piece, result) -> {
          manifest.append(result.entries);
          Manifest.removePart(out, result.part);
          for (int i = 0; i < result.reports.size(); i++) {
            reports.set(piece * size + i, result.reports.get(i));
          }
          done[0] += result.reports.size();
          progress.update(done[0], jobs.size());
        });
    return reports;
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
      for (Item item : piece.items) {
        MapPlan.Job job =
            new MapPlan.Job(Path.of(item.file), Path.of(item.output), mappers.get(item.mapper));
        done.reports.add(run.report(job, done.entries::add));
      }
      return done;
    }
  }
}
