package org.orbitmap.app.command;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.orbitmap.app.match.IsometryRun;
import org.orbitmap.app.model.TrainingOutput;
import org.orbitmap.app.option.ClusterOptions;
import org.orbitmap.app.option.ConsoleProgress;
import org.orbitmap.app.option.DataOptions;
import org.orbitmap.app.option.Errors;
import org.orbitmap.app.option.Json;
import org.orbitmap.app.option.OutputOptions;
import org.orbitmap.app.report.CostReport;
import org.orbitmap.app.report.Report;
import org.orbitmap.app.report.ReproductionReport;
import org.orbitmap.eval.Cluster;
import org.orbitmap.io.FolderLock;
import org.orbitmap.io.UserError;
import org.orbitmap.nn.train.TrainConfig;
import org.orbitmap.paper.Reproduction;
import org.orbitmap.paper.RowResult;
import org.orbitmap.paper.Scale;
import org.orbitmap.paper.Table;
import org.orbitmap.paper.table.CostTable;
import org.orbitmap.paper.table.Tables;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code orbit reproduce}. */
@Command(
    name = "reproduce",
    description = {
      "Reproduce one table of the paper end to end, and print it beside the paper's numbers.",
      "",
      "Everything finished is kept in the folder of --out: call it again to go on. The table is "
          + "there as table.html (with the paper's numbers and figures), table.md and table.json."
    },
    footerHeading = "%nTables:%n",
    footer = {
      "  cifar10-networks      Linear, ConvNet (and ResNet-18 at paper scale); std and ra",
      "  cifar10-augmentation  ResNet-18, with and without TI-pooling; std, ra, ra-combined",
      "  cifar10-methods       the paper's comparison: mapping, STN, ETN, Augerino, adversarial, …",
      "  ham10000              skin lesions",
      "  ham10000-methods      the same comparison on skin lesions",
      "  rotmnist              rotated digits",
      "  cub200                birds, ResNet-50, paper scale only",
      "  cub200-methods        the comparison on birds, paper scale only",
      "  cost                  time of an epoch and of an answer, of each method with ResNet-18",
      "  modelnet40-scaling    point clouds, PointNet with and without T-nets: scales",
      "  modelnet40-rotation   the same: rotations and shifts, PCA, frames",
      "  modelnet40-combined   the same: all similarities, and those about the vertical",
      "  modelnet40-pca        the same: what PCA costs in clean accuracy, and why",
      "  isometry              bent animals matched by functional maps (TOSCA); --limit pairs",
      "",
      "Examples:",
      "  orbit reproduce cifar10-networks --scale cpu",
      "  orbit reproduce rotmnist --scale cpu --minutes 20",
      "  orbit reproduce cifar10-networks --rows list",
      "  orbit reproduce cifar10-networks --rows 'linear-*' --limit 100",
      "  orbit reproduce cifar10-networks --scale paper --seeds 5",
      "  orbit reproduce modelnet40-rotation --data modelnet40/",
      "  orbit reproduce cifar10-methods --rows 'convnet-*' --minutes 30",
      "  orbit reproduce cost",
      "  orbit reproduce cifar10-networks --seeds 5 --cluster spark://host:7077",
      "  orbit reproduce isometry --limit 10",
      "  orbit reproduce isometry --maps theirs/ --out theirs-measured",
    })
public final class ReproduceCommand implements Callable<Integer> {
  private static final List<String> LIST = List.of("list");
  private static final String ISOMETRY = "isometry";

  /** What a shell offers for the table. */
  static final class Names extends ArrayList<String> {
    private static final long serialVersionUID = 1L;

    Names() {
      super(Tables.NAMES);
      add(CostTable.NAME);
      add(ISOMETRY);
    }
  }

  /** What a shell offers for the rows, which depend on the table. */
  static final class ListOnly extends ArrayList<String> {
    private static final long serialVersionUID = 1L;

    ListOnly() {
      super(LIST);
    }
  }

  @Parameters(
      paramLabel = "TABLE",
      completionCandidates = Names.class,
      description = "Which table, see below.")
  private String table;

  @Option(
      names = "--scale",
      paramLabel = "cpu|paper",
      description =
          "cpu: what two cores finish in about an hour; paper: the full protocol, for a GPU. "
              + "Default: cpu")
  private Scale scale = Scale.CPU;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      description = "Runs of every row; mean ± standard deviation. Default: ${DEFAULT-VALUE}")
  private int seeds = 1;

  @Option(
      names = "--minutes",
      paramLabel = "M",
      description =
          "Stop after M minutes, with the table for what is trained and measured so far. A run that"
              + " is stopped is resumed after its last whole epoch by the next call.")
  private Double minutes;

  @Option(
      names = "--rows",
      split = ",",
      paramLabel = "ROW",
      completionCandidates = ListOnly.class,
      description =
          "Only these rows, comma-separated; * stands for any text: --rows 'convnet-*'. list shows"
              + " the rows of the table.")
  private List<String> rows;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "Measure N test inputs; default: as many as the table has at its scale.")
  private Integer limit;

  @Option(
      names = "--weights",
      paramLabel = "FILE",
      description =
          "What networks start from that the paper fine-tunes (ham10000, cub200 at the scale paper):"
              + " weights of nfnet-f0 or resnet50, as for train.")
  private Path weights;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "The folder for it. Default: reproduce/TABLE-SCALE")
  private Path out;

  @Option(
      names = "--runs",
      paramLabel = "DIR",
      description =
          "The folder of the trained networks, which tables can share. Default: OUT/runs; for the"
              + " tables of modelnet40, unless --out is given, reproduce/modelnet40-SCALE-runs.")
  private Path runs;

  @Option(
      names = "--maps",
      paramLabel = "DIR",
      description =
          "isometry alone: measure maps from elsewhere, DIR/cat0-cat1.txt and so on, each as map.txt"
              + " of orbit match.")
  private Path maps;

  @Mixin private DataOptions data;
  @Mixin private ClusterOptions cluster;
  @Mixin private OutputOptions output;

  @Override
  public Integer call() throws IOException {
    if (table.equals(ISOMETRY)) {
      return isometry();
    }
    if (maps != null) {
      throw UserError.expected("--maps", "none for the table " + table, maps, "It is of isometry");
    }
    if (table.equals(CostTable.NAME)) {
      return cost();
    }
    Table<?> whole = Tables.named(table, scale);
    if (LIST.equals(rows)) {
      return list(whole);
    }
    Table<?> chosen = weighted(rows == null ? whole : whole.rows(rows));
    data.find(chosen.rows().get(0).train().data()); // says how to get what is not there
    return reproduce(chosen);
  }

  /** The table with the weights that were given. */
  private Table<?> weighted(Table<?> t) {
    boolean tuned =
        t.rows().stream().anyMatch(r -> r.train().normalise() == TrainConfig.Normalise.IMAGENET);
    if (weights == null) {
      if (tuned) {
        output.warn(
            "the paper starts from weights of ImageNet: without --weights FILE training starts from"
                + " scratch");
      }
      return t;
    }
    if (!tuned || !Files.isRegularFile(weights)) {
      throw UserError.expected(
          "--weights",
          tuned ? "a file" : "a table of networks that the paper fine-tunes",
          tuned ? weights : t.name() + " at the scale " + t.scale().id(),
          "");
    }
    return t.weights(weights.toAbsolutePath().normalize());
  }

  /** Not a table of trainings: meshes are matched, and nothing is learned. */
  private int isometry() throws IOException {
    requireRange();
    refuse("--cluster", cluster.master(), "");
    refuse("--rows", rows, "Use --limit");
    refuse("--runs", runs, "");
    refuse("--seeds", seeds == 1 ? null : seeds, "");
    refuse("--scale", scale == Scale.CPU ? null : scale.id(), "");
    refuse("--minutes", maps == null ? null : minutes, "Use --limit");
    Path folder =
        out != null ? out : Path.of("reproduce", ISOMETRY + (maps == null ? "" : "-maps"));
    OutputOptions.requireFolder(folder);
    IsometryRun run = new IsometryRun(data.find("tosca").folder(), folder);
    int most = limit == null ? 0 : limit;
    IsometryRun.Document document;
    try (FolderLock lock = FolderLock.take(folder);
        ConsoleProgress progress = output.progress("pairs")) {
      lock.removeLeftovers();
      document =
          maps != null
              ? run.measure(maps, most, output.provenance(), progress)
              : run.run(most, minutes == null ? 0 : minutes, output.provenance(), progress);
    }
    output.note("report: " + folder.resolve("table.html"));
    output.print(document, o -> o.print(IsometryRun.markdown(document)));
    return Errors.OK;
  }

  /** An option that the study has no use for. */
  private static void refuse(String option, Object value, String advice) {
    if (value != null) {
      throw UserError.expected(option, "none, since nothing is trained here", value, advice);
    }
  }

  /** Nothing is learned: steps of each method are timed. */
  private int cost() throws IOException {
    requireRange();
    if (rows != null
        || limit != null
        || minutes != null
        || seeds != 1
        || cluster.master() != null) {
      throw UserError.expected(
          table, "only --scale and --out", "other options", "All methods are measured in turn");
    }
    Path folder = out != null ? out : Path.of("reproduce", table + "-" + scale.id());
    OutputOptions.requireFolder(folder);
    CostTable measured;
    try (FolderLock lock = FolderLock.take(folder);
        ConsoleProgress progress = output.progress("steps")) {
      lock.removeLeftovers();
      measured = CostTable.measure(scale, "orbit reproduce cost --scale " + scale.id(), progress);
      measured.write(folder);
      CostReport.of(measured).writeTo(folder.resolve("table.html"));
    }
    output.note("report: " + folder.resolve("table.html"));
    output.print(measured, o -> o.print(measured.markdown()));
    return Errors.OK;
  }

  /** One row, as a user may choose it. */
  private record Listed(String row, String network, String training, String mapping) {}

  private int list(Table<?> t) {
    List<Listed> all =
        t.rows().stream()
            .map(r -> new Listed(r.id(), r.network(), r.scheme(), r.mappingText()))
            .toList();
    output.print(
        Map.of("table", t.name(), "scale", t.scale().id(), "rows", all),
        o ->
            all.forEach(
                r ->
                    o.printf(
                        "%-42s %s, %s, mapping: %s%n",
                        r.row(), r.network(), r.training(), r.mapping())));
    return Errors.OK;
  }

  private void requireRange() {
    if (seeds < 1) {
      throw UserError.expected("--seeds", "1 or more", seeds, "");
    }
    if (limit != null && limit < 1) {
      throw UserError.expected("--limit", "1 or more", limit, "");
    }
    if (minutes != null && !(minutes > 0)) {
      throw UserError.expected("--minutes", "more than 0", minutes, "");
    }
  }

  private <X> int reproduce(Table<X> t) throws IOException {
    requireRange();
    Path folder = out != null ? out : Path.of("reproduce", t.name() + "-" + t.scale().id());
    OutputOptions.requireFolder(folder);
    Path trained =
        runs != null
            ? runs
            : out != null || t.family().isEmpty()
                ? folder.resolve("runs")
                : Path.of("reproduce", "%s-%s-runs".formatted(t.family(), t.scale().id()));
    OutputOptions.requireFolder(trained);
    String command =
        "orbit reproduce %s --scale %s --seeds %d%s%s%s"
            .formatted(
                t.name(),
                t.scale().id(),
                seeds,
                rows == null ? "" : " --rows '" + String.join(",", rows) + "'",
                weights == null ? "" : " --weights " + weights,
                limit == null ? "" : " --limit " + limit);
    Reproduction.Settings settings =
        new Reproduction.Settings(
            folder,
            trained,
            data.root(),
            seeds,
            minutes == null ? 0 : minutes,
            limit == null ? 0 : limit,
            command);
    List<RowResult> results;
    try (Cluster place = cluster.open();
        ConsoleProgress progress = output.progress(t.protocol().inputs())) {
      results = Reproduction.run(t, settings, place, new TrainingOutput(output, progress));
      cluster.tell(place, output);
    }
    JsonNode document = Json.mapper().readTree(Files.readString(folder.resolve("table.json")));
    Map<String, String> provenance = new LinkedHashMap<>();
    document
        .get("provenance")
        .properties()
        .forEach(fact -> provenance.put(fact.getKey(), fact.getValue().asText()));
    provenance.putAll(output.provenance());
    Report.Written page =
        ReproductionReport.of(t, results, provenance).writeTo(folder.resolve("table.html"));
    output.note("report: " + page.page());
    if (output.json()) {
      output.print(document, o -> {});
    } else {
      String text = Files.readString(folder.resolve("table.md"));
      output.print(text, o -> o.print(text));
    }
    return Errors.OK;
  }
}
