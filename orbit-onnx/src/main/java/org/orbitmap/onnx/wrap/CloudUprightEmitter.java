package org.orbitmap.onnx.wrap;

import static org.orbitmap.onnx.graph.Graph.DOUBLE;
import static org.orbitmap.onnx.graph.Graph.FLOAT;

import java.util.List;
import org.orbitmap.model.ModelInput;
import org.orbitmap.model.TensorSpec;
import org.orbitmap.network.Declaration.Shape;
import org.orbitmap.onnx.export.OnnxOperations;
import org.orbitmap.onnx.export.OnnxOperations.Node;
import org.orbitmap.onnx.graph.Graph;
import org.orbitmap.onnx.graph.Graph.Value;
import org.orbitmap.upright.CloudUprightMapping;
import org.orbitmap.upright.CloudUprightSettings;
import org.orbitmap.upright.FittedCloudUpright;
import org.orbitmap.upright.UprightModes;

/**
 * An upright mapping of clouds as ONNX nodes: the canonical cloud of the mapping below, the
 * predictor's probabilities of it, the answer about which most of them lies ({@link
 * CloudUprightMapping#answer}, in products with fixed matrices), and the rotation by it.
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
    Value rotation = rotation(g, probabilities(g, seen(g, points)));
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

  private Value probabilities(Graph g, Value seen) {
    CloudUprightSettings s = fitted.settings();
    int points = below.input().points() > 0 ? below.input().points() : s.points();
    OnnxOperations ops = OnnxOperations.withConstants(g, fitted.predictor());
    Node scores = s.architecture().scores(ops, new Node(seen, Shape.of(points, 3)));
    return ops.softmax(scores).value();
  }

  /** The rotation that the best answer of probabilities [N, n] stands for: [N, 3, 3]. */
  private Value rotation(Graph g, Value p) {
    int bins = fitted.settings().bins();
    int n = CloudUprightSettings.AXES * bins;
    double[] window = new double[n * n]; // [from, about]
    double[] cosines = new double[n * n];
    double[] sines = new double[n * n];
    double[] one = new double[n * n];
    double[] frames = new double[n * 9];
    for (int about = 0; about < n; about++) {
      one[about * n + about] = 1;
      System.arraycopy(CloudUprightMapping.rotation(about / bins, 0), 0, frames, 9 * about, 9);
      for (int from = about - about % bins; from < about - about % bins + bins; from++) {
        double w = UprightModes.window(Math.cos(2 * Math.PI * (from - about) / bins));
        double angle = 2 * Math.PI * (from % bins) / bins;
        window[from * n + about] = w;
        cosines[from * n + about] = w * Math.cos(angle);
        sines[from * n + about] = w * Math.sin(angle);
      }
    }
    Value best = p.matmul(g.reals(FLOAT, window, n, n)).argmax(1).reshape(-1); // [N]
    Value there = g.reals(FLOAT, one, n, n).gather(0, best); // [N, n]
    Value a = p.matmul(g.reals(FLOAT, cosines, n, n)).times(there).reduce("ReduceSum", 1);
    Value b = p.matmul(g.reals(FLOAT, sines, n, n)).times(there).reduce("ReduceSum", 1);
    Value size = a.times(a).plus(b.times(b)).sqrt();
    Value some = size.above(g.scalar(FLOAT, Float.MIN_NORMAL)); // else the angle 0
    Value none = some.negate().plus(1);
    Value length = size.times(some).plus(none);
    Value cos = a.times(some).plus(none).over(length); // [N, 1]
    Value sin = b.times(some).over(length);
    Value frame = g.reals(FLOAT, frames, n, 9).gather(0, best);
    Value first = row(g, frame, 0);
    Value second = row(g, frame, 1);
    return g.concat(
            1,
            cos.times(first).minus(sin.times(second)),
            sin.times(first).plus(cos.times(second)),
            row(g, frame, 2))
        .reshape(-1, 3, 3);
  }

  private static Value row(Graph g, Value frame, int i) {
    return frame.gather(1, g.longs(new long[] {3L * i, 3L * i + 1, 3L * i + 2}, 3));
  }

  @Override
  public Value back(Graph g, Value y, TensorSpec port, List<Value> pose) {
    return below.back(g, y, port, pose);
  }
}
