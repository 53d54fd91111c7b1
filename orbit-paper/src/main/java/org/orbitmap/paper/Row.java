package org.orbitmap.paper;

import java.util.List;
import org.orbitmap.eval.Accuracy;
import org.orbitmap.image.Interpolation;
import org.orbitmap.nn.model.MappingConfig.Use;
import org.orbitmap.nn.train.TrainConfig;

/**
 * One row of a table: a trained network and the mapping it is measured with.
 *
 * @param network its name
 * @param scheme std, ra or ra-combined
 * @param when when the mapping is used
 * @param rule the mapping, or empty
 * @param train how its network is trained; rows with equal training share a run
 * @param paper the paper's figures in percent: clean, then the average of each sweep, then the
 *     worst of each; NaN where the paper has none; empty if it has no such row
 */
public record Row(
    String network, String scheme, Use when, String rule, TrainConfig train, double[] paper) {
  /** The paper's figures for an interpolation, as shares; NaN where there are none. */
  public Accuracy paper(Interpolation how) {
    int k = List.of(Interpolation.values()).indexOf(how);
    int n = Interpolation.values().length;
    return paper.length == 0
        ? new Accuracy(Double.NaN, Double.NaN, Double.NaN)
        : new Accuracy(paper[0] / 100, paper[1 + k] / 100, paper[1 + n + k] / 100);
  }

  /** Its name among the rows of a table, also as a file name. */
  public String id() {
    return (network + "-" + scheme + "-" + (rule.isEmpty() ? "none" : when.id() + "-" + rule))
        .replace("+", "-");
  }

  /** The name of the run that it needs. */
  String run() {
    return network + "-" + scheme + "-" + (when == Use.TRAIN_AND_TEST ? rule : "none");
  }
}
