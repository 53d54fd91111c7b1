package org.orbitmap.app.audit;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.orbitmap.app.model.LoadedModel;
import org.orbitmap.eval.Accuracy;
import org.orbitmap.eval.Agreement;
import org.orbitmap.eval.Labelled;
import org.orbitmap.eval.Progress;
import org.orbitmap.eval.Robustness;
import org.orbitmap.eval.Sweep;
import org.orbitmap.group.SimilarityGroup;
import org.orbitmap.image.AngleSweep;
import org.orbitmap.image.Resampling;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.model.InputShape;

/**
 * Which of several forms of a model does best when its inputs are moved, all on the same data.
 *
 * <p>Where the labels are unknown, what the bare model says of an input as it is stands for its
 * label: the best form is the one that keeps most of these answers in all poses.
 *
 * @param data the inputs; their labels are the model's classes
 * @param sweep how they are moved
 */
public record Tuning<X>(DataSet<X> data, Sweep<X> sweep) {
  /** A form that a model can have. */
  public interface Form {
    /** What it is called. */
    String name();

    /** How often the model inside is asked about one input. */
    int cost();

    /** Opens it. */
    LoadedModel open() throws IOException;
  }

  /** What one form gives. */
  public record Row(Form form, Accuracy accuracy, Agreement agreement) {}

  /**
   * What all of them give.
   *
   * @param labelled whether accuracy is about the data's labels, or about the bare model's answers
   * @param bare the model as it is
   * @param rows one for each form, in their order
   * @param best the number of the row with the highest sum of average and worst accuracy: right in
   *     most poses, and in all of them; of equal ones the cheapest
   */
  public record Result(boolean labelled, Row bare, List<Row> rows, int best) {}

  /** The poses of an angle sweep or, for clouds, random similarities. */
  @SuppressWarnings("unchecked") // the sweep is of the kind of the shape
  public static <X> Tuning<X> of(DataSet<X> data, double step, String group) {
    Sweep<?> sweep =
        data.shape() instanceof InputShape.Clouds
            ? Sweeps.clouds(SimilarityGroup.named(group, 3), 4, 0, 1).get("random")
            : Sweeps.images(group, List.of(Resampling.BILINEAR), AngleSweep.degrees(step))
                .get(Resampling.BILINEAR.interpolation().id());
    return new Tuning<>(data, (Sweep<X>) sweep);
  }

  /** Tries all forms; the progress counts calls of the model inside. */
  public Result run(Form bare, List<? extends Form> forms, Progress progress) throws IOException {
    long total = bare.cost() + forms.stream().mapToLong(Form::cost).sum();
    long each = (long) data.size() * sweep.poses().size();
    Robustness asItIs = measure(bare, data.items(), 0, total * each, progress);
    boolean labelled = asItIs.labelled();
    int[] labels =
        IntStream.range(0, data.size())
            .map(i -> labelled ? data.label(i) : asItIs.cleanPrediction(i))
            .toArray();
    List<Labelled<X>> items = Labelled.list(data::input, labels);
    Row own = new Row(bare, accuracy(asItIs, labels), asItIs.agreement());
    List<Row> rows = new ArrayList<>();
    long done = bare.cost();
    for (Form form : forms) {
      Robustness found = measure(form, items, done * each, total * each, progress);
      rows.add(new Row(form, found.accuracy(), found.agreement()));
      done += form.cost();
    }
    int best =
        IntStream.range(0, rows.size())
            .boxed()
            .max(
                Comparator.comparingDouble((Integer i) -> worth(rows.get(i)))
                    .thenComparing(i -> -rows.get(i).form().cost()))
            .orElseThrow();
    return new Result(labelled, own, List.copyOf(rows), best);
  }

  private static double worth(Row row) {
    return row.accuracy().average() + row.accuracy().worst();
  }

  private Robustness measure(
      Form form, List<Labelled<X>> items, long before, long total, Progress progress)
      throws IOException {
    try (LoadedModel model = form.open()) {
      return Robustness.measure(
          model.classifier(data.shape()),
          items,
          sweep,
          Robustness.Settings.defaults(),
          (done, of) -> progress.update(before + done * form.cost(), total));
    }
  }

  /** Clean, average and worst accuracy of answers that are known, by these labels. */
  private static Accuracy accuracy(Robustness r, int[] labels) {
    int n = labels.length;
    int poses = r.poses().size();
    long clean = 0;
    long anywhere = 0;
    long everywhere = 0;
    for (int i = 0; i < n; i++) {
      int item = i;
      long right =
          IntStream.range(0, poses).filter(p -> r.prediction(item, p) == labels[item]).count();
      clean += r.cleanPrediction(i) == labels[i] ? 1 : 0;
      anywhere += right;
      everywhere += right == poses ? 1 : 0;
    }
    return new Accuracy(
        (double) clean / n, (double) anywhere / ((double) n * poses), (double) everywhere / n);
  }
}
