package org.orbitmap.nn.fit;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.network.Architecture;
import org.orbitmap.nn.layer.TorchOperations;
import org.orbitmap.nn.layer.Weights;
import org.orbitmap.nn.tensor.NativeScope;
import org.orbitmap.nn.tensor.Tensors;

/**
 * The predictor: it learns what makes a canonical input upright. The loss is the cross entropy -Σ
 * q_k log p_k with the soft target q_k ∝ exp(κ cos(α - α_k)) about the true angle α, on the true
 * circle of angles: that side of the mirror, that axis.
 */
final class PredictorTask<X, G> implements FitTask {
  private final FitRecipe recipe;
  private final DataSet<X> data;
  private final Architecture architecture;
  private final Examples<X, G> examples;
  private final Weights weights;
  private final Validation<X, G> validation;
  private final int length;
  private final float[] buffer;
  private final float[] targets;

  PredictorTask(
      FitConfig config, DataSet<X> data, Examples<X, G> examples, Validation<X, G> validation) {
    recipe = config.recipe();
    this.data = data;
    this.examples = examples;
    this.validation = validation;
    architecture = examples.architecture();
    weights = new Weights(architecture.declare().parameters(), config.seed());
    length = examples.shape().length();
    buffer = new float[Math.multiplyExact(course().batch(), length)];
    targets = new float[course().batch() * architecture.classes()];
  }

  @Override
  public String name() {
    return "predictor";
  }

  @Override
  public Weights weights() {
    return weights;
  }

  @Override
  public FitRecipe.Course course() {
    return recipe.predicting();
  }

  @Override
  public void fill(int place, int index, SplittableRandom random) {
    Examples.Posed<X, G> posed = examples.draw(data.input(index), random);
    examples.shape().copy(posed.input(), buffer, place * length);
    int bins = examples.bins();
    int all = place * architecture.classes();
    Arrays.fill(targets, all, all + architecture.classes(), 0);
    int from = all + posed.side() * bins;
    double sum = 0;
    for (int k = 0; k < bins; k++) {
      double off = posed.radians() - 2 * Math.PI * k / bins;
      double q = Math.exp(recipe.concentration() * (Math.cos(off) - 1));
      targets[from + k] = (float) q;
      sum += q;
    }
    for (int k = 0; k < bins; k++) {
      targets[from + k] /= (float) sum;
    }
  }

  @Override
  public Tensor loss(SplittableRandom random) {
    int n = course().batch();
    TorchOperations ops = TorchOperations.training(weights, random);
    Tensor scores = scores(ops, Tensors.of(buffer, examples.shape().batch(n)));
    Tensor q = Tensors.of(targets, n, architecture.classes());
    return torch.log_softmax(scores, 1).mul(q).sum().neg().div(new Scalar((double) n));
  }

  private Tensor scores(TorchOperations ops, Tensor inputs) {
    Tensor seen = examples.seen(ops, inputs);
    return architecture.scores(ops, TorchOperations.arranged(seen));
  }

  /** The probabilities of the bins for canonical inputs, one row after another. */
  float[] probabilities(float[] inputs, int n) {
    return NativeScope.inference(
        () -> {
          Tensor x = Tensors.of(inputs, examples.shape().batch(n));
          return Tensors.toArray(torch.softmax(scores(TorchOperations.inference(weights), x), 1));
        });
  }

  @Override
  public Score score() {
    double within = validation.quick(this).within20();
    return new Score(within, "%.1f %% within 20°".formatted(100 * within));
  }
}
