package org.orbitmap.paper;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.orbitmap.eval.Progress;
import org.orbitmap.eval.Robustness;
import org.orbitmap.image.AngleSweep;
import org.orbitmap.image.Image;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.mapping.PoseRule;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.model.InputShape;
import org.orbitmap.model.MappingSpec;
import org.orbitmap.nn.model.Evaluation;
import org.orbitmap.nn.model.Model;

/**
 * Images at all angles, with each interpolation (paper, section 4.1).
 *
 * <p>A row with a mapping that is exact under quarter turns, or without one whose network does not
 * change with them, is measured at the angles below 90° only: for a square image, rotating by α +
 * 90° is rotating by α and then exchanging pixels, and the mapping gives the same canonical image
 * for both, the network the same answer, up to rounding. That is checked on some images and angles
 * of every chunk, and differing answers are counted in the table.
 *
 * @param step degrees between the angles; divides 90
 */
public record RotationProtocol(int step) implements Protocol<Image> {
  private static final int CHECKED_IMAGES = 5;
  private static final double[] CHECKED_PLACES = {0.08, 0.37, 0.65, 0.95};

  public RotationProtocol {
    if (step < 1 || 90 % step != 0) {
      throw new IllegalArgumentException("step: expected a divisor of 90 degrees, found " + step);
    }
  }

  @Override
  public List<String> sweeps() {
    return Arrays.stream(Interpolation.values()).map(Interpolation::id).toList();
  }

  @Override
  public String description() {
    return "Average and worst are over all angles in steps of %d°.".formatted(step);
  }

  @Override
  @SuppressWarnings("unchecked") // the shape says so
  public DataSet<Image> require(DataSet<?> data) {
    if (data.shape() instanceof InputShape.Images) {
      return (DataSet<Image>) data;
    }
    throw new IllegalArgumentException(
        "%s: expected images, found %s".formatted(data.name(), data.shape()));
  }

  @Override
  public Counts measure(Row row, Model<?> model, DataSet<Image> part, int threads) {
    int[] axes = part.shape().axes();
    boolean quarter =
        axes[1] == axes[2]
            && (row.rule().isEmpty()
                ? model.description().architecture().ignoresQuarterTurns()
                : exactQuarterTurns(row.mapping().rule()));
    double[] angles =
        IntStream.range(0, (quarter ? 90 : 360) / step)
            .mapToDouble(k -> (double) k * step)
            .toArray();
    Map<String, Robustness> results = new LinkedHashMap<>();
    int checked = 0;
    int differing = 0;
    for (Interpolation i : Interpolation.values()) {
      Robustness r = robustness(model, part, threads, i, angles);
      results.put(i.id(), r);
      if (quarter) {
        DataSet<Image> few = part.first(CHECKED_IMAGES);
        for (double place : CHECKED_PLACES) {
          int pose = (int) (place * angles.length);
          double angle = angles[pose];
          Robustness rotated =
              robustness(model, few, threads, i, angle + 90, angle + 180, angle + 270);
          for (int item = 0; item < few.size(); item++) {
            for (int k = 0; k < 3; k++) {
              checked++;
              differing += rotated.prediction(item, k) == r.prediction(item, pose) ? 0 : 1;
            }
          }
        }
      }
    }
    return Counts.of(results, part.classes()).compared(checked, differing);
  }

  /** Whether a mapping undoes quarter turns exactly; upright ones stand behind {@code disc}. */
  private static boolean exactQuarterTurns(String rule) {
    return MappingSpec.file(rule).isPresent() || PoseRule.named(rule).exactQuarterTurns();
  }

  private static Robustness robustness(
      Model<?> model, DataSet<Image> part, int threads, Interpolation how, double... angles) {
    return Evaluation.robustness(
        model,
        part,
        AngleSweep.at(Resampling.of(how), angles),
        threads,
        Robustness.TrueClass.NONE,
        Progress.OFF);
  }

  @Override
  public String shortcut(List<RowResult> results) {
    List<Score> scores = results.stream().flatMap(r -> r.seeds().stream()).toList();
    int checked = scores.stream().mapToInt(Score::checked).sum();
    return checked == 0
        ? ""
        : "Rows with a mapping, and with a network that ignores quarter turns, were measured at the angles below 90°: a quarter turn of a square image only exchanges pixels, and these mappings undo it. Of %,d answers that were compared at the other angles, %d differed."
            .formatted(checked, scores.stream().mapToInt(Score::differing).sum());
  }
}
