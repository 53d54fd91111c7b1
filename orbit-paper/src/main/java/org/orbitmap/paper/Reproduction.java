package org.orbitmap.paper;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.orbitmap.eval.Cluster;
import org.orbitmap.eval.Workers;
import org.orbitmap.io.AtomicFiles;
import org.orbitmap.io.FolderLock;
import org.orbitmap.io.data.Choice;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.io.data.Split;
import org.orbitmap.io.data.source.DataSets;
import org.orbitmap.nn.fit.FitRecipe;
import org.orbitmap.nn.model.MappingConfig.Use;
import org.orbitmap.nn.train.Provenance;
import org.orbitmap.nn.train.RunFolder;
import org.orbitmap.nn.train.TrainConfig;
import org.orbitmap.nn.train.TrainingListener;

/**
 * One table of the paper, end to end: trains what its rows need, measures each row by the table's
 * protocol, and prints it beside the paper's figures.
 *
 * <p>Everything that is finished stays in the folder: runs, and for each row the counts of every
 * chunk of test inputs. What was stopped is resumed from there. When the time is up, training stops
 * before its next step (a run keeps the checkpoint of its last whole epoch), and the table is that
 * of what is trained and measured so far.
 *
 * @param <X> the inputs
 */
public final class Reproduction<X> {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
  private static final int CHUNK = 50;

  private final Table<X> table;

  private final TrainConfig firstTrained; // before the rows; null for nothing
  private final Settings settings;
  private final DataSet<X> test;
  private final TrainingListener listener;
  private final Cells cells;
  private final long deadline;
  private final LongSupplier clock;
  private final Cluster cluster;

  /**
   * How a table is reproduced.
   *
   * @param folder where everything goes
   * @param runs where trained networks are kept, to be shared with other tables
   * @param data the folder of data sets; null if there is no such place
   * @param seeds how many runs of each row
   * @param minutes stop after so many, with the table so far; 0 for no limit
   * @param limit how many test inputs; 0 for as many as the table has
   * @param command what the provenance says, such as a command line
   */
  public record Settings(
      Path folder, Path runs, Path data, int seeds, double minutes, int limit, String command) {
    /** With the runs in the same folder. */
    public Settings(Path folder, Path data, int seeds, double minutes, int limit, String command) {
      this(folder, folder.resolve("runs"), data, seeds, minutes, limit, command);
    }

    public Settings {
      if (seeds < 1 || !(minutes >= 0) || limit < 0) {
        throw new IllegalArgumentException(
            "seeds, minutes and limit: expected at least 1, 0 and 0, found %d, %s and %d"
                .formatted(seeds, minutes, limit));
      }
    }
  }

  private Reproduction(
      Table<X> table,
      Settings settings,
      Cluster cluster,
      TrainingListener listener,
      LongSupplier clock)
      throws IOException {
    this.clock = clock;
    this.cluster = cluster;
    this.settings = settings;
    this.table = table.backboneIn(backbone().modelFile());
    firstTrained = table.needsBackbone() ? table.backbone() : null;
    this.listener = listener;
    test = table.protocol().require(load(table.rows().get(0).train(), Split.TEST, limit()));
    // Fewer or more inputs are other chunks.
    cells =
        new Cells(
            settings.folder().resolve(limit() == table.limit() ? "cells" : "cells-" + limit()));
    deadline =
        settings.minutes() > 0
            ? clock.getAsLong() + (long) (settings.minutes() * 60e9)
            : Long.MAX_VALUE;
  }

  /**
   * Reproduces a table.
   *
   * @param listener told the progress in inputs, of training and then of measuring
   */
  public static <X> List<RowResult> run(
      Table<X> table, Settings settings, TrainingListener listener) throws IOException {
    return run(table, settings, null, listener);
  }

  /**
   * The same on a cluster, with the same results.
   *
   * @param cluster its machines see the folders under the same names; null for this machine
   */
  public static <X> List<RowResult> run(
      Table<X> table, Settings settings, Cluster cluster, TrainingListener listener)
      throws IOException {
    return run(table, settings, cluster, listener, System::nanoTime);
  }

  /** The same by another clock, in nanoseconds. */
  static <X> List<RowResult> run(
      Table<X> table,
      Settings settings,
      Cluster cluster,
      TrainingListener listener,
      LongSupplier clock)
      throws IOException {
    try (FolderLock lock = FolderLock.take(settings.folder())) {
      lock.removeLeftovers();
      Reproduction<X> r = new Reproduction<>(table, settings, cluster, listener, clock);
      r.train();
      return r.measure();
    }
  }

  private int limit() {
    return settings.limit() == 0 ? table.limit() : settings.limit();
  }

  private boolean timeIsUp() {
    return clock.getAsLong() > deadline;
  }

  /** A run that is not finished. */
  private record Pending(String name, TrainConfig config, DataSet<?> data, Path folder) {}

  private RunFolder backbone() {
    return new RunFolder(settings.runs().toAbsolutePath().normalize().resolve(Table.BACKBONE));
  }

  private void train() throws IOException {
    if (firstTrained != null && !(backbone().holds(firstTrained) && backbone().finished())) {
      DataSet<?> set = load(firstTrained, Split.TRAIN, firstTrained.limit());
      train(List.of(new Pending(Table.BACKBONE, firstTrained, set, backbone().path())));
      if (!backbone().finished()) {
        return; // the time is up
      }
    }
    Map<String, DataSet<?>> sets = new LinkedHashMap<>();
    for (int seed = 0; seed < settings.seeds(); seed++) {
      if (!fit(seed)) {
        return; // the time is up
      }
    }
    Set<Path> seen = new LinkedHashSet<>();
    // One network after the other, so that the time left is told from steps of the same cost.
    Map<String, List<Pending>> pending = new LinkedHashMap<>();
    for (int seed = 0; seed < settings.seeds(); seed++) {
      for (Row row : rows(seed)) {
        RunFolder run = run(row, seed);
        if (!seen.add(run.path())) {
          continue;
        }
        TrainConfig config = row.train().withSeed(seed);
        run.holds(config); // refuses another one
        if (run.finished()) {
          continue;
        }
        String key = config.data() + " " + config.points() + " " + config.limit();
        DataSet<?> set = sets.get(key);
        if (set == null && cluster == null) {
          set = load(config, Split.TRAIN, config.limit());
          sets.put(key, set);
        }
        String name = "%s, seed %d".formatted(row.run(), seed);
        pending
            .computeIfAbsent(row.network(), k -> new ArrayList<>())
            .add(new Pending(name, config, set, run.path()));
      }
    }
    if (cluster != null) {
      trainThere(pending.values().stream().flatMap(List::stream).toList());
      return;
    }
    for (List<Pending> runs : pending.values()) {
      train(runs);
    }
  }

  /** The rows for a seed, with the file of its upright predictor. */
  private List<Row> rows(int seed) {
    return table.rows().stream()
        .map(r -> r.upright(UprightFit.file(settings.runs(), r.train(), seed)))
        .toList();
  }

  /**
   * Fits the upright predictor of seed s if a row that is not trained or measured yet needs it.
   *
   * @return whether the time was enough
   */
  private boolean fit(int s) throws IOException {
    Set<Path> files = new LinkedHashSet<>();
    for (Row row : table.rows()) {
      TrainConfig config = row.train().withSeed(s);
      Path file = UprightFit.file(settings.runs(), config, s);
      boolean done =
          row.when() == Use.TRAIN_AND_TEST
              ? run(row, s).finished()
              : cells.total(row, s, chunks()).images() == test.size();
      if (!row.needsUpright() || done || !files.add(file)) {
        continue;
      }
      DataSet<?> set = load(UprightFit.data(config), Split.TRAIN, config.limit());
      FitRecipe recipe = UprightFit.recipe(set, table.scale());
      if (timeIsUp() || !TimedTraining.fit(config, set, recipe, file, this::timeIsUp, listener)) {
        return false;
      }
    }
    return true;
  }

  /** One run is one piece: a machine that takes over goes on from the last checkpoint. */
  private void trainThere(List<Pending> runs) throws IOException {
    List<TrainingWork.Run> pieces =
        runs.stream()
            .map(
                r ->
                    new TrainingWork.Run(
                        r.name(), r.config(), r.folder().toAbsolutePath().toString()))
            .toList();
    long[] done = new long[1];
    cluster.run(
        "orbit reproduce, training",
        new TrainingWork(
            settings.data() == null ? null : settings.data().toAbsolutePath().toString(),
            wallDeadline()),
        pieces.iterator(),
        (i, run) -> {
          run.warnings().forEach(listener::warn);
          listener.progress(++done[0], runs.size());
        });
  }

  /** When the time is up, as other machines know the time. */
  private long wallDeadline() {
    return deadline == Long.MAX_VALUE
        ? Long.MAX_VALUE
        : System.currentTimeMillis() + (deadline - clock.getAsLong()) / 1_000_000;
  }

  /** Runs of one thread side by side: small networks keep two cores busier so than one by one. */
  private void train(List<Pending> runs) throws IOException {
    boolean alone = runs.stream().anyMatch(r -> r.config().threads() != 1);
    int workers = alone ? 1 : Runtime.getRuntime().availableProcessors();
    long[] done = new long[runs.size()];
    long[] total = new long[runs.size()];
    Workers.run(
        "orbit-training",
        workers,
        runs.size(),
        k -> {
          Pending run = runs.get(k);
          if (timeIsUp()) {
            return;
          }
          listener.note("training " + run.name());
          TrainingListener inner = TimedTraining.part(k, done, total, listener);
          TimedTraining.run(
              run.name(), run.config(), run.data(), run.folder(), this::timeIsUp, inner);
        });
  }

  private RunFolder run(Row row, int seed) {
    String name = row.run() + (seed == 0 ? "" : "-seed" + seed);
    return new RunFolder(settings.runs().resolve(name));
  }

  private DataSet<?> load(TrainConfig c, Split split, int limit) throws IOException {
    return load(c, settings.data(), split, limit);
  }

  static DataSet<?> load(TrainConfig c, Path data, Split split, int limit) throws IOException {
    Choice choice = c.choice().withLimit(limit);
    if (split != Split.TRAIN) { // what is measured in every pose is kept
      choice = choice.readWhenNeeded(false);
    }
    return DataSets.load(c.data(), data, split, choice);
  }

  private List<RowResult> measure() throws IOException {
    String data =
        "%s, %d test %s, sha-256 %s"
            .formatted(test.name(), test.size(), test.shape().kind(), test.digest());
    int chunks = chunks();
    long missing = 0;
    for (int chunk = 0; chunk < chunks; chunk++) {
      int size = Math.min(CHUNK, test.size() - chunk * CHUNK);
      for (int seed = 0; seed < settings.seeds(); seed++) {
        for (Row row : table.rows()) {
          missing += cells.has(row, seed, chunk) || !run(row, seed).finished() ? 0 : size;
        }
      }
    }
    if (cluster != null) {
      boolean all = measureThere(chunks, missing);
      return all && !timeIsUp() ? write(chunks, data) : outOfTime(chunks, data);
    }
    long done = 0;
    for (int chunk = 0; chunk < chunks; chunk++) {
      DataSet<X> part = part(chunk);
      for (int seed = 0; seed < settings.seeds(); seed++) {
        for (Row row : rows(seed)) {
          if (!cells.has(row, seed, chunk) && run(row, seed).finished()) {
            if (timeIsUp()) {
              return outOfTime(chunks, data);
            }
            Path model = run(row, seed).modelFile();
            Protocol<X> protocol = table.protocol();
            cells.write(row, seed, chunk, MeasuringWork.measure(protocol, row, model, part, 0));
            done += part.size();
            listener.progress(done, missing);
          }
        }
      }
      write(chunks, data);
    }
    return timeIsUp() ? outOfTime(chunks, data) : write(chunks, data);
  }

  private int chunks() {
    return (test.size() + CHUNK - 1) / CHUNK;
  }

  private DataSet<X> part(int chunk) {
    int from = chunk * CHUNK;
    return test.subset(IntStream.range(from, Math.min(from + CHUNK, test.size())).toArray());
  }

  /**
   * One cell is one piece.
   *
   * @return whether the time was enough for all
   */
  private boolean measureThere(int chunks, long missing) throws IOException {
    List<MeasuringWork.Cell<X>> pieces = new ArrayList<>();
    for (int chunk = 0; chunk < chunks; chunk++) {
      DataSet<X> part = part(chunk);
      for (int seed = 0; seed < settings.seeds(); seed++) {
        for (Row row : rows(seed)) {
          RunFolder run = run(row, seed);
          if (!cells.has(row, seed, chunk) && run.finished()) {
            String model = run.modelFile().toAbsolutePath().toString();
            pieces.add(new MeasuringWork.Cell<>(row, seed, chunk, model, part));
          }
        }
      }
    }
    long[] done = new long[2];
    cluster.run(
        "orbit reproduce, measuring",
        new MeasuringWork<>(table.protocol(), wallDeadline()),
        pieces.iterator(),
        (i, measured) -> {
          MeasuringWork.Cell<X> cell = pieces.get(i);
          if (measured.counts() == null) {
            done[1]++;
            return;
          }
          cells.write(cell.row(), cell.seed(), cell.chunk(), measured.counts());
          done[0] += cell.part().size();
          listener.progress(done[0], missing);
        });
    return done[1] == 0;
  }

  private List<RowResult> outOfTime(int chunks, String data) throws IOException {
    List<RowResult> results = write(chunks, data);
    List<String> untrained =
        results.stream().filter(r -> r.untrained() > 0).map(r -> r.row().id()).toList();
    listener.note(
        "time is up: the table shows what was measured so far%s; the same call goes on"
            .formatted(
                untrained.isEmpty() ? "" : ", not trained yet: " + String.join(", ", untrained)));
    return results;
  }

  /** Writes the table as far as it is, as Markdown and JSON. */
  private List<RowResult> write(int chunks, String data) throws IOException {
    List<RowResult> results = new ArrayList<>();
    for (Row row : table.rows()) {
      List<Score> scores = new ArrayList<>();
      int untrained = 0;
      double fastest = Double.NaN;
      for (int seed = 0; seed < settings.seeds(); seed++) {
        untrained += run(row, seed).finished() ? 0 : 1;
        double epoch = run(row, seed).fastestEpoch();
        fastest = epoch < fastest || Double.isNaN(fastest) ? epoch : fastest;
        Counts counts = cells.total(row, seed, chunks);
        if (counts.images() > 0) {
          scores.add(counts.score());
        }
      }
      results.add(new RowResult(row, scores, untrained, fastest));
    }
    TableDocument document = new TableDocument(table, results, provenance(data));
    AtomicFiles.write(settings.folder().resolve("table.md"), document.markdown());
    AtomicFiles.write(
        settings.folder().resolve("table.json"),
        JSON.writeValueAsString(document.document()) + "\n");
    return results;
  }

  private Map<String, String> provenance(String data) {
    Map<String, String> p = new LinkedHashMap<>();
    p.put("command", settings.command());
    p.put("data", data);
    p.put(
        "seeds",
        IntStream.range(0, settings.seeds()).mapToObj(Integer::toString).collect(joining(", ")));
    p.putAll(Provenance.environment());
    if (cluster != null) {
      p.put("cluster", cluster.description());
    }
    p.put("written", Provenance.now());
    return p;
  }
}
