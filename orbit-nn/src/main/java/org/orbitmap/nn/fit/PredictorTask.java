package org.orbitmap.nn.fit;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.orbitmap.group.O2.Orthogonal2;
import org.orbitmap.image.Image;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.model.InputShape;
import org.orbitmap.network.Architecture;
import org.orbitmap.nn.layer.TorchOperations;
import org.orbitmap.nn.layer.Weights;
import org.orbitmap.nn.tensor.NativeScope;
import org.orbitmap.nn.tensor.Tensors;
import org.orbitmap.upright.UprightSettings;
import org.orbitmap.upright.UprightView;

/**
 * The predictor: it learns which element makes a canonical image upright. The loss is the cross
 * entropy -Σ q_k log p_k with the soft target q_k ∝ exp(κ cos(α - α_k)) about the true angle α, on
 * the true side of the mirror.
 */
final class PredictorTask implements FitTask {
  private final FitRecipe recipe;
  private final DataSet<Image> data;
  private final UprightSettings settings;
  private final Architecture architecture;
  private final ImageExamples examples;
  private final Weights weights;
  private final Validation validation;
  private final InputShape<Image> shape;
  private final float[] buffer;
  private final float[] targets;

  PredictorTask(
      FitConfig config, DataSet<Image> data, UprightSettings settings, Validation validation) {
    recipe = config.recipe();
    this.data = data;
    this.settings = settings;
    this.validation = validation;
    architecture = settings.architecture();
    examples = new ImageExamples(config);
    weights = new Weights(architecture.declare().parameters(), config.seed());
    shape = data.shape();
    buffer = new float[Math.multiplyExact(course().batch(), shape.length())];
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
    ImageExamples.Posed posed = examples.draw(data.input(index), random);
    shape.copy(posed.image(), buffer, place * shape.length());
    target(posed.upright(), place);
  }

  /** The soft target of an element, at a place of the batch. */
  private void target(Orthogonal2 upright, int place) {
    int bins = settings.bins();
    int from = place * architecture.classes();
    Arrays.fill(targets, from, from + architecture.classes(), 0);
    from += upright.mirrored() ? bins : 0;
    double alpha = upright.rotation().radians();
    double sum = 0;
    for (int k = 0; k < bins; k++) {
      double q = Math.exp(recipe.concentration() * (Math.cos(alpha - 2 * Math.PI * k / bins) - 1));
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
    Tensor scores = scores(ops, Tensors.of(buffer, shape.batch(n)));
    Tensor q = Tensors.of(targets, n, architecture.classes());
    return torch.log_softmax(scores, 1).mul(q).sum().neg().div(new Scalar((double) n));
  }

  private Tensor scores(TorchOperations ops, Tensor images) {
    Tensor seen = UprightView.of(ops, images, settings);
    return architecture.scores(ops, TorchOperations.arranged(seen));
  }

  /** The probabilities of the bins for canonical images, one row after another. */
  float[] probabilities(float[] images, int n) {
    return NativeScope.inference(
        () -> {
          Tensor x = Tensors.of(images, shape.batch(n));
          return Tensors.toArray(torch.softmax(scores(TorchOperations.inference(weights), x), 1));
        });
  }

  @Override
  public Score score() {
    double within = validation.quick(this).within20();
    return new Score(within, "%.1f %% within 20°".formatted(100 * within));
  }
}
