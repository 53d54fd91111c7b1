package org.orbitmap.onnx.wrap;

import static org.orbitmap.onnx.graph.Graph.DOUBLE;
import static org.orbitmap.onnx.graph.Graph.FLOAT;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.orbitmap.model.ModelInput;
import org.orbitmap.model.TensorSpec;
import org.orbitmap.network.Declaration.Shape;
import org.orbitmap.network.zoo.UprightCube;
import org.orbitmap.onnx.export.OnnxOperations;
import org.orbitmap.onnx.export.OnnxOperations.Node;
import org.orbitmap.onnx.graph.Graph;
import org.orbitmap.onnx.graph.Graph.Value;
import org.orbitmap.upright.CloudUprightFrames;
import org.orbitmap.upright.CloudUprightMapping;
import org.orbitmap.upright.CloudUprightPredictor;
import org.orbitmap.upright.CloudUprightSettings;
import org.orbitmap.upright.FittedCloudUpright;

/**
 * An upright mapping of clouds as ONNX nodes: the canonical cloud of the mapping below, the
 * predictor's scores of it, the rotations of the best of them ({@link CloudUprightMapping#answer}),
 * and the cloud rotated by them.
 *
 * @param below the mapping below
 * @param frames how many poses, as in {@link CloudUprightFrames}
 */
record CloudUprightEmitter(FittedCloudUpright fitted, CloudEmitter below, int frames)
    implements Emitter {

  static CloudUprightEmitter of(ModelInput.Clouds input, CloudUprightMapping m, int frames) {
    new CloudUprightFrames(m, frames); // refuses a number that there is not
    return new CloudUprightEmitter(m.fitted(), new CloudEmitter(input, m.base(), 1), frames);
  }

  /**
   * The best rotations of a batch.
   *
   * @param rotations of each cloud, [m, N, 3, 3]
   * @param weights the share of each, [m, N]
   */
  private record Best(Value rotations, Value weights) {}

  @Override
  public Framed emit(Graph g, Value x) {
    Framed canonical = below.emit(g, x);
    boolean pointsFirst = below.input().pointsFirst();
    Value points =
        pointsFirst ? canonical.inputs() : canonical.inputs().transpose(0, 2, 1); // [N, P, 3]
    Best best = best(g, scores(g, seen(g, points)));
    Value upright =
        CloudEmitter.framed(points.matmul(best.rotations.transpose(0, 1, 3, 2)), points);
    return new Framed(
        pointsFirst ? upright : upright.transpose(0, 2, 1),
        List.of(best.rotations.matmul(canonical.pose().get(0)).reshape(-1, 3, 3)),
        canonical.doubt(),
        Optional.of(best.weights));
  }

  /**
   * {@link CloudUprightPredictor#seen}, for any number of points: centred, with mean distance 1; as
   * it is if it has no extent.
   */
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

  /** The rotations C(v_k)·F_k of the answer and then of the most probable k. */
  private Best best(Graph g, Value scores) {
    int n = UprightCube.COUNT;
    Value logits = scores.pick(2, 0);
    Value p = logits.minus(logits.reduce("ReduceMax", 1)).exp(); // [N, 24], not normalised
    Value chosen = chosen(g, p); // [N, m, 24]
    Value rotations =
        chosen.matmul(rotations(g, scores).reshape(-1, n, 9)).reshape(-1, frames, 3, 3);
    Value own = chosen.times(p.reshape(-1, 1, n)).reduce("ReduceSum", 2).reshape(-1, frames);
    Value share = own.over(own.reduce("ReduceSum", 1));
    return new Best(rotations.transpose(1, 0, 2, 3), share.transpose(1, 0));
  }

  /** 1 where a frame of a cloud is that of k, else 0: [N, m, 24]. */
  private Value chosen(Graph g, Value p) {
    int n = UprightCube.COUNT;
    int axes = n / UprightCube.HEADINGS;
    double[] one = new double[n * n];
    double[] headings = new double[axes * n]; // whose rotations are these
    for (int k = 0; k < n; k++) {
      one[k * n + k] = 1;
      headings[k / UprightCube.HEADINGS * n + k] = 1;
    }
    Value single = g.reals(FLOAT, one, n, n);
    Value axis =
        p.reshape(-1, axes, UprightCube.HEADINGS)
            .reduce("ReduceSum", 2)
            .reshape(-1, axes)
            .argmax(1); // [N]
    Value ofAxis = g.reals(FLOAT, headings, axes, n).gather(0, axis);
    Value next = single.gather(0, p.times(ofAxis).argmax(1)); // [N, 24]
    Value left = p;
    List<Value> all = new ArrayList<>();
    for (int k = 0; k < frames; k++) {
      all.add(next.reshape(-1, 1, n));
      if (k + 1 < frames) {
        left = left.times(next.negate().plus(1)).minus(next); // below everything else
        next = single.gather(0, left.argmax(1));
      }
    }
    return frames == 1 ? all.get(0) : g.concat(1, all.toArray(Value[]::new));
  }

  /** C(v_k)·F_k for all k, [N, 24, 3, 3]. */
  private static Value rotations(Graph g, Value scores) {
    int n = UprightCube.COUNT;
    double[] cube = new double[n * 9];
    for (int k = 0; k < n; k++) {
      System.arraycopy(UprightCube.rotation(k), 0, cube, 9 * k, 9);
    }
    Value v = scores.gather(2, g.longs(new long[] {1, 2, 3}, 3)); // [N, 24, 3]
    // c = 2/(1 + |v|²); c - 1 + c·v_i² on the diagonal, c·(v_i·v_j ∓ v_k) beside it.
    Value c = g.scalar(FLOAT, 2).over(v.times(v).reduce("ReduceSum", 2).plus(1)); // [N, 24, 1]
    Value[] entries = new Value[9];
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < 3; j++) {
        Value square = v.slice(2, i).times(v.slice(2, j));
        if (i == j) {
          entries[3 * i + j] = c.times(square.plus(1)).plus(-1);
        } else {
          Value other = v.slice(2, 3 - i - j);
          entries[3 * i + j] = c.times(j == (i + 1) % 3 ? square.minus(other) : square.plus(other));
        }
      }
    }
    Value following = g.concat(2, entries).reshape(-1, n, 3, 3);
    return following.matmul(g.reals(FLOAT, cube, n, 3, 3));
  }

  @Override
  public Value back(Graph g, Value y, TensorSpec port, List<Value> pose) {
    return below.back(g, y, port, pose);
  }
}
