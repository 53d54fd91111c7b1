package org.orbitmap.paper;

import static java.util.stream.Collectors.joining;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.orbitmap.nn.train.TrainConfig;

/**
 * A table of the paper.
 *
 * @param name what users call it
 * @param title what it shows
 * @param scale of the runs
 * @param limit how many test inputs; 0 for all
 * @param protocol how a row is measured
 * @param rows its rows
 * @param remarks how this differs from the paper's protocol
 * @param family tables of the same family share their runs; empty for a table by itself
 * @param backbone a network that is trained first, for rows whose weights are {@link #BACKBONE};
 *     null for none
 * @param <X> the inputs
 */
public record Table<X>(
    String name,
    String title,
    Scale scale,
    int limit,
    Protocol<X> protocol,
    List<Row> rows,
    List<String> remarks,
    String family,
    TrainConfig backbone) {
  /** From which share of one class on the means over the classes are shown as well. */
  private static final double COMMON = 0.5;

  /** As weights of a row: those of the backbone. */
  public static final String BACKBONE = "backbone";

  /** A table whose rows start from random weights. */
  public Table(
      String name,
      String title,
      Scale scale,
      int limit,
      Protocol<X> protocol,
      List<Row> rows,
      List<String> remarks,
      String family) {
    this(name, title, scale, limit, protocol, rows, remarks, family, null);
  }

  /** A table by itself. */
  public Table(
      String name,
      String title,
      Scale scale,
      int limit,
      Protocol<X> protocol,
      List<Row> rows,
      List<String> remarks) {
    this(name, title, scale, limit, protocol, rows, remarks, "");
  }

  public Table {
    rows = List.copyOf(rows);
    remarks = List.copyOf(remarks);
  }

  /** The figures of a score that the table shows: over all inputs, or the means over classes. */
  public Score shown(Score score) {
    return protocol.byClass() && score.byClass() != null ? score.byClass() : score;
  }

  /**
   * What a network that always gives the same answer comes to, where one class is so common that
   * this looks good; empty elsewhere. Then the means over the classes are shown as well.
   */
  public String commonClass(List<RowResult> results) {
    double share =
        results.stream()
            .filter(RowResult::toldByClass)
            .flatMap(r -> r.seeds().stream())
            .mapToDouble(Score::commonest)
            .max()
            .orElse(0);
    return protocol.byClass() || share < COMMON
        ? ""
        : "%.1f %% of these %s are of one class: a network that always gives this answer has that in every column above. So here are the means over the classes, in which it has one over their number."
            .formatted(100 * share, protocol.inputs());
  }

  /** The same with other rows. */
  public Table<X> with(List<Row> others) {
    return new Table<>(name, title, scale, limit, protocol, others, remarks, family, backbone);
  }

  /** The same with a network that is trained first, for rows that start from it. */
  public Table<X> backbone(TrainConfig first) {
    return new Table<>(name, title, scale, limit, protocol, rows, remarks, family, first);
  }

  /** Whether a row starts from the backbone. */
  boolean needsBackbone() {
    return rows.stream().anyMatch(r -> r.train().weights().equals(BACKBONE));
  }

  /** The same with the file of the backbone's model in the rows that start from it. */
  Table<X> backboneIn(Path model) {
    return weights(model, c -> c.weights().equals(BACKBONE));
  }

  /** The same with all rows that start at random starting from the weights in a file. */
  public Table<X> weights(Path file) {
    return weights(file, c -> c.weights().equals(TrainConfig.RANDOM));
  }

  private Table<X> weights(Path file, Predicate<TrainConfig> which) {
    return with(
        rows.stream()
            .map(
                r ->
                    which.test(r.train())
                        ? r.train(r.train().with(c -> c.weights(file.toString())))
                        : r)
            .toList());
  }

  /**
   * The same with some of its rows, in its own order.
   *
   * @param patterns ids of rows, in which {@code *} stands for any text
   * @throws IllegalArgumentException if a pattern fits no row
   */
  public Table<X> rows(List<String> patterns) {
    for (String pattern : patterns) {
      if (rows.stream().noneMatch(row -> fits(row, pattern))) {
        throw new IllegalArgumentException(
            "rows of %s: expected some of %s, where * stands for any text, found %s"
                .formatted(
                    name, rows.stream().map(Row::id).collect(joining(", ")), pattern.strip()));
      }
    }
    return with(
        rows.stream().filter(row -> patterns.stream().anyMatch(p -> fits(row, p))).toList());
  }

  private static boolean fits(Row row, String pattern) {
    String any = Pattern.quote(pattern.strip()).replace("*", "\\E.*\\Q");
    return row.id().matches(any);
  }
}
