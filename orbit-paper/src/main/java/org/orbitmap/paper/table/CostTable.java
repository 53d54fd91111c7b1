package org.orbitmap.paper.table;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.orbitmap.eval.Progress;
import org.orbitmap.io.AtomicFiles;
import org.orbitmap.nn.bench.MethodBench;
import org.orbitmap.nn.model.Documents;
import org.orbitmap.nn.train.Provenance;
import org.orbitmap.paper.Scale;

/**
 * What each method costs with a ResNet-18 on images of CIFAR-10 (paper, appendix, "Comparing
 * Computation Complexity for CIFAR10").
 *
 * @param scale paper with the paper's batch of 128, cpu with 16
 * @param rows one for each method
 * @param provenance of the measurement
 */
public record CostTable(Scale scale, List<Row> rows, Map<String, String> provenance) {
  /** The name users ask for. */
  public static final String NAME = "cost";

  private static final int IMAGES = 40_000;
  private static final int ROUNDS = 4;

  /**
   * A method.
   *
   * @param method its name
   * @param epochSeconds of one thread, for 40,000 training images, from the time of a step
   * @param overStd the same in those of std
   * @param paperSeconds the paper's time of an epoch on a GPU; null if it has none
   * @param paperOverStd the same in those of std; null likewise
   * @param inferenceMilliseconds for an image
   * @param inferenceOverStd the same in those of std
   */
  public record Row(
      String method,
      double epochSeconds,
      double overStd,
      Double paperSeconds,
      Double paperOverStd,
      double inferenceMilliseconds,
      double inferenceOverStd) {}

  /**
   * Measures.
   *
   * @param command what the provenance says
   */
  public static CostTable measure(Scale scale, String command, Progress progress) {
    int batch = scale == Scale.PAPER ? 128 : 16;
    List<MethodBench.Cost> costs = MethodBench.run("resnet18", 1, batch, ROUNDS, progress);
    MethodBench.Cost std = costs.get(0);
    double[] first = PaperFigures.of(NAME, std.method());
    List<Row> rows = new ArrayList<>();
    for (MethodBench.Cost c : costs) {
      double[] paper = PaperFigures.of(NAME, c.method());
      rows.add(
          new Row(
              c.method(),
              c.stepSeconds() * IMAGES / batch,
              c.stepSeconds() / std.stepSeconds(),
              paper.length == 0 ? null : paper[0],
              paper.length == 0 ? null : paper[0] / first[0],
              1000 * c.inferenceSeconds() / batch,
              c.inferenceSeconds() / std.inferenceSeconds()));
    }
    Map<String, String> provenance = new LinkedHashMap<>();
    provenance.put("command", command);
    provenance.put(
        "measured",
        "ResNet-18 on noise of 3 x 32 x 32, batches of %d, the least processor time of %d steps of each method, one after the other in turn, on one thread"
            .formatted(batch, ROUNDS));
    provenance.putAll(Provenance.environment());
    provenance.put("written", Provenance.now());
    return new CostTable(scale, rows, provenance);
  }

  /** Writes {@code table.md} and {@code table.json}. */
  public void write(Path folder) throws IOException {
    AtomicFiles.write(folder.resolve("table.md"), markdown());
    AtomicFiles.write(
        folder.resolve("table.json"),
        Documents.json().writerWithDefaultPrettyPrinter().writeValueAsString(this) + "\n");
  }

  /** As people read it. */
  public String markdown() {
    StringBuilder s = new StringBuilder("# CIFAR-10: what methods cost (paper, appendix)\n\n");
    s.append(
        "An epoch is 40,000 training images, in seconds of one thread, as is inference; the paper's\nseconds are those of a GPU.\n\n");
    s.append("| method | epoch, s | over std | paper, s | paper, over std | inference, ms |");
    s.append(" over std |\n|---|---|---|---|---|---|---|\n");
    for (Row r : rows) {
      s.append(
          String.format(
              Locale.ROOT,
              "| %s | %.0f | %.3f | %s | %s | %.2f | %.3f |%n",
              r.method,
              r.epochSeconds,
              r.overStd,
              said("%.2f", r.paperSeconds),
              said("%.3f", r.paperOverStd),
              r.inferenceMilliseconds,
              r.inferenceOverStd));
    }
    s.append("\nProvenance:\n\n");
    provenance.forEach((k, v) -> s.append("- ").append(k).append(": ").append(v).append('\n'));
    return s.toString();
  }

  private static String said(String format, Double value) {
    return value == null ? "–" : String.format(Locale.ROOT, format, value);
  }
}
