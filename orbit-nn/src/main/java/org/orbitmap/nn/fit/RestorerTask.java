package org.orbitmap.nn.fit;

import java.util.SplittableRandom;
import org.bytedeco.pytorch.Tensor;
import org.orbitmap.group.Rotation2;
import org.orbitmap.group.SO2;
import org.orbitmap.image.Fill;
import org.orbitmap.image.Image;
import org.orbitmap.image.ImageRotation;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampler;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.SamplingGrid;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.model.InputShape;
import org.orbitmap.nn.layer.TorchOperations;
import org.orbitmap.nn.layer.Weights;
import org.orbitmap.nn.tensor.NativeScope;
import org.orbitmap.nn.tensor.Tensors;
import org.orbitmap.nn.train.Sampler;
import org.orbitmap.upright.Restorer;
import org.orbitmap.upright.UprightFrames;

/**
 * The restorer: it learns to undo the blur of two rotations, there by whoever sends the image and
 * back by the mapping, which is off by a few degrees. An example is an upright image u rotated by a
 * random angle and nearly back, each way with an interpolation and a fill of its own; inside the
 * circle the target is u rotated once, by what is left, outside it is the example as it is. The
 * loss is the mean square of the difference.
 */
final class RestorerTask implements FitTask {
  private static final Fill[] FILLS = {Fill.ZERO, Fill.ZERO, Fill.EDGE, Fill.REFLECT};

  /** How the mapping rotates: usually as {@link UprightFrames#RESAMPLING} does. */
  private static final Interpolation[] BACK = {
    Interpolation.BICUBIC, Interpolation.BICUBIC, Interpolation.BICUBIC, Interpolation.BILINEAR
  };

  /**
   * By how much at most the mapping is off. If it were right, pixels would come back to where they
   * were, and what is learned there is of no use elsewhere.
   */
  private static final double OFF_DEGREES = 10;

  private static final SO2 GROUP = new SO2();
  private static final int VALIDATION = 250;
  private static final long EPOCH = -5;

  private final FitConfig config;
  private final DataSet<Image> data;
  private final DataSet<Image> validation;
  private final Restorer restorer;
  private final Weights weights;
  private final InputShape<Image> shape;
  private final InputShape<Image> seen;
  private final float[] inside;
  private final float[] buffer;
  private final float[] targets;

  RestorerTask(FitConfig config, DataSet<Image> data, DataSet<Image> validation) {
    this.config = config;
    this.data = data;
    this.validation = validation;
    restorer = Restorer.named(config.recipe().restorer());
    shape = data.shape();
    int[] axes = shape.axes();
    weights = new Weights(restorer.parameters(axes[0]), config.seed());
    inside = SamplingGrid.of(axes[1], axes[2], Fill.ZERO).inside();
    seen = new InputShape.Images(axes[0] * restorer.offsets().size(), axes[1], axes[2]);
    buffer = new float[Math.multiplyExact(course().batch(), seen.length())];
    targets = new float[course().batch() * shape.length()];
  }

  @Override
  public String name() {
    return "restorer";
  }

  @Override
  public Weights weights() {
    return weights;
  }

  @Override
  public FitRecipe.Course course() {
    return config.recipe().restoring();
  }

  @Override
  public void fill(int place, int index, SplittableRandom random) {
    example(data.input(index), null, random, buffer, targets, place);
  }

  /**
   * Writes an example and its target to a place of a batch.
   *
   * @param kind how it came rotated; null draws a way
   */
  void example(
      Image u, Interpolation kind, SplittableRandom random, float[] from, float[] to, int place) {
    Interpolation drawn = ImageExamples.pick(config.recipe().undone(), random);
    Interpolation before = kind == null ? drawn : kind;
    Interpolation after = BACK[random.nextInt(BACK.length)];
    Rotation2 h = GROUP.sample(random);
    Fill fill = FILLS[random.nextInt(FILLS.length)];
    Image there = before == null ? u : new ImageRotation(Resampling.of(before)).act(h, u);
    Rotation2 off = Rotation2.ofDegrees(OFF_DEGREES * (2 * random.nextDouble() - 1));
    Rotation2 back = before == null ? off : GROUP.compose(off, h.inverse());
    Resampling how = Resampling.of(after).with(fill);
    Image x = Resampler.sample(there, Resampler.Affine.of(back), how, restorer.offsets());
    Image target = new ImageRotation(Resampling.of(Interpolation.BICUBIC)).act(off, u);
    seen.copy(x, from, place * seen.length());
    float[] first = ImageExamples.first(x, shape).data();
    int at = place * shape.length();
    for (int i = 0; i < first.length; i++) {
      to[at + i] = inside[i % inside.length] > 0 ? target.data()[i] : first[i];
    }
  }

  @Override
  public Tensor loss(SplittableRandom random) {
    int n = course().batch();
    TorchOperations ops = TorchOperations.training(weights, random);
    Tensor x = TorchOperations.arranged(Tensors.of(buffer, seen.batch(n)));
    Tensor off = restorer.restore(ops, x).sub(Tensors.of(targets, shape.batch(n)));
    return off.mul(off).mean();
  }

  @Override
  public Score score() {
    FitResult.Restoration all = restoration(null);
    return new Score(
        all.after(), "%.2f dB restored from %.2f dB".formatted(all.after(), all.before()));
  }

  /**
   * The peak signal-to-noise ratio inside the circle over the validation images, rotated there with
   * one interpolation or, for null, with each.
   */
  FitResult.Restoration restoration(Interpolation kind) {
    int n = Math.min(VALIDATION, validation.size());
    float[] x = new float[n * seen.length()];
    float[] t = new float[n * shape.length()];
    for (int i = 0; i < n; i++) {
      example(validation.input(i), kind, Sampler.random(config.seed(), EPOCH, i), x, t, i);
    }
    float[] y =
        NativeScope.inference(
            () ->
                Tensors.toArray(
                    restorer.restore(
                        TorchOperations.inference(weights),
                        TorchOperations.arranged(Tensors.of(x, seen.batch(n))))));
    return new FitResult.Restoration(kind, decibels(first(x, n), t), decibels(y, t));
  }

  /** The first readings of a batch. */
  private float[] first(float[] x, int n) {
    float[] first = new float[n * shape.length()];
    for (int i = 0; i < n; i++) {
      Image one = ImageExamples.first(seen.input(x, i * seen.length()), shape);
      shape.copy(one, first, i * shape.length());
    }
    return first;
  }

  private double decibels(float[] a, float[] b) {
    double sum = 0;
    long count = 0;
    for (int i = 0; i < a.length; i++) {
      if (inside[i % inside.length] > 0) {
        double off = Math.max(0, Math.min(1, a[i])) - b[i];
        sum += off * off;
        count++;
      }
    }
    return -10 * Math.log10(Math.max(1e-12, sum / count));
  }

  /** The image as the restorer gives it, of all its readings. */
  Image restored(Image x) {
    float[] y =
        NativeScope.inference(
            () ->
                Tensors.toArray(
                    restorer.restore(
                        TorchOperations.inference(weights),
                        TorchOperations.arranged(Tensors.of(x.data(), seen.batch(1))))));
    return shape.input(y, 0);
  }
}
