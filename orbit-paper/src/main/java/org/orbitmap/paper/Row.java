package org.orbitmap.paper;

import java.io.Serializable;
import java.nio.file.Path;
import org.orbitmap.eval.Accuracy;
import org.orbitmap.model.MappingSpec;
import org.orbitmap.nn.model.MappingConfig;
import org.orbitmap.nn.model.MappingConfig.Use;
import org.orbitmap.nn.train.TrainConfig;

/**
 * One row of a table: a trained network and the mapping it is measured with.
 *
 * @param network its name
 * @param scheme how training inputs are changed: std, ra, ra-combined, or these with a range
 * @param mapping the mapping that it is measured with, and when it is used
 * @param train how its network is trained; rows with equal training share a run
 * @param paper the paper's figures in percent: clean, then the average of each sweep, then the
 *     worst of each; NaN where the paper has none; empty if it has no such row
 */
public record Row(
    String network, String scheme, MappingConfig mapping, TrainConfig train, double[] paper)
    implements Serializable {
  /** A row with a mapping by its rule, of the group that the training names. */
  public Row(
      String network, String scheme, Use when, String rule, TrainConfig train, double[] paper) {
    this(
        network,
        scheme,
        rule.isEmpty() ? MappingConfig.NONE : train.mapping().rule(rule).when(when),
        train,
        paper);
  }

  /** The same with another training. */
  Row train(TrainConfig other) {
    return new Row(network, scheme, mapping, other, paper);
  }

  /** Whether it needs a predictor of the upright pose that is fitted first. */
  boolean needsUpright() {
    return UprightFit.isNeededBy(mapping);
  }

  /** The same with the file of that predictor, if it needs one. */
  Row upright(Path file) {
    TrainConfig trained = train.with(c -> c.mapping(UprightFit.in(train.mapping(), file)));
    return new Row(network, scheme, UprightFit.in(mapping, file), trained, paper);
  }

  /** When the mapping is used. */
  public Use when() {
    return mapping.when();
  }

  /** The mapping and when it is used, such as {@code disc, train+test}, or {@code none}. */
  public String mappingText() {
    return rule().isEmpty() ? "none" : rule() + ", " + when();
  }

  /**
   * The mapping by name, or empty: the rule; the group, and the rule where the group rotates, if it
   * is not the default; the number of frames.
   */
  public String rule() {
    if (!mapping.used()) {
      return "";
    }
    String group = mapping.group();
    String frames = mapping.frames() == 1 ? "" : "-%d-frames".formatted(mapping.frames());
    if (MappingSpec.file(mapping.rule()).isPresent()) { // it may be anywhere
      return mapping.rule().substring(0, mapping.rule().indexOf(':')) + frames;
    }
    if (group.equals(MappingConfig.DEFAULT_GROUP)) {
      return mapping.rule();
    }
    if (group.equals("scale") || group.equals("translation")) {
      return group;
    }
    return group + "-" + mapping.rule() + frames;
  }

  /** The paper's figures for one of n sweeps, as shares; NaN where there are none. */
  public Accuracy paper(int sweep, int n) {
    return paper.length == 0
        ? new Accuracy(Double.NaN, Double.NaN, Double.NaN)
        : new Accuracy(paper[0] / 100, paper[1 + sweep] / 100, paper[1 + n + sweep] / 100);
  }

  /** Its name among the rows of a table, also as a file name. */
  public String id() {
    return (network + "-" + scheme + "-" + (rule().isEmpty() ? "none" : when().id() + "-" + rule()))
        .replace("+", "-");
  }

  /** The name of the run that it needs. */
  public String run() {
    return network + "-" + scheme + "-" + (when() == Use.TRAIN_AND_TEST ? rule() : "none");
  }
}
