package org.orbitmap.app.audit;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * What users read of a {@link Tuning}.
 *
 * @param items how many inputs
 * @param poses in how many poses each
 * @param labelled whether the accuracy is about labels, or about the bare model's own answers
 * @param maxCost how often the model was allowed to be asked for one input
 * @param bare the model as it is
 */
public record TuningTable(
    String data,
    int items,
    int poses,
    boolean labelled,
    int maxCost,
    Tried bare,
    List<Tried> settings) {
  /**
   * What a setting gives.
   *
   * @param calls how often the model is asked for one input
   * @param milliseconds of one call; null if unknown
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Tried(
      String setting,
      int calls,
      double clean,
      double average,
      double worst,
      double labelKept,
      double allKept,
      double probabilityChange,
      Double milliseconds,
      boolean chosen) {
    private static Tried of(Tuning.Row row, Double milliseconds, boolean chosen) {
      return new Tried(
          row.form().name(),
          row.form().cost(),
          row.accuracy().clean(),
          row.accuracy().average(),
          row.accuracy().worst(),
          row.agreement().labelKept(),
          row.agreement().allKept(),
          row.agreement().probabilityChange(),
          milliseconds,
          chosen);
    }

    private void print(PrintWriter text) {
      text.printf(
          "%s %-42s %5d %5.1f %% %6.1f %% %5.1f %% %5.1f %% %7.1f %% %10s%n",
          chosen ? "→" : " ",
          setting,
          calls,
          100 * clean,
          100 * average,
          100 * worst,
          100 * labelKept,
          100 * allKept,
          milliseconds == null ? "" : "%.2f ms".formatted(milliseconds));
    }
  }

  /**
   * The table of a result.
   *
   * @param time of the bare model, in milliseconds; null if unknown
   * @param times of the forms
   */
  public static TuningTable of(
      String data,
      int maxCost,
      Tuning<?> tuning,
      Tuning.Result result,
      Double time,
      List<Double> times) {
    List<Tried> rows = new ArrayList<>();
    for (int i = 0; i < times.size(); i++) {
      rows.add(Tried.of(result.rows().get(i), times.get(i), i == result.best()));
    }
    return new TuningTable(
        data,
        tuning.data().size(),
        tuning.sweep().poses().size(),
        result.labelled(),
        maxCost,
        Tried.of(result.bare(), time, false),
        List.copyOf(rows));
  }

  /** Prints it. */
  public void print(PrintWriter text) {
    text.printf(
        "%,d inputs of %s in %d poses%s:%n",
        items,
        data,
        poses,
        labelled
            ? ""
            : "; without labels, so the model's answers on the inputs as they are stand for them");
    text.printf(
        "  %-42s %5s %7s %8s %7s %7s %9s %10s%n",
        "setting", "calls", "clean", "average", "worst", "kept", "all kept", "time");
    bare.print(text);
    settings.forEach(t -> t.print(text));
  }
}
