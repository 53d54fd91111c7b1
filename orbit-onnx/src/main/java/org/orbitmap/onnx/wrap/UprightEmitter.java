package org.orbitmap.onnx.wrap;

import static org.orbitmap.onnx.graph.Graph.FLOAT;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.orbitmap.image.Offset;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.mapping.PoseRule;
import org.orbitmap.model.Layout;
import org.orbitmap.model.ModelInput;
import org.orbitmap.model.Preprocessing;
import org.orbitmap.model.TensorSpec;
import org.orbitmap.network.Declaration.Shape;
import org.orbitmap.onnx.export.OnnxOperations;
import org.orbitmap.onnx.export.OnnxOperations.Node;
import org.orbitmap.onnx.graph.Graph;
import org.orbitmap.onnx.graph.Graph.Value;
import org.orbitmap.upright.FittedUpright;
import org.orbitmap.upright.UprightMapping;
import org.orbitmap.upright.UprightModes;
import org.orbitmap.upright.UprightPredictor;
import org.orbitmap.upright.UprightSettings;
import org.orbitmap.upright.UprightView;

/**
 * An upright mapping as ONNX nodes: the pose of the mapping below, the canonical image in it, the
 * predictor's probabilities of it after the restorer, their best modes ({@link UprightModes}, in
 * products with fixed matrices), the images read straight from the input in these poses, and the
 * restorer.
 *
 * @param seen the mapping below, for what the predictor sees
 * @param shown for what the model sees
 */
record UprightEmitter(FittedUpright fitted, ImageEmitter seen, ImageEmitter shown)
    implements Emitter {

  static UprightEmitter of(
      ModelInput.Images input, Preprocessing preprocessing, UprightMapping<?> m, int frames) {
    UprightSettings s = m.fitted().settings();
    PoseRule rule = PoseRule.named(s.base());
    Resampling view = Resampling.of(s.interpolation());
    return new UprightEmitter(
        m.fitted(),
        new ImageEmitter(input, preprocessing, rule, view, s.mirrors(), 1),
        new ImageEmitter(input, preprocessing, rule, m.resampling(), s.mirrors(), frames));
  }

  /**
   * The modes of a batch.
   *
   * @param unit cosine and sine of each, [N, m, 2]
   * @param mirrored 1 where the canonical image is mirrored first, [N, m, 1]; null if that cannot
   *     be
   * @param weights of each, [N, m]
   */
  private record Modes(Value unit, Value mirrored, Value weights) {}

  @Override
  public Framed emit(Graph g, Value x) {
    ImageEmitter.Found found = seen.pose(g, x);
    Value base = found.pose().cast(FLOAT);
    OnnxOperations ops = OnnxOperations.withConstants(g, fitted.predictor());
    OnnxOperations restoring = OnnxOperations.withConstants(g, fitted.restorer());
    Node view = UprightPredictor.cleared(restoring, canonical(g, ops, x, base), fitted.settings());
    Value p = UprightPredictor.probabilities(ops, view, fitted.settings()).value();
    Modes modes = modes(g, p);
    Value pose = composed(g, base, modes);
    Value y = restored(g, restoring, x, pose);
    return new Framed(
        y, List.of(shown.byFrame(pose)), found.doubt(), Optional.of(modes.weights.transpose(1, 0)));
  }

  /** The images, or reduced copies of large ones, in the pose of the mapping below. */
  private Node canonical(Graph g, OnnxOperations ops, Value x, Value base) {
    UprightSettings s = fitted.settings();
    if (!UprightView.reduces(seen.input().height(), seen.input().width(), s)) {
      ModelInput.Images in = seen.input();
      return read(g, seen, x, base, UprightPredictor.offsets(in.height(), in.width(), s));
    }
    Node small = UprightView.reduced(ops, new Node(seen.pixels(g, x), shape(1)), s);
    int side = UprightView.side(s);
    Value rotated =
        seen.sampler()
            .sample(
                g,
                small.value(),
                new ImageSampler.Image(
                    Layout.NCHW, s.channels(), side, side, new double[s.channels()]),
                seen.input().batch(),
                base,
                1,
                ImageSampler.Grid.of(side, side, seen.resampling()),
                seen.resampling().interpolation());
    return new Node(rotated, Shape.of(s.channels(), side, side));
  }

  private Shape shape(int readings) {
    ModelInput.Images in = shown.input();
    return Shape.of(readings * in.channels(), in.height(), in.width());
  }

  /** The images in poses as pixels in [0, 1], of each channel all readings. */
  private Node read(Graph g, ImageEmitter by, Value x, Value pose, List<Offset> offsets) {
    Value pixels = by.pixels(g, by.sampled(g, x, pose, offsets));
    Shape shape = shape(offsets.size());
    ModelInput.Images in = by.input();
    return new Node(
        offsets.size() == 1
            ? pixels
            : pixels.reshape(-1, (long) offsets.size() * in.channels(), in.height(), in.width()),
        shape);
  }

  /** The images in poses as the model takes them, restored if there is a restorer. */
  private Value restored(Graph g, OnnxOperations ops, Value x, Value pose) {
    if (!fitted.restores()) {
      return shown.sampled(g, x, pose);
    }
    Node seen = read(g, shown, x, pose, UprightPredictor.offsets(fitted.settings()));
    return shown.taken(g, UprightPredictor.restored(ops, seen, fitted.settings()).value());
  }

  /** The m best modes of probabilities [N, n]. */
  private Modes modes(Graph g, Value p) {
    UprightSettings s = fitted.settings();
    int n = s.scores();
    int bins = s.bins();
    double[] window = new double[n * n];
    double[] near = new double[n * n];
    double[] half = new double[n * n];
    double[] centres = new double[2 * n];
    double[] directions = new double[2 * n];
    double[] flags = new double[n];
    for (int a = 0; a < n; a++) {
      centres[2 * a] = directions[a] = Math.cos(2 * Math.PI * a / bins);
      centres[2 * a + 1] = directions[n + a] = Math.sin(2 * Math.PI * a / bins);
      flags[a] = a < bins ? 0 : 1;
      for (int b = 0; b < n; b++) {
        boolean same = a / bins == b / bins;
        window[a * n + b] = same ? UprightModes.window(Math.cos(2 * Math.PI * (a - b) / bins)) : 0;
        near[a * n + b] = same && UprightModes.near(a, b, bins) ? 1 : 0;
        half[a * n + b] = same ? 1 : 0;
      }
    }
    Value mass = p.matmul(g.reals(FLOAT, window, n, n));
    Value lower =
        mass.gather(1, neighbours(g, n, bins, -1))
            .above(mass)
            .plus(mass.gather(1, neighbours(g, n, bins, 1)).above(mass))
            .clip(0, 1);
    // a mode's mass; -1 where there is none, or where a better one is near
    Value score = mass.times(lower.negate().plus(1)).minus(lower);
    Value nearby = g.reals(FLOAT, near, n, n);
    List<Value> peaks = new ArrayList<>();
    List<Value> weights = new ArrayList<>();
    int frames = shown.frames();
    for (int k = 0; k < frames; k++) {
      Value peak = score.argmax(1).reshape(-1, 1);
      peaks.add(peak);
      weights.add(score.reduce("ReduceMax", 1).clip(0, n));
      if (k + 1 < frames) {
        Value taken = nearby.gather(0, peak.reshape(-1));
        score = score.times(taken.negate().plus(1)).minus(taken);
      }
    }
    Value peak = frames == 1 ? peaks.get(0) : g.concat(1, peaks.toArray(Value[]::new));
    Value mine = frames == 1 ? weights.get(0) : g.concat(1, weights.toArray(Value[]::new));
    Value share = mine.over(mine.reduce("ReduceSum", 1).clip(Float.MIN_NORMAL, n));
    Value near3 = p.reshape(-1, 1, n);
    if (s.mirrors()) {
      near3 = near3.times(g.reals(FLOAT, half, n, n).gather(0, peak));
    }
    Value all = g.reals(FLOAT, directions, 2, n);
    Value back = g.reals(FLOAT, centres, n, 2);
    Value unit = back.gather(0, peak);
    for (int i = 0; i < UprightModes.SHIFTS; i++) {
      Value w = unit.matmul(all).plus(-UprightModes.REACH).clip(0, 2).times(near3);
      Value v = w.matmul(back);
      Value size = v.times(v).reduce("ReduceSum", 2).sqrt();
      Value some = size.above(g.scalar(FLOAT, Float.MIN_NORMAL));
      unit = either(g, some, v, size, unit);
    }
    Value mirrored = s.mirrors() ? g.reals(FLOAT, flags, n, 1).gather(0, peak) : null;
    return new Modes(unit, mirrored, share);
  }

  /** v/size where there is some, else what was before; images that are not finite have none. */
  private static Value either(Graph g, Value some, Value v, Value size, Value before) {
    if (g.opset() >= 9) {
      return g.op("Where", FLOAT, List.of(some.cast(Graph.BOOL), v.over(size), before));
    }
    Value none = some.negate().plus(1);
    return v.times(some).plus(before.times(none)).over(size.times(some).plus(none));
  }

  private static Value neighbours(Graph g, int n, int bins, int step) {
    long[] at =
        IntStream.range(0, n)
            .mapToLong(k -> k - k % bins + Math.floorMod(k % bins + step, bins))
            .toArray();
    return g.longs(at, n);
  }

  /** The matrices of the modes behind that of the mapping below, float [N·m, 2|4]. */
  private Value composed(Graph g, Value base, Modes modes) {
    Value cos = modes.unit.slice(2, 0);
    Value sin = modes.unit.slice(2, 1);
    if (modes.mirrored == null) {
      Value a = base.slice(1, 0).reshape(-1, 1, 1);
      Value b = base.slice(1, 1).reshape(-1, 1, 1);
      return g.concat(2, a.times(cos).minus(b.times(sin)), b.times(cos).plus(a.times(sin)))
          .reshape(-1, 2);
    }
    Value f = modes.mirrored.times(-2).plus(1);
    Value second =
        g.concat(2, cos, sin.negate(), sin.times(f), cos.times(f))
            .reshape(-1, shown.frames(), 2, 2);
    return base.reshape(-1, 1, 2, 2).matmul(second).reshape(-1, 4);
  }

  @Override
  public Value back(Graph g, Value y, TensorSpec port, List<Value> pose) {
    return shown.back(g, y, port, pose);
  }
}
