package org.orbitmap.onnx.wrap;

import static org.orbitmap.onnx.graph.Graph.DOUBLE;
import static org.orbitmap.onnx.graph.Graph.FLOAT;

import java.util.List;
import org.orbitmap.model.ModelInput;
import org.orbitmap.model.TensorSpec;
import org.orbitmap.network.Declaration.Shape;
import org.orbitmap.network.zoo.UprightCube;
import org.orbitmap.onnx.export.OnnxOperations;
import org.orbitmap.onnx.export.OnnxOperations.Node;
import org.orbitmap.onnx.graph.Graph;
import org.orbitmap.onnx.graph.Graph.Value;
import org.orbitmap.upright.CloudUprightMapping;
import org.orbitmap.upright.CloudUprightSettings;
import org.orbitmap.upright.FittedCloudUpright;

/**
 * An upright mapping of clouds as ONNX nodes: the canonical cloud of the mapping below, the
 * predictor's scores of it, the rotation of the best of them ({@link CloudUprightMapping#answer}),
 * and the cloud rotated by it.
 *
 * @param below the mapping below
 */
record CloudUprightEmitter(FittedCloudUpright fitted, CloudEmitter below) implements Emitter {

  static CloudUprightEmitter of(ModelInput.Clouds input, CloudUprightMapping m, int frames) {
    if (frames != 1) {
      throw new IllegalArgumentException(
          "frames: expected 1 for a fitted mapping of clouds, found " + frames);
    }
    return new CloudUprightEmitter(m.fitted(), new CloudEmitter(input, m.base(), 1));
  }

  @Override
  public Framed emit(Graph g, Value x) {
    Framed canonical = below.emit(g, x);
    boolean pointsFirst = below.input().pointsFirst();
    Value points =
        pointsFirst ? canonical.inputs() : canonical.inputs().transpose(0, 2, 1); // [N, P, 3]
    Value rotation = rotation(g, scores(g, seen(g, points)));
    Value upright = points.matmul(rotation.transpose(0, 2, 1));
    return new Framed(
        pointsFirst ? upright : upright.transpose(0, 2, 1),
        List.of(rotation.matmul(canonical.pose().get(0))),
        canonical.doubt());
  }

  /** Centred, with mean distance 1; as it is if it has no extent. */
  private static Value seen(Graph g, Value points) {
    Value x = points.cast(DOUBLE);
    Value centred = x.minus(x.reduce("ReduceMean", 1));
    Value size =
        centred.times(centred).reduce("ReduceSum", 2).sqrt().reduce("ReduceMean", 1); // [N, 1, 1]
    Value extended = size.above(g.scalar(DOUBLE, Double.MIN_NORMAL));
    Value without = g.scalar(DOUBLE, 1).minus(extended);
    return centred.over(size.times(extended).plus(without)).cast(FLOAT);
  }

  /** [N, 24, 4]. */
  private Value scores(Graph g, Value seen) {
    CloudUprightSettings s = fitted.settings();
    int points = below.input().points() > 0 ? below.input().points() : s.points();
    OnnxOperations ops = OnnxOperations.withConstants(g, fitted.predictor());
    Node scores = s.architecture().scores(ops, new Node(seen, Shape.of(points, 3)));
    return scores.value().reshape(-1, UprightCube.COUNT, CloudUprightSettings.EACH);
  }

  /** The rotation that the best answer of scores stands for: C(v_k)·F_k, [N, 3, 3]. */
  private static Value rotation(Graph g, Value scores) {
    int n = UprightCube.COUNT;
    double[] one = new double[n * n];
    double[] rotations = new double[n * 9];
    double[] axes = new double[n / UprightCube.HEADINGS * n]; // whose rotations are these
    for (int k = 0; k < n; k++) {
      one[k * n + k] = 1;
      axes[k / UprightCube.HEADINGS * n + k] = 1;
      System.arraycopy(UprightCube.rotation(k), 0, rotations, 9 * k, 9);
    }
    Value logits = scores.pick(2, 0);
    Value p = logits.minus(logits.reduce("ReduceMax", 1)).exp(); // [N, 24], not normalised
    Value axis =
        p.reshape(-1, n / UprightCube.HEADINGS, UprightCube.HEADINGS)
            .reduce("ReduceSum", 2)
            .reshape(-1, n / UprightCube.HEADINGS)
            .argmax(1); // [N]
    Value own = g.reals(FLOAT, axes, n / UprightCube.HEADINGS, n).gather(0, axis);
    Value best = p.times(own).argmax(1);
    Value there = g.reals(FLOAT, one, n, n).gather(0, best).reshape(-1, n, 1);
    Value said = scores.times(there).reduce("ReduceSum", 1).reshape(-1, CloudUprightSettings.EACH);
    Value v = said.gather(1, g.longs(new long[] {1, 2, 3}, 3)); // [N, 3]
    // c = 2/(1 + |v|²); c - 1 + c·v_i² on the diagonal, c·(v_i·v_j ∓ v_k) beside it.
    Value c = g.scalar(FLOAT, 2).over(v.times(v).reduce("ReduceSum", 1).plus(1)); // [N, 1]
    Value[] rows = new Value[3];
    for (int i = 0; i < 3; i++) {
      Value[] row = new Value[3];
      for (int j = 0; j < 3; j++) {
        Value square = v.slice(1, i).times(v.slice(1, j));
        if (i == j) {
          row[j] = c.times(square.plus(1)).plus(-1);
        } else {
          Value other = v.slice(1, 3 - i - j);
          row[j] = c.times(j == (i + 1) % 3 ? square.minus(other) : square.plus(other));
        }
      }
      rows[i] = g.concat(1, row);
    }
    Value following = g.concat(1, rows).reshape(-1, 3, 3);
    return following.matmul(g.reals(FLOAT, rotations, n, 9).gather(0, best).reshape(-1, 3, 3));
  }

  @Override
  public Value back(Graph g, Value y, TensorSpec port, List<Value> pose) {
    return below.back(g, y, port, pose);
  }
}
