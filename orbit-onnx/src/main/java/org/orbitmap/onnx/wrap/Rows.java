package org.orbitmap.onnx.wrap;

import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.orbitmap.model.ModelInput;
import org.orbitmap.model.TensorSpec;
import org.orbitmap.onnx.graph.OnnxFile;

/**
 * What the nodes of a model compute, each output with one row for each input. A model that takes
 * one input at a time may leave out the axis of the batch; here it has length 1.
 */
final class Rows {
  private final OnnxFile file;
  private final ModelInput<?> input;
  private final Map<String, TensorSpec> outputs = new LinkedHashMap<>();
  private final Set<String> alone = new HashSet<>();
  private final Optional<TensorSpec> scores;

  /**
   * Looks at a model.
   *
   * @param given what it gives
   * @param equivariant outputs that are mapped back, and are no class scores
   * @param scores the output of class scores; null for the one that can be it
   */
  Rows(
      OnnxFile file,
      ModelInput<?> input,
      List<TensorSpec> given,
      Set<String> equivariant,
      String scores) {
    this.file = file;
    this.input = input;
    Set<String> computed =
        file.model().getGraph().getNodeList().stream()
            .flatMap(n -> n.getOutputList().stream())
            .collect(Collectors.toSet());
    Map<String, TensorSpec> all = new LinkedHashMap<>();
    for (TensorSpec p : given) {
      boolean row = input.batched() && !(input.batch() == 1 && hasOtherLength(p));
      all.put(p.name(), row ? p : p.asRow());
      if (computed.contains(p.name())) {
        outputs.put(p.name(), all.get(p.name()));
        if (!row) {
          alone.add(p.name());
        }
      }
    }
    this.scores =
        TensorSpec.scores(
            all.values().stream().filter(p -> !equivariant.contains(p.name())).toList(), scores);
  }

  /** Whether the first axis of an output cannot be that of a single input. */
  private static boolean hasOtherLength(TensorSpec p) {
    return p.rank() > 0 && p.length(0) >= 0 && p.length(0) != 1;
  }

  boolean has(String name) {
    return outputs.containsKey(name);
  }

  TensorSpec get(String name) {
    return outputs.get(name);
  }

  Collection<TensorSpec> all() {
    return outputs.values();
  }

  /** Whether the model's own output has no axis for the batch. */
  boolean alone(String name) {
    return alone.contains(name);
  }

  /** Whether one of the model's own outputs has no axis for the batch. */
  boolean someAlone() {
    return !alone.isEmpty();
  }

  /** The output of class scores, if there is one of a known shape. */
  Optional<TensorSpec> scores() {
    return scores.filter(p -> p.rank() > 0);
  }

  /** Whether the most confident of several frames can be chosen. */
  boolean choosable() {
    return scores().isPresent() && outputs.values().stream().allMatch(this::perInput);
  }

  /** Whether an output holds class scores as real numbers, a row for each input. */
  boolean perInputScores(String name) {
    return has(name) && isScores(name) && get(name).real() && perInput(get(name));
  }

  private boolean perInput(TensorSpec p) {
    return p.rank() > 0 && (input.batch() < 0 || p.length(0) < 0 || p.length(0) == input.batch());
  }

  void requirePerInput(TensorSpec p) {
    if (!perInput(p)) {
      throw new IllegalArgumentException(
          "frames: expected outputs with one row for each input, found " + p);
    }
  }

  void requireReal(String what, String name) {
    if (!get(name).real()) {
      throw new IllegalArgumentException(
          "%s: expected outputs of real numbers, found %s".formatted(what, get(name)));
    }
  }

  /** Whether an output holds class scores. */
  boolean isScores(String name) {
    return scores().filter(p -> p.name().equals(name)).isPresent();
  }

  /** Whether the class scores are one number for each input, that of the second of two classes. */
  boolean isBinary(String name) {
    return isScores(name) && (get(name).rank() == 1 || get(name).binary());
  }

  /** Whether an output holds class scores that are not probabilities yet. */
  boolean isLogits(String name) {
    return isScores(name) && !file.givesProbabilities(name);
  }
}
