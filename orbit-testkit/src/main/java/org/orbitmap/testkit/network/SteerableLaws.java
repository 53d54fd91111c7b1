package org.orbitmap.testkit.network;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.orbitmap.image.Image;
import org.orbitmap.model.InputShape;
import org.orbitmap.network.Architecture;
import org.orbitmap.network.Declaration;
import org.orbitmap.network.FloatTensor;
import org.orbitmap.network.Operations;
import org.orbitmap.network.Parameter;
import org.orbitmap.network.run.ArrayOperations;
import org.orbitmap.network.run.ArrayOperations.Batch;
import org.orbitmap.network.run.ArrayWeights;
import org.orbitmap.network.steerable.FieldAction;
import org.orbitmap.network.steerable.FieldType;
import org.orbitmap.network.steerable.Harmonics;
import org.orbitmap.network.steerable.PlaneGroup;
import org.orbitmap.network.steerable.SteerableBasis;
import org.orbitmap.network.steerable.SteerableConvolution;
import org.orbitmap.network.zoo.Networks;
import org.orbitmap.testkit.Law;
import org.orbitmap.testkit.Law.Outcome;
import org.orbitmap.testkit.Laws;
import org.orbitmap.testkit.Space;
import org.orbitmap.testkit.Subject;
import org.orbitmap.testkit.Values;

/**
 * The laws of steerable networks, with random weights: layers and networks commute with quarter
 * turns and mirrorings up to rounding, with the other elements of their groups up to what pixels
 * can show, and kernels have the dimension that theory gives.
 */
public final class SteerableLaws {
  /** Layer(g·f) = g·layer(f) for the elements that exchange pixels. */
  public static final String LAYER = "equivariance of a layer";

  /**
   * The same for all elements of the group, for smooth images that are moved before they are
   * sampled, in the middle of the image; relative to the size of what comes out.
   */
  public static final String LAYER_BETWEEN = "equivariance of a layer between the pixels";

  /** Network(g·u) = network(u) for quarter turns. */
  public static final String NETWORK = "invariance of a network";

  /**
   * The same for all rotations of the group, as {@link #LAYER_BETWEEN}: max-pooling sees the grid,
   * so this holds less well.
   */
  public static final String NETWORK_BETWEEN = "invariance of a network between the pixels";

  private static final double ROUNDING = 1e-5;
  private static final double LAYER_INTERPOLATION = 0.03;
  private static final double ROW_INTERPOLATION = 0.1;
  private static final double NETWORK_INTERPOLATION = 0.2;
  private static final int NETWORKS = 11;
  static final PlaneGroup C4 = PlaneGroup.cyclic(4);
  static final PlaneGroup D4 = PlaneGroup.dihedral(4);
  static final PlaneGroup C16 = PlaneGroup.cyclic(16);
  static final PlaneGroup D16 = PlaneGroup.dihedral(16);

  private SteerableLaws() {}

  /** All laws. */
  public static List<Law> laws() {
    List<Law> laws = new ArrayList<>();
    Subject<Integer, Image> fields = fields(FieldType.regular(D4, 2), 5);
    laws.addAll(Laws.group(fields));
    laws.addAll(Laws.action(fields));
    for (PlaneGroup group : List.of(C4, D4, C16, D16)) {
      for (int side : new int[] {9, 7, 5}) {
        laws.add(layer(FieldType.scalars(group, 2), group, Harmonics.published(side)));
        laws.add(between(FieldType.scalars(group, 2), group, Harmonics.published(side)));
      }
      laws.add(layer(FieldType.regular(group, 2), group, Harmonics.published(5)));
      laws.add(layer(FieldType.regular(group, 1), group, Harmonics.published(4)));
      laws.add(between(FieldType.regular(group, 1), group, Harmonics.published(7)));
      laws.add(norm(group));
    }
    laws.add(pooling(8, 2));
    laws.add(pooling(9, 3));
    laws.add(restriction());
    laws.add(network("e2cnn-d4c4", 28));
    laws.add(network("e2cnn-d4c4", 29));
    laws.add(network("e2cnn-d16c16", 28));
    laws.add(rowBetween(16));
    laws.add(networkBetween("e2cnn-d16c16", 16));
    for (int side = 3; side <= 9; side++) {
      laws.add(KernelLaws.dimension(side, Harmonics.published(side)));
    }
    return laws;
  }

  private static Subject<Integer, Image> fields(FieldType type, int side) {
    PlaneGroup group = type.group();
    Subject<Integer, Image> all =
        Subject.of(
            "%s on regular fields".formatted(group.name()),
            new FieldAction(type),
            Space.of(r -> noise(type.channels(), side, r)),
            0);
    return all.withElements(r -> exactElement(group, r));
  }

  private static int exactElement(PlaneGroup group, RandomGenerator random) {
    while (true) {
      int g = random.nextInt(group.order());
      if (FieldAction.exact(group, g)) {
        return g;
      }
    }
  }

  private static Image noise(int channels, int side, RandomGenerator random) {
    Image u = Image.black(channels, side, side);
    for (int i = 0; i < u.data().length; i++) {
      u.data()[i] = (float) random.nextGaussian();
    }
    return u;
  }

  /** Random numbers for everything that a layer or a network declares. */
  private static ArrayOperations random(Declaration declared, RandomGenerator random) {
    Map<String, FloatTensor> weights = new HashMap<>();
    for (Parameter p : declared.parameters()) {
      FloatTensor t = p.start(random);
      if (p.initial().bound() == 0) {
        for (int i = 0; i < t.values().length; i++) {
          t.values()[i] += 0.2f * random.nextFloat();
        }
      }
      weights.put(p.name(), t);
    }
    return new ArrayOperations(new ArrayWeights(weights));
  }

  /**
   * Numbers as training starts with: what is black stays 0, so that the square edge is not seen.
   */
  private static ArrayOperations started(Declaration declared, RandomGenerator random) {
    Map<String, FloatTensor> weights = new HashMap<>();
    declared.parameters().forEach(p -> weights.put(p.name(), p.start(random)));
    return new ArrayOperations(new ArrayWeights(weights));
  }

  /** A layer in any operations. */
  private interface Layer {
    <T> T of(Operations<T> ops, T x);
  }

  private static Image run(ArrayOperations ops, Layer layer, Image u) {
    Batch y = layer.of(ops, Batch.of(u.data(), u.channels(), u.height(), u.width()));
    int[] axes = y.shape().axes();
    return new Image(axes[0], axes[1], axes[2], y.values());
  }

  private static Law commutes(
      String subject, FieldType in, FieldType out, int side, double tolerance, Layer layer) {
    return new Law(
        subject,
        LAYER,
        tolerance,
        r -> {
          Declaration declared = new Declaration();
          layer.of(declared, Declaration.Shape.of(in.channels(), side, side));
          ArrayOperations ops = random(declared, r);
          Image u = noise(in.channels(), side, r);
          int g = exactElement(in.group(), r);
          Image moved = run(ops, layer, new FieldAction(in).act(g, u));
          // a group that is left behind acts on what comes out as its rotations do
          Image expected = new FieldAction(out).act(g % out.group().order(), run(ops, layer, u));
          return new Outcome(gap(moved.data(), expected.data()), () -> "g = " + g);
        });
  }

  private static String name(FieldType in, PlaneGroup group, SteerableBasis basis) {
    return "steerable convolution of %s, %d x %d, from %s"
        .formatted(
            group.name(), basis.side(), basis.side(), in.regular() ? "regular fields" : "scalars");
  }

  /** A convolution, convolved so that sides stay or shrink by one. */
  private record Convolved(FieldType in, FieldType out, SteerableBasis basis) implements Layer {
    @Override
    public <T> T of(Operations<T> ops, T x) {
      return new SteerableConvolution("c", in, out, basis).apply(ops, x, basis.side() / 2);
    }
  }

  static Law layer(FieldType in, PlaneGroup group, SteerableBasis basis) {
    FieldType out = FieldType.regular(group, 2);
    return commutes(name(in, group, basis), in, out, 7, ROUNDING, new Convolved(in, out, basis));
  }

  private static Law norm(PlaneGroup group) {
    FieldType type = FieldType.regular(group, 3);
    return commutes(
        "batch normalisation of fields of " + group.name(),
        type,
        type,
        5,
        ROUNDING,
        new Layer() {
          @Override
          public <T> T of(Operations<T> ops, T x) {
            return ops.elu(ops.batchNorm(x, "n", type.size()));
          }
        });
  }

  private static Law pooling(int side, int window) {
    FieldType type = FieldType.regular(D4, 2);
    return commutes(
        "max-pooling of fields, side %d".formatted(side),
        type,
        type,
        side,
        0,
        new Layer() {
          @Override
          public <T> T of(Operations<T> ops, T x) {
            return ops.maxPool(x, window, 2, 0);
          }
        });
  }

  /** From D4 to C4, then a convolution that knows rotations alone. */
  private static Law restriction() {
    FieldType in = FieldType.regular(D4, 2);
    FieldType seen = in.restricted();
    FieldType out = FieldType.regular(C4, 2);
    Layer layer = new Convolved(seen, out, Harmonics.published(5));
    return commutes("restriction of D4 to C4", seen, out, 7, ROUNDING, layer);
  }

  /** The largest difference, relative to the largest number if that is above 1. */
  private static double gap(float[] found, float[] expected) {
    return Values.distance(found, expected)
        / Math.max(1, Values.distance(expected, new float[expected.length]));
  }

  private static double relative(float[] found, float[] expected) {
    double error = 0;
    double size = 0;
    for (int i = 0; i < expected.length; i++) {
      error += Math.pow((double) found[i] - expected[i], 2);
      size += Math.pow(expected[i], 2);
    }
    return Math.sqrt(error / size);
  }

  /**
   * The same law for the median of several draws. Between the pixels one draw has no useful bound:
   * what comes out of random weights may nearly cancel.
   */
  private static Law median(Law law) {
    return new Law(
        law.subject(),
        law.name(),
        law.tolerance(),
        r -> {
          double[] errors = new double[NETWORKS];
          for (int k = 0; k < NETWORKS; k++) {
            errors[k] = law.trial().run(r).error();
          }
          Arrays.sort(errors);
          return new Outcome(errors[NETWORKS / 2], () -> "the median of " + NETWORKS);
        });
  }

  /** One pixel of a convolution of a smooth field that is the same in all channels it has. */
  static Law between(FieldType in, PlaneGroup group, SteerableBasis basis) {
    FieldType out = FieldType.regular(group, 2);
    int side = basis.side();
    return median(
        new Law(
            name(in, group, basis),
            LAYER_BETWEEN,
            LAYER_INTERPOLATION,
            r -> {
              SteerableConvolution c = new SteerableConvolution("c", in, out, basis);
              Declaration declared = new Declaration();
              c.apply(declared, Declaration.Shape.of(in.channels(), side, side), 0);
              ArrayOperations ops = random(declared, r);
              int g = r.nextInt(group.order());
              int area = side * side;
              float[] plain = new float[in.channels() * area];
              float[] moved = plain.clone();
              for (int channel = 0; channel < in.channels(); channel++) {
                Blobs blobs = Blobs.random(side / 2.0, 1.5, r);
                int to = channel / in.size() * in.size() + in.moved(g, channel % in.size());
                blobs.sample(group, 0, side, plain, channel * area);
                blobs.sample(group, g, side, moved, to * area);
              }
              float[] y = c.apply(ops, Batch.of(plain, in.channels(), side, side), 0).values();
              float[] z = c.apply(ops, Batch.of(moved, in.channels(), side, side), 0).values();
              float[] expected = new float[y.length];
              for (int i = 0; i < y.length; i++) {
                expected[i / out.size() * out.size() + out.moved(g, i % out.size())] = y[i];
              }
              return new Outcome(relative(z, expected), () -> "g = " + g);
            }));
  }

  private static Architecture small(String name, int side) {
    return new Architecture(
        Networks.named(name), 0.06, false, Map.of(), new InputShape.Images(1, side, side), 10);
  }

  private static float[] scores(ArrayOperations ops, Architecture a, float[] u) {
    return a.scores(ops, Batch.of(u, a.input().axes())).values();
  }

  static Law network(String name, int side) {
    Architecture a = small(name, side);
    return new Law(
        "%s, %d x %d".formatted(name, side, side),
        NETWORK,
        ROUNDING,
        r -> {
          ArrayOperations ops = random(a.declare(), r);
          Image u = noise(1, side, r);
          int turns = r.nextInt(4);
          Image moved = new FieldAction(FieldType.scalars(C4, 1)).act(turns, u);
          float[] expected = scores(ops, a, u.data());
          return new Outcome(
              gap(scores(ops, a, moved.data()), expected), () -> "quarter turns = " + turns);
        });
  }

  /**
   * The median over several networks and images, each rotated by its own element. What one of them
   * shows has no useful bound: max-pooling chooses between pixels, and random scores may nearly
   * cancel.
   */
  static Law networkBetween(String name, int rotations) {
    int side = 28;
    Architecture a = small(name, side);
    PlaneGroup group = PlaneGroup.cyclic(rotations);
    return new Law(
        "%s under C%d, %d x %d".formatted(name, rotations, side, side),
        NETWORK_BETWEEN,
        NETWORK_INTERPOLATION,
        r -> {
          double[] errors = new double[NETWORKS];
          for (int k = 0; k < NETWORKS; k++) {
            ArrayOperations ops = started(a.declare(), r);
            float[] plain = new float[side * side];
            float[] moved = plain.clone();
            Blobs blobs = Blobs.random(6, 4, r);
            blobs.sample(group, 0, side, plain, 0);
            blobs.sample(group, 1 + r.nextInt(rotations - 1), side, moved, 0);
            errors[k] = relative(scores(ops, a, moved), scores(ops, a, plain));
          }
          Arrays.sort(errors);
          return new Outcome(errors[NETWORKS / 2], () -> "rotations by 360°/" + rotations);
        });
  }

  /** From scalars to fields of D_N, fields of D_N, fields of C_N; then the largest of each. */
  private record Row(int rotations) implements Layer {
    static final int SIDE = 19;
    private static final int FIELDS = 4;

    @Override
    public <T> T of(Operations<T> ops, T x) {
      PlaneGroup mirrors = PlaneGroup.dihedral(rotations);
      FieldType first = FieldType.regular(mirrors, 3);
      FieldType last = FieldType.regular(PlaneGroup.cyclic(rotations), FIELDS);
      T y = layer(ops, x, "first", FieldType.scalars(mirrors, 1), first, 9);
      y = layer(ops, y, "second", first, first, 7);
      y = layer(ops, y, "third", first.restricted(), last, 5);
      return ops.max(ops.reshape(y, FIELDS, rotations), 1);
    }

    private static <T> T layer(
        Operations<T> ops, T x, String name, FieldType in, FieldType out, int side) {
      SteerableConvolution c = new SteerableConvolution(name, in, out, Harmonics.published(side));
      return ops.elu(c.apply(ops, x, 0));
    }
  }

  /** Layers one behind another under the rotations of C16. */
  static Law rowBetween(int rotations) {
    Row row = new Row(rotations);
    return median(
        new Law(
            "three steerable layers of D%d and C%d".formatted(rotations, rotations),
            LAYER_BETWEEN,
            ROW_INTERPOLATION,
            r -> {
              Declaration declared = new Declaration();
              row.of(declared, Declaration.Shape.of(1, Row.SIDE, Row.SIDE));
              ArrayOperations ops = started(declared, r);
              Blobs blobs = Blobs.random(5, 2, r);
              int g = r.nextInt(16);
              float[] plain = new float[Row.SIDE * Row.SIDE];
              float[] moved = plain.clone();
              blobs.sample(C16, 0, Row.SIDE, plain, 0);
              blobs.sample(C16, g, Row.SIDE, moved, 0);
              float[] expected = row.of(ops, Batch.of(plain, 1, Row.SIDE, Row.SIDE)).values();
              float[] found = row.of(ops, Batch.of(moved, 1, Row.SIDE, Row.SIDE)).values();
              return new Outcome(relative(found, expected), () -> "rotation = %d/16".formatted(g));
            }));
  }
}
