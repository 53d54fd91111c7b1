package org.orbitmap.onnx.wrap;

import static org.orbitmap.onnx.graph.Graph.DOUBLE;
import static org.orbitmap.onnx.graph.Graph.FLOAT;
import static org.orbitmap.onnx.graph.Graph.INT64;

import java.util.Arrays;
import java.util.List;
import org.orbitmap.cloud.mapping.AxisSignRule;
import org.orbitmap.cloud.mapping.CloudFrames;
import org.orbitmap.cloud.mapping.CloudMapping;
import org.orbitmap.cloud.mapping.ScaleRule;
import org.orbitmap.group.Similarity;
import org.orbitmap.group.SimilarityGroup.Rotations;
import org.orbitmap.model.ModelInput;
import org.orbitmap.model.TensorSpec;
import org.orbitmap.onnx.graph.Graph;
import org.orbitmap.onnx.graph.Graph.Value;

/**
 * Similarities of point clouds in space as ONNX nodes: centre, rotate, scale, in double precision.
 *
 * <p>The eigenvectors come from Jacobi's rotations, a fixed number of sweeps written out without a
 * branch: where an entry is already negligible the rotation is by 0. Choices between two values are
 * sums with weights 0 and 1, which are exact.
 *
 * @param frames how many canonical poses, as in {@link CloudFrames}
 */
record CloudEmitter(ModelInput.Clouds input, CloudMapping mapping, int frames) implements Emitter {
  /** Jacobi converges quadratically; five sweeps reach the rounding of double, two are spare. */
  private static final int SWEEPS = 7;

  private static final double NEGLIGIBLE = 0x1p-60;
  private static final double FLAT = 1e-15;

  CloudEmitter {
    if (mapping.group().dimension() != 3) {
      throw new IllegalArgumentException(
          "wrap: expected a mapping of clouds in space, found " + mapping.group().name());
    }
    new CloudFrames(mapping, frames); // refuses a number that there is not
  }

  @Override
  public Framed emit(Graph g, Value x) {
    Value points = (input.pointsFirst() ? x : x.transpose(0, 2, 1)).cast(DOUBLE);
    Value own = own(g, points);
    Value y = points;
    if (mapping.group().moves()) {
      Value about = points.minus(points.slice(1, 0)); // the first point: digits survive far away
      y = about.minus(mean(about, own));
    }
    Value rotated = y;
    Value rotation = null;
    if (mapping.group().rotations() != Rotations.NONE) {
      rotation = mapping.group().rotated() == 3 ? rotation(g, y, own) : heading(g, y, own);
      rotated = y.matmul(rotation.transpose(0, 2, 1));
    }
    if (mapping.group().scales()) {
      rotated = rotated.times(scale(g, y, own));
    }
    if (frames > 1) {
      Value turns = frames(g, rotated); // [K, N or 1, 3, 3]
      rotated = framed(rotated.matmul(turns.transpose(0, 1, 3, 2)), y);
      rotation = turns.matmul(rotation).reshape(-1, 3, 3);
    }
    Value out = rotated.cast(FLOAT);
    return new Framed(
        input.pointsFirst() ? out : out.transpose(0, 2, 1),
        rotation == null ? List.of() : List.of(rotation.cast(FLOAT)),
        points.abs().reduce("ReduceSum", 1).reduce("ReduceSum", 2).times(0).reshape(-1, 1));
  }

  /**
   * Which points count: those before the cloud begins again from its first point on, in the same
   * order to the end; [N, P, 1], 1 or 0. That it does is seen from where the first three points
   * come again.
   */
  private Value own(Graph g, Value points) {
    Value count = points.shape().pick(0, 1);
    Value places = input.points() > 0 ? g.iota(input.points()) : g.iota(count);
    Value place = places.cast(DOUBLE).reshape(1, -1, 1);
    Value same = same(g, points, points.slice(1, 0));
    Value later = same.times(place.above(g.scalar(DOUBLE, 0)));
    Value back = later.reduce("ReduceMax", 1); // [N, 1, 1]: whether it comes at all
    Value all = count.cast(DOUBLE).reshape(1, 1, 1);
    Value first = later.cast(FLOAT).argmax(1).cast(DOUBLE).reshape(-1, 1, 1);
    Value period = first.plus(not(back).times(all));
    Value rest = remainder(place, period);
    Value repeats = back;
    for (int k = 0; k < 3; k++) {
      // the k-th point, or that which stands for it in a cloud of fewer
      Value kth = remainder(g.scalar(DOUBLE, k), all);
      Value here = not(place.minus(kth).abs().above(g.scalar(DOUBLE, 0)));
      Value point = points.times(here).reduce("ReduceSum", 1);
      Value wanted = not(rest.minus(remainder(kth, period)).abs().above(g.scalar(DOUBLE, 0)));
      Value missing = wanted.times(not(same(g, points, point))).reduce("ReduceMax", 1);
      repeats = repeats.times(not(missing));
    }
    Value before = period.above(place);
    return before.times(repeats).plus(not(repeats).times(place.times(0).plus(1)));
  }

  /** 1 for each point that is this one, else 0: [N, P, 1]. */
  private static Value same(Graph g, Value points, Value point) {
    Value distance = points.minus(point).abs().reduce("ReduceSum", 2);
    return not(distance.above(g.scalar(DOUBLE, 0)));
  }

  private static Value remainder(Value a, Value b) {
    return a.minus(a.over(b).floor().times(b));
  }

  /** The mean over the points that count: [N, 1, …]. */
  private static Value mean(Value v, Value own) {
    return v.times(own).reduce("ReduceSum", 1).over(own.reduce("ReduceSum", 1));
  }

  /** The matrices from the canonical pose to each frame: [K, N, 3, 3], or [K, 1, 3, 3]. */
  private Value frames(Graph g, Value canonical) {
    List<List<Similarity>> table = new CloudFrames(mapping, frames).table();
    double[] numbers =
        table.stream()
            .flatMap(List::stream)
            .flatMapToDouble(h -> Arrays.stream(h.rotation()))
            .toArray();
    Value all = g.doubles(numbers, table.size(), frames, 3, 3).transpose(1, 0, 2, 3);
    if (table.size() == 1) {
      return all;
    }
    int mixed = mapping.group().rotated();
    Value squares = canonical.times(canonical).reduce("ReduceSum", 1); // [N, 1, 3]
    Value sum = squares.pick(2, 0);
    for (int j = 1; j < mixed; j++) {
      sum = sum.plus(squares.pick(2, j));
    }
    Value state = sum.times(0);
    for (int j = 0; j + 1 < mixed; j++) {
      Value gap = squares.pick(2, j).minus(squares.pick(2, j + 1));
      state = state.plus(sum.times(CloudFrames.TIE).above(gap).times(1 << j));
    }
    return all.gather(1, state.reshape(-1).cast(INT64));
  }

  /** [K, N, P, 3] to [K·N, P, 3]. */
  static Value framed(Value v, Value like) {
    Graph g = v.graph();
    Value points = like.shape().slice(0, 1);
    return v.reshape(g.concat(0, g.longs(new long[] {-1}, 1), points, g.longs(new long[] {3}, 1)));
  }

  /** Vectors v in the canonical pose become R⁻¹v. */
  @Override
  public Value back(Graph g, Value v, TensorSpec port, List<Value> pose) {
    boolean rows = port.rank() == 3 && input.pointsFirst() && port.length(2) == 3;
    boolean columns = port.rank() == 3 && !input.pointsFirst() && port.length(1) == 3;
    boolean single = port.rank() == 2 && port.length(1) == 3;
    if (!rows && !columns && !single) {
      throw new IllegalArgumentException(
          "equivariant: expected an output of vectors, N x 3 or %s, found %s"
              .formatted(input.pointsFirst() ? "N x P x 3" : "N x 3 x P", port));
    }
    if (pose.isEmpty()) {
      return v;
    }
    Value rotation = pose.get(0);
    Value f = v.cast(FLOAT);
    Value rotated =
        rows
            ? f.matmul(rotation)
            : columns
                ? rotation.transpose(0, 2, 1).matmul(f)
                : f.reshape(-1, 1, 3).matmul(rotation).reshape(-1, 3);
    return rotated.cast(v.type());
  }

  /** 1/size, and 1 for a cloud without extent: [N, 1, 1]. */
  private Value scale(Graph g, Value y, Value own) {
    Value distances = y.times(y).reduce("ReduceSum", 2).sqrt();
    Value size =
        mapping.size() == ScaleRule.MAX_NORM
            ? distances.reduce("ReduceMax", 1)
            : mean(distances, own);
    Value extended = size.above(g.scalar(DOUBLE, Double.MIN_NORMAL));
    Value without = g.scalar(DOUBLE, 1).minus(extended);
    return g.scalar(DOUBLE, 1).over(size.times(extended).plus(without));
  }

  /** The rotation about the vertical onto the axes of x and y: [N, 3, 3]. */
  private Value heading(Graph g, Value y, Value own) {
    Value a = y.slice(2, 0);
    Value b = y.slice(2, 1);
    Value[][] m = new Value[3][3];
    m[0][0] = mean(a.times(a), own).pick(2, 0);
    m[1][1] = mean(b.times(b), own).pick(2, 0);
    m[0][1] = mean(a.times(b), own).pick(2, 0);
    Value spread = m[0][0].plus(m[1][1]);
    m[0][2] = m[1][2] = m[2][0] = m[2][1] = spread.times(0);
    Value[] axes = units(g);
    rotate(g, m, axes, 0, 1);
    Value[] values = {m[0][0], m[1][1]};
    Value handed = order(values, axes, 0, g.scalar(DOUBLE, 1));
    return directed(g, axes, scores(g, y, own, values, axes, spread), handed);
  }

  /** The principal axes with their directions, as rows: [N, 3, 3]. */
  private Value rotation(Graph g, Value y, Value own) {
    Value squares = mean(y.times(y), own); // [N, 1, 3]
    Value[][] m = new Value[3][3];
    for (int i = 0; i < 3; i++) {
      m[i][i] = squares.pick(2, i);
      for (int j = i + 1; j < 3; j++) {
        Value product = y.slice(2, i).times(y.slice(2, j));
        m[i][j] = mean(product, own).pick(2, 0);
        m[j][i] = m[i][j];
      }
    }
    Value trace = m[0][0].plus(m[1][1]).plus(m[2][2]); // [N, 1], as all numbers below
    Value[] axes = units(g);
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
      rotate(g, m, axes, 0, 1);
      rotate(g, m, axes, 0, 2);
      rotate(g, m, axes, 1, 2);
    }
    Value[] values = {m[0][0], m[1][1], m[2][2]};
    Value handed = order(values, axes, 1, g.scalar(DOUBLE, 1));
    handed = order(values, axes, 0, handed);
    handed = order(values, axes, 1, handed);

    return directed(g, axes, scores(g, y, own, values, axes, trace), handed);
  }

  /** The coordinate axes. */
  private static Value[] units(Graph g) {
    Value[] axes = new Value[3];
    for (int i = 0; i < 3; i++) {
      double[] unit = new double[3];
      unit[i] = 1;
      axes[i] = g.doubles(unit, 1, 3);
    }
    return axes;
  }

  /** The axes as rows, those that have scores in the direction that these say: [N, 3, 3]. */
  private Value directed(Graph g, Value[] axes, Value[] scores, Value handed) {
    Value[] direction = directions(g, scores, handed);
    Value[] all = axes.clone();
    for (int i = 0; i < direction.length; i++) {
      all[i] = axes[i].times(direction[i]);
    }
    Value one = scores[0].times(0).plus(1); // an axis of its own for each cloud
    for (int i = direction.length; i < 3; i++) {
      all[i] = axes[i].times(one);
    }
    return g.concat(1, all[0], all[1], all[2]).reshape(-1, 3, 3);
  }

  /** One of Jacobi's rotations: makes m[p][q] zero. */
  private static void rotate(Graph g, Value[][] m, Value[] axes, int p, int q) {
    Value one = g.scalar(DOUBLE, 1);
    Value off = m[p][q];
    Value a = m[p][p];
    Value b = m[q][q];
    Value active = off.abs().above(a.abs().plus(b.abs()).times(NEGLIGIBLE));
    Value idle = one.minus(active);
    Value theta = b.minus(a).over(off.times(2).times(active).plus(idle));
    Value sign = g.scalar(DOUBLE, 0).above(theta).times(-2).plus(1);
    Value t = sign.times(active).over(theta.abs().plus(theta.times(theta).plus(1).sqrt()));
    Value c = one.over(t.times(t).plus(1).sqrt());
    Value s = t.times(c);
    Value moved = t.times(off);
    m[p][p] = a.minus(moved);
    m[q][q] = b.plus(moved);
    m[p][q] = off.times(idle);
    m[q][p] = m[p][q];
    int r = 3 - p - q;
    Value x = m[r][p];
    Value z = m[r][q];
    m[r][p] = c.times(x).minus(s.times(z));
    m[p][r] = m[r][p];
    m[r][q] = s.times(x).plus(c.times(z));
    m[q][r] = m[r][q];
    Value first = axes[p];
    Value second = axes[q];
    axes[p] = c.times(first).minus(s.times(second));
    axes[q] = s.times(first).plus(c.times(second));
  }

  /** Exchanges the i-th value and axis with the next where that one is larger. */
  private static Value order(Value[] values, Value[] axes, int i, Value handed) {
    Value swap = values[i + 1].above(values[i]);
    Value stay = swap.times(-1).plus(1);
    for (Value[] all : List.of(values, axes)) {
      Value a = all[i];
      Value b = all[i + 1];
      all[i] = a.times(stay).plus(b.times(swap));
      all[i + 1] = b.times(stay).plus(a.times(swap));
    }
    return swap.times(-2).plus(1).times(handed);
  }

  /** The evidence for the present direction of each axis. */
  private Value[] scores(Graph g, Value y, Value own, Value[] values, Value[] axes, Value trace) {
    Value extended = trace.above(g.scalar(DOUBLE, 0));
    Value without = extended.times(-1).plus(1);
    Value r = trace.sqrt().times(extended).plus(without);
    Value[] scores = new Value[values.length];
    for (int i = 0; i < scores.length; i++) {
      Value column = axes[i].times(trace.times(0).plus(1)).reshape(-1, 3, 1); // one for each cloud
      Value along = y.matmul(column); // [N, P, 1]
      if (mapping.signs() == AxisSignRule.FIRST_POINT) {
        scores[i] = along.slice(1, 0).reshape(-1, 1).over(r).times(extended);
      } else {
        Value third = mean(along.times(along).times(along), own).reshape(-1, 1);
        Value least = trace.times(FLAT);
        Value above = values[i].above(least);
        Value second = values[i].times(above).plus(least.times(above.times(-1).plus(1)));
        Value unit = second.times(r).times(3).times(extended).plus(without);
        scores[i] = third.over(unit).times(extended);
      }
    }
    return scores;
  }

  /**
   * +1 or -1 for each axis: along its score, but a left-handed frame among proper ones reverses the
   * axis with the weakest score.
   */
  private Value[] directions(Graph g, Value[] scores, Value handed) {
    Value zero = g.scalar(DOUBLE, 0);
    Value[] signs = new Value[scores.length];
    Value[] size = new Value[scores.length];
    for (int i = 0; i < signs.length; i++) {
      signs[i] = zero.above(scores[i]).times(-2).plus(1);
      size[i] = scores[i].abs();
    }
    if (mapping.group().rotations() == Rotations.ALL) {
      return signs;
    }
    Value hand = handed;
    for (Value sign : signs) {
      hand = hand.times(sign);
    }
    Value left = zero.above(hand);
    Value[] weakest = weakest(size);
    for (int i = 0; i < signs.length; i++) {
      signs[i] = signs[i].times(left.times(weakest[i]).times(-2).plus(1));
    }
    return signs;
  }

  /** 1 for the first of the smallest of two or three numbers, 0 for the others. */
  private static Value[] weakest(Value[] size) {
    Value first = not(size[0].above(size[1]));
    if (size.length == 2) {
      return new Value[] {first, not(first)};
    }
    first = first.times(not(size[0].above(size[2])));
    Value second = not(first).times(not(size[1].above(size[2])));
    return new Value[] {first, second, not(first).times(not(second))};
  }

  private static Value not(Value flag) {
    return flag.times(-1).plus(1);
  }
}
