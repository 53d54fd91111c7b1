package org.orbitmap.paper;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.orbitmap.eval.Accuracy;
import org.orbitmap.eval.Progress;
import org.orbitmap.eval.Robustness;
import org.orbitmap.eval.Statistic;
import org.orbitmap.eval.Workers;
import org.orbitmap.image.AngleSweep;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.mapping.PoseRule;
import org.orbitmap.io.AtomicFiles;
import org.orbitmap.io.data.Choice;
import org.orbitmap.io.data.ImageSet;
import org.orbitmap.io.data.Split;
import org.orbitmap.io.data.source.DataSets;
import org.orbitmap.nn.network.Model;
import org.orbitmap.nn.train.Evaluation;
import org.orbitmap.nn.train.TrainConfig;
import org.orbitmap.nn.train.Trainer;

/**
 * One table of the paper, end to end: trains what its rows need, measures each row over all angles,
 * and prints it beside the paper's numbers.
 *
 * <p>Everything that is finished stays in the folder: runs, and for each row the counts of every
 * chunk of test images. A run that was stopped goes on from there, and one that runs out of time
 * gives the table for the images so far.
 *
 * <p>A row with a mapping that is exact under quarter turns is measured at the angles below 90°
 * only: for a square image, rotating by α + 90° is rotating by α and then exchanging pixels, and
 * the mapping gives the same canonical image for both, up to rounding. That is checked on some
 * images and angles of every chunk, and differing answers are counted in the table.
 */
public final class Reproduction {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
  private static final int CHUNK = 50;
  private static final int CHECKED_IMAGES = 5;
  private static final double[] CHECKED_PLACES = {0.08, 0.37, 0.65, 0.95};

  /**
   * One row: a trained network and the mapping it is measured with.
   *
   * @param network its name
   * @param scheme std, ra or ra-combined
   * @param when none, test or train+test
   * @param rule the mapping, or empty
   * @param train how its network is trained; rows with equal training share a run
   * @param paper the paper's figures in percent: clean, then average and worst for nearest,
   *     bilinear, bicubic; NaN where the paper has none; empty if it has no such row
   */
  public record Row(
      String network, String scheme, String when, String rule, TrainConfig train, double[] paper) {
    /** The paper's figures for an interpolation, as shares; NaN where there are none. */
    public Accuracy paper(Interpolation how) {
      int k = List.of(Interpolation.values()).indexOf(how);
      int n = Interpolation.values().length;
      return paper.length == 0
          ? new Accuracy(Double.NaN, Double.NaN, Double.NaN)
          : new Accuracy(paper[0] / 100, paper[1 + k] / 100, paper[1 + n + k] / 100);
    }

    /** A file name for it. */
    String id() {
      return (network + "-" + scheme + "-" + (rule.isEmpty() ? "none" : when + "-" + rule))
          .replace("+", "-");
    }

    String run() {
      boolean trained = when.equals("train+test");
      return network + "-" + scheme + "-" + (trained ? rule : "none");
    }
  }

  /**
   * A table.
   *
   * @param name what users call it
   * @param title what it shows
   * @param scale cpu or paper
   * @param images how many test images; 0 for all
   * @param step degrees between the angles; divides 90
   * @param rows its rows
   * @param remarks how this differs from the paper's protocol
   */
  public record Table(
      String name,
      String title,
      String scale,
      int images,
      int step,
      List<Row> rows,
      List<String> remarks) {
    public Table {
      if (step < 1 || 90 % step != 0) {
        throw new IllegalArgumentException("step: expected a divisor of 90 degrees, found " + step);
      }
    }

    /** The same with other rows. */
    Table with(List<Row> others) {
      return new Table(name, title, scale, images, step, others, remarks);
    }
  }

  /**
   * What one row came to.
   *
   * @param images images measured
   * @param clean right answers on the images as they are
   * @param average for each interpolation, the share of right answers over all angles
   * @param worst for each interpolation, the share of images that are right at every angle
   * @param checked answers compared for the quarter-turn shortcut
   * @param differing how many of them differed
   */
  public record Score(
      int images,
      double clean,
      Map<String, Double> average,
      Map<String, Double> worst,
      int checked,
      int differing) {}

  /**
   * A finished or partial row, over the seeds.
   *
   * @param row what was measured
   * @param seeds one score for each seed
   */
  public record Result(Row row, List<Score> seeds) {}

  /** Counts of one chunk of images in one row: what is kept in the folder. */
  record Counts(
      int images,
      int clean,
      Map<String, Long> right,
      Map<String, Long> poses,
      Map<String, Integer> everywhere,
      int checked,
      int differing) {}

  private final Table table;
  private final Path folder;
  private final Path data;
  private final int seeds;
  private final long deadline;
  private final Consumer<String> notes;
  private final Consumer<String> warnings;

  private Reproduction(
      Table table,
      Path folder,
      Path data,
      int seeds,
      long deadline,
      Consumer<String> notes,
      Consumer<String> warnings) {
    this.table = table;
    this.folder = folder;
    this.data = data;
    this.seeds = seeds;
    this.deadline = deadline;
    this.notes = notes;
    this.warnings = warnings;
  }

  /**
   * Reproduces a table.
   *
   * @param folder where everything goes
   * @param data the folder of data sets
   * @param seeds how many runs of each row
   * @param minutes stop measuring after so many, with the table so far; 0 for no limit
   * @param progress in images, of training and then of measuring
   */
  public static List<Result> run(
      Table table,
      Path folder,
      Path data,
      int seeds,
      double minutes,
      Progress progress,
      Consumer<String> notes,
      Consumer<String> warnings)
      throws IOException {
    long deadline = minutes > 0 ? System.nanoTime() + (long) (minutes * 60e9) : Long.MAX_VALUE;
    Reproduction r = new Reproduction(table, folder, data, seeds, deadline, notes, warnings);
    r.train(progress);
    return r.measure(progress);
  }

  /** A run that is not finished. */
  private record Pending(String name, TrainConfig config, ImageSet data, Path folder) {}

  private void train(Progress progress) throws IOException {
    Map<String, ImageSet> sets = new LinkedHashMap<>();
    Set<Path> seen = new LinkedHashSet<>();
    // One network after the other, so that the time left is told from steps of the same cost.
    Map<String, List<Pending>> pending = new LinkedHashMap<>();
    for (int seed = 0; seed < seeds; seed++) {
      for (Row row : table.rows()) {
        Path run = run(row, seed);
        if (!seen.add(run)) {
          continue;
        }
        TrainConfig config = row.train().withSeed(seed);
        Trainer.requireSameOrNew(config, run);
        if (Files.exists(Trainer.modelFile(run))) {
          continue;
        }
        String key = config.data() + " " + config.limit();
        ImageSet set = sets.get(key);
        if (set == null) {
          set = load(config, Split.TRAIN, config.limit());
          sets.put(key, set);
        }
        pending
            .computeIfAbsent(row.network(), k -> new ArrayList<>())
            .add(new Pending("%s, seed %d".formatted(row.run(), seed), config, set, run));
      }
    }
    for (List<Pending> runs : pending.values()) {
      train(runs, progress);
    }
  }

  /** Runs of one thread side by side: small networks keep two cores busier so than one by one. */
  private void train(List<Pending> runs, Progress progress) throws IOException {
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
          notes.accept("training " + run.name());
          Trainer.startOrResume(
              run.config(),
              run.data(),
              run.folder(),
              (d, t) -> {
                synchronized (done) {
                  done[k] = d;
                  total[k] = t;
                  // those that wait are taken to be as long as those that run
                  long most = Arrays.stream(total).max().getAsLong();
                  long all = Arrays.stream(total).map(n -> n == 0 ? most : n).sum();
                  progress.update(Arrays.stream(done).sum(), all);
                }
              },
              notes,
              warnings);
        });
  }

  private Path run(Row row, int seed) {
    return folder.resolve("runs").resolve(row.run() + (seed == 0 ? "" : "-seed" + seed));
  }

  private ImageSet load(TrainConfig c, Split split, int limit) throws IOException {
    return DataSets.images(c.data(), data, split, Choice.ALL.withSide(c.size()).withLimit(limit));
  }

  private List<Result> measure(Progress progress) throws IOException {
    ImageSet test = load(table.rows().get(0).train(), Split.TEST, table.images());
    String digest =
        "%s, %d test images, sha-256 %s".formatted(test.name(), test.size(), test.digest());
    int chunks = (test.size() + CHUNK - 1) / CHUNK;
    long missing = 0;
    for (int chunk = 0; chunk < chunks; chunk++) {
      int size = Math.min(CHUNK, test.size() - chunk * CHUNK);
      for (int seed = 0; seed < seeds; seed++) {
        for (Row row : table.rows()) {
          missing += Files.exists(counts(row, seed, chunk)) ? 0 : size;
        }
      }
    }
    long done = 0;
    for (int chunk = 0; chunk < chunks; chunk++) {
      int from = chunk * CHUNK;
      ImageSet part =
          test.subset(IntStream.range(from, Math.min(from + CHUNK, test.size())).toArray());
      for (int seed = 0; seed < seeds; seed++) {
        for (Row row : table.rows()) {
          Path file = counts(row, seed, chunk);
          if (!Files.exists(file)) {
            if (System.nanoTime() > deadline) {
              notes.accept("time is up: the table shows the images measured so far");
              return write(chunks, digest);
            }
            Counts c = measure(row, seed, part);
            AtomicFiles.write(file, JSON.writeValueAsString(c) + "\n");
            done += part.size();
            progress.update(done, missing);
          }
        }
      }
      write(chunks, digest);
    }
    return write(chunks, digest);
  }

  private Path counts(Row row, int seed, int chunk) {
    return folder
        .resolve("cells")
        .resolve("%s-seed%d".formatted(row.id(), seed))
        .resolve("chunk-%04d.json".formatted(chunk));
  }

  private Counts measure(Row row, int seed, ImageSet part) throws IOException {
    Model model = Model.load(Trainer.modelFile(run(row, seed)));
    if (row.when().equals("test")) {
      model = model.with(row.train().mapping().rule(row.rule()).when("test"));
    }
    boolean square = part.height() == part.width();
    boolean quarter =
        square && !row.rule().isEmpty() && PoseRule.named(row.rule()).exactQuarterTurns();
    Map<String, Long> right = new LinkedHashMap<>();
    Map<String, Long> poses = new LinkedHashMap<>();
    Map<String, Integer> everywhere = new LinkedHashMap<>();
    int clean = 0;
    int checked = 0;
    int differing = 0;
    double[] angles =
        IntStream.range(0, (quarter ? 90 : 360) / table.step())
            .mapToDouble(k -> (double) k * table.step())
            .toArray();
    for (Interpolation i : Interpolation.values()) {
      Robustness r =
          Evaluation.robustness(
              model,
              part,
              AngleSweep.at(Resampling.of(i), angles),
              0,
              Robustness.TrueClass.NONE,
              Progress.OFF);
      int m = r.poses().size();
      clean = (int) Math.round(r.accuracy().clean() * r.items());
      right.put(i.id(), Math.round(r.accuracy().average() * r.items() * m));
      poses.put(i.id(), (long) r.items() * m);
      everywhere.put(i.id(), (int) Math.round(r.accuracy().worst() * r.items()));
      if (quarter) {
        ImageSet few = part.first(CHECKED_IMAGES);
        for (double place : CHECKED_PLACES) {
          int pose = (int) (place * m);
          double angle = angles[pose];
          Robustness rotated =
              Evaluation.robustness(
                  model,
                  few,
                  AngleSweep.at(Resampling.of(i), angle + 90, angle + 180, angle + 270),
                  0,
                  Robustness.TrueClass.NONE,
                  Progress.OFF);
          for (int item = 0; item < few.size(); item++) {
            for (int k = 0; k < 3; k++) {
              checked++;
              differing += rotated.prediction(item, k) == r.prediction(item, pose) ? 0 : 1;
            }
          }
        }
      }
    }
    return new Counts(part.size(), clean, right, poses, everywhere, checked, differing);
  }

  /** Writes the table as far as it is, as Markdown and JSON. */
  private List<Result> write(int chunks, String digest) throws IOException {
    List<Result> results = new ArrayList<>();
    for (Row row : table.rows()) {
      List<Score> scores = new ArrayList<>();
      for (int seed = 0; seed < seeds; seed++) {
        Score s = score(row, seed, chunks);
        if (s.images() > 0) {
          scores.add(s);
        }
      }
      results.add(new Result(row, scores));
    }
    AtomicFiles.write(folder.resolve("table.md"), markdown(table, results, provenance(digest)));
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("table", table.name());
    document.put("scale", table.scale());
    document.put("title", table.title());
    document.put("remarks", table.remarks());
    document.put("provenance", provenance(digest));
    document.put("rows", rows(results));
    AtomicFiles.write(folder.resolve("table.json"), JSON.writeValueAsString(document) + "\n");
    return results;
  }

  private Score score(Row row, int seed, int chunks) throws IOException {
    int images = 0;
    int clean = 0;
    int checked = 0;
    int differing = 0;
    Map<String, double[]> sums = new LinkedHashMap<>();
    for (int chunk = 0; chunk < chunks; chunk++) {
      Path file = counts(row, seed, chunk);
      if (!Files.exists(file)) {
        break;
      }
      Counts c = JSON.readValue(Files.readString(file), Counts.class);
      images += c.images();
      clean += c.clean();
      checked += c.checked();
      differing += c.differing();
      for (String i : c.right().keySet()) {
        double[] s = sums.computeIfAbsent(i, k -> new double[3]);
        s[0] += c.right().get(i);
        s[1] += c.poses().get(i);
        s[2] += c.everywhere().get(i);
      }
    }
    Map<String, Double> average = new LinkedHashMap<>();
    Map<String, Double> worst = new LinkedHashMap<>();
    for (Map.Entry<String, double[]> e : sums.entrySet()) {
      average.put(e.getKey(), e.getValue()[0] / e.getValue()[1]);
      worst.put(e.getKey(), e.getValue()[2] / images);
    }
    return new Score(
        images, images == 0 ? 0 : (double) clean / images, average, worst, checked, differing);
  }

  private Map<String, String> provenance(String digest) {
    Map<String, String> p = new LinkedHashMap<>();
    p.put(
        "command",
        "orbit reproduce %s --scale %s --seeds %d".formatted(table.name(), table.scale(), seeds));
    p.put("data", digest);
    p.put("seeds", IntStream.range(0, seeds).mapToObj(Integer::toString).collect(joining(", ")));
    p.putAll(Trainer.environment());
    p.put("written", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    return p;
  }

  private static List<Map<String, Object>> rows(List<Result> results) {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (Result r : results) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("network", r.row().network());
      row.put("scheme", r.row().scheme());
      row.put("when", r.row().when());
      row.put("mapping", r.row().rule());
      // JSON has no NaN.
      row.put(
          "paper",
          Arrays.stream(r.row().paper()).mapToObj(v -> Double.isNaN(v) ? null : v).toList());
      row.put("seeds", r.seeds());
      rows.add(row);
    }
    return rows;
  }

  /** The table in Markdown, each figure with the paper's in brackets. */
  static String markdown(Table table, List<Result> results, Map<String, String> provenance) {
    StringBuilder s = new StringBuilder();
    s.append("# ").append(table.title()).append("\n\n");
    s.append(
        "Percent right; the paper's figure in brackets. Average and worst are over all"
            + " angles in steps of %d°.\n\n".formatted(table.step()));
    s.append("| network | train | mapping | images | clean |");
    for (String what : new String[] {"average", "worst"}) {
      for (Interpolation i : Interpolation.values()) {
        s.append(' ').append(what).append(' ').append(i.id()).append(" |");
      }
    }
    s.append("\n|---|---|---|---|---|---|---|---|---|---|---|\n");
    for (Result r : results) {
      Row row = r.row();
      s.append(
          "| %s | %s | %s | "
              .formatted(
                  row.network(),
                  row.scheme(),
                  row.rule().isEmpty() ? "none" : row.rule() + ", " + row.when()));
      if (r.seeds().isEmpty()) {
        s.append("0 | | | | | | | |\n");
        continue;
      }
      // seeds that are not measured to the end have fewer
      s.append(
              r.seeds().stream()
                  .map(x -> Integer.toString(x.images()))
                  .distinct()
                  .collect(joining(", ")))
          .append(" | ");
      s.append(cell(r, Score::clean, 0)).append(" |");
      int k = 1;
      for (Interpolation i : Interpolation.values()) {
        s.append(' ').append(cell(r, x -> x.average().get(i.id()), k++)).append(" |");
      }
      for (Interpolation i : Interpolation.values()) {
        s.append(' ').append(cell(r, x -> x.worst().get(i.id()), k++)).append(" |");
      }
      s.append('\n');
    }
    s.append('\n');
    String shortcut = shortcut(results);
    if (!shortcut.isEmpty()) {
      s.append(shortcut).append("\n\n");
    }
    table.remarks().forEach(r -> s.append("- ").append(r).append('\n'));
    s.append("\nProvenance:\n\n");
    provenance.forEach((k, v) -> s.append("- ").append(k).append(": ").append(v).append('\n'));
    return s.toString();
  }

  /** What was not measured but follows from quarter turns, and how that was checked; or nothing. */
  public static String shortcut(List<Result> results) {
    List<Score> scores = results.stream().flatMap(r -> r.seeds().stream()).toList();
    int checked = scores.stream().mapToInt(Score::checked).sum();
    return checked == 0
        ? ""
        : "Rows with a mapping were measured at the angles below 90°: a quarter turn of a square image only exchanges pixels, and these mappings undo it. Of %,d answers that were compared at the other angles, %d differed."
            .formatted(checked, scores.stream().mapToInt(Score::differing).sum());
  }

  private static String cell(Result r, ToDoubleFunction<Score> figure, int paper) {
    Statistic statistic = Statistic.over(r.seeds(), figure);
    String text = percent(100 * statistic.mean());
    if (statistic.runs() > 1) {
      text += " ± " + percent(100 * statistic.std());
    }
    double[] p = r.row().paper();
    return p.length == 0 || Double.isNaN(p[paper]) ? text : text + " (" + percent(p[paper]) + ")";
  }

  private static String percent(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
