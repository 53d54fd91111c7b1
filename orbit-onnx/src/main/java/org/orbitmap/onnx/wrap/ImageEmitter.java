package org.orbitmap.onnx.wrap;

import static org.orbitmap.onnx.graph.Graph.DOUBLE;
import static org.orbitmap.onnx.graph.Graph.FLOAT;

import java.util.Arrays;
import java.util.List;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Offset;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.mapping.OrthogonalMapping;
import org.orbitmap.image.mapping.PoseRule;
import org.orbitmap.image.mapping.WeightMap;
import org.orbitmap.model.Layout;
import org.orbitmap.model.ModelInput;
import org.orbitmap.model.Preprocessing;
import org.orbitmap.model.TensorSpec;
import org.orbitmap.onnx.graph.Graph;
import org.orbitmap.onnx.graph.Graph.Value;

/**
 * Rotations (and mirrorings) of images as ONNX nodes.
 *
 * <p>The pose is one product with the weight map W, c = ⟨W, u⟩, in double precision (so that images
 * without a pose give 0), then (cos, sin) = c/|c| without a branch, the identity where c = 0.
 * Sampling rotates a fixed base grid (the base grid has the corners built in) and reads the image
 * there: with GridSample from opset 16 on, else with Gather and arithmetic.
 *
 * <p>The model's input may be normalised, (s·u - m)/d for pixels u. W sums to zero, so the means
 * drop out of c, and the d/s become weights of the channels; black becomes -m/d, which is
 * subtracted before sampling and added after it. So c and the canonical image are those of the raw
 * pixels.
 *
 * @param mirrored whether mirror images are one orbit as well (the group O(2))
 * @param frames how many copies, K, rotated by 360°/K each
 */
record ImageEmitter(
    ModelInput.Images input,
    Preprocessing preprocessing,
    PoseRule rule,
    Resampling resampling,
    boolean mirrored,
    int frames)
    implements Emitter {

  ImageEmitter {
    preprocessing = preprocessing.forChannels(input.channels());
    requireIndexable(input.height(), input.width());
  }

  private static void requireIndexable(int height, int width) {
    if ((long) (height + 8) * (width + 8) > 1 << 24) {
      throw new IllegalArgumentException(
          "wrap: expected images of at most 16 million pixels, found %d x %d"
              .formatted(height, width));
    }
  }

  @Override
  public Framed emit(Graph g, Value x) {
    Found found = pose(g, x);
    Value pose = inFrames(g, found.pose);
    return new Framed(sampled(g, x, pose), List.of(byFrame(pose)), found.doubt);
  }

  /**
   * The pose of each input.
   *
   * @param pose double [N, 2|4]
   * @param doubt as in {@link Framed}
   */
  record Found(Value pose, Value doubt) {}

  /** The nodes that find the poses. */
  Found pose(Graph g, Value x) {
    Value grey = grey(g, x);
    Value size = grey.abs().reduce("ReduceSum", 2).reshape(-1, 1);
    return new Found(pose(g, grey, size), size.times(0));
  }

  /** All inputs in the first frame, then all in the second, …: [K·N, 2|4]. */
  Value byFrame(Value pose) {
    return ImageSampler.byFrame(pose, frames, sampler().entries()).reshape(-1, sampler().entries());
  }

  /**
   * The images read in K poses each, as the model takes them.
   *
   * @param pose all frames of an input after each other: float [N·K, 2|4]
   */
  Value sampled(Graph g, Value x, Value pose) {
    return sampled(g, x, pose, Offset.PLAIN);
  }

  /** The same, with a reading for each offset: as images with so many times the rows. */
  Value sampled(Graph g, Value x, Value pose, List<Offset> offsets) {
    ImageSampler.Grid grid =
        ImageSampler.Grid.of(input.height(), input.width(), resampling, offsets);
    double[] black = new double[input.channels()];
    for (int c = 0; c < black.length; c++) {
      black[c] = preprocessing.gain(c) * resampling.fill().value() + preprocessing.black(c);
    }
    return sampler()
        .sample(
            g,
            x,
            new ImageSampler.Image(
                input.layout(), input.channels(), input.height(), input.width(), black),
            input.batch(),
            pose,
            frames,
            grid,
            resampling.interpolation());
  }

  /** The model's images as pixels in [0, 1], channel by channel: NCHW. */
  Value pixels(Graph g, Value y) {
    double[] gain = new double[input.channels()];
    double[] black = new double[input.channels()];
    for (int c = 0; c < gain.length; c++) {
      gain[c] = 1 / preprocessing.gain(c);
      black[c] = -preprocessing.black(c) / preprocessing.gain(c);
    }
    Value u = input.layout() == Layout.NCHW ? y : y.transpose(0, 3, 1, 2);
    return preprocessing.isNone() ? u : affine(g, u, gain, black);
  }

  /** Pixels in [0, 1], NCHW, as the model takes them. */
  Value taken(Graph g, Value u) {
    double[] gain = new double[input.channels()];
    double[] black = new double[input.channels()];
    for (int c = 0; c < gain.length; c++) {
      gain[c] = preprocessing.gain(c);
      black[c] = preprocessing.black(c);
    }
    Value y = preprocessing.isNone() ? u : affine(g, u, gain, black);
    return input.layout() == Layout.NCHW ? y : y.transpose(0, 2, 3, 1);
  }

  private static Value affine(Graph g, Value u, double[] gain, double[] shift) {
    int n = gain.length;
    return u.times(g.reals(FLOAT, gain, 1, n, 1, 1)).plus(g.reals(FLOAT, shift, 1, n, 1, 1));
  }

  @Override
  public Value back(Graph g, Value y, TensorSpec port, List<Value> pose) {
    if (port.rank() != 4) {
      throw new IllegalArgumentException(
          "equivariant: expected an output of images (4 axes), found " + port);
    }
    Layout layout = input.layout();
    int channels = port.length(layout.channelAxis());
    int height = port.length(layout.rowAxis());
    int width = port.length(layout.columnAxis());
    if (channels < 1 || height < 1 || width < 1) {
      throw new IllegalArgumentException(
          "equivariant: expected an output whose channels, rows and columns are fixed, found "
              + port);
    }
    requireIndexable(height, width);
    // the inverse of an orthogonal matrix is its transpose
    Value inverse =
        mirrored
            ? pose.get(0).gather(1, g.longs(new long[] {0, 2, 1, 3}, 4))
            : pose.get(0).times(g.floats(new float[] {1, -1}, 2));
    boolean reals = List.of("float", "float16", "double").contains(port.type());
    Value rotated =
        sampler()
            .sample(
                g,
                y.cast(FLOAT),
                new ImageSampler.Image(layout, channels, height, width, new double[channels]),
                -1,
                inverse,
                1,
                ImageSampler.Grid.of(height, width, Resampling.BILINEAR),
                reals ? resampling.interpolation() : Interpolation.NEAREST);
    return rotated.cast(y.type());
  }

  ImageSampler sampler() {
    return new ImageSampler(mirrored);
  }

  /** The matrix A: cos and sin, or its entries row by row where it may mirror; double [N, 2|4]. */
  private Value pose(Graph g, Value grey, Value size) {
    WeightMap w = rule.weights(input.height(), input.width());
    WeightMap second =
        mirrored ? OrthogonalMapping.SECOND_HARMONIC.weights(input.height(), input.width()) : null;
    Value all =
        mirrored
            ? functionals(g, grey, w.re(), w.im(), second.re(), second.im())
            : functionals(g, grey, w.re(), w.im());
    Value c = mirrored ? all.gather(1, g.longs(new long[] {0, 1}, 2)) : all;
    Value response = c.times(c).reduce("ReduceSum", 1).sqrt();
    double least = WeightMap.NOTHING * w.norm() / Math.sqrt(input.height() * input.width());
    Value seen = response.above(size.times(least));
    Value unit = unit(g, c, response, seen);
    if (!mirrored) {
      return unit;
    }
    // d' = d (cos - i sin)²; mirrored where its imaginary part is negative
    Value cos = unit.slice(1, 0);
    Value sin = unit.slice(1, 1);
    Value cos2 = cos.times(cos).minus(sin.times(sin));
    Value sin2 = cos.times(sin).times(2);
    Value odd = all.slice(1, 3).times(cos2).minus(all.slice(1, 2).times(sin2));
    Value flip = g.scalar(DOUBLE, 0).above(odd).times(seen);
    Value f = flip.times(-2).plus(1);
    Value s = sin.times(f);
    return g.concat(1, cos, s.negate(), s.times(f), cos.times(f));
  }

  /**
   * c/|c|, and the identity where c is not seen: for an image that is not finite, too, because a
   * place that is no number cannot be read. Without Where (below opset 9) that one stays NaN, and a
   * runtime may refuse the batch.
   */
  private static Value unit(Graph g, Value c, Value response, Value seen) {
    double[] identity = {1, 0};
    if (g.opset() >= 9) {
      return g.op(
          "Where",
          DOUBLE,
          List.of(seen.cast(Graph.BOOL), c.over(response), g.doubles(identity, 1, 2)));
    }
    Value blind = g.scalar(DOUBLE, 1).minus(seen);
    Value length = response.times(seen).plus(blind);
    return c.times(seen).plus(blind.times(g.doubles(identity, 2))).over(length);
  }

  /**
   * The mean over the channels of the raw pixels, measured from the first one, so that a constant
   * image gives 0: double [N, 1, pixels].
   */
  private Value grey(Graph g, Value x) {
    int n = input.height() * input.width();
    int channels = input.channels();
    double[] share = new double[channels];
    for (int c = 0; c < channels; c++) {
      share[c] = 1 / (preprocessing.gain(c) * channels);
    }
    // the channels in float, as in the core; the sum over the pixels in double
    Value grey =
        input.layout() == Layout.NCHW
            ? g.reals(FLOAT, share, 1, channels).matmul(x.reshape(0, channels, n))
            : x.reshape(0, n, channels).matmul(g.reals(FLOAT, share, channels, 1));
    Value exact = grey.reshape(-1, 1, n).cast(DOUBLE);
    return exact.minus(exact.slice(2, 0));
  }

  /** The inner products with m maps: [N, m]. */
  private Value functionals(Graph g, Value grey, double[]... maps) {
    int m = maps.length;
    double[] rows = Arrays.stream(maps).flatMapToDouble(Arrays::stream).toArray();
    Value products = grey.times(g.doubles(rows, m, rows.length / m));
    return products.reduce("ReduceSum", 2).reshape(-1, m);
  }

  /** A·r(360°·k/K) for every k, all frames of an input after each other: float [N·K, 2|4]. */
  private Value inFrames(Graph g, Value a) {
    if (frames == 1) {
      return a.cast(FLOAT);
    }
    // r(α + β) from (cos α, sin α), and a row (a, b) of A times r(β)
    double sign = mirrored ? 1 : -1;
    double[] rotations = new double[4 * frames];
    for (int k = 0; k < frames; k++) {
      double cos = Math.cos(2 * Math.PI * k / frames);
      double sin = Math.sin(2 * Math.PI * k / frames);
      rotations[2 * k] = cos;
      rotations[2 * k + 1] = -sign * sin;
      rotations[2 * (frames + k)] = sign * sin;
      rotations[2 * (frames + k) + 1] = cos;
    }
    Value rotated = a.reshape(-1, 2).matmul(g.doubles(rotations, 2, 2L * frames));
    if (mirrored) {
      rotated = rotated.reshape(-1, 2, frames, 2).transpose(0, 2, 1, 3);
    }
    return rotated.reshape(-1, sampler().entries()).cast(FLOAT);
  }
}
