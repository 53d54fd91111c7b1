package org.orbitmap.paper;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.orbitmap.cloud.CloudSweeps;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.eval.Progress;
import org.orbitmap.eval.Robustness;
import org.orbitmap.eval.Sweep;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.model.InputShape;
import org.orbitmap.nn.model.Evaluation;
import org.orbitmap.nn.model.Model;

/**
 * Clouds over the sweeps of the paper (section 4.2, appendix B), with class accuracy: {@code scale}
 * (9 scales from 0.001 to 1000), {@code rotation} (a grid of two angles), {@code shift} (8 shifts
 * along each axis), {@code heading} (rotations about the vertical) and {@code order} (the points in
 * random orders).
 *
 * @param sweeps the names of the sweeps
 * @param angles of the grid of rotations, its square is measured; and of the headings
 */
public record CloudProtocol(List<String> sweeps, int angles) implements Protocol<PointCloud> {
  private static final int ORDERS = 8;

  public CloudProtocol {
    sweeps = List.copyOf(sweeps);
    sweeps.forEach(s -> sweep(s, 1)); // refuses what is none
  }

  private static Sweep<PointCloud> sweep(String name, int angles) {
    return switch (name) {
      case "scale" -> CloudSweeps.scales();
      case "rotation" -> CloudSweeps.rotations(angles);
      case "shift" -> CloudSweeps.shifts();
      case "heading" -> CloudSweeps.headings(angles);
      case "order" -> CloudSweeps.orders(ORDERS, 1);
      default ->
          throw new IllegalArgumentException(
              "sweep: expected scale, rotation, shift, heading or order, found " + name);
    };
  }

  @Override
  public String description() {
    List<String> parts = new ArrayList<>();
    for (String s : sweeps) {
      parts.add(
          switch (s) {
            case "scale" -> "9 scales from 0.001 to 1000";
            case "rotation" -> "%d x %d rotations".formatted(angles, angles);
            case "shift" -> "8 shifts up to 10 along each axis";
            case "order" -> "%d orders of the points".formatted(ORDERS + 1);
            default -> "%d rotations about the vertical".formatted(angles);
          });
    }
    return "Accuracy is the mean over the classes; average and worst are over %s."
        .formatted(String.join(", ", parts));
  }

  @Override
  public String inputs() {
    return "clouds";
  }

  @Override
  public boolean byClass() {
    return true;
  }

  @Override
  public String title(String sweep) {
    return "Moved by " + sweep;
  }

  @Override
  @SuppressWarnings("unchecked") // the shape says so
  public DataSet<PointCloud> require(DataSet<?> data) {
    if (data.shape() instanceof InputShape.Clouds) {
      return (DataSet<PointCloud>) data;
    }
    throw new IllegalArgumentException(
        "%s: expected clouds, found %s".formatted(data.name(), data.shape()));
  }

  @Override
  public Counts measure(Row row, Model<?> model, DataSet<PointCloud> part, int threads) {
    Map<String, Robustness> results = new LinkedHashMap<>();
    for (String s : sweeps) {
      results.put(
          s,
          Evaluation.robustness(
              model, part, sweep(s, angles), threads, Robustness.TrueClass.NONE, Progress.OFF));
    }
    return Counts.of(results, part.classes());
  }

  @Override
  public String shortcut(List<RowResult> results) {
    return "";
  }
}
