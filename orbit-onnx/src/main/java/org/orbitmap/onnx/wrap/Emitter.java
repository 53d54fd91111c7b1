package org.orbitmap.onnx.wrap;

import java.util.List;
import java.util.Optional;
import org.orbitmap.model.TensorSpec;
import org.orbitmap.onnx.graph.Graph;
import org.orbitmap.onnx.graph.Graph.Value;

/** Writes an orbit mapping as nodes of a graph: the same mapping as in Java, in ONNX operators. */
interface Emitter {
  /**
   * What the nodes before the model compute.
   *
   * @param inputs the canonical inputs, in K frames: the model's input shape with K·N along the
   *     first axis, all inputs in the first frame, then all in the second, and so on
   * @param pose what brought the inputs there; each value has K·N along its first axis
   * @param doubt 0 for inputs of finite numbers, NaN for all others: [N, 1]
   * @param weights how much each frame counts, [K, N], with sum 1 for each input; empty if all
   *     count alike
   */
  record Framed(Value inputs, List<Value> pose, Value doubt, Optional<Value> weights) {
    /** Frames that count alike. */
    Framed(Value inputs, List<Value> pose, Value doubt) {
      this(inputs, pose, doubt, Optional.empty());
    }
  }

  /** The nodes before the model; x has floats. */
  Framed emit(Graph graph, Value x);

  /**
   * The nodes that map a dense output back to the pose of the input (paper, Proposition 2).
   *
   * @param y the output in the canonical pose, M along its first axis
   * @param port what the model says of that output
   * @param pose as in {@link Framed}, M along each first axis
   * @throws IllegalArgumentException if the output's shape is not one that the group acts on
   */
  Value back(Graph graph, Value y, TensorSpec port, List<Value> pose);
}
